/* Grants SMs at run time although its plan does not say so. */
#include <cegsim.h>

static void decide(struct gate *gate, void *state)
{
	uint32_t sm = 0;
	const struct grant grant = {.count = 1, .sm = &sm};
	(void)state;
	if (gate_waiting(gate) > 0)
		gate_admit_on(gate, gate_unit(gate, 0).task, &grant);
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
