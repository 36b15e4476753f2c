/* tests/unit/test_plugin_bounds.c - policies/plugin/bounds.c: what is said of a result that is none. (What a
 * result may be wrong in is in tests/cli/plugins/analyses/wrong.c.) */
#include <stdio.h>
#include <string.h>

#include "policies/plugin/bounds.h"
#include "tests/support/test.h"

static char first[] = "t1", second[] = "t2";
static struct task tasks[] = {
	{.name = first, .period_ns = 10, .deadline_ns = 10},
	{.name = second, .period_ns = 20, .deadline_ns = 20},
};
static struct taskset set = {.tasks = tasks, .task_count = 2};
static uint32_t rank[] = {0, 1};
static const struct platform platform;
static const struct plan plan = {.platform = &platform, .set = &set, .rank = rank};
static struct arena arena;
static struct analysis_result result;
static struct error err;

/* How the result is made wrong. */
static void (*spoil)(void);

static bool bound(const struct plan *p, const struct params *params, struct arena *a,
	struct analysis_result *r, struct error *e)
{
	(void)params;
	if (!analysis_begin(r, p->set->task_count, a, e))
		return false;
	for (uint32_t i = 0; i < p->set->task_count; i++) {
		const struct bound_sums sums = {.response_ns = 6,
			.own_ns = 2,
			.blocking_ns = 1,
			.interference_ns = &(int64_t){3},
			.count = 1};
		analysis_sums(r, i, &sums);
	}
	analysis_judge(r, p);
	if (spoil)
		spoil();
	return true;
}

static const struct analysis analysis = {.name = "mine", .bound = bound};

static int finish(void **state)
{
	(void)state;
	arena_finish(&arena);
	spoil = NULL;
	return 0;
}

static void ask(void)
{
	assert_true(plugin_bound(&analysis, &plan, NULL, &arena, &result, &err));
}

static void erred(void (*how)(void), const char *text)
{
	char sentence[300];
	snprintf(sentence, sizeof(sentence), "its bound() erred: %s", text);
	spoil = how;
	ask();
	assert_true(result.gave_up);
	assert_false(result.verdict.accepted);
	assert_int_equal(result.verdict.failing_task, NO_FAILING_TASK);
	assert_string_equal(result.verdict.reason, sentence);
}

static void largest_part(void)
{
	result.task[1].parts[0].amount_ns = INT64_MAX;
}

static void last_task(void)
{
	result.task[1].parts[2].by = 2;
}

static void many_parts(void)
{
	result.task[1].part_count--;
}

static void task_of_none(void)
{
	verdict_refuse(&result.verdict, 2, "late");
}

static void no_failed(void)
{
	result.failed = NULL;
	result.failed_count = 1;
}

static void endless(void)
{
	verdict_refuse(&result.verdict, 1, "late");
	memset(result.verdict.reason, 'x', sizeof(result.verdict.reason));
}

TEST("right results are left alone", .teardown_func = finish)
{
	ask();
	assert_false(result.gave_up);
	assert_true(result.verdict.accepted);
	assert_int_equal(result.task[1].response_ns, 6);
	assert_int_equal(result.task[1].part_count, 3);
}

TEST("wrong results are none", .teardown_func = finish)
{
	erred(largest_part,
		"the parts of the bound of task 't2' add up to 9223372036854775807 ns, not to 6 ns");
	erred(last_task, "the bound of task 't2' has interference by task 2 of 2");
	erred(many_parts, "the parts of the bound of task 't2' add up to 3 ns, not to 6 ns");
	erred(task_of_none, "verdict.failing_task is 2 of 2 tasks");
	erred(no_failed, "failed_count is 1; analysis_begin() makes room for 2 tasks");
	erred(endless, "verdict.reason has no end");
}

TEST("sets that are none for it are not asked about", .teardown_func = finish)
{
	tasks[1].deadline_ns = 21;
	spoil = largest_part;
	ask();
	tasks[1].deadline_ns = 20;
	assert_true(result.refused);
	assert_false(result.gave_up);
	assert_string_equal(result.verdict.reason,
		"the deadline of task 't2' is above its period; it holds for deadlines up to the period");
}
