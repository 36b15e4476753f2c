/* db/audit/warp_jobs.c - when jobs of kernels of warps are released, when their streams take them, and when
 * they end (docs/warps.md, "Launches", "Streams"). */
#include <stdlib.h>

#include "db/audit/warp_walk.h"

static int64_t ns(const struct walk *w, int64_t cycle)
{
	return warps_ns(w->d, cycle);
}

/* ---- Releases ---- */

/* When the next job of a kernel is released, as far as it is known; NEVER: it is not known, or there is
 * none. */
static int64_t next_release(const struct walk *w, uint32_t kernel)
{
	const struct audit_kernel *d = &w->d->kernel[kernel];
	const struct kernel_walk *k = &w->kernel[kernel];
	int64_t due = NEVER;
	if (k->released == 0)
		due = d->launch;
	else if (d->period > 0 && k->released < COLUMN_BOUND / d->period)
		due = d->launch + k->released * d->period;
	else if (d->period == 0 && d->repeat && !k->active && k->released == k->taken_jobs)
		due = k->last_end;
	return due < w->d->horizon ? due : NEVER;
}

int64_t walk_next_launch(const struct walk *w)
{
	int64_t next = NEVER;
	for (uint32_t i = 0; i < w->d->kernels; i++) {
		int64_t due = next_release(w, i);
		next = due < next ? due : next;
	}
	return next;
}

/* The release of the kernel's next job that its stream has not taken. */
static int64_t release_of_next(const struct walk *w, uint32_t kernel)
{
	const struct audit_kernel *d = &w->d->kernel[kernel];
	const struct kernel_walk *k = &w->kernel[kernel];
	if (k->taken_jobs == 0)
		return d->launch;
	return d->period > 0 ? d->launch + k->taken_jobs * d->period : k->last_end;
}

static bool is_pending(const struct walk *w, uint32_t kernel)
{
	return w->kernel[kernel].released > w->kernel[kernel].taken_jobs;
}

/* Does its stream take the kernel's next job now? */
static bool is_taken(const struct walk *w, uint32_t kernel)
{
	int64_t release = release_of_next(w, kernel);
	if (!is_pending(w, kernel))
		return false;
	for (uint32_t i = 0; i < w->d->kernels; i++) {
		if (w->d->kernel[i].stream != w->d->kernel[kernel].stream)
			continue;
		if (w->kernel[i].active)
			return false;
		int64_t other = is_pending(w, i) ? release_of_next(w, i) : NEVER;
		if (i != kernel && (other < release || (other == release && i < kernel)))
			return false;
	}
	return true;
}

static void check_row(struct walk *w, uint32_t kernel, int64_t seq, int64_t release)
{
	const struct job *job = &w->kernel[kernel].job;
	law_held(w, LAW_LAUNCHES, 1);
	if (job->seq != seq)
		law_wrong(w, LAW_LAUNCHES, "job", "kernel '%s': job %lld stands where job %lld is expected",
			kernel_name(w, kernel), (long long)job->seq, (long long)seq);
	else if (job->release != ns(w, release))
		law_wrong(w, LAW_LAUNCHES, "job",
			"kernel '%s', job %lld: released at %s, expected %s (cycle %lld)",
			kernel_name(w, kernel), (long long)seq, when(w->audit, job->release),
			when(w->audit, ns(w, release)), (long long)release);
}

/* Reads the row of the next job; if there is none, makes an empty one. */
static void read_job(struct walk *w, uint32_t kernel, int64_t release)
{
	struct kernel_walk *k = &w->kernel[kernel];
	if (walk_read_job(w, kernel)) {
		check_row(w, kernel, k->taken_jobs, release);
		return;
	}
	k->job = (struct job){
		.seq = k->taken_jobs,
		.release = ns(w, release),
		.first_start = NOT_GIVEN,
		.finish = NOT_GIVEN,
		.state = STATE_UNFINISHED,
		.outcome = STATE_UNFINISHED,
	};
	if (!w->failed)
		law_wrong(w, LAW_LAUNCHES, "job",
			"kernel '%s': job %lld is missing: it was due at %s (cycle %lld)",
			kernel_name(w, kernel), (long long)k->taken_jobs, when(w->audit, ns(w, release)),
			(long long)release);
}

/* The job is at the part from cycle `ready` on. */
static void begin_part(struct walk *w, uint32_t kernel, uint32_t part, int64_t ready)
{
	struct kernel_walk *k = &w->kernel[kernel];
	k->at = part;
	k->part_ready = ready;
	k->part_first = NEVER;
	k->next_new = k->ended = 0;
	k->rounds_left = walk_part(w, kernel)->pool;
	if (!w->with_blocks)
		return;
	free(k->seen);
	k->seen = calloc((size_t)walk_part(w, kernel)->blocks / 8 + 1, 1);
	w->failed |= !k->seen && !error_memory(w->err, "auditing a run");
}

static void take(struct walk *w, uint32_t kernel)
{
	struct kernel_walk *k = &w->kernel[kernel];
	bool goes_on = k->taken_jobs > 0 && k->last_end == w->now;
	k->release = release_of_next(w, kernel);
	read_job(w, kernel, k->release);
	k->active = true;
	k->taken = w->now;
	k->taken_jobs++;
	k->first_block = NEVER;
	k->job_end = NEVER;
	begin_part(w, kernel, 0, k->release);
	if (!goes_on) {
		k->active_since = w->now;
		w->epoch_now = true;
	}
	if (k->first_active == NEVER)
		k->first_active = w->now;
	law_held(w, LAW_STREAMS, 1);
	if (k->job.first_start != NOT_GIVEN && k->job.first_start < ns(w, w->now))
		law_wrong(w, LAW_STREAMS, "job",
			"kernel '%s', job %lld: it started at %s, before its stream took it at %s",
			kernel_name(w, kernel), (long long)k->job.seq, when(w->audit, k->job.first_start),
			when(w->audit, ns(w, w->now)));
	if (!w->with_blocks && k->job.finish != NOT_GIVEN)
		k->job_end = warps_cycle(w->d, k->job.finish < 0 ? 0 : k->job.finish);
	if (k->job_end <= w->now) /* a damaged row must not stop the clock */
		k->job_end = w->now + 1;
}

void walk_launches(struct walk *w)
{
	for (uint32_t i = 0; i < w->d->kernels; i++) {
		while (next_release(w, i) <= w->now)
			w->kernel[i].released++;
	}
	for (uint32_t i = 0; i < w->d->kernels && !w->failed; i++) {
		if (is_taken(w, i))
			take(w, i);
	}
}

/* ---- Ends ---- */

/* At level segments a part that has begun has exactly one interval. `ready`, `start`, `end`: ns; NOT_GIVEN:
 * not known. */
static bool check_span(struct walk *w, uint32_t kernel, uint32_t part, const struct interval *row,
	bool finished, int64_t ready, int64_t start, int64_t end)
{
	const struct kernel_walk *k = &w->kernel[kernel];
	const char *who = walk_name_block(w, kernel, k->job.seq, -1);
	law_held(w, LAW_SPANS, 1);
	if (row->seq != k->job.seq || row->segment != part || row->part != 0) {
		law_wrong(w, LAW_SPANS, "segment_interval",
			"%s: here stands job %lld, segment %lld, part %lld: expected segment %u in one part",
			who, (long long)row->seq, (long long)row->segment, (long long)row->part, part);
		return false;
	}
	start = start == NOT_GIVEN ? row->start : start;
	end = end == NOT_GIVEN ? row->end : end;
	if (row->code != (finished ? ON_GPU : ON_GPU | ENDED_STOPPED << 4))
		law_wrong(w, LAW_SPANS, "segment_interval", "%s: its code is %lld, expected the GPU, %s", who,
			(long long)row->code, finished ? "done" : "stopped");
	else if (row->ready != ready || row->start != start || row->end != end || start < ready ||
		 end < start)
		law_wrong(w, LAW_SPANS, "segment_interval",
			"%s: it is said to be ready at %s and to last from %s to %s, expected %s and %s to "
			"%s",
			who, when(w->audit, row->ready), when(w->audit, row->start), when(w->audit, row->end),
			when(w->audit, ready), when(w->audit, start), when(w->audit, end));
	return true;
}

static bool read_span(struct walk *w, uint32_t kernel, struct interval *row)
{
	if (walk_read_span(w, kernel, row))
		return true;
	if (!w->failed)
		law_wrong(w, LAW_SPANS, "segment_interval", "%s: a part of it began, and has no interval",
			walk_name_block(w, kernel, w->kernel[kernel].job.seq, -1));
	return false;
}

/* The part that the job is at has ended, or is stopped, in this cycle. Only with rows of blocks. */
static void check_span_of_part(struct walk *w, uint32_t kernel, bool finished, int64_t end)
{
	const struct kernel_walk *k = &w->kernel[kernel];
	struct interval row;
	if (w->with_spans && k->part_first != NEVER && read_span(w, kernel, &row))
		check_span(w, kernel, k->at, &row, finished, ns(w, k->part_ready), ns(w, k->part_first), end);
}

/* All parts of a job at level segments, where only the job's own row says more. `end`: of the job or the
 * run. A job that did not finish may have begun any number of its parts. */
static void check_spans_of_job(struct walk *w, uint32_t kernel, bool finished, int64_t end)
{
	const struct kernel_walk *k = &w->kernel[kernel];
	uint32_t parts = w->d->kernel[kernel].parts;
	int64_t ready = ns(w, k->release), start = k->job.first_start;
	struct interval row = {.code = ON_GPU};
	if (!w->with_spans || start == NOT_GIVEN)
		return;
	for (uint32_t part = 0; part < parts && row.code == ON_GPU; part++) {
		if (part > 0 && !finished ? !walk_read_span(w, kernel, &row) : !read_span(w, kernel, &row))
			return;
		bool last = part + 1 == parts || (!finished && row.code != ON_GPU);
		if (!check_span(
			    w, kernel, part, &row, finished || !last, ready, start, last ? end : NOT_GIVEN))
			return;
		ready = row.end;
		start = NOT_GIVEN;
	}
}

/* When its first block was placed, by the rows of blocks or by the job's own row. */
static int64_t start_of(const struct walk *w, const struct kernel_walk *k)
{
	if (!w->with_blocks)
		return k->job.first_start;
	return k->first_block == NEVER ? NOT_GIVEN : ns(w, k->first_block);
}

static void check_start(struct walk *w, uint32_t kernel)
{
	const struct kernel_walk *k = &w->kernel[kernel];
	if (!w->with_blocks)
		return;
	law_equal(w, LAW_BLOCKS, "job", walk_name_block(w, kernel, k->job.seq, -1), "first start (ns)",
		k->job.first_start, start_of(w, k));
}

/* Another part, or the first one of the job to come. */
static void go_to(struct walk *w, uint32_t kernel, uint32_t part)
{
	const struct audit_need before = walk_part(w, kernel)->need;
	begin_part(w, kernel, part, w->now);
	walk_part_targets(w, kernel, &before);
}

void walk_end_job(struct walk *w, uint32_t kernel, int64_t cycle)
{
	struct kernel_walk *k = &w->kernel[kernel];
	k->active = false;
	k->finished++;
	k->last_end = cycle;
	check_start(w, kernel);
	if (w->with_blocks)
		law_equal(w, LAW_BLOCKS, "job", walk_name_block(w, kernel, k->job.seq, -1), "finish (ns)",
			k->job.finish, ns(w, cycle));
	if (w->with_blocks)
		check_span_of_part(w, kernel, true, ns(w, cycle));
	else
		check_spans_of_job(w, kernel, true, ns(w, cycle));
	go_to(w, kernel, 0);
}

void walk_end_jobs(struct walk *w)
{
	for (uint32_t i = 0; i < w->d->kernels; i++) {
		struct kernel_walk *k = &w->kernel[i];
		bool done = w->with_blocks ? k->ended >= walk_part(w, i)->blocks : k->job_end <= w->now;
		if (!k->active || !done)
			continue;
		if (w->with_blocks && k->at + 1 < w->d->kernel[i].parts) {
			check_span_of_part(w, i, true, ns(w, w->now));
			go_to(w, i, k->at + 1);
		} else {
			walk_end_job(w, i, w->now);
		}
	}
}

int64_t walk_next_job_end(const struct walk *w)
{
	int64_t next = NEVER;
	for (uint32_t i = 0; i < w->d->kernels; i++) {
		const struct kernel_walk *k = &w->kernel[i];
		if (k->active && k->job_end < next)
			next = k->job_end;
	}
	return next;
}

/* Jobs that were released and never taken must have rows that say so; there are no rows after them. */
static void check_rest(struct walk *w, uint32_t kernel)
{
	struct kernel_walk *k = &w->kernel[kernel];
	while (is_pending(w, kernel) && !w->failed) {
		read_job(w, kernel, release_of_next(w, kernel));
		law_held(w, LAW_STREAMS, 1);
		if (k->job.first_start != NOT_GIVEN || k->job.finish != NOT_GIVEN)
			law_wrong(w, LAW_STREAMS, "job",
				"kernel '%s', job %lld: its stream never came to it, and yet it started",
				kernel_name(w, kernel), (long long)k->job.seq);
		k->taken_jobs++;
	}
	if (walk_read_job(w, kernel))
		law_wrong(w, LAW_LAUNCHES, "job", "kernel '%s': job %lld, released at %s, was never due",
			kernel_name(w, kernel), (long long)k->job.seq, when(w->audit, k->job.release));
	struct interval row;
	if (w->with_spans && walk_read_span(w, kernel, &row))
		law_wrong(w, LAW_SPANS, "segment_interval",
			"kernel '%s', job %lld: this interval is no job's", kernel_name(w, kernel),
			(long long)row.seq);
}

void walk_end_of_jobs(struct walk *w)
{
	for (uint32_t i = 0; i < w->d->kernels && !w->failed; i++) {
		struct kernel_walk *k = &w->kernel[i];
		if (k->active) {
			check_start(w, i);
			if (k->job.finish != NOT_GIVEN)
				law_wrong(w, LAW_STREAMS, "job",
					"kernel '%s', job %lld: it is said to have ended at %s, and did not",
					kernel_name(w, i), (long long)k->job.seq,
					when(w->audit, k->job.finish));
			if (w->with_blocks)
				check_span_of_part(w, i, false, w->r->stop_ns);
			else
				check_spans_of_job(w, i, false, w->r->stop_ns);
		}
		check_rest(w, i);
		free(k->seen);
		k->seen = NULL;
	}
}
