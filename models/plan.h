/* models/plan.h - making the plan of a policy for a task set on a platform: presets, the policy's plan(), the
 * check. A simulation runs on it, an analysis bounds what runs on it can do. */
#ifndef CEGSIM_MODELS_PLAN_H
#define CEGSIM_MODELS_PLAN_H

#include "models/policy.h"

/* Everything given is kept by reference, also params, which must hold a value for every option of the policy;
 * what the plan needs besides lives in the arena. A policy that refuses the set makes a plan, too. False: it
 * makes none, or a wrong one. */
MUST_CHECK bool plan_create(const struct platform *platform, const struct taskset *set,
	const struct run_setup *setup, const struct policy *policy, const struct params *params,
	struct arena *arena, struct plan *plan, struct error *err);

#endif
