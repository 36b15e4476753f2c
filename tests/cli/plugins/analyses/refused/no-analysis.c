/* A plug-in without an analysis. */
#include <cegsim_analysis.h>

extern CEGSIM_API const struct cegsim_analysis cegsim_analysis;
const struct cegsim_analysis cegsim_analysis = {CEGSIM_ANALYSIS_ABI, CEGSIM_PLUGIN_ABI,
	{CEGSIM_PLUGIN_TYPES(CEGSIM_PLUGIN_SIZE)}, {CEGSIM_ANALYSIS_TYPES(CEGSIM_PLUGIN_SIZE)}, NULL};
