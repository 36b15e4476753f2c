/* analysis/apart.c - see analysis/apart.h.
 *
 * Cores and GPUs, and the tasks that use them, fall into groups with nothing in common: no task of one uses a
 * core or a GPU of another. Each core has a queue of its own, and so has each engine and each GPU where the
 * policy schedules every GPU by itself (docs/model.md, "Cores" and "Several GPUs"); calls of the driver are
 * for one GPU. So the schedule of a group does not depend on what another one does, whether jobs are late
 * there or not: a bound that holds in runs in which no named task is late holds without those of other
 * groups. */
#include "analysis/apart.h"

#define NOBODY UINT32_MAX

/* Of each task another one of its group, or itself: of one task in each group. */
static uint32_t first_of(uint32_t *of, uint32_t task)
{
	while (of[task] != task)
		task = of[task] = of[of[task]];
	return task;
}

static void join(uint32_t *of, uint32_t *user, uint32_t task)
{
	if (*user == NOBODY)
		*user = task;
	of[first_of(of, task)] = first_of(of, *user);
}

/* Whether its operations need the core, too: to spin, for calls and launches, and when it is released. */
static bool operations_need_core(const struct plan *plan)
{
	return plan->wait != WAIT_SUSPEND || plan->call || platform_overheads(plan->platform);
}

/* user: [cores + GPUs] some task that uses it. */
static void group(const struct plan *plan, uint32_t *of, uint32_t *user)
{
	uint32_t cores = plan->platform->cores;
	for (uint32_t i = 0; i < cores + PLATFORM_MAX_GPUS; i++)
		user[i] = NOBODY;
	for (uint32_t i = 0; i < plan->set->task_count; i++)
		of[i] = i;
	for (uint32_t i = 0; i < plan->set->task_count; i++) {
		const struct task *t = &plan->set->tasks[i];
		if (task_computes(t) || operations_need_core(plan))
			join(of, &user[taskset_core(plan->set, plan->platform, i)], i);
		for (uint32_t k = 0; k < t->segment_count; k++)
			if (segment_is_operation(&t->segments[k]))
				join(of, &user[cores + (plan->gpus == GPUS_EACH ? t->segments[k].gpu : 0)],
					i);
	}
}

/* The failed tasks of a group, in the order in which they were found. */
struct failures {
	uint32_t from, end; /* in the sorted list */
};

/* The first of a group's failed tasks that is not among the first `count` of all: `was` has their places. */
static uint32_t behind(const struct failures *f, const uint32_t *was, uint32_t count)
{
	uint32_t low = f->from, high = f->end;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (was[middle] < count)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void rest_on(struct task_bound *b, const struct failures *f, const uint32_t *was)
{
	uint32_t from = behind(f, was, b->assumes_from), end = behind(f, was, b->assumes);
	b->assumes_from = from < end ? from : 0;
	b->assumes = from < end ? end : 0;
}

bool apart_sort(
	const struct plan *plan, struct arena *arena, struct analysis_result *result, struct error *err)
{
	uint32_t tasks = plan->set->task_count, failed = result->failed_count, at = 0;
	if (failed == 0 || result->refused)
		return true;
	uint32_t *of = arena_new(arena, uint32_t, tasks), *was = arena_new(arena, uint32_t, failed),
		 *sorted = arena_new(arena, uint32_t, failed),
		 *user = arena_new(arena, uint32_t, (size_t)plan->platform->cores + PLATFORM_MAX_GPUS);
	struct failures *failures = arena_new(arena, struct failures, tasks);
	if (!of || !was || !sorted || !user || !failures)
		return error_memory(err, "what bounds rest on");
	group(plan, of, user);
	for (uint32_t i = 0; i < failed; i++)
		failures[first_of(of, result->failed[i])].end++;
	for (uint32_t i = 0; i < tasks; i++) {
		uint32_t count = failures[i].end;
		failures[i] = (struct failures){at, at};
		at += count;
	}
	for (uint32_t i = 0; i < failed; i++) {
		struct failures *f = &failures[first_of(of, result->failed[i])];
		was[f->end] = i;
		sorted[f->end++] = result->failed[i];
	}
	result->failed = sorted;
	for (uint32_t i = 0; i < tasks; i++)
		if (result->task[i].assumes > 0)
			rest_on(&result->task[i], &failures[first_of(of, i)], was);
	return true;
}
