/* edf.c - earliest deadline first: on the core, on the copy engines, and for the GPU, one
 * section at a time. */
#include <cegsim.h>

static void decide(struct gate *gate, void *state)
{
	(void)state;
	if (gate_admitted(gate) == 0 && gate_waiting(gate) > 0)
		gate_admit_next(gate);
}

static bool plan(struct plan *plan, struct error *err)
{
	(void)err;
	plan->cpu_order = order_by_deadline;
	plan->copy_order = order_by_deadline;
	plan->unit = GATE_SECTION;
	plan->kernel_order = order_by_deadline;
	plan->decide = decide;
	return true;
}

static const struct policy my_edf = {
	.name = "my-edf",
	.summary = "earliest deadline first everywhere, one GPU section at a time [Liu and Layland 1973]",
	.version = 1,
	.plan = plan,
};
CEGSIM_POLICY(my_edf);
