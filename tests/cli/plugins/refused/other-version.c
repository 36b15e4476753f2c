/* Built for the next version of the interface. */
#include <cegsim.h>

extern CEGSIM_API const struct cegsim_plugin cegsim_plugin;
const struct cegsim_plugin cegsim_plugin = {.abi = CEGSIM_PLUGIN_ABI + 1};
