/* What CEGSIM_POLICY() makes, made otherwise. */
#include <cegsim.h>

extern CEGSIM_API const char cegsim_plugin[];
const char cegsim_plugin[] = "a policy named mine";
