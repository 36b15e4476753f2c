/* policies/plugin/check.h - for policies/plugin/plugin.c: checks whether the program can list, run and record
 * a struct policy, or a struct analysis, from outside the tree. */
#ifndef CEGSIM_POLICIES_PLUGIN_CHECK_H
#define CEGSIM_POLICIES_PLUGIN_CHECK_H

#include "analysis/analysis.h"
#include "models/policy.h"

/* Checks all that models/policy.h, analysis/analysis.h and models/params.h demand, except that the name is
 * free. *err is a clause, such as option 'unit': choices is NULL */
MUST_CHECK bool plugin_check(const struct policy *policy, struct error *err);
MUST_CHECK bool plugin_check_analysis(const struct analysis *analysis, struct error *err);

#endif
