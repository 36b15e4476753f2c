/* scenarios/settle_gpus.h - the GPUs of tasks that a scenario leaves to us: `gpu: any`. */
#ifndef CEGSIM_SCENARIOS_SETTLE_GPUS_H
#define CEGSIM_SCENARIOS_SETTLE_GPUS_H

#include "base/error.h"
#include "models/platform.h"
#include "models/taskset.h"

/* Chooses a GPU for each task of which any[task] is true (analysis/rtgpu.h), among those on which the task
 * has no defects. Does nothing where some task has defects wherever it is: taskset_check() says which. False:
 * out of memory. */
MUST_CHECK bool settle_any_gpus(
	const struct platform *platform, struct taskset *set, const bool *any, struct error *err);

#endif
