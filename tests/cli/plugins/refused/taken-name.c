/* The name of a policy that exists already. */
#include <cegsim.h>

static bool plan(struct plan *plan, struct error *err)
{
	(void)plan;
	(void)err;
	return true;
}

static const struct policy mine = {.name = "fifo-cke", .summary = "a test", .version = 1, .plan = plan};
CEGSIM_POLICY(mine);
