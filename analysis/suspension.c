/* analysis/suspension.c - see analysis/suspension.h.
 *
 * All the tests have one form: the least x with
 *     C_k + S_k + sum over higher tasks h of (fixed_h + ceil((x + jitter_h) / T_h) demand_h) <= x.
 * What differs is how a higher task's suspension is turned into the three numbers. Theorem 1 of the unifying
 * framework: for any vector of bits x_h, jitter_h = sum of x_l S_l over the tasks l from h down to k - 1,
 * and R_h - C_h more where x_h = 0. */
#include "analysis/suspension.h"
#include "analysis/verdict.h"
#include "analysis/window.h"

bool suspension_init(struct suspension_test *test, struct arena *arena, struct error *err)
{
	test->fixed = arena_new(arena, int64_t, test->count);
	test->jitter = arena_new(arena, int64_t, test->count);
	test->demand = arena_new(arena, int64_t, test->count);
	test->vector = arena_new(arena, bool, test->count);
	test->loads = arena_new(arena, struct ratio, test->count);
	if (!test->fixed || !test->jitter || !test->demand || !test->vector || !test->loads)
		return error_memory(err, "a test of self-suspending tasks");
	return true;
}

static int128 interference_of(const struct suspension_test *test, uint32_t h, int64_t x)
{
	uint64_t window = (uint64_t)x + (uint64_t)test->jitter[h], period = (uint64_t)test->task[h].period;
	uint64_t jobs = window / period + (window % period != 0);
	return test->fixed[h] + (int128)jobs * test->demand[h];
}

/* Demands of which the sum leaves nothing of the core: there is no fixed point. */
static bool overloaded(const struct suspension_test *test, uint32_t k)
{
	for (uint32_t h = 0; h < k; h++)
		test->loads[h] = (struct ratio){test->demand[h], test->task[h].period};
	return ratio_sum_compare(test->loads, k, 1) >= 0;
}

/* The least fixed point, from `from` on, below `best`; or NO_BOUND. None is below `from`. */
static int64_t fixed_point(const struct suspension_test *test, uint32_t k, int64_t from, int64_t best)
{
	const struct suspension_task *t = &test->task[k];
	int64_t own = t->cpu + t->suspension, x = from;
	for (uint32_t steps = 0;;) {
		if (x >= best || (x > t->deadline && steps++ == WINDOW_PATIENCE))
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
	return (test->by_deadline ? t->deadline : t->response) - t->cpu;
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

/* Jitters for the vector. False: beyond int64. */
static bool take_vector(struct suspension_test *test, uint32_t k)
{
	int128 suspended = 0;
	for (uint32_t h = k; h-- > 0;) {
		suspended += test->vector[h] ? test->task[h].suspension : 0;
		int128 sum = suspended + (test->vector[h] ? 0 : response_jitter(test, h));
		if (sum >= NO_BOUND)
			return false;
		test->jitter[h] = (int64_t)sum;
	}
	return true;
}

/* Sets vector number `i`; false: there are no more. */
static bool next_vector(struct suspension_test *test, uint32_t k, uint32_t i)
{
	if (k > SUSPENSION_VECTORS_TASKS) {
		for (uint32_t h = 0; h < k; h++)
			test->vector[h] = i == 1 && test->task[h].suspension <= test->task[h].cpu;
		return i < 2;
	}
	for (uint32_t h = 0; h < k; h++)
		test->vector[h] = i >> h & 1;
	return i >> k == 0;
}

/* The fixed point without any jitter is below that of every vector. */
static int64_t unifying(struct suspension_test *test, uint32_t k, int64_t from, int64_t *interference)
{
	int64_t least = fixed_point(test, k, from, NO_BOUND), best = NO_BOUND;
	for (uint32_t i = 0; least != NO_BOUND && next_vector(test, k, i); i++) {
		int64_t x = take_vector(test, k) ? fixed_point(test, k, least, best) : NO_BOUND;
		if (x == NO_BOUND)
			continue;
		best = x;
		for (uint32_t h = 0; h < k; h++)
			interference[h] = (int64_t)interference_of(test, h, x);
	}
	return best;
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
	t->response = NO_BOUND;
	if (own > 0 && overloaded(test, k))
		return NO_BOUND;
	if (test->method == SUSPENSION_UNIFYING)
		return t->response = unifying(test, k, own, interference);
	t->response = fixed_point(test, k, own, NO_BOUND);
	for (uint32_t h = 0; h < k && t->response != NO_BOUND; h++)
		interference[h] = (int64_t)interference_of(test, h, t->response);
	return t->response;
}
