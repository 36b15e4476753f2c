/* tests/unit/test_releases.c - models/releases.c: periodic, sporadic, traced and late releases. */
#include "models/releases.h"
#include "tests/support/test.h"

static int64_t trace[] = {3, 3, 9};
static struct run_setup setup = {.seed = 5, .set = 2};

static int64_t next(const struct release_rule *rule, const struct task *task, uint32_t job, int64_t before)
{
	return release_next(&setup, rule, task, 1, job, before);
}

TEST("periodic")
{
	const struct task task = {.period_ns = 10, .offset_ns = 4};
	const struct release_rule rule = {.kind = RELEASE_PERIODIC};
	assert_int_equal(release_first(&setup, &rule, &task, 1), 4);
	assert_int_equal(next(&rule, &task, 1, 4), 14);
	assert_int_equal(next(&rule, &task, 2, INT64_MAX - 10), INT64_MAX);
	assert_int_equal(next(&rule, &task, 2, INT64_MAX - 9), INT64_MAX); /* too large: there is none */
}

TEST("sporadic gaps are within bounds and reach them")
{
	const struct task task = {.period_ns = 10, .offset_ns = 4};
	const struct release_rule rule = {
		.kind = RELEASE_SPORADIC, .max_delay_ppm = 390000}; /* 3.9: 0 to 3 */
	bool seen[4] = {false};
	assert_int_equal(release_first(&setup, &rule, &task, 1), 4);
	for (uint32_t job = 1; job < 200; job++) {
		int64_t extra = next(&rule, &task, job, 100) - 110;
		assert_in_range(extra, 0, 3);
		assert_int_equal(
			next(&rule, &task, job, 50) - 60, extra); /* depends on the job, not on the instant */
		seen[extra] = true;
	}
	assert_true(seen[0] && seen[1] && seen[2] && seen[3]);
}

TEST("sporadic without delay is periodic")
{
	const struct task task = {.period_ns = 10};
	const struct release_rule none = {.kind = RELEASE_SPORADIC};
	const struct release_rule too_little = {.kind = RELEASE_SPORADIC, .max_delay_ppm = 99999};
	for (uint32_t job = 1; job < 50; job++) {
		assert_int_equal(next(&none, &task, job, 7), 17);
		assert_int_equal(next(&too_little, &task, job, 7), 17);
	}
}

TEST("sporadic beyond the range ends")
{
	const struct task task = {.period_ns = INT64_MAX / 2};
	const struct release_rule rule = {.kind = RELEASE_SPORADIC, .max_delay_ppm = INT64_MAX};
	assert_int_equal(next(&rule, &task, 1, INT64_MAX / 2 + 1), INT64_MAX);
	assert_true(next(&rule, &task, 1, 0) >= INT64_MAX / 2);
}

TEST("traced")
{
	const struct task task = {.period_ns = 10, .offset_ns = 4};
	const struct release_rule rule = {.kind = RELEASE_TRACE, .trace_ns = trace, .trace_count = 3};
	const struct release_rule empty = {.kind = RELEASE_TRACE};
	assert_int_equal(release_first(&setup, &rule, &task, 1), 3);
	assert_int_equal(next(&rule, &task, 1, 3), 3);
	assert_int_equal(next(&rule, &task, 2, 3), 9);
	assert_int_equal(next(&rule, &task, 3, 9), INT64_MAX);
	assert_int_equal(release_first(&setup, &empty, &task, 1), INT64_MAX);
}

TEST("jitter counts from the nominal instant and reaches its ends")
{
	const struct task task = {.period_ns = 10, .deadline_ns = 9, .offset_ns = 4};
	const struct release_rule rule = {.kind = RELEASE_JITTER, .jitter_ns = 3};
	bool seen[4] = {false};
	for (uint32_t job = 0; job < 200; job++) {
		int64_t at = job ? next(&rule, &task, job, 777) : release_first(&setup, &rule, &task, 1);
		int64_t late = at - 4 - 10 * job;
		assert_in_range(late, 0, 3);
		seen[late] = true;
		assert_int_equal(release_deadline(&rule, &task, job, at), 4 + 10 * job + 9);
	}
	assert_true(seen[0] && seen[1] && seen[2] && seen[3]);
	const struct release_rule none = {.kind = RELEASE_JITTER}, periodic = {.kind = RELEASE_PERIODIC};
	assert_int_equal(next(&none, &task, 7, 0), 74);
	assert_int_equal(release_deadline(&periodic, &task, 7, 75), 84);
}

TEST("jitter of a period keeps jobs in order")
{
	const struct task task = {.period_ns = 2};
	const struct release_rule rule = {.kind = RELEASE_JITTER, .jitter_ns = 2};
	int64_t before = release_first(&setup, &rule, &task, 1);
	bool together = false;
	for (uint32_t job = 1; job < 200; job++) {
		int64_t at = next(&rule, &task, job, before);
		assert_true(at >= before);
		together |= at == before;
		before = at;
	}
	assert_true(together);
}

TEST("jitter beyond the range ends")
{
	const struct task task = {.period_ns = INT64_MAX / 2, .deadline_ns = 5, .offset_ns = INT64_MAX - 3};
	const struct release_rule rule = {.kind = RELEASE_JITTER, .jitter_ns = 2};
	assert_int_equal(next(&rule, &task, 3, 0), INT64_MAX);
	assert_int_equal(release_deadline(&rule, &task, 0, INT64_MAX - 3), INT64_MAX - 1);
	assert_int_equal(release_deadline(&rule, &task, 3, INT64_MAX), INT64_MAX - 1);
}

TEST("a task may have its own rule")
{
	struct release_rule own = {.kind = RELEASE_SPORADIC};
	const struct task plain = {.period_ns = 1}, special = {.period_ns = 1, .release = &own};
	assert_ptr_equal(release_rule_of(&setup, &plain), &setup.release);
	assert_ptr_equal(release_rule_of(&setup, &special), &own);
}
