/* Grants SMs with a list that is NULL. */
#include <cegsim.h>

static void decide(struct gate *gate, void *state)
{
	const struct grant grant = {.count = 1};
	(void)state;
	if (gate_waiting(gate) > 0)
		gate_admit_on(gate, gate_unit(gate, 0).task, &grant);
}

static bool plan(struct plan *plan, struct error *err)
{
	(void)err;
	plan->unit = GATE_SECTION;
	plan->decide = decide;
	plan->grants_at_run_time = true;
	return true;
}

static const struct policy mine = {.name = "mine", .summary = "a test", .version = 1, .plan = plan};
CEGSIM_POLICY(mine);
