/* models/warps/placing.c - see models/warps/placing.h; also phase 3, the dispatch of blocks. */
#include "models/warps/placing.h"

#include <assert.h>

#include "models/warps/blocks.h"
#include "models/warps/issue.h"
#include "models/warps/launches.h"
#include "models/warps/memory.h"
#include "models/warps/program.h"
#include "models/warps/sub_core.h"

/* ---- What observers see ---- */

static void tell(
	struct warp_simulation *w, const struct engine_block *b, enum trace_kind kind, enum span_end how)
{
	if (!trace_wants(&w->trace, kind))
		return;
	struct trace_record *r = trace_emit(&w->trace);
	r->kind = (uint8_t)kind;
	r->how = (uint8_t)how;
	r->time = ns_of(w, w->now);
	r->start = ns_of(w, b->placed);
	r->task = b->kernel;
	r->job = b->job;
	r->segment = (uint16_t)w->kernels[b->kernel].at;
	r->resource = RESOURCE_SM;
	r->index = (uint16_t)b->sm;
	r->block = b->number;
	r->count = 1;
	r->threads = w->kernels[b->kernel].part.footprint.threads;
}

void placing_tell_end(struct warp_simulation *w, const struct engine_block *b, enum span_end how)
{
	tell(w, b, TRACE_BLOCKS_END, how);
}

/* ---- Resources ---- */

static bool within(int64_t limit, int64_t taken, int64_t need)
{
	return limit == 0 || taken + need <= limit;
}

static bool fits(const struct warp_simulation *w, const struct engine_sm *sm, const struct footprint *f)
{
	const struct platform *p = w->platform;
	return sm->warps + f->warps <= WARPS_PER_SM_MAX && within(p->warps_per_sm, sm->warps, f->warps) &&
	       within(p->threads_per_sm, sm->threads, f->threads) &&
	       within(p->blocks_per_sm, sm->block_count, 1) &&
	       within(p->registers_per_sm, sm->registers, f->registers) &&
	       within(p->shared_memory_per_sm, sm->shared_memory, f->shared_memory);
}

static void take(struct engine_sm *sm, const struct footprint *f)
{
	sm->warps += f->warps;
	sm->threads += f->threads;
	sm->block_count++;
	sm->registers += f->registers;
	sm->shared_memory += f->shared_memory;
}

void placing_free(struct warp_simulation *w, struct engine_block *b)
{
	struct engine_sm *sm = &w->sms[b->sm];
	const struct footprint *f = &w->kernels[b->kernel].part.footprint;
	struct engine_block **link = &sm->blocks;
	sm->warps -= f->warps;
	sm->threads -= f->threads;
	sm->block_count--;
	sm->registers -= f->registers;
	sm->shared_memory -= f->shared_memory;
	while (*link != b)
		link = &(*link)->next;
	*link = b->next;
	w->place = true;
}

/* The number of blocks of the kernel on this SM has changed. */
static void count_blocks(struct warp_simulation *w, struct engine_sm *sm, uint32_t kernel, int change)
{
	struct sm_kernel *here = &sm->kernel[kernel];
	here->blocks = (uint32_t)((int)here->blocks + change);
	uint32_t set = UINT32_C(1) << kernel;
	sm->quotas.here = here->blocks ? sm->quotas.here | set : sm->quotas.here & ~set;
	sm->changed = true;
	w->changed = true;
}

/* ---- Warps ---- */

/* The warp may go on: now, when its operand is there, or together with the others at the barrier. */
static void resume(
	struct warp_simulation *w, struct sub_core *sc, const struct engine_kernel *k, struct warp *v)
{
	bool memory;
	int64_t operand = program_operand(&k->part.program[v->step], v, &memory);
	sc->absent &= ~bit(v->position);
	if (v->at_barrier)
		sc->barrier |= bit(v->position);
	else if (operand > w->now)
		sub_core_wait(sc, v->position, operand, memory);
	else
		sc->operand |= bit(v->position);
	calendar_enter(&w->calendar, w->now, w->now, sc->index);
}

static void add_warps(struct warp_simulation *w, struct engine_sm *sm, struct engine_block *b, bool there)
{
	struct engine_kernel *k = &w->kernels[b->kernel];
	for (uint32_t i = 0; i < k->part.warps_per_block; i++) {
		struct warp *v = &b->warps[i];
		struct sub_core *sc = &sm->cores[sm->arrivals++ % w->sub_cores];
		if (v->left == 0)
			continue;
		v->sub_core = (uint8_t)(sc->index % w->sub_cores);
		sub_core_account(sc, w->now);
		sub_core_add(sc, v, b->kernel, k->part.program[v->step].unit,
			issue_key(b->kernel, k->at, b->job, b->number, i), w->now);
		if (there)
			resume(w, sc, k, v);
		else
			sc->absent |= bit(v->position);
		calendar_enter(&w->calendar, w->now, w->now, sc->index);
	}
}

static void remove_warps(struct warp_simulation *w, struct engine_sm *sm, struct engine_block *b)
{
	for (uint32_t i = 0; i < w->kernels[b->kernel].part.warps_per_block; i++) {
		struct warp *v = &b->warps[i];
		struct sub_core *sc = &sm->cores[v->sub_core];
		sub_core_account(sc, w->now);
		if (sc->present & bit(v->position) && sc->warp[v->position] == v)
			sub_core_remove(sc, v->position);
		calendar_enter(&w->calendar, w->now, w->now, sc->index);
	}
}

void placing_context_there(struct warp_simulation *w, struct engine_block *b)
{
	struct engine_sm *sm = &w->sms[b->sm];
	const struct engine_kernel *k = &w->kernels[b->kernel];
	sm->swapping--;
	b->state = BLOCK_RUNNING;
	for (uint32_t i = 0; i < k->part.warps_per_block; i++)
		if (b->warps[i].left > 0)
			resume(w, &sm->cores[b->warps[i].sub_core], k, &b->warps[i]);
}

void placing_leave(struct warp_simulation *w, struct engine_block *b, enum span_end how)
{
	struct engine_sm *sm = &w->sms[b->sm];
	remove_warps(w, sm, b);
	placing_tell_end(w, b, how);
	count_blocks(w, sm, b->kernel, -1);
	placing_free(w, b);
}

void placing_swap_out(struct warp_simulation *w, struct engine_block *b)
{
	struct engine_sm *sm = &w->sms[b->sm];
	struct engine_kernel *k = &w->kernels[b->kernel];
	remove_warps(w, sm, b);
	count_blocks(w, sm, b->kernel, -1);
	/* A block whose context was still being loaded counts in `swapping` already; its instant is replaced
	 * below. */
	if (b->state != BLOCK_LOADING)
		sm->swapping++;
	k->result.swaps++;
	b->state = BLOCK_SAVING;
	/* Phase 1 of this cycle is over. So a transfer that takes no time is through in the next cycle. */
	int64_t through = memory_context(w, k, w->now);
	blocks_at(w, b, through > w->now ? through : w->now + 1);
}

/* ---- Dispatch ---- */

static struct engine_block *next_block(struct engine_kernel *k)
{
	struct engine_block **free_blocks = &k->parts[k->part.pool_of].free_blocks;
	struct engine_block *b = k->swapped ? k->swapped : *free_blocks;
	assert(b); /* the pool has as many as can be on the GPU or swapped out at a time (blocks_init) */
	if (k->swapped) {
		k->swapped = b->next;
		if (!k->swapped)
			k->swapped_tail = &k->swapped;
	} else {
		*free_blocks = b->next;
	}
	return b;
}

/* A block that has never been on an SM. */
static void make_block(struct engine_kernel *k, uint32_t kernel, struct engine_block *b)
{
	b->kernel = kernel;
	b->job = k->job;
	b->number = k->next_block++;
	b->issuing = k->part.warps_per_block;
	b->at_barrier = 0;
	b->rounds = 1;
	b->end = 0;
	for (uint32_t i = 0; i < k->part.warps_per_block; i++) {
		uint32_t left = k->part.spec->block_threads - i * WARP_THREADS;
		b->warps[i] = (struct warp){
			.block = b,
			.index = (uint8_t)i,
			.threads = (uint8_t)(left < WARP_THREADS ? left : WARP_THREADS),
		};
		program_enter(&k->part, &b->warps[i]);
	}
}

void placing_place(struct warp_simulation *w, uint32_t kernel, struct engine_sm *sm)
{
	struct engine_kernel *k = &w->kernels[kernel];
	bool swapped = k->swapped != NULL;
	struct engine_block *b = next_block(k), **link = &sm->blocks;
	if (!swapped)
		make_block(k, kernel, b);
	b->sm = sm->index;
	for (uint32_t i = 0; b->loads && i < k->part.warps_per_block; i++)
		b->loads[i].count = 0;
	b->placed = w->now;
	b->next = NULL;
	while (*link)
		link = &(*link)->next;
	*link = b;
	take(sm, &k->part.footprint);
	count_blocks(w, sm, kernel, 1);
	sm->lasting = 0;
	tell(w, b, TRACE_BLOCKS_START, SPAN_DONE);
	launches_block_placed(w, kernel);
	int64_t there = swapped ? memory_context(w, k, w->now) : w->now;
	b->state = there > w->now ? BLOCK_LOADING : BLOCK_RUNNING;
	if (there > w->now) {
		sm->swapping++;
		blocks_at(w, b, there);
	}
	add_warps(w, sm, b, there <= w->now);
}

static struct engine_sm *choose_sm(struct warp_simulation *w, uint32_t kernel)
{
	const struct engine_kernel *k = &w->kernels[kernel];
	struct engine_sm *best = NULL;
	for (uint32_t i = 0; i < w->sm_count; i++) {
		struct engine_sm *sm = &w->sms[i];
		uint32_t blocks = sm->kernel[kernel].blocks;
		if (blocks < sm->kernel[kernel].target && (!best || blocks < best->kernel[kernel].blocks) &&
			fits(w, sm, &k->part.footprint))
			best = sm;
	}
	return best;
}

/* Order of service: high streams first, then the earlier release, then the lower kernel. */
static bool served_before(const struct warp_simulation *w, uint32_t a, uint32_t b)
{
	bool high_a = w->kernels[a].spec->stream_high, high_b = w->kernels[b].spec->stream_high;
	int64_t release_a = launches_release_cycle(w, a), release_b = launches_release_cycle(w, b);
	if (high_a != high_b)
		return high_a;
	return release_a < release_b || (release_a == release_b && a < b);
}

static uint32_t in_order(const struct warp_simulation *w, uint32_t order[WARP_KERNELS_MAX])
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < w->kernel_count; i++) {
		if (!blocks_left(&w->kernels[i]))
			continue;
		uint32_t at = count++;
		for (; at > 0 && served_before(w, i, order[at - 1]); at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
	return count;
}

void blocks_dispatch(struct warp_simulation *w)
{
	uint32_t order[WARP_KERNELS_MAX], count = in_order(w, order);
	w->place = false;
	for (uint32_t i = 0; i < count; i++) {
		struct engine_sm *sm;
		while (blocks_left(&w->kernels[order[i]])) {
			sm = choose_sm(w, order[i]);
			if (!sm)
				break;
			placing_place(w, order[i], sm);
		}
		if (w->options.blocks == BLOCKS_FILL && blocks_left(&w->kernels[order[i]]))
			return;
	}
}
