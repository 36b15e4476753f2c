/* models/cpu.c - the cores: preemptive, one job at a time, in the order of the plan (fixed priority unless
 * the policy says otherwise). With busy-waiting a job stays in the queue during its GPU section, and spins
 * while it has a core (docs/model.md, "CPU"). Launches, switches to another job, and the interrupts of
 * releases take a core, too, where the platform has such overheads.
 *
 * Several cores ("Cores"): partitioned, each is like the only one, with the tasks that it has; or global, all
 * serve the queue of core 0. */
#include <assert.h>

#include "models/machine.h"

static inline struct core *core_at(struct cpu *cpu, uint32_t core)
{
	return core == 0 ? &cpu->first : &cpu->others[core - 1];
}

static inline uint32_t number_of(const struct cpu *cpu, const struct core *c)
{
	return c == &cpu->first ? 0 : (uint32_t)(c - cpu->others) + 1;
}

/* Of its next completion. */
static inline uint32_t slot_of(const struct machine *m, const struct core *c)
{
	return c == &m->cpu.first ? SLOT_CPU : m->slot_core + (uint32_t)(c - m->cpu.others);
}

static bool init_queue(struct machine *m, struct core *c)
{
	return m->cpu.by_rank ? ranks_init(&c->ranks, &m->arena, m->task_count)
			      : jobs_line_init(m, &c->queue, m->plan.cpu_order);
}

/* Ranks are a permutation: by priority alone there are no ties. */
static bool init_ranks(struct machine *m)
{
	struct cpu *cpu = &m->cpu;
	cpu->by_rank = m->plan.cpu_order == order_by_priority && m->plan.wait != WAIT_BOOST &&
		       !m->plan.call && !platform_global(m->platform);
	cpu->of_rank = arena_new(&m->arena, uint32_t, m->task_count);
	for (uint32_t i = 0; cpu->of_rank && i < m->task_count; i++)
		cpu->of_rank[m->plan.rank[i]] = i;
	return cpu->of_rank != NULL;
}

bool cpu_init(struct machine *m)
{
	struct cpu *cpu = &m->cpu;
	const struct overheads *o = &m->platform->overheads;
	bool global = platform_global(m->platform);
	cpu->count = m->platform->cores;
	if (!init_ranks(m))
		return false;
	cpu->others = arena_new(&m->arena, struct core, cpu->count - 1);
	if (!cpu->others)
		return false;
	for (uint32_t i = 0; i < cpu->count; i++) {
		struct core *c = core_at(cpu, i);
		c->running = c->last_task = NO_TASK;
		if ((i == 0 || !global) && !init_queue(m, c))
			return false;
	}
	if (global)
		cpu->on = arena_new(&m->arena, uint16_t, m->task_count);
	for (uint32_t i = 0; i < m->task_count; i++) {
		m->tasks[i].core = (uint16_t)taskset_core(m->set, m->platform, i);
		if (cpu->on)
			cpu->on[i] = NO_CORE;
	}
	if (o->launch_ns > 0)
		cpu->launch_left = arena_new(&m->arena, int64_t, m->task_count);
	if (o->release_ns > 0)
		cpu->interrupts = arena_new(&m->arena, uint32_t, m->task_count);
	cpu->overheads = (o->launch_ns | o->switch_ns | o->release_ns) != 0 || m->plan.call;
	cpu->operations = o->launch_ns > 0 || m->plan.wait != WAIT_SUSPEND || m->plan.call;
	return (!global || cpu->on) && (o->launch_ns == 0 || cpu->launch_left) &&
	       (o->release_ns == 0 || cpu->interrupts);
}

/* ---- the queues ---- */

/* Of those who wait for the core; NO_TASK: nobody does. */
static inline uint32_t first_of(const struct cpu *cpu, const struct core *c)
{
	if (!cpu->by_rank)
		return queue_first(&c->queue.queue);
	return ranks_empty(&c->ranks) ? NO_TASK : cpu->of_rank[ranks_first(&c->ranks)];
}

/* Keys in front of those of any order: with the update lock, and spinning. */
#define WITH_LOCK INT64_MIN
#define BOOSTED (INT64_MIN + 1)

static inline void join(struct machine *m, const struct task_run *t, uint32_t task)
{
	struct core *c = core_at(&m->cpu, t->core);
	if (m->cpu.by_rank)
		ranks_add(&c->ranks, t->rank);
	else
		line_enter(m, &c->queue, task);
}

static void join_in_front(struct machine *m, const struct task_run *t, uint32_t task, int64_t key)
{
	line_push(m, &core_at(&m->cpu, t->core)->queue, task, key);
}

/* False: it was not there. */
static bool leave(struct machine *m, const struct task_run *t, uint32_t task)
{
	struct core *c = core_at(&m->cpu, t->core);
	if (!m->cpu.by_rank)
		return queue_remove(&c->queue.queue, task);
	bool there = ranks_has(&c->ranks, t->rank);
	ranks_remove(&c->ranks, t->rank);
	return there;
}

/* ---- who runs ---- */

/* The core that runs the task's job; NULL: none does. */
static struct core *core_with(struct machine *m, uint32_t task)
{
	struct cpu *cpu = &m->cpu;
	struct core *c = core_at(cpu, m->tasks[task].core);
	if (cpu->on)
		return cpu->on[task] == NO_CORE ? NULL : core_at(cpu, cpu->on[task]);
	return c->running == task ? c : NULL;
}

/* What a task in the queue needs a core for. */
static enum core_use use_of(const struct machine *m, const struct task_run *t)
{
	if (t->place != PLACE_CPU)
		return CORE_SPIN;
	if (m->calls.of && calls_need_core(m, (uint32_t)(t - m->tasks)))
		return CORE_CALL;
	return m->cpu.launch_left && t->step->kind != SEGMENT_CPU ? CORE_LAUNCH : CORE_SEGMENT;
}

/* Completes the record of an interval in which no segment ran. */
RARE static void describe(const struct machine *m, const struct core *c, struct trace_record *r)
{
	const struct task_run *t = &m->tasks[c->running];
	r->span = c->use == CORE_LAUNCH        ? SPAN_LAUNCH
		  : c->use == CORE_SWITCH      ? SPAN_SWITCH
		  : c->use == CORE_CALL        ? SPAN_CALL
		  : m->plan.wait == WAIT_BOOST ? SPAN_BOOST
					       : SPAN_SPIN;
	if (t->place == PLACE_CPU) {
		if (m->calls.of && calls_need_core(m, c->running))
			calls_describe(m, c->running, r);
		return;
	}
	r->segment = (uint16_t)t->section_first;
	r->ready = t->spin_ready;
}

/* The running task stops running now. The caller takes it out of the queue, or leaves it there. What was
 * begun at this very instant, behind a switch, never was. */
static inline void segment_over(struct machine *m, struct core *c, enum span_end how)
{
	int64_t ran = m->sim.now - c->since;
	m->tasks[c->running].left -= ran;
	if (trace_wants(&m->trace, TRACE_SPAN) && ran > 0)
		machine_emit_span(m, c->running, RESOURCE_CPU, number_of(&m->cpu, c), c->since, how);
	sim_disarm(&m->sim, slot_of(m, c));
	c->running = NO_TASK;
}

/* The same for what is no segment. */
static void other_over(struct machine *m, struct core *c, enum span_end how)
{
	int64_t ran = m->sim.now - c->since;
	if (c->use == CORE_LAUNCH)
		m->cpu.launch_left[c->running] -= ran;
	else if (c->use == CORE_CALL)
		m->calls.left -= ran;
	else if (c->use == CORE_SWITCH && (c->switch_left -= ran) > 0 && how == SPAN_DONE)
		how = SPAN_PREEMPTED; /* what it was for is over, but the job goes on with it */
	if (trace_wants(&m->trace, TRACE_SPAN) && ran > 0)
		describe(m, c,
			machine_emit_span(m, c->running, RESOURCE_CPU, number_of(&m->cpu, c), c->since, how));
	if (c->use != CORE_SPIN)
		sim_disarm(&m->sim, slot_of(m, c));
	c->running = NO_TASK;
	c->use = CORE_SEGMENT;
}

static void interval_ends(struct machine *m, struct core *c, enum span_end how)
{
	if (m->cpu.on)
		m->cpu.on[c->running] = NO_CORE;
	if (c->use == CORE_SEGMENT)
		segment_over(m, c, how);
	else
		other_over(m, c, how);
}

void cpu_enter(struct machine *m, uint32_t task)
{
	struct task_run *t = &m->tasks[task];
	if (t->spinning)
		cpu_leave(m, task, SPAN_DONE);
	t->place = PLACE_CPU;
	m->cpu.changed = true;
	join(m, t, task);
}

void cpu_spin(struct machine *m, uint32_t task)
{
	struct task_run *t = &m->tasks[task];
	m->cpu.changed = true;
	t->spinning = true;
	t->section_first = t->segment;
	t->spin_ready = m->sim.now;
	if (m->plan.wait == WAIT_BOOST)
		join_in_front(m, t, task, BOOSTED);
	else
		join(m, t, task);
}

void cpu_leave(struct machine *m, uint32_t task, enum span_end how)
{
	struct core *c = core_with(m, task);
	m->cpu.changed = true;
	bool left = leave(m, &m->tasks[task], task);
	assert(left);
	(void)left;
	if (c)
		interval_ends(m, c, how);
	m->tasks[task].spinning = false;
}

/* A job that spins keeps its place in the queue. */
void cpu_launch(struct machine *m, uint32_t task)
{
	struct task_run *t = &m->tasks[task];
	struct core *c = core_with(m, task);
	if (c)
		interval_ends(m, c, SPAN_DONE);
	t->place = PLACE_CPU;
	m->cpu.changed = true;
	m->cpu.launch_left[task] = m->platform->overheads.launch_ns;
	if (!t->spinning)
		join(m, t, task);
}

/* ---- interrupts ---- */

static void begin_interrupt(struct machine *m, struct core *c)
{
	for (uint32_t i = 0; i < m->task_count && m->sim.now < m->stop_at; i++) {
		if (m->cpu.interrupts[i] == 0 || core_at(&m->cpu, m->tasks[i].core) != c)
			continue;
		c->interrupt = i;
		c->use = CORE_INTERRUPT;
		c->since = m->sim.now;
		sim_arm(&m->sim, slot_of(m, c), m->sim.now + m->platform->overheads.release_ns);
		return;
	}
}

/* The job that it is recorded with may be another one by now. */
RARE static void decision_ends(struct machine *m, struct core *c, struct trace_record *r)
{
	if (r) {
		r->span = SPAN_DECISION;
		r->job = c->decided_job;
		r->segment = 0;
		r->ready = c->since;
	}
	c->deciding = false;
	deciding_over(m);
}

static void interrupt_ends(struct machine *m, struct core *c, enum span_end how)
{
	uint32_t task = c->interrupt;
	struct trace_record *r = machine_span(m, task, RESOURCE_CPU, number_of(&m->cpu, c), c->since, how);
	sim_disarm(&m->sim, slot_of(m, c));
	m->last_end = m->sim.now;
	c->use = CORE_SEGMENT;
	if (c->deciding) {
		decision_ends(m, c, r);
		return;
	}
	if (r) {
		r->span = SPAN_RELEASE;
		r->job = m->tasks[task].released - m->cpu.interrupts[task];
		r->segment = 0;
		r->ready = c->since;
	}
	m->cpu.interrupts[task]--;
}

void cpu_decide(struct machine *m, uint32_t task, int64_t length)
{
	struct core *c = &m->cpu.first;
	m->cpu.changed = true;
	if (c->running != NO_TASK)
		interval_ends(m, c, SPAN_PREEMPTED);
	c->interrupt = task;
	c->deciding = true;
	c->decided_job = m->tasks[task].number;
	c->use = CORE_INTERRUPT;
	c->since = m->sim.now;
	sim_arm(&m->sim, SLOT_CPU, m->sim.now + length);
}

void cpu_interrupt(struct machine *m, uint32_t task)
{
	struct core *c = core_at(&m->cpu, m->tasks[task].core);
	m->cpu.changed = true;
	m->cpu.interrupts[task]++;
	if (c->use == CORE_INTERRUPT) {
		/* All take the same time: one that has begun at this instant can make way. */
		if (c->since == m->sim.now && task < c->interrupt)
			c->interrupt = task;
		return;
	}
	if (c->running != NO_TASK)
		interval_ends(m, c, SPAN_PREEMPTED);
	begin_interrupt(m, c);
}

bool cpu_interrupted(const struct machine *m)
{
	bool any = m->cpu.first.use == CORE_INTERRUPT;
	for (uint32_t i = 0; i + 1 < m->cpu.count; i++)
		any |= m->cpu.others[i].use == CORE_INTERRUPT;
	return any;
}

/* ---- completions ---- */

/* The job goes on on this core with what the switch was for, unless it is preempted at this instant. */
static void switch_ends(struct machine *m, struct core *c)
{
	uint32_t task = c->running;
	struct task_run *t = &m->tasks[task];
	interval_ends(m, c, SPAN_DONE);
	c->running = task;
	c->use = (uint8_t)use_of(m, t);
	c->since = m->sim.now;
	if (m->cpu.on)
		m->cpu.on[task] = (uint16_t)number_of(&m->cpu, c);
	if (c->use != CORE_SPIN && c->use != CORE_CALL)
		sim_arm(&m->sim, slot_of(m, c),
			m->sim.now + (c->use == CORE_LAUNCH ? m->cpu.launch_left[task] : t->left));
}

/* Something is over that is not a segment. */
RARE static void overhead_ends(struct machine *m, struct core *c)
{
	uint32_t task = c->use == CORE_INTERRUPT ? c->interrupt : c->running;
	struct task_run *t = &m->tasks[task];
	sim_mix(&m->sim, task);
	if (c->use == CORE_INTERRUPT) {
		interrupt_ends(m, c, SPAN_DONE);
		if (m->cpu.interrupts)
			begin_interrupt(m, c);
		return;
	}
	if (c->use == CORE_SWITCH) {
		switch_ends(m, c);
		return;
	}
	bool call = c->use == CORE_CALL;
	interval_ends(m, c, SPAN_DONE);
	if (!t->spinning)
		leave(m, t, task);
	if (call) {
		calls_over(m, task);
		return;
	}
	if (t->step->flies) {
		flights_launched(m, task);
		return;
	}
	t->launched = true;
	t->place = PLACE_READY;
	list_add(&m->ready, task);
}

/* With one queue for all cores the running task need not be the first of it. */
RARE static void take_out(struct machine *m, uint32_t task)
{
	queue_remove(&m->cpu.first.queue.queue, task);
	m->cpu.on[task] = NO_CORE;
}

void cpu_complete(struct machine *m, uint32_t core)
{
	struct core *c = core_at(&m->cpu, core);
	m->cpu.changed = true;
	if (c->use != CORE_SEGMENT) {
		overhead_ends(m, c);
		return;
	}
	uint32_t task = c->running;
	if (m->cpu.on)
		take_out(m, task);
	else if (m->cpu.by_rank)
		ranks_remove(&c->ranks, m->tasks[task].rank);
	else
		queue_pop(&c->queue.queue);
	sim_mix(&m->sim, task);
	segment_over(m, c, SPAN_DONE);
	assert(m->tasks[task].left == 0);
	jobs_advance(m, task);
}

/* ---- dispatch ---- */

/* Whether the task has to switch the core to its job, still or at all. */
RARE static bool switches(struct machine *m, struct core *c, uint32_t task)
{
	uint32_t job = m->tasks[task].number;
	if (c->last_task != task || c->last_job != job)
		c->switch_left = m->platform->overheads.switch_ns;
	c->last_task = task;
	c->last_job = job;
	return c->switch_left > 0;
}

/* The task has the core now, for a segment or another use. */
RARE static void begin_use(struct machine *m, struct core *c, uint32_t task)
{
	struct task_run *t = &m->tasks[task];
	int64_t left = t->left;
	c->use = (uint8_t)use_of(m, t);
	if (c->use != CORE_SPIN)
		jobs_started(m, t);
	if (m->platform->overheads.switch_ns > 0 && switches(m, c, task)) {
		c->use = CORE_SWITCH;
		left = c->switch_left;
	} else if (c->use == CORE_SPIN) {
		return;
	} else if (c->use == CORE_LAUNCH) {
		left = m->cpu.launch_left[task];
	} else if (c->use == CORE_CALL) {
		if (!m->calls.begun)
			return;
		left = m->calls.left;
	}
	sim_arm(&m->sim, slot_of(m, c), m->sim.now + left);
}

/* An idle core goes to a task of its queue. */
static inline void run_on(struct machine *m, struct core *c, uint32_t task)
{
	struct task_run *t = &m->tasks[task];
	c->running = task;
	c->since = m->sim.now;
	if (m->cpu.overheads) {
		begin_use(m, c, task);
		return;
	}
	if (t->spinning) {
		c->use = CORE_SPIN;
		return;
	}
	jobs_started(m, t);
	sim_arm(&m->sim, slot_of(m, c), m->sim.now + t->left);
}

static inline void dispatch(struct machine *m, struct core *c)
{
	uint32_t task = first_of(&m->cpu, c);
	if (task == c->running || c->use == CORE_INTERRUPT)
		return;
	if (c->running != NO_TASK)
		interval_ends(m, c, SPAN_PREEMPTED);
	if (task != NO_TASK)
		run_on(m, c, task);
}

/* How many of the queue run: as many as there are cores without an interrupt. */
static uint32_t first_of_all(struct machine *m)
{
	struct cpu *cpu = &m->cpu;
	uint32_t cores = 0, waiting = queue_length(&m->cpu.first.queue.queue);
	for (uint32_t i = 0; i < cpu->count; i++)
		cores += core_at(cpu, i)->use != CORE_INTERRUPT;
	return waiting < cores ? waiting : cores;
}

/* All cores serve one queue: who runs and is among the first keeps the core, the others of them take the idle
 * ones. */
static void dispatch_globally(struct machine *m)
{
	struct cpu *cpu = &m->cpu;
	const struct queue_entry *first = cpu->first.queue.queue.first;
	uint32_t most = first_of_all(m), idle = 0;
	for (uint32_t i = 0; i < most; i++)
		if (cpu->on[(uint32_t)first[i].who] != NO_CORE)
			core_at(cpu, cpu->on[(uint32_t)first[i].who])->goes_on = true;
	for (uint32_t i = 0; i < cpu->count; i++) {
		struct core *c = core_at(cpu, i);
		if (c->running != NO_TASK && !c->goes_on)
			interval_ends(m, c, SPAN_PREEMPTED);
		c->goes_on = false;
	}
	for (uint32_t i = 0; i < most; i++) {
		uint32_t task = (uint32_t)first[i].who;
		if (cpu->on[task] != NO_CORE)
			continue;
		while (core_at(cpu, idle)->running != NO_TASK || core_at(cpu, idle)->use == CORE_INTERRUPT)
			idle++;
		cpu->on[task] = (uint16_t)idle;
		run_on(m, core_at(cpu, idle), task);
	}
}

RARE static void dispatch_several(struct machine *m)
{
	if (m->cpu.on) {
		dispatch_globally(m);
		return;
	}
	for (uint32_t i = 0; i < m->cpu.count; i++)
		dispatch(m, core_at(&m->cpu, i));
}

/* ---- calls (calls.c) ---- */

/* Whether the core is at the task's job, or would be at once: then it asks for the lock of its call. */
static bool asks(const struct machine *m, const struct core *c, uint32_t task)
{
	if (task == NO_TASK || task == m->calls.owner || m->tasks[task].place != PLACE_CPU ||
		!calls_need_core(m, task))
		return false;
	return m->platform->overheads.switch_ns == 0 ||
	       (c->last_task == task && c->last_job == m->tasks[task].number && c->switch_left == 0);
}

uint32_t cpu_callers(struct machine *m, uint32_t *callers)
{
	struct cpu *cpu = &m->cpu;
	const struct queue *global = &cpu->first.queue.queue;
	uint32_t count = 0, most = cpu->on ? first_of_all(m) : 0;
	for (uint32_t i = 0; i < most; i++)
		if (asks(m, &cpu->first, (uint32_t)global->first[i].who))
			callers[count++] = (uint32_t)global->first[i].who;
	for (uint32_t i = 0; !cpu->on && i < cpu->count; i++) {
		const struct core *c = core_at(cpu, i);
		if (c->use != CORE_INTERRUPT && asks(m, c, queue_first(&c->queue.queue)))
			callers[count++] = queue_first(&c->queue.queue);
	}
	for (uint32_t i = 0; i < count; i++) {
		cpu_leave(m, callers[i], SPAN_DONE);
		m->tasks[callers[i]].place = PLACE_LOCK;
	}
	return count;
}

void cpu_enter_in_front(struct machine *m, uint32_t task)
{
	m->tasks[task].place = PLACE_CPU;
	m->cpu.changed = true;
	join_in_front(m, &m->tasks[task], task, WITH_LOCK);
}

bool cpu_calls(struct machine *m, uint32_t task)
{
	const struct core *c = core_with(m, task);
	return c && c->use == CORE_CALL;
}

void cpu_arm_call(struct machine *m, uint32_t task)
{
	sim_arm(&m->sim, slot_of(m, core_with(m, task)), m->sim.now + m->calls.left);
}

void cpu_dispatch(struct machine *m)
{
	if (m->cpu.count == 1)
		dispatch(m, &m->cpu.first);
	else
		dispatch_several(m);
	m->cpu.changed = false;
}

void cpu_stop(struct machine *m)
{
	for (uint32_t i = 0; i < m->cpu.count; i++) {
		struct core *c = core_at(&m->cpu, i);
		if (c->use == CORE_INTERRUPT)
			interrupt_ends(m, c, SPAN_STOPPED);
		else if (c->running != NO_TASK)
			interval_ends(m, c, SPAN_STOPPED);
	}
}
