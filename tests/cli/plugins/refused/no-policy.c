/* A plug-in without a policy. */
#include <cegsim.h>

extern CEGSIM_API const struct cegsim_plugin cegsim_plugin;
const struct cegsim_plugin cegsim_plugin = {
	CEGSIM_PLUGIN_ABI, {CEGSIM_PLUGIN_TYPES(CEGSIM_PLUGIN_SIZE)}, NULL};
