/* models/execution.h - how long a segment instance takes (docs/model.md, "Draws"). */
#ifndef CEGSIM_MODELS_EXECUTION_H
#define CEGSIM_MODELS_EXECUTION_H

#include "models/setup.h"
#include "models/taskset.h"

/* The length of every instance where the rule leaves no choice, or -1 for a draw. */
int64_t execution_fixed(const struct run_setup *setup, int64_t best_ns, int64_t worst_ns);

/* A uniform integer in [best, worst], a pure function of the setup's seed and set and of task,
 * job and segment. */
int64_t execution_draw(const struct run_setup *setup, uint32_t task, uint32_t job, uint32_t segment,
	int64_t best_ns, int64_t worst_ns);

/* The length a trace file gives for this segment instance, or -1. */
int64_t execution_traced(const struct release_rule *rule, uint32_t job, uint32_t segment);

#endif
