/* policies/tsg_rr.c - processes have the GPU in turns, for time slices, as by NVIDIA's driver: its runlist
 * has the channels of each process as a time slice group (TSG), and all have the same interleave level [Wang
 * et al., "GCAPS: GPU Context-Aware Preemptive Priority-Based Scheduling for Real-Time Tasks", ECRTS 2024,
 * section 2; their analysis of it, section 6]. docs/model.md, "Contexts", has the rules T1 to T7.
 *
 * `owns: gpu` is GCAPS' model, and that of boards with one runlist (TX2): a context has copy engines and SMs.
 * `owns: compute` is for boards with a runlist for each engine: copies do not take part. The turns themselves
 * are in policies/turns.c. */
#include "policies/policies.h"
#include "policies/turns.h"

static const struct option options[] = {
	{
		.name = "owns",
		.kind = OPTION_CHOICE,
		.choices = "gpu|compute",
		.fallback = "gpu",
		.help = "what a process has in its slices: copy engines and SMs, or the SMs only",
	},
	{
		.name = "wait",
		.kind = OPTION_CHOICE,
		.choices = "suspend|busy",
		.fallback = "suspend",
		.help = "what a job does with the core during its GPU section: leaves it, or spins",
	},
	{0},
};

static void decide(struct gate *gate, void *state)
{
	turns_decide(state, gate);
}

static bool plan_tsg_rr(struct plan *plan, struct error *err)
{
	struct turns *turns = arena_new(plan->arena, struct turns, 1);
	if (!turns)
		return error_memory(err, "the state of tsg-rr");
	turns_init(turns, plan->platform);
	plan->contexts = params_choice(plan->params, "owns") == 1 ? CONTEXTS_COMPUTE : CONTEXTS_GPU;
	plan->wait = params_choice(plan->params, "wait") == 1 ? WAIT_BUSY : WAIT_SUSPEND;
	plan->decide = decide;
	plan->wakes = true;
	plan->state = turns;
	return true;
}

const struct policy policy_tsg_rr = {
	.name = "tsg-rr",
	.summary = "processes have the GPU in turns, for time slices, as by NVIDIA's driver [GCAPS 2]",
	.version = 1,
	.plan_of_set = true,
	.options = options,
	.plan = plan_tsg_rr,
};
