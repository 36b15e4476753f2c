/* Built for the next version of the interface of policies, of which plans are. */
#include <cegsim_analysis.h>

extern CEGSIM_API const struct cegsim_analysis cegsim_analysis;
const struct cegsim_analysis cegsim_analysis = {
	.abi = CEGSIM_ANALYSIS_ABI, .plugin_abi = CEGSIM_PLUGIN_ABI + 1};
