/* policies/sbeet/sbeet.c - `sbeet`: SMs chosen at run time, for deadlines first and then for energy (Wang,
 * Karimi, Xiang, Kim, "Balancing Energy Efficiency and Real-Time Performance in GPU Scheduling", RTSS 2021,
 * section IV.B). docs/policies.md says how we settle what the paper leaves open. This file has the options,
 * the plan, and the gate's side of Algorithm 1. */
#include "policies/sbeet/sbeet.h"

#include "policies/policies.h"

static const struct option options[] = {
	{
		.name = "workers",
		.kind = OPTION_INTEGER,
		.min = 1,
		.max = 64,
		.fallback = "2",
		.help = "units on the GPU at a time; the paper has 2",
	},
	{
		.name = "queue",
		.kind = OPTION_CHOICE,
		.choices = "deadline|fcfs|priority",
		.fallback = "deadline",
		.help = "who is looked at first: by section deadline, arrival or priority",
	},
	{
		.name = "energy",
		.kind = OPTION_CHOICE,
		.choices = "own|common",
		.fallback = "own",
		.help = "energy up to the unit's own end (the paper), or to the latest end of all choices",
	},
	{
		.name = "infeasible",
		.kind = OPTION_CHOICE,
		.choices = "energy|fastest",
		.fallback = "energy",
		.help = "if deadlines cannot be kept: the least energy (the paper), or the earliest end",
	},
	{
		.name = "after_start",
		.kind = OPTION_CHOICE,
		.choices = "continue|stop",
		.fallback = "continue",
		.help = "when a unit starts: the next one is looked at, or the invocation ends "
			"(Algorithm 1, line 14)",
	},
	{
		.name = "offline",
		.kind = OPTION_BOOL,
		.fallback = "false",
		.help = "follow a schedule made beforehand; needs periodic releases",
	},
	{
		.name = "decision_base",
		.kind = OPTION_DURATION,
		.max = DECISION_MOST_NS,
		.fallback = "0s",
		.help = "time that each decision takes (section V, Fig. 7: less than 100us)",
	},
	{
		.name = "decision_per_job",
		.kind = OPTION_DURATION,
		.max = DECISION_MOST_NS,
		.fallback = "0s",
		.help = "and for each unit that waits when it is asked for",
	},
	{
		.name = "decision_on",
		.kind = OPTION_CHOICE,
		.choices = "core|server",
		.fallback = "core",
		.help = "core 0 makes decisions, before all jobs; or a server that has a core of its own",
	},
	{0},
};

/* ---- what sbeet-mg does alike ---- */

order_fn *sbeet_order(enum sbeet_queue queue)
{
	static order_fn *const orders[] = {
		[SBEET_BY_DEADLINE] = order_by_section_deadline,
		[SBEET_BY_ARRIVAL] = order_by_arrival,
		[SBEET_BY_PRIORITY] = order_by_priority,
	};
	return orders[queue];
}

struct sbeet_options sbeet_options_of(const struct params *params)
{
	return (struct sbeet_options){
		.workers = (uint32_t)params_integer(params, "workers"),
		.queue = params_choice(params, "queue"),
		.common = params_choice(params, "energy") == 1,
		.fastest = params_choice(params, "infeasible") == 1,
	};
}

static bool next_release(const void *gate, uint32_t task, int64_t now, struct gate_release *r)
{
	(void)now;
	return gate_next_release(gate, task, r);
}

void sbeet_follow(struct sbeet *b, const struct gate *gate)
{
	for (uint32_t i = b->running_count; i-- > 0;)
		if (!gate_is_admitted(gate, b->running[i].section->task))
			sbeet_over(b, b->running[i].section->task);
	b->timetable.releases = (struct sbeet_releases){.next = next_release, .self = gate};
}

struct gate_weighed sbeet_weighed(const struct sbeet_candidate *c, bool chosen)
{
	return (struct gate_weighed){
		.sms = c->sms,
		.kernel_end = c->end,
		.energy_uwns = saturated(c->energy),
		.feasible = c->feasible,
		.chosen = chosen,
	};
}

/* ---- the gate's side ---- */

static void weigh(void *self, const struct sbeet_unit *unit, const struct sbeet_candidate *c, bool chosen)
{
	const struct gate_weighed weighed = sbeet_weighed(c, chosen);
	gate_weigh(self, unit->section->task, &weighed);
}

static void admit(void *self, const struct sbeet_unit *unit, const struct sbeet_placed *placed, uint32_t *sm)
{
	const struct grant grant = {.count = placed->sms, .sm = sm};
	gate_admit_on(self, unit->section->task, &grant);
}

static void decide(struct gate *gate, void *state)
{
	struct sbeet *b = state;
	const struct sbeet_actions actions = {.self = gate, .weigh = weigh, .admit = admit};
	sbeet_follow(b, gate);
	b->asked = gate_asked(gate);
	uint32_t count = gate_waiting(gate);
	for (uint32_t i = 0; i < count; i++) {
		const struct gate_unit_view view = gate_unit(gate, i);
		b->waiting[i] = (struct sbeet_unit){
			.section = sbeet_section_at(&b->model, view.task, view.segment),
			.job = view.job,
			.ready = view.ready,
			.deadline = view.section_deadline,
		};
		sbeet_timetable_ready(&b->timetable, &b->waiting[i]);
	}
	sbeet_choose(b, gate_now(gate), count, &actions);
}

/* With `offline: true`: makes the schedule, and sets the gate up to follow it. */
static bool plan_ahead(struct sbeet *b, struct plan *plan, struct error *err)
{
	struct sbeet_plan *ahead = arena_new(plan->arena, struct sbeet_plan, 1);
	if (!ahead)
		return error_memory(err, "planning sbeet");
	if (!sbeet_plan_make(ahead, b, plan, err))
		return false;
	return plan->refused || sbeet_replay_init(ahead, b->options.workers, plan, err);
}

static struct plan_decision decision_of(const struct params *params)
{
	return (struct plan_decision){
		.base_ns = params_quantity(params, "decision_base"),
		.unit_ns = params_quantity(params, "decision_per_job"),
		.on_core = params_choice(params, "decision_on") == 0,
	};
}

static bool check(const struct params *params, struct error *err)
{
	const struct plan_decision d = decision_of(params);
	if (!params_bool(params, "offline") || (d.base_ns == 0 && d.unit_ns == 0))
		return true;
	return error_set(err, STATUS_INPUT,
		"'offline: true' decides nothing at run time: decision_base and decision_per_job are 0 then");
}

static bool plan_sbeet(struct plan *plan, struct error *err)
{
	struct sbeet_options chosen = sbeet_options_of(plan->params);
	chosen.stops = params_choice(plan->params, "after_start") == 1;
	struct sbeet *b = arena_new(plan->arena, struct sbeet, 1);
	if (!b)
		return error_memory(err, "planning sbeet");
	plan->unit = GATE_SECTION_KERNELS;
	plan->grants_at_run_time = true;
	plan->kernel_order = sbeet_order(chosen.queue);
	plan->copy_order = order_by_arrival;
	plan->decide = decide;
	plan->decision = decision_of(plan->params);
	plan->state = b;
	if (!sbeet_model_build(plan, &b->model, err))
		return false;
	if (plan->refused)
		return true;
	if (!sbeet_init(b, plan, &chosen, err))
		return false;
	if (plan->refused || !params_bool(plan->params, "offline"))
		return true;
	return plan_ahead(b, plan, err);
}

const struct policy policy_sbeet = {
	.name = "sbeet",
	.summary = "two workers, SMs chosen at run time for deadlines, then for energy [sBEET, RTSS'21]",
	.version = 3,
	.options = options,
	.plan = plan_sbeet,
	.check = check,
};
