/* policies/serial.c - one unit at a time: `fcfs` and `rm`, the baselines of sBEET's evaluation
 * (section V.E: a GPU section has the whole GPU, non-preemptively, in the order of arrival or of
 * rate-monotonic priority), and the mechanism for others like them.
 *
 * `unit: section` serialises whole GPU sections, copies included; `unit: kernel` serialises kernels
 * only, so that copies overlap other tasks' kernels (sBEET, Fig. 2a). */
#include "models/gate.h"
#include "policies/policies.h"

void decide_one_at_a_time(struct gate *gate, void *state)
{
	(void)state;
	if (gate_admitted(gate) == 0 && gate_waiting(gate) > 0)
		gate_admit_next(gate);
}

static const struct option options[] = {
	{ .name = "unit", .kind = OPTION_CHOICE, .choices = "section|kernel", .fallback = "section",
		.help = "what has the GPU to itself: a whole GPU section, or each kernel" },
	{ 0 },
};

static void plan_serial(struct plan *plan)
{
	plan->unit = params_choice(plan->params, "unit") == 0 ? GATE_SECTION : GATE_KERNEL;
	plan->decide = decide_one_at_a_time;
}

static bool plan_fcfs(struct plan *plan, struct error *err)
{
	(void)err;
	plan_serial(plan);
	plan->kernel_order = order_by_arrival;
	plan->copy_order = order_by_arrival;
	return true;
}

static bool plan_rm(struct plan *plan, struct error *err)
{
	(void)err;
	plan_serial(plan);
	taskset_ranks(plan->set, true, plan->rank);
	plan->kernel_order = order_by_priority;
	plan->copy_order = order_by_priority;
	return true;
}

const struct policy policy_fcfs = {
	.name = "fcfs",
	.summary = "one GPU section (or kernel) at a time on all SMs, in order of becoming ready [sBEET V.E]",
	.version = 1,
	.options = options,
	.plan = plan_fcfs,
};

const struct policy policy_rm = {
	.name = "rm",
	.summary = "one GPU section (or kernel) at a time on all SMs, rate monotonic [sBEET V.E]",
	.version = 1,
	.options = options,
	.plan = plan_rm,
};
