/* policies/edf.c - earliest deadline first everywhere: the core (preemptive; Liu and Layland, "Scheduling
 * Algorithms for Multiprogramming in a Hard-Real-Time Environment", JACM 1973, section 7), copy engines and
 * the GPU (non-preemptive, one unit at a time). It is not from one of the papers that cegsim follows. */
#include "models/gate.h"
#include "policies/policies.h"

static bool plan_edf(struct plan *plan, struct error *err)
{
	(void)err;
	plan_one_at_a_time(plan, order_by_deadline);
	plan->cpu_order = order_by_deadline;
	return true;
}

const struct policy policy_edf = {
	.name = "edf",
	.summary = "earliest deadline first on the core, copy engines and the GPU, one section (or "
		   "kernel) at a time",
	.version = 1,
	.plan_of_set = true,
	.options = serial_options,
	.plan = plan_edf,
};
