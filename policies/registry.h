/* policies/registry.h - all policies in one table. */
#ifndef CEGSIM_POLICIES_REGISTRY_H
#define CEGSIM_POLICIES_REGISTRY_H

#include "models/policy.h"

/* NULL-terminated, in the order in which they are listed. */
const struct policy *const *policy_all(void);

/* NULL: no policy has that name. */
const struct policy *policy_find(const char *name);

#endif
