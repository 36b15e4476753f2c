/* Gives two tasks the same rank. */
#include <cegsim.h>

static bool plan(struct plan *plan, struct error *err)
{
	(void)err;
	plan->rank[1] = plan->rank[0];
	return true;
}

static const struct policy mine = {.name = "mine", .summary = "a test", .version = 1, .plan = plan};
CEGSIM_POLICY(mine);
