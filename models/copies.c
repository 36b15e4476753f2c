/* models/copies.c - the copy engines: non-preemptive, each with a queue in the plan's order; with
 * `engines: unlimited` a copy starts as soon as it is the head of its stream. */
#include <assert.h>

#include "models/machine.h"

uint32_t copies_slots(const struct platform *p, uint32_t tasks)
{
	return p->engines == ENGINES_UNLIMITED ? tasks : p->engines;
}

bool copies_init(struct machine *m)
{
	struct copies *c = &m->copies;
	c->count = m->platform->engines;
	assert(c->count <= ENGINES_MAX);
	c->since = arena_new(&m->arena, int64_t, m->task_count);
	if (!c->since)
		return false;
	for (uint32_t e = 0; e < ENGINES_MAX; e++) {
		c->engines[e].running = NO_TASK;
		if (!jobs_line_init(m, &c->engines[e].queue, m->plan.copy_order))
			return false;
	}
	return true;
}

static bool unlimited(const struct machine *m)
{
	return m->copies.count == 0;
}

static void start(struct machine *m, uint32_t task, uint32_t slot)
{
	struct task_run *t = &m->tasks[task];
	t->place = PLACE_RUNNING;
	jobs_started(m, t);
	sim_arm(&m->sim, SLOT_COPY + slot, m->sim.now + t->left);
}

void copies_enter(struct machine *m, uint32_t task)
{
	struct task_run *t = &m->tasks[task];
	if (unlimited(m)) {
		m->copies.since[task] = m->sim.now;
		start(m, task, task);
		return;
	}
	t->place = PLACE_QUEUED;
	struct engine *engine = &m->copies.engines[t->step->engine];
	line_enter(m, &engine->queue, task);
}

void copies_remove(struct machine *m, uint32_t task)
{
	const struct task_run *t = &m->tasks[task];
	bool removed = queue_remove(&m->copies.engines[t->step->engine].queue.queue, task);
	assert(removed);
	(void)removed;
}

void copies_complete(struct machine *m, uint32_t index)
{
	uint32_t task = index;
	int64_t since = 0;
	sim_disarm(&m->sim, SLOT_COPY + index);
	if (unlimited(m)) {
		since = m->copies.since[task];
		index = 0;
	} else {
		struct engine *engine = &m->copies.engines[index];
		task = engine->running;
		since = engine->since;
		engine->running = NO_TASK;
	}
	sim_mix(&m->sim, task);
	machine_span(m, task, RESOURCE_COPY, index, since, SPAN_DONE);
	streams_leave(m, task);
	jobs_advance(m, task);
}

void copies_dispatch(struct machine *m)
{
	for (uint32_t e = 0; e < ENGINES_MAX; e++) {
		struct engine *engine = &m->copies.engines[e];
		bool idle = engine->running == NO_TASK, waiting = !queue_empty(&engine->queue.queue);
		if (!(idle & waiting))
			continue;
		engine->running = line_take(m, &engine->queue);
		engine->since = m->sim.now;
		start(m, engine->running, e);
	}
}

void copies_stop(struct machine *m)
{
	for (uint32_t e = 0; e < m->copies.count; e++) {
		const struct engine *engine = &m->copies.engines[e];
		if (engine->running != NO_TASK)
			machine_span(m, engine->running, RESOURCE_COPY, e, engine->since, SPAN_STOPPED);
	}
	for (uint32_t i = 0; unlimited(m) && i < m->task_count; i++)
		if (sim_armed_at(&m->sim, SLOT_COPY + i) != SIM_NEVER)
			machine_span(m, i, RESOURCE_COPY, 0, m->copies.since[i], SPAN_STOPPED);
}
