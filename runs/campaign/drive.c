/* runs/campaign/drive.c - see runs/campaign/drive.h. libev runs real time only: virtual time advances in
 * slices of an idle watcher. */
#include "runs/campaign/drive.h"

#include <ev.h>
#include <signal.h>

#include "runs/campaign/progress.h"

#define SLICE_EVENTS 100000 /* some milliseconds: a signal is answered at once, the loop costs nothing */
#define COMMIT_SECONDS 1.0
#define PROGRESS_SECONDS 0.1

struct drive {
	struct ev_loop *loop;
	uint32_t count, index;
	struct db_writer *writer;
	const struct drive_calls *calls;
	void *self;
	struct error *err;
	bool failed, interrupted;
	struct run *run; /* the one that is going on */
	uint64_t events; /* of the runs that have ended */
	struct progress progress;
};

static void fail(struct drive *d)
{
	d->failed = true;
	ev_break(d->loop, EVBREAK_ALL);
}

/* Begins the next run that is not recorded yet. */
static void begin(struct drive *d)
{
	while (!d->run && d->index < d->count) {
		struct run_spec spec;
		bool exists;
		if (!d->calls->prepare(d->self, d->index, &spec, d->err) ||
			!run_begin(&spec, d->writer, &d->run, &exists, d->err)) {
			fail(d);
			return;
		}
		if (exists)
			d->calls->existed(d->self, d->index++);
	}
	if (!d->run)
		ev_break(d->loop, EVBREAK_ALL);
}

static void end(struct drive *d)
{
	struct run_result result;
	progress_clear(&d->progress);
	d->events += run_events(d->run);
	if (!run_finish(d->run, &result, d->err)) {
		fail(d);
		return;
	}
	d->calls->ended(d->self, d->index++, &result, d->run);
	run_destroy(d->run);
	d->run = NULL;
}

static void on_idle(struct ev_loop *loop, ev_idle *w, int revents)
{
	struct drive *d = w->data;
	(void)loop;
	(void)revents;
	if (!d->run)
		begin(d);
	if (!d->run)
		return;
	switch (run_step(d->run, SLICE_EVENTS, d->err)) {
	case RUN_GOES_ON:
		return;
	case RUN_OVER:
		end(d);
		return;
	case RUN_FAILED:
		fail(d);
		return;
	}
}

static void on_signal(struct ev_loop *loop, ev_signal *w, int revents)
{
	struct drive *d = w->data;
	(void)revents;
	d->interrupted = true;
	ev_break(loop, EVBREAK_ALL);
}

static void on_progress(struct ev_loop *loop, ev_timer *w, int revents)
{
	struct drive *d = w->data;
	(void)revents;
	double here = d->run ? run_progress(d->run) : 0;
	uint64_t events = d->events + (d->run ? run_events(d->run) : 0);
	progress_update(&d->progress, ev_now(loop), d->index, d->count, (d->index + here) / d->count, events);
}

static void on_commit(struct ev_loop *loop, ev_timer *w, int revents)
{
	struct drive *d = w->data;
	(void)loop;
	(void)revents;
	if (d->writer && !writer_commit(d->writer, d->err))
		fail(d);
}

static void mask_signals(int how)
{
	sigset_t ending;
	sigemptyset(&ending);
	sigaddset(&ending, SIGINT);
	sigaddset(&ending, SIGTERM);
	sigprocmask(how, &ending, NULL);
}

static void watch(struct drive *d)
{
	struct ev_loop *loop = d->loop;
	ev_idle idle;
	ev_signal interrupt, terminate;
	ev_timer progress, commit;

	ev_idle_init(&idle, on_idle);
	ev_signal_init(&interrupt, on_signal, SIGINT);
	ev_signal_init(&terminate, on_signal, SIGTERM);
	ev_timer_init(&progress, on_progress, PROGRESS_SECONDS, PROGRESS_SECONDS);
	ev_timer_init(&commit, on_commit, COMMIT_SECONDS, COMMIT_SECONDS);
	idle.data = interrupt.data = terminate.data = progress.data = commit.data = d;
	ev_idle_start(loop, &idle);
	ev_signal_start(loop, &interrupt);
	ev_signal_start(loop, &terminate);
	ev_timer_start(loop, &progress);
	ev_timer_start(loop, &commit);
	ev_run(loop, 0);
	if (d->writer)
		mask_signals(SIG_BLOCK);
	ev_idle_stop(loop, &idle);
	ev_signal_stop(loop, &interrupt);
	ev_signal_stop(loop, &terminate);
	ev_timer_stop(loop, &progress);
	ev_timer_stop(loop, &commit);
}

bool drive_runs(uint32_t count, struct db_writer *writer, const struct drive_calls *calls, void *self,
	bool quiet, uint32_t *finished, struct error *err)
{
	struct drive d = {
		.loop = ev_default_loop(0),
		.count = count,
		.writer = writer,
		.calls = calls,
		.self = self,
		.err = err,
	};
	*finished = 0;
	if (!d.loop)
		return error_set(err, STATUS_IO, "no event loop: libev finds no way to wait on this system");
	progress_init(&d.progress, "runs", quiet, ev_now(d.loop));
	watch(&d);
	progress_clear(&d.progress);
	run_destroy(d.run);
	*finished = d.index;
	return !d.failed;
}

bool drive_finished(void)
{
	sigset_t came;
	if (sigpending(&came) == 0 && (sigismember(&came, SIGINT) == 1 || sigismember(&came, SIGTERM) == 1))
		return true;
	mask_signals(SIG_UNBLOCK);
	return false;
}
