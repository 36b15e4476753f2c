/* A name that cannot be typed after -p. */
#include <cegsim.h>

static bool plan(struct plan *plan, struct error *err)
{
	(void)plan;
	(void)err;
	return true;
}

static const struct policy mine = {.name = "My policy", .summary = "a test", .version = 1, .plan = plan};
CEGSIM_POLICY(mine);
