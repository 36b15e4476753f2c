/* policies/template.c - a policy to copy: the GPU is one non-preemptive resource, handed to one unit at
 * a time by priority. It is complete and tested like every other (tests/conformance), but not in the
 * registry: it does nothing that `rm` does not do. docs/adding-a-policy.md walks through it.
 *
 * A real policy says here which paper and section it follows and where it departs from it. */
#include <stdio.h>

#include "models/gate.h"   /* what decide() may ask and do */
#include "models/kernel.h" /* how long a kernel takes on given SMs */
#include "models/policy.h" /* the interface; a registered policy includes "policies/policies.h" */

/* What the user may choose. The table checks scenarios, prints `cegsim list policies` and names the policy's
 * variants in recordings; plan() reads the values with params_*(). */
static const struct option options[] = {
	{
		.name = "unit",
		.kind = OPTION_CHOICE,
		.choices = "section|kernel",
		.fallback = "section",
		.help = "what has the GPU to itself: a whole GPU section, or each kernel",
	},
	{0},
};

/* What decide() must remember between two calls is at plan->state, never in a global: there may be several
 * runs at a time. This policy only needs its limit. */
struct state {
	uint32_t at_a_time;
};

/* Called in phase 4 of an instant at which a unit came to the gate or an admitted one ended. All completions,
 * releases and deadlines of the instant have been handled; what is admitted now is issued to its streams at
 * this same instant. The gate keeps the waiting units in plan->kernel_order. */
static void decide(struct gate *gate, void *state)
{
	const struct state *s = state;
	while (gate_waiting(gate) > 0 && gate_admitted(gate) < s->at_a_time)
		gate_admit_next(gate);
}

/* Worst-case time of all kernels of a task, each alone on all SMs. False with the reason: a kernel has
 * no time there (no alpha for this V_SM, a profile that is too short). */
static bool kernels_alone(const struct plan *plan, const struct task *task, int64_t *total, struct error *err)
{
	*total = 0;
	for (uint32_t i = 0; i < task->segment_count; i++) {
		struct kernel_shape shape;
		if (task->segments[i].kind != SEGMENT_KERNEL)
			continue;
		if (!kernel_shape(plan->platform, plan->set, &task->segments[i], plan->virtual_sms, NULL,
			    &shape, err))
			return false;
		int64_t time = kernel_time(plan->platform, plan->virtual_sms, &shape, NULL);
		/* The sum stays in range: it ends as soon as the deadline is passed. */
		if (time > task->deadline_ns - *total) {
			*total = INT64_MAX;
			return true;
		}
		*total += time;
	}
	return true;
}

/* Refusing a set is an answer, not a failure: the run is recorded as refused, with the reason and the
 * first task that fails, and counts as not schedulable. Check tasks in the order of priority where that
 * matters; here any order gives the same verdict. */
static bool refuse_hopeless(struct plan *plan, struct error *err)
{
	for (uint32_t i = 0; i < plan->set->task_count; i++) {
		const struct task *task = &plan->set->tasks[i];
		int64_t total;
		if (!kernels_alone(plan, task, &total, err))
			return false;
		if (total <= task->deadline_ns)
			continue;
		plan->refused = true;
		plan->failing_task = i;
		snprintf(plan->reason, sizeof(plan->reason),
			"the kernels of task '%.100s' alone take longer than its deadline", task->name);
		return true;
	}
	return true;
}

/* Called once per run. Every field of the plan has a sensible preset (models/policy.h): set only what
 * differs. Memory comes from plan->arena, lives as long as the run, and is not freed here. */
static bool plan_template(struct plan *plan, struct error *err)
{
	struct state *state = arena_new(plan->arena, struct state, 1);
	if (!state)
		return error_memory(err, "the policy's state");
	state->at_a_time = 1;
	plan->state = state;

	/* Priorities: rate monotonic, unless every task has one of its own. They rule the core. */
	taskset_ranks(plan->set, true, plan->rank);
	/* Who is next at the gate, and on the copy engines. Both are non-preemptive. */
	plan->unit = params_choice(plan->params, "unit") == 0 ? GATE_SECTION : GATE_KERNEL;
	plan->decide = decide;
	plan->kernel_order = order_by_priority;
	plan->copy_order = order_by_priority;
	return refuse_hopeless(plan, err);
}

const struct policy policy_template = {
	.name = "template",
	.summary = "one GPU section (or kernel) at a time on all SMs, by priority: a policy to copy",
	.version = 1,
	.plan_of_set = true, /* plan() looks at neither the setup nor releases */
	.options = options,
	.plan = plan_template,
};
