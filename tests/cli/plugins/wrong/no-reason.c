/* Fails without giving a reason. */
#include <cegsim.h>

static bool plan(struct plan *plan, struct error *err)
{
	(void)plan;
	(void)err;
	return false;
}

static const struct policy mine = {.name = "mine", .summary = "a test", .version = 1, .plan = plan};
CEGSIM_POLICY(mine);
