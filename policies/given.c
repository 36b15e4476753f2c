/* policies/given.c - what policies that allocate SMs before the run have in common: an allocation given by
 * the user, and the verdict of their test (policies/policies.h). */
#include <stdio.h>
#include "analysis/verdict.h"
#include "policies/policies.h"

bool plan_given(const struct plan *plan, uint32_t **given, struct error *err)
{
	uint32_t tasks = plan->set->task_count;
	int64_t *values = arena_new(plan->arena, int64_t, tasks);
	*given = NULL;
	if (!values)
		return error_memory(err, "the allocation");
	size_t count = params_list(plan->params, "allocation", values, tasks);
	if (count == 0)
		return true;
	if (count != tasks)
		return error_set(err, STATUS_INPUT, "'allocation' has %zu numbers, and there are %u tasks", count, tasks);
	*given = arena_new(plan->arena, uint32_t, tasks);
	if (!*given)
		return error_memory(err, "the allocation");
	for (uint32_t i = 0; i < tasks; i++)
		(*given)[i] = (uint32_t)values[i];
	return true;
}

void plan_refuse(struct plan *plan, const struct verdict *verdict)
{
	plan->refused = true;
	plan->failing_task = verdict->failing_task;
	snprintf(plan->reason, sizeof plan->reason, "%s", verdict->reason);
}
