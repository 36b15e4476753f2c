/* Admits a unit more often than units wait. */
#include <cegsim.h>

static void decide(struct gate *gate, void *state)
{
	(void)state;
	for (uint32_t i = gate_waiting(gate) + 1; i > 0; i--)
		gate_admit_next(gate);
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
