/* models/cegsim.h - installed as <cegsim.h>: what a policy outside the tree includes, and the macro that
 * makes it a plug-in (docs/adding-a-policy.md). `pkg-config --cflags cegsim` finds it; there is no library to
 * link, since the program exports the functions marked CEGSIM_API to the plug-ins it loads. */
#ifndef CEGSIM_MODELS_CEGSIM_H
#define CEGSIM_MODELS_CEGSIM_H

#ifdef __cplusplus
#error "policies of cegsim are written in C"
#endif

#include "base/checked.h"
#include "base/export.h"
#include "models/gate.h"
#include "models/kernel.h"
#include "models/policy.h"

/* Grows when the interface changes in a way that the sizes below do not show, such as a new value in the
 * middle of an enum. The upper half is constant. */
#define CEGSIM_PLUGIN_ABI 0xCE650002u

/* All types that the program and a plug-in exchange. A plug-in states the sizes that it was built with; one
 * that was built against other headers is refused, not run. */
#define CEGSIM_PLUGIN_TYPES(each)                                                                            \
	each(struct policy) each(struct option) each(struct params) each(struct plan) each(struct grant)     \
		each(struct operation) each(struct gate_unit_view) each(struct gate_weighed)                 \
			each(struct platform) each(struct taskset) each(struct task) each(struct segment)    \
				each(struct profile) each(struct interleave) each(struct run_setup)          \
					each(struct release_rule) each(struct kernel_shape)                  \
						each(struct utilisation) each(struct error)                  \
							each(struct arena)

#define CEGSIM_PLUGIN_TYPES_MAX 32
#define CEGSIM_PLUGIN_SIZE(type) (uint32_t)sizeof(type),

struct cegsim_plugin {
	uint32_t abi;                           /* CEGSIM_PLUGIN_ABI; first in every version */
	uint32_t size[CEGSIM_PLUGIN_TYPES_MAX]; /* of CEGSIM_PLUGIN_TYPES in their order, then 0 */
	const struct policy *policy;
};

/* Write it once, at the end of a plug-in's file: CEGSIM_POLICY(name_of_the_struct_policy); */
#define CEGSIM_POLICY(its_policy)                                                                            \
	extern CEGSIM_API const struct cegsim_plugin cegsim_plugin;                                          \
	const struct cegsim_plugin cegsim_plugin = {                                                         \
		CEGSIM_PLUGIN_ABI, {CEGSIM_PLUGIN_TYPES(CEGSIM_PLUGIN_SIZE)}, &(its_policy)}

#endif
