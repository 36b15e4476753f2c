/* analysis/in_turn.h - sets with operations in flight (docs/model.md) whose operations come one after the
 * other all the same: their schedules are those of sets without, for which analyses hold. */
#ifndef CEGSIM_ANALYSIS_IN_TURN_H
#define CEGSIM_ANALYSIS_IN_TURN_H

#include "analysis/analysis.h"

/* If the plan's set has operations in flight: makes *plan that of a set without, which has the same
 * schedules, or refuses the set: verdict, and returns false. Else leaves *plan alone. The sets' tasks are the
 * same, by index. */
MUST_CHECK bool in_turn(struct plan *plan, struct taskset *set, struct arena *arena, struct verdict *v,
	struct error *err, bool *failed);

#endif
