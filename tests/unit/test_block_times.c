/* tests/unit/test_block_times.c - blocks of one kernel with different times: models/stays.c, models/blocks.c,
 * and their part of models/execution.c (docs/model.md, "Time of a kernel"). */
#include <stdlib.h>
#include <string.h>

#include "models/blocks.h"
#include "models/execution.h"
#include "tests/support/test.h"
#include "tests/unit/two_sms.h"

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof(*(array))))

/* One time for each block, or pairs [best, worst]. */
static void set_times(struct segment *s, const int64_t (*ends)[2], uint32_t count)
{
	s->times = arena_new(&k.set.arena, struct block_times, 1);
	s->times->own_draws = true;
	s->times->count = count;
	s->times->block = arena_new(&k.set.arena, struct block_time, count);
	s->best_ns = s->worst_ns = 0;
	for (uint32_t i = 0; i < count; i++) {
		s->times->block[i] = (struct block_time){.best_ns = ends[i][0], .worst_ns = ends[i][1]};
		s->best_ns = ends[i][0] > s->best_ns ? ends[i][0] : s->best_ns;
		s->worst_ns = ends[i][1] > s->worst_ns ? ends[i][1] : s->worst_ns;
	}
}

static void set_shares(struct segment *s, const int64_t *ppm, uint32_t count)
{
	s->times = arena_new(&k.set.arena, struct block_times, 1);
	s->times->own_draws = false;
	s->times->count = count;
	s->times->block = arena_new(&k.set.arena, struct block_time, count);
	for (uint32_t i = 0; i < count; i++)
		s->times->block[i] = (struct block_time){.share_ppm = ppm[i]};
}

#define TIMES(s, ...)                                                                                        \
	set_times((s), (const int64_t[][2])__VA_ARGS__, COUNT(((const int64_t[][2])__VA_ARGS__)))
#define SHARES(s, ...) set_shares((s), (const int64_t[])__VA_ARGS__, COUNT(((const int64_t[])__VA_ARGS__)))

/* ---- by hand ---- */

/* A block's room is free when that block ends; a long block keeps its own room. */
TEST("every block ends in its own time", .setup_func = begin, .teardown_func = end)
{
	TIMES(kernel(0, 6, 128, 0), {{1, 1}, {4, 4}});
	places("t0.0.0 b0 @0 0-1; t0.0.0 b2 @0 1-2; t0.0.0 b1 @1 0-4; t0.0.0 b4 @1 4-5; t0.0.0 b3 @0 2-6; "
	       "t0.0.0 b5 @1 5-9");
	runs(NULL, "t0.0.0 gpu 0-9");
}

TEST("shares are of the longest and rounded up", .setup_func = begin, .teardown_func = end)
{
	SHARES(kernel(0, 4, 32, 7), {500000, 1000000, 1});
	places("t0.0.0 b2 @0 0-1; t0.0.0 b0 @0 0-4; t0.0.0 b3 @1 0-4; t0.0.0 b1 @1 0-7");
}

/* The next kernel gets room when the short blocks end. The head of the primary queue waits for the rest. */
TEST("a kernel behind takes the room of short blocks", .setup_func = begin, .teardown_func = end)
{
	TIMES(kernel(0, 2, 128, 0), {{2, 2}, {9, 9}});
	kernel(1, 2, 128, 3);
	places("t0.0.0 b0 @0 0-2; t1.0.0 b0 @0 2-5; t1.0.0 b1 @0 5-8; t0.0.0 b1 @1 0-9");
	runs(NULL, "t1.0.0 gpu 2-8; t0.0.0 gpu 0-9");
}

/* An end may come earlier than the one that the GPU's event was armed for: of a later block of the kernel, or
 * of another kernel. */
TEST("the next end can come nearer", .setup_func = begin, .teardown_func = end)
{
	k.platform.threads_per_sm = 256;
	kernel(0, 1, 128, 5);
	TIMES(kernel(0, 6, 128, 0), {{20, 20}, {8, 8}, {7, 7}, {1, 1}, {2, 2}, {1, 1}});
	kernel(3, 1, 128, 1);
	places("t0.0.0 b0 @0 0-5; t1.0.0 b3 @0 5-6; t1.0.0 b2 @1 0-7; t1.0.0 b1 @0 0-8; t1.0.0 b4 @0 6-8; "
	       "t1.0.0 b5 @1 7-8; t2.0.0 b0 @0 8-9; t1.0.0 b0 @1 0-20");
}

TEST("the pool of the GPU frees block by block", .setup_func = begin, .teardown_func = end)
{
	k.platform.pool = POOL_GPU;
	TIMES(kernel(0, 3, 100, 0), {{3, 3}, {1, 1}, {2, 2}});
	places("t0.0.0 b1 0-1; t0.0.0 b0 0-3; t0.0.0 b2 1-3");
}

/* Blocks that were not placed when the job is aborted are never placed; the longest of the others ends the
 * kernel. */
TEST("an abort waits for the longest that runs", .setup_func = begin, .teardown_func = end)
{
	k.setup.on_miss = MISS_ABORT;
	TIMES(kernel(0, 5, 128, 0), {{3, 3}, {9, 9}});
	k.set.tasks[0].deadline_ns = 4;
	places("t0.0.0 b0 @0 0-3; t0.0.0 b2 @0 3-6; t0.0.0 b1 @1 0-9");
	runs(NULL, "t0.0.0 gpu 0-9 a");
}

TEST("blocks that run at the end are stopped", .setup_func = begin, .teardown_func = end)
{
	k.setup.stop = STOP_HORIZON;
	TIMES(kernel(95, 3, 128, 0), {{9, 9}, {2, 2}, {6, 6}});
	places("t0.0.0 b1 @1 95-97; t0.0.0 b2 @1 97-100; t0.0.0 b0 @0 95-100");
	runs(NULL, "t0.0.0 gpu 95-100 s");
}

/* A release trace gives the time of the longest block if blocks have shares. If blocks have their own times,
 * none takes longer than the trace says. */
TEST("a trace gives the longest", .setup_func = begin, .teardown_func = end)
{
	static struct trace_duration given[] = {{0, 0, 5}};
	int64_t release[] = {0, 50};
	TIMES(kernel(0, 3, 32, 0), {{1, 3}, {2, 9}, {4, 4}});
	maker_trace(&k, release, 2);
	k.set.tasks[0].release->durations = given;
	k.set.tasks[0].release->duration_count = 1;
	places("t0.0.0 b0 @0 0-3; t0.0.0 b2 @0 0-4; t0.0.0 b1 @1 0-5; t0.1.0 b0 @0 50-53; t0.1.0 b2 @0 "
	       "50-54; t0.1.0 b1 @1 50-59");
	SHARES(k.set.tasks[0].segments, {1000000, 200000, 500000});
	places("t0.0.0 b1 @1 0-1; t0.0.0 b2 @0 0-3; t0.0.0 b0 @0 0-5; t0.1.0 b1 @1 50-52; t0.1.0 b2 @0 "
	       "50-55; t0.1.0 b0 @0 50-59");
}

static uint32_t sm_1[] = {1};
static const struct grant sets[1] = {{.count = 1, .sm = sm_1}};

static bool plan_sets(struct plan *plan, struct error *err)
{
	(void)err;
	plan->grants = sets;
	return true;
}

static const struct policy with_sets = {.name = "sets", .plan = plan_sets};

TEST("a grant is kept to", .setup_func = begin, .teardown_func = end)
{
	TIMES(kernel(0, 5, 64, 0), {{1, 1}, {4, 4}, {2, 2}});
	struct observed o = observe_under(&k, &with_sets);
	assert_string_equal(blocks(&o),
		"t0.0.0 b0 @1 0-1; t0.0.0 b2 @1 1-3; t0.0.0 b1 @1 0-4; t0.0.0 b3 @1 3-4; t0.0.0 b4 @1 4-8");
	observed_finish(&o);
}

/* ---- groups ---- */

static uint64_t digest_of(const char *policy)
{
	struct observed o = observe(&k, policy, NULL);
	uint64_t digest = o.outcome.digest;
	observed_finish(&o);
	return digest;
}

/* If all blocks get the same time they are one group, however they were described: same events, same
 * digest. */
TEST("blocks that come out alike are groups", .setup_func = begin, .teardown_func = end)
{
	struct segment *s = kernel(0, 5, 128, 6);
	kernel(2, 3, 64, 5);
	uint64_t alike = digest_of("fifo-cke");
	TIMES(s, {{2, 6}, {6, 6}});
	assert_int_equal(digest_of("fifo-cke"), alike);
	SHARES(s, {1000000, 1000000, 1000000});
	assert_int_equal(digest_of("fifo-cke"), alike);
	TIMES(s, {{2, 6}, {6, 6}});
	k.setup.execution = EXECUTION_BEST;
	assert_int_not_equal(digest_of("fifo-cke"), alike);
	assert_true(execution_alike(&(struct run_setup){.execution = EXECUTION_WORST}, s->times));
	assert_false(execution_alike(&(struct run_setup){.execution = EXECUTION_UNIFORM}, s->times));
	assert_false(execution_alike(&(struct run_setup){.execution = EXECUTION_BEST}, s->times));
}

/* ---- draws ---- */

static int64_t drawn(const struct run_setup *setup, const struct block_times *times, uint32_t task,
	uint32_t job, uint32_t segment, uint32_t block)
{
	struct block_draws d = execution_blocks(setup, times, task, job, segment, 1, false);
	return execution_block(&d, block);
}

/* A block's draw depends on seed, set, task, job, segment and block, but not on the policy or on other
 * blocks. */
TEST("every block has a draw of its own")
{
	struct block_time wide[] = {{.best_ns = 1, .worst_ns = INT64_C(1) << 40}};
	const struct block_times times = {.own_draws = true, .count = 1, .block = wide};
	struct run_setup s = {.execution = EXECUTION_UNIFORM, .seed = 3, .set = 1};
	int64_t one = drawn(&s, &times, 2, 3, 4, 5);
	assert_int_equal(drawn(&s, &times, 2, 3, 4, 5), one);
	assert_int_not_equal(drawn(&s, &times, 1, 3, 4, 5), one);
	assert_int_not_equal(drawn(&s, &times, 2, 2, 4, 5), one);
	assert_int_not_equal(drawn(&s, &times, 2, 3, 5, 5), one);
	assert_int_not_equal(drawn(&s, &times, 2, 3, 4, 6), one);
	/* A block of one job has another draw than the same block of another job. */
	assert_int_not_equal(drawn(&s, &times, 2, 5, 4, 3), one);
	s.set = 2;
	assert_int_not_equal(drawn(&s, &times, 2, 3, 4, 5), one);
	s.set = 1;
	s.seed = 4;
	assert_int_not_equal(drawn(&s, &times, 2, 3, 4, 5), one);
}

TEST("draws are uniform within bounds")
{
	struct block_time ends[] = {{.best_ns = 10, .worst_ns = 13}, {.best_ns = 7, .worst_ns = 7}};
	const struct block_times times = {.own_draws = true, .count = 2, .block = ends};
	const struct run_setup s = {.execution = EXECUTION_UNIFORM, .seed = 3, .set = 1};
	uint32_t seen[4] = {0};
	for (uint32_t b = 0; b < 4000; b++) {
		int64_t length = drawn(&s, &times, 2, b % 7, 5, 2 * b);
		assert_in_range(length, 10, 13);
		seen[length - 10]++;
		assert_int_equal(drawn(&s, &times, 2, b % 7, 5, 2 * b + 1), 7);
	}
	for (int i = 0; i < 4; i++)
		assert_in_range(seen[i], 850, 1150);
}

/* ---- how long all of them take ---- */

static uint64_t dice = 9;

static uint64_t roll(void)
{
	dice = dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return dice >> 33;
}

/* Puts blocks on places as documented: the next block goes where it can start first. */
static int64_t list_schedule(const int64_t *length, uint32_t blocks_of, uint64_t places_of)
{
	int64_t *free_at = calloc(places_of, sizeof(*free_at)), last = 0;
	assert_non_null(free_at);
	for (uint32_t b = 0; b < blocks_of; b++) {
		uint64_t first = 0;
		for (uint64_t i = 1; i < places_of; i++)
			first = free_at[i] < free_at[first] ? i : first;
		free_at[first] += length[b];
		last = free_at[first] > last ? free_at[first] : last;
	}
	free(free_at);
	return last;
}

static void random_shape(
	struct kernel_shape *shape, struct block_times *times, struct block_time *block, uint32_t most_blocks)
{
	*times = (struct block_times){.own_draws = roll() % 2, .block = block};
	*shape = (struct kernel_shape){.blocks = 1 + (uint32_t)(roll() % most_blocks), .times = times};
	times->count = 1 + (uint32_t)(roll() % (shape->blocks < 9 ? shape->blocks : 9));
	shape->worst_ns = times->own_draws ? 0 : (int64_t)(1 + roll() % 50);
	shape->best_ns = times->own_draws ? 0 : (int64_t)(roll() % (uint64_t)(shape->worst_ns + 1));
	for (uint32_t i = 0; i < times->count; i++) {
		struct block_time *t = &block[i];
		*t = (struct block_time){.share_ppm = i ? (int64_t)(1 + roll() % 1000000) : 1000000};
		if (!times->own_draws)
			continue;
		t->worst_ns = (int64_t)(1 + roll() % (roll() % 3 ? 10 : 100));
		t->best_ns = (int64_t)(1 + roll() % (uint64_t)t->worst_ns);
		shape->worst_ns = t->worst_ns > shape->worst_ns ? t->worst_ns : shape->worst_ns;
		shape->best_ns = t->best_ns > shape->best_ns ? t->best_ns : shape->best_ns;
	}
}

/* Checks the kernel's time with all blocks at their worst, all at their best, and with times in between. */
static void check_shape(const struct kernel_shape *shape, uint64_t places_of, bool exactly)
{
	int64_t *length = calloc(shape->blocks, sizeof(*length)),
		*best = calloc(shape->blocks, sizeof(*best));
	int64_t span = blocks_span(shape, places_of), least = blocks_least_span(shape, places_of);
	int128 most_work = 0, least_work = 0;
	assert_non_null(length);
	assert_non_null(best);
	for (uint32_t b = 0; b < shape->blocks; b++) {
		block_ends(shape, b, &best[b], &length[b]);
		least_work += best[b];
		most_work += length[b];
	}
	assert_true(blocks_most_work(shape) == most_work && blocks_least_work(shape) == least_work);
	int64_t slowest = list_schedule(length, shape->blocks, places_of);
	int64_t fastest = list_schedule(best, shape->blocks, places_of);
	assert_true(exactly ? span == slowest && least == fastest : span >= slowest && least <= fastest);
	for (int i = 0; i < 3; i++) {
		for (uint32_t b = 0; b < shape->blocks; b++) {
			int64_t worst;
			block_ends(shape, b, &best[b], &worst);
			length[b] = best[b] + (int64_t)(roll() % (uint64_t)(worst - best[b] + 1));
		}
		int64_t some = list_schedule(length, shape->blocks, places_of);
		assert_true(some <= span && some >= least);
	}
	assert_true(blocks_span(shape, places_of + 1) <= span);
	assert_true(blocks_least_span(shape, places_of + 1) <= least);
	free(length);
	free(best);
}

TEST("all at their worst is the worst case")
{
	struct block_times times;
	struct block_time block[9];
	struct kernel_shape shape;
	for (int i = 0; i < 4000; i++) {
		random_shape(&shape, &times, block, i % 10 ? 12 : 60);
		check_shape(&shape, 1 + roll() % (i % 3 ? 5 : 20), true);
	}
}

/* Above BLOCKS_WALKED blocks there are only bounds; they are within one block of the exact time. */
TEST("very many blocks have bounds")
{
	struct block_times times;
	struct block_time block[9];
	struct kernel_shape shape;
	for (int i = 0; i < 20; i++) {
		random_shape(&shape, &times, block, 12);
		shape.blocks += BLOCKS_WALKED;
		uint64_t places_of = 1 + roll() % 40;
		check_shape(&shape, places_of, false);
		assert_true(blocks_span(&shape, places_of) <=
			    (int64_t)(blocks_most_work(&shape) / places_of) + shape.worst_ns + 1);
	}
	shape.blocks = UINT32_MAX;
	assert_true(blocks_span(&shape, 7) > 0 && blocks_span(&shape, UINT32_MAX) == shape.worst_ns);
	shape.times = NULL;
	shape.worst_ns = INT64_MAX / 2;
	assert_int_equal(blocks_span(&shape, 1), INT64_MAX);
}

/* ---- what makes a set valid ---- */

static void note(void *self, uint32_t task, uint32_t segment, const char *text)
{
	(void)task;
	(void)segment;
	memcpy(self, text, strlen(text) + 1);
}

static void refused(const char *why)
{
	char text[512] = "";
	assert_int_equal(taskset_check(&k.set, &k.platform, note, text), why ? 1 : 0);
	if (why && strstr(text, why) == NULL)
		fail_msg("%s", text);
}

TEST("times must be those of the kernel", .setup_func = begin, .teardown_func = end)
{
	struct segment *s = kernel(0, 2, 32, 4);
	TIMES(s, {{1, 3}, {2, 2}});
	refused(NULL);
	s->times->block[1].best_ns = 3;
	refused("at least 1 ns");
	s->times->block[1].best_ns = 0;
	refused("at least 1 ns");
	s->times->block[1].best_ns = 1;
	refused("longest blocks");
	s->times->count = 3;
	refused("no more than the grid has");
	s->times->count = 0;
	refused("no more than the grid has");
	SHARES(s, {1000000, 1});
	refused(NULL);
	s->times->block[0].share_ppm = 999999;
	refused("largest share");
	s->times->block[0].share_ppm = 1000001;
	refused("between 0 and 1");
	s->times->block[0].share_ppm = 0;
	refused("between 0 and 1");
	SHARES(s, {1000000, 1});
	s->form = KERNEL_WORK;
	refused("of a grid");
}

TEST("thread time is that of all blocks", .setup_func = begin, .teardown_func = end)
{
	TIMES(kernel(0, 5, 32, 0), {{1, 3}, {2, 2}});
	assert_true(taskset_utilisation(&k.set, &k.platform).threads == 32 * (3 + 2 + 3 + 2 + 3) / 200.0);
}
