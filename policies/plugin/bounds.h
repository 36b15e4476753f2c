/* policies/plugin/bounds.h - for policies/plugin/plugin.c: asks an analysis from outside the tree, and checks
 * what it says. */
#ifndef CEGSIM_POLICIES_PLUGIN_BOUNDS_H
#define CEGSIM_POLICIES_PLUGIN_BOUNDS_H

#include "analysis/analysis.h"

/* Calls its bound(), unless the set is none for it (analysis_bound()). What it does wrong is no failure:
 * result->gave_up. False: out of memory. */
MUST_CHECK bool plugin_bound(const struct analysis *theirs, const struct plan *plan,
	const struct params *params, struct arena *arena, struct analysis_result *result, struct error *err);

#endif
