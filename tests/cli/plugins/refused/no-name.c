/* The policy has no name. */
#include <cegsim.h>

static bool plan(struct plan *plan, struct error *err)
{
	(void)plan;
	(void)err;
	return true;
}

static const struct policy mine = {.name = NULL, .summary = "a test", .version = 1, .plan = plan};
CEGSIM_POLICY(mine);
