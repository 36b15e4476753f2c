/* models/cpu.c - the core: preemptive, one job at a time, in the order of the plan (fixed priority unless the
 * policy says otherwise). With busy-waiting a job stays in the queue during its GPU section, and spins while
 * it has the core (docs/model.md, "CPU"). Launches, switches to another job, and the interrupts of releases
 * take the core, too, where the platform has such overheads. */
#include <assert.h>

#include "models/machine.h"

bool cpu_init(struct machine *m)
{
	struct cpu *cpu = &m->cpu;
	const struct overheads *o = &m->platform->overheads;
	cpu->running = cpu->last_task = NO_TASK;
	if (o->launch_ns > 0)
		cpu->launch_left = arena_new(&m->arena, int64_t, m->task_count);
	if (o->release_ns > 0)
		cpu->interrupts = arena_new(&m->arena, uint32_t, m->task_count);
	cpu->overheads = (o->launch_ns | o->switch_ns | o->release_ns) != 0;
	cpu->operations = o->launch_ns > 0 || m->plan.wait != WAIT_SUSPEND;
	return (o->launch_ns == 0 || cpu->launch_left) && (o->release_ns == 0 || cpu->interrupts) &&
	       jobs_line_init(m, &cpu->queue, m->plan.cpu_order);
}

/* What a task in the queue needs the core for. */
static enum core_use use_of(const struct cpu *cpu, const struct task_run *t)
{
	if (t->place != PLACE_CPU)
		return CORE_SPIN;
	return cpu->launch_left && t->step->kind != SEGMENT_CPU ? CORE_LAUNCH : CORE_SEGMENT;
}

/* Completes the record of an interval in which no segment ran. */
SELDOM static void describe(const struct machine *m, struct trace_record *r)
{
	const struct cpu *cpu = &m->cpu;
	const struct task_run *t = &m->tasks[cpu->running];
	r->span = cpu->use == CORE_LAUNCH      ? SPAN_LAUNCH
		  : cpu->use == CORE_SWITCH    ? SPAN_SWITCH
		  : m->plan.wait == WAIT_BOOST ? SPAN_BOOST
					       : SPAN_SPIN;
	if (t->place == PLACE_CPU)
		return;
	r->segment = (uint16_t)t->section_first;
	r->ready = t->spin_ready;
}

static void segment_leaves(struct machine *m, enum span_end how)
{
	struct cpu *cpu = &m->cpu;
	m->tasks[cpu->running].left -= m->sim.now - cpu->since;
	machine_span(m, cpu->running, RESOURCE_CPU, 0, cpu->since, how);
	sim_disarm(&m->sim, SLOT_CPU);
	cpu->running = NO_TASK;
}

static void other_leaves(struct machine *m, enum span_end how)
{
	struct cpu *cpu = &m->cpu;
	int64_t ran = m->sim.now - cpu->since;
	if (cpu->use == CORE_LAUNCH)
		cpu->launch_left[cpu->running] -= ran;
	else if (cpu->use == CORE_SWITCH && (cpu->switch_left -= ran) > 0 && how == SPAN_DONE)
		how = SPAN_PREEMPTED; /* what it was for is over, but the job goes on with it */
	struct trace_record *r = machine_span(m, cpu->running, RESOURCE_CPU, 0, cpu->since, how);
	if (r)
		describe(m, r);
	if (cpu->use != CORE_SPIN)
		sim_disarm(&m->sim, SLOT_CPU);
	cpu->running = NO_TASK;
	cpu->use = CORE_SEGMENT;
}

/* The running task stops running now. The caller takes it out of the queue, or leaves it there. */
static void interval_ends(struct machine *m, enum span_end how)
{
	if (m->cpu.use == CORE_SEGMENT)
		segment_leaves(m, how);
	else
		other_leaves(m, how);
}

void cpu_enter(struct machine *m, uint32_t task)
{
	struct task_run *t = &m->tasks[task];
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

/* A job that spins keeps its place in the queue. */
void cpu_launch(struct machine *m, uint32_t task)
{
	struct task_run *t = &m->tasks[task];
	if (m->cpu.running == task)
		interval_ends(m, SPAN_DONE);
	t->place = PLACE_CPU;
	m->cpu.launch_left[task] = m->platform->overheads.launch_ns;
	if (!t->spinning)
		line_enter(m, &m->cpu.queue, task);
}

/* ---- interrupts ---- */

static void begin_interrupt(struct machine *m)
{
	struct cpu *cpu = &m->cpu;
	for (uint32_t i = 0; i < m->task_count && m->sim.now < m->stop_at; i++) {
		if (cpu->interrupts[i] == 0)
			continue;
		cpu->interrupt = i;
		cpu->use = CORE_INTERRUPT;
		cpu->since = m->sim.now;
		sim_arm(&m->sim, SLOT_CPU, m->sim.now + m->platform->overheads.release_ns);
		return;
	}
}

static void interrupt_ends(struct machine *m, enum span_end how)
{
	struct cpu *cpu = &m->cpu;
	uint32_t task = cpu->interrupt;
	struct trace_record *r = machine_span(m, task, RESOURCE_CPU, 0, cpu->since, how);
	if (r) {
		r->span = SPAN_RELEASE;
		r->job = m->tasks[task].released - cpu->interrupts[task];
		r->segment = 0;
		r->ready = cpu->since;
	}
	cpu->interrupts[task]--;
	cpu->use = CORE_SEGMENT;
	m->last_end = m->sim.now;
	sim_disarm(&m->sim, SLOT_CPU);
}

void cpu_interrupt(struct machine *m, uint32_t task)
{
	struct cpu *cpu = &m->cpu;
	cpu->interrupts[task]++;
	if (cpu->use == CORE_INTERRUPT) {
		/* All take the same time: one that has begun at this instant can make way. */
		if (cpu->since == m->sim.now && task < cpu->interrupt)
			cpu->interrupt = task;
		return;
	}
	if (cpu->running != NO_TASK)
		interval_ends(m, SPAN_PREEMPTED);
	begin_interrupt(m);
}

/* ---- */

/* Something is over that is not a segment. */
SELDOM static void overhead_ends(struct machine *m)
{
	struct cpu *cpu = &m->cpu;
	uint32_t task = cpu->use == CORE_INTERRUPT ? cpu->interrupt : cpu->running;
	struct task_run *t = &m->tasks[task];
	sim_mix(&m->sim, task);
	if (cpu->use == CORE_INTERRUPT) {
		interrupt_ends(m, SPAN_DONE);
		begin_interrupt(m);
		return;
	}
	bool launch = cpu->use == CORE_LAUNCH;
	interval_ends(m, SPAN_DONE);
	if (!launch)
		return;
	if (!t->spinning)
		queue_pop(&cpu->queue.queue);
	t->launched = true;
	t->place = PLACE_READY;
	list_add(&m->ready, task);
}

void cpu_complete(struct machine *m)
{
	if (m->cpu.use != CORE_SEGMENT) {
		overhead_ends(m);
		return;
	}
	uint32_t task = queue_pop(&m->cpu.queue.queue);
	assert(task == m->cpu.running);
	sim_mix(&m->sim, task);
	segment_leaves(m, SPAN_DONE);
	assert(m->tasks[task].left == 0);
	jobs_advance(m, task);
}

/* Whether the task has to switch the core to its job, still or at all. */
static bool switches(struct machine *m, uint32_t task)
{
	struct cpu *cpu = &m->cpu;
	uint32_t job = m->tasks[task].number;
	if (cpu->last_task != task || cpu->last_job != job)
		cpu->switch_left = m->platform->overheads.switch_ns;
	cpu->last_task = task;
	cpu->last_job = job;
	return cpu->switch_left > 0;
}

/* The task has the core now, for a segment or another use. */
SELDOM static void begin_use(struct machine *m, uint32_t task)
{
	struct cpu *cpu = &m->cpu;
	struct task_run *t = &m->tasks[task];
	int64_t left = t->left;
	cpu->use = (uint8_t)use_of(cpu, t);
	if (cpu->use != CORE_SPIN)
		jobs_started(m, t);
	if (m->platform->overheads.switch_ns > 0 && switches(m, task)) {
		cpu->use = CORE_SWITCH;
		left = cpu->switch_left;
	} else if (cpu->use == CORE_SPIN) {
		return;
	} else if (cpu->use == CORE_LAUNCH) {
		left = cpu->launch_left[task];
	}
	sim_arm(&m->sim, SLOT_CPU, m->sim.now + left);
}

void cpu_dispatch(struct machine *m)
{
	struct cpu *cpu = &m->cpu;
	uint32_t task = queue_first(&cpu->queue.queue);
	if (cpu->use == CORE_INTERRUPT)
		return;
	assert(task != cpu->running);
	if (cpu->running != NO_TASK)
		interval_ends(m, SPAN_PREEMPTED);
	cpu->running = task;
	if (task == NO_TASK)
		return;
	struct task_run *t = &m->tasks[task];
	cpu->since = m->sim.now;
	if (cpu->overheads) {
		begin_use(m, task);
		return;
	}
	if (t->spinning) {
		cpu->use = CORE_SPIN;
		return;
	}
	jobs_started(m, t);
	sim_arm(&m->sim, SLOT_CPU, m->sim.now + t->left);
}

void cpu_stop(struct machine *m)
{
	if (m->cpu.use == CORE_INTERRUPT)
		interrupt_ends(m, SPAN_STOPPED);
	else if (m->cpu.running != NO_TASK)
		interval_ends(m, SPAN_STOPPED);
}
