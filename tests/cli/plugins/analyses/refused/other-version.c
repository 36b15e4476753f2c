/* Built for the next version of the interface. */
#include <cegsim_analysis.h>

extern CEGSIM_API const struct cegsim_analysis cegsim_analysis;
const struct cegsim_analysis cegsim_analysis = {.abi = CEGSIM_ANALYSIS_ABI + 1};
