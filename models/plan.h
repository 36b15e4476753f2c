/* models/plan.h - makes the plan of a policy for a task set on a platform: presets, then the policy's plan(),
 * then a check. A simulation runs on the plan; an analysis bounds the response times of such runs. */
#ifndef CEGSIM_MODELS_PLAN_H
#define CEGSIM_MODELS_PLAN_H

#include "models/policy.h"

/* All arguments are kept by reference, also params, which must hold a value for every option of the policy.
 * Other memory of the plan is in the arena. A policy that refuses the set still makes a plan (plan->refused).
 * False: the policy made no plan, or a wrong one. */
MUST_CHECK bool plan_create(const struct platform *platform, const struct taskset *set,
	const struct run_setup *setup, const struct policy *policy, const struct params *params,
	struct arena *arena, struct plan *plan, struct error *err);

/* Whether the plan gives tasks SMs of their own, for the run or with each unit. */
bool plan_grants_sms(const struct plan *plan);
/* Whether decisions take time. */
static inline bool plan_decision_costs(const struct plan *plan)
{
	return plan->decision.base_ns > 0 || plan->decision.unit_ns > 0;
}
/* Kernels that may be on one GPU at a time: those that name it or, if the policy chooses GPUs, all. */
uint32_t plan_kernels_on(const struct plan *plan, uint32_t gpu);

#endif
