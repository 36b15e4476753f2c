/* Defines by hand, as another type, what CEGSIM_POLICY() defines. */
#include <cegsim.h>

extern CEGSIM_API const char cegsim_plugin[];
const char cegsim_plugin[] = "a policy named mine";
