/* policies/given.c - shared code of the policies that allocate SMs before the run: an allocation given by the
 * user, and the verdict of their test (policies/policies.h). */
#include <stdio.h>

#include "analysis/verdict.h"
#include "policies/policies.h"

bool plan_given(const struct plan *plan, uint32_t **given, struct error *err)
{
	int64_t values[PARAM_LIST_MAX];
	uint32_t tasks = plan->set->task_count;
	size_t count = params_list(plan->params, "allocation", values, PARAM_LIST_MAX);
	*given = NULL;
	if (count == 0)
		return true;
	if (count != tasks)
		return error_set(err, STATUS_INPUT, "'allocation' has %zu number%s, and there %s %u task%s",
			count, count == 1 ? "" : "s", tasks == 1 ? "is" : "are", tasks,
			tasks == 1 ? "" : "s");
	*given = arena_new(plan->arena, uint32_t, tasks);
	if (!*given)
		return error_memory(err, "the allocation");
	for (uint32_t i = 0; i < tasks; i++)
		(*given)[i] = (uint32_t)values[i];
	return true;
}

void plan_verdict(struct plan *plan, const struct verdict *verdict, bool refused)
{
	plan->refused = refused;
	if (verdict->accepted)
		return;
	plan->failing_task = verdict->failing_task;
	snprintf(plan->reason, sizeof(plan->reason), "%s", verdict->reason);
}

/* Tests know no overheads; but a set may run although it fails the test. */
static bool plan_refused_overheads(struct plan *plan)
{
	struct verdict v;
	if (!platform_overheads(plan->platform) || params_choice(plan->params, "admit") == 1)
		return false;
	verdict_refuse(&v, NO_FAILING_TASK,
		"its test holds for platforms without overheads ('admit: any' runs the set all the same)");
	plan_verdict(plan, &v, true);
	return true;
}

bool plan_refused_setting(struct plan *plan, bool own_cores)
{
	struct verdict v = {.accepted = true};
	bool any = params_choice(plan->params, "admit") == 1;
	if (verdict_plain(&v, plan->set, "its test holds for") &&
		(any || verdict_in_turn(&v, plan->set, "its test holds for")) &&
		verdict_undivided(&v, plan->platform, plan->set, "its test holds for") &&
		(any || verdict_cores(&v, plan->platform, plan->set, own_cores, "its test holds for")))
		return plan_refused_overheads(plan);
	plan_verdict(plan, &v, true);
	return true;
}
