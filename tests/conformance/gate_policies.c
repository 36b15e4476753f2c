/* tests/conformance/gate_policies.c - policies made for the tests, one for each thing that a gate can do
 * (models/gate.h): all kernels of a section as one unit, SMs given at run time, a wake-up, units not taken in
 * order. They record what the gate shows them (policies.h). */
#include "models/gate.h"
#include "tests/conformance/policies.h"

struct state {
	uint32_t sms, tasks;
	uint32_t slots;     /* virtual SMs of each SM that is given; 0: whole SMs */
	bool last;          /* take the last unit in the order, not the first */
	uint32_t *owner;    /* [sms] task + 1; 0: free */
	struct grant grant; /* the grant that is being made */
	int64_t wake;       /* the instant asked for */
};

static bool make_state(struct plan *plan, bool slots, struct error *err)
{
	uint32_t sms = plan->platform->sms;
	struct state *s = arena_new(plan->arena, struct state, 1);
	if (!s)
		return error_memory(err, "the state");
	*s = (struct state){
		.sms = sms,
		.tasks = plan->set->task_count,
		.slots = slots ? (plan->virtual_sms + 1) / 2 : 0,
		.owner = arena_new(plan->arena, uint32_t, sms + 1),
		.wake = -1,
	};
	s->grant.sm = arena_new(plan->arena, uint32_t, sms + 1);
	if (slots)
		s->grant.slots = arena_new(plan->arena, uint32_t, sms + 1);
	if (!s->owner || !s->grant.sm || (slots && !s->grant.slots))
		return error_memory(err, "the state");
	plan->state = s;
	return true;
}

static void show(struct gate *gate)
{
	for (uint32_t i = 0; i < gate_waiting(gate); i++) {
		struct gate_unit_view unit = gate_unit(gate, i);
		const struct gate_weighed weighed = {
			.sms = i, .kernel_end = unit.ready, .energy_uwns = unit.section_deadline};
		gate_weigh(gate, unit.task, &weighed);
	}
}

static void tell(struct gate *gate, uint32_t task, uint32_t sms)
{
	const struct gate_weighed chosen = {
		.sms = sms, .kernel_end = gate_now(gate), .feasible = true, .chosen = true};
	gate_weigh(gate, task, &chosen);
}

static const enum gate_unit units[] = {GATE_SECTION, GATE_KERNEL, GATE_SECTION_KERNELS};

static const struct option unit_options[] = {
	{.name = "unit", .kind = OPTION_CHOICE, .choices = "section|kernel|kernels", .fallback = "section"},
	{0},
};

/* ---- two units, half of the SMs each ---- */

/* Takes up to `most` free SMs, lowest first; returns how many. */
static uint32_t take_free(struct gate *gate, struct state *s, uint32_t task, uint32_t most)
{
	s->grant.count = 0;
	for (uint32_t sm = 0; sm < s->sms && s->grant.count < most; sm++) {
		if (s->owner[sm] && gate_is_admitted(gate, s->owner[sm] - 1))
			continue;
		s->owner[sm] = task + 1;
		s->grant.sm[s->grant.count++] = sm;
	}
	return s->grant.count;
}

static void free_all(struct gate *gate, struct state *s)
{
	for (uint32_t sm = 0; sm < s->sms; sm++)
		if (s->owner[sm] && !gate_is_admitted(gate, s->owner[sm] - 1))
			s->owner[sm] = 0;
}

static void decide_pairs(struct gate *gate, void *state)
{
	struct state *s = state;
	show(gate);
	free_all(gate, s);
	while (gate_waiting(gate) > 0 && gate_admitted(gate) < 2) {
		uint32_t task = gate_unit(gate, s->last ? gate_waiting(gate) - 1 : 0).task;
		if (take_free(gate, s, task, (s->sms + 1) / 2) == 0)
			return;
		tell(gate, task, s->grant.count);
		gate_admit_on(gate, task, &s->grant);
	}
}

static const struct option pairs_options[] = {
	{
		.name = "order",
		.kind = OPTION_CHOICE,
		.choices = "section|arrival|priority",
		.fallback = "section",
	},
	{.name = "take", .kind = OPTION_CHOICE, .choices = "first|last", .fallback = "first"},
	{0},
};

static bool plan_pairs(struct plan *plan, struct error *err)
{
	static order_fn *const orders[] = {order_by_section_deadline, order_by_arrival, order_by_priority};
	if (!make_state(plan, false, err))
		return false;
	((struct state *)plan->state)->last = params_choice(plan->params, "take") == 1;
	plan->unit = GATE_SECTION_KERNELS;
	plan->grants_at_run_time = true;
	plan->kernel_order = orders[params_choice(plan->params, "order")];
	plan->decide = decide_pairs;
	return true;
}

/* ---- one unit at a time, on another number of SMs for each job ---- */

static void decide_some(struct gate *gate, void *state)
{
	struct state *s = state;
	show(gate);
	if (gate_admitted(gate) > 0 || gate_waiting(gate) == 0)
		return;
	struct gate_unit_view unit = gate_unit(gate, 0);
	uint32_t count = 1 + (unit.task + unit.job) % (s->sms + 1);
	tell(gate, unit.task, count > s->sms ? 0 : count);
	if (count > s->sms) {
		gate_admit(gate, unit.task); /* on all of them, through the primary queue */
		return;
	}
	s->grant.count = count;
	for (uint32_t i = 0; i < count; i++) {
		s->grant.sm[i] = i;
		if (s->slots)
			s->grant.slots[i] = s->slots;
	}
	gate_admit_on(gate, unit.task, &s->grant);
}

static bool plan_some(struct plan *plan, bool slots, struct error *err)
{
	if (!make_state(plan, slots, err))
		return false;
	plan->unit = units[params_choice(plan->params, "unit")];
	plan->grants_at_run_time = true;
	plan->kernel_order = order_by_deadline;
	plan->decide = decide_some;
	return true;
}

static bool plan_some_sms(struct plan *plan, struct error *err)
{
	return plan_some(plan, false, err);
}

static bool plan_some_slots(struct plan *plan, struct error *err)
{
	return plan_some(plan, true, err);
}

/* ---- all that wait, at multiples of an instant ---- */

/* Asks for one wake-up at each multiple, and also for later ones, which must have no effect. */
static void decide_clocked(struct gate *gate, void *state)
{
	struct state *s = state;
	int64_t now = gate_now(gate), next = (now / GATE_CLOCK_NS + 1) * GATE_CLOCK_NS;
	show(gate);
	while (now % GATE_CLOCK_NS == 0 && gate_waiting(gate) > 0)
		gate_admit_next(gate);
	if (gate_waiting(gate) == 0 || s->wake > now)
		return;
	s->wake = next;
	gate_wake(gate, next + GATE_CLOCK_NS + 1);
	gate_wake(gate, next);
	gate_wake(gate, next + GATE_CLOCK_NS);
}

static bool plan_clocked(struct plan *plan, struct error *err)
{
	if (!make_state(plan, false, err))
		return false;
	plan->unit = units[params_choice(plan->params, "unit")];
	plan->wakes = true;
	plan->copy_order = plan->kernel_order = order_by_priority;
	plan->decide = decide_clocked;
	return true;
}

/* ---- so many at a time ---- */

static void decide_several(struct gate *gate, void *state)
{
	const uint32_t *at_a_time = state;
	while (gate_waiting(gate) > 0 && gate_admitted(gate) < *at_a_time)
		gate_admit_next(gate);
}

static const struct option several_options[] = {
	{.name = "unit", .kind = OPTION_CHOICE, .choices = "section|kernel|kernels", .fallback = "kernel"},
	{.name = "at_a_time", .kind = OPTION_CHOICE, .choices = "two|three|all", .fallback = "two"},
	{0},
};

static bool plan_several(struct plan *plan, struct error *err)
{
	static const uint32_t numbers[] = {2, 3, UINT32_MAX};
	uint32_t *at_a_time = arena_new(plan->arena, uint32_t, 1);
	if (!at_a_time)
		return error_memory(err, "the state");
	*at_a_time = numbers[params_choice(plan->params, "at_a_time")];
	plan->state = at_a_time;
	plan->unit = units[params_choice(plan->params, "unit")];
	plan->cpu_order = plan->copy_order = plan->kernel_order = order_by_deadline;
	plan->decide = decide_several;
	return true;
}

#define POLICY(id, label, choices, hook)                                                                     \
	const struct policy policy_##id = {.name = label,                                                    \
		.summary = "made for the tests",                                                             \
		.version = 1,                                                                                \
		.options = choices,                                                                          \
		.plan = hook}
POLICY(pairs, "pairs", pairs_options, plan_pairs);
POLICY(some_sms, "some-sms", unit_options, plan_some_sms);
POLICY(some_slots, "some-slots", unit_options, plan_some_slots);
POLICY(clocked, "clocked", unit_options, plan_clocked);
POLICY(several, "several", several_options, plan_several);
