/* policies/given.c - shared code of the policies that allocate SMs before the run: an allocation given by the
 * user, and the verdict of their test (policies/policies.h). */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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

/* ---- masks ---- */

/* The task's mask, of its first kernel; NULL: it has no kernel. */
static const struct segment *mask_of(const struct task *t)
{
	for (uint32_t i = 0; i < t->segment_count; i++)
		if (t->segments[i].kind == SEGMENT_KERNEL)
			return &t->segments[i];
	return NULL;
}

static bool same_sms(const struct segment *a, const struct segment *b)
{
	return a->gpu == b->gpu && a->sm_count == b->sm_count &&
	       memcmp(a->sms, b->sms, a->sm_count * sizeof(*a->sms)) == 0;
}

/* Whether every kernel of the task has the same mask. */
static bool one_mask(const struct task *t, uint32_t task, struct verdict *v)
{
	for (uint32_t i = 0; i < t->segment_count; i++) {
		const struct segment *s = &t->segments[i];
		if (s->kind == SEGMENT_KERNEL && (s->sm_count == 0 || !same_sms(s, mask_of(t))))
			return verdict_refuse(v, task,
				"segment %" PRIu32 " of task '%.60s' has other SMs than the task's first "
				"kernel, or none: masks of 'sms' are the allocation where each task has one",
				i, t->name);
	}
	return true;
}

static bool masks_are_apart(struct plan *plan, struct verdict *v, struct error *err)
{
	size_t sms = 0;
	for (uint32_t g = 0; g < platform_gpus(plan->platform); g++)
		sms = platform_gpu(plan->platform, g)->sms > sms ? platform_gpu(plan->platform, g)->sms : sms;
	uint32_t *owner = arena_new(plan->arena, uint32_t, sms * platform_gpus(plan->platform));
	if (!owner)
		return error_memory(err, "the allocation");
	for (uint32_t i = 0; i < plan->set->task_count; i++) {
		const struct task *t = &plan->set->tasks[i];
		const struct segment *mask = mask_of(t);
		if (mask && !one_mask(t, i, v))
			return true;
		for (uint32_t k = 0; mask && k < mask->sm_count; k++) {
			uint32_t *of = &owner[mask->gpu * sms + mask->sms[k]];
			if (*of > 0) {
				verdict_refuse(v, i,
					"tasks '%.60s' and '%.60s' are both confined to SM %" PRIu32
					": masks of 'sms' are the allocation where no two tasks share an SM",
					plan->set->tasks[*of - 1].name, t->name, mask->sms[k]);
				return true;
			}
			*of = i + 1;
		}
	}
	return true;
}

bool plan_given_masks(struct plan *plan, uint32_t each, uint32_t **given, bool *refused, struct error *err)
{
	struct verdict v;
	uint32_t task, segment;
	*refused = false;
	if (!taskset_first_mask(plan->set, &task, &segment))
		return true;
	if (*given)
		return error_set(err, STATUS_INPUT,
			"kernels of the set have 'sms', which are the allocation, so 'allocation' must not "
			"be given");
	verdict_accept(&v);
	if (!masks_are_apart(plan, &v, err))
		return false;
	if (!v.accepted) {
		*refused = true;
		plan_verdict(plan, &v, true);
		return false;
	}
	*given = arena_new(plan->arena, uint32_t, plan->set->task_count);
	if (!*given)
		return error_memory(err, "the allocation");
	for (uint32_t i = 0; i < plan->set->task_count; i++) {
		const struct segment *mask = mask_of(&plan->set->tasks[i]);
		(*given)[i] = mask ? mask->sm_count * each : 0;
	}
	return true;
}

void plan_take_masks(const struct plan *plan, struct grant *grants)
{
	uint32_t task, segment;
	if (!taskset_first_mask(plan->set, &task, &segment))
		return;
	for (uint32_t i = 0; i < plan->set->task_count; i++) {
		const struct segment *mask = mask_of(&plan->set->tasks[i]);
		if (mask && grants[i].count == mask->sm_count)
			memcpy(grants[i].sm, mask->sms, mask->sm_count * sizeof(*mask->sms));
	}
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
	if ((plan->gpus == GPUS_EACH || verdict_one_gpu(&v, plan->platform, "it is for")) &&
		verdict_plain(&v, plan->set, "its test holds for") &&
		(any || verdict_in_turn(&v, plan->set, "its test holds for")) &&
		verdict_undivided(&v, plan->platform, plan->set, "its test holds for") &&
		(any || verdict_cores(&v, plan->platform, plan->set, own_cores, "its test holds for")))
		return plan_refused_overheads(plan);
	plan_verdict(plan, &v, true);
	return true;
}
