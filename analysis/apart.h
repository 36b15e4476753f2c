/* analysis/apart.h - tasks that have nothing to do with each other, and bounds that rest on such tasks only
 * in name. */
#ifndef CEGSIM_ANALYSIS_APART_H
#define CEGSIM_ANALYSIS_APART_H

#include "analysis/analysis.h"

/* For one of our analyses, whose bounds are about cores and GPUs alone. Its bounds name all tasks that failed
 * before them (analysis_sums()). This leaves those of them with which the bound's task has, directly or
 * through others, a core or a GPU in common: sorts `failed` so that they follow each other, and sets
 * `assumes_from` and `assumes` of each bound. False: out of memory. */
MUST_CHECK bool apart_sort(
	const struct plan *plan, struct arena *arena, struct analysis_result *result, struct error *err);

#endif
