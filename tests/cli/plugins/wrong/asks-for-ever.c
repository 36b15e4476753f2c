/* Never admits anything, and asks to be called again and again. */
#include <cegsim.h>

static void decide(struct gate *gate, void *state)
{
	(void)state;
	gate_wake(gate, gate_now(gate) + 1000000);
}

static bool plan(struct plan *plan, struct error *err)
{
	(void)err;
	plan->unit = GATE_SECTION;
	plan->decide = decide;
	plan->wakes = true;
	return true;
}

static const struct policy mine = {.name = "mine", .summary = "a test", .version = 1, .plan = plan};
CEGSIM_POLICY(mine);
