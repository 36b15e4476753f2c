/* Never admits anything. */
#include <cegsim.h>

static void decide(struct gate *gate, void *state)
{
	(void)state;
	(void)gate;
}

static bool plan(struct plan *plan, struct error *err)
{
	(void)err;
	plan->unit = GATE_SECTION;
	plan->decide = decide;
	return true;
}

static const struct policy mine = {.name = "mine", .summary = "a test", .version = 1, .plan = plan};
CEGSIM_POLICY(mine);
