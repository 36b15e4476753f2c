/* Admits the first unit, and never another. */
#include <cegsim.h>

static void decide(struct gate *gate, void *state)
{
	bool *first = state;
	if (*first)
		gate_admit_next(gate);
	*first = false;
}

static bool plan(struct plan *plan, struct error *err)
{
	bool *first = arena_new(plan->arena, bool, 1);
	if (!first)
		return error_memory(err, "the state");
	*first = true;
	plan->unit = GATE_KERNEL;
	plan->decide = decide;
	plan->state = first;
	return true;
}

static const struct policy mine = {.name = "mine", .summary = "a test", .version = 1, .plan = plan};
CEGSIM_POLICY(mine);
