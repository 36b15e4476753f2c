/* tests/unit/test_statistics.c - runs/statistics.c: counts, responses and their histogram. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include "db/rows.h"
#include "runs/statistics.h"

static struct statistics statistics;
static struct arena arena;

static int begin(void **state)
{
	(void)state;
	return statistics_init(&statistics, &arena, 2) ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	arena_finish(&arena);
	return 0;
}

static void job(uint32_t task, enum job_end how, int64_t release, int64_t deadline, int64_t ended)
{
	const struct trace_record r = {.kind = TRACE_JOB_END,
	        .task = task,
	        .how = (uint8_t)how,
	        .start = release,
	        .value = deadline,
	        .time = ended};
	assert_true(statistics_observe(&statistics, &r, 1));
}

static void nothing_at_first(void **state)
{
	(void)state;
	const struct task_statistics *t = &statistics.tasks[1];
	assert_true(t->jobs == 0 && t->misses == 0 && t->responses == 0);
	assert_int_equal(t->min_response_ns, -1);
	assert_int_equal(t->max_response_ns, -1);
	assert_int_equal(t->worst_lower_bound_ns, -1);
}

static void responses_of_finished_jobs(void **state)
{
	(void)state;
	job(0, JOB_FINISHED, 10, 20, 20); /* in time */
	job(0, JOB_FINISHED, 10, 20, 21); /* late */
	job(0, JOB_FINISHED, 30, 40, 30); /* took nothing */
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

static void removed_jobs_have_missed_and_no_response(void **state)
{
	(void)state;
	job(0, JOB_DROPPED, 0, 10, 10);
	job(0, JOB_ABORTED, 0, 10, 10);
	const struct task_statistics *t = &statistics.tasks[0];
	assert_true(t->jobs == 2 && t->misses == 2 && t->responses == 0);
	assert_int_equal(t->worst_lower_bound_ns, -1);
}

static void unfinished_jobs_give_a_lower_bound(void **state)
{
	(void)state;
	job(0, JOB_UNFINISHED, 90, 101, 100); /* may still make it */
	assert_int_equal(statistics.tasks[0].misses, 0);
	job(0, JOB_UNFINISHED, 80, 100, 100);
	assert_int_equal(statistics.tasks[0].misses, 1);
	job(0, JOB_UNFINISHED, 95, 200, 100);
	assert_int_equal(statistics.tasks[0].worst_lower_bound_ns, 20);
	assert_int_equal(statistics.tasks[0].responses, 0);
}

static void the_longest_response_has_a_bucket(void **state)
{
	(void)state;
	assert_true(response_bucket(INT64_MAX) < RESPONSE_BUCKETS);
	job(0, JOB_FINISHED, 0, 1, INT64_MAX);
	job(0, JOB_FINISHED, 0, 1, INT64_MAX);
	assert_int_equal(statistics.tasks[0].histogram[response_bucket(INT64_MAX)], 2);
	assert_true(statistics.tasks[0].response_sum_ns == 2 * (int128)INT64_MAX);
}

static void other_records_are_ignored(void **state)
{
	const struct trace_record r = {.kind = TRACE_SPAN, .task = 77};
	(void)state;
	assert_true(statistics_observe(&statistics, &r, 1));
	assert_true(statistics_observe(&statistics, NULL, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(nothing_at_first, begin, end),
	        cmocka_unit_test_setup_teardown(responses_of_finished_jobs, begin, end),
	        cmocka_unit_test_setup_teardown(removed_jobs_have_missed_and_no_response, begin, end),
	        cmocka_unit_test_setup_teardown(unfinished_jobs_give_a_lower_bound, begin, end),
	        cmocka_unit_test_setup_teardown(the_longest_response_has_a_bucket, begin, end),
	        cmocka_unit_test_setup_teardown(other_records_are_ignored, begin, end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
