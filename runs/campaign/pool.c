/* runs/campaign/pool.c - see runs/campaign/pool.h. runs/campaign/spawn.c starts and ends the processes. */
#include "runs/campaign/pool.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "db/merge.h"
#include "runs/campaign/pool_private.h"

#define PROGRESS_SECONDS 0.1
#define BATCH_MAX 256u
#define BATCH_SHORT 0.1    /* seconds a batch should take at least ... */
#define BATCH_LONG 0.5     /* ... and at most */
#define IDLE_DEATHS_MAX 3u /* in a row, without any unit made: something is wrong everywhere */

static void fail(struct worker_pool *p)
{
	p->failed = true;
	pool_stop(p);
}

/* Errors of others must not hide the first. */
static struct error *first_error(struct worker_pool *p, struct error *other)
{
	return p->failed ? other : p->err;
}

/* ---- giving out ---- */

static bool may_have(const struct worker_pool *p, const struct pool_worker *w, uint32_t member)
{
	return p->owner[member] == OWNER_NONE &&
	       troubles_changed(&p->troubles, share_unit(&p->spec->share, member)) < w->born;
}

/* The next members for a worker: consecutive units nobody has. */
static uint32_t next_batch(struct worker_pool *p, const struct pool_worker *w, uint32_t *first)
{
	uint32_t members = p->spec->members, most = p->left / (4 * p->spec->workers) + 1, count = 0;
	while (p->next < members && p->owner[p->next] != OWNER_NONE)
		p->next++;
	*first = p->next;
	while (*first < members && !may_have(p, w, *first))
		++*first;
	if (*first == members)
		return 0;
	most = most < w->batch ? most : w->batch;
	uint32_t run = share_run(&p->spec->share, *first);
	most = most < run ? most : run;
	while (count < most && *first + count < members && may_have(p, w, *first + count))
		count++;
	return count;
}

static void give(struct worker_pool *p, struct pool_worker *w)
{
	uint32_t first, count;
	while (w->commands >= 0 && w->waiting < BATCHES_AHEAD && (count = next_batch(p, w, &first)) > 0) {
		const struct worker_command batch = {share_unit(&p->spec->share, first), count};
		/* A worker that cannot be written to is dead or dying: its end is noticed. */
		if (write(w->commands, &batch, sizeof(batch)) != (ssize_t)sizeof(batch))
			return;
		for (uint32_t i = first; i < first + count; i++)
			p->owner[i] = (uint32_t)(w - p->workers);
		p->left -= count;
		w->waiting++;
	}
}

static void give_all(struct worker_pool *p)
{
	for (uint32_t i = 0; i < p->spec->workers; i++)
		give(p, &p->workers[i]);
}

void pool_stop(struct worker_pool *p)
{
	p->stopping = true;
	for (uint32_t i = 0; i < p->spec->workers; i++) {
		struct pool_worker *w = &p->workers[i];
		atomic_store(&p->views[i].stop, true);
		if (w->commands >= 0)
			close(w->commands);
		w->commands = -1;
	}
}

/* ---- what workers say ---- */

static void took(struct worker_pool *p, struct pool_worker *w)
{
	double now = ev_now(p->loop), took = now - w->took;
	if (took < BATCH_SHORT && w->batch < BATCH_MAX)
		w->batch *= 2;
	else if (took > BATCH_LONG && w->batch > 1)
		w->batch /= 2;
	w->took = now;
	w->waiting--;
	give(p, w);
}

static void safe(struct worker_pool *p, struct pool_worker *w, int64_t first, int64_t count)
{
	for (int64_t unit = first; unit < first + count; unit++) {
		uint32_t member = share_member(&p->spec->share, (uint32_t)unit);
		if (member >= p->spec->members || p->owner[member] == OWNER_DISK)
			continue;
		p->left -= p->owner[member] == OWNER_NONE;
		p->owner[member] = OWNER_DISK;
		p->spec->done[member] = 1;
		p->safe++;
		w->safe++;
	}
	if (p->safe == p->spec->members)
		pool_stop(p); /* nothing is left: they end */
}

static void worker_failed(struct worker_pool *p, const struct worker_message *m, const char *text)
{
	struct error other;
	error_set(first_error(p, &other), (enum status)m->first, "%.*s", (int)m->count, text);
	fail(p);
}

/* The messages in the buffer that are complete. */
static void hear(struct worker_pool *p, struct pool_worker *w)
{
	size_t at = 0;
	struct worker_message m;
	while (w->heard - at >= sizeof(m)) {
		memcpy(&m, w->buffer + at, sizeof(m));
		size_t size = sizeof(m) + (m.report == WORKER_FAILED ? m.count : 0);
		if (size > w->heard - at)
			break;
		if (m.report == WORKER_TOOK)
			took(p, w);
		else if (m.report == WORKER_SAFE)
			safe(p, w, m.first, m.count);
		else
			worker_failed(p, &m, w->buffer + at + sizeof(m));
		at += size;
	}
	memmove(w->buffer, w->buffer + at, w->heard - at);
	w->heard -= at;
}

/* Reads once; as read(). */
static ssize_t listen_once(struct pool_worker *w)
{
	ssize_t size = read(w->reports, w->buffer + w->heard, sizeof(w->buffer) - w->heard);
	if (size > 0) {
		w->heard += (size_t)size;
		hear(w->pool, w);
	}
	return size;
}

static void on_report(struct ev_loop *loop, ev_io *io, int revents)
{
	(void)revents;
	ssize_t size = listen_once(io->data);
	if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR))
		ev_io_stop(loop, io); /* its end comes with SIGCHLD */
}

/* ---- workers that end ---- */

static void say_how(const struct pool_worker *w, int status, char text[200])
{
	int length = 0;
	if (w->overdue)
		length = snprintf(
			text, 200, "the run took longer than %g s and was stopped", w->pool->spec->timeout_s);
	else if (WIFSIGNALED(status))
		length = snprintf(text, 200, "the worker process was ended by signal %d (%s)",
			WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		length = snprintf(text, 200, "the worker process ended with status %d", WEXITSTATUS(status));
	(void)length;
}

/* What it has brought onto the disk, by the recording itself. */
static bool look_up_safe(struct worker_pool *p, struct pool_worker *w, struct error *err)
{
	struct part part;
	char *file = pool_recording(p, w->recording, ".part");
	if (!file)
		return error_memory(err, "reading a worker's recording");
	bool ok = access(file, F_OK) != 0 || part_read(file, false, &part, err);
	if (ok && access(file, F_OK) == 0) {
		for (size_t i = 0; i < part.stretch_count; i++)
			safe(p, w, part.stretches[i].first_unit, part.stretches[i].units);
		part_finish(&part);
	}
	free(file);
	return ok;
}

static void take_back(struct worker_pool *p, uint32_t worker)
{
	for (uint32_t i = 0; i < p->spec->members; i++) {
		if (p->owner[i] != worker)
			continue;
		p->owner[i] = OWNER_NONE;
		p->left++;
		p->next = i < p->next ? i : p->next;
	}
}

static void say_crash(struct worker_pool *p, uint32_t unit, uint32_t run, const char *how)
{
	const char *next =
		troubles_verdict(&p->troubles, unit, run) ? "recorded as an error" : "it is tried once more";
	progress_clear(&p->progress);
	if (run == TROUBLE_UNIT)
		fprintf(stderr, "cegsim: unit %" PRIu32 ": %s; %s\n", unit, how, next);
	else
		fprintf(stderr, "cegsim: unit %" PRIu32 ", run %" PRIu32 ": %s; %s\n", unit, run, how, next);
}

/* Whose fault it was, and what becomes of it. */
static bool judge_crash(struct worker_pool *p, struct pool_worker *w, int status, struct error *err)
{
	const struct unit_view *view = &p->views[w - p->workers];
	uint32_t unit = view->unit, run = view->run;
	char how[200];
	bool hopeless;
	say_how(w, status, how);
	p->crashes++;
	p->idle_deaths = w->safe > 0 || unit != UNIT_NONE ? 0 : p->idle_deaths + 1;
	if (p->idle_deaths >= IDLE_DEATHS_MAX)
		return error_set(err, STATUS_IO, "workers end before they have begun: %s", how);
	if (unit == UNIT_NONE) {
		progress_clear(&p->progress);
		fprintf(stderr, "cegsim: %s between two units; it is replaced\n", how);
		return true;
	}
	uint32_t member = share_member(&p->spec->share, unit);
	if (member < p->spec->members && p->owner[member] == OWNER_DISK)
		return true;
	if (!troubles_add(&p->troubles, unit, run, p->started, how, &hopeless, err))
		return false;
	say_crash(p, unit, run, how);
	return !hopeless || error_set(err, STATUS_IO,
				    "unit %" PRIu32 " cannot even be recorded as an error: %s", unit, how);
}

static void bury(struct worker_pool *p, struct pool_worker *w, int status)
{
	struct error other;
	bool clean = WIFEXITED(status) && WEXITSTATUS(status) == STATUS_OK;
	bool told = WIFEXITED(status) && p->failed;
	p->events += p->views[w - p->workers].events;
	if (!clean && !told && !look_up_safe(p, w, first_error(p, &other)))
		fail(p);
	take_back(p, (uint32_t)(w - p->workers));
	if (!clean && !p->stopping && !judge_crash(p, w, status, p->err))
		fail(p);
	if (!p->stopping && p->left > 0 && !pool_spawn(p, w, first_error(p, &other)))
		fail(p);
	if (!p->stopping)
		give_all(p);
}

static void on_child(struct ev_loop *loop, ev_child *child, int revents)
{
	struct pool_worker *w = child->data;
	struct worker_pool *p = w->pool;
	(void)revents;
	ev_child_stop(loop, child);
	ev_io_stop(loop, &w->io);
	while (listen_once(w) > 0)
		;
	close(w->reports);
	if (w->commands >= 0)
		close(w->commands);
	w->reports = w->commands = -1;
	w->pid = 0;
	p->live--;
	bury(p, w, child->rstatus);
	if (p->live == 0)
		ev_break(loop, EVBREAK_ALL);
}

/* ---- the parent's own ---- */

static void on_signal(struct ev_loop *loop, ev_signal *signal, int revents)
{
	struct worker_pool *p = signal->data;
	(void)loop;
	(void)revents;
	progress_clear(&p->progress);
	if (!p->interrupted) {
		p->interrupted = true;
		fputs("cegsim: stopping after the sets that are being run; once more to kill\n", stderr);
		pool_stop(p);
		return;
	}
	for (uint32_t i = 0; i < p->spec->workers; i++)
		if (p->workers[i].pid > 0)
			kill(p->workers[i].pid, SIGKILL);
}

/* A worker whose run goes on for too long is killed; on_child() does the rest. */
static void watch_time(struct worker_pool *p)
{
	double now = ev_now(p->loop);
	for (uint32_t i = 0; i < p->spec->workers; i++) {
		struct pool_worker *w = &p->workers[i];
		uint64_t beat = p->views[i].beat;
		if (w->pid == 0 || beat != w->beat || p->views[i].unit == UNIT_NONE) {
			w->beat = beat;
			w->beat_since = now;
		} else if (now - w->beat_since > p->spec->timeout_s && !w->overdue) {
			w->overdue = true;
			kill(w->pid, SIGKILL);
		}
	}
}

static void on_tick(struct ev_loop *loop, ev_timer *timer, int revents)
{
	struct worker_pool *p = timer->data;
	(void)revents;
	watch_time(p);
	uint64_t events = p->events, done = p->safe;
	for (uint32_t i = 0; i < p->spec->workers; i++) {
		if (p->workers[i].pid == 0)
			continue;
		uint64_t units = p->views[i].units;
		events += p->views[i].events;
		done += units > p->workers[i].safe ? units - p->workers[i].safe : 0;
	}
	double fraction = (double)(done - p->safe_before) / (double)(p->spec->members - p->safe_before);
	progress_update(&p->progress, ev_now(loop), done, p->spec->members, fraction, events);
}

static void run_loop(struct worker_pool *p)
{
	ev_signal interrupt, terminate;
	ev_timer tick;
	ev_signal_init(&interrupt, on_signal, SIGINT);
	ev_signal_init(&terminate, on_signal, SIGTERM);
	ev_timer_init(&tick, on_tick, PROGRESS_SECONDS, PROGRESS_SECONDS);
	interrupt.data = terminate.data = tick.data = p;
	ev_signal_start(p->loop, &interrupt);
	ev_signal_start(p->loop, &terminate);
	ev_timer_start(p->loop, &tick);
	struct error other;
	for (uint32_t i = 0; i < p->spec->workers && !p->failed; i++)
		if (!pool_spawn(p, &p->workers[i], first_error(p, &other)))
			fail(p);
	if (!p->failed)
		give_all(p);
	if (p->live > 0)
		ev_run(p->loop, 0);
	ev_signal_stop(p->loop, &interrupt);
	ev_signal_stop(p->loop, &terminate);
	ev_timer_stop(p->loop, &tick);
	progress_clear(&p->progress);
}

/* Which members are left to do. */
static void begin_owners(struct worker_pool *p)
{
	for (uint32_t i = 0; i < p->spec->members; i++) {
		p->owner[i] = p->spec->done[i] ? OWNER_DISK : OWNER_NONE;
		p->safe += p->spec->done[i];
	}
	p->left = p->spec->members - p->safe;
	p->safe_before = p->safe;
	p->progress.before = p->safe;
}

bool pool_run(const struct pool_spec *spec, struct pool_result *result, struct error *err)
{
	struct worker_pool p = {
		.spec = spec,
		.err = err,
		.recordings = spec->first_recording,
		.started = 1,
		.loop = ev_default_loop(0),
		.on_report = on_report,
		.on_child = on_child,
	};
	*result = (struct pool_result){0};
	if (!pool_begin(&p, err))
		return false;
	begin_owners(&p);
	double started = ev_now(p.loop);
	if (p.left > 0)
		run_loop(&p);
	ev_now_update(p.loop);
	*result = (struct pool_result){
		.done = p.safe,
		.crashes = p.crashes,
		.interrupted = p.interrupted,
		.events = p.events,
		.seconds = ev_now(p.loop) - started,
	};
	pool_end(&p);
	return !p.failed;
}
