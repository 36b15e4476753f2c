/* models/plugin.h - how the program and its plug-ins recognise each other: for models/cegsim.h, which makes a
 * policy a plug-in, and analysis/cegsim_analysis.h, which makes an analysis one. */
#ifndef CEGSIM_MODELS_PLUGIN_H
#define CEGSIM_MODELS_PLUGIN_H

#ifdef __cplusplus
#error "plug-ins of cegsim are written in C"
#endif

#include "models/gate.h"
#include "models/kernel.h"
#include "models/policy.h"

/* Grows when the interface changes in a way that the sizes below do not show, such as a new value in the
 * middle of an enum. The upper half is constant. */
#define CEGSIM_PLUGIN_ABI 0xCE650003u

/* All types that the program and a plug-in exchange. A plug-in states the sizes that it was built with; one
 * that was built against other headers is refused, not run. */
#define CEGSIM_PLUGIN_TYPES(each)                                                                            \
	each(struct policy) each(struct option) each(struct params) each(struct plan) each(struct grant)     \
		each(struct operation) each(struct gate_unit_view) each(struct gate_weighed)                 \
			each(struct gate_call) each(struct platform) each(struct taskset) each(struct task)  \
				each(struct segment) each(struct profile) each(struct interleave)            \
					each(struct run_setup) each(struct release_rule)                     \
						each(struct effect_chain) each(struct kernel_shape)          \
							each(struct utilisation) each(struct error)          \
								each(struct arena)

#define CEGSIM_PLUGIN_TYPES_MAX 32
#define CEGSIM_PLUGIN_SIZE(type) (uint32_t)sizeof(type),

#endif
