/* drain.c - the process of the highest GPU priority has the GPU; what runs of another first ends, block by
 * block [EffiSha, PPoPP 2017; FLEP, ASPLOS 2017]. */
#include <cegsim.h>

static void decide(struct gate *gate, void *state)
{
	const uint32_t *rank = state; /* [processes] 0 is the highest */
	uint32_t best = GATE_NOBODY;
	for (uint32_t p = 0; p < gate_processes(gate); p++)
		if (gate_is_active(gate, p) && (best == GATE_NOBODY || rank[p] < rank[best]))
			best = p;
	gate_switch(gate, best, GATE_DRAIN);
}

static bool plan(struct plan *plan, struct error *err)
{
	uint32_t tasks = plan->set->task_count;
	uint32_t *of_task = arena_new(plan->arena, uint32_t, tasks);
	uint32_t *process = arena_new(plan->arena, uint32_t, tasks);
	uint32_t *rank = arena_new(plan->arena, uint32_t, tasks);
	if (!of_task || !process || !rank)
		return error_memory(err, "the ranks of processes");
	taskset_gpu_ranks(plan->set, plan->rank, of_task);
	for (uint32_t p = taskset_processes(plan->set, process); p > 0; p--)
		rank[p - 1] = UINT32_MAX;
	for (uint32_t i = 0; i < tasks; i++)
		if (of_task[i] < rank[process[i]])
			rank[process[i]] = of_task[i];
	plan->contexts = CONTEXTS_GPU;
	plan->decide = decide;
	plan->state = rank;
	return true;
}

static const struct policy drain = {
	.name = "drain",
	.summary = "the process of the highest GPU priority, when the blocks that run have ended [EffiSha]",
	.version = 1,
	.plan = plan,
};
CEGSIM_POLICY(drain);
