/* models/warps/blocks.c - see models/warps/blocks.h: footprints, pools, and the instants at which blocks end
 * or are saved or loaded. */
#include "models/warps/blocks.h"

#include <assert.h>

#include "base/checked.h"
#include "base/heap.h"
#include "models/warps/issue.h"
#include "models/warps/launches.h"
#include "models/warps/placing.h"
#include "models/warps/sub_core.h"

/* ---- What a block takes ---- */

struct footprint block_footprint(const struct warp_kernel *k)
{
	uint32_t warps = warp_block_warps(k);
	struct footprint f = {
		.warps = warps, .threads = warps * WARP_THREADS, .shared_memory = k->shared_memory};
	f.registers = k->registers * f.threads;
	f.context_bytes = 4 * f.registers + f.shared_memory;
	return f;
}

static uint32_t least(uint32_t blocks, int64_t resource, int64_t need, uint32_t n)
{
	if (need == 0 || resource == 0)
		return blocks;
	int64_t fit = resource / n / need;
	return fit < blocks ? (uint32_t)fit : blocks;
}

uint32_t blocks_fit(const struct platform *p, const struct footprint *f, uint32_t n)
{
	uint32_t blocks = WARPS_PER_SM_MAX / n / f->warps;
	blocks = least(blocks, p->threads_per_sm, f->threads, n);
	blocks = least(blocks, p->warps_per_sm, f->warps, n);
	blocks = least(blocks, p->blocks_per_sm, 1, n);
	blocks = least(blocks, p->registers_per_sm, f->registers, n);
	return least(blocks, p->shared_memory_per_sm, f->shared_memory, n);
}

/* ---- Pools ---- */

/* The blocks of all parts that have as many warps per block as this one, the first of them: two parts are
 * never on the GPU at a time. Returns how many may be needed. */
static size_t pool_size(
	const struct warp_simulation *w, struct engine_kernel *k, uint32_t first, bool *reuses)
{
	uint32_t most = 0;
	*reuses = false;
	for (uint32_t i = first; i < warp_parts(k->spec); i++) {
		struct engine_part *part = &k->parts[i];
		if (part->warps_per_block != k->parts[first].warps_per_block)
			continue;
		uint32_t fit = blocks_fit(w->platform, &part->footprint, 1);
		most = fit > most ? fit : most;
		*reuses |= part->reuses;
		part->pool_of = first;
	}
	return (size_t)w->sm_count * most;
}

static bool is_first(const struct engine_kernel *k, uint32_t part)
{
	for (uint32_t i = 0; i < part; i++)
		if (k->parts[i].warps_per_block == k->parts[part].warps_per_block)
			return false;
	return true;
}

static bool pool_init(struct warp_simulation *w, struct engine_kernel *k, uint32_t first, size_t *instants)
{
	bool reuses;
	size_t count = pool_size(w, k, first, &reuses), each = k->parts[first].warps_per_block;
	struct engine_block *blocks = arena_new(&w->arena, struct engine_block, count);
	struct warp *warps = arena_new(&w->arena, struct warp, count * each);
	struct loads *loads = reuses ? arena_new(&w->arena, struct loads, count * each) : NULL;
	if (!blocks || !warps || (reuses && !loads))
		return false;
	for (size_t i = 0; i < count; i++) {
		blocks[i].warps = &warps[i * each];
		blocks[i].loads = loads ? &loads[i * each] : NULL;
		blocks[i].next = i + 1 < count ? &blocks[i + 1] : NULL;
	}
	k->parts[first].free_blocks = count ? blocks : NULL;
	/* A block of the pool has at most one valid instant, and one that is no longer valid. */
	*instants += 2 * count;
	return true;
}

bool blocks_init(struct warp_simulation *w)
{
	size_t instants = 1;
	for (uint32_t i = 0; i < w->kernel_count; i++) {
		struct engine_kernel *k = &w->kernels[i];
		k->swapped_tail = &k->swapped;
		for (uint32_t part = 0; part < warp_parts(k->spec); part++)
			if (is_first(k, part) && !pool_init(w, k, part, &instants))
				return false;
		k->part = k->parts[0];
	}
	w->instants = arena_new(&w->arena, struct instant, instants);
	return w->instants != NULL;
}

/* ---- Instants: a heap by (cycle, order of entering) ---- */

static bool before(const struct instant *a, const struct instant *b)
{
	return a->cycle < b->cycle || (a->cycle == b->cycle && a->order < b->order);
}

HEAP_OF(instants, struct instant, before);

void blocks_at(struct warp_simulation *w, struct engine_block *b, int64_t cycle)
{
	const struct instant added = {.cycle = cycle, .order = ++w->instant_order, .block = b};
	b->event = added.order;
	instants_rise(w->instants, w->instant_count++, added);
}

static struct instant take_first(struct warp_simulation *w)
{
	struct instant first = w->instants[0];
	w->instant_count--;
	instants_sink(w->instants, w->instant_count, w->instants[w->instant_count]);
	return first;
}

void block_warp_ended(struct warp_simulation *w, struct engine_block *b, int64_t end)
{
	if (end > b->end)
		b->end = end;
	assert(b->issuing > 1 || !w->ahead.on);
	if (--b->issuing == 0)
		blocks_at(w, b, b->end);
}

/* ---- Ends ---- */

static void block_ended(struct warp_simulation *w, struct engine_block *b)
{
	struct engine_kernel *k = &w->kernels[b->kernel];
	placing_leave(w, b, SPAN_DONE);
	b->state = BLOCK_FREE;
	b->next = k->parts[k->part.pool_of].free_blocks;
	k->parts[k->part.pool_of].free_blocks = b;
	if (w->ends)
		w->ends[w->end_count++] = (struct block_end){b->kernel, b->number};
	else if (++k->ended_blocks == k->part.spec->blocks)
		launches_part_ended(w, b->kernel);
}

static void context_saved(struct warp_simulation *w, struct engine_block *b)
{
	struct engine_kernel *k = &w->kernels[b->kernel];
	w->sms[b->sm].swapping--;
	placing_tell_end(w, b, SPAN_PREEMPTED);
	placing_free(w, b);
	b->state = BLOCK_SWAPPED;
	b->next = NULL;
	*k->swapped_tail = b;
	k->swapped_tail = &b->next;
}

void blocks_end_instants(struct warp_simulation *w)
{
	while (w->instant_count > 0 && w->instants[0].cycle <= w->now) {
		struct instant i = take_first(w);
		if (i.block->event != i.order)
			continue;
		i.block->event = 0;
		if (i.block->state == BLOCK_SAVING)
			context_saved(w, i.block);
		else if (i.block->state == BLOCK_LOADING)
			placing_context_there(w, i.block);
		else
			block_ended(w, i.block);
	}
}

bool blocks_left(const struct engine_kernel *k)
{
	return k->active && (k->swapped || k->next_block < k->part.spec->blocks);
}

/* ---- Swaps ---- */

void blocks_swap_beyond_target(struct warp_simulation *w, struct engine_sm *sm, uint32_t kernel)
{
	const struct sm_kernel *here = &sm->kernel[kernel];
	uint32_t beyond = here->blocks > here->target ? here->blocks - here->target : 0;
	/* Blocks are in order of arrival: of the kernel's blocks, those behind the first `keep` are
	 * beyond. */
	uint32_t keep = here->blocks - beyond;
	for (struct engine_block *b = sm->blocks, *next; b; b = next) {
		next = b->next;
		if (b->kernel != kernel || b->state == BLOCK_SAVING)
			continue;
		if (keep > 0)
			keep--;
		else if (b->issuing > 0)
			placing_swap_out(w, b);
	}
}

void blocks_quota_spent(struct warp_simulation *w, struct engine_sm *sm)
{
	uint32_t blocked = sm->quotas.blocked;
	quotas_settle(&sm->quotas, w->options.manager, w->goals, w->kernel_count);
	if (w->now < w->open_at)
		sm->quotas.blocked = UINT32_MAX;
	if (sm->quotas.blocked != blocked)
		issue_wake(w, sm);
}

void blocks_stop(struct warp_simulation *w)
{
	for (uint32_t i = 0; i < w->sm_count; i++)
		for (const struct engine_block *b = w->sms[i].blocks; b; b = b->next)
			placing_tell_end(w, b, SPAN_STOPPED);
}
