/* models/stays.c - blocks of kernels that take different times (docs/model.md, "Time of a kernel").
 *
 * They do not end in the order in which they were placed. So the resident blocks are in a heap with the next
 * end at its root. Blocks that end at one instant end with one event, like the blocks of a group
 * (models/gpu.c). */
#include <assert.h>

#include "base/heap.h"
#include "models/machine.h"

bool stays_init(struct machine *m, uint32_t task)
{
	const struct task_run *t = &m->tasks[task];
	struct launch *launch = &m->gpu.launches[task];
	bool uneven = false;
	for (uint32_t i = 0; i < t->step_count; i++)
		uneven |= t->steps[i].uneven;
	if (!uneven)
		return true;
	launch->stays = arena_new(&m->arena, struct stay, (size_t)launch->mask + 1);
	return launch->stays != NULL;
}

void stays_begin(struct machine *m, uint32_t task)
{
	const struct task_run *t = &m->tasks[task];
	struct launch *launch = &m->gpu.launches[task];
	bool traced = execution_traced(t->rule, t->number, t->segment) >= 0;
	launch->draws = execution_blocks(
		m->setup, launch->step->shape.times, task, t->number, t->segment, launch->duration, traced);
	launch->stay_count = 0;
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

void stays_add(struct machine *m, uint32_t task, uint32_t first)
{
	struct launch *launch = &m->gpu.launches[task];
	int64_t next = launch->stay_count > 0 ? launch->stays[0].end : SIM_NEVER;
	for (uint32_t b = first; b < launch->placed; b++) {
		const struct stay stay = {
			.end = m->sim.now + execution_block(&launch->draws, b),
			.start = m->sim.now,
			.block = b,
			.place = launch->place_of ? launch->place_of[(b - first) & launch->mask] : 0,
		};
		assert(launch->stay_count <= launch->mask);
		stays_rise(launch->stays, launch->stay_count++, stay);
	}
	if (launch->stays[0].end >= next)
		return;
	if (next != SIM_NEVER)
		queue_remove(&m->gpu.running, task);
	gpu_run_until(m, task, launch->stays[0].end);
}

static void leave(struct machine *m, uint32_t task, const struct stay *stay, enum span_end how)
{
	struct launch *launch = &m->gpu.launches[task];
	struct sm_pool *pool = &m->gpu.pool;
	const struct step *step = launch->step;
	bool pooled = m->platform->pool == POOL_GPU;
	uint32_t sm = pooled ? 0 : pool->sm_at[stay->place];
	if (pooled)
		pool->free_threads += step->shape.demand.threads;
	else
		sm_pool_give(pool, &step->need, 1, &stay->place, 0, 0);
	if (launch->grant && !pooled)
		launch->on_sm[sm]--;
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
