/* analysis/rtgpu_allocate.c - allocations of virtual SMs for RTGPU (Algorithm 2): see analysis/rtgpu.h.
 *
 * The grid of Algorithm 2 is searched depth first, by priority, the fewest virtual SMs first. The prunings
 * lose no solution. A task's bound depends only on its own and on higher tasks' virtual SMs. So:
 *   P1  where a task fails, so does every allocation with the same ones so far;
 *   P2  too few virtual SMs for the task's own segments and blocking need no fixed point (rtgpu_test_try).
 * More virtual SMs for a task shorten its kernels. Then its copies and CPU segments are closer together,
 * which never helps the tasks below. So, of two numbers that are enough for a task,
 *   P3  with T - D gaps the smaller alone needs to be followed, and with T - R gaps a larger one
 *       only if it lowers the task's bound.
 * With several GPUs (section 5.6) each task takes from the virtual SMs of the GPU that its kernels name, and
 * the sum is limited on each. Nothing above is about the sum but where it says how much is left, so it all
 * holds. With T - D gaps one path is left, the greedy allocation: it finds a feasible allocation if there is
 * one. With T - R gaps the search remains, exponential at worst, and greedy can miss an allocation. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/rtgpu_test.h"
#include "analysis/shares.h"
#include "base/text.h"
#include "base/units.h"

struct rtgpu_allocate_search {
	struct rtgpu_test test;
	const struct rtgpu_steps *on; /* [gpus] */
	uint32_t *left;               /* [gpus] steps */
	uint32_t *path;               /* [count] steps, by priority */
	uint32_t *best;               /* [count] the path that reached the lowest task */
	uint32_t *needed;             /* [count] steps that the tasks below on its GPU need together; P4 */
	uint32_t deepest;             /* the place of the lowest task reached; count: feasible */
};

static void reached(struct rtgpu_allocate_search *s, uint32_t k)
{
	if (k <= s->deepest)
		return;
	s->deepest = k;
	for (uint32_t i = 0; i < k; i++)
		s->best[i] = s->path[i];
}

static uint32_t gpu_of(const struct rtgpu_allocate_search *s, uint32_t k)
{
	return s->test.task[k].chain->gpu;
}

static uint32_t step_of(const struct rtgpu_allocate_search *s, uint32_t k)
{
	return s->on[gpu_of(s, k)].step;
}

static uint32_t steps_on(const struct rtgpu_allocate_search *s, uint32_t gpu)
{
	return s->on[gpu].total / s->on[gpu].step;
}

static void fill_left(struct rtgpu_allocate_search *s)
{
	for (uint32_t g = 0; g < s->test.chains.gpus; g++)
		s->left[g] = steps_on(s, g);
}

static bool accepts(struct rtgpu_allocate_search *s, uint32_t k, uint32_t steps)
{
	s->path[k] = steps;
	return rtgpu_test_try(&s->test, k, steps * step_of(s, k));
}

/* The least number of steps, 1 .. most, with which task k is accepted; 0: none. */
static uint32_t least_steps(struct rtgpu_allocate_search *s, uint32_t k, uint32_t most)
{
	uint32_t low = 0, high = most; /* low fails */
	if (!s->test.task[k].monotone) {
		for (uint32_t steps = 1; steps <= most; steps++)
			if (accepts(s, k, steps))
				return steps;
		return 0;
	}
	if (most == 0 || !accepts(s, k, most))
		return 0;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		if (accepts(s, k, middle))
			high = middle;
		else
			low = middle;
	}
	return accepts(s, k, high) ? high : 0;
}

static void search_greedy(struct rtgpu_allocate_search *s)
{
	fill_left(s);
	for (uint32_t k = 0; k < s->test.chains.count; k++) {
		rtgpu_test_prepare(&s->test, k);
		if (s->test.task[k].chain->kernels == 0) {
			if (!accepts(s, k, 0))
				return;
		} else {
			uint32_t *left = &s->left[gpu_of(s, k)], steps = least_steps(s, k, *left);
			if (steps == 0)
				return;
			*left -= steps;
		}
		reached(s, k + 1);
	}
}

/* From what each task needs to what those below it on its GPU need together. False: a GPU has less. */
static bool sum_needed(struct rtgpu_allocate_search *s)
{
	bool enough = true;
	memset(s->left, 0, s->test.chains.gpus * sizeof(*s->left));
	for (uint32_t k = s->test.chains.count; k-- > 0;) {
		uint32_t *sum = &s->left[gpu_of(s, k)], own = s->needed[k];
		s->needed[k] = *sum;
		*sum += own;
		enough = enough && *sum <= steps_on(s, gpu_of(s, k));
	}
	return enough;
}

/* P4, where P3 leaves more than one path. Computes the least steps of every task under the best assumption:
 * all tasks above have the longest kernels that they may have, and yet the least responses. s->needed[k] =
 * what the tasks below k on its GPU need at least. False: some task fails even so. */
static bool relax(struct rtgpu_allocate_search *s)
{
	struct rtgpu_test *test = &s->test;
	uint32_t count = test->chains.count;
	for (uint32_t k = 0; k < count; k++) {
		rtgpu_test_prepare(test, k);
		bool kernels = test->task[k].chain->kernels > 0;
		uint32_t total = steps_on(s, gpu_of(s, k));
		s->needed[k] = kernels ? least_steps(s, k, total) : 0;
		if (kernels ? s->needed[k] == 0 : !accepts(s, k, 0))
			return false;
		int64_t least_response = test->task[k].response;
		for (uint32_t steps = s->needed[k] + 1; kernels && steps <= total; steps++)
			if (accepts(s, k, steps) && test->task[k].response < least_response)
				least_response = test->task[k].response;
		if (!accepts(s, k, s->needed[k]))
			return false;
		for (uint32_t r = 0; r < test->chains.resources; r++)
			test->task[k].windows[r].first_wrap += test->task[k].response - least_response;
	}
	return sum_needed(s);
}

/* s->left is as it was if nothing was found. */
static bool search_grid(struct rtgpu_allocate_search *s, uint32_t k)
{
	reached(s, k);
	if (k == s->test.chains.count)
		return true;
	rtgpu_test_prepare(&s->test, k);
	bool kernels = s->test.task[k].chain->kernels > 0;
	uint32_t *left = &s->left[gpu_of(s, k)], most = kernels ? *left - s->needed[k] : 0;
	int64_t followed = NO_BOUND;
	for (uint32_t steps = kernels; steps <= most; steps++) {
		if (!accepts(s, k, steps) || s->test.task[k].response >= followed)
			continue;
		followed = s->test.task[k].response;
		*left -= steps;
		if (search_grid(s, k + 1))
			return true;
		*left += steps;
		if (s->test.options.gaps == RTGPU_GAPS_DEADLINE)
			return false;
	}
	return false;
}

/* If there is no allocation, the greedy path tells which task fails. */
static void search_all(struct rtgpu_allocate_search *s)
{
	bool one_path = s->test.options.gaps == RTGPU_GAPS_DEADLINE;
	if (!one_path && !relax(s)) {
		search_greedy(s);
		return;
	}
	fill_left(s);
	if (!search_grid(s, 0) && !one_path) {
		s->deepest = 0;
		search_greedy(s);
	}
}

/* SMs of each GPU one after the other, by priority. */
static bool make_grants(
	const struct chains *chains, struct rtgpu_allocation *a, struct arena *arena, struct error *err)
{
	uint32_t per_sm = a->steps.virtual_sms, taken[PLATFORM_MAX_GPUS] = {0};
	for (uint32_t k = 0; k < chains->count; k++) {
		uint32_t id = chains->order[k], left = a->virtual_sms[id];
		uint32_t next = taken[chains->chain[id].gpu];
		if (left == 0)
			continue;
		taken[chains->chain[id].gpu] += left;
		struct grant *g = &a->grants[id];
		g->virtual_sms = left;
		g->count = (next + left - 1) / per_sm - next / per_sm + 1;
		g->sm = arena_new(arena, uint32_t, g->count);
		g->slots = arena_new(arena, uint32_t, g->count);
		if (!g->sm || !g->slots)
			return error_memory(err, "granting virtual SMs");
		for (uint32_t i = 0; i < g->count; i++) {
			uint32_t room = per_sm - next % per_sm;
			g->sm[i] = next / per_sm;
			g->slots[i] = left < room ? left : room;
			next += g->slots[i];
			left -= g->slots[i];
		}
	}
	return true;
}

static bool check_given(
	const struct chains *chains, const struct rtgpu_steps *on, const uint32_t *given, struct error *err)
{
	uint64_t sum[PLATFORM_MAX_GPUS] = {0};
	for (uint32_t i = 0; i < chains->count; i++) {
		const char *name = chains->chain[i].task->name;
		bool kernels = chains->chain[i].kernels > 0;
		const struct rtgpu_steps *steps = &on[chains->chain[i].gpu];
		if (kernels && given[i] == 0)
			return error_set(
				err, STATUS_INPUT, "task '%s' has kernels and gets no virtual SMs", name);
		if (!kernels && given[i] > 0)
			return error_set(err, STATUS_INPUT,
				"task '%s' has no kernels and gets %u virtual SM%s", name, given[i],
				plural(given[i]));
		if (given[i] % steps->step)
			return error_set(err, STATUS_INPUT,
				"task '%s' gets %u virtual SM%s; here they are given in multiples of %u",
				name, given[i], plural(given[i]), steps->step);
		sum[chains->chain[i].gpu] += given[i];
	}
	for (uint32_t g = 0; g < chains->gpus; g++) {
		char of[32] = "";
		if (chains->gpus > 1)
			snprintf(of, sizeof(of), " of GPU %" PRIu32, g);
		if (sum[g] > on[g].total)
			return error_set(err, STATUS_INPUT, "%llu virtual SMs are given of %u%s",
				(unsigned long long)sum[g], on[g].total, of);
	}
	return true;
}

/* Walks the best path again, and says what is wrong with the task behind it. */
static void refuse(struct rtgpu_allocate_search *s, uint32_t left, struct rtgpu_allocation *a)
{
	struct rtgpu_test *test = &s->test;
	uint32_t k = s->deepest, id = test->chains.order[k];
	const struct task *task = test->task[k].chain->task;
	char bound[UNIT_TEXT_MAX], deadline[UNIT_TEXT_MAX];
	for (uint32_t i = 0; i < k; i++) {
		rtgpu_test_prepare(test, i);
		left -= gpu_of(s, i) == gpu_of(s, k) ? s->best[i] * step_of(s, i) : 0;
		if (!rtgpu_test_try(test, i, s->best[i] * step_of(s, i)))
			break; /* not reached: it was accepted before */
	}
	if (test->task[k].chain->kernels && left == 0) {
		verdict_refuse(&a->verdict, id, "task '%s': no virtual SMs are left for it", task->name);
		return;
	}
	test->beyond = true;
	rtgpu_test_prepare(test, k);
	bool accepted = rtgpu_test_try(test, k, test->task[k].chain->kernels ? left : 0);
	bool bounded = !accepted && test->task[k].response != NO_BOUND;
	if (bounded)
		unit_format_alike(
			UNIT_TIME, (int64_t[]){test->task[k].response, task->deadline_ns}, bound, deadline);
	else
		unit_format(UNIT_TIME, task->deadline_ns, deadline);
	if (!bounded)
		verdict_refuse(&a->verdict, id,
			"task '%s': no bound on its response by its deadline, %s, was found", task->name,
			deadline);
	else if (test->task[k].chain->kernels)
		verdict_refuse(&a->verdict, id,
			"task '%s': with %u virtual SM%s its response is bounded by %s only; deadline %s",
			task->name, left, plural(left), bound, deadline);
	else
		verdict_refuse(&a->verdict, id, "task '%s': its response is bounded by %s only; deadline %s",
			task->name, bound, deadline);
}

static void follow_given(struct rtgpu_allocate_search *s, const uint32_t *given)
{
	for (uint32_t k = 0; k < s->test.chains.count; k++)
		s->best[k] = given[s->test.chains.order[k]] / step_of(s, k);
	for (uint32_t k = 0; k < s->test.chains.count; k++) {
		rtgpu_test_prepare(&s->test, k);
		if (!rtgpu_test_try(&s->test, k, s->best[k] * step_of(s, k)))
			return;
		s->deepest = k + 1;
	}
}

static void find(
	struct rtgpu_allocate_search *s, const struct rtgpu_request *request, struct rtgpu_allocation *a)
{
	const struct chains *chains = &s->test.chains;
	if (request->given)
		follow_given(s, request->given);
	else if (request->search == RTGPU_GREEDY)
		search_greedy(s);
	else
		search_all(s);
	if (s->deepest < chains->count) {
		uint32_t gpu = gpu_of(s, s->deepest), left = a->on[gpu].total;
		if (request->given) {
			/* What it was given is all that it may have */
			left = 0;
			for (uint32_t k = 0; k <= s->deepest; k++)
				left += gpu_of(s, k) == gpu ? s->best[k] * step_of(s, k) : 0;
		}
		if (a->verdict.accepted)
			refuse(s, left, a);
		a->refused = !request->admit_any;
		if (!request->given)
			for (uint32_t g = 0; g < chains->gpus; g++)
				shares_anyway(chains, g, s->deepest, steps_on(s, g), s->best);
	}
	for (uint32_t k = 0; k < chains->count; k++)
		a->virtual_sms[chains->order[k]] = s->best[k] * step_of(s, k);
}

static bool enough_on(const struct platform *platform, uint32_t gpus, const struct rtgpu_steps *on,
	uint32_t gpu, struct verdict *v)
{
	uint32_t said = platform_gpu(platform, gpu)->virtual_sms_per_sm;
	char of[32] = "";
	if (gpus > 1)
		snprintf(of, sizeof(of), " on GPU %" PRIu32, gpu);
	if (said && said != on->virtual_sms)
		return verdict_refuse(v, NO_FAILING_TASK,
			"GPU %" PRIu32 " has %" PRIu32 " virtual SMs per SM, and another %" PRIu32
			": they must be as many on all GPUs",
			gpu, said, on->virtual_sms);
	if (on->total < on->tasks)
		return verdict_refuse(v, NO_FAILING_TASK,
			"%u tasks have kernels%s, and there %s %u virtual SM%s", on->tasks, of,
			on->total == 1 ? "is" : "are", on->total, plural(on->total));
	return true;
}

/* Checks for what no allocation can mend. */
static bool can_run(const struct platform *platform, const struct taskset *set, const struct chains *chains,
	struct gpu_slots *slots, struct rtgpu_allocation *a)
{
	for (uint32_t g = 0; g < chains->gpus; g++)
		if (!enough_on(platform, chains->gpus, &a->on[g], g, &a->verdict))
			return false;
	for (uint32_t g = 0; g < chains->gpus; g++)
		if (a->on[g].tasks > 0 && platform_gpu(platform, g)->pool != POOL_SM)
			return chains_check(platform, chains, &a->verdict);
	return rtgpu_slots(platform, set, chains, a->on, slots, &a->verdict);
}

bool rtgpu_allocate(const struct platform *platform, const struct taskset *set, const uint32_t *rank,
	const struct rtgpu_request *request, struct arena *arena, struct rtgpu_allocation *allocation,
	struct error *err)
{
	struct chains chains;
	struct gpu_slots slots[PLATFORM_MAX_GPUS];
	struct rtgpu_allocation *a = allocation;
	struct rtgpu_allocate_search *s = arena_new(arena, struct rtgpu_allocate_search, 1);
	*a = (struct rtgpu_allocation){
		.virtual_sms = arena_new(arena, uint32_t, set->task_count),
		.grants = arena_new(arena, struct grant, set->task_count),
	};
	if (!s || !a->virtual_sms || !a->grants)
		return error_memory(err, "allocating virtual SMs");
	rtgpu_steps_each(platform, set, a->on);
	a->steps = a->on[0];
	s->on = a->on;
	s->left = arena_new(arena, uint32_t, platform_gpus(platform));
	s->path = arena_new(arena, uint32_t, set->task_count);
	s->best = arena_new(arena, uint32_t, set->task_count);
	s->needed = arena_new(arena, uint32_t, set->task_count);
	if (!s->left || !s->path || !s->best || !s->needed)
		return error_memory(err, "allocating virtual SMs");
	if (!chains_build(platform, set, rank, arena, &chains, err) ||
		(request->given && !check_given(&chains, a->on, request->given, err)))
		return false;
	a->refused = !can_run(platform, set, &chains, slots, a) ||
		     (!chains_check(platform, &chains, &a->verdict) && !request->admit_any);
	if (a->refused)
		return true;
	if (!rtgpu_test_init(&s->test, &chains, slots, &request->options, arena, err))
		return false;
	find(s, request, a);
	return make_grants(&chains, a, arena, err);
}
