/* policies/plugin/check.h - for policies/plugin/plugin.c: is a struct policy from outside the tree one that
 * the program can list, run and record? */
#ifndef CEGSIM_POLICIES_PLUGIN_CHECK_H
#define CEGSIM_POLICIES_PLUGIN_CHECK_H

#include "models/policy.h"

/* Everything models/policy.h and models/params.h ask for, but whether the name is free. *err is
 * a clause, such as
 *   option 'unit': choices is NULL */
MUST_CHECK bool plugin_check(const struct policy *policy, struct error *err);

#endif
