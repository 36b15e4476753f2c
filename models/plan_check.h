/* models/plan_check.h - what a policy's plan() must leave behind (models/policy.h), checked before a machine
 * is built on it: a policy may come from outside the tree. */
#ifndef CEGSIM_MODELS_PLAN_CHECK_H
#define CEGSIM_MODELS_PLAN_CHECK_H

#include "models/policy.h"

#define VIRTUAL_SMS_MAX 1024u /* per SM; scenarios go no further either */

/* Calls the policy's plan() on a plan with its presets, and checks what it left. False: *err is the policy's
 * own reason, or says what it did wrong and names it. */
MUST_CHECK bool plan_make(const struct policy *policy, struct plan *plan, struct error *err);

/* A plan that is ready to be run, or refuses the set with a reason. `policy`: the name, for *err. */
MUST_CHECK bool plan_check(const struct plan *plan, const char *policy, struct error *err);

#endif
