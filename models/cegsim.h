/* models/cegsim.h - installed as <cegsim.h>: what a policy outside the tree includes, and the macro that
 * makes it a plug-in (docs/adding-a-policy.md). `pkg-config --cflags cegsim` finds it; there is no library to
 * link, since the program exports the functions marked CEGSIM_API to the plug-ins it loads. For analyses
 * there is <cegsim_analysis.h>. */
#ifndef CEGSIM_MODELS_CEGSIM_H
#define CEGSIM_MODELS_CEGSIM_H

#include "base/checked.h"
#include "base/export.h"
#include "models/gate.h"
#include "models/kernel.h"
#include "models/plugin.h"
#include "models/policy.h"

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
