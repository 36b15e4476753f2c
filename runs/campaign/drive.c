/* runs/campaign/drive.c - see runs/campaign/drive.h. libev only handles real time: virtual time advances in
 * slices, in an idle watcher. */
#include "runs/campaign/drive.h"

#include "base/interrupt.h"
#include "runs/event_loop.h"
#include "runs/progress.h"

#define SLICE_EVENTS 100000 /* some milliseconds: a signal is answered at once; the loop is cheap */

struct drive {
	struct event_loop loop;
	uint32_t count, index;
	struct db_writer *writer;
	const struct drive_calls *calls;
	void *self;
	struct error *err;
	bool failed;
	struct run *run; /* the current run */
	uint64_t events; /* of the runs that have ended */
	struct progress progress;
	sigjmp_buf left; /* for a plug-in that loops */
};

static void fail(struct drive *d)
{
	d->failed = true;
	ev_break(d->loop.ev, EVBREAK_ALL);
}

/* Begins the next run that is not in the recording yet. */
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
		ev_break(d->loop.ev, EVBREAK_ALL);
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

static void advance(struct drive *d)
{
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

/* Where a plug-in loops and a signal came, only what has ended is wanted: the run is dropped at that place.
 * The plug-in was called from where nothing of the recording was half written; a run that it was about to
 * plan has no end, and is taken back with the recording (run_destroy()). */
static void slice(void *self)
{
	struct drive *d = self;
	if (d->writer && sigsetjmp(d->left, 1) != 0) {
		ev_break(d->loop.ev, EVBREAK_ALL);
		return;
	}
	interrupt_leaves(d->writer ? d->calls->may_leave : NULL, &d->left);
	advance(d);
	interrupt_leaves(NULL, NULL);
}

static void interrupted(void *self)
{
	struct drive *d = self;
	ev_break(d->loop.ev, EVBREAK_ALL);
}

static void tick(void *self)
{
	struct drive *d = self;
	double here = d->run ? run_progress(d->run) : 0;
	uint64_t events = d->events + (d->run ? run_events(d->run) : 0);
	progress_update(
		&d->progress, ev_now(d->loop.ev), d->index, d->count, (d->index + here) / d->count, events);
}

bool drive_runs(uint32_t count, struct db_writer *writer, const struct drive_calls *calls, void *self,
	bool quiet, uint32_t *finished, struct error *err)
{
	struct drive d = {
		.loop = {.self = &d, .interrupted = interrupted, .tick = tick, .slice = slice},
		.count = count,
		.writer = writer,
		.calls = calls,
		.self = self,
		.err = err,
	};
	*finished = 0;
	if (!event_loop_open(&d.loop, err))
		return false;
	progress_init(&d.progress, "runs", quiet, ev_now(d.loop.ev));
	ev_run(d.loop.ev, 0);
	event_loop_close(&d.loop);
	if (writer) {
		interrupt_note(true);
		interrupt_completes(true);
	}
	progress_clear(&d.progress);
	run_destroy(d.run);
	*finished = d.index;
	return !d.failed;
}

bool drive_finished(void)
{
	interrupt_completes(false);
	if (interrupt_came > 0)
		return true;
	interrupt_note(false);
	return false;
}
