/* policies/stgm.c - STGM: a static set of SMs for each task, tasks that busy-wait (Saha, Xiang, Kim, "STGM:
 * Spatio-Temporal GPU Management for Real-Time Tasks", RTCSA 2019). It is a reconstruction; docs/policies.md
 * gives the sources.
 *
 * Before the run, analysis/stgm_allocate.c finds the sets. During the run a kernel starts when all SMs of its
 * task are free. While it waits, they are reserved against lower tasks, and only against these
 * (analysis/stgm_test.c says why that is enough). */
#include "analysis/stgm.h"

#include "models/gate.h"
#include "policies/policies.h"

static const struct option options[] = {
	{
		.name = "wait",
		.kind = OPTION_CHOICE,
		.choices = "busy|suspend",
		.fallback = "busy",
		.help = "what a job does with the core during its GPU section: spins at its "
			"priority, or leaves it",
	},
	{
		.name = "exclusive",
		.kind = OPTION_BOOL,
		.fallback = "true",
		.help = "no SM belongs to two tasks (test: response)",
	},
	{
		.name = "test",
		.kind = OPTION_CHOICE,
		.choices = "response|utilization",
		.fallback = "response",
		.help = "the test: response times, or, as in sBEET's evaluation, utilisation; sets that fail "
			"this run under `rm`",
	},
	{
		.name = "accept",
		.kind = OPTION_CHOICE,
		.choices = "allocation|mean",
		.fallback = "allocation",
		.help = "test: utilization asks for the allocation's utilisation, or only for the "
			"mean over all sizes",
	},
	{
		.name = "allocation",
		.kind = OPTION_LIST,
		.min = 0,
		.max = 1 << 20,
		.fallback = "",
		.help = "SMs for each task, instead of a search; the test still decides",
	},
	{
		.name = "admit",
		.kind = OPTION_CHOICE,
		.choices = "test|any",
		.fallback = "test",
		.help = "refuse sets that fail the test (test: utilization: run them under `rm`), or run "
			"them on the allocation given, or the last one tried",
	},
	{0},
};

struct stgm_policy_state {
	const struct grant *grants; /* [tasks] */
	const uint32_t *rank;       /* [tasks] */
	uint32_t *admitted;         /* [count] tasks; at the end of a decision those that have SMs */
	uint32_t count;
	uint32_t *kept; /* [sms] reserved against tasks of this rank and lower ones; between decisions only
			 * what admitted kernels hold */
};

#define KEPT_FROM_NOBODY UINT32_MAX
#define KEPT_FROM_ALL 0u /* an admitted kernel holds it */

static bool may_take(const struct stgm_policy_state *s, uint32_t task)
{
	const struct grant *grant = &s->grants[task];
	for (uint32_t i = 0; i < grant->count; i++)
		if (s->kept[grant->sm[i]] <= s->rank[task])
			return false;
	return true;
}

static void keep(struct stgm_policy_state *s, uint32_t task, uint32_t from)
{
	const struct grant *grant = &s->grants[task];
	for (uint32_t i = 0; i < grant->count; i++)
		if (from < s->kept[grant->sm[i]])
			s->kept[grant->sm[i]] = from;
}

static void give_back(struct stgm_policy_state *s, uint32_t task, uint32_t from)
{
	const struct grant *grant = &s->grants[task];
	for (uint32_t i = 0; i < grant->count; i++)
		if (s->kept[grant->sm[i]] >= from)
			s->kept[grant->sm[i]] = KEPT_FROM_NOBODY;
}

/* No two kernels that are admitted hold the same SM. */
static void give_back_ended(struct stgm_policy_state *s, const struct gate *gate)
{
	uint32_t stay = 0;
	for (uint32_t i = 0; i < s->count; i++)
		if (gate_is_admitted(gate, s->admitted[i]))
			s->admitted[stay++] = s->admitted[i];
		else
			give_back(s, s->admitted[i], KEPT_FROM_ALL);
	s->count = stay;
}

/* Units come in the gate's order, which with `ties: lower-first` is not that of the ranks. A unit that is
 * refused must not reserve its SMs against a higher one behind it. */
static void decide(struct gate *gate, void *state)
{
	struct stgm_policy_state *s = state;
	give_back_ended(s, gate);
	for (uint32_t i = 0; i < gate_waiting(gate);) {
		uint32_t task = gate_unit(gate, i).task;
		if (may_take(s, task)) {
			keep(s, task, KEPT_FROM_ALL);
			s->admitted[s->count++] = task;
			gate_admit(gate, task);
		} else {
			keep(s, task, s->rank[task] + 1);
			i++;
		}
	}
	for (uint32_t i = 0; i < gate_waiting(gate); i++)
		give_back(s, gate_unit(gate, i).task, KEPT_FROM_ALL + 1);
}

static bool plan_sets(struct plan *plan, const struct stgm_allocation *allocation, struct error *err)
{
	struct stgm_policy_state *s = arena_new(plan->arena, struct stgm_policy_state, 1);
	uint32_t *kept = arena_new(plan->arena, uint32_t, plan->platform->sms + 1);
	uint32_t *admitted = arena_new(plan->arena, uint32_t, plan->set->task_count);
	if (!s || !kept || !admitted)
		return error_memory(err, "the SM sets");
	for (uint32_t m = 0; m < plan->platform->sms; m++)
		kept[m] = KEPT_FROM_NOBODY;
	*s = (struct stgm_policy_state){
		.grants = allocation->grants,
		.rank = plan->rank,
		.admitted = admitted,
		.kept = kept,
	};
	plan->unit = GATE_KERNEL;
	plan->kernel_order = order_by_priority;
	plan->copy_order = order_by_priority;
	plan->decide = decide;
	plan->state = s;
	plan->grants = allocation->grants;
	plan->wait = params_choice(plan->params, "wait") == 0 ? WAIT_BUSY : WAIT_SUSPEND;
	return true;
}

static bool plan_stgm(struct plan *plan, struct error *err)
{
	struct stgm_allocation allocation;
	uint32_t *given;
	bool refused, utilisation = params_choice(plan->params, "test") == 1;
	bool apart = !utilisation && params_bool(plan->params, "exclusive");
	if (plan_refused_setting(plan, false))
		return true;
	if (!plan_given(plan, &given, err))
		return false;
	if (apart && !plan_given_masks(plan, 1, &given, &refused, err))
		return refused;
	if (utilisation)
		taskset_ranks(plan->set, true, plan->rank);
	struct stgm_request request = {
		.options =
			{
				.test = utilisation ? STGM_UTILISATION : STGM_RESPONSE_TIME,
				.utilisation = params_choice(plan->params, "accept") == 0
						       ? STGM_UTILISATION_FULL
						       : STGM_UTILISATION_MEAN_ONLY,
				.exclusive = apart,
			},
		.given = given,
		.admit_any = params_choice(plan->params, "admit") == 1,
	};
	if (!stgm_allocate(plan->platform, plan->set, plan->rank, &request, plan->arena, &allocation, err))
		return false;
	plan_verdict(plan, &allocation.verdict, allocation.refused);
	if (allocation.refused)
		return true;
	if (apart)
		plan_take_masks(plan, allocation.grants);
	if (!allocation.fallback)
		return plan_sets(plan, &allocation, err);
	plan_sections_one_at_a_time(plan, order_by_priority);
	plan->gpus = GPUS_ONE; /* as the test */
	return true;
}

const struct policy policy_stgm = {
	.name = "stgm",
	.summary = "a static set of SMs for each task, jobs that busy-wait [STGM, reconstructed; sBEET V.E]",
	.version = 2,
	.plan_of_set = true,
	.options = options,
	.plan = plan_stgm,
};
