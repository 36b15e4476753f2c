/* tests/oracle/offline.c - sbeet with a schedule made beforehand (docs/policies.md, "sbeet", `offline:
 * true`). The oracle first runs once without contention and with worst-case times; what it admits there is
 * the plan. */
#include "tests/oracle/oracle_internal.h"

/* The first segment of the GPU section as the scenario writes it: drawn lengths of zero do not move it. */
static uint32_t section_start(const struct oracle *o, uint32_t task, uint32_t segment)
{
	const struct task *t = &o->set->tasks[task];
	while (segment > 0 && t->segments[segment - 1].kind != SEGMENT_CPU)
		segment--;
	return segment;
}

void oracle_note_planned(struct oracle *o, uint32_t task, const struct oracle_grant *grant)
{
	const struct task_state *t = &o->tasks[task];
	o->plan = oracle_grow(o->plan, o->plan_count, sizeof(*o->plan));
	o->plan[o->plan_count++] = (struct planned){
		.task = task,
		.job = t->jobs[t->current].seq,
		.segment = section_start(o, task, t->unit_first),
		.time = o->now,
		.grant = *grant,
	};
}

/* The least common multiple of the periods. */
static int64_t hyperperiod(const struct oracle *o)
{
	int64_t h = 1;
	for (uint32_t task = 0; task < o->set->task_count; task++) {
		int64_t sum = h;
		while (sum % o->set->tasks[task].period_ns != 0)
			sum += h;
		h = sum;
	}
	return h;
}

/* Jobs released before this instant are planned. */
static int64_t planned_until(const struct oracle *o)
{
	int64_t largest = 0;
	for (uint32_t task = 0; task < o->set->task_count; task++) {
		int64_t offset = o->set->tasks[task].offset_ns;
		largest = offset > largest ? offset : largest;
	}
	return largest + 2 * hyperperiod(o);
}

void oracle_make_plan(struct oracle *o)
{
	struct run_setup setup = *o->setup;
	struct platform platform = *o->platform;
	struct oracle_policy policy = *o->policy;
	struct oracle_result result = {0};
	setup.horizon_ns = planned_until(o);
	setup.stop = STOP_DRAINED;
	setup.limit_ns = INT64_MAX;
	setup.execution = EXECUTION_WORST;
	setup.on_miss = MISS_CONTINUE;
	setup.ties = TIES_TASK_ORDER;
	platform.engines = ENGINES_UNLIMITED;
	platform.overheads = (struct overheads){0};
	policy.admits = ORACLE_PREDICTING;
	struct oracle beforehand = {
		.set = o->set,
		.named = o->set,
		.platform = &platform,
		.setup = &setup,
		.policy = &policy,
		.allocation = o->allocation,
		.planning = true,
		.result = &result,
	};
	oracle_run_through(&beforehand);
	o->plan = beforehand.plan;
	o->plan_count = beforehand.plan_count;
	oracle_result_clear(&result);
}

/* Finds what is planned for a job's section. From (largest offset + 2 hyperperiods) on, the plan repeats that
 * of one hyperperiod earlier. False: nothing is planned, since the kernels have no length. */
static bool find_planned(
	const struct oracle *o, uint32_t task, int64_t job, uint32_t segment, struct planned *found)
{
	const struct task *t = &o->set->tasks[task];
	int64_t h = hyperperiod(o), later = 0;
	while (t->offset_ns + job * t->period_ns >= planned_until(o)) {
		job -= h / t->period_ns;
		later += h;
	}
	for (size_t i = 0; i < o->plan_count; i++) {
		const struct planned *p = &o->plan[i];
		if (p->task != task || p->job != job || p->segment != segment)
			continue;
		*found = *p;
		found->time += later;
		return true;
	}
	return false;
}

static bool share_sms(const struct oracle_grant *a, const struct oracle_grant *b)
{
	for (uint32_t i = 0; i < a->count; i++) {
		for (uint32_t j = 0; j < b->count; j++) {
			if (a->sm[i] == b->sm[j])
				return true;
		}
	}
	return false;
}

/* Has the section at `segment` of the task's released job not been admitted yet? */
static bool to_come(const struct oracle *o, uint32_t task, uint32_t job, uint32_t segment)
{
	const struct task_state *t = &o->tasks[task];
	if (t->jobs[job].finish >= 0 || (job == t->current && t->cut))
		return false;
	if (job != t->current || !t->begun)
		return true;
	if (t->unit == UNIT_WAITING && section_start(o, task, t->unit_first) == segment)
		return true;
	if (oracle_unit_to_come(o, task) && section_start(o, task, t->at) == segment)
		return true;
	return segment > t->at;
}

static bool planned_before(const struct planned *a, const struct planned *b)
{
	return a->time < b->time || (a->time == b->time && a->task < b->task);
}

/* Is the task's next unit, not yet admitted, planned before `unit`, on some of its SMs? Only the next unit
 * matters: the units after it cannot start before it, whatever the plan says. (In an overloaded timetable the
 * repetitions overlap.) */
static bool goes_first(const struct oracle *o, uint32_t task, const struct planned *unit)
{
	const struct task_state *t = &o->tasks[task];
	struct planned its;
	for (uint32_t job = t->current; job < t->count; job++) {
		for (uint32_t s = 0; s < o->set->tasks[task].segment_count; s++) {
			if (to_come(o, task, job, s) && find_planned(o, task, job, s, &its))
				return planned_before(&its, unit) && share_sms(&its.grant, &unit->grant);
		}
	}
	return false;
}

static bool may_go(const struct oracle *o, uint32_t task, const struct planned *unit)
{
	if (unit->time > o->now)
		return false;
	for (uint32_t other = 0; other < o->set->task_count; other++) {
		if (other != task && share_sms(&o->tasks[other].chosen, &unit->grant))
			return false;
		if (other != task && goes_first(o, other, unit))
			return false;
	}
	return true;
}

/* Finds the waiting unit that is planned first; false: none. */
static bool next_to_go(struct oracle *o, struct planned *next)
{
	bool any = false;
	for (uint32_t task = 0; task < o->set->task_count; task++)
		o->tasks[task].looked_at = false;
	for (int task = oracle_next_waiting(o); task >= 0; task = oracle_next_waiting(o)) {
		const struct task_state *t = &o->tasks[task];
		uint32_t segment = section_start(o, (uint32_t)task, t->unit_first);
		struct planned unit;
		if (find_planned(o, (uint32_t)task, t->jobs[t->current].seq, segment, &unit) &&
			may_go(o, (uint32_t)task, &unit) && (!any || planned_before(&unit, next))) {
			any = true;
			*next = unit;
		}
	}
	return any;
}

/* Admits planned units while a worker is free. */
void oracle_admit_planned(struct oracle *o)
{
	struct planned next;
	while (oracle_admitted(o) < o->policy->workers && next_to_go(o, &next))
		oracle_admit(o, next.task, &next.grant);
}
