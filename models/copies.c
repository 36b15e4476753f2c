/* models/copies.c - the copy engines: non-preemptive, each with a queue in the plan's order; with
 * `engines: unlimited` a copy starts as soon as it is the head of its stream. */
#include <assert.h>

#include "models/machine.h"

uint32_t copies_slots(const struct platform *p, uint32_t runs)
{
	return p->engines == ENGINES_UNLIMITED ? runs : p->engines;
}

bool copies_init(struct machine *m)
{
	struct copies *c = &m->copies;
	c->slot = SLOT_COPY;
	c->since = arena_new(&m->arena, int64_t, m->run_count);
	return c->since && copies_share_init(m, c);
}

bool copies_share_init(struct machine *m, struct copies *c)
{
	c->count = m->platform->engines;
	c->slot = m->copies.slot;
	c->since = m->copies.since;
	assert(c->count <= ENGINES_MAX);
	for (uint32_t e = 0; e < ENGINES_MAX; e++) {
		c->engines[e].running = NO_TASK;
		if (!jobs_line_init(m, &c->engines[e].queue, m->plan.copy_order))
			return false;
	}
	return true;
}

bool copies_init_part(struct machine *m, struct copies *c, uint32_t tasks)
{
	*c = m->copies;
	for (uint32_t e = 0; e < ENGINES_MAX; e++)
		if (!jobs_line_init_part(m, &c->engines[e].queue, tasks, &m->copies.engines[e].queue))
			return false;
	return true;
}

static bool unlimited(const struct machine *m)
{
	return m->copies.count == 0;
}

static inline void start(struct machine *m, uint32_t task, uint32_t slot)
{
	struct task_run *t = &m->tasks[task];
	t->place = PLACE_RUNNING;
	jobs_started(m, t);
	sim_arm(&m->sim, slot, m->sim.now + t->left);
}

static void start_unlimited(struct machine *m, uint32_t task)
{
	m->copies.since[task] = m->sim.now;
	start(m, task, m->copies.slot + task);
}

void copies_enter(struct machine *m, uint32_t task)
{
	struct task_run *t = &m->tasks[task];
	t->place = PLACE_QUEUED;
	if (unlimited(m)) {
		if (!m->contexts.copies)
			start_unlimited(m, task);
		return;
	}
	struct engine *engine = &copies_of(m, task)->engines[t->step->engine];
	line_enter(m, &engine->queue, task);
}

void copies_remove(struct machine *m, uint32_t task)
{
	const struct task_run *t = &m->tasks[task];
	uint32_t was = device_begin(m, task);
	/* Where engines are unlimited it waits for its context. */
	bool removed =
		unlimited(m) || queue_remove(&copies_of(m, task)->engines[t->step->engine].queue.queue, task);
	device_end(m, was);
	assert(removed);
	(void)removed;
}

static inline void complete(struct machine *m, uint32_t first_slot, uint32_t index)
{
	uint32_t task = index;
	int64_t since = 0;
	sim_disarm(&m->sim, first_slot + index);
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

void copies_complete(struct machine *m, uint32_t index)
{
	complete(m, SLOT_COPY, index);
}

void copies_complete_at(struct machine *m, uint32_t slot)
{
	complete(m, m->copies.slot, slot - m->copies.slot);
}

static inline void serve(struct machine *m, uint32_t e, uint32_t first_slot)
{
	struct engine *engine = &m->copies.engines[e];
	bool idle = engine->running == NO_TASK, waiting = !queue_empty(&engine->queue.queue);
	if (!(idle & waiting))
		return;
	engine->running = line_take(m, &engine->queue);
	engine->since = m->sim.now;
	start(m, engine->running, first_slot + e);
}

/* Compilers do not unroll a loop over the engines: 6 instructions an event. */
static inline void dispatch(struct machine *m, uint32_t first_slot)
{
	_Static_assert(ENGINES_MAX == 2, "all are served");
	serve(m, 0, first_slot);
	if (m->copies.count > 1)
		serve(m, 1, first_slot);
}

void copies_dispatch(struct machine *m)
{
	dispatch(m, SLOT_COPY);
}

void copies_dispatch_at(struct machine *m)
{
	dispatch(m, m->copies.slot);
}

void copies_stop(struct machine *m)
{
	for (uint32_t e = 0; e < m->copies.count; e++) {
		const struct engine *engine = &m->copies.engines[e];
		if (engine->running != NO_TASK)
			machine_span(m, engine->running, RESOURCE_COPY, e, engine->since, SPAN_STOPPED);
	}
	for (uint32_t i = 0; unlimited(m) && i < m->run_count; i++)
		if (sim_armed_at(&m->sim, m->copies.slot + i) != SIM_NEVER)
			machine_span(m, i, RESOURCE_COPY, 0, m->copies.since[i], SPAN_STOPPED);
}

/* ---- contexts: who loses the GPU loses the engines ---- */

static bool is_copy(const struct machine *m, uint32_t task, enum place place)
{
	return m->tasks[task].place == place && m->tasks[task].step->kind == SEGMENT_COPY;
}

/* Only where engines are unlimited. */
static uint32_t first_of_holder(const struct machine *m)
{
	return unlimited(m) ? contexts_next(m, NO_TASK) : NO_TASK;
}

bool copies_idle(const struct machine *m)
{
	bool idle = true;
	for (uint32_t e = 0; e < m->copies.count; e++)
		idle = idle && m->copies.engines[e].running == NO_TASK;
	for (uint32_t i = first_of_holder(m); idle && i != NO_TASK; i = contexts_next(m, i))
		idle = !is_copy(m, i, PLACE_RUNNING);
	return idle;
}

/* A copy that runs is cut off. It waits again if it is lost, and then goes first. */
static void cut_off(struct machine *m, uint32_t task, uint32_t slot, uint32_t index, int64_t since, bool lost)
{
	struct task_run *t = &m->tasks[task];
	machine_span(m, task, RESOURCE_COPY, index, since, lost ? SPAN_RESET : SPAN_PREEMPTED);
	sim_disarm(&m->sim, SLOT_COPY + slot);
	t->left -= m->sim.now - since;
	if (!lost)
		return;
	const struct step *step = t->step;
	t->place = PLACE_QUEUED;
	t->left = step->fixed >= 0 ? step->fixed : jobs_length(m, task, step->best, step->worst);
}

void copies_freeze(struct machine *m, bool lost)
{
	for (uint32_t e = 0; e < m->copies.count; e++) {
		struct engine *engine = &m->copies.engines[e];
		uint32_t task = engine->running;
		if (task == NO_TASK)
			continue;
		bool loses = lost && !m->tasks[task].aborted;
		cut_off(m, task, e, e, engine->since, loses);
		if (!loses)
			continue;
		engine->running = NO_TASK;
		queue_push(&engine->queue.queue, INT64_MIN, (uint64_t)task << 32 | task, engine->since);
	}
	for (uint32_t i = first_of_holder(m); i != NO_TASK; i = contexts_next(m, i))
		if (is_copy(m, i, PLACE_RUNNING))
			cut_off(m, i, i, 0, m->copies.since[i], lost && !m->tasks[i].aborted);
}

void copies_thaw(struct machine *m)
{
	int64_t now = m->sim.now;
	for (uint32_t e = 0; e < m->copies.count; e++) {
		struct engine *engine = &m->copies.engines[e];
		engine->since = now;
		if (engine->running != NO_TASK)
			sim_arm(&m->sim, SLOT_COPY + e, now + m->tasks[engine->running].left);
	}
	for (uint32_t i = first_of_holder(m); i != NO_TASK; i = contexts_next(m, i)) {
		if (!is_copy(m, i, PLACE_RUNNING))
			continue;
		m->copies.since[i] = now;
		sim_arm(&m->sim, SLOT_COPY + i, now + m->tasks[i].left);
	}
}

void copies_begin(struct machine *m)
{
	for (uint32_t i = first_of_holder(m); i != NO_TASK; i = contexts_next(m, i))
		if (is_copy(m, i, PLACE_QUEUED))
			start_unlimited(m, i);
}
