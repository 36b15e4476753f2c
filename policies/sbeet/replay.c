/* policies/sbeet/replay.c - follows at run time the schedule that `sbeet` made before the run. A unit is
 * admitted on its planned SMs at its planned instant. If the unit or the SMs are late, it is admitted as soon
 * as a worker and the SMs are free. It must not overtake another task's next unit that is planned earlier and
 * needs one of these SMs. See policies/sbeet/sbeet.h.
 *
 * The next units of the tasks are handled in the order of the plan: each is admitted on its SMs, or reserves
 * them against all units behind it. A unit that may never come (its job was dropped at its deadline, its
 * kernels may have no length) reserves nothing until it waits at the gate. */
#include "models/gate.h"
#include "policies/sbeet/sbeet.h"

/* The next unit of a task: the first that was not admitted. */
struct next_unit {
	uint32_t job, index;
	struct sbeet_planned planned; /* .at = INT64_MAX: there is no next unit */
	bool waits;                   /* it waits at the gate */
	bool looked_at;               /* already handled in this decision */
};

struct sbeet_replay {
	const struct sbeet_plan *plan;
	const struct run_setup *setup;
	uint32_t tasks, workers;
	struct next_unit *next; /* [tasks] */
	/* Sets of SMs. held: of all admitted units; closed: these, and the ones reserved; holds: of each
	 * task's admitted unit, or NULL. */
	uint64_t *held, *closed;
	const uint64_t **holds; /* [tasks] */
	uint32_t running;
	uint32_t *granted; /* [sms] */
};

/* Sets the next unit of a task. It may belong to a job that is never released. */
static void set_next(const struct sbeet_replay *r, uint32_t task, uint32_t job, uint32_t index)
{
	struct next_unit *u = &r->next[task];
	*u = (struct next_unit){.job = job, .index = index, .planned.at = INT64_MAX};
	if (sbeet_release(r->plan->model, task, job) < r->setup->horizon_ns)
		u->planned = sbeet_plan_unit(r->plan, task, job, index);
}

static void advance(const struct sbeet_replay *r, uint32_t task)
{
	const struct next_unit *u = &r->next[task];
	if (u->index + 1 < sbeet_sections_of(r->plan->model, task))
		set_next(r, task, u->job, u->index + 1);
	else
		set_next(r, task, u->job + 1, 0);
}

static bool disjoint(const struct sbeet_replay *r, const uint64_t *a, const uint64_t *b)
{
	for (uint32_t i = 0; i < r->plan->words; i++)
		if (a[i] & b[i])
			return false;
	return true;
}

static void unite(const struct sbeet_replay *r, uint64_t *a, const uint64_t *b)
{
	for (uint32_t i = 0; i < r->plan->words; i++)
		a[i] |= b[i];
}

static void collect_over(struct sbeet_replay *r, const struct gate *gate)
{
	for (uint32_t id = 0; id < r->tasks; id++) {
		if (!r->holds[id] || gate_is_admitted(gate, id))
			continue;
		for (uint32_t i = 0; i < r->plan->words; i++)
			r->held[i] &= ~r->holds[id][i];
		r->holds[id] = NULL;
		r->running--;
	}
}

/* Notes which units wait. Some may wait before their planned instant: asks for a call at the earliest of
 * these. */
static void collect_waiting(struct sbeet_replay *r, struct gate *gate)
{
	int64_t due = INT64_MAX;
	for (uint32_t id = 0; id < r->tasks; id++)
		r->next[id].waits = r->next[id].looked_at = false;
	for (uint32_t i = 0; i < gate_waiting(gate); i++) {
		const struct gate_unit_view view = gate_unit(gate, i);
		struct next_unit *u = &r->next[view.task];
		uint32_t index = sbeet_section_at(r->plan->model, view.task, view.segment)->index;
		/* The unit at the gate is another one than expected: those before it will not come any more;
		 * or it was given up, and comes after all. */
		if (u->job != view.job || u->index != index)
			set_next(r, view.task, view.job, index);
		u->waits = true;
		if (u->planned.at > gate_now(gate) && u->planned.at < due)
			due = u->planned.at;
	}
	if (due < INT64_MAX)
		gate_wake(gate, due);
}

static void admit(struct sbeet_replay *r, struct gate *gate, uint32_t task)
{
	const uint64_t *sm = r->next[task].planned.sm;
	uint32_t count = 0;
	for (uint32_t i = 0; i < r->plan->model->sms; i++)
		if (sm[i / 64] >> i % 64 & 1)
			r->granted[count++] = i;
	const struct grant grant = {.count = count, .sm = r->granted};
	gate_admit_on(gate, task, &grant);
	unite(r, r->held, sm);
	unite(r, r->closed, sm);
	r->holds[task] = sm;
	r->running++;
	advance(r, task);
}

/* A unit that is due but cannot be admitted reserves its SMs, unless it may never come. */
static void keep(struct sbeet_replay *r, struct gate *gate, uint32_t task)
{
	const struct sbeet_model *m = r->plan->model;
	struct next_unit *u = &r->next[task];
	int64_t deadline = sbeet_release(m, task, u->job) + m->set->tasks[task].deadline_ns;
	bool misses = r->setup->on_miss != MISS_CONTINUE;
	if (!u->waits && misses && deadline <= gate_now(gate)) {
		advance(r, task);
		return;
	}
	u->looked_at = true;
	if (!u->waits && sbeet_section(m, task, u->index)->vanishes)
		return;
	unite(r, r->closed, u->planned.sm);
	if (misses && deadline > gate_now(gate))
		gate_wake(gate, deadline);
}

/* The task whose next unit comes first in the plan, of the units that are due and were not handled in this
 * decision. r->tasks: there is none. */
static uint32_t first_due(const struct sbeet_replay *r, int64_t now)
{
	uint32_t best = r->tasks;
	int64_t at = now;
	for (uint32_t id = r->tasks; id-- > 0;)
		if (!r->next[id].looked_at && r->next[id].planned.at <= at) {
			best = id;
			at = r->next[id].planned.at;
		}
	return best;
}

static void decide(struct gate *gate, void *state)
{
	struct sbeet_replay *r = state;
	collect_over(r, gate);
	collect_waiting(r, gate);
	for (uint32_t i = 0; i < r->plan->words; i++)
		r->closed[i] = r->held[i];
	while (r->running < r->workers) {
		uint32_t task = first_due(r, gate_now(gate));
		if (task == r->tasks)
			return;
		if (r->next[task].waits && disjoint(r, r->next[task].planned.sm, r->closed))
			admit(r, gate, task);
		else
			keep(r, gate, task);
	}
}

bool sbeet_replay_init(struct sbeet_plan *p, uint32_t workers, struct plan *plan, struct error *err)
{
	uint32_t tasks = plan->set->task_count;
	struct sbeet_replay *r = arena_new(plan->arena, struct sbeet_replay, 1);
	if (!r)
		return error_memory(err, "planning sbeet");
	*r = (struct sbeet_replay){.plan = p, .setup = plan->setup, .tasks = tasks, .workers = workers};
	r->next = arena_new(plan->arena, struct next_unit, tasks);
	r->held = arena_new(plan->arena, uint64_t, p->words);
	r->closed = arena_new(plan->arena, uint64_t, p->words);
	r->holds = arena_new(plan->arena, const uint64_t *, tasks);
	r->granted = arena_new(plan->arena, uint32_t, p->model->sms);
	if (!r->next || !r->held || !r->closed || !r->holds || !r->granted)
		return error_memory(err, "planning sbeet");
	for (uint32_t id = 0; id < tasks; id++) {
		r->next[id].planned.at = INT64_MAX;
		if (sbeet_sections_of(p->model, id))
			set_next(r, id, 0, 0);
	}
	plan->decide = decide;
	plan->wakes = plan->planned_ahead = true;
	plan->state = r;
	return true;
}
