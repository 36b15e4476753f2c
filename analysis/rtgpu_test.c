/* analysis/rtgpu_test.c - see analysis/rtgpu_test.h. RTGPU, section 5: Lemmas 5.1 to 5.5, Theorem 5.6.
 *
 * Beyond the paper: chains of any shape (analysis/chain.h), two copy engines, copies in order of arrival,
 * the start-time form of Lemma 5.3, and T - R instead of T - D gaps.
 *
 * Several GPUs (section 5.6): a task's kernels take the time that they take on its GPU (lines 4 and 5 of
 * Algorithm 2 "with the corresponding computing power"). Of copies the paper says only that its analysis "can
 * be directly applied". Ours: each GPU has its engines, so Lemmas 5.2 and 5.3 are applied to each engine of
 * each GPU, over the copies on it; what is on another is part of the gap, like CPU segments and kernels. The
 * lemmas need no more of a resource than that it has one queue.
 *
 * Behind a task that fails. A window needs of a task that each of its jobs ends before the next one is
 * released, and by when: by D, or by R, which may be between D and T. Where there is no such R, D is assumed.
 * Lower tasks, and copies in order of arrival, need nothing: of each one copy is ahead at most, late or not.
 */
#include "analysis/rtgpu_test.h"

#include <string.h>

#include "base/int128.h"

static bool allocate_task(
	struct rtgpu_task *t, const struct chain *c, uint32_t resources, struct arena *arena)
{
	t->chain = c;
	t->windows = arena_new(arena, struct window, resources);
	t->lengths = arena_new(arena, int64_t *, resources);
	t->inner = arena_new(arena, int64_t *, resources);
	t->found = arena_new(arena, struct rtgpu_interfered *, resources);
	t->found_count = arena_new(arena, uint32_t, resources);
	if (!t->windows || !t->lengths || !t->inner || !t->found || !t->found_count)
		return false;
	t->shortest = arena_new(arena, int64_t, c->count);
	t->longest = arena_new(arena, int64_t, c->count);
	t->worst = arena_new(arena, int64_t, c->count);
	t->by_worst = arena_new(arena, uint32_t, c->count);
	if (!t->shortest || !t->longest || !t->worst || !t->by_worst)
		return false;
	for (uint32_t r = 0; r < resources; r++) {
		t->lengths[r] = arena_new(arena, int64_t, c->count);
		t->inner[r] = arena_new(arena, int64_t, c->count);
		t->found[r] = arena_new(arena, struct rtgpu_interfered, c->count);
		if (!t->lengths[r] || !t->inner[r] || !t->found[r])
			return false;
	}
	return true;
}

/* Puts a segment into by_worst. */
static void insert(struct rtgpu_task *t, uint32_t segment)
{
	uint32_t at = t->without++;
	for (; at > 0 && t->worst[t->by_worst[at - 1]] > t->worst[segment]; at--)
		t->by_worst[at] = t->by_worst[at - 1];
	t->by_worst[at] = segment;
}

static void init_task(struct rtgpu_test *test, uint32_t k)
{
	struct rtgpu_task *t = &test->task[k];
	const struct chain *c = t->chain;
	t->monotone = true;
	for (uint32_t r = 0; r < test->chains.resources; r++) {
		t->windows[r] = (struct window){
			.length = t->lengths[r],
			.inner = t->inner[r],
			.period = c->task->period_ns,
		};
		if (r != CHAIN_ON_CPU)
			test->above[r][k] = &t->windows[r];
	}
	for (uint32_t i = 0; i < c->count; i++) {
		const struct segment *s = c->segments[i].segment;
		enum chain_resource on = c->segments[i].on;
		if (s->kind == SEGMENT_KERNEL) {
			t->monotone &= gpu_slots_monotone(&test->slots[c->gpu], s);
			continue;
		}
		t->shortest[i] = s->best_ns;
		t->worst[i] = s->worst_ns;
		insert(t, i);
		*(s->kind == SEGMENT_CPU ? &t->cpu : &t->copies) += s->worst_ns;
		if (on == CHAIN_ALONE)
			continue;
		t->lengths[on][t->windows[on].count++] = s->worst_ns;
		if (s->worst_ns > test->longest_copy[on][k])
			test->longest_copy[on][k] = s->worst_ns;
	}
}

/* Where the windows of the tasks of each core are, in the order of priority. */
static void sort_by_core(struct rtgpu_test *test)
{
	for (uint32_t k = 0, from = 0; k < test->chains.count; k++) {
		struct rtgpu_task *first = &test->task[k];
		uint32_t count = 0;
		for (uint32_t h = 0; h < k && first; h++)
			if (rtgpu_test_meet(test, h, k, CHAIN_ON_CPU))
				first = NULL; /* its core has been seen */
		for (uint32_t i = k; first && i < test->chains.count; i++) {
			struct rtgpu_task *t = &test->task[i];
			if (!rtgpu_test_meet(test, i, k, CHAIN_ON_CPU))
				continue;
			t->core_from = from;
			t->core_above = count;
			test->above[CHAIN_ON_CPU][from + count++] = &t->windows[CHAIN_ON_CPU];
		}
		from += count;
	}
}

bool rtgpu_test_init(struct rtgpu_test *test, const struct chains *chains, const struct gpu_slots *slots,
	const struct rtgpu_options *options, struct arena *arena, struct error *err)
{
	*test = (struct rtgpu_test){.chains = *chains, .slots = slots, .options = *options};
	test->task = arena_new(arena, struct rtgpu_task, chains->count);
	test->above = arena_new(arena, const struct window **, chains->resources);
	test->pieces = arena_new(arena, struct window_piece *, chains->resources);
	test->longest_copy = arena_new(arena, int64_t *, chains->resources);
	bool done = test->task && test->above && test->pieces && test->longest_copy;
	for (uint32_t r = 0; done && r < chains->resources; r++) {
		test->above[r] = arena_new(arena, const struct window *, chains->count);
		test->pieces[r] = arena_new(arena, struct window_piece, chains->count);
		test->longest_copy[r] = arena_new(arena, int64_t, chains->count);
		done = test->above[r] && test->pieces[r] && test->longest_copy[r];
	}
	for (uint32_t k = 0; done && k < chains->count; k++) {
		done = allocate_task(
			&test->task[k], &chains->chain[chains->order[k]], chains->resources, arena);
		if (done)
			init_task(test, k);
	}
	if (done)
		sort_by_core(test);
	return done ? true : error_memory(err, "preparing RTGPU's test");
}

int64_t rtgpu_test_blocking(const struct rtgpu_test *test, uint32_t k, enum chain_resource engine)
{
	int64_t most = 0;
	for (uint32_t l = k + 1; l < test->chains.count; l++)
		if (test->longest_copy[engine][l] > most)
			most = test->longest_copy[engine][l];
	return most;
}

static int64_t plus(int64_t a, int64_t b)
{
	return a == NO_BOUND || b == NO_BOUND ? NO_BOUND : bound_saturated((int128)a + b);
}

/* Of the fixed points found so far, how many have no larger constant. */
static uint32_t found_up_to(const struct rtgpu_task *t, enum chain_resource on, int64_t constant)
{
	uint32_t low = 0, high = t->found_count[on];
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (t->found[on][middle].constant <= constant)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* A lower bound of the interference for this constant, from fixed points found so far: interference is never
 * less for a larger constant, nor for the next lower task. */
static int64_t known_interference(
	const struct rtgpu_test *test, uint32_t k, enum chain_resource on, int64_t constant)
{
	int64_t most = 0;
	for (uint32_t p = k > 0 ? k - 1 : 0; p <= k; p++) {
		const struct rtgpu_task *t = &test->task[p];
		uint32_t known = rtgpu_test_meet(test, p, k, on) ? found_up_to(t, on, constant) : 0;
		if (known > 0 && t->found[on][known - 1].interference > most)
			most = t->found[on][known - 1].interference;
	}
	return most;
}

static int64_t interfered(
	const struct rtgpu_test *test, uint32_t k, enum chain_resource on, int64_t constant, int64_t ahead)
{
	if (constant == NO_BOUND)
		return NO_BOUND;
	const struct rtgpu_task *t = &test->task[k];
	bool cpu = on == CHAIN_ON_CPU;
	struct window_sum sum = {
		.window = test->above[on] + (cpu ? t->core_from : 0),
		.piece = test->pieces[on] + (cpu ? t->core_from : 0),
		.count = cpu ? t->core_above : k,
		.constant = constant,
		.ahead = ahead,
		.limit = t->chain->task->deadline_ns,
		.beyond = test->beyond && !t->hasty,
		.from = plus(constant, known_interference(test, k, on, constant)),
	};
	return sum.from == NO_BOUND ? NO_BOUND : window_fixed_point(&sum);
}

/* The same for a segment; keeps the result as a start for later searches. */
static int64_t interfered_segment(
	struct rtgpu_test *test, uint32_t k, enum chain_resource on, int64_t constant, int64_t ahead)
{
	struct rtgpu_task *t = &test->task[k];
	struct rtgpu_interfered *found = t->found[on];
	uint32_t at = found_up_to(t, on, constant);
	if (at > 0 && found[at - 1].constant == constant)
		return plus(constant, found[at - 1].interference);
	int64_t x = interfered(test, k, on, constant, ahead);
	t->late |= x > t->chain->task->deadline_ns;
	if (x == NO_BOUND)
		return x;
	memmove(&found[at + 1], &found[at], (t->found_count[on]++ - at) * sizeof(*found));
	found[at] = (struct rtgpu_interfered){constant, x - constant};
	return x;
}

/* When a copy arrives, at most one copy of each other task is ahead of it. */
static int64_t first_come(const struct rtgpu_test *test, uint32_t k, enum chain_resource engine)
{
	int128 ahead = 0;
	for (uint32_t i = 0; i < test->chains.count; i++)
		ahead += i == k ? 0 : test->longest_copy[engine][i];
	return bound_saturated(ahead);
}

/* Lemma 5.3; or the time until the copy starts, plus its length. */
static int64_t copy_response(struct rtgpu_test *test, uint32_t k, enum chain_resource on, int64_t length)
{
	if (on == CHAIN_ALONE)
		return length;
	if (test->options.copies == RTGPU_COPIES_FIFO)
		return plus(first_come(test, k, on), length);
	int64_t blocking = rtgpu_test_blocking(test, k, on);
	if (test->options.form == RTGPU_START_TIME)
		return plus(interfered_segment(test, k, on, blocking, 1), length);
	return interfered_segment(test, k, on, plus(blocking, length), 0);
}

/* The segments in this order; NULL: in that of the chain. Hasty: no farther than to the first whose response
 * is beyond the deadline. */
static void respond(struct rtgpu_test *test, uint32_t k, const uint32_t *order, bool hasty)
{
	struct rtgpu_task *t = &test->task[k];
	const struct chain *c = t->chain;
	t->copy_responses = t->cpu_responses = 0;
	t->late = false;
	t->hasty = hasty;
	for (uint32_t r = 0; r < test->chains.resources; r++)
		t->found_count[r] = 0;
	for (uint32_t n = 0; n < (order ? t->without : c->count) && !(hasty && t->late); n++) {
		uint32_t i = order ? order[n] : n;
		if (c->segments[i].segment->kind == SEGMENT_COPY) {
			t->longest[i] = copy_response(test, k, c->segments[i].on, t->worst[i]);
			t->copy_responses = plus(t->copy_responses, t->longest[i]);
		} else if (c->segments[i].segment->kind == SEGMENT_CPU) {
			t->longest[i] = interfered_segment(test, k, CHAIN_ON_CPU, t->worst[i], 0);
			t->cpu_responses = plus(t->cpu_responses, t->longest[i]);
		}
	}
	t->hasty = false;
}

/* The shortest segments first: what is found for one is the start for the next, and pieces of windows are
 * left one after the other. Beyond the deadline a search has a number of steps only, and what it finds may
 * depend on its start. There the order is that of the chain. */
void rtgpu_test_prepare(struct rtgpu_test *test, uint32_t k)
{
	respond(test, k, test->task[k].by_worst, test->beyond);
	if (test->beyond && test->task[k].late)
		respond(test, k, NULL, false);
}

static int64_t kernel_times(struct rtgpu_test *test, struct rtgpu_task *t, uint32_t virtual_sms)
{
	int64_t sum = 0;
	for (uint32_t i = 0; i < t->chain->count; i++) {
		const struct segment *s = t->chain->segments[i].segment;
		if (s->kind != SEGMENT_KERNEL)
			continue;
		gpu_slots_time(&test->slots[t->chain->gpu], s, virtual_sms, &t->shortest[i], &t->worst[i]);
		t->longest[i] = t->worst[i];
		sum = plus(sum, t->worst[i]);
	}
	return sum;
}

/* The gaps of Lemmas 5.2 and 5.4 on one resource: the least time of everything between. */
static void make_window(struct rtgpu_task *t, enum chain_resource on, int64_t slack)
{
	struct window *w = &t->windows[on];
	int64_t gap = 0, before = 0, repeated = 0;
	uint32_t seen = 0;
	for (uint32_t i = 0; i < t->chain->count; i++) {
		if (t->chain->segments[i].on != on) {
			gap += t->shortest[i];
			continue;
		}
		if (seen == 0)
			before = gap;
		else
			t->inner[on][seen - 1] = gap;
		repeated += t->worst[i] + (seen ? gap : 0);
		seen++;
		gap = 0;
	}
	w->first_wrap = slack + gap + before;
	w->tail = w->period - repeated;
}

/* Of a task whose jobs take at most so long. */
static void make_windows(struct rtgpu_test *test, uint32_t k, int64_t response)
{
	struct rtgpu_task *t = &test->task[k];
	for (uint32_t r = 0; r < test->chains.resources; r++) {
		make_window(t, (enum chain_resource)r, t->chain->task->period_ns - response);
		*rtgpu_test_piece(test, k, (enum chain_resource)r) = (struct window_piece){0};
	}
}

bool rtgpu_test_try(struct rtgpu_test *test, uint32_t k, uint32_t virtual_sms)
{
	struct rtgpu_task *t = &test->task[k];
	const struct task *task = t->chain->task;
	t->gpu = kernel_times(test, t, virtual_sms);
	int64_t rest = plus(t->gpu, t->copy_responses), alone = plus(rest, t->cpu);
	t->r1 = plus(rest, t->cpu_responses);
	t->r2 = t->response = NO_BOUND;
	if (alone > task->deadline_ns && !test->beyond)
		return false;
	/* R2 is only computed where it can change the result. */
	if (test->beyond || t->r1 > task->deadline_ns || test->options.gaps == RTGPU_GAPS_RESPONSE)
		t->r2 = interfered(test, k, CHAIN_ON_CPU, alone, 0);
	t->response = t->r1 < t->r2 ? t->r1 : t->r2;
	if (t->response > task->deadline_ns)
		return false;
	make_windows(test, k, test->options.gaps == RTGPU_GAPS_RESPONSE ? t->response : task->deadline_ns);
	return true;
}

bool rtgpu_test_go_on(struct rtgpu_test *test, uint32_t k, bool *assumed)
{
	struct rtgpu_task *t = &test->task[k];
	const struct task *task = t->chain->task;
	bool bounded = t->response <= task->period_ns;
	*assumed = !bounded && plus(plus(t->gpu, t->copies), t->cpu) <= task->deadline_ns;
	if (bounded || *assumed)
		make_windows(test, k, bounded ? t->response : task->deadline_ns);
	return bounded || *assumed;
}
