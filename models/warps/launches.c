/* models/warps/launches.c - see models/warps/launches.h. */
#include "models/warps/launches.h"

#include "sim/digest.h"

static uint32_t stream_of(const struct warp_simulation *w, uint32_t kernel)
{
	int32_t stream = w->kernels[kernel].spec->stream;
	return stream == STREAM_OWN ? kernel : (uint32_t)stream;
}

/* Release of a job: jobs are one period apart, or this is the last one that was released. */
static int64_t release_of(const struct engine_kernel *k, uint32_t job)
{
	return k->spec->repeat ? k->release : k->spec->launch + (int64_t)job * k->spec->period;
}

int64_t launches_release_cycle(const struct warp_simulation *w, uint32_t kernel)
{
	const struct engine_kernel *k = &w->kernels[kernel];
	return release_of(k, k->job);
}

static void find_next(struct warp_simulation *w)
{
	w->next_launch = NEVER;
	for (uint32_t i = 0; i < w->kernel_count; i++)
		if (w->kernels[i].next_launch < w->next_launch)
			w->next_launch = w->kernels[i].next_launch;
}

void launches_init(struct warp_simulation *w)
{
	for (uint32_t i = 0; i < w->kernel_count; i++) {
		struct engine_kernel *k = &w->kernels[i];
		bool launched = (w->only == ALL_KERNELS || w->only == i) && k->spec->launch < w->horizon;
		k->next_launch = launched ? k->spec->launch : NEVER;
		k->launched = k->idle_from = k->first_start = -1;
	}
	find_next(w);
}

/* ---- What observers see ---- */

static int64_t deadline_of(const struct warp_simulation *w, uint32_t kernel, int64_t release_ns)
{
	int64_t deadline = w->set->tasks[kernel].deadline_ns;
	return deadline ? release_ns + deadline : INT64_MAX;
}

static void tell_release(struct warp_simulation *w, uint32_t kernel, uint32_t job, int64_t release)
{
	if (!trace_wants(&w->trace, TRACE_JOB_RELEASE))
		return;
	struct trace_record *r = trace_emit(&w->trace);
	r->kind = TRACE_JOB_RELEASE;
	r->time = ns_of(w, release);
	r->task = kernel;
	r->job = job;
	r->start = deadline_of(w, kernel, r->time);
}

static void tell_end(struct warp_simulation *w, uint32_t kernel, uint32_t job, int64_t release,
	int64_t first_start, enum job_end how)
{
	int64_t release_ns = ns_of(w, release), now_ns = ns_of(w, w->now);
	int64_t deadline = deadline_of(w, kernel, release_ns);
	w->jobs++;
	bool missed = how == JOB_FINISHED ? now_ns > deadline : deadline <= now_ns;
	int64_t first_start_ns = first_start < 0 ? -1 : ns_of(w, first_start);
	w->misses += missed;
	const struct digested_job digested = {kernel, job, release_ns, deadline == INT64_MAX ? -1 : deadline,
		first_start_ns, how == JOB_UNFINISHED ? -1 : now_ns, (uint32_t)how + (missed ? 4 : 0)};
	w->jobs_digest += digest_of_job(&digested);
	if (!trace_wants(&w->trace, TRACE_JOB_END))
		return;
	struct trace_record *r = trace_emit(&w->trace);
	r->kind = TRACE_JOB_END;
	r->time = now_ns;
	r->task = kernel;
	r->job = job;
	r->how = (uint8_t)how;
	r->start = release_ns;
	r->ready = first_start_ns;
	r->value = deadline;
}

static void tell_part(struct warp_simulation *w, uint32_t kernel, enum span_end how)
{
	const struct engine_kernel *k = &w->kernels[kernel];
	if (!trace_wants(&w->trace, TRACE_SPAN) || k->part_start < 0)
		return;
	struct trace_record *r = trace_emit(&w->trace);
	r->kind = TRACE_SPAN;
	r->time = ns_of(w, w->now);
	r->start = ns_of(w, k->part_start);
	r->ready = ns_of(w, k->part_ready);
	r->task = kernel;
	r->job = k->job;
	r->segment = (uint16_t)k->at;
	r->resource = RESOURCE_GPU;
	r->span = SPAN_RUN;
	r->how = (uint8_t)how;
	r->value = k->ended_blocks;
}

/* ---- Releases and streams ---- */

static void release(struct warp_simulation *w, uint32_t kernel)
{
	struct engine_kernel *k = &w->kernels[kernel];
	k->release = k->next_launch;
	tell_release(w, kernel, k->released++, k->next_launch);
	k->next_launch = k->spec->period ? k->next_launch + k->spec->period : NEVER;
	if (k->next_launch >= w->horizon)
		k->next_launch = NEVER;
}

/* Whether the kernel has a job to start: no kernel of its stream has an active job, and none has a job that
 * was released earlier (or in the same cycle, by a lower kernel). */
static bool may_start(const struct warp_simulation *w, uint32_t kernel)
{
	const struct engine_kernel *k = &w->kernels[kernel];
	if (k->active || k->released == k->job)
		return false;
	for (uint32_t i = 0; i < w->kernel_count; i++) {
		const struct engine_kernel *other = &w->kernels[i];
		if (i == kernel || stream_of(w, i) != stream_of(w, kernel))
			continue;
		if (other->active)
			return false;
		if (other->released > other->job) {
			int64_t mine = release_of(k, k->job), theirs = release_of(other, other->job);
			if (theirs < mine || (theirs == mine && i < kernel))
				return false;
		}
	}
	return true;
}

static void begin_part(struct engine_kernel *k, int64_t ready)
{
	k->part_ready = ready;
	k->part_start = -1;
	k->next_block = k->ended_blocks = 0;
	k->part.pool.left = k->part.pool.size;
}

static bool start(struct warp_simulation *w, uint32_t kernel)
{
	struct engine_kernel *k = &w->kernels[kernel];
	bool anew = k->idle_from < w->now;
	k->active = true;
	k->first_start = -1;
	begin_part(k, release_of(k, k->job));
	if (anew)
		k->active_since = w->now;
	if (k->launched < 0)
		k->launched = w->now;
	w->place = true;
	return anew;
}

bool launches_release(struct warp_simulation *w)
{
	bool anew = false;
	for (uint32_t i = 0; i < w->kernel_count; i++)
		if (w->kernels[i].next_launch <= w->now)
			release(w, i);
	for (uint32_t i = 0; i < w->kernel_count; i++)
		if (may_start(w, i))
			anew = start(w, i) || anew;
	find_next(w);
	return anew;
}

void launches_block_placed(struct warp_simulation *w, uint32_t kernel)
{
	struct engine_kernel *k = &w->kernels[kernel];
	if (k->first_start < 0)
		k->first_start = w->now;
	if (k->part_start < 0)
		k->part_start = w->now;
}

void launches_part_begins(struct warp_simulation *w, uint32_t kernel)
{
	begin_part(&w->kernels[kernel], w->now);
}

static void job_ended(struct warp_simulation *w, uint32_t kernel)
{
	struct engine_kernel *k = &w->kernels[kernel];
	tell_end(w, kernel, k->job, release_of(k, k->job), k->first_start, JOB_FINISHED);
	k->active = false;
	k->idle_from = w->now;
	k->job++;
	if (k->spec->repeat && w->now < w->horizon)
		k->next_launch = w->now;
	/* A stream has become free: phase 2 of this cycle must run. */
	w->next_launch = w->now;
}

void launches_part_ended(struct warp_simulation *w, uint32_t kernel)
{
	const struct engine_kernel *k = &w->kernels[kernel];
	uint32_t parts = warp_parts(k->spec);
	tell_part(w, kernel, SPAN_DONE);
	if (k->at + 1 == parts)
		job_ended(w, kernel);
	if (parts > 1)
		w->parts_over |= UINT32_C(1) << kernel;
}

bool launches_over(const struct warp_simulation *w)
{
	for (uint32_t i = 0; i < w->kernel_count; i++) {
		const struct engine_kernel *k = &w->kernels[i];
		if (k->active || k->released > k->job || k->next_launch != NEVER)
			return false;
	}
	return true;
}

void launches_stop(struct warp_simulation *w)
{
	for (uint32_t i = 0; i < w->kernel_count; i++) {
		struct engine_kernel *k = &w->kernels[i];
		if (k->active)
			tell_part(w, i, SPAN_STOPPED);
		for (uint32_t job = k->job; job < k->released; job++) {
			bool active = k->active && job == k->job;
			w->truncated = true;
			tell_end(w, i, job, release_of(k, job), active ? k->first_start : -1, JOB_UNFINISHED);
		}
	}
}
