/* policies/serial.c - one unit on the GPU at a time: `fcfs` and `rm`, the baselines of sBEET's evaluation
 * (section V.E: a GPU section has the whole GPU, non-preemptively, in the order of arrival or of
 * rate-monotonic priority), and shared code for similar policies.
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

const struct option serial_options[] = {
	{
		.name = "unit",
		.kind = OPTION_CHOICE,
		.choices = "section|kernel",
		.fallback = "section",
		.help = "what has the GPU to itself: a whole GPU section, or each kernel",
	},
	{0},
};

void plan_sections_one_at_a_time(struct plan *plan, order_fn *order)
{
	plan->unit = GATE_SECTION;
	plan->gpus = GPUS_EACH;
	plan->decide = decide_one_at_a_time;
	plan->kernel_order = order;
	plan->copy_order = order;
}

void plan_one_at_a_time(struct plan *plan, order_fn *order)
{
	plan_sections_one_at_a_time(plan, order);
	if (params_choice(plan->params, "unit") == 1)
		plan->unit = GATE_KERNEL;
}

static bool plan_fcfs(struct plan *plan, struct error *err)
{
	(void)err;
	plan_one_at_a_time(plan, order_by_arrival);
	return true;
}

static bool plan_rm(struct plan *plan, struct error *err)
{
	(void)err;
	taskset_ranks(plan->set, true, plan->rank);
	plan_one_at_a_time(plan, order_by_priority);
	return true;
}

const struct policy policy_fcfs = {
	.name = "fcfs",
	.summary = "one GPU section (or kernel) at a time on all SMs, in order of becoming ready [sBEET V.E]",
	.version = 1,
	.plan_of_set = true,
	.options = serial_options,
	.plan = plan_fcfs,
};

const struct policy policy_rm = {
	.name = "rm",
	.summary = "one GPU section (or kernel) at a time on all SMs, rate monotonic [sBEET V.E]",
	.version = 1,
	.plan_of_set = true,
	.options = serial_options,
	.plan = plan_rm,
};
