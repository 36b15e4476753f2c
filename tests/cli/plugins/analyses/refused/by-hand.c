/* Defines by hand, as another type, what CEGSIM_ANALYSIS() defines. */
#include <cegsim_analysis.h>

extern CEGSIM_API const char cegsim_analysis[];
const char cegsim_analysis[] = "an analysis named mine";
