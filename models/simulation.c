/* models/simulation.c - puts a machine together and drives it: slots and phases, what happens at the
 * end of an instant, and the end of a run (docs/model.md, "Time and order"). */
#include "models/simulation.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "models/again.h"
#include "models/machine.h"
#include "models/plan.h"
#include "sim/digest.h"

struct simulation {
	struct machine machine;
	struct simulation_outcome outcome;
	enum simulation_state state;
	int64_t until;
	struct again *again; /* NULL: it cannot begin again, or only from the start */
};

void machine_fault(struct machine *m, const char *fmt, ...)
{
	char what[256];
	va_list args;
	va_start(args, fmt);
	vsnprintf(what, sizeof(what), fmt, args);
	va_end(args);
	if (m->fault.status == STATUS_OK)
		error_set(&m->fault, STATUS_INPUT, "policy '%s' at %lld ns %s", m->policy->name,
			(long long)m->sim.now, what);
	sim_halt(&m->sim);
}

/* ---- an instant ---- */

RARE static void deliver_rest(struct machine *m, uint32_t slot)
{
	if (slot < m->slot_device)
		cpu_complete(m, slot - m->slot_core + 1);
	else
		jobs_delayed(m, slot - m->slot_delay);
}

/* Slots in the order of the phases: completions (core 0, GPU, copies, other cores), delays, releases,
 * deadlines. */
static void deliver(void *self, uint32_t slot)
{
	struct machine *m = self;
	if (slot == SLOT_CPU)
		cpu_complete(m, 0);
	else if (slot == SLOT_GPU)
		gpu_complete(m);
	else if (slot == SLOT_COPY) /* a slot that the compiler knows is disarmed in fewer steps */
		copies_complete(m, 0);
	else if (slot < m->slot_core)
		copies_complete(m, slot - SLOT_COPY);
	else if (slot < m->slot_release)
		deliver_rest(m, slot);
	else if (slot < m->slot_deadline)
		jobs_release(m, slot - m->slot_release);
	else if (slot < m->slot_wake)
		jobs_deadline(m, slot - m->slot_deadline);
	else if (slot < m->slot_context)
		gate_woken(m);
	else if (slot < m->slot_decision)
		contexts_switched(m);
	else
		deciding_over(m);
}

/* Is it a copy in front of the first kernel of a section of which only the kernels wait at the gate? */
SELDOM static bool goes_ahead(const struct machine *m, const struct task_run *t)
{
	if (m->plan.unit != GATE_SECTION_KERNELS)
		return false;
	for (uint32_t i = t->section_first; i <= t->segment; i++)
		if (t->steps[i].kind == SEGMENT_KERNEL)
			return false;
	return true;
}

/* Of a ready operation: a call and its launch come first, then its job spins. False: one of them does. */
static bool leaves_core(struct machine *m, uint32_t task)
{
	struct task_run *t = &m->tasks[task];
	if (m->calls.of && !calls_pass(m, task))
		return false;
	if (m->cpu.launch_left && !t->launched) {
		cpu_launch(m, task);
		return false;
	}
	t->launched = false;
	if (m->plan.wait != WAIT_SUSPEND && !t->spinning)
		cpu_spin(m, task);
	return true;
}

/* An asynchronous operation: to be launched by its job, or issued. */
RARE static void route_flight(struct machine *m, uint32_t run)
{
	if (run < m->task_count)
		cpu_launch(m, run);
	else
		streams_issue(m, run);
}

/* Sends a ready operation of the GPU or a copy engine to the gate, or its stream. */
static void route_operation(struct machine *m, uint32_t task)
{
	struct task_run *t = &m->tasks[task];
	const struct step *step = t->step;
	if (step->flies) {
		route_flight(m, task);
		return;
	}
	if (m->cpu.operations && !leaves_core(m, task))
		return;
	if (step->gated && !t->admitted) {
		if (!t->waits)
			gate_enter(m, task);
		if (!goes_ahead(m, t)) {
			t->place = PLACE_GATE;
			return;
		}
	}
	if (m->plan.unit == GATE_OPEN)
		streams_issue(m, task);
	else
		list_add(&m->issue, task);
}

/* Sends what is ready to its core, or on its way to its resource. */
static void route(struct machine *m, uint32_t task)
{
	if (m->tasks[task].step->kind == SEGMENT_CPU)
		cpu_enter(m, task);
	else if (m->straight)
		streams_enter(m, task);
	else
		route_operation(m, task);
}

/* Calls `on` for each task of a list, and empties the list. */
static inline void pass(struct machine *m, struct task_list *l, void (*on)(struct machine *m, uint32_t task))
{
	if (l->count == 0)
		return;
	uint32_t i = 0;
	do
		on(m, l->task[i]);
	while (++i < l->count);
	l->count = 0;
}

/* The stages between being ready and the queue of a resource: the gate, and streams that tasks share. */
SELDOM static void settle_stages(struct machine *m)
{
	if (m->gate.changed || m->gate.deciding.made)
		gate_settle(m);
	pass(m, &m->issue, streams_issue);
	if (m->streams.changed)
		streams_settle(m);
	pass(m, &m->eligible, streams_enter);
}

static void into_contexts(struct machine *m)
{
	pass(m, &m->issue, streams_issue);
	if (m->streams.changed)
		streams_settle(m);
	pass(m, &m->eligible, contexts_enter);
}

/* With contexts decide() comes behind the streams: it sees whose operations are eligible. */
static void settle_contexts(void *self)
{
	struct machine *m = self;
	if (m->sim.now >= m->stop_at)
		return;
	pass(m, &m->ready, route);
	into_contexts(m);
	if (m->calls.of)
		calls_dispatch(m);
	contexts_arrive(m);
	if (m->gate.changed)
		gate_settle(m);
	into_contexts(m);
	contexts_change(m);
	cpu_dispatch(m);
	bool drains = m->contexts.change == CHANGE_DRAIN;
	if (!m->contexts.copies || !drains)
		copies_dispatch(m);
	if (m->contexts.copies && !drains)
		copies_begin(m);
	if (m->gpu.changed && !drains)
		gpu_dispatch(m);
}

static void settle(void *self)
{
	struct machine *m = self;
	if (m->sim.now >= m->stop_at)
		return;
	pass(m, &m->ready, route);
	if (m->staged)
		settle_stages(m);
	if (m->cpu.changed)
		cpu_dispatch(m);
	copies_dispatch(m);
	if (m->gpu.changed)
		gpu_dispatch(m);
}

static const struct sim_model machine_model = {.deliver = deliver, .settle = settle};
static const struct sim_model contexts_model = {.deliver = deliver, .settle = settle_contexts};

/* ---- an instant, with several GPUs (models/devices.c) ---- */

static void deliver_several(void *self, uint32_t slot)
{
	struct machine *m = self;
	if (slot == SLOT_GPU)
		devices_ended(m);
	else if (slot >= m->slot_device && slot < m->slot_delay)
		devices_copied(m, slot);
	else if (slot >= m->slot_wake && slot < m->slot_context)
		devices_woken(m, slot - m->slot_wake);
	else
		deliver(self, slot);
}

static void settle_several(void *self)
{
	struct machine *m = self;
	if (m->sim.now >= m->stop_at)
		return;
	pass(m, &m->ready, route);
	devices_decide(m);
	pass(m, &m->issue, streams_issue);
	if (m->streams.changed)
		streams_settle(m);
	pass(m, &m->eligible, devices_enter);
	cpu_dispatch(m);
	devices_dispatch(m);
}

static const struct sim_model several_model = {.deliver = deliver_several, .settle = settle_several};

/* ---- making a machine ---- */

static bool list_init(struct machine *m, struct task_list *l)
{
	l->task = arena_new(&m->arena, uint32_t, m->run_count);
	l->who = m->flights.who;
	return l->task != NULL;
}

static bool make_engine(struct machine *m, struct error *err)
{
	const struct overheads *o = &m->platform->overheads;
	bool delays = o->latency_ns > 0 || o->gap_ns > 0 || o->sync_ns > 0;
	m->slot_core = SLOT_COPY + copies_slots(m->platform, m->run_count);
	m->slot_device = m->slot_core + m->platform->cores - 1;
	m->slot_delay = m->slot_device + devices_slots(m);
	m->slot_release = m->slot_delay + (delays ? m->run_count : 0);
	m->slot_deadline = m->slot_release + m->task_count;
	m->slot_wake = m->slot_deadline + (m->setup->on_miss == MISS_CONTINUE ? 0 : m->task_count);
	uint32_t gates = m->devices.count > 0 && !m->devices.chosen ? m->devices.count : 1;
	m->slot_context = m->slot_wake + (m->plan.wakes ? gates : 0);
	m->slot_decision = m->slot_context + (m->plan.contexts != CONTEXTS_NONE ? 1 : 0);
	uint32_t slots =
		m->slot_decision + (plan_decision_costs(&m->plan) && !m->plan.decision.on_core ? 1 : 0);
	const struct sim_model *model = m->devices.count > 0    ? &several_model
					: m->contexts.count > 0 ? &contexts_model
								: &machine_model;
	if (!sim_init(&m->sim, &m->arena, slots, m->stop_at, model, m, err))
		return false;
	if (!list_init(m, &m->ready) || !list_init(m, &m->issue) || !list_init(m, &m->eligible))
		return error_memory(err, "the engine");
	return true;
}

static bool make_machine(struct machine *m, const struct policy *policy, struct error *err)
{
	if (!plan_create(m->platform, m->set, m->setup, policy, &m->params, &m->arena, &m->plan, err))
		return false;
	if (m->plan.refused)
		return true;
	if (!devices_init(m, err) || !contexts_init(m, err) || !steps_make(m, err) || !make_engine(m, err))
		return false;
	if (!cpu_init(m) || !copies_init(m) || !streams_init(m) || !gate_init(m) || !calls_init(m))
		return error_memory(err, "the platform");
	m->staged = m->plan.unit != GATE_OPEN || !m->streams.direct;
	m->straight = !m->staged && !m->cpu.operations && !m->flights.any;
	if (m->platform->sms > 0 && (!gpu_init(m, err) || !programs_init(m, err)))
		return false;
	return contexts_share(m, err) && devices_share(m, err) && jobs_init(m, err) && jobs_begin(m, err);
}

/* What the setup says of the end, before the machine is made. */
static void set_end(struct simulation *s)
{
	const struct run_setup *setup = s->machine.setup;
	s->until = s->machine.stop_at = setup->stop == STOP_HORIZON ? setup->horizon_ns : setup->limit_ns;
}

/* The machine is made: it runs, unless the policy has refused the set. */
static void set_state(struct simulation *s)
{
	s->state = s->machine.plan.refused ? SIMULATION_ENDED : SIMULATION_RUNNING;
	s->outcome = (struct simulation_outcome){0};
	if (s->machine.plan.refused)
		s->outcome.energy_end_ns = s->machine.setup->horizon_ns;
}

bool simulation_create(const struct platform *platform, const struct taskset *set,
	const struct run_setup *setup, const struct policy *policy, const struct params *params,
	struct simulation **simulation, struct error *err)
{
	struct simulation *s = calloc(1, sizeof(*s));
	if (!s)
		return error_memory(err, "a simulation");
	struct machine *m = &s->machine;
	m->platform = platform;
	m->set = set;
	m->setup = setup;
	m->policy = policy;
	m->task_count = set->task_count;
	if (params)
		m->params = *params;
	else
		params_default(&m->params, policy->options);
	set_end(s);
	bool traced = trace_init(&m->trace) || error_memory(err, "the trace");
	if (!traced || !make_machine(m, policy, err)) {
		simulation_destroy(s);
		return false;
	}
	set_state(s);
	*simulation = s;
	return true;
}

bool simulation_keep(struct simulation *s, struct error *err)
{
	if (!again_serves(&s->machine))
		return true;
	s->again = again_create(&s->machine);
	return s->again || error_memory(err, "a simulation");
}

/* Makes the machine from the start, in place. */
static bool make_anew(struct machine *m, struct error *err)
{
	programs_finish(m);
	arena_finish(&m->arena);
	*m = (struct machine){
		.platform = m->plan.platform,
		.set = m->set,
		.setup = m->setup,
		.policy = m->policy,
		.task_count = m->set->task_count,
		.params = m->params,
		.trace = m->trace,
		.stop_at = m->stop_at,
	};
	return make_machine(m, m->policy, err);
}

bool simulation_again(struct simulation *s, struct error *err)
{
	struct machine *m = &s->machine;
	trace_restart(&m->trace);
	set_end(s);
	s->state = SIMULATION_FAILED;
	if (!(s->again ? again_begin(s->again, m, err) : make_anew(m, err)))
		return false;
	set_state(s);
	return true;
}

void simulation_destroy(struct simulation *s)
{
	if (!s)
		return;
	again_destroy(s->again);
	programs_finish(&s->machine);
	trace_finish(&s->machine.trace);
	arena_finish(&s->machine.arena);
	free(s);
}

const struct plan *simulation_plan(const struct simulation *s)
{
	return &s->machine.plan;
}

struct trace *simulation_trace(struct simulation *s)
{
	return &s->machine.trace;
}

/* ---- running it ---- */

bool machine_jobs_left(const struct machine *m)
{
	for (uint32_t i = 0; i < m->task_count; i++)
		if (m->tasks[i].active || m->tasks[i].waiting > 0)
			return true;
	return false;
}

/* The unit that has waited at a gate longest; NULL: none waits. */
static const struct queue_entry *longest_at_gate(const struct machine *m)
{
	const struct queue_entry *longest = NULL;
	for (uint32_t g = 0; g == 0 || g < m->devices.count; g++) {
		const struct queue *q = &devices_gate_at(m, g)->waiting.queue;
		for (const struct queue_entry *e = q->first; m->plan.unit != GATE_OPEN && e < q->end; e++)
			if (!longest || e->entered < longest->entered ||
				(e->entered == longest->entered && (uint32_t)e->who < (uint32_t)longest->who))
				longest = e;
	}
	return longest;
}

static uint32_t longest_ready(const struct machine *m)
{
	uint32_t longest = NO_TASK;
	for (uint32_t i = 0; i < m->task_count; i++)
		if (m->tasks[i].active && (longest == NO_TASK || m->tasks[i].ready < m->tasks[longest].ready))
			longest = i;
	return longest;
}

/* Ends the run with an error if jobs are left and no event is pending: no release, completion, deadline, or
 * call that the policy asked for. Only runs that go on until all jobs have ended can get there. The jobs
 * would wait for ever: at the gate, or for an SM, where blocks are larger than the policy's own virtual
 * SMs. */
SELDOM static void fault_if_stuck(struct machine *m)
{
	if (m->setup->stop != STOP_DRAINED || m->sim.now >= m->stop_at || !machine_jobs_left(m))
		return;
	const struct queue_entry *e = longest_at_gate(m);
	uint32_t task = e ? (uint32_t)e->who : longest_ready(m);
	const char *where = e ? "at the gate" : holds_gpu(m, task) ? "for room on an SM" : "for the GPU";
	machine_fault(m, "lets job %u of task '%s' wait %s for ever, since %lld ns: nothing else will happen",
		m->tasks[task].number, m->tasks[task].task->name, where,
		(long long)(e ? e->entered : m->tasks[task].ready));
}

/* The same where the clock stops, though events are pending: a kernel waits for room on an empty GPU, or a
 * task is never admitted. */
static void fault_of_gpu(struct machine *m)
{
	uint32_t task = m->platform->sms > 0 ? gpu_stuck(m) : NO_TASK;
	if (task != NO_TASK)
		machine_fault(m,
			"lets job %u of task '%s' wait for room on an SM for ever, since %lld ns: the GPU is "
			"empty",
			m->tasks[task].number, m->tasks[task].task->name, (long long)m->tasks[task].ready);
	if (!m->devices.chosen || m->devices.shown == 0)
		gate_judge(m);
}

SELDOM static void fault_if_unserved(struct machine *m)
{
	devices_each(m, fault_of_gpu);
}

static void stop_gpu(struct machine *m)
{
	copies_stop(m);
	if (m->platform->sms > 0)
		gpu_stop(m);
}

/* Ends the run at S, and reports what has not ended. */
static void stop(struct simulation *s)
{
	struct machine *m = &s->machine;
	bool left = machine_jobs_left(m);
	bool cut = m->setup->limit_ns < m->setup->horizon_ns;
	bool over = !left && !cut && !cpu_interrupted(m) && m->contexts.change != CHANGE_SWITCH;
	int64_t end = m->setup->stop == STOP_DRAINED && over ? m->last_end : s->until;

	m->sim.now = end;
	cpu_stop(m);
	devices_each(m, stop_gpu);
	contexts_stop(m);
	jobs_stop(m, end);
	trace_flush(&m->trace);
	s->outcome = (struct simulation_outcome){
		.end_ns = end,
		.energy_end_ns = end > m->setup->horizon_ns ? end : m->setup->horizon_ns,
		.truncated = (left || cut) && m->setup->stop == STOP_DRAINED,
		.events = m->sim.events,
		.events_digest = m->sim.digest,
		.digest = digest_of_schedule(m->sim.digest, m->jobs_digest),
		.jobs = m->jobs,
		.misses = m->misses,
	};
}

/* All that an event does in an untraced run is inlined into this one loop. */
__attribute__((flatten, noinline)) static enum sim_stop run(
	struct machine *m, int64_t until, uint64_t max_events)
{
	return sim_run_model(&m->sim, &machine_model, m, until, max_events);
}

static enum sim_stop run_contexts(struct machine *m, int64_t until, uint64_t max_events)
{
	return sim_run_model(&m->sim, &contexts_model, m, until, max_events);
}

static enum sim_stop run_several(struct machine *m, int64_t until, uint64_t max_events)
{
	return sim_run_model(&m->sim, &several_model, m, until, max_events);
}

/* Instant by instant: in between the SMs run on, up to the next event or the first end of a block. */
static enum sim_stop run_programs(struct machine *m, int64_t until, uint64_t max_events)
{
	uint64_t most = max_events;
	for (;;) {
		int64_t next = sim_next(&m->sim);
		bool runs = m->programs.resident > 0;
		if (runs && !programs_run(m, next < until ? next : until, &most))
			return SIM_BUDGET;
		next = sim_next(&m->sim);
		if (next > until)
			return next == SIM_NEVER && !runs ? SIM_DRAINED : SIM_UNTIL;
		enum sim_stop why = run(m, next, UINT64_MAX / 2);
		if (why == SIM_HALTED)
			return why;
		if (--most == 0 || most > max_events)
			return SIM_BUDGET;
	}
}

static enum sim_stop run_any(struct machine *m, int64_t until, uint64_t max_events)
{
	return m->programs.insides     ? run_programs(m, until, max_events)
	       : m->devices.count > 0  ? run_several(m, until, max_events)
	       : m->contexts.count > 0 ? run_contexts(m, until, max_events)
				       : run(m, until, max_events);
}

enum simulation_state simulation_step(struct simulation *s, uint64_t max_events)
{
	struct machine *m = &s->machine;
	if (s->state != SIMULATION_RUNNING)
		return s->state;
	enum sim_stop why = run_any(m, s->until, max_events);
	if (why == SIM_DRAINED)
		fault_if_stuck(m);
	if ((why == SIM_DRAINED || why == SIM_UNTIL) && m->fault.status == STATUS_OK) {
		if (m->setup->stop == STOP_HORIZON || machine_jobs_left(m))
			m->sim.now = s->until;
		fault_if_unserved(m);
	}
	if ((why == SIM_DRAINED || why == SIM_UNTIL) && m->fault.status == STATUS_OK) {
		stop(s);
		s->state = SIMULATION_ENDED;
	}
	if (m->trace.failed || m->fault.status != STATUS_OK)
		s->state = SIMULATION_FAILED;
	return s->state;
}

const struct error *simulation_error(const struct simulation *s)
{
	return s->machine.fault.status == STATUS_OK ? NULL : &s->machine.fault;
}

double simulation_progress(const struct simulation *s)
{
	if (s->state != SIMULATION_RUNNING)
		return 1;
	double done = (double)s->machine.sim.now / (double)s->machine.setup->horizon_ns;
	return done > 1 ? 1 : done;
}

uint64_t simulation_events(const struct simulation *s)
{
	return s->machine.sim.events;
}

struct simulation_outcome simulation_outcome(const struct simulation *s)
{
	assert(s->state == SIMULATION_ENDED);
	return s->outcome;
}
