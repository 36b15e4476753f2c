/* analysis/rtgpu.c - see analysis/rtgpu.h: the bounds for a given allocation, with their parts, and the steps
 * in which allocations are made. RTGPU, Theorem 5.6. */
#include "analysis/rtgpu.h"

#include "analysis/rtgpu_test.h"
#include "base/units.h"

static uint32_t tasks_with_kernels(const struct taskset *set)
{
	uint32_t tasks = 0;
	for (uint32_t i = 0; i < set->task_count; i++) {
		const struct task *t = &set->tasks[i];
		bool found = false;
		for (uint32_t j = 0; j < t->segment_count; j++)
			found |= t->segments[j].kind == SEGMENT_KERNEL;
		tasks += found;
	}
	return tasks;
}

/* Algorithm 2's outer loop: smaller blocks, until there are enough virtual SMs for all tasks. */
struct rtgpu_steps rtgpu_steps(const struct platform *platform, const struct taskset *set)
{
	struct rtgpu_steps s = {
		.tasks = tasks_with_kernels(set), .virtual_sms = platform->virtual_sms_per_sm};
	if (s.virtual_sms == 0) {
		s.virtual_sms = 2;
		while (platform->sms > 0 && (uint64_t)s.virtual_sms * platform->sms < s.tasks)
			s.virtual_sms *= 2;
	}
	s.step = s.tasks <= platform->sms ? s.virtual_sms : 1;
	s.total = s.virtual_sms * platform->sms;
	return s;
}

/* Adds the interference of the tasks above on a resource in a window of length t. */
static void add_interference(const struct rtgpu_test *test, uint32_t k, enum chain_resource on, int64_t t,
	struct rtgpu_bound *bound)
{
	for (uint32_t i = 0; i < k; i++)
		if (rtgpu_test_meet(test, i, k, on))
			bound->interference[test->chains.order[i]] +=
				window_most(&test->task[i].windows[on], t);
}

static void add_first_come(
	const struct rtgpu_test *test, uint32_t k, enum chain_resource on, struct rtgpu_bound *bound)
{
	for (uint32_t i = 0; i < test->chains.count; i++) {
		if (i < k)
			bound->interference[test->chains.order[i]] += test->longest_copy[on][i];
		else if (i > k)
			bound->blocking += test->longest_copy[on][i];
	}
}

static void fill_parts(const struct rtgpu_test *test, uint32_t k, struct rtgpu_bound *bound)
{
	const struct rtgpu_task *t = &test->task[k];
	bool by_segments = t->r1 <= t->r2;
	for (uint32_t i = 0; i < t->chain->count; i++) {
		enum chain_resource on = t->chain->segments[i].on;
		int64_t response = t->longest[i];
		if (on == CHAIN_ALONE)
			continue;
		if (on == CHAIN_ON_CPU) {
			if (by_segments)
				add_interference(test, k, on, response, bound);
			continue;
		}
		if (test->options.copies == RTGPU_COPIES_FIFO) {
			add_first_come(test, k, on, bound);
			continue;
		}
		bool start = test->options.form == RTGPU_START_TIME;
		bound->blocking += rtgpu_test_blocking(test, k, on);
		add_interference(test, k, on, start ? response - t->worst[i] + 1 : response, bound);
	}
	if (!by_segments)
		add_interference(test, k, CHAIN_ON_CPU, t->r2, bound);
}

static void fill(const struct rtgpu_test *test, uint32_t k, struct rtgpu_bound *bound)
{
	struct rtgpu_task *t = &test->task[k];
	bound->analysed = true;
	bound->r1 = t->r1;
	bound->r2 = t->r2;
	bound->response = t->response;
	bound->own = t->cpu;
	bound->copy = t->copies;
	bound->gpu = t->gpu;
	bound->shortest = t->shortest;
	bound->longest = t->longest;
	if (t->response != NO_BOUND)
		fill_parts(test, k, bound);
}

static void refuse(const struct rtgpu_test *test, uint32_t k, struct verdict *v)
{
	const struct task *task = test->task[k].chain->task;
	char bound[UNIT_TEXT_MAX], deadline[UNIT_TEXT_MAX];
	const int64_t times[] = {test->task[k].response, task->deadline_ns};
	unit_format_alike(UNIT_TIME, times, bound, deadline);
	if (test->task[k].response == NO_BOUND)
		verdict_refuse(v, test->chains.order[k], "task '%s': no bound on its response was found",
			task->name);
	else
		verdict_refuse(v, test->chains.order[k],
			"task '%s': the bound on its response, %s, exceeds its deadline, %s", task->name,
			bound, deadline);
}

/* Whether the task's bound rests on a task above that is assumed to keep its deadline: on one in a queue with
 * it that goes by priority, or on one there that rests on such a task itself. */
static bool rests(const struct rtgpu_test *test, uint32_t k, const struct rtgpu_bounds *bounds)
{
	for (uint32_t h = 0; h < k; h++) {
		const struct rtgpu_bound *b = &bounds->task[test->chains.order[h]];
		for (int on = 0; on < CHAIN_RESOURCES && (b->assumed || b->rests); on++)
			if (test->task[k].windows[on].count && test->task[h].windows[on].count &&
				rtgpu_test_meet(test, h, k, (enum chain_resource)on) &&
				(on == CHAIN_ON_CPU || test->options.copies == RTGPU_COPIES_PRIORITY))
				return true;
	}
	return false;
}

/* One task. False: those below cannot be bounded. */
static bool test_one(struct rtgpu_test *test, uint32_t k, uint32_t virtual_sms, struct rtgpu_bounds *bounds)
{
	struct rtgpu_bound *bound = &bounds->task[test->chains.order[k]];
	bool go_on = true;
	rtgpu_test_prepare(test, k);
	bool accepted = rtgpu_test_try(test, k, virtual_sms);
	fill(test, k, bound);
	bound->rests = rests(test, k, bounds);
	if (!accepted && bounds->verdict.accepted)
		refuse(test, k, &bounds->verdict);
	if (!accepted)
		go_on = rtgpu_test_go_on(test, k, &bound->assumed);
	if (go_on)
		bound->windows = test->task[k].windows;
	return go_on;
}

static void test_all(struct rtgpu_test *test, const uint32_t *virtual_sms, struct rtgpu_bounds *bounds)
{
	verdict_accept(&bounds->verdict);
	for (uint32_t k = 0; k < test->chains.count; k++) {
		uint32_t id = test->chains.order[k];
		if (test->task[k].chain->kernels && virtual_sms[id] == 0) {
			if (bounds->verdict.accepted)
				verdict_refuse(&bounds->verdict, id,
					"task '%s' has kernels and no virtual SMs",
					test->task[k].chain->task->name);
			return;
		}
		if (!test_one(test, k, virtual_sms[id], bounds))
			return;
	}
}

bool rtgpu_analyse(const struct platform *platform, const struct taskset *set, const uint32_t *rank,
	const struct rtgpu_options *options, const struct rtgpu_steps *steps, const uint32_t *virtual_sms,
	struct arena *arena, struct rtgpu_bounds *bounds, struct error *err)
{
	struct gpu_slots slots;
	struct rtgpu_test *test = arena_new(arena, struct rtgpu_test, 1);
	*bounds = (struct rtgpu_bounds){.task = arena_new(arena, struct rtgpu_bound, set->task_count)};
	if (!test || !bounds->task)
		return error_memory(err, "preparing RTGPU's bounds");
	for (uint32_t i = 0; i < set->task_count; i++) {
		bounds->task[i].interference = arena_new(arena, int64_t, set->task_count);
		if (!bounds->task[i].interference)
			return error_memory(err, "preparing RTGPU's bounds");
	}
	if (!chains_build(platform, set, rank, arena, &bounds->chains, err))
		return false;
	if (!chains_check(platform, &bounds->chains, &bounds->verdict) ||
		!gpu_slots_check(platform, set, &bounds->chains, steps->virtual_sms,
			steps->step != steps->virtual_sms, &slots, &bounds->verdict))
		return true;
	if (!rtgpu_test_init(test, &bounds->chains, &slots, options, arena, err))
		return false;
	test->beyond = true;
	test_all(test, virtual_sms, bounds);
	return true;
}
