/* analysis/gcaps_plan.h - analysis/gcaps.h for plans of the policy gcaps: its analysis, and the policy itself
 * where it is to choose the places at the GPU. */
#ifndef CEGSIM_ANALYSIS_GCAPS_PLAN_H
#define CEGSIM_ANALYSIS_GCAPS_PLAN_H

#include "analysis/gcaps.h"
#include "analysis/sections.h"

/* What of a plan the bounds look at. */
struct gcaps_plan {
	struct gcaps_test test;
	struct section_task *section; /* [tasks] by task index */
	uint32_t *order;              /* [tasks] the tasks by priority, as the test has them */
	uint32_t sharing;             /* a task that shares its process with another one that uses the GPU, or
					 NO_FAILING_TASK */
	bool refused;                 /* some task has no times */
	struct verdict verdict;
};

/* From its ranks, call_rank, the way it waits, and the options `update` and `call`. False: out of memory. */
MUST_CHECK bool gcaps_plan_init(struct gcaps_plan *p, const struct plan *plan, enum gcaps_variant variant,
	struct arena *arena, struct error *err);

/* If the bounds do not accept the set with its places at the GPU, and do with those of Audsley's method:
 * these go to rank[tasks], best-effort tasks behind all others. A plan for which the bounds do not hold, or
 * that they do not accept in any case, leaves rank alone. False: out of memory. */
MUST_CHECK bool gcaps_plan_places(
	const struct plan *plan, enum gcaps_variant variant, uint32_t *rank, struct error *err);

#endif
