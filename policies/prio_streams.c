/* policies/prio_streams.c - CUDA stream priorities over rules R1 and R2: kernels of high streams have a
 * primary queue of their own and go first; running blocks are never preempted (Amert et al., "GPU Scheduling
 * on the NVIDIA TX2", RTSS'17, rules A1 and A2). Copies of high streams go first, too. */
#include "policies/policies.h"

static bool plan_prio_streams(struct plan *plan, struct error *err)
{
	(void)err;
	plan->gpus = GPUS_EACH;
	plan->copy_order = order_by_stream_priority;
	return true;
}

const struct policy policy_prio_streams = {
	.name = "prio-streams",
	.summary =
		"stream priorities over rules R1 and R2; copies of high streams first [Amert et al. RTSS'17]",
	.version = 1,
	.plan_of_set = true,
	.plan = plan_prio_streams,
};
