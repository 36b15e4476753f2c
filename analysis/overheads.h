/* analysis/overheads.h - bounds on platforms with overheads (docs/model.md, "Overheads"), by an analysis that
 * knows none: it gets an inflated set. */
#ifndef CEGSIM_ANALYSIS_OVERHEADS_H
#define CEGSIM_ANALYSIS_OVERHEADS_H

#include "analysis/analysis.h"

/* Calls analysis->bound() for the inflated set, or refuses the plan. */
MUST_CHECK bool overheads_bound(const struct analysis *analysis, const struct plan *plan,
	const struct params *params, struct arena *arena, struct analysis_result *result, struct error *err);

#endif
