/* analysis/rtgpu.c - see analysis/rtgpu.h: the bounds for a given allocation, with their parts, and the steps
 * in which allocations are made. RTGPU, Theorem 5.6. */
#include "analysis/rtgpu.h"

#include <string.h>

#include "analysis/analysis.h"
#include "analysis/rtgpu_test.h"
#include "base/units.h"

static void count_tasks(const struct platform *platform, const struct taskset *set, struct rtgpu_steps *steps)
{
	for (uint32_t i = 0; i < set->task_count; i++) {
		uint32_t gpu = analysis_gpu(set, i);
		if (gpu < platform_gpus(platform))
			steps[gpu].tasks++;
	}
}

/* Algorithm 2's outer loop: smaller blocks, until there are enough virtual SMs for all tasks. */
static uint32_t enough_virtual_sms(const struct platform *platform, const struct rtgpu_steps *steps)
{
	uint32_t enough = 2;
	for (uint32_t g = 0; g < platform_gpus(platform); g++)
		if (platform_gpu(platform, g)->virtual_sms_per_sm)
			return platform_gpu(platform, g)->virtual_sms_per_sm;
	for (uint32_t g = 0; g < platform_gpus(platform); g++) {
		uint32_t sms = platform_gpu(platform, g)->sms;
		while (sms > 0 && (uint64_t)enough * sms < steps[g].tasks)
			enough *= 2;
	}
	return enough;
}

void rtgpu_steps_each(const struct platform *platform, const struct taskset *set, struct rtgpu_steps *steps)
{
	memset(steps, 0, PLATFORM_MAX_GPUS * sizeof(*steps));
	count_tasks(platform, set, steps);
	uint32_t virtual_sms = enough_virtual_sms(platform, steps);
	for (uint32_t g = 0; g < platform_gpus(platform); g++) {
		struct rtgpu_steps *s = &steps[g];
		uint32_t sms = platform_gpu(platform, g)->sms;
		s->virtual_sms = virtual_sms;
		s->step = s->tasks <= sms ? virtual_sms : 1;
		s->total = virtual_sms * sms;
	}
}

struct rtgpu_steps rtgpu_steps(const struct platform *platform, const struct taskset *set)
{
	struct rtgpu_steps steps[PLATFORM_MAX_GPUS];
	rtgpu_steps_each(platform, set, steps);
	return steps[0];
}

/* Adds the interference of the tasks above on a resource in a window of length t. */
static void add_interference(const struct rtgpu_test *test, uint32_t k, enum chain_resource on, int64_t t,
	struct rtgpu_bound *bound)
{
	for (uint32_t i = 0; i < k; i++)
		if (rtgpu_test_meet(test, i, k, on))
			bound->interference[test->chains.order[i]] += window_piece_most(
				&test->task[i].windows[on], t, rtgpu_test_piece(test, i, on));
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
	for (uint32_t n = 0; n < t->without; n++) {
		uint32_t i = t->by_worst[n];
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
		for (uint32_t on = 0; on < test->chains.resources && (b->assumed || b->rests); on++)
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

/* Section 5.6: "all the tasks are not executed on the SMs that belong to different GPUs". */
static bool on_one_gpu(const struct chains *chains, struct verdict *v)
{
	for (uint32_t i = 0; i < chains->count; i++)
		if (chains->chain[i].apart)
			return verdict_refuse(v, i,
				"task '%s' has kernels on several GPUs, and virtual SMs of its own on one",
				chains->chain[i].task->name);
	return true;
}

bool rtgpu_slots(const struct platform *platform, const struct taskset *set, const struct chains *chains,
	const struct rtgpu_steps *steps, struct gpu_slots *slots, struct verdict *v)
{
	if (!on_one_gpu(chains, v))
		return false;
	for (uint32_t g = 0; g < chains->gpus; g++)
		if (!gpu_slots_check(platform_gpu(platform, g), set, chains, steps[g].virtual_sms,
			    steps[g].step != steps[g].virtual_sms, &slots[g], v))
			return false;
	return true;
}

bool rtgpu_analyse(const struct platform *platform, const struct taskset *set, const uint32_t *rank,
	const struct rtgpu_options *options, const struct rtgpu_steps *steps, const uint32_t *virtual_sms,
	struct arena *arena, struct rtgpu_bounds *bounds, struct error *err)
{
	struct gpu_slots slots[PLATFORM_MAX_GPUS];
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
		!rtgpu_slots(platform, set, &bounds->chains, steps, slots, &bounds->verdict))
		return true;
	if (!rtgpu_test_init(test, &bounds->chains, slots, options, arena, err))
		return false;
	test->beyond = true;
	test_all(test, virtual_sms, bounds);
	return true;
}
