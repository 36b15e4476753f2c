/* tests/unit/test_import_periods.c - how often the jobs of an import come, which of them are learned from,
 * and what time slices of the GPU do to them. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/importing.h"

EACH_TEST(importing_begin, importing_end);

/* ---- Periods ---- */

/* Jobs of so many us, that begin at these instants. */
static void add_jobs(int64_t length, const int64_t *at, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		add_range(1, "job", at[i], at[i] + length);
		add_kernel(1, "k", at[i] + 5, at[i] + 10, at[i] + length - 10);
	}
}

TEST("the period is the least time between two jobs")
{
	add_jobs(100, (const int64_t[]){0, 1000, 1990, 3000}, 4);
	import_all();
	assert_int_equal(task("task")->period_ns, 990 * US);
	assert_int_equal(task("task")->least_gap_ns, 990 * US);
	assert_false(task("task")->saturated);
	assert_false(is_noted("saturated"));
}

TEST("if most jobs begin when the last one ends no period is waited for")
{
	add_jobs(1234, (const int64_t[]){0, 1240, 2480, 9000}, 4);
	import_all();
	assert_true(task("task")->saturated);
	assert_int_equal(task("task")->period_ns, 1300 * US); /* two digits, rounded up */
	assert_int_equal(noted(IMPORT_ASSUMED, "task", "the loop is saturated"), 4);
}

TEST("half of them are not most")
{
	add_jobs(1234, (const int64_t[]){0, 1240, 9000}, 3);
	import_all();
	assert_false(task("task")->saturated);
	assert_int_equal(task("task")->period_ns, 1240 * US);
}

TEST("a pause of a twentieth of a job is none")
{
	add_jobs(100, (const int64_t[]){0, 105, 210}, 3);
	import_all();
	assert_true(task("task")->saturated);
	assert_int_equal(task("task")->period_ns, 100 * US);
}

TEST("a longer one is a pause")
{
	add_jobs(100, (const int64_t[]){0, 106, 212}, 3);
	import_all();
	assert_false(task("task")->saturated);
	assert_int_equal(task("task")->period_ns, 106 * US);
}

TEST("a period that is given goes before all")
{
	add_jobs(100, (const int64_t[]){0, 100, 200}, 3);
	t.request.period_ns = 5;
	import_all();
	assert_int_equal(task("task")->period_ns, 5);
}

TEST("one job has its length as period")
{
	add_jobs(101, (const int64_t[]){0}, 1);
	t.request.cut = IMPORT_RANGE;
	t.request.name = "job";
	import_all();
	assert_int_equal(task("task")->period_ns, 110 * US);
	assert_int_equal(task("task")->least_gap_ns, 0);
}

/* ---- Halves ---- */

TEST("lengths are of the first half, and the one in the middle")
{
	for (int64_t i = 0; i < 5; i++)
		add_kernel(1, "k", i * 100, i * 100 + 10, i * 100 + 20 + i);
	t.request.cut = IMPORT_EVERY;
	t.request.every = 1;
	t.request.first_half = true;
	import_all();
	assert_int_equal(task("task")->learned, 3);
	assert_int_equal(task("task")->replayed, 3);
	assert_int_equal(task("task")->segments[1].segment.best_ns, 10 * US);
	assert_int_equal(task("task")->segments[1].segment.worst_ns, 12 * US);
	assert_int_equal(t.im.start_ns, 300 * US);
}

TEST("one job has no halves")
{
	add_kernel(1, "k", 0, 10, 20);
	t.request.first_half = true;
	refused("task 'task' has one job: there is no second half");
}

/* ---- Time slices ---- */

/* Two processes with a kernel each, from 0 to 100 us; the GPU is one's, the other's, the one's again. */
static void add_turns(void)
{
	struct exported other = kernel(5, "other", 6, 20, 100);
	other.pid = PID + 1;
	add_kernel(1, "k", 0, 10, 100);
	export_kernel(&t.e, &other);
	add_switch(8, PID, 4);
	add_switch(9, PID, 5);
	add_switch(7, PID, 30);
	add_switch(8, PID + 1, 31);
	add_switch(9, PID + 1, 33);
	add_switch(7, PID + 1, 70);
	add_switch(8, PID, 71);
	add_switch(9, PID, 74);
	add_switch(7, PID, 110);
	add_switch(8, PID + 1, 111);
	add_switch(9, PID + 1, 116);
	add_switch(7, PID + 1, 120);
	t.request.cut = IMPORT_WHOLE;
}

TEST("slices of other processes are no time of a kernel")
{
	add_turns();
	import_all();
	assert_int_equal(took("task", 0, 1), 46 * US);   /* 10 to 30, 74 to 100 */
	assert_int_equal(took("task-2", 0, 1), 50 * US); /* 20 to 70, of which it waited 13 for its first */
	assert_int_equal(task("task")->segments[1].alone, 1);
	assert_int_equal(noted(IMPORT_ASSUMED, "time slices", "0.074 ms in all"), 2);
	assert_int_equal(t.im.kernels[0].most_ns, 50 * US);
}

TEST("how long they are, and what it takes to switch, is said")
{
	add_turns();
	import_all();
	/* 25, 37, 36, 4 us; 3, 4, 6 us between them */
	assert_int_equal(
		noted(IMPORT_FOUND, "time slices",
			"half of them up to 25 us, the longest 37 us; 3 times the GPU went to another "
			"context, in 4 us half of the times"),
		4);
}

TEST("one context alone switches with none")
{
	add_kernel(1, "k", 0, 10, 100);
	add_switch(8, PID, 4);
	add_switch(7, PID, 30);
	add_switch(8, PID, 31);
	add_switch(7, PID, 150);
	import_all();
	assert_int_equal(noted(IMPORT_FOUND, "time slices", "no context took the GPU from another"), 2);
	assert_int_equal(took("task", 0, 1), 89 * US);
}
