/* analysis/cegsim_analysis.h - installed as <cegsim_analysis.h>: what an analysis outside the tree includes,
 * and the macro that makes it a plug-in (docs/own-bounds.md, "In C"). One shared object may hold a policy
 * (<cegsim.h>) and an analysis. */
#ifndef CEGSIM_ANALYSIS_CEGSIM_ANALYSIS_H
#define CEGSIM_ANALYSIS_CEGSIM_ANALYSIS_H

#include "analysis/analysis.h"
#include "analysis/chain.h"
#include "analysis/ratio.h"
#include "analysis/sections.h"
#include "analysis/window.h"
#include "base/checked.h"
#include "base/export.h"
#include "models/plugin.h"

/* As CEGSIM_PLUGIN_ABI, for the types of analyses. */
#define CEGSIM_ANALYSIS_ABI 0xCEA50001u

#define CEGSIM_ANALYSIS_TYPES(each)                                                                          \
	each(struct analysis) each(struct analysis_result) each(struct task_bound) each(struct bound_part)   \
		each(struct bound_sums) each(struct sm_use) each(struct verdict) each(struct section_task)   \
			each(struct section_part) each(struct chain) each(struct chains)                     \
				each(struct chain_segment) each(struct window) each(struct window_sum)       \
					each(struct ratio)

#define CEGSIM_ANALYSIS_TYPES_MAX 32

struct cegsim_analysis {
	uint32_t abi;                                      /* CEGSIM_ANALYSIS_ABI; first in every version */
	uint32_t plugin_abi;                               /* CEGSIM_PLUGIN_ABI */
	uint32_t size[CEGSIM_PLUGIN_TYPES_MAX];            /* of CEGSIM_PLUGIN_TYPES in their order, then 0 */
	uint32_t analysis_size[CEGSIM_ANALYSIS_TYPES_MAX]; /* of CEGSIM_ANALYSIS_TYPES, then 0 */
	const struct analysis *analysis;
};

/* Write it once, at the end of a plug-in's file: CEGSIM_ANALYSIS(name_of_the_struct_analysis); */
#define CEGSIM_ANALYSIS(its_analysis)                                                                        \
	extern CEGSIM_API const struct cegsim_analysis cegsim_analysis;                                      \
	const struct cegsim_analysis cegsim_analysis = {CEGSIM_ANALYSIS_ABI, CEGSIM_PLUGIN_ABI,              \
		{CEGSIM_PLUGIN_TYPES(CEGSIM_PLUGIN_SIZE)}, {CEGSIM_ANALYSIS_TYPES(CEGSIM_PLUGIN_SIZE)},      \
		&(its_analysis)}

#endif
