/* policies/mutex.c - GPU sections run one at a time on all SMs, by deadline-monotonic priority. This is the
 * run-time side of two analyses that RTGPU is compared with in its paper (section 6): `self-suspension`, and
 * `mpcp` (Patel, Baek, Kim, Rajkumar, "Analytical Enhancements and Practical Insights for MPCP with
 * Self-Suspensions", RTAS 2018), where the GPU is a mutex and its holder may spin above every priority.
 *
 * A section does nothing on the core, so boosting a holder that suspends has no effect: `mpcp` with `wait:
 * suspend` is `self-suspension`. */
#include "policies/policies.h"

static bool plan_self_suspension(struct plan *plan, struct error *err)
{
	(void)err;
	plan_sections_one_at_a_time(plan, order_by_priority);
	return true;
}

static const struct option mpcp_options[] = {
	{
		.name = "wait",
		.kind = OPTION_CHOICE,
		.choices = "suspend|busy",
		.fallback = "suspend",
		.help = "what a job does with the core during its GPU section: leaves it, or spins "
			"above all priorities",
	},
	{0},
};

static bool plan_mpcp(struct plan *plan, struct error *err)
{
	(void)err;
	plan_sections_one_at_a_time(plan, order_by_priority);
	plan->wait = params_choice(plan->params, "wait") == 1 ? WAIT_BOOST : WAIT_SUSPEND;
	return true;
}

const struct policy policy_self_suspension = {
	.name = "self-suspension",
	.summary =
		"one GPU section at a time on all SMs, by priority; jobs leave the core meanwhile [RTGPU 6]",
	.version = 1,
	.plan_of_set = true,
	.plan = plan_self_suspension,
};

const struct policy policy_mpcp = {
	.name = "mpcp",
	.summary = "the GPU as a mutex with a priority queue; suspending, or spinning boosted "
		   "[Patel et al. RTAS'18]",
	.version = 1,
	.plan_of_set = true,
	.options = mpcp_options,
	.plan = plan_mpcp,
};
