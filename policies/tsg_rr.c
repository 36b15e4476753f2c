/* policies/tsg_rr.c - processes have the GPU in turns, for time slices, as by NVIDIA's driver: its runlist
 * has the channels of each process as a time slice group (TSG), and all have the same interleave level [Wang
 * et al., "GCAPS: GPU Context-Aware Preemptive Priority-Based Scheduling for Real-Time Tasks", ECRTS 2024,
 * section 2; their analysis of it, section 6]. docs/model.md, "Contexts", has the rules T1 to T7.
 *
 * `owns: gpu` is GCAPS' model, and that of boards with one runlist (TX2): a context has copy engines and SMs.
 * `owns: compute` is for boards with a runlist for each engine: copies do not take part.
 *
 * Slices follow each other without a break while a context is alone. So nothing needs to happen at their
 * ends, and it is enough to know where the first of them began. */
#include "models/gate.h"
#include "policies/policies.h"

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

struct state {
	int64_t slice_ns;
	int64_t begin; /* of the holder's first slice */
	uint32_t last; /* the process that was loaded last */
};

/* The next active process in the ring behind `last`, which comes last itself. */
static uint32_t next_active(const struct gate *gate, uint32_t last)
{
	uint32_t count = gate_processes(gate);
	for (uint32_t i = 1; i <= count; i++)
		if (gate_is_active(gate, (last + i) % count))
			return (last + i) % count;
	return GATE_NOBODY;
}

static void decide(struct gate *gate, void *state)
{
	struct state *s = state;
	int64_t now = gate_now(gate), in_slice = (now - s->begin) % s->slice_ns;
	uint32_t holder = gate_context(gate), next = next_active(gate, s->last);
	if (gate_switching(gate) != GATE_NOBODY || (holder != GATE_NOBODY && next == holder))
		return; /* nothing to decide; or alone */
	if (holder != GATE_NOBODY && gate_is_active(gate, holder) && (now == s->begin || in_slice > 0)) {
		gate_wake(gate, now - in_slice + s->slice_ns);
		return;
	}
	int64_t begin = gate_switch(gate, next, GATE_SAVE);
	if (next == GATE_NOBODY)
		return;
	s->begin = begin;
	s->last = next;
	gate_wake(gate, begin + s->slice_ns);
}

static bool plan_tsg_rr(struct plan *plan, struct error *err)
{
	struct state *s = arena_new(plan->arena, struct state, 1);
	if (!s)
		return error_memory(err, "the state of tsg-rr");
	s->slice_ns = context_timeslice(&plan->platform->contexts);
	s->last = UINT32_MAX; /* so the first process comes first */
	plan->contexts = params_choice(plan->params, "owns") == 1 ? CONTEXTS_COMPUTE : CONTEXTS_GPU;
	plan->wait = params_choice(plan->params, "wait") == 1 ? WAIT_BUSY : WAIT_SUSPEND;
	plan->decide = decide;
	plan->wakes = true;
	plan->state = s;
	return true;
}

const struct policy policy_tsg_rr = {
	.name = "tsg-rr",
	.summary = "processes have the GPU in turns, for time slices, as by NVIDIA's driver [GCAPS 2]",
	.version = 1,
	.options = options,
	.plan = plan_tsg_rr,
};
