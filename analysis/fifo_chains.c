/* analysis/fifo_chains.c - see analysis/fifo_chains.h. fifo_chains_build() is in analysis/fifo_operations.c.
 *
 * The least claims with which every task keeps its own are found from below: each begins with the task's own
 * worst cases, and grows to what the other claims make of it. A task whose claim would exceed its period
 * claims nothing from then on. */
#include "analysis/fifo_chains.h"

/* More work than this is taken as endless. Sums of so much and a launch's work fit 128 bits. */
#define FIFO_ENDLESS ((int128)1 << 120)
/* A count beyond this is taken as endless, too. */
#define LAUNCHES_MOST (INT64_C(1) << 28)

/* The longest time from the job's first request of a resource to its last end there, in a response of x.
 * Where kernels are bounded to the end of their shortest block, first claims may be less than the best case.
 */
static int64_t window_of(const struct fifo_chain *i, enum fifo_resource on, int64_t x)
{
	int64_t around = i->from[on] + i->until[on];
	return x > around ? x - around : 0;
}

/* ---- Launches of other tasks ---- */

/* The most launches of an operation of task k that overlap a window: FIFO_BOTH's second way. */
static int64_t launches_in(const struct fifo_chains *s, const struct fifo_chain *k,
	const struct fifo_operation *op, int64_t window)
{
	if (s->count_by == FIFO_REQUESTS || k->claim == NO_BOUND)
		return LAUNCHES_MOST;
	int128 span = (int128)window + k->claim - op->before - op->behind;
	int128 count = (span + k->task->period_ns - 1) / k->task->period_ns;
	return span <= 0 ? 0 : count < LAUNCHES_MOST ? (int64_t)count : LAUNCHES_MOST;
}

/* Whether each request of task i waits for at most one launch of task k. */
static bool one_each(const struct fifo_chains *s, const struct fifo_chain *i, const struct fifo_chain *k,
	enum fifo_resource on)
{
	if (s->count_by == FIFO_WINDOWS || !s->one_each[on])
		return false;
	return !s->by_stream[on] || !i->low[on] || !k->high[on];
}

/* The most work of task k that a job of task i can wait for on a resource, in a response of x. */
static int128 work_ahead(const struct fifo_chains *s, const struct fifo_chain *i, const struct fifo_chain *k,
	enum fifo_resource on, int64_t x)
{
	int64_t left = one_each(s, i, k, on) ? i->uses[on] : LAUNCHES_MOST;
	int64_t window = window_of(i, on, x);
	int128 sum = 0;
	for (uint32_t u = 0; u < k->uses[on] && left > 0; u++) {
		const struct fifo_operation *op = &k->operation[k->most[on][u]];
		int64_t count = launches_in(s, k, op, window);
		count = count < left ? count : left;
		if (count == LAUNCHES_MOST && op->work > 0)
			return FIFO_ENDLESS;
		sum += count * op->work;
		if (sum >= FIFO_ENDLESS)
			return FIFO_ENDLESS;
		left -= left == LAUNCHES_MOST ? 0 : count;
	}
	return sum;
}

/* Adds the time for which a job of task i waits on a resource; by[k], own_rest: of whom (NULL: not asked).
 * Each share is rounded as part of a sum with those before it, so that they add up. */
static int128 waiting(const struct fifo_chains *s, const struct fifo_chain *i, enum fifo_resource on,
	int64_t x, int64_t *by, int64_t *own_rest)
{
	int128 work = 0, before;
	int64_t rate = s->rate[i->gpu][on];
	if (i->uses[on] == 0)
		return 0;
	for (uint32_t u = 0; u < i->count; u++)
		work += i->operation[u].on == on ? i->operation[u].rest : 0;
	if (own_rest)
		*own_rest += (int64_t)(work / rate);
	for (uint32_t k = 0; k < s->count; k++) {
		if (&s->chain[k] == i || s->chain[k].gpu != i->gpu)
			continue;
		before = work / rate;
		work += work_ahead(s, i, &s->chain[k], on, x);
		if (work >= FIFO_ENDLESS)
			return FIFO_ENDLESS;
		if (by)
			by[k] += (int64_t)(work / rate - before);
	}
	return work / rate;
}

/* ---- The core ---- */

static void set_window(struct fifo_chain *c)
{
	c->window.first_wrap = c->task->period_ns - c->claim + c->wraps;
}

/* Collects the windows of the higher tasks that use the core. False: one of them claims nothing. */
static bool windows_above(const struct fifo_chains *s, const struct fifo_chain *i, uint32_t *count)
{
	*count = 0;
	for (uint32_t r = 0; &s->chain[s->order[r]] != i; r++) {
		struct fifo_chain *h = &s->chain[s->order[r]];
		if (h->uses[FIFO_CPU] == 0 || h->core != i->core)
			continue;
		if (h->claim == NO_BOUND)
			return false;
		set_window(h);
		s->above[(*count)++] = &h->window;
	}
	return true;
}

/* The interference on the core where each CPU segment is bounded by itself; NO_BOUND: none was found. */
static int64_t interference_alone(const struct fifo_chains *s, struct fifo_chain *i, uint32_t above)
{
	int128 sum = 0;
	for (uint32_t u = 0; u < i->uses[FIFO_CPU]; u++) {
		const struct window_sum equation = {
			.window = s->above,
			.count = above,
			.constant = i->operation[i->most[FIFO_CPU][u]].worst,
			.limit = i->task->period_ns,
			.from = i->alone[u],
		};
		i->alone[u] = i->alone[u] == NO_BOUND ? NO_BOUND : window_fixed_point(&equation);
		if (i->alone[u] == NO_BOUND)
			return NO_BOUND;
		sum += i->alone[u] - equation.constant;
	}
	return bound_saturated(sum);
}

/* What one higher task executes during so long a window; or, alone, during each CPU segment's response. */
static int64_t interference_of(const struct fifo_chain *i, const struct window *h, int64_t window, bool alone)
{
	int128 sum = 0;
	if (!alone)
		return window_most(h, window);
	for (uint32_t u = 0; u < i->uses[FIFO_CPU]; u++)
		sum += window_most(h, i->alone[u]);
	return bound_saturated(sum);
}

/* Adds the time for which a job of task i waits for the core; NO_BOUND: there is no bound on that. */
static int64_t preempted(const struct fifo_chains *s, struct fifo_chain *i, int64_t x, int64_t *by)
{
	int64_t window = window_of(i, FIFO_CPU, x);
	uint32_t above;
	int128 whole = 0;
	if (i->uses[FIFO_CPU] == 0)
		return 0;
	if (!windows_above(s, i, &above))
		return NO_BOUND;
	int64_t each = interference_alone(s, i, above);
	for (uint32_t h = 0; h < above; h++)
		whole += window_most(s->above[h], window);
	for (uint32_t r = 0, h = 0; by && h < above; r++) {
		uint32_t task = s->order[r];
		if (&s->chain[task].window == s->above[h])
			by[task] += interference_of(i, s->above[h++], window, each < whole);
	}
	return each < whole ? each : bound_saturated(whole);
}

/* ---- Claims ---- */

/* What a response of x is enough for, given the claims; NO_BOUND: nothing is, for a task that claims nothing
 * may delay it without end. */
static int64_t response_in(const struct fifo_chains *s, struct fifo_chain *i, int64_t x)
{
	int64_t core = preempted(s, i, x, NULL);
	int128 sum = (int128)i->own_ns + i->copy_ns + i->gpu_ns + core;
	if (core == NO_BOUND)
		return NO_BOUND;
	for (uint32_t on = 0; on < FIFO_WAITED; on++) {
		int128 wait = waiting(s, i, (enum fifo_resource)on, x, NULL, NULL);
		if (wait >= FIFO_ENDLESS)
			return NO_BOUND;
		sum += wait;
	}
	return sum < NO_BOUND ? (int64_t)sum : NO_BOUND - 1;
}

static int64_t own_time(const struct fifo_chain *c)
{
	return c->own_ns + c->copy_ns + c->gpu_ns;
}

/* After so many rounds without an end, what still grows is given up. */
#define ROUNDS_MOST 20000u

/* Lets one claim grow, or gives it up. True: it was not large enough. */
static bool grow(const struct fifo_chains *s, struct fifo_chain *c, bool last_round)
{
	int64_t x = response_in(s, c, c->claim);
	if (x <= c->claim && x <= c->task->period_ns)
		return false;
	c->claim = x > c->task->period_ns || last_round ? NO_BOUND : x;
	return true;
}

/* The least claims that hold together with those of the tasks that have an answer, or are assumed to keep
 * their deadlines. */
static void settle(const struct fifo_chains *s)
{
	bool grown = true;
	for (uint32_t i = 0; i < s->count; i++) {
		struct fifo_chain *c = &s->chain[i];
		if (c->settled)
			continue;
		c->claim = own_time(c);
		for (uint32_t u = 0; u < c->uses[FIFO_CPU]; u++)
			c->alone[u] = 0;
	}
	for (uint32_t round = 1; grown; round++) {
		grown = false;
		for (uint32_t r = 0; r < s->count; r++) {
			struct fifo_chain *c = &s->chain[s->order[r]];
			if (!c->settled && c->claim != NO_BOUND)
				grown |= grow(s, c, round >= ROUNDS_MOST);
		}
	}
}

/* Keeps the answer, with whose it is. */
static void answer(struct fifo_chains *s, struct fifo_chain *c)
{
	c->response = c->claim;
	c->assumes = s->failed_count;
	c->own_rest = 0;
	preempted(s, c, c->claim, c->by);
	for (uint32_t on = 0; on < FIFO_WAITED; on++)
		waiting(s, c, (enum fifo_resource)on, c->claim, c->by, &c->own_rest);
}

/* Answers what can be answered now. */
static void answer_all(struct fifo_chains *s)
{
	settle(s);
	for (uint32_t i = 0; i < s->count; i++)
		if (!s->chain[i].settled && s->chain[i].claim != NO_BOUND)
			answer(s, &s->chain[i]);
	for (uint32_t i = 0; i < s->count; i++)
		s->chain[i].settled |= s->chain[i].claim != NO_BOUND;
}

/* The first task without an answer; NO_FAILING_TASK: none. */
static uint32_t first_without(const struct fifo_chains *s)
{
	for (uint32_t r = 0; r < s->count; r++)
		if (!s->chain[s->order[r]].settled)
			return s->order[r];
	return NO_FAILING_TASK;
}

void fifo_chains_solve(struct fifo_chains *s)
{
	uint32_t first;
	for (uint32_t i = 0; i < s->count; i++)
		s->chain[i].response = NO_BOUND;
	answer_all(s);
	/* The rest may rest on the first task without a bound, and then on the next one: they are bounded as
	 * if it kept its deadline. */
	while ((first = first_without(s)) != NO_FAILING_TASK) {
		struct fifo_chain *c = &s->chain[first];
		if (own_time(c) > c->task->deadline_ns)
			return;
		c->settled = true;
		c->claim = c->task->deadline_ns;
		s->failed[s->failed_count++] = first;
		answer_all(s);
	}
}
