/* Asks for an option that is not in its table. */
#include <cegsim.h>

static bool plan(struct plan *plan, struct error *err)
{
	(void)err;
	plan->wait = params_bool(plan->params, "spin") ? WAIT_BUSY : WAIT_SUSPEND;
	return true;
}

static const struct policy mine = {.name = "mine", .summary = "a test", .version = 1, .plan = plan};
CEGSIM_POLICY(mine);
