/* policies/rtgpu.c - RTGPU: federated scheduling on virtual SMs (Zou, Li, Gill, Zhang, "RTGPU: Real-Time GPU
 * Scheduling of Hard Deadline Parallel Tasks with Fine-Grain Utilization", IEEE TPDS 2023).
 *
 * Before the run, section 5's test and the search of Algorithm 2 give each task virtual SMs of its own
 * (analysis/rtgpu_allocate.c). During the run nothing is left to decide: persistent blocks are pinned to
 * their task's virtual SMs (section 4.3), copies go by priority, and the core by priority with suspension.
 *
 * With several GPUs (section 5.6) a task's virtual SMs are of one GPU. Ours: it is the one that its kernels
 * name, and each GPU has copy engines of its own. */
#include "analysis/rtgpu.h"

#include "policies/policies.h"

static const struct option options[] = {
	{
		.name = "search",
		.kind = OPTION_CHOICE,
		.choices = "greedy|grid",
		.fallback = "greedy",
		.help = "how the allocation is found: task by task the least that is enough, or "
			"Algorithm 2, pruned",
	},
	RTGPU_OPTION_FORM(
		"the test's bound on copies: to their end (Lemma 5.3), or, sharper, to their start"),
	RTGPU_OPTION_GAPS(
		"the test's gap from a first job to the next: T - D as published, or, sharper, T - R (greedy "
		"can then miss an allocation, grid cannot)"),
	{
		.name = "allocation",
		.kind = OPTION_LIST,
		.min = 0,
		.max = 1 << 20,
		.fallback = "",
		.help = "virtual SMs for each task, instead of a search; the test still decides",
	},
	{
		.name = "admit",
		.kind = OPTION_CHOICE,
		.choices = "test|any",
		.fallback = "test",
		.help = "refuse sets that fail the test, or run them: on the allocation given, "
			"or the best found",
	},
	{0},
};

static bool plan_rtgpu(struct plan *plan, struct error *err)
{
	struct rtgpu_allocation allocation;
	uint32_t *given;
	plan->gpus = GPUS_EACH; /* section 5.6 */
	if (plan_refused_setting(plan, true))
		return true;
	bool refused;
	if (!plan_given(plan, &given, err))
		return false;
	if (!plan_given_masks(
		    plan, rtgpu_steps(plan->platform, plan->set).virtual_sms, &given, &refused, err))
		return refused;
	struct rtgpu_request request = {
		.options = rtgpu_options_chosen(plan->params),
		.search = params_choice(plan->params, "search") == 0 ? RTGPU_GREEDY : RTGPU_GRID,
		.given = given,
		.admit_any = params_choice(plan->params, "admit") == 1,
	};
	if (!rtgpu_allocate(plan->platform, plan->set, plan->rank, &request, plan->arena, &allocation, err))
		return false;
	if (!allocation.refused)
		plan_take_masks(plan, allocation.grants);
	plan->copy_order = order_by_priority;
	plan->virtual_sms = allocation.steps.virtual_sms;
	plan->grants = allocation.grants;
	plan_verdict(plan, &allocation.verdict, allocation.refused);
	return true;
}

const struct policy policy_rtgpu = {
	.name = "rtgpu",
	.summary = "federated: virtual SMs of its own for each task, copies by priority [RTGPU, Algorithm 2]",
	.version = 1,
	.plan_of_set = true,
	.options = options,
	.plan = plan_rtgpu,
};
