/* reset.c - real-time processes take the GPU from best-effort ones at once: what these run is lost, and
 * starts again later [Han et al., "REEF", OSDI 2022]. Among processes of one kind the one that has the GPU
 * keeps it. What is not idempotent is waited for. */
#include <cegsim.h>

static void decide(struct gate *gate, void *state)
{
	const bool *best_effort = state; /* [processes] */
	uint32_t holder = gate_context(gate), next = GATE_NOBODY;
	for (uint32_t p = 0; p < gate_processes(gate); p++) {
		bool first = next == GATE_NOBODY || (best_effort[next] && !best_effort[p]);
		bool keeps = p == holder && next != GATE_NOBODY && best_effort[p] == best_effort[next];
		if (gate_is_active(gate, p) && (first || keeps))
			next = p;
	}
	bool runs = holder != GATE_NOBODY && gate_is_active(gate, holder);
	gate_switch(gate, next, runs && gate_may_reset(gate) ? GATE_RESET : GATE_DRAIN);
}

static bool plan(struct plan *plan, struct error *err)
{
	uint32_t tasks = plan->set->task_count, *process = arena_new(plan->arena, uint32_t, tasks);
	bool *best_effort = arena_new(plan->arena, bool, tasks);
	if (!process || !best_effort)
		return error_memory(err, "the kinds of processes");
	uint32_t processes = taskset_processes(plan->set, process);
	for (uint32_t p = 0; p < processes; p++)
		best_effort[p] = true;
	for (uint32_t i = 0; i < tasks; i++)
		best_effort[process[i]] &= plan->set->tasks[i].best_effort;
	plan->contexts = CONTEXTS_GPU;
	plan->decide = decide;
	plan->state = best_effort;
	return true;
}

static const struct policy reset = {
	.name = "reset",
	.summary = "real-time processes cut off what best-effort ones run, which starts again later [REEF]",
	.version = 1,
	.plan = plan,
};
CEGSIM_POLICY(reset);
