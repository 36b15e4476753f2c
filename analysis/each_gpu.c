/* analysis/each_gpu.c - see analysis/each_gpu.h.
 *
 * Under a plan that schedules each GPU by itself (docs/model.md, N1 to N5), what happens on a GPU depends on
 * the copies and kernels that name it, and on when they come to it. A task that never has a CPU segment comes
 * to its GPU when it is released, or when its job before has ended: nothing on another GPU, nor on a core,
 * has a part in that. So the schedule of a GPU is the one that its tasks have on a platform where it is
 * alone, and what bounds the latter bounds the former. */
#include "analysis/each_gpu.h"

/* The tasks of one GPU as a set of their own. */
struct alone {
	struct plan plan;
	struct platform platform;
	struct taskset set;
	uint32_t *rank;
	uint32_t *of; /* [set.task_count] the task's index in the plan's set */
};

/* On its platform the GPU is number 0. */
static bool copy_task(const struct task *from, struct arena *arena, struct task *to)
{
	*to = *from;
	to->segments = arena_new(arena, struct segment, from->segment_count);
	for (uint32_t i = 0; to->segments && i < from->segment_count; i++) {
		to->segments[i] = from->segments[i];
		to->segments[i].gpu = 0;
	}
	return to->segments != NULL;
}

/* How many tasks of the set are above this one by priority. */
static uint32_t rank_among(const struct alone *a, const struct plan *plan, uint32_t task)
{
	uint32_t above = 0;
	for (uint32_t i = 0; i < a->set.task_count; i++)
		above += plan->rank[a->of[i]] < plan->rank[a->of[task]];
	return above;
}

static bool separate(const struct plan *plan, uint32_t gpu, struct arena *arena, struct alone *a)
{
	uint32_t tasks = plan->set->task_count;
	*a = (struct alone){.plan = *plan,
		.platform = *platform_gpu(plan->platform, gpu),
		.set = *plan->set,
		.rank = arena_new(arena, uint32_t, tasks),
		.of = arena_new(arena, uint32_t, tasks)};
	a->set.tasks = arena_new(arena, struct task, tasks);
	a->set.task_count = 0;
	if (!a->rank || !a->of || !a->set.tasks)
		return false;
	for (uint32_t i = 0; i < tasks; i++) {
		if (task_gpu(&plan->set->tasks[i], NULL) != gpu)
			continue;
		a->of[a->set.task_count] = i;
		if (!copy_task(&plan->set->tasks[i], arena, &a->set.tasks[a->set.task_count++]))
			return false;
	}
	for (uint32_t i = 0; i < a->set.task_count; i++)
		a->rank[i] = rank_among(a, plan, i);
	a->platform.gpu_count = 0;
	a->platform.others = NULL;
	a->plan.platform = &a->platform;
	a->plan.set = &a->set;
	a->plan.rank = a->rank;
	return true;
}

static uint32_t named(const struct alone *a, uint32_t task)
{
	return task == NO_FAILING_TASK ? NO_FAILING_TASK : a->of[task];
}

/* Keeps what was said of the tasks of one GPU. */
static void take(const struct alone *a, const struct analysis_result *from, struct analysis_result *to)
{
	uint32_t failed = to->failed_count;
	for (uint32_t i = 0; from->task && i < a->set.task_count; i++) {
		struct task_bound *b = &to->task[a->of[i]];
		*b = from->task[i];
		b->assumes_from += b->assumes ? failed : 0;
		b->assumes += b->assumes ? failed : 0;
		for (uint32_t p = 0; p < b->part_count; p++)
			b->parts[p].by = named(a, b->parts[p].by);
	}
	for (uint32_t i = 0; i < from->failed_count; i++)
		to->failed[to->failed_count++] = a->of[from->failed[i]];
	if (to->verdict.accepted && !from->verdict.accepted) {
		to->verdict = from->verdict;
		to->verdict.failing_task = named(a, from->verdict.failing_task);
	}
	to->refused |= from->refused;
}

bool each_gpu_bound(const struct analysis *analysis, const struct plan *plan, const struct params *params,
	struct arena *arena, struct analysis_result *result, struct error *err)
{
	*result = (struct analysis_result){
		.task = arena_new(arena, struct task_bound, plan->set->task_count),
		.failed = arena_new(arena, uint32_t, plan->set->task_count),
	};
	if (!result->task || !result->failed)
		return error_memory(err, "an analysis of several GPUs");
	for (uint32_t i = 0; i < plan->set->task_count; i++)
		result->task[i].response_ns = NO_BOUND;
	result->refused = !verdict_gpus_apart(&result->verdict, plan->set, "it holds for");
	if (result->refused)
		return true;
	verdict_accept(&result->verdict);
	for (uint32_t g = 0; g < platform_gpus(plan->platform) && !result->refused; g++) {
		struct analysis_result one = {.refused = false};
		struct alone alone;
		if (!separate(plan, g, arena, &alone))
			return error_memory(err, "an analysis of several GPUs");
		if (alone.set.task_count == 0)
			continue;
		if (!analysis->bound(&alone.plan, params, arena, &one, err))
			return false;
		take(&alone, &one, result);
	}
	return true;
}
