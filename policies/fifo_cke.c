/* policies/fifo_cke.c - FIFO with concurrent kernel execution: what NVIDIA hardware does (Yang &
 * Anderson, "Response-Time Bounds for Concurrent GPU Scheduling", section III, rules R1 and R2).
 *
 * `order: head` is rule R2 to the letter: a kernel enters the primary queue when it becomes head of its
 * stream. `order: release` is the paper's property P1: kernels in FIFO order by job release.
 *
 * The paper has no stream priorities. Where a set has some, they are the hardware's: each has a primary queue
 * of its own. `priorities: ignore` is the paper's policy on such a set. */
#include "policies/policies.h"

static const struct option options[] = {
	{
		.name = "order",
		.kind = OPTION_CHOICE,
		.choices = "head|release",
		.fallback = "head",
		.help = "order of the primary queue: by becoming head of the stream (R2), or by "
			"job release (P1)",
	},
	{
		.name = "priorities",
		.kind = OPTION_CHOICE,
		.choices = "honour|ignore",
		.fallback = "honour",
		.help = "stream priorities: kernels of high streams first, as the hardware does, or all "
			"streams alike",
	},
	{0},
};

static bool plan_fifo_cke(struct plan *plan, struct error *err)
{
	(void)err;
	bool by_release = params_choice(plan->params, "order") == 1;
	plan->kernel_order = by_release ? order_by_release : order_by_arrival;
	plan->gpus = GPUS_EACH;
	plan->streams_alike = params_choice(plan->params, "priorities") == 1;
	return true;
}

const struct policy policy_fifo_cke = {
	.name = "fifo-cke",
	.summary = "FIFO with concurrent kernels, rules R1 and R2 [Yang & Anderson]; high streams first",
	.version = 1,
	.plan_of_set = true,
	.options = options,
	.plan = plan_fifo_cke,
};
