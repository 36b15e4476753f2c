/* Fails with a reason of its own. */
#include <cegsim.h>

static bool plan(struct plan *plan, struct error *err)
{
	(void)plan;
	return error_set(err, STATUS_INPUT, "no plan on %s", "Sundays");
}

static const struct policy mine = {.name = "mine", .summary = "a test", .version = 1, .plan = plan};
CEGSIM_POLICY(mine);
