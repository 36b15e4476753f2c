/* models/plan_check.h - checks what a policy's plan() has filled in (models/policy.h) before a machine is
 * built on it: a policy may come from outside the tree. */
#ifndef CEGSIM_MODELS_PLAN_CHECK_H
#define CEGSIM_MODELS_PLAN_CHECK_H

#include "models/policy.h"

#define VIRTUAL_SMS_MAX 1024u /* per SM; also the most that scenarios accept */

/* Calls the policy's plan() on a plan with its presets, and checks the result. False: *err is the policy's
 * own reason; or it names the policy and says what is wrong. */
MUST_CHECK bool plan_make(const struct policy *policy, struct plan *plan, struct error *err);

/* Whether the plan can be run, or refuses the set with a reason. `policy`: the name, for *err. */
MUST_CHECK bool plan_check(const struct plan *plan, const char *policy, struct error *err);

#endif
