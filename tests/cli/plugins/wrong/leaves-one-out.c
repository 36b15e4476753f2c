/* Admits sections of all tasks but the first, and asks to be called again and again. */
#include <cegsim.h>

static void decide(struct gate *gate, void *state)
{
	(void)state;
	for (uint32_t i = 0; i < gate_waiting(gate); i++) {
		uint32_t task = gate_unit(gate, i).task;
		if (task != 0 && gate_admitted(gate) == 0) {
			gate_admit(gate, task);
			break;
		}
	}
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
