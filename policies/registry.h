/* policies/registry.h - every policy there is, in one table. */
#ifndef CEGSIM_POLICIES_REGISTRY_H
#define CEGSIM_POLICIES_REGISTRY_H

#include "models/policy.h"

/* NULL-terminated, in the order in which they are listed to people. */
const struct policy *const *policy_all(void);

/* NULL: there is none of that name. */
const struct policy *policy_find(const char *name);

#endif
