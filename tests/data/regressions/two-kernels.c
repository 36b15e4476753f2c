/* two-kernels.c - earliest deadline first, and two kernels at a time on the GPU. */
#include <cegsim.h>

static void decide(struct gate *gate, void *state)
{
	(void)state;
	while (gate_waiting(gate) > 0 && gate_admitted(gate) < 2)
		gate_admit_next(gate);
}

static bool plan(struct plan *plan, struct error *err)
{
	(void)err;
	plan->cpu_order = order_by_deadline;
	plan->copy_order = order_by_deadline;
	plan->unit = GATE_KERNEL;
	plan->kernel_order = order_by_deadline;
	plan->decide = decide;
	return true;
}

static const struct policy two_kernels = {
	.name = "two-kernels", .summary = "a test", .version = 1, .plan = plan};
CEGSIM_POLICY(two_kernels);
