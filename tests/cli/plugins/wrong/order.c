/* An order that does not exist. */
#include <cegsim.h>

static bool plan(struct plan *plan, struct error *err)
{
	(void)err;
	plan->copy_order = NULL;
	return true;
}

static const struct policy mine = {.name = "mine", .summary = "a test", .version = 1, .plan = plan};
CEGSIM_POLICY(mine);
