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
 * With T - D gaps one path is left, the greedy allocation: it finds a feasible allocation if there is one.
 * With T - R gaps the search remains, exponential at worst, and greedy can miss an allocation. */
#include "analysis/rtgpu_test.h"
#include "analysis/shares.h"
#include "base/text.h"
#include "base/units.h"

struct rtgpu_allocate_search {
	struct rtgpu_test test;
	uint32_t step;
	uint32_t *path;   /* [count] steps, by priority */
	uint32_t *best;   /* [count] the path that reached the lowest task */
	uint32_t *needed; /* [count] steps that the task and those below need together; P4 */
	uint32_t deepest; /* the place of the lowest task reached; count: feasible */
};

static void reached(struct rtgpu_allocate_search *s, uint32_t k)
{
	if (k <= s->deepest)
		return;
	s->deepest = k;
	for (uint32_t i = 0; i < k; i++)
		s->best[i] = s->path[i];
}

static bool accepts(struct rtgpu_allocate_search *s, uint32_t k, uint32_t steps)
{
	s->path[k] = steps;
	return rtgpu_test_try(&s->test, k, steps * s->step);
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

static void search_greedy(struct rtgpu_allocate_search *s, uint32_t total)
{
	for (uint32_t k = 0; k < s->test.chains.count; k++) {
		rtgpu_test_prepare(&s->test, k);
		if (s->test.task[k].chain->kernels == 0) {
			if (!accepts(s, k, 0))
				return;
		} else {
			uint32_t steps = least_steps(s, k, total);
			if (steps == 0)
				return;
			total -= steps;
		}
		reached(s, k + 1);
	}
}

/* P4, where P3 leaves more than one path. Computes the least steps of every task under the best assumption:
 * all tasks above have the longest kernels that they may have, and yet the least responses. s->needed[k] =
 * what tasks k, k + 1, ... need at least. False: some task fails even so. */
static bool relax(struct rtgpu_allocate_search *s, uint32_t total)
{
	struct rtgpu_test *test = &s->test;
	uint32_t count = test->chains.count;
	for (uint32_t k = 0; k < count; k++) {
		rtgpu_test_prepare(test, k);
		bool kernels = test->task[k].chain->kernels > 0;
		s->needed[k] = kernels ? least_steps(s, k, total) : 0;
		if (kernels ? s->needed[k] == 0 : !accepts(s, k, 0))
			return false;
		int64_t least_response = test->task[k].response;
		for (uint32_t steps = s->needed[k] + 1; kernels && steps <= total; steps++)
			if (accepts(s, k, steps) && test->task[k].response < least_response)
				least_response = test->task[k].response;
		if (!accepts(s, k, s->needed[k]))
			return false;
		for (int r = 0; r < CHAIN_RESOURCES; r++)
			test->task[k].windows[r].first_wrap += test->task[k].response - least_response;
	}
	for (uint32_t k = count; k-- > 0;)
		s->needed[k] += k + 1 < count ? s->needed[k + 1] : 0;
	return count == 0 || s->needed[0] <= total;
}

static bool search_grid(struct rtgpu_allocate_search *s, uint32_t k, uint32_t total)
{
	reached(s, k);
	if (k == s->test.chains.count)
		return true;
	rtgpu_test_prepare(&s->test, k);
	bool kernels = s->test.task[k].chain->kernels > 0, last = k + 1 == s->test.chains.count;
	uint32_t most = !kernels ? 0 : last ? total : total - s->needed[k + 1];
	int64_t followed = NO_BOUND;
	for (uint32_t steps = kernels; steps <= most; steps++) {
		if (!accepts(s, k, steps) || s->test.task[k].response >= followed)
			continue;
		followed = s->test.task[k].response;
		if (search_grid(s, k + 1, total - steps))
			return true;
		if (s->test.options.gaps == RTGPU_GAPS_DEADLINE)
			return false;
	}
	return false;
}

/* If there is no allocation, the greedy path tells which task fails. */
static void search_all(struct rtgpu_allocate_search *s, uint32_t total)
{
	bool one_path = s->test.options.gaps == RTGPU_GAPS_DEADLINE;
	if (!one_path && !relax(s, total))
		search_greedy(s, total);
	else if (!search_grid(s, 0, total) && !one_path) {
		s->deepest = 0;
		search_greedy(s, total);
	}
}

/* SMs one after the other, by priority. */
static bool make_grants(
	const struct chains *chains, struct rtgpu_allocation *a, struct arena *arena, struct error *err)
{
	uint32_t per_sm = a->steps.virtual_sms, next = 0;
	for (uint32_t k = 0; k < chains->count; k++) {
		uint32_t id = chains->order[k], left = a->virtual_sms[id];
		if (left == 0)
			continue;
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

static bool check_given(const struct chains *chains, const struct rtgpu_steps *steps, const uint32_t *given,
	struct error *err)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < chains->count; i++) {
		const char *name = chains->chain[i].task->name;
		bool kernels = chains->chain[i].kernels > 0;
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
		sum += given[i];
	}
	if (sum > steps->total)
		return error_set(err, STATUS_INPUT, "%llu virtual SMs are given of %u",
			(unsigned long long)sum, steps->total);
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
		left -= s->best[i] * s->step;
		if (!rtgpu_test_try(test, i, s->best[i] * s->step))
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
		s->best[k] = given[s->test.chains.order[k]] / s->step;
	for (uint32_t k = 0; k < s->test.chains.count; k++) {
		rtgpu_test_prepare(&s->test, k);
		if (!rtgpu_test_try(&s->test, k, s->best[k] * s->step))
			return;
		s->deepest = k + 1;
	}
}

static void find(
	struct rtgpu_allocate_search *s, const struct rtgpu_request *request, struct rtgpu_allocation *a)
{
	const struct chains *chains = &s->test.chains;
	uint32_t total = a->steps.total / a->steps.step;
	if (request->given)
		follow_given(s, request->given);
	else if (request->search == RTGPU_GREEDY)
		search_greedy(s, total);
	else
		search_all(s, total);
	if (s->deepest < chains->count) {
		uint32_t left = a->steps.total;
		if (request->given) {
			/* What it was given is all that it may have */
			left = 0;
			for (uint32_t k = 0; k <= s->deepest; k++)
				left += s->best[k] * s->step;
		}
		if (a->verdict.accepted)
			refuse(s, left, a);
		a->refused = !request->admit_any;
		if (!request->given)
			shares_anyway(chains, s->deepest, total, s->best);
	}
	for (uint32_t k = 0; k < chains->count; k++)
		a->virtual_sms[chains->order[k]] = s->best[k] * s->step;
}

/* Checks for what no allocation can mend. */
static bool can_run(const struct platform *platform, const struct taskset *set, const struct chains *chains,
	struct gpu_slots *slots, struct rtgpu_allocation *a)
{
	if (a->steps.total < a->steps.tasks)
		return verdict_refuse(&a->verdict, NO_FAILING_TASK,
			"%u tasks have kernels, and there %s %u virtual SM%s", a->steps.tasks,
			a->steps.total == 1 ? "is" : "are", a->steps.total, plural(a->steps.total));
	if (chains->with_kernels && platform->pool != POOL_SM)
		return chains_check(platform, chains, &a->verdict);
	return gpu_slots_check(platform, set, chains, a->steps.virtual_sms,
		a->steps.step != a->steps.virtual_sms, slots, &a->verdict);
}

bool rtgpu_allocate(const struct platform *platform, const struct taskset *set, const uint32_t *rank,
	const struct rtgpu_request *request, struct arena *arena, struct rtgpu_allocation *allocation,
	struct error *err)
{
	struct chains chains;
	struct gpu_slots slots;
	struct rtgpu_allocation *a = allocation;
	struct rtgpu_allocate_search *s = arena_new(arena, struct rtgpu_allocate_search, 1);
	*a = (struct rtgpu_allocation){
		.steps = rtgpu_steps(platform, set),
		.virtual_sms = arena_new(arena, uint32_t, set->task_count),
		.grants = arena_new(arena, struct grant, set->task_count),
	};
	if (!s || !a->virtual_sms || !a->grants)
		return error_memory(err, "allocating virtual SMs");
	s->path = arena_new(arena, uint32_t, set->task_count);
	s->best = arena_new(arena, uint32_t, set->task_count);
	s->needed = arena_new(arena, uint32_t, set->task_count);
	if (!s->path || !s->best || !s->needed)
		return error_memory(err, "allocating virtual SMs");
	if (!chains_build(platform, set, rank, arena, &chains, err) ||
		(request->given && !check_given(&chains, &a->steps, request->given, err)))
		return false;
	a->refused = !can_run(platform, set, &chains, &slots, a) ||
		     (!chains_check(platform, &chains, &a->verdict) && !request->admit_any);
	if (a->refused)
		return true;
	s->step = a->steps.step;
	if (!rtgpu_test_init(&s->test, &chains, &slots, &request->options, arena, err))
		return false;
	find(s, request, a);
	return make_grants(&chains, a, arena, err);
}
