/* models/gate.c - the gate: units that wait for a policy's decision; see models/gate.h. */
#include <assert.h>
#include "models/gate.h"
#include "models/machine.h"

bool gate_init(struct machine *m)
{
	m->gate.machine = m;
	return jobs_line_init(m, &m->gate.waiting, m->plan.kernel_order);
}

void gate_enter(struct machine *m, uint32_t task)
{
	m->tasks[task].place = PLACE_GATE;
	line_enter(m, &m->gate.waiting, task);
	m->gate.changed = true;
}

void gate_remove(struct machine *m, uint32_t task)
{
	bool removed = queue_remove(&m->gate.waiting.queue, task);
	assert(removed);
	(void)removed;
}

void gate_operation_ended(struct machine *m, uint32_t task, bool section_over)
{
	m->gate.changed = true;
	if (m->plan.unit == GATE_SECTION && !section_over)
		return;
	assert(m->gate.admitted > 0 && m->tasks[task].admitted);
	m->gate.admitted--;
	m->tasks[task].admitted = false;
}

void gate_settle(struct machine *m)
{
	m->gate.changed = false;
	m->plan.decide(&m->gate, m->plan.state);
}

int64_t gate_now(const struct gate *g)
{
	return g->machine->sim.now;
}

uint32_t gate_waiting(const struct gate *g)
{
	return queue_length(&g->waiting.queue);
}

uint32_t gate_admitted(const struct gate *g)
{
	return g->admitted;
}

uint32_t gate_admit_next(struct gate *g)
{
	struct machine *m = g->machine;
	uint32_t task = line_take(m, &g->waiting);
	m->tasks[task].admitted = true;
	g->admitted++;
	list_add(&m->issue, task);
	return task;
}
