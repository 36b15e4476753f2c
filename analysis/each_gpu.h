/* analysis/each_gpu.h - an analysis of tasks that have nothing in common but the GPU, on a platform with
 * several GPUs: each GPU with its tasks is a platform of its own. */
#ifndef CEGSIM_ANALYSIS_EACH_GPU_H
#define CEGSIM_ANALYSIS_EACH_GPU_H

#include "analysis/analysis.h"

/* As analysis->bound(), for ANALYSIS_GPUS_APART. The plan schedules each GPU by itself. Refuses tasks with
 * copies and kernels on several GPUs, and what the analysis refuses on one of them. */
MUST_CHECK bool each_gpu_bound(const struct analysis *analysis, const struct plan *plan,
	const struct params *params, struct arena *arena, struct analysis_result *result, struct error *err);

#endif
