/* models/cpu.c - the core: preemptive, one job at a time, in the order of the plan (fixed priority unless the
 * policy says otherwise). With busy-waiting a job stays in the queue during its GPU section, and spins while
 * it has the core (docs/model.md, "CPU"). */
#include <assert.h>

#include "models/machine.h"

bool cpu_init(struct machine *m)
{
	m->cpu.running = NO_TASK;
	return jobs_line_init(m, &m->cpu.queue, m->plan.cpu_order);
}

/* The running task stops running now. The caller takes it out of the queue, or leaves it there. */
static void interval_ends(struct machine *m, enum span_end how)
{
	struct cpu *cpu = &m->cpu;
	struct task_run *t = &m->tasks[cpu->running];
	struct trace_record *r = machine_span(m, cpu->running, RESOURCE_CPU, 0, cpu->since, how);
	if (r && cpu->spinning) {
		r->span = m->plan.wait == WAIT_BOOST ? SPAN_BOOST : SPAN_SPIN;
		r->segment = (uint16_t)t->section_first;
		r->ready = t->spin_ready;
	}
	if (!cpu->spinning) {
		t->left -= m->sim.now - cpu->since;
		sim_disarm(&m->sim, SLOT_CPU);
	}
	cpu->running = NO_TASK;
}

void cpu_enter(struct machine *m, uint32_t task)
{
	struct task_run *t = &m->tasks[task];
	t->place = PLACE_CPU;
	if (t->spinning)
		cpu_leave(m, task, SPAN_DONE);
	t->place = PLACE_CPU;
	line_enter(m, &m->cpu.queue, task);
}

void cpu_spin(struct machine *m, uint32_t task)
{
	struct task_run *t = &m->tasks[task];
	struct line *queue = &m->cpu.queue;
	t->spinning = true;
	t->section_first = t->segment;
	t->spin_ready = m->sim.now;
	line_push(m, queue, task, m->plan.wait == WAIT_BOOST ? INT64_MIN : line_key(m, queue, task));
}

void cpu_leave(struct machine *m, uint32_t task, enum span_end how)
{
	bool left = queue_remove(&m->cpu.queue.queue, task);
	assert(left);
	(void)left;
	if (m->cpu.running == task)
		interval_ends(m, how);
	m->tasks[task].spinning = false;
}

void cpu_complete(struct machine *m)
{
	uint32_t task = queue_pop(&m->cpu.queue.queue);
	assert(task == m->cpu.running && !m->cpu.spinning);
	sim_mix(&m->sim, task);
	interval_ends(m, SPAN_DONE);
	assert(m->tasks[task].left == 0);
	jobs_advance(m, task);
}

void cpu_dispatch(struct machine *m)
{
	struct cpu *cpu = &m->cpu;
	uint32_t task = queue_first(&cpu->queue.queue);
	assert(task != cpu->running);
	if (cpu->running != NO_TASK)
		interval_ends(m, SPAN_PREEMPTED);
	cpu->running = task;
	if (task == NO_TASK)
		return;
	struct task_run *t = &m->tasks[task];
	cpu->since = m->sim.now;
	cpu->spinning = t->spinning;
	if (t->spinning)
		return;
	jobs_started(m, t);
	sim_arm(&m->sim, SLOT_CPU, m->sim.now + t->left);
}

void cpu_stop(struct machine *m)
{
	if (m->cpu.running != NO_TASK)
		interval_ends(m, SPAN_STOPPED);
}
