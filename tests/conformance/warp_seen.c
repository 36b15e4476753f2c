/* tests/conformance/warp_seen.c - what a run of warps told, put in order: programs without loops, jobs, stays
 * of blocks, warps with their instructions, and which epoch swapped out which block. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/conformance/warp_laws.h"

static void *alloc(struct warp_seen *s, size_t count, size_t size)
{
	void *memory = arena_alloc(&s->arena, count, size);
	if (!memory)
		abort();
	return memory;
}

static void stray(struct warp_seen *s, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void stray(struct warp_seen *s, const char *fmt, ...)
{
	va_list args;
	if (s->stray[0])
		return;
	va_start(args, fmt);
	vsnprintf(s->stray, sizeof(s->stray), fmt, args);
	va_end(args);
}

/* ---- programs ---- */

/* Steps from .. to of a kernel, `n` instructions before; into `to_fill` unless it is NULL. Returns the
 * length. */
static uint32_t unroll(
	const struct warp_kernel *k, uint32_t from, uint32_t to, uint32_t n, struct warp_instruction *fill)
{
	for (uint32_t i = from; i < to; i += 1 + (k->steps[i].kind == STEP_LOOP ? k->steps[i].body : 0)) {
		const struct warp_step *step = &k->steps[i];
		for (uint32_t c = 0; c < step->count; c++) {
			if (step->kind == STEP_LOOP) {
				n = unroll(k, i + 1, i + 1 + step->body, n, fill);
				continue;
			}
			if (fill)
				fill[n] = (struct warp_instruction){
					.step = step,
					.index = (uint16_t)i,
					.distance = c == 0 ? step->first : step->distance,
				};
			n++;
		}
	}
	return n;
}

static void make_programs(struct warp_seen *s)
{
	for (uint32_t i = 0; i < s->scene->warps.kernel_count; i++) {
		const struct warp_kernel *k = &s->scene->kernel[i];
		s->length[i] = unroll(k, 0, k->step_count, 0, NULL);
		s->program[i] = alloc(s, s->length[i], sizeof(struct warp_instruction));
		unroll(k, 0, k->step_count, 0, s->program[i]);
		s->warps[i] = (k->block_threads + WARP_THREADS - 1) / WARP_THREADS;
	}
}

/* ---- jobs ---- */

struct warp_job *warp_seen_job(const struct warp_seen *s, uint32_t kernel, uint32_t number)
{
	if (kernel >= s->scene->warps.kernel_count || number >= s->job_base[kernel + 1] - s->job_base[kernel])
		return NULL;
	return &s->jobs[s->job_base[kernel] + number];
}

static void make_jobs(struct warp_seen *s)
{
	uint32_t kernels = s->scene->warps.kernel_count, released[WARP_KERNELS_MAX] = {0};
	for (size_t i = 0; i < s->run->records_count; i++)
		if (s->run->records[i].kind == TRACE_JOB_RELEASE && s->run->records[i].task < kernels)
			released[s->run->records[i].task]++;
	for (uint32_t k = 0; k < kernels; k++)
		s->job_base[k + 1] = s->job_base[k] + released[k];
	s->job_count = s->job_base[kernels];
	s->jobs = alloc(s, s->job_count, sizeof(struct warp_job));
	for (uint32_t k = 0; k < kernels; k++)
		for (uint32_t j = 0; j < released[k]; j++)
			s->jobs[s->job_base[k] + j] = (struct warp_job){
				.kernel = k,
				.number = j,
				.release = -1,
				.active = WARP_NEVER,
				.first_start = -1,
				.end = s->run->cycles,
			};
	for (size_t i = 0; i < s->run->records_count; i++) {
		const struct trace_record *r = &s->run->records[i];
		struct warp_job *job = warp_seen_job(s, r->task, r->job);
		if (!job)
			stray(s, "record %zu is of job %u of kernel %u, which was not released", i, r->job,
				r->task);
		else if (r->kind == TRACE_JOB_RELEASE)
			job->release = r->time;
		else if (r->kind == TRACE_JOB_END) {
			job->ends++;
			job->finished = r->how == JOB_FINISHED;
			job->end = r->time;
			job->first_start = r->ready;
		}
	}
}

static uint32_t stream_of(const struct warp_seen *s, uint32_t kernel)
{
	int32_t stream = s->scene->kernel[kernel].stream;
	return stream == STREAM_OWN ? kernel : (uint32_t)stream;
}

static bool taken_before(const struct warp_job *a, const struct warp_job *b)
{
	if (a->release != b->release)
		return a->release < b->release;
	return a->kernel != b->kernel ? a->kernel < b->kernel : a->number < b->number;
}

/* A stream takes its jobs in the order of their releases, each when the last one has ended. */
static void take_jobs(struct warp_seen *s)
{
	for (uint32_t i = 0; i < s->job_count; i++) {
		struct warp_job *job = &s->jobs[i];
		int64_t free = 0;
		for (uint32_t j = 0; j < s->job_count; j++) {
			const struct warp_job *other = &s->jobs[j];
			if (i == j || stream_of(s, other->kernel) != stream_of(s, job->kernel) ||
				!taken_before(other, job))
				continue;
			int64_t over = other->finished ? other->end : WARP_NEVER;
			free = over > free ? over : free;
		}
		int64_t at = free > job->release ? free : job->release;
		job->active = at < s->run->cycles ? at : WARP_NEVER;
	}
}

/* ---- blocks ---- */

static void start_stay(struct warp_seen *s, const struct trace_record *r, size_t record, uint64_t taken[])
{
	struct warp_stay *stay = &s->stays[s->stay_count++];
	*stay = (struct warp_stay){
		.kernel = r->task,
		.job = r->job,
		.block = r->block,
		.sm = r->index,
		.record = record,
		.start = r->time,
		.end = s->run->cycles,
		.leave = WARP_NEVER,
		.through = WARP_NEVER,
		.there = r->time,
		.arrival = taken[r->index],
	};
	taken[r->index] += s->warps[r->task];
	for (size_t i = 0; i + 1 < s->stay_count; i++) {
		const struct warp_stay *other = &s->stays[i];
		stay->again |= other->kernel == r->task && other->job == r->job && other->block == r->block;
	}
}

static void end_stay(struct warp_seen *s, const struct trace_record *r)
{
	for (size_t i = s->stay_count; i-- > 0;) {
		struct warp_stay *stay = &s->stays[i];
		if (stay->kernel != r->task || stay->job != r->job || stay->block != r->block || stay->ended)
			continue;
		stay->ended = true;
		stay->end = r->time;
		stay->how = (enum span_end)r->how;
		if (stay->sm != r->index || stay->start != r->start)
			stray(s, "the end of block %u of kernel %u at %lld is not of its start", r->block,
				r->task, (long long)r->time);
		return;
	}
	stray(s, "block %u of kernel %u ends at %lld, but has not started", r->block, r->task,
		(long long)r->time);
}

static void make_stays(struct warp_seen *s)
{
	uint64_t *taken = alloc(s, s->scene->platform.sms, sizeof(*taken));
	s->stays = alloc(s, s->run->records_count, sizeof(struct warp_stay));
	for (size_t i = 0; i < s->run->records_count; i++) {
		const struct trace_record *r = &s->run->records[i];
		bool block = r->kind == TRACE_BLOCKS_START || r->kind == TRACE_BLOCKS_END;
		if (!block || !warp_seen_job(s, r->task, r->job))
			continue;
		if (r->index >= s->scene->platform.sms || r->block >= s->scene->kernel[r->task].blocks)
			stray(s, "record %zu has no such SM or block", i);
		else if (r->kind == TRACE_BLOCKS_START)
			start_stay(s, r, i, taken);
		else
			end_stay(s, r);
	}
}

/* ---- which epoch swapped out which block ---- */

/* The next block of a kernel whose context was saved, by the order in which they were through. */
static struct warp_stay *next_saved(struct warp_seen *s, uint32_t kernel)
{
	struct warp_stay *first = NULL;
	for (size_t i = 0; i < s->stay_count; i++) {
		struct warp_stay *stay = &s->stays[i];
		if (stay->kernel == kernel && stay->how == SPAN_PREEMPTED && stay->leave == WARP_NEVER &&
			(!first || stay->end < first->end))
			first = stay;
	}
	return first;
}

static void match_swaps(struct warp_seen *s)
{
	s->cut = WARP_NEVER;
	for (size_t i = 0; i < s->run->epochs_count; i++) {
		const struct warp_epoch *row = &s->run->epochs[i];
		for (uint32_t n = 0; n < row->swaps; n++) {
			struct warp_stay *stay = next_saved(s, row->kernel);
			s->swaps++;
			if (stay)
				stay->leave = row->start;
			else if (row->start < s->cut)
				s->cut = row->start;
		}
	}
}

/* ---- warps ---- */

struct warp_life *warp_seen_life(
	const struct warp_seen *s, uint32_t kernel, uint32_t job, uint32_t block, uint32_t warp)
{
	if (!warp_seen_job(s, kernel, job) || block >= s->scene->kernel[kernel].blocks ||
		warp >= s->warps[kernel])
		return NULL;
	size_t index = ((size_t)job * s->scene->kernel[kernel].blocks + block) * s->warps[kernel] + warp;
	return &s->lives[s->life_base[kernel] + index];
}

static void make_lives(struct warp_seen *s)
{
	for (uint32_t k = 0; k < s->scene->warps.kernel_count; k++) {
		s->life_base[k] = s->life_count;
		s->life_count += (size_t)(s->job_base[k + 1] - s->job_base[k]) * s->scene->kernel[k].blocks *
				 s->warps[k];
	}
	s->lives = alloc(s, s->life_count, sizeof(struct warp_life));
	for (uint32_t k = 0; k < s->scene->warps.kernel_count; k++) {
		size_t end = k + 1 < s->scene->warps.kernel_count ? s->life_base[k + 1] : s->life_count;
		uint32_t blocks = s->scene->kernel[k].blocks, warps = s->warps[k];
		for (size_t i = s->life_base[k]; i < end; i++) {
			uint32_t n = (uint32_t)(i - s->life_base[k]), warp = n % warps;
			uint32_t rest = s->scene->kernel[k].block_threads - warp * WARP_THREADS;
			s->lives[i] = (struct warp_life){
				.kernel = k,
				.job = n / warps / blocks,
				.block = n / warps % blocks,
				.warp = warp,
				.threads = rest < WARP_THREADS ? rest : WARP_THREADS,
			};
		}
	}
}

static void give_rows(struct warp_seen *s)
{
	const struct warp_issue **next = alloc(s, s->run->issues_count, sizeof(struct warp_issue *));
	for (int fill = 0; fill < 2; fill++) {
		for (size_t i = 0; i < s->run->issues_count; i++) {
			const struct warp_issue *row = &s->run->issues[i];
			struct warp_life *life =
				warp_seen_life(s, row->kernel, row->job, row->block, row->warp);
			if (!life)
				stray(s, "instruction %zu is of no warp that there is", i);
			else if (fill)
				life->rows[life->count++] = row;
			else
				life->count++;
		}
		for (size_t i = 0; !fill && i < s->life_count; i++) {
			s->lives[i].rows = next;
			next += s->lives[i].count;
			s->lives[i].count = 0;
		}
	}
}

/* ---- epochs ---- */

const struct warp_epoch *warp_seen_epoch(const struct warp_seen *s, uint32_t epoch, uint32_t kernel)
{
	size_t at = (size_t)epoch * s->scene->warps.kernel_count + kernel;
	return at < s->run->epochs_count ? &s->run->epochs[at] : NULL;
}

const struct warp_epoch_quota *warp_seen_quota(
	const struct warp_seen *s, uint32_t epoch, uint32_t sm, uint32_t kernel)
{
	size_t at = ((size_t)epoch * s->scene->platform.sms + sm) * s->scene->warps.kernel_count + kernel;
	return at < s->run->quotas_count ? &s->run->quotas[at] : NULL;
}

static void make_epochs(struct warp_seen *s)
{
	uint32_t kernels = s->scene->warps.kernel_count;
	s->epochs = (uint32_t)(s->run->epochs_count / kernels);
	s->epoch_starts = alloc(s, s->epochs + 1, sizeof(int64_t));
	for (uint32_t e = 0; e < s->epochs; e++)
		s->epoch_starts[e] = s->run->epochs[(size_t)e * kernels].start;
	s->epoch_starts[s->epochs] = s->run->cycles;
}

bool warp_seen_has_quotas(const struct warp_seen *s)
{
	return s->scene->options.manager != MANAGER_SMK && s->scene->options.manager != MANAGER_SPART;
}

uint32_t warp_seen_goals(const struct warp_seen *s)
{
	uint32_t set = 0;
	for (uint32_t k = 0; k < s->scene->warps.kernel_count; k++)
		set |= (s->scene->kernel[k].goal.kind != GOAL_NONE ? UINT32_C(1) : 0) << k;
	return set;
}

bool warp_seen_is_last(const struct warp_seen *s, const struct warp_issue *row)
{
	return row->number + 1 == s->length[row->kernel];
}

int64_t warp_seen_context(const struct warp_seen *s, uint32_t kernel)
{
	const struct warp_kernel *k = &s->scene->kernel[kernel];
	if (s->scene->options.free_swaps)
		return 0;
	return 4 * k->registers * s->warps[kernel] * WARP_THREADS + k->shared_memory;
}

/* ---- all of it ---- */

void warp_seen_arrange(struct warp_seen *s, struct warp_run *run)
{
	memset(s, 0, sizeof(*s));
	s->run = run;
	s->scene = run->scene;
	make_programs(s);
	make_jobs(s);
	take_jobs(s);
	make_stays(s);
	make_epochs(s);
	match_swaps(s);
	make_lives(s);
	give_rows(s);
	s->results = alloc(s, run->issues_count, sizeof(int64_t));
	warp_seen_serve(s);
	warp_seen_replay(s);
}

void warp_seen_finish(struct warp_seen *s)
{
	arena_finish(&s->arena);
	warp_run_free(s->run);
}
