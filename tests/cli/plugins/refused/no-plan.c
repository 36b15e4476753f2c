/* The policy has no plan(). */
#include <cegsim.h>

static const struct policy mine = {.name = "mine", .summary = "a test", .version = 1};
CEGSIM_POLICY(mine);
