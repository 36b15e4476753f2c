/* models/gate.c - the gate: units wait here until a policy admits them; see models/gate.h. */
#include "models/gate.h"

#include <assert.h>

#include "models/machine.h"
#include "models/plan.h"
#include "models/releases.h"

bool gate_init(struct machine *m)
{
	m->gate.machine = m;
	return gate_share_init(m, &m->gate);
}

bool gate_share_init(struct machine *m, struct gate *g)
{
	g->waits = arena_new(&m->arena, struct gate_wait, m->task_count);
	return g->waits && jobs_line_init(m, &g->waiting, m->plan.kernel_order);
}

/* For how long it has been empty, up to now. */
static int64_t empty_time(const struct gate *g)
{
	bool empty = g->admitted == 0 && !g->deciding.making;
	return g->empty + (empty ? g->machine->sim.now - g->empty_since : 0);
}

void gate_enter(struct machine *m, uint32_t task)
{
	struct task_run *t = &m->tasks[task];
	t->waits = true;
	if (m->plan.unit == GATE_SECTION_KERNELS)
		t->section_first = t->segment;
	if (m->devices.count > 0)
		m->devices.gate_of[task] = t->step->gpu;
	struct gate *g = gate_of(m, task);
	line_enter(m, &g->waiting, task);
	g->changed = true;
	struct gate_wait *w = &g->waits[task];
	w->since = m->sim.now;
	w->empty_before = empty_time(g);
	if (!w->came) {
		w->came = true;
		w->first_job = t->number;
		w->first_came = m->sim.now;
	}
}

static void stop_waiting(struct machine *m, uint32_t task)
{
	bool removed = queue_remove(&gate_of(m, task)->waiting.queue, task);
	assert(removed);
	(void)removed;
	m->tasks[task].waits = false;
}

/* The policy may have kept SMs for this unit; others may now have them. */
void gate_leave(struct machine *m, uint32_t task)
{
	struct gate *g = gate_of(m, task);
	stop_waiting(m, task);
	g->changed = true;
	g->waits[task].in_vain += empty_time(g) - g->waits[task].empty_before;
}

void gate_operation_ended(struct machine *m, uint32_t task, bool over)
{
	struct gate *g = gate_of(m, task);
	g->changed = true;
	if (m->plan.unit != GATE_KERNEL && !over)
		return;
	assert(g->admitted > 0 && m->tasks[task].admitted);
	g->admitted--;
	g->empty_since = m->sim.now;
	m->tasks[task].admitted = false;
	if (m->devices.chosen)
		devices_home(m, task);
}

void gate_settle(struct machine *m)
{
	if (plan_decision_costs(&m->plan)) {
		deciding_settle(m);
		return;
	}
	m->gate.changed = false;
	m->plan.decide(&m->gate, m->plan.state);
}

void gate_shut(struct machine *m, bool making)
{
	struct gate *g = &m->gate;
	if (making)
		g->empty = empty_time(g);
	else
		g->empty_since = m->sim.now;
}

void gate_woken(struct machine *m)
{
	sim_disarm(&m->sim, m->slot_wake + m->gate.gpu);
	m->gate.changed = true;
	if (m->sim.now < m->stop_at)
		m->gate.in_vain = true;
	else
		m->gate.planned = true;
}

/* ---- whether everybody is served ---- */

/* Whether the task's unit waits at the gate that is shown, or was admitted there. */
static bool is_here(const struct machine *m, uint32_t task)
{
	const struct devices *d = &m->devices;
	return d->count == 0 || d->chosen || d->gate_of[task] == d->shown;
}

static bool waits_here(const struct machine *m, uint32_t task)
{
	return m->tasks[task].waits && is_here(m, task);
}

/* How long a task may wait at an empty gate: a period, in which a policy that wants to see the next job can
 * do so, and a relative deadline. */
static int64_t patience(const struct machine *m, uint32_t task)
{
	const struct task *t = m->tasks[task].task;
	int64_t longest = t->period_ns > t->deadline_ns ? t->period_ns : t->deadline_ns;
	return longest > 0 ? longest : m->setup->horizon_ns / 2;
}

/* A task that came, and was never let in, though there was nothing in its way for so long. Work-conserving
 * policies never let anybody wait at an empty gate. To leave jobs to their removal at the deadline is a
 * policy's right, unless it does so with all jobs of the run. */
static bool is_never_let_in(const struct machine *m, uint32_t task, bool nobody, int64_t *waited)
{
	const struct gate_wait *w = &m->gate.waits[task];
	bool waits = waits_here(m, task);
	*waited = (nobody ? w->in_vain : 0) + (waits ? empty_time(&m->gate) - w->empty_before : 0);
	return w->came && !w->let_in && *waited > patience(m, task);
}

/* Beyond the horizon nothing comes that a policy could wait for. It may wait for an instant of its own, but
 * not for half of the time that is left to the limit. */
static bool waits_to_the_limit(const struct machine *m, uint32_t task)
{
	const struct gate_wait *w = &m->gate.waits[task];
	int64_t now = m->sim.now, horizon = m->setup->horizon_ns, waited = now - w->since;
	return m->setup->stop == STOP_DRAINED && waits_here(m, task) && m->gate.admitted == 0 &&
	       empty_time(&m->gate) - w->empty_before == waited && waited > patience(m, task) &&
	       waited >= horizon && waited >= (now - horizon) / 2;
}

/* A policy may have planned what it admits, and asked to be called when it will: behind the end of the run,
 * where it has planned more than there is time for. But not if it has admitted nobody, or asks again and
 * again. (A timetable that was made before the run, as by sbeet with `offline: true`, may have an instant for
 * each job at which that is removed already: plan.planned_ahead.) */
static bool has_plans(const struct machine *m)
{
	return m->plan.wakes && !m->gate.in_vain &&
	       (m->gate.planned || sim_armed_at(&m->sim, m->slot_wake + m->gate.gpu) != SIM_NEVER);
}

void gate_judge(struct machine *m)
{
	bool gated = m->plan.unit != GATE_OPEN && !m->plan.planned_ahead, nobody = true;
	for (uint32_t i = 0; gated && i < m->task_count; i++)
		nobody = nobody && !m->gate.waits[i].let_in;
	gated = gated && (nobody || !has_plans(m));
	for (uint32_t i = 0; gated && i < m->task_count; i++) {
		const struct gate_wait *w = &m->gate.waits[i];
		int64_t waited;
		if (is_never_let_in(m, i, nobody, &waited))
			machine_fault(m,
				"has never admitted task '%s': its job %u came to the gate at %lld ns, "
				"and for %lld ns nothing was admitted while the task waited",
				m->set->tasks[i].name, w->first_job, (long long)w->first_came,
				(long long)waited);
		else if (waits_to_the_limit(m, i))
			machine_fault(m,
				"lets job %u of task '%s' wait at the gate for ever, since %lld ns: "
				"nothing was admitted up to the limit of the clock",
				m->tasks[i].number, m->set->tasks[i].name, (long long)w->since);
	}
}

/* ---- for policies ---- */

int64_t gate_now(const struct gate *g)
{
	return g->machine->sim.now;
}

int64_t gate_asked(const struct gate *g)
{
	return plan_decision_costs(&g->machine->plan) ? g->deciding.asked : g->machine->sim.now;
}

/* After a fault the policy sees an empty gate, so that its loops end. */
uint32_t gate_waiting(const struct gate *g)
{
	return g->machine->fault.status == STATUS_OK ? queue_length(&g->waiting.queue) : 0;
}

uint32_t gate_admitted(const struct gate *g)
{
	return g->machine->fault.status == STATUS_OK ? g->admitted : UINT32_MAX;
}

bool gate_is_admitted(const struct gate *g, uint32_t task)
{
	const struct machine *m = g->machine;
	return task < m->task_count && m->tasks[task].admitted && is_here(m, task);
}

bool gate_next_release(const struct gate *g, uint32_t task, struct gate_release *r)
{
	const struct machine *m = g->machine;
	if (task >= m->task_count || r->jobs >= m->tasks[task].released ||
		m->tasks[task].rule->kind == RELEASE_AFTER)
		return false;
	const struct task_run *t = &m->tasks[task];
	r->at = r->jobs > 0 ? release_next(m->setup, t->rule, t->task, task, r->jobs, r->at)
			    : release_first(m->setup, t->rule, t->task, task);
	r->jobs++;
	return true;
}

/* With `ties: lower-first` the units that began to wait before now come first. Those that began now follow,
 * in reverse order. */
static const struct queue_entry *lower_first(const struct gate *g, uint32_t i)
{
	const struct queue *q = &g->waiting.queue;
	int64_t now = g->machine->sim.now;
	uint32_t before = 0;
	for (const struct queue_entry *e = q->first; e < q->end; e++)
		if (e->entered < now && before++ == i)
			return e;
	uint32_t of_now = 0;
	for (const struct queue_entry *e = q->end; e-- > q->first;)
		if (e->entered == now && of_now++ == i - before)
			return e;
	return q->first;
}

struct gate_unit_view gate_unit(const struct gate *g, uint32_t i)
{
	struct machine *m = g->machine;
	if (i >= gate_waiting(g)) {
		machine_fault(m, "asks for waiting unit %u of %u", i, gate_waiting(g));
		return (struct gate_unit_view){.task = NO_TASK};
	}
	const struct queue_entry *e = g->waiting.lower_first ? lower_first(g, i) : g->waiting.queue.first + i;
	uint32_t task = (uint32_t)e->who;
	struct operation op = jobs_operation(m, task);
	return (struct gate_unit_view){
		.task = task,
		.job = op.job,
		.segment = op.segment,
		.ready = e->entered,
		.deadline = op.deadline,
		.section_deadline = op.section_deadline,
	};
}

/* An operation that is at the gate is issued now. One that has not reached the gate yet will pass it at
 * once. */
static void let_pass(struct machine *m, uint32_t task)
{
	struct task_run *t = &m->tasks[task];
	t->waits = false;
	t->admitted = true;
	m->gate.empty = empty_time(&m->gate);
	m->gate.admitted++;
	m->gate.in_vain = false;
	m->gate.waits[task].let_in = true;
	if (t->place == PLACE_GATE)
		list_add(&m->issue, task);
}

uint32_t gate_admit_next(struct gate *g)
{
	struct machine *m = g->machine;
	if (gate_waiting(g) == 0) {
		machine_fault(m, "admits a unit when none is waiting");
		return NO_TASK;
	}
	uint32_t task = line_take(m, &g->waiting);
	if (m->plan.grants_at_run_time)
		gpu_grant(m, task, NULL);
	let_pass(m, task);
	return task;
}

/* Takes the task's unit out of the gate; false if none waits there. */
static bool take(struct gate *g, uint32_t task)
{
	struct machine *m = g->machine;
	if (task < m->task_count && waits_here(m, task)) {
		stop_waiting(m, task);
		return true;
	}
	if (task < m->task_count)
		machine_fault(
			m, "admits a unit of task '%s', which has none waiting", m->set->tasks[task].name);
	else
		machine_fault(m, "admits a unit of task %u of %u", task, m->task_count);
	return false;
}

void gate_admit(struct gate *g, uint32_t task)
{
	struct machine *m = g->machine;
	if (!take(g, task))
		return;
	if (m->plan.grants_at_run_time)
		gpu_grant(m, task, NULL);
	let_pass(m, task);
}

static bool grant_fits(struct machine *m, uint32_t task, uint32_t sms, const struct grant *grant)
{
	const char *name = task < m->task_count ? m->set->tasks[task].name : "?";
	if (!m->plan.grants_at_run_time)
		machine_fault(m, "grants SMs at run time, but its plan does not say grants_at_run_time");
	else if (task < m->task_count && m->plan.grants && m->plan.grants[task].count > 0)
		machine_fault(m,
			"grants task '%s' SMs at run time, but its plan gave it some for all of the run",
			name);
	else if (!grant || !grant->sm)
		machine_fault(m, "grants task '%s' no SMs: %s is NULL", name, grant ? "grant->sm" : "grant");
	else if (grant->count == 0 || grant->count > sms)
		machine_fault(m, "grants task '%s' %u SMs of %u", name, grant->count, sms);
	for (uint32_t i = 0; m->fault.status == STATUS_OK && i < grant->count; i++) {
		if (grant->sm[i] >= sms || (i > 0 && grant->sm[i] <= grant->sm[i - 1]))
			machine_fault(m,
				"grants task '%s' SM %u, which is not there or not in ascending order", name,
				grant->sm[i]);
		else if (grant->slots && (grant->slots[i] == 0 || grant->slots[i] > m->plan.virtual_sms))
			machine_fault(m, "grants task '%s' %u of the %u virtual SMs of an SM", name,
				grant->slots[i], m->plan.virtual_sms);
	}
	return m->fault.status == STATUS_OK;
}

void gate_admit_on(struct gate *g, uint32_t task, const struct grant *grant)
{
	struct machine *m = g->machine;
	uint32_t gpu = task < m->task_count ? m->tasks[task].step->gpu : 0;
	if (!grant_fits(m, task, platform_gpu(m->devices.all, gpu)->sms, grant) || !take(g, task))
		return;
	gpu_grant(m, task, grant);
	let_pass(m, task);
}

uint32_t gate_gpu(const struct gate *g)
{
	return g->gpu;
}

void gate_admit_gpu(struct gate *g, uint32_t task, uint32_t gpu, const struct grant *grant)
{
	struct machine *m = g->machine;
	uint32_t gpus = platform_gpus(m->devices.all);
	if (m->plan.gpus != GPUS_CHOSEN)
		machine_fault(m, "chooses a GPU, but its plan does not say GPUS_CHOSEN");
	else if (gpu >= gpus)
		machine_fault(m, "chooses GPU %u of %u, counted from 0", gpu, gpus);
	else if ((!grant || grant_fits(m, task, platform_gpu(m->devices.all, gpu)->sms, grant)) &&
		 take(g, task)) {
		devices_choose(m, task, gpu);
		if (m->plan.grants_at_run_time)
			gpu_grant(m, task, grant);
		let_pass(m, task);
	}
}

void gate_wake(struct gate *g, int64_t at)
{
	struct machine *m = g->machine;
	if (!m->plan.wakes || at <= m->sim.now)
		machine_fault(m, m->plan.wakes ? "asks to be woken, but not later than now"
					       : "asks to be woken, but its plan does not say wakes");
	else if (at < sim_armed_at(&m->sim, m->slot_wake + g->gpu))
		sim_arm(&m->sim, m->slot_wake + g->gpu, at);
}

/* Whether a segment and the one behind it are of one GPU section. */
static bool goes_on(const struct task_run *t, uint32_t segment)
{
	return segment + 1 < t->step_count && t->steps[segment + 1].kind != SEGMENT_CPU &&
	       t->steps[segment + 1].section == t->steps[segment].section;
}

/* The unit's first kernel, counted from the job's current segment; if only copies are left of its section
 * (its kernels had length zero), the last of them. */
static uint16_t first_kernel(const struct task_run *t)
{
	uint32_t segment = t->segment;
	while (t->steps[segment].kind == SEGMENT_COPY && goes_on(t, segment))
		segment++;
	return (uint16_t)segment;
}

void gate_weigh(struct gate *g, uint32_t task, const struct gate_weighed *weighed)
{
	struct machine *m = g->machine;
	if (!trace_wants(&m->trace, TRACE_DECISION) || task >= m->task_count || !m->tasks[task].active)
		return;
	struct trace_record *r = trace_emit(&m->trace);
	r->kind = TRACE_DECISION;
	r->time = m->sim.now;
	r->ready = gate_asked(g);
	r->start = weighed->kernel_end;
	r->value = weighed->energy_uwns;
	r->task = task;
	r->job = m->tasks[task].number;
	r->segment = first_kernel(&m->tasks[task]);
	r->m = weighed->sms;
	r->gpu = (m->devices.chosen ? weighed->gpu : g->gpu) & TRACE_GPU;
	r->how = (uint8_t)((weighed->feasible ? 1 : 0) | (weighed->chosen ? 2 : 0));
}
