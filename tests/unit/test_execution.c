/* tests/unit/test_execution.c - models/execution.c: how long a segment instance takes. */
#include "base/random.h"
#include "models/execution.h"
#include "tests/support/test.h"

TEST("rules without a choice")
{
	struct run_setup s = {.execution = EXECUTION_WORST};
	assert_int_equal(execution_fixed(&s, 3, 9), 9);
	s.execution = EXECUTION_BEST;
	assert_int_equal(execution_fixed(&s, 3, 9), 3);
	s.execution = EXECUTION_UNIFORM;
	assert_int_equal(execution_fixed(&s, 3, 9), -1);
	assert_int_equal(execution_fixed(&s, 9, 9), 9);
}

TEST("scaled rounds up and not below best")
{
	struct run_setup s = {.execution = EXECUTION_SCALED, .scale_ppm = 500000};
	assert_int_equal(execution_fixed(&s, 0, 10), 5);
	assert_int_equal(execution_fixed(&s, 0, 11), 6);
	assert_int_equal(execution_fixed(&s, 6, 10), 6);
	s.scale_ppm = 0;
	assert_int_equal(execution_fixed(&s, 0, 10), 0);
	s.scale_ppm = 1;
	assert_int_equal(execution_fixed(&s, 0, 10), 1);
	s.scale_ppm = 1500000; /* beyond the worst case */
	assert_int_equal(execution_fixed(&s, 0, 10), 15);
	s.scale_ppm = 2000000;
	assert_true(execution_fixed(&s, 0, INT64_MAX) > INT64_MAX / 4);
}

TEST("draws are uniform within bounds")
{
	const struct run_setup s = {.execution = EXECUTION_UNIFORM, .seed = 3, .set = 1};
	uint32_t seen[4] = {0};
	for (uint32_t job = 0; job < 4000; job++) {
		int64_t length = execution_draw(&s, 2, job, 5, 10, 13);
		assert_in_range(length, 10, 13);
		seen[length - 10]++;
	}
	for (int i = 0; i < 4; i++)
		assert_in_range(seen[i], 850, 1150);
	assert_int_equal(execution_draw(&s, 0, 0, 0, 7, 7), 7);
}

/* A draw depends on seed, set, task, job and segment, and on nothing else. */
TEST("draws have a key")
{
	const int64_t wide = INT64_C(1) << 40;
	struct run_setup s = {.execution = EXECUTION_UNIFORM, .seed = 3, .set = 1};
	const struct random_key key = {
		.seed = 3, .set = 1, .task = 2, .job = 3, .segment = 4, .purpose = RANDOM_EXECUTION};
	int64_t one = execution_draw(&s, 2, 3, 4, 0, wide);
	assert_int_equal(one, random_upto(&key, wide));
	assert_int_equal(execution_draw(&s, 2, 3, 4, 7, wide + 7), one + 7);
	assert_int_equal(execution_draw(&s, 2, 3, 4, 0, wide), one);
	assert_int_not_equal(execution_draw(&s, 1, 3, 4, 0, wide), one);
	assert_int_not_equal(execution_draw(&s, 2, 2, 4, 0, wide), one);
	assert_int_not_equal(execution_draw(&s, 2, 3, 5, 0, wide), one);
	s.horizon_ns = 99;
	s.on_miss = MISS_ABORT;
	assert_int_equal(execution_draw(&s, 2, 3, 4, 0, wide), one);
	s.set = 2;
	assert_int_not_equal(execution_draw(&s, 2, 3, 4, 0, wide), one);
	s.set = 1;
	s.seed = 4;
	assert_int_not_equal(execution_draw(&s, 2, 3, 4, 0, wide), one);
}

TEST("traces give single lengths")
{
	static struct trace_duration given[] = {{0, 1, 5}, {2, 0, 0}, {2, 3, 7}, {9, 0, 8}};
	const struct release_rule rule = {.kind = RELEASE_TRACE, .durations = given, .duration_count = 4};
	const struct release_rule none = {.kind = RELEASE_TRACE};
	assert_int_equal(execution_traced(&rule, 0, 1), 5);
	assert_int_equal(execution_traced(&rule, 2, 0), 0);
	assert_int_equal(execution_traced(&rule, 2, 3), 7);
	assert_int_equal(execution_traced(&rule, 9, 0), 8);
	assert_int_equal(execution_traced(&rule, 0, 0), -1);
	assert_int_equal(execution_traced(&rule, 0, 2), -1);
	assert_int_equal(execution_traced(&rule, 2, 2), -1);
	assert_int_equal(execution_traced(&rule, 10, 0), -1);
	assert_int_equal(execution_traced(&none, 0, 0), -1);
}

TEST("samples are drawn, one by one or together")
{
	int64_t first[] = {1, 2, 3}, second[] = {10, 20, 30};
	const struct segment a = {.samples = first, .sample_count = 3},
			     b = {.samples = second, .sample_count = 3};
	const struct segment none = {.worst_ns = 9};
	struct run_setup s = {.execution = EXECUTION_SAMPLES, .seed = 3, .set = 1};
	bool seen[4] = {false}, apart = false;
	assert_int_equal(execution_fixed(&s, 1, 3), -1);
	assert_int_equal(execution_sampled(&s, &none, 2, 0, 0), -1);
	for (uint32_t job = 0; job < 100; job++) {
		int64_t x = execution_sampled(&s, &a, 2, job, 0), y = execution_sampled(&s, &b, 2, job, 1);
		assert_in_range(x, 1, 3);
		seen[x] = true;
		apart |= y != 10 * x;
	}
	assert_true(seen[1] && seen[2] && seen[3] && apart);
	s.execution = EXECUTION_TOGETHER;
	for (uint32_t job = 0; job < 100; job++)
		assert_int_equal(
			execution_sampled(&s, &b, 2, job, 1), 10 * execution_sampled(&s, &a, 2, job, 0));
	s.execution = EXECUTION_UNIFORM;
	assert_int_equal(execution_sampled(&s, &a, 2, 0, 0), -1);
}

/* Only where execution_length() would draw, whatever the instance. */
TEST("what is drawn, and nothing else")
{
	int64_t times[] = {4, 6};
	struct trace_duration one = {.job = 1, .duration_ns = 8};
	const struct segment plain = {0}, sampled = {.samples = times, .sample_count = 2};
	const struct release_rule none = {0}, traced = {.durations = &one, .duration_count = 1};
	struct run_setup s = {.execution = EXECUTION_UNIFORM, .seed = 3};
	assert_true(execution_is_drawn(&s, &none, &plain, 3, 9));
	assert_true(execution_is_drawn(&s, &none, &sampled, 3, 9));
	assert_false(execution_is_drawn(&s, &none, &plain, 9, 9));
	assert_false(execution_is_drawn(&s, &traced, &plain, 3, 9));
	for (uint32_t job = 0; job < 9; job++)
		assert_int_equal(execution_length(&s, &none, &sampled, 2, job, 1, 3, 9),
			execution_draw(&s, 2, job, 1, 3, 9));
	s.execution = EXECUTION_SAMPLES;
	assert_true(execution_is_drawn(&s, &none, &plain, 3, 9));
	assert_false(execution_is_drawn(&s, &none, &sampled, 3, 9));
	s.execution = EXECUTION_WORST;
	assert_false(execution_is_drawn(&s, &none, &plain, 3, 9));
}
