/* models/plan.c - see models/plan.h. */
#include "models/plan.h"

#include "models/plan_check.h"

bool plan_create(const struct platform *platform, const struct taskset *set, const struct run_setup *setup,
	const struct policy *policy, const struct params *params, struct arena *arena, struct plan *plan,
	struct error *err)
{
	/* The presets, which a policy may leave unchanged. */
	*plan = (struct plan){
		.platform = platform,
		.set = set,
		.setup = setup,
		.policy = policy->name,
		.params = params,
		.arena = arena,
		.wait = WAIT_SUSPEND,
		.unit = GATE_OPEN,
		.cpu_order = order_by_priority,
		.copy_order = order_by_arrival,
		.kernel_order = order_by_arrival,
		.virtual_sms = platform_virtual_sms(platform),
		.failing_task = UINT32_MAX,
	};
	plan->rank = arena_new(arena, uint32_t, set->task_count);
	if (!plan->rank)
		return error_memory(err, "the plan");
	taskset_ranks(set, false, plan->rank);
	return plan_make(policy, plan, err);
}
