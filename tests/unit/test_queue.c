/* tests/unit/test_queue.c - compares models/queue.c with a plain list: which operation is next. */
#include "base/random.h"
#include "models/queue.h"
#include "tests/support/test.h"

#define TASKS 9
#define MANY 300 /* enough for entries far from the end of a long queue (QUEUE_SHORT) */

static struct queue q;
static struct arena arena;

static int begin(void **state)
{
	return queue_init(&q, &arena, TASKS) ? 0 : -1;
}

static int end(void **state)
{
	arena_finish(&arena);
	return 0;
}

EACH_TEST(begin, end);

static void push(int64_t key, uint32_t tie, uint32_t task, int64_t entered)
{
	queue_push(&q, key, (uint64_t)tie << 32 | task, entered);
}

static void takes(uint32_t task)
{
	assert_int_equal(queue_first(&q), task);
	assert_int_equal(queue_pop(&q), task);
}

TEST("an empty queue has nobody")
{
	assert_int_equal(queue_length(&q), 0);
	assert_int_equal(queue_first(&q), QUEUE_NOBODY);
	assert_false(queue_remove(&q, 0));
	push(1, 0, 0, 0);
	takes(0);
	assert_int_equal(queue_first(&q), QUEUE_NOBODY);
}

TEST("by key then tie then task")
{
	push(5, 0, 1, 0);
	push(INT64_MAX, 0, 2, 0);
	push(INT64_MIN, 0, 0, 0);
	push(INT64_MIN, 0, 3, 0);
	push(5, 1, 0, 0);
	push(-5, 9, 4, 0);
	assert_int_equal(queue_length(&q), 6);
	takes(0);
	takes(3);
	takes(4);
	takes(1);
	takes(0);
	takes(2);
	assert_int_equal(queue_length(&q), 0);
}

TEST("removing from anywhere")
{
	for (uint32_t gone = 0; gone < 4; gone++) {
		for (uint32_t i = 0; i < 4; i++)
			push(i, 0, i, 0);
		assert_true(queue_remove(&q, gone));
		assert_false(queue_remove(&q, gone));
		for (uint32_t i = 0; i < 4; i++)
			if (i != gone)
				takes(i);
	}
}

TEST("lower first")
{
	push(1, 1, 1, 10);
	push(2, 2, 2, 10);
	push(3, 3, 3, 10);
	assert_int_equal(queue_pop_lower_first(&q, 10), 3); /* all entered now: the worst first */
	push(0, 0, 0, 11);
	assert_int_equal(queue_pop_lower_first(&q, 11), 1); /* the best of those that waited */
	assert_int_equal(queue_pop_lower_first(&q, 11), 2);
	assert_int_equal(queue_pop_lower_first(&q, 11), 0);
	push(4, 4, 4, 12);
	push(4, 5, 5, 12);
	assert_int_equal(queue_pop_lower_first(&q, 12), 5);
	assert_int_equal(queue_pop_lower_first(&q, 13), 4);
}

/* ---- against a list ---- */

struct listed {
	int64_t key, entered;
	uint32_t task;
	bool in;
};

static bool ahead(const struct listed *a, const struct listed *b)
{
	return a->key != b->key ? a->key < b->key : a->task < b->task;
}

static uint32_t best_of(const struct listed *list, uint32_t tasks, bool lower_first_rule, int64_t now)
{
	const struct listed *best = NULL;
	bool waited = false;
	for (uint32_t i = 0; i < tasks; i++)
		waited |= lower_first_rule && list[i].in && list[i].entered < now;
	for (uint32_t i = 0; i < tasks; i++) {
		bool candidate = list[i].in && (!waited || list[i].entered < now);
		bool worst_wanted = lower_first_rule && !waited;
		if (candidate &&
			(!best || ahead(worst_wanted ? best : &list[i], worst_wanted ? &list[i] : best)))
			best = &list[i];
	}
	return best ? best->task : QUEUE_NOBODY;
}

static uint64_t roll(uint32_t number, uint32_t sides)
{
	const struct random_key key = {.seed = 4, .job = number, .purpose = RANDOM_TEST};
	return random_bits(&key, 0) % sides;
}

/* All entries are in order, between the sentinels. */
static void assert_in_order(void)
{
	for (const struct queue_entry *e = q.first; e < q.end; e++)
		assert_true(queue_before(e[-1].key, e[-1].who, e));
	assert_int_equal(q.first[-1].key, INT64_MIN);
	assert_int_equal(q.first[-1].who, 0);
	assert_int_equal((uint32_t)q.end->who, QUEUE_NOBODY);
	assert_true(q.first > q.entries && q.end <= q.limit);
}

/* Returns how long the queue was at most. */
static uint32_t random_operations(uint32_t tasks, uint32_t keys, uint32_t removals)
{
	struct listed list[MANY] = {0};
	uint32_t in = 0, most = 0;
	assert_true(queue_init(&q, &arena, tasks));
	for (uint32_t n = 0; n < 40000; n += 4) {
		uint32_t task = (uint32_t)roll(n, tasks), what = (uint32_t)roll(n + 1, 5 + removals);
		int64_t now = n / 16;
		if (what < 4 && !list[task].in) {
			list[task] = (struct listed){(int64_t)roll(n + 2, keys), now, task, true};
			push(list[task].key, task, task, now);
			in++;
		} else if (what == 4) {
			assert_int_equal(queue_remove(&q, task), list[task].in);
			in -= list[task].in;
			list[task].in = false;
		} else if (what > 4 && queue_length(&q) > 0) {
			assert_int_equal(queue_first(&q), best_of(list, tasks, false, now));
			task = best_of(list, tasks, what == 5, now);
			assert_int_equal(what == 5 ? queue_pop_lower_first(&q, now) : queue_pop(&q), task);
			list[task].in = false;
			in--;
		}
		assert_int_equal(queue_length(&q), in);
		assert_in_order();
		most = in > most ? in : most;
	}
	return most;
}

TEST("random operations")
{
	random_operations(TASKS, 4, 3);
	assert_true(random_operations(MANY, 40, 3) > 2 * QUEUE_SHORT);
	assert_true(random_operations(MANY, 1000000, 2) > 4 * QUEUE_SHORT);
	assert_true(random_operations(MANY, 1, 1) > 4 * QUEUE_SHORT);
}

/* Tasks that enter a long queue in front of nearly all, and of nearly none, while others leave it. */
TEST("both ends of a long queue")
{
	assert_true(queue_init(&q, &arena, MANY));
	for (uint32_t i = 0; i < MANY; i++)
		push(1000, i, i, 0);
	for (uint32_t n = 0; n < 5 * MANY; n++) {
		uint32_t last = (uint32_t)q.end[-1].who;
		assert_true(queue_remove(&q, last));
		push(n % 3 == 0 ? 1 + n : 999, last, last, n);
		assert_in_order();
		assert_int_equal(queue_length(&q), MANY);
		if (n % 2 == 0) {
			uint32_t first = queue_pop(&q);
			push(n % 4 == 0 ? 2000 - n : 1001, first, first, n);
			assert_in_order();
		}
	}
}

/* Who came while the queue was short left no note, who came later did; both are found when all are later. */
TEST("removing from a long queue that is delayed")
{
	assert_true(queue_init(&q, &arena, MANY));
	for (uint32_t i = 0; i < MANY; i++)
		push((int64_t)roll(i, 1000), i, i, 0);
	queue_delay(&q, 2000);
	assert_in_order();
	assert_true(q.first->key >= 2000);
	for (uint32_t n = 0; n < MANY; n++) {
		uint32_t task = n * 7 % MANY;
		assert_true(queue_remove(&q, task));
		assert_false(queue_remove(&q, task));
		assert_in_order();
		push((int64_t)roll(n, 1000), task, task, 0);
		assert_true((uint32_t)q.first->who == task || q.first->key < 1000);
	}
	assert_int_equal(queue_length(&q), MANY);
}

TEST("parts of a queue share its notes")
{
	enum { EACH = 100 };
	struct queue all, part[2];
	assert_true(queue_init(&all, &arena, 2 * EACH));
	for (uint32_t p = 0; p < 2; p++)
		assert_true(queue_init_part(&part[p], &arena, EACH, &all));
	for (uint32_t i = 0; i < 2 * EACH; i++) {
		uint32_t task = i * 37 % (2 * EACH);
		queue_push(&part[task % 2], 500 - task, task, 0);
	}
	for (uint32_t task = 0; task < 2 * EACH; task += 3) {
		assert_false(queue_remove(&part[1 - task % 2], task));
		assert_true(queue_remove(&part[task % 2], task));
	}
	for (uint32_t task = 2 * EACH; task-- > 0;)
		if (task % 3 != 0)
			assert_int_equal(queue_pop(&part[task % 2]), task);
	assert_true(queue_empty(&part[0]) && queue_empty(&part[1]) && queue_empty(&all));
}
