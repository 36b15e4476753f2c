/* analysis/suspension.c - see analysis/suspension.h.
 *
 * All the tests have one form: the least x with
 *     C_k + S_k + sum over higher tasks h of (fixed_h + ceil((x + jitter_h) / T_h) demand_h) <= x.
 * They differ in how a higher task's suspension becomes these three numbers. Theorem 1 of the unifying
 * framework: for any vector of bits x_h, jitter_h = sum of x_l S_l over the tasks l from h down to k - 1, and
 * R_h - C_h more where x_h = 0.
 *
 * Behind a task h that fails. All of them but the oblivious test are for R_h <= D_h <= T_h. Deadlines only
 * say when a job is late: with T_h for D_h the tests are the same, so a bound between deadline and period
 * serves as well, as R_h. Of a task without one D_h is assumed for R_h.
 *
 * Oblivious. While jobs of task k or above are pending, charge each instant to the pending job of the highest
 * priority: it computes, or is suspended. From the last instant before which none was pending, a time of x
 * has at most ceil(x / T_h) jobs of h charged, for C_h + S_h each, in time or late: nothing is assumed. If
 * the fixed point is at most T_k, one job of k is among them, and has ended by then. */
#include "analysis/suspension.h"

#include "analysis/verdict.h"
#include "analysis/window.h"

bool suspension_init(struct suspension_test *test, struct arena *arena, struct error *err)
{
	test->fixed = arena_new(arena, int64_t, test->count);
	test->jitter = arena_new(arena, int64_t, test->count);
	test->demand = arena_new(arena, int64_t, test->count);
	test->loads = arena_new(arena, struct ratio, test->count);
	if (!test->fixed || !test->jitter || !test->demand || !test->loads)
		return error_memory(err, "a test of self-suspending tasks");
	return true;
}

static int128 interference_of(const struct suspension_test *test, uint32_t h, int64_t x)
{
	uint64_t window = (uint64_t)x + (uint64_t)test->jitter[h], period = (uint64_t)test->task[h].period;
	uint64_t jobs = window / period + (window % period != 0);
	return test->fixed[h] + (int128)jobs * test->demand[h];
}

/* Whether the demands leave no time of the core: then there is no fixed point above 0. The result is the same
 * for all fixed points of a task, so it is computed once, and only for those that go beyond the deadline. */
static bool overloaded(struct suspension_test *test, uint32_t k)
{
	if (test->room)
		return false;
	for (uint32_t h = 0; h < k; h++)
		test->loads[h] = (struct ratio){test->demand[h], test->task[h].period};
	test->room = ratio_sum_compare(test->loads, k, 1) < 0;
	return !test->room;
}

/* The least fixed point, if it is below `best`; else NO_BOUND. The search begins at `from`; no fixed point is
 * below that. */
static int64_t fixed_point(struct suspension_test *test, uint32_t k, int64_t from, int64_t best)
{
	const struct suspension_task *t = &test->task[k];
	int64_t own = t->cpu + t->suspension, x = from;
	for (uint32_t steps = 0;;) {
		if (x >= best || (x > t->deadline && (overloaded(test, k) || steps++ == WINDOW_PATIENCE)))
			return NO_BOUND;
		int128 next = own;
		for (uint32_t h = 0; h < k; h++)
			next += interference_of(test, h, x);
		if (next <= x)
			return x;
		if (next >= NO_BOUND)
			return NO_BOUND;
		x = (int64_t)next;
	}
}

/* ---- What a higher task's suspension comes to ---- */

static int64_t response_jitter(const struct suspension_test *test, uint32_t h)
{
	const struct suspension_task *t = &test->task[h];
	bool late = t->response > t->deadline;
	return (test->by_deadline && !late ? t->deadline : t->response) - t->cpu;
}

static void bletsas(struct suspension_test *test, uint32_t h)
{
	test->jitter[h] = response_jitter(test, h);
}

static void oblivious(struct suspension_test *test, uint32_t h)
{
	test->demand[h] += test->task[h].suspension;
}

static void blocking(struct suspension_test *test, uint32_t h)
{
	const struct suspension_task *t = &test->task[h];
	test->fixed[h] = t->cpu < t->suspension ? t->cpu : t->suspension;
}

static void jitter(struct suspension_test *test, uint32_t h)
{
	test->jitter[h] = test->task[h].suspension;
}

static void (*const turn[])(struct suspension_test *test, uint32_t h) = {
	[SUSPENSION_BLETSAS] = bletsas,
	[SUSPENSION_OBLIVIOUS] = oblivious,
	[SUSPENSION_BLOCKING] = blocking,
	[SUSPENSION_JITTER] = jitter,
};

/* ---- The unifying framework ---- */

struct best {
	int64_t response; /* NO_BOUND: none yet */
	int64_t *interference;
};

/* Sets a jitter; false: beyond int64. */
static bool set_jitter(struct suspension_test *test, uint32_t h, int128 jitter)
{
	test->jitter[h] = jitter < NO_BOUND ? (int64_t)jitter : 0;
	return jitter < NO_BOUND;
}

static void take_better(struct suspension_test *test, uint32_t k, int64_t from, struct best *best)
{
	int64_t x = fixed_point(test, k, from, best->response);
	if (x == NO_BOUND)
		return;
	best->response = x;
	for (uint32_t h = 0; h < k; h++)
		best->interference[h] = (int64_t)interference_of(test, h, x);
}

/* Tries all vectors in which the tasks from h down to k - 1 keep their bits; those of them that count suspend
 * for `suspended` together. The tasks above have at least the lesser of their two jitters. If even that is no
 * better than the best so far, no vector of these is. */
static void try_vectors(struct suspension_test *test, uint32_t k, uint32_t h, int128 suspended, int64_t from,
	struct best *best)
{
	if (h == 0) {
		take_better(test, k, from, best);
		return;
	}
	for (uint32_t l = 0; l < h; l++) {
		int64_t response = response_jitter(test, l), suspension = test->task[l].suspension;
		if (!set_jitter(test, l, suspended + (response < suspension ? response : suspension)))
			return;
	}
	int64_t x = fixed_point(test, k, from, best->response);
	if (x == NO_BOUND)
		return;
	h--;
	if (set_jitter(test, h, suspended + response_jitter(test, h)))
		try_vectors(test, k, h, suspended, x, best);
	suspended += test->task[h].suspension;
	if (set_jitter(test, h, suspended))
		try_vectors(test, k, h, suspended, x, best);
}

/* Tries one vector: that of the tasks that suspend no longer than they compute, or that of no task. */
static void try_vector(
	struct suspension_test *test, uint32_t k, bool short_ones, int64_t from, struct best *best)
{
	int128 suspended = 0;
	for (uint32_t h = k; h-- > 0;) {
		const struct suspension_task *t = &test->task[h];
		bool bit = short_ones && t->suspension <= t->cpu;
		suspended += bit ? t->suspension : 0;
		if (!set_jitter(test, h, suspended + (bit ? 0 : response_jitter(test, h))))
			return;
	}
	take_better(test, k, from, best);
}

static int64_t unifying(struct suspension_test *test, uint32_t k, int64_t from, int64_t *interference)
{
	struct best best = {NO_BOUND, interference};
	if (k <= SUSPENSION_VECTORS_TASKS) {
		try_vectors(test, k, k, 0, from, &best);
	} else {
		try_vector(test, k, false, from, &best);
		try_vector(test, k, true, from, &best);
	}
	return best.response;
}

/* A lower bound: a higher task has interference from fewer tasks. What these add to its own time, they add to
 * any time that is not less. */
static int64_t least_response(const struct suspension_test *test, uint32_t k)
{
	int64_t own = test->task[k].cpu + test->task[k].suspension, added = 0;
	for (uint32_t h = 0; h < k; h++) {
		const struct suspension_task *t = &test->task[h];
		int64_t alone = t->cpu + t->suspension;
		if (alone <= own && t->response - alone > added)
			added = t->response - alone;
	}
	return added < NO_BOUND - own ? own + added : NO_BOUND;
}

bool suspension_go_on(struct suspension_test *test, uint32_t k, bool *assumed)
{
	struct suspension_task *t = &test->task[k];
	*assumed = false;
	if (test->method == SUSPENSION_OBLIVIOUS || t->response <= t->period)
		return true;
	t->response = t->deadline;
	*assumed = t->cpu + t->suspension <= t->deadline;
	return *assumed;
}

int64_t suspension_response(struct suspension_test *test, uint32_t k, int64_t *interference)
{
	struct suspension_task *t = &test->task[k];
	int64_t own = t->cpu + t->suspension;
	for (uint32_t h = 0; h < k; h++) {
		test->fixed[h] = test->jitter[h] = interference[h] = 0;
		test->demand[h] = test->task[h].cpu;
		if (test->method != SUSPENSION_UNIFYING)
			turn[test->method](test, h);
	}
	test->room = false;
	if (test->method == SUSPENSION_UNIFYING)
		return t->response = unifying(test, k, own, interference);
	t->response = fixed_point(test, k, least_response(test, k), NO_BOUND);
	for (uint32_t h = 0; h < k && t->response != NO_BOUND; h++)
		interference[h] = (int64_t)interference_of(test, h, t->response);
	return t->response;
}
