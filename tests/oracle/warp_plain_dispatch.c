/* tests/oracle/warp_plain_dispatch.c - phase 3, and how many blocks of a kernel an SM may have at the
 * beginning (docs/warps.md, SMs and blocks). */
#include <assert.h>

#include "tests/oracle/warp_plain_internal.h"

#define RESOURCES 5

struct plain_need plain_need_of(const struct plain *p, uint32_t kernel)
{
	const struct warp_kernel *k = plain_part_now(p, kernel)->described;
	int64_t warps = plain_part_now(p, kernel)->warps;
	return (struct plain_need){
		{warps * WARP_THREADS, warps, 1, k->registers * warps * WARP_THREADS, k->shared_memory}};
}

struct plain_need plain_capacity(const struct plain *p)
{
	const struct platform *f = p->in->platform;
	struct plain_need room = {{f->threads_per_sm, f->warps_per_sm, f->blocks_per_sm, f->registers_per_sm,
		f->shared_memory_per_sm}};
	for (int i = 0; i < RESOURCES; i++) {
		if (room.amount[i] == 0)
			room.amount[i] = -1;
	}
	if (room.amount[1] < 0 || room.amount[1] > WARPS_PER_SM_MAX)
		room.amount[1] = WARPS_PER_SM_MAX;
	return room;
}

/* How many blocks fit into one of `parts` parts of an SM. The limit of warps always applies. */
int64_t plain_fit(const struct plain *p, uint32_t kernel, int64_t parts)
{
	struct plain_need need = plain_need_of(p, kernel), room = plain_capacity(p);
	int64_t fit = WARPS_PER_SM_MAX;
	for (int i = 0; i < RESOURCES; i++) {
		if (room.amount[i] < 0 || need.amount[i] == 0)
			continue;
		int64_t blocks = room.amount[i] / parts / need.amount[i];
		if (blocks < fit)
			fit = blocks;
	}
	return fit;
}

/* Where there are goals, the kernels without one divide the SMs: may the i-th of n use this SM? */
static bool may_use(const struct plain *p, uint32_t kernel, uint32_t sm)
{
	uint32_t n = 0, i = 0;
	for (uint32_t k = 0; k < p->kernels; k++) {
		if (p->kernel[k].goal >= 0)
			continue;
		if (k < kernel)
			i++;
		n++;
	}
	if (p->kernel[kernel].goal >= 0 || n == p->kernels)
		return true;
	uint32_t from = i * p->sms / n, to = (i + 1) * p->sms / n;
	return from < to ? sm >= from && sm < to : sm == i % p->sms;
}

/* For the blocks of the part that the kernel is at. */
static void set_target(struct plain *p, uint32_t sm, uint32_t kernel)
{
	int64_t users = 0;
	for (uint32_t k = 0; k < p->kernels; k++)
		users += may_use(p, k, sm);
	/* A kernel that runs alone has every SM to itself. */
	if (p->in->only != PLAIN_ALL)
		users = 1;
	int64_t fit = users > 0 ? plain_fit(p, kernel, users) : 0;
	p->sm[sm].target[kernel] = !may_use(p, kernel, sm) ? 0 : fit > 1 ? fit : 1;
	if (p->options->blocks == BLOCKS_FILL)
		p->sm[sm].target[kernel] = -1;
}

void plain_first_targets(struct plain *p)
{
	for (uint32_t sm = 0; sm < p->sms; sm++) {
		for (uint32_t k = 0; k < p->kernels; k++)
			set_target(p, sm, k);
	}
}

void plain_part_targets(struct plain *p, uint32_t kernel, const struct plain_part *before)
{
	const struct plain_part *now = plain_part_now(p, kernel);
	bool other = now->warps != before->warps ||
		     now->described->registers != before->described->registers ||
		     now->described->shared_memory != before->described->shared_memory;
	p->out->counts.parts_anew += other;
	if (p->manager == MANAGER_SPART) {
		plain_spart_part(p);
		return;
	}
	for (uint32_t sm = 0; sm < p->sms && other; sm++) {
		int64_t old = p->sm[sm].target[kernel];
		set_target(p, sm, kernel);
		p->out->counts.targets_anew += p->sm[sm].target[kernel] != old;
	}
}

uint32_t plain_blocks_on(const struct plain *p, uint32_t sm, uint32_t kernel)
{
	uint32_t blocks = 0;
	for (uint32_t i = 0; i < p->sm[sm].count; i++) {
		const struct plain_block *b = p->sm[sm].blocks[i];
		blocks += b->job->kernel == kernel && b->place != PLACE_SAVING;
	}
	return blocks;
}

static bool has_room(const struct plain *p, uint32_t sm, uint32_t kernel)
{
	struct plain_need sum = plain_need_of(p, kernel), room = plain_capacity(p);
	for (uint32_t i = 0; i < p->sm[sm].count; i++) {
		struct plain_need need = plain_need_of(p, p->sm[sm].blocks[i]->job->kernel);
		for (int r = 0; r < RESOURCES; r++)
			sum.amount[r] += need.amount[r];
	}
	for (int r = 0; r < RESOURCES; r++) {
		if (room.amount[r] >= 0 && sum.amount[r] > room.amount[r])
			return false;
	}
	return true;
}

/* Swapped-out blocks go first, in the order in which they were swapped out. */
struct plain_block *plain_next_block(const struct plain *p, const struct plain_job *job)
{
	struct plain_block *first = NULL;
	for (uint32_t i = 0; i < plain_part_of(p, job)->described->blocks; i++) {
		struct plain_block *b = &job->blocks[i];
		if (b->place == PLACE_AWAY && (!first || b->swap < first->swap))
			first = b;
	}
	if (!first && job->next_new < plain_part_of(p, job)->described->blocks)
		first = &job->blocks[job->next_new];
	return first;
}

struct plain_job *plain_active_job(const struct plain *p, uint32_t kernel)
{
	for (size_t i = 0; i < p->jobs.count; i++) {
		if (p->jobs.row[i]->kernel == kernel && p->jobs.row[i]->active)
			return p->jobs.row[i];
	}
	return NULL;
}

static void take_warps(struct plain *p, struct plain_block *b)
{
	struct plain_sm *sm = &p->sm[b->sm];
	assert(sm->count < WARPS_PER_SM_MAX);
	sm->blocks[sm->count++] = b;
	for (uint32_t w = 0; w < plain_part_of(p, b->job)->warps; w++) {
		b->warps[w].age = sm->taken++;
		b->warps[w].remembered.count = 0;
		b->warps[w].sub_core = (uint32_t)(b->warps[w].age % p->machine->sub_cores);
	}
}

void plain_place(struct plain *p, struct plain_block *b, uint32_t sm)
{
	bool comes_back = b->place == PLACE_AWAY;
	p->out->counts.swapped_in += comes_back;
	p->out->counts.moved += comes_back && b->sm != sm;
	b->sm = sm;
	b->start = p->c;
	if (b->job->first < 0)
		b->job->first = p->c;
	if (b->job->part_first < 0)
		b->job->part_first = p->c;
	b->through = comes_back ? plain_context_through(p, b->job->kernel) : p->c;
	b->place = b->through > p->c ? PLACE_LOADING : PLACE_ON;
	take_warps(p, b);
	if (!comes_back)
		b->job->next_new++;
}

/* Finds the SM for a block of the kernel, or NOBODY. */
static int find_sm(const struct plain *p, uint32_t kernel)
{
	int best = NOBODY;
	for (uint32_t sm = 0; sm < p->sms; sm++) {
		int64_t has = plain_blocks_on(p, sm, kernel), target = p->sm[sm].target[kernel];
		if ((target >= 0 && has >= target) || !has_room(p, sm, kernel))
			continue;
		if (best == NOBODY || has < plain_blocks_on(p, (uint32_t)best, kernel))
			best = (int)sm;
	}
	return best;
}

/* Places the job's blocks. False: a block is left that found no place. */
static bool serve(struct plain *p, struct plain_job *job)
{
	for (struct plain_block *b = plain_next_block(p, job); b; b = plain_next_block(p, job)) {
		int sm = find_sm(p, job->kernel);
		if (sm == NOBODY)
			return false;
		plain_place(p, b, (uint32_t)sm);
	}
	return true;
}

static bool goes_before(const struct plain *p, const struct plain_job *a, const struct plain_job *b)
{
	bool a_high = plain_described(p, a->kernel)->stream_high;
	bool b_high = plain_described(p, b->kernel)->stream_high;
	if (a_high != b_high)
		return a_high;
	return a->release != b->release ? a->release < b->release : a->kernel < b->kernel;
}

void plain_phase_dispatch(struct plain *p)
{
	bool served[WARP_KERNELS_MAX] = {false}; /* a kernel has at most one active job */
	for (;;) {
		struct plain_job *next = NULL;
		for (uint32_t k = 0; k < p->kernels; k++) {
			struct plain_job *job = served[k] ? NULL : plain_active_job(p, k);
			if (job && plain_next_block(p, job) && (!next || goes_before(p, job, next)))
				next = job;
		}
		if (!next)
			return;
		served[next->kernel] = true;
		if (!serve(p, next) && p->options->blocks == BLOCKS_FILL)
			return;
	}
}

void plain_leave_sm(struct plain *p, struct plain_block *b, enum plain_how how)
{
	struct plain_sm *sm = &p->sm[b->sm];
	uint32_t kept = 0;
	for (uint32_t i = 0; i < sm->count; i++) {
		if (sm->blocks[i] != b)
			sm->blocks[kept++] = sm->blocks[i];
	}
	assert(kept + 1 == sm->count);
	sm->count = kept;
	PLAIN_ADD(p->out->stays, (struct plain_stay){b->job->kernel, b->job->number, b->job->part, b->number,
					 b->sm, b->start, p->c, how});
}
