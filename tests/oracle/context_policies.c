/* tests/oracle/context_policies.c - for the engine: a policy that gives the GPU to the process of the highest
 * task, in each of the three ways (docs/model.md, "Contexts"). What the oracle does is in contexts.c. */
#include <stdio.h>
#include <string.h>

#include "models/gate.h"
#include "tests/oracle/engine_side.h"

static const struct option options[] = {
	{.name = "how",
		.kind = OPTION_CHOICE,
		.choices = "save|drain|reset|any",
		.fallback = "save",
		.help = "-"},
	{.name = "owns", .kind = OPTION_CHOICE, .choices = "gpu|compute", .fallback = "gpu", .help = "-"},
	{.name = "sms", .kind = OPTION_CHOICE, .choices = "all|some", .fallback = "all", .help = "-"},
	{.name = "gate", .kind = OPTION_BOOL, .fallback = "false", .help = "-"},
	{.name = "patient", .kind = OPTION_BOOL, .fallback = "false", .help = "-"},
	{0},
};

struct taking {
	uint32_t how; /* enum gate_how; or another one at each instant */
	bool gate;    /* by the admitted sections, and admits them all */
	bool patient; /* lets a change end before the next one */
	uint32_t tasks, *rank;
};

static void decide(struct gate *gate, void *state)
{
	const struct taking *t = state;
	uint32_t best = GATE_NOBODY, of_best = 0;
	if (t->patient && gate_switching(gate) != GATE_NOBODY)
		return;
	while (t->gate && gate_waiting(gate) > 0)
		gate_admit_next(gate);
	for (uint32_t task = 0; task < t->tasks; task++) {
		uint32_t process = gate_process(gate, task);
		bool wants = t->gate ? gate_is_admitted(gate, task) : gate_is_active(gate, process);
		if (wants && (best == GATE_NOBODY || t->rank[task] < t->rank[of_best])) {
			best = process;
			of_best = task;
		}
	}
	enum gate_how how = (enum gate_how)(t->how <= GATE_RESET ? t->how : gate_now(gate) % 3);
	bool lost = how == GATE_RESET && !gate_may_reset(gate);
	gate_switch(gate, best, lost ? GATE_SAVE : how);
}

/* Each task has two SMs of its own, or one; others have them, too. */
static bool grant_sms(struct plan *plan, struct error *err)
{
	uint32_t tasks = plan->set->task_count, sms = plan->platform->sms, each = sms > 1 ? 2 : 1;
	struct grant *grants = arena_new(plan->arena, struct grant, tasks);
	uint32_t *sm = arena_new(plan->arena, uint32_t, (size_t)tasks * each);
	if (!grants || !sm)
		return error_memory(err, "the SMs of tasks");
	for (uint32_t i = 0; i < tasks; i++) {
		uint32_t first = i % (sms - each + 1);
		for (uint32_t k = 0; k < each; k++)
			sm[i * each + k] = first + k;
		grants[i] = (struct grant){.count = each, .sm = &sm[i * each]};
	}
	plan->grants = grants;
	return true;
}

static bool plan(struct plan *plan, struct error *err)
{
	struct taking *t = arena_new(plan->arena, struct taking, 1);
	uint32_t *rank = arena_new(plan->arena, uint32_t, plan->set->task_count);
	if (!t || !rank)
		return error_memory(err, "the ranks of tasks");
	taskset_gpu_ranks(plan->set, plan->rank, rank);
	*t = (struct taking){
		.how = params_choice(plan->params, "how"),
		.gate = params_bool(plan->params, "gate"),
		.patient = params_bool(plan->params, "patient"),
		.tasks = plan->set->task_count,
		.rank = rank,
	};
	plan->contexts = params_choice(plan->params, "owns") ? CONTEXTS_COMPUTE : CONTEXTS_GPU;
	plan->unit = t->gate ? GATE_SECTION : GATE_OPEN;
	plan->kernel_order = t->gate ? order_by_priority : plan->kernel_order;
	plan->decide = decide;
	if (params_choice(plan->params, "sms") && plan->platform->pool == POOL_GPU) {
		plan->refused = true;
		snprintf(plan->reason, sizeof(plan->reason), "the SMs are a pool");
		plan->failing_task = UINT32_MAX;
	} else if (params_choice(plan->params, "sms") && !grant_sms(plan, err)) {
		return false;
	}
	plan->state = t;
	return true;
}

static const struct policy take = {.name = "take", .version = 1, .options = options, .plan = plan};

const struct policy *context_policy(const char *name)
{
	return strcmp(name, take.name) == 0 ? &take : NULL;
}
