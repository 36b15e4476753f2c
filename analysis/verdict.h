/* analysis/verdict.h - the result of an analysis for a set: accepted, or the reason and the task at which it
 * stopped. */
#ifndef CEGSIM_ANALYSIS_VERDICT_H
#define CEGSIM_ANALYSIS_VERDICT_H

#include <stdint.h>

#include "base/error.h"
#include "base/int128.h"
#include "models/taskset.h"

#define NO_FAILING_TASK UINT32_MAX

/* A bound that does not exist, or was not found (analysis/window.h, "Fixed points"). */
#define NO_BOUND INT64_MAX

/* A sum that does not fit int64 becomes NO_BOUND. */
static inline int64_t bound_saturated(int128 sum)
{
	return sum < NO_BOUND ? (int64_t)sum : NO_BOUND;
}

struct verdict {
	bool accepted;
	uint32_t failing_task; /* index in the set; NO_FAILING_TASK: no particular one */
	char reason[256];      /* empty if accepted */
};

/* Writes the refusal. Always returns false. */
CEGSIM_API bool verdict_refuse(struct verdict *v, uint32_t task, const char *fmt, ...) PRINTF_LIKE(3, 4);
CEGSIM_API void verdict_accept(struct verdict *v);
/* Refuses a set with operations in flight (docs/model.md), as verdict_plain() does. */
CEGSIM_API bool verdict_in_turn(struct verdict *v, const struct taskset *set, const char *holds);

/* Refuses a set with release jitter, with tasks that others release, or with a deadline above its period:
 * what is derived from releases a period apart, of jobs that are due before the next one, says nothing about
 * it. `holds` is the middle of the sentence: "it holds for". Leaves a verdict alone that has nothing to
 * refuse. Returns whether the set is plain. */
CEGSIM_API bool verdict_plain(struct verdict *v, const struct taskset *set, const char *holds);
/* Refuses kernels with shared memory on a platform whose SMs divide their memory: a block can have to wait
 * for an SM to be empty, which no analysis counts. Returns whether there are none. */
CEGSIM_API bool verdict_undivided(
	struct verdict *v, const struct platform *platform, const struct taskset *set, const char *holds);

/* Refuses platforms with several GPUs. Returns whether there is one. */
CEGSIM_API bool verdict_one_gpu(struct verdict *v, const struct platform *platform, const char *holds);

/* Refuses tasks with copies and kernels on several GPUs. Returns whether each task uses one. */
CEGSIM_API bool verdict_gpus_apart(struct verdict *v, const struct taskset *set, const char *holds);

/* Refuses kernels that are confined to some SMs, and GPUs that may not hold all kernels at a time
 * (docs/model.md, "SM masks"), under plans that let kernels into one primary queue as they come. Where a gate
 * admits one at a time, or SMs are granted, neither has an effect beside the length of the kernel. Returns
 * whether there are none. */
struct plan;
CEGSIM_API bool verdict_unconfined(struct verdict *v, const struct plan *plan, const char *holds);

/* Refuses tasks that several cores serve. `own`: only those of which any core serves each (global
 * scheduling), not those that have a core each. Returns whether there are none. */
CEGSIM_API bool verdict_cores(struct verdict *v, const struct platform *platform, const struct taskset *set,
	bool own, const char *holds);

#endif
