/* models/stays.c - blocks of kernels that take different times (docs/model.md, "Time of a kernel").
 *
 * Neither they, nor blocks that begin their work later than they are placed (models/hands.c), end in the
 * order in which they were placed. So the resident blocks are in a heap with the next end at its root. Blocks
 * that end at one instant end with one event, like the blocks of a group (models/gpu.c). Blocks of programs
 * are in it without an end, until it is known (models/programs.c). */
#include <assert.h>

#include "base/heap.h"
#include "models/hands.h"

/* For all kernels with times of blocks: whether these differ in a run depends on its setup. And where blocks
 * may begin late. */
bool stays_init(struct machine *m, uint32_t task)
{
	const struct task_run *t = &m->tasks[task];
	struct launch *launch = &m->gpu.launches[task];
	bool uneven = false, late = hands_anywhere(m);
	for (uint32_t i = 0; i < t->step_count; i++)
		uneven |= t->steps[i].kind == SEGMENT_KERNEL &&
			  (late || t->steps[i].shape.times || t->steps[i].programmed);
	if (!uneven)
		return true;
	launch->stays = arena_new(&m->arena, struct stay, (size_t)launch->mask + 1);
	if (m->contexts.count == 0)
		return launch->stays != NULL;
	launch->redo = arena_new(&m->arena, uint32_t, (size_t)launch->mask + 1);
	return launch->stays && launch->redo;
}

void stays_begin(struct machine *m, uint32_t task)
{
	const struct task_run *t = &m->tasks[task];
	struct launch *launch = &m->gpu.launches[task];
	launch->stay_count = launch->redo_count = 0;
	if (!launch->step->uneven)
		return; /* all take the same time: launch->duration */
	bool traced = execution_traced(t->rule, t->number, t->segment) >= 0;
	if (launch->step->programmed)
		return;
	launch->draws = execution_blocks(m->setup, launch->step->shape.times, machine_task(m, task),
		t->number, t->segment, launch->duration, traced);
}

/* ---- the heap ---- */

static bool before(const struct stay *a, const struct stay *b)
{
	return a->end != b->end ? a->end < b->end : a->block < b->block;
}

HEAP_OF(stays, struct stay, before);

static struct stay pop(struct launch *launch)
{
	struct stay first = launch->stays[0];
	launch->stay_count--;
	stays_sink(launch->stays, launch->stay_count, launch->stays[launch->stay_count]);
	return first;
}

/* ---- blocks ---- */

static void add(struct machine *m, struct launch *launch, uint32_t block, uint16_t place)
{
	bool known = !launch->step->programmed;
	int64_t takes =
		launch->step->uneven && known ? execution_block(&launch->draws, block) : launch->duration;
	int64_t begins = m->gpu.hands ? hands_place(m, launch, m->gpu.pool.sm_at[place]) : m->sim.now;
	const struct stay stay = {
		.end = known ? begins + takes : SIM_NEVER,
		.start = m->sim.now,
		.block = block,
		.place = place,
	};
	assert(launch->stay_count <= launch->mask);
	stays_rise(launch->stays, launch->stay_count++, stay);
}

/* Blocks were added; before that the next end was at `next`. */
static void next_end(struct machine *m, uint32_t task, int64_t next)
{
	struct launch *launch = &m->gpu.launches[task];
	if (launch->stays[0].end >= next)
		return;
	if (next != SIM_NEVER)
		queue_remove(&m->gpu.running, task);
	gpu_run_until(m, task, launch->stays[0].end);
}

void stays_add(struct machine *m, uint32_t task, uint32_t first)
{
	struct launch *launch = &m->gpu.launches[task];
	int64_t next = launch->stay_count > 0 ? launch->stays[0].end : SIM_NEVER;
	for (uint32_t b = first; b < launch->placed; b++)
		add(m, launch, b, launch->place_of ? launch->place_of[(b - first) & launch->mask] : 0);
	if (launch->step->programmed) {
		for (uint32_t b = first; b < launch->placed; b++)
			programs_place(
				m, task, b, m->gpu.pool.sm_at[launch->place_of[(b - first) & launch->mask]]);
		return;
	}
	next_end(m, task, next);
}

void stays_known(struct machine *m, uint32_t task, uint32_t block, int64_t end)
{
	struct launch *launch = &m->gpu.launches[task];
	int64_t next = launch->stays[0].end;
	uint32_t i = 0;
	while (launch->stays[i].block != block)
		i++;
	assert(i < launch->stay_count && launch->stays[i].end == SIM_NEVER);
	struct stay stay = launch->stays[i];
	stay.end = end;
	stays_rise(launch->stays, i, stay);
	next_end(m, task, next);
}

static uint32_t sm_of(const struct machine *m, const struct stay *stay)
{
	return m->platform->pool == POOL_GPU ? 0 : m->gpu.pool.sm_at[stay->place];
}

static void leave(struct machine *m, uint32_t task, const struct stay *stay, enum span_end how)
{
	struct launch *launch = &m->gpu.launches[task];
	struct sm_pool *pool = &m->gpu.pool;
	const struct step *step = launch->step;
	bool pooled = m->platform->pool == POOL_GPU;
	uint32_t sm = sm_of(m, stay);
	if (pooled)
		pool->free_threads += step->shape.demand.threads;
	else
		sm_pool_give(pool, &step->need, 1, &stay->place, 0, 0);
	if (launch->grant && launch->on_sm && !pooled)
		launch->on_sm[sm]--;
	if (m->gpu.hands && how == SPAN_DONE)
		hands_end(m, launch, sm);
	if (trace_wants(&m->trace, TRACE_BLOCKS_END))
		gpu_emit_blocks(m, task, TRACE_BLOCKS_END, stay->block, 1, sm, stay->start, how);
}

int64_t stays_end(struct machine *m, uint32_t task)
{
	struct launch *launch = &m->gpu.launches[task];
	assert(launch->stay_count > 0 && launch->stays[0].end == m->sim.now);
	while (launch->stay_count > 0 && launch->stays[0].end == m->sim.now) {
		struct stay stay = pop(launch);
		leave(m, task, &stay, SPAN_DONE);
		launch->done++;
	}
	return launch->stay_count > 0 ? launch->stays[0].end : SIM_NEVER;
}

void stays_stop(struct machine *m, uint32_t task)
{
	struct launch *launch = &m->gpu.launches[task];
	while (launch->stay_count > 0) {
		struct stay stay = pop(launch);
		leave(m, task, &stay, SPAN_STOPPED);
	}
}

/* ---- contexts ---- */

static void emit(struct machine *m, uint32_t task, enum trace_kind kind)
{
	const struct launch *launch = &m->gpu.launches[task];
	for (uint32_t i = 0; trace_wants(&m->trace, kind) && i < launch->stay_count; i++) {
		const struct stay *stay = &launch->stays[i];
		gpu_emit_blocks(m, task, kind, stay->block, 1, sm_of(m, stay), stay->start, SPAN_PREEMPTED);
	}
}

void stays_freeze(struct machine *m, uint32_t task)
{
	emit(m, task, TRACE_BLOCKS_END);
}

void stays_thaw(struct machine *m, uint32_t task, int64_t frozen_for)
{
	struct launch *launch = &m->gpu.launches[task];
	for (uint32_t i = 0; i < launch->stay_count; i++) {
		launch->stays[i].end += frozen_for;
		launch->stays[i].start = m->sim.now;
	}
	emit(m, task, TRACE_BLOCKS_START);
}

/* Some of the blocks that run may have been lost before, and others of those not be placed yet. */
void stays_lose(struct machine *m, uint32_t task)
{
	struct launch *launch = &m->gpu.launches[task];
	while (launch->stay_count > 0) {
		struct stay stay = pop(launch);
		leave(m, task, &stay, SPAN_RESET);
		uint32_t at = launch->redo_count++;
		for (; at > 0 && launch->redo[at - 1] > stay.block; at--)
			launch->redo[at] = launch->redo[at - 1];
		launch->redo[at] = stay.block;
	}
}

static bool take_place(struct machine *m, struct launch *launch, uint16_t *place)
{
	struct sm_pool *pool = &m->gpu.pool;
	const struct step *step = launch->step;
	if (m->platform->pool == POOL_GPU) {
		bool fits = pool->free_threads >= step->shape.demand.threads;
		pool->free_threads -= fits ? step->shape.demand.threads : 0;
		return fits;
	}
	uint32_t *on_sm = launch->grant ? launch->on_sm : NULL;
	return (launch->on ? sm_pool_take_granted(pool, &step->need, launch->on, on_sm, 1, place, 0, 0)
			   : sm_pool_take(pool, &step->need, 1, place, 0, 0)) == 1;
}

bool stays_redo(struct machine *m, uint32_t task)
{
	struct launch *launch = &m->gpu.launches[task];
	int64_t next = launch->stay_count > 0 ? launch->stays[0].end : SIM_NEVER;
	uint32_t placed = 0;
	uint16_t place = 0;
	for (; placed < launch->redo_count && take_place(m, launch, &place); placed++) {
		const struct stay stay = {.place = place};
		add(m, launch, launch->redo[placed], place);
		if (trace_wants(&m->trace, TRACE_BLOCKS_START))
			gpu_emit_blocks(m, task, TRACE_BLOCKS_START, launch->redo[placed], 1, sm_of(m, &stay),
				m->sim.now, SPAN_DONE);
	}
	launch->redo_count -= placed;
	for (uint32_t i = 0; i < launch->redo_count; i++)
		launch->redo[i] = launch->redo[i + placed];
	if (placed > 0)
		next_end(m, task, next);
	return launch->redo_count == 0;
}
