/* tests/oracle/warp_plain_launch.c - phases 1 and 2: results, ends, saved contexts; releases and streams; and
 * the end of the run (docs/warps.md, Time, Launches, Streams). */
#include <assert.h>
#include <stdlib.h>

#include "tests/oracle/warp_plain_internal.h"

/* ---- phase 1 ---- */

static void end_part(struct plain *p, struct plain_job *job, bool finished)
{
	const struct plain_part *part = plain_part_of(p, job);
	if (job->part_first >= 0)
		PLAIN_ADD(p->out->spans, (struct plain_span){job->kernel, job->number, job->part, job->ready,
						 job->part_first, p->c, job->ended, finished});
	for (uint32_t b = 0; job->blocks && b < part->described->blocks; b++) {
		for (uint32_t w = 0; w < part->warps; w++) {
			free(job->blocks[b].warps[w].result);
			free(job->blocks[b].warps[w].remembered.row);
		}
		free(job->blocks[b].warps);
	}
	free(job->blocks);
	job->blocks = NULL;
}

static void end_job(struct plain *p, size_t index, bool finished)
{
	struct plain_job *job = p->jobs.row[index];
	PLAIN_ADD(p->out->jobs,
		(struct plain_job_end){job->kernel, job->number, job->release, p->c, job->first, finished});
	end_part(p, job, finished);
	free(job);
	for (size_t i = index + 1; i < p->jobs.count; i++)
		p->jobs.row[i - 1] = p->jobs.row[i];
	p->jobs.count--;
}

/* Have all warps of the block that have not ended issued as many barriers as this one? */
static bool barrier_open(const struct plain *p, const struct plain_block *b, const struct plain_warp *w)
{
	for (uint32_t i = 0; i < plain_part_of(p, b->job)->warps; i++) {
		if (!b->warps[i].ended && b->warps[i].barriers < w->barriers)
			return false;
	}
	return true;
}

static void block_results(struct plain *p, struct plain_block *b)
{
	const struct plain_part *k = plain_part_of(p, b->job);
	bool all_ended = true;
	for (uint32_t i = 0; i < k->warps; i++) {
		struct plain_warp *w = &b->warps[i];
		if (w->at_barrier && barrier_open(p, b, w))
			w->at_barrier = false;
	}
	for (uint32_t i = 0; i < k->warps; i++) {
		struct plain_warp *w = &b->warps[i];
		if (plain_all_issued(k, w) && w->all_there <= p->c)
			w->ended = true;
		all_ended = all_ended && w->ended;
	}
	if (!all_ended)
		return;
	assert(b->place == PLACE_ON);
	plain_leave_sm(p, b, PLAIN_DONE);
	b->place = PLACE_ENDED;
	b->job->ended++;
}

static void job_results(struct plain *p, struct plain_job *job)
{
	for (uint32_t i = 0; job->blocks && i < plain_part_of(p, job)->described->blocks; i++) {
		struct plain_block *b = &job->blocks[i];
		if (b->place == PLACE_LOADING && b->through <= p->c)
			b->place = PLACE_ON;
		if (b->place != PLACE_NEW && b->place != PLACE_ENDED)
			block_results(p, b);
		if (b->place == PLACE_SAVING && b->through <= p->c) {
			plain_leave_sm(p, b, PLAIN_SWAPPED);
			b->place = PLACE_AWAY;
		}
	}
}

void plain_phase_ends(struct plain *p)
{
	for (size_t i = 0; i < p->jobs.count; i++)
		job_results(p, p->jobs.row[i]);
	size_t i = 0;
	while (i < p->jobs.count) {
		struct plain_job *job = p->jobs.row[i];
		uint32_t kernel = job->kernel;
		const struct plain_part *part = plain_part_of(p, job);
		if (job->ended < part->described->blocks) {
			i++;
			continue;
		}
		if (job->part + 1 < p->kernel[kernel].parts) {
			end_part(p, job, true);
			plain_begin_part(p, job, job->part + 1);
			plain_part_targets(p, kernel, part);
			i++;
			continue;
		}
		if (plain_described(p, kernel)->repeat)
			p->kernel[kernel].next_release = p->c;
		end_job(p, i, true);
		plain_part_targets(p, kernel, part);
	}
}

/* ---- the end ---- */

bool plain_is_over(const struct plain *p)
{
	if (p->in->setup->stop == STOP_HORIZON)
		return p->c >= p->horizon;
	bool left = p->jobs.count > 0;
	for (uint32_t k = 0; k < p->kernels; k++) {
		int64_t next = p->kernel[k].next_release;
		left = left || (next >= 0 && next < p->horizon);
	}
	return !left || p->c >= p->limit;
}

void plain_stop(struct plain *p)
{
	p->out->truncated = p->in->setup->stop == STOP_DRAINED && p->jobs.count > 0;
	for (uint32_t i = 0; i < p->sms; i++) {
		while (p->sm[i].count > 0)
			plain_leave_sm(p, p->sm[i].blocks[0], PLAIN_STOPPED);
	}
	while (p->jobs.count > 0)
		end_job(p, 0, false);
}

/* ---- phase 2 ---- */

/* Makes the blocks of a part, none of which has been placed. */
void plain_begin_part(struct plain *p, struct plain_job *job, uint32_t part)
{
	job->part = part;
	job->ready = part == 0 ? job->release : p->c;
	job->part_first = -1;
	job->ended = job->next_new = 0;
	const struct plain_part *of = plain_part_of(p, job);
	const struct warp_kernel *k = of->described;
	job->blocks = plain_room(NULL, k->blocks, sizeof(*job->blocks));
	for (uint32_t b = 0; b < k->blocks; b++) {
		struct plain_block *block = &job->blocks[b];
		*block = (struct plain_block){.job = job, .number = b, .place = PLACE_NEW, .rounds = 1};
		block->warps = plain_room(NULL, of->warps, sizeof(*block->warps));
		for (uint32_t w = 0; w < of->warps; w++) {
			block->warps[w] = (struct plain_warp){
				.threads = plain_threads_of_warp(k, w),
				.all_there = -1,
				.room = of->length,
				.rounds = 1,
				.issued_in = -1,
			};
			block->warps[w].result = plain_room(NULL, of->length, sizeof(int64_t));
		}
	}
	plain_fill_pool(p, job);
	p->out->counts.parts += part > 0;
}

struct plain_job *plain_new_job(struct plain *p, uint32_t kernel)
{
	struct plain_job *job = plain_room(NULL, 1, sizeof(*job));
	*job = (struct plain_job){.kernel = kernel,
		.number = p->kernel[kernel].released,
		.release = p->c,
		.first = -1,
		.part_first = -1};
	return job;
}

static void release(struct plain *p, uint32_t kernel)
{
	struct plain_kernel *k = &p->kernel[kernel];
	int64_t period = plain_described(p, kernel)->period;
	PLAIN_ADD(p->jobs, plain_new_job(p, kernel));
	k->released++;
	k->next_release = period > 0 ? p->c + period : -1;
}

/* By default the stream has the kernel's own index. */
static int64_t stream_of(const struct plain *p, uint32_t kernel)
{
	int32_t stream = plain_described(p, kernel)->stream;
	return stream == STREAM_OWN ? (int64_t)kernel : stream;
}

static bool stream_is_busy(const struct plain *p, uint32_t kernel)
{
	for (size_t i = 0; i < p->jobs.count; i++) {
		if (p->jobs.row[i]->active && stream_of(p, p->jobs.row[i]->kernel) == stream_of(p, kernel))
			return true;
	}
	return false;
}

/* The job released earlier goes first; ties go by kernel. A kernel releases at most one job per cycle. */
static bool goes_before(const struct plain_job *a, const struct plain_job *b)
{
	return a->release != b->release ? a->release < b->release : a->kernel < b->kernel;
}

/* The next job that a free stream takes: the first of those that wait. NULL: none waits for a free stream. */
static struct plain_job *next_to_take(const struct plain *p)
{
	struct plain_job *first = NULL;
	for (size_t i = 0; i < p->jobs.count; i++) {
		struct plain_job *job = p->jobs.row[i];
		if (!job->active && !stream_is_busy(p, job->kernel) && (!first || goes_before(job, first)))
			first = job;
	}
	return first;
}

void plain_phase_launches(struct plain *p)
{
	p->launched = false;
	for (uint32_t k = 0; k < p->kernels; k++) {
		if (p->kernel[k].next_release == p->c && p->c < p->horizon)
			release(p, k);
	}
	for (struct plain_job *job = next_to_take(p); job; job = next_to_take(p)) {
		struct plain_kernel *k = &p->kernel[job->kernel];
		job->active = true;
		plain_begin_part(p, job, 0);
		p->launched = p->launched || !k->had_job;
		p->out->counts.stream_waited += job->release < p->c;
		if (k->first_active < 0)
			k->first_active = p->c;
	}
	for (uint32_t k = 0; k < p->kernels; k++)
		p->kernel[k].had_job = plain_active_job(p, k) != NULL;
}
