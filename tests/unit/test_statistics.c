/* tests/unit/test_statistics.c - runs/statistics.c: counts, responses and their histogram. */
#include "db/rows.h"
#include "runs/statistics.h"
#include "tests/support/test.h"

static struct statistics statistics;
static struct arena arena;

static int begin(void **state)
{
	return statistics_init(&statistics, &arena, 2) ? 0 : -1;
}

static int end(void **state)
{
	arena_finish(&arena);
	return 0;
}

EACH_TEST(begin, end);

static void job(uint32_t task, enum job_end how, int64_t release, int64_t deadline, int64_t ended)
{
	const struct trace_record r = {
		.kind = TRACE_JOB_END,
		.task = task,
		.how = (uint8_t)how,
		.start = release,
		.value = deadline,
		.time = ended,
	};
	assert_true(statistics_observe(&statistics, &r, 1));
}

TEST("nothing at first")
{
	const struct task_statistics *t = &statistics.tasks[1];
	assert_true(t->jobs == 0 && t->misses == 0 && t->responses == 0);
	assert_int_equal(t->min_response_ns, -1);
	assert_int_equal(t->max_response_ns, -1);
	assert_int_equal(t->worst_lower_bound_ns, -1);
}

TEST("responses of finished jobs")
{
	job(0, JOB_FINISHED, 10, 20, 20); /* in time */
	job(0, JOB_FINISHED, 10, 20, 21); /* late */
	job(0, JOB_FINISHED, 30, 40, 30); /* took no time */
	const struct task_statistics *t = &statistics.tasks[0];
	assert_int_equal(t->jobs, 3);
	assert_int_equal(t->responses, 3);
	assert_int_equal(t->misses, 1);
	assert_int_equal(t->min_response_ns, 0);
	assert_int_equal(t->max_response_ns, 11);
	assert_true(t->response_sum_ns == 21);
	assert_int_equal(t->histogram[0], 1);
	assert_int_equal(t->histogram[10], 1);
	assert_int_equal(t->histogram[11], 1);
	assert_int_equal(statistics.tasks[1].jobs, 0);
}

TEST("removed jobs have missed and no response")
{
	job(0, JOB_DROPPED, 0, 10, 10);
	job(0, JOB_ABORTED, 0, 10, 10);
	const struct task_statistics *t = &statistics.tasks[0];
	assert_true(t->jobs == 2 && t->misses == 2 && t->responses == 0);
	assert_int_equal(t->worst_lower_bound_ns, -1);
}

TEST("unfinished jobs give a lower bound")
{
	job(0, JOB_UNFINISHED, 90, 101, 100); /* may still be in time */
	assert_int_equal(statistics.tasks[0].misses, 0);
	job(0, JOB_UNFINISHED, 80, 100, 100);
	assert_int_equal(statistics.tasks[0].misses, 1);
	job(0, JOB_UNFINISHED, 95, 200, 100);
	assert_int_equal(statistics.tasks[0].worst_lower_bound_ns, 20);
	assert_int_equal(statistics.tasks[0].responses, 0);
}

TEST("the longest response has a bucket")
{
	assert_true(response_bucket(INT64_MAX) < RESPONSE_BUCKETS);
	job(0, JOB_FINISHED, 0, 1, INT64_MAX);
	job(0, JOB_FINISHED, 0, 1, INT64_MAX);
	assert_int_equal(statistics.tasks[0].histogram[response_bucket(INT64_MAX)], 2);
	assert_true(statistics.tasks[0].response_sum_ns == 2 * (int128)INT64_MAX);
}

TEST("other records are ignored")
{
	const struct trace_record r = {.kind = TRACE_SPAN, .task = 77};
	assert_true(statistics_observe(&statistics, &r, 1));
	assert_true(statistics_observe(&statistics, NULL, 0));
}

/* ---- windows ---- */

static void ends(uint32_t number, enum job_end how, bool late)
{
	const struct trace_record r = {.kind = TRACE_JOB_END,
		.job = number,
		.how = (uint8_t)how,
		.value = 10,
		.time = late ? 11 : 10};
	assert_true(statistics_observe(&statistics, &r, 1));
}

TEST("most misses of consecutive jobs")
{
	static const char late[] = "0110100000110111";
	const struct miss_window *w = &statistics.tasks[0].window;
	assert_true(statistics_window(&statistics, &arena, 0, 4));
	assert_int_equal(w->most, 0);
	for (uint32_t i = 0; late[i]; i++) {
		ends(i, JOB_FINISHED, late[i] == '1');
		assert_int_equal(w->most, i < 1 ? 0 : i < 2 ? 1 : i < 4 ? 2 : 3);
	}
	assert_int_equal(w->most_end, 4);
	assert_int_equal(statistics.tasks[0].misses, 8);
	assert_int_equal(statistics.tasks[1].window.jobs, 0);
}

/* Jobs 1 and 2 wait behind job 0, and are removed before it ends. */
TEST("jobs that end before an earlier one")
{
	const struct miss_window *w = &statistics.tasks[0].window;
	assert_true(statistics_window(&statistics, &arena, 0, 10));
	ends(1, JOB_DROPPED, false);
	ends(2, JOB_ABORTED, false);
	assert_int_equal(w->most, 3);
	ends(0, JOB_FINISHED, true);
	ends(3, JOB_FINISHED, false);
	ends(4, JOB_UNFINISHED, true);
	assert_int_equal(w->most, 4);
	assert_int_equal(w->most_end, 4);
}
