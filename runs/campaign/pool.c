/* runs/campaign/pool.c - see runs/campaign/pool.h. */
#include "runs/campaign/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/say.h"
#include "db/merge.h"
#include "runs/campaign/worker.h"
#include "runs/progress.h"

#define BATCHES_AHEAD 2u /* so that a worker need not wait for its next batch */
#define BATCH_MAX 256u
#define BATCH_SHORT 0.1    /* seconds a batch should take at least ... */
#define BATCH_LONG 0.5     /* ... and at most */
#define STUCK_SECONDS 30.0 /* without a sign of life between two units, at least */
#define IDLE_DEATHS_MAX 3u /* in a row, without any unit made: then something is wrong in general */

/* The owner of a member: the index of a worker, or one of these. */
#define OWNER_NONE UINT32_MAX
#define OWNER_DISK (UINT32_MAX - 1)

struct pool_worker {
	struct worker_pool *pool;
	ev_io io;
	bool runs;
	int commands, reports;   /* our ends of the pipes; -1: closed */
	uint32_t recording;      /* number of its file */
	uint64_t generation;     /* number of the process */
	uint32_t batch, waiting; /* members in the batch; batches sent and not begun yet */
	uint32_t owed;           /* members that it was given, and has not committed */
	uint64_t committed;      /* units that it has committed to the disk */
	double batch_began;      /* when it began its batch */
	uint64_t beat;           /* its last known value, and when it changed */
	double beat_since;
	bool overdue;      /* it was killed because of that */
	char buffer[4096]; /* reports, with the number of bytes read so far */
	size_t buffered;
};

struct worker_pool {
	const struct pool_spec *spec;
	struct workers processes;
	struct pool_worker *workers; /* [spec->workers] */
	struct unit_view *views;     /* [spec->workers], shared */
	int ends[2]; /* of the worker that is being started: for its commands, for its reports */
	struct troubles troubles;
	uint32_t *owner;     /* [members] */
	uint32_t left, next; /* members with OWNER_NONE: their number, and a lower bound of the first */
	uint32_t committed, committed_before; /* members on the disk: now, and at the beginning */
	uint32_t recordings;                  /* number of the next file */
	uint64_t started;                     /* number of processes started so far, plus one */
	uint64_t events;                      /* of processes that have ended */
	uint32_t crashes, idle_deaths;
	bool stopping, failed;
	struct error *err;
	struct progress progress;
	struct sigaction sigpipe; /* the previous action, to be restored */
};

static double now(const struct worker_pool *p)
{
	return ev_now(p->processes.loop.ev);
}

/* No more batches are given out; workers end after their current unit. */
static void stop(struct worker_pool *p)
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

static void fail(struct worker_pool *p)
{
	p->failed = true;
	stop(p);
}

/* Later errors must not replace the first. */
static struct error *first_error(struct worker_pool *p, struct error *other)
{
	return p->failed ? other : p->err;
}

/* ---- giving out ---- */

static bool may_have(const struct worker_pool *p, const struct pool_worker *w, uint32_t member)
{
	return p->owner[member] == OWNER_NONE &&
	       troubles_changed(&p->troubles, share_unit(&p->spec->share, member)) < w->generation;
}

/* The next members for a worker: consecutive units without an owner. */
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
		/* A worker to which we cannot write is dead or dying: its end will be noticed. */
		if (write(w->commands, &batch, sizeof(batch)) != (ssize_t)sizeof(batch))
			return;
		for (uint32_t i = first; i < first + count; i++)
			p->owner[i] = (uint32_t)(w - p->workers);
		p->left -= count;
		w->owed += count;
		w->waiting++;
	}
}

static void give_all(struct worker_pool *p)
{
	for (uint32_t i = 0; i < p->spec->workers; i++)
		give(p, &p->workers[i]);
}

/* ---- what workers report ---- */

/* The worker has begun a batch, so it has finished the one before. */
static void batch_begun(struct worker_pool *p, struct pool_worker *w)
{
	double seconds = now(p) - w->batch_began;
	if (seconds < BATCH_SHORT && w->batch < BATCH_MAX)
		w->batch *= 2;
	else if (seconds > BATCH_LONG && w->batch > 1)
		w->batch /= 2;
	w->batch_began = now(p);
	w->waiting--;
	give(p, w);
}

static void units_committed(struct worker_pool *p, struct pool_worker *w, int64_t first, int64_t count)
{
	for (int64_t unit = first; unit < first + count; unit++) {
		uint32_t member = share_member(&p->spec->share, (uint32_t)unit);
		if (member >= p->spec->members || p->owner[member] == OWNER_DISK)
			continue;
		p->left -= p->owner[member] == OWNER_NONE;
		w->owed -= p->owner[member] == (uint32_t)(w - p->workers);
		p->owner[member] = OWNER_DISK;
		p->spec->done[member] = 1;
		p->committed++;
		w->committed++;
	}
	if (p->committed == p->spec->members)
		stop(p); /* nothing is left, so they end */
}

static void worker_failed(struct worker_pool *p, const struct worker_message *m, const char *text)
{
	struct error other;
	error_set(first_error(p, &other), (enum status)m->first, "%.*s", (int)m->count, text);
	fail(p);
}

/* Handles the complete reports in the buffer. */
static void handle_reports(struct worker_pool *p, struct pool_worker *w)
{
	size_t at = 0;
	struct worker_message m;
	while (w->buffered - at >= sizeof(m)) {
		memcpy(&m, w->buffer + at, sizeof(m));
		size_t size = sizeof(m) + (m.report == WORKER_FAILED ? m.count : 0);
		if (size > w->buffered - at)
			break;
		if (m.report == WORKER_BEGUN)
			batch_begun(p, w);
		else if (m.report == WORKER_COMMITTED)
			units_committed(p, w, m.first, m.count);
		else
			worker_failed(p, &m, w->buffer + at + sizeof(m));
		at += size;
	}
	memmove(w->buffer, w->buffer + at, w->buffered - at);
	w->buffered -= at;
}

/* One read; returns the result of read(2). */
static ssize_t read_reports(struct pool_worker *w)
{
	ssize_t size = read(w->reports, w->buffer + w->buffered, sizeof(w->buffer) - w->buffered);
	if (size > 0) {
		w->buffered += (size_t)size;
		handle_reports(w->pool, w);
	}
	return size;
}

/* ---- workers that end ---- */

/* FOLDER/NUMBER with a suffix; free() it. NULL: out of memory. */
static char *recording_name(const struct worker_pool *p, uint32_t number, const char *suffix)
{
	char *name;
	return asprintf(&name, "%s/%" PRIu32 "%s", p->spec->folder, number, suffix) < 0 ? NULL : name;
}

/* How long it may take without a sign of life. Between two units that is somebody who has stopped it, or a
 * disk that hangs, so a short limit of runs is not meant. */
static double patience(const struct worker_pool *p, bool in_unit)
{
	double run = p->spec->timeout_s + p->spec->grace_s;
	return in_unit || run > STUCK_SECONDS ? run : STUCK_SECONDS;
}

static void describe_end(const struct pool_worker *w, bool in_unit, int status, char text[200])
{
	char end[WORKER_EXIT_TEXT_MAX];
	if (w->overdue && in_unit)
		snprintf(
			text, 200, "the run took longer than %g s and was stopped", w->pool->spec->timeout_s);
	else if (w->overdue)
		snprintf(text, 200, "a worker process did nothing for %g s, and was ended",
			patience(w->pool, false));
	else
		snprintf(text, 200, "the worker process %s", worker_exit_text(status, end));
}

/* Finds out from the recording itself which units the worker has committed. */
static bool read_committed(struct worker_pool *p, struct pool_worker *w, struct error *err)
{
	struct merge_part part;
	char *file = recording_name(p, w->recording, ".part");
	if (!file)
		return error_memory(err, "reading a worker's recording");
	bool ok = access(file, F_OK) != 0 || part_read(file, false, &part, err);
	if (ok && access(file, F_OK) == 0) {
		for (size_t i = 0; i < part.stretch_count; i++)
			units_committed(p, w, part.stretches[i].first_unit, part.stretches[i].units);
		part_finish(&part);
	}
	free(file);
	return ok;
}

static void requeue(struct worker_pool *p, uint32_t worker)
{
	for (uint32_t i = 0; i < p->spec->members; i++) {
		if (p->owner[i] != worker)
			continue;
		p->owner[i] = OWNER_NONE;
		p->left++;
		p->next = i < p->next ? i : p->next;
	}
}

static void report_crash(struct worker_pool *p, uint32_t unit, uint32_t run, const char *how)
{
	const char *next =
		troubles_verdict(&p->troubles, unit, run) ? "recorded as an error" : "it is tried once more";
	progress_clear(&p->progress);
	if (run == TROUBLE_UNIT)
		say(stderr, "cegsim: unit %" PRIu32 ": %s; %s\n", unit, how, next);
	else
		say(stderr, "cegsim: unit %" PRIu32 ", run %" PRIu32 ": %s; %s\n", unit, run, how, next);
}

/* Finds out which run or unit caused the crash, and notes it. */
static bool judge_crash(struct worker_pool *p, struct pool_worker *w, int status, struct error *err)
{
	const struct unit_view *view = &p->views[w - p->workers];
	uint32_t unit = view->unit, run = view->run;
	char how[200];
	bool hopeless;
	describe_end(w, unit != UNIT_NONE, status, how);
	p->crashes++;
	p->idle_deaths = w->committed > 0 || unit != UNIT_NONE ? 0 : p->idle_deaths + 1;
	if (p->idle_deaths >= IDLE_DEATHS_MAX)
		return error_set(err, STATUS_IO, "workers end before they have begun: %s", how);
	if (unit == UNIT_NONE) {
		progress_clear(&p->progress);
		say(stderr, "cegsim: %s between two units; it is replaced\n", how);
		return true;
	}
	uint32_t member = share_member(&p->spec->share, unit);
	if (member < p->spec->members && p->owner[member] == OWNER_DISK)
		return true;
	if (!troubles_add(&p->troubles, unit, run, p->started, how, &hopeless, err))
		return false;
	report_crash(p, unit, run, how);
	return !hopeless || error_set(err, STATUS_IO,
				    "unit %" PRIu32 " cannot even be recorded as an error: %s", unit, how);
}

/* ---- workers that start ---- */

static int work(void *self, uint32_t worker)
{
	struct worker_pool *p = self;
	char *recording = recording_name(p, p->workers[worker].recording, "");
	if (!recording)
		return STATUS_IO;
	const struct worker_spec spec = {
		.campaign = p->spec->campaign,
		.campaign_name = p->spec->campaign_name,
		.recording = recording,
		.extent = p->spec->extent,
		.commands = p->ends[0],
		.reports = p->ends[1],
		.troubles = &p->troubles,
		.view = &p->views[worker],
	};
	return worker_run(&spec);
}

static void on_report(struct ev_loop *loop, ev_io *io, int revents)
{
	(void)revents;
	ssize_t size = read_reports(io->data);
	if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR))
		ev_io_stop(loop, io); /* its end will be signalled by SIGCHLD */
}

static bool open_pipe(int *worker_end, int *our_end, bool to_worker, struct error *err)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) != 0)
		return error_set(err, STATUS_IO, "cannot make a pipe to a worker: %s", strerror(errno));
	*worker_end = ends[to_worker ? 0 : 1];
	*our_end = ends[to_worker ? 1 : 0];
	return true;
}

static void close_end(int *end)
{
	if (*end >= 0)
		close(*end);
	*end = -1;
}

static void begin_worker(struct worker_pool *p, struct pool_worker *w)
{
	struct unit_view *view = &p->views[w - p->workers];
	*w = (struct pool_worker){
		.pool = p,
		.commands = -1,
		.reports = -1,
		.recording = p->recordings++,
		.generation = ++p->started,
		.batch = 1,
		.batch_began = now(p),
		.beat_since = now(p),
	};
	atomic_store(&view->unit, UNIT_NONE);
	atomic_store(&view->run, TROUBLE_UNIT);
	atomic_store(&view->beat, 0);
	atomic_store(&view->events, 0);
	atomic_store(&view->units, 0);
	atomic_store(&view->stop, false);
}

/* Starts a new process for a worker whose last one has ended. */
static bool start(struct worker_pool *p, struct pool_worker *w, struct error *err)
{
	begin_worker(p, w);
	p->ends[0] = p->ends[1] = -1;
	bool ok = open_pipe(&p->ends[0], &w->commands, true, err) &&
		  open_pipe(&p->ends[1], &w->reports, false, err);
	const int keep[] = {p->ends[0], p->ends[1], p->spec->lock};
	ok = ok && workers_start(&p->processes, (uint32_t)(w - p->workers), keep, 3, err);
	close_end(&p->ends[0]);
	close_end(&p->ends[1]);
	if (!ok) {
		close_end(&w->commands);
		close_end(&w->reports);
		return false;
	}
	w->runs = true;
	fcntl(w->reports, F_SETFL, O_NONBLOCK);
	ev_io_init(&w->io, on_report, w->reports, EV_READ);
	w->io.data = w;
	ev_io_start(p->processes.loop.ev, &w->io);
	return true;
}

/* Gives out again what the worker had, and starts another process for it. */
static void replace(struct worker_pool *p, struct pool_worker *w, int status)
{
	struct error other;
	bool clean = WIFEXITED(status) && WEXITSTATUS(status) == STATUS_OK;
	bool told = WIFEXITED(status) && p->failed;
	p->events += p->views[w - p->workers].events;
	if (!clean && !told && !read_committed(p, w, first_error(p, &other)))
		fail(p);
	requeue(p, (uint32_t)(w - p->workers));
	if (!clean && !p->stopping && !judge_crash(p, w, status, p->err))
		fail(p);
	if (!p->stopping && p->left > 0 && !start(p, w, first_error(p, &other)))
		fail(p);
	if (!p->stopping)
		give_all(p);
}

/* ---- the pool ---- */

static void ended(void *self, uint32_t worker, int status)
{
	struct worker_pool *p = self;
	struct pool_worker *w = &p->workers[worker];
	w->runs = false;
	ev_io_stop(p->processes.loop.ev, &w->io);
	while (read_reports(w) > 0)
		;
	close_end(&w->reports);
	close_end(&w->commands);
	replace(p, w, status);
}

static void interrupted(void *self)
{
	struct worker_pool *p = self;
	progress_clear(&p->progress);
	fputs("cegsim: stopping; sets that take longer than a moment are given up; once more to kill\n",
		stderr);
	stop(p);
}

/* Kills workers that have something to do and take too long; ended() does the rest. */
static void watch_time(struct worker_pool *p)
{
	for (uint32_t i = 0; i < p->spec->workers; i++) {
		struct pool_worker *w = &p->workers[i];
		uint64_t beat = p->views[i].beat;
		bool in_unit = p->views[i].unit != UNIT_NONE;
		bool idle = !w->runs || (!in_unit && w->owed == 0 && !p->stopping);
		if (idle || beat != w->beat) {
			w->beat = beat;
			w->beat_since = now(p);
		} else if (now(p) - w->beat_since > patience(p, in_unit) && !w->overdue) {
			w->overdue = true;
			workers_kill(&p->processes, i);
		}
	}
}

static void tick(void *self)
{
	struct worker_pool *p = self;
	uint64_t events = p->events, done = p->committed;
	watch_time(p);
	for (uint32_t i = 0; i < p->spec->workers; i++) {
		if (!p->workers[i].runs)
			continue;
		uint64_t units = p->views[i].units;
		events += p->views[i].events;
		done += units > p->workers[i].committed ? units - p->workers[i].committed : 0;
	}
	double fraction =
		(double)(done - p->committed_before) / (double)(p->spec->members - p->committed_before);
	progress_update(&p->progress, now(p), done, p->spec->members, fraction, events);
}

static bool pool_begin(struct worker_pool *p, struct error *err)
{
	static const struct workers_calls calls = {
		.work = work, .ended = ended, .interrupted = interrupted, .tick = tick};
	const struct pool_spec *s = p->spec;
	const struct sigaction ignore = {.sa_handler = SIG_IGN};
	sigaction(SIGPIPE, &ignore, &p->sigpipe);
	p->workers = calloc(s->workers, sizeof(*p->workers));
	p->owner = calloc((size_t)s->members + 1, sizeof(*p->owner));
	if (!p->workers || !p->owner)
		return error_memory(err, "starting the workers");
	p->views = workers_memory(s->workers * sizeof(*p->views), "starting the workers", err);
	if (!p->views || !workers_open(&p->processes, s->workers, &calls, p, err))
		return false;
	for (uint32_t i = 0; i < s->workers; i++) {
		p->workers[i].pool = p;
		p->workers[i].commands = p->workers[i].reports = -1;
	}
	progress_init(&p->progress, "sets", s->quiet, now(p));
	p->progress.rate = true;
	return true;
}

static void pool_end(struct worker_pool *p)
{
	workers_close(&p->processes);
	if (p->views)
		munmap(p->views, p->spec->workers * sizeof(*p->views));
	free(p->workers);
	free(p->owner);
	troubles_finish(&p->troubles);
	sigaction(SIGPIPE, &p->sigpipe, NULL);
}

/* Notes which members are left to do. */
static void begin_owners(struct worker_pool *p)
{
	for (uint32_t i = 0; i < p->spec->members; i++) {
		p->owner[i] = p->spec->done[i] ? OWNER_DISK : OWNER_NONE;
		p->committed += p->spec->done[i];
	}
	p->left = p->spec->members - p->committed;
	p->committed_before = p->committed;
	p->progress.before = p->committed;
}

static void make_units(struct worker_pool *p)
{
	struct error other;
	for (uint32_t i = 0; i < p->spec->workers && p->left > 0 && !p->failed; i++)
		if (!start(p, &p->workers[i], first_error(p, &other)))
			fail(p);
	if (!p->failed)
		give_all(p);
	workers_wait(&p->processes);
	progress_clear(&p->progress);
}

bool pool_run(const struct pool_spec *spec, struct pool_result *result, struct error *err)
{
	struct worker_pool p = {.spec = spec, .err = err, .recordings = spec->first_recording, .started = 1};
	*result = (struct pool_result){0};
	bool begun = pool_begin(&p, err);
	if (begun) {
		begin_owners(&p);
		make_units(&p);
		*result = (struct pool_result){
			.done = p.committed,
			.crashes = p.crashes,
			.events = p.events,
			.seconds = workers_seconds(&p.processes),
		};
	}
	pool_end(&p);
	return begun && !p.failed;
}
