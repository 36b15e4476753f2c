/* tests/oracle/test_oracle_cores.c - checks the oracle's cores against schedules worked out by hand
 * (docs/model.md, "Cores"). */
#include "tests/oracle/by_hand.h"
#include "tests/support/test.h"

static struct platform with(uint32_t cores, enum core_scheduling scheduling)
{
	struct platform p = gpu_pool(8);
	p.cores = cores;
	p.scheduling = scheduling;
	return p;
}

/* The n-th stretch of the task on a core. */
static void expect_on_core(const struct oracle_result *r, uint32_t task, size_t n,
	enum oracle_activity activity, int32_t core, int64_t start, int64_t end)
{
	for (size_t i = 0; i < r->interval_count; i++) {
		const struct oracle_interval *t = &r->intervals[i];
		if (t->core < 0 || t->task != task || n-- > 0)
			continue;
		assert_int_equal(t->activity, activity);
		assert_int_equal(t->core, core);
		assert_int_equal(t->start, start);
		assert_int_equal(t->end, end);
		return;
	}
	fail_msg("too few stretches of task %u", task);
}

/* GCAPS (RTSS 2024), fig. 3, with the work outside of the lock; a tick is 10 us. */
TEST("three sections on two cores")
{
	struct segment a[] = {CPU(75), GRID(1, 8, 200), CPU(75)}, b[] = {CPU(225), GRID(1, 8, 275), CPU(125)},
		       c[] = {CPU(75), GRID(1, 8, 500), CPU(75)};
	struct task tasks[] = {TASK(9000, 5000, a), TASK(9000, 6000, b), TASK(9000, 7000, c)};
	tasks[0].offset_ns = 200;
	tasks[1].offset_ns = 100;
	tasks[1].core = tasks[2].core = 1;
	struct taskset set = SET(tasks);
	set.cores = true;
	struct platform p = with(2, CORES_PARTITIONED);
	struct run_setup setup = until(300);
	struct oracle_result *r = run_label(&set, &p, &setup, "mpcp");
	assert_int_equal(response(r, 0, 0), 650);
	assert_int_equal(response(r, 1, 0), 1075);
	assert_int_equal(response(r, 2, 0), 650);
	expect_blocks(r, 2, 0, 0, 0, 75, 575);
	expect_blocks(r, 0, 0, 0, 0, 575, 775);
	oracle_result_free(r);
}

/* Partitioned: who is boosted holds its own core; the lower job on the other one runs. */
TEST("a boosted job and another core")
{
	struct segment a[] = {GRID(1, 8, 5), CPU(1)}, b[] = {CPU(3)}, c[] = {CPU(3)};
	struct task tasks[] = {TASK(50, 30, a), TASK(50, 20, b), TASK(50, 40, c)};
	tasks[2].core = 1;
	struct taskset set = SET(tasks);
	set.cores = true;
	struct platform p = with(2, CORES_PARTITIONED);
	struct run_setup setup = until(10);
	struct oracle_result *r = run_label(&set, &p, &setup, "mpcp wait=busy");
	expect_on_core(r, 0, 0, ORACLE_BOOST, 0, 0, 5);
	expect_on_core(r, 1, 0, ORACLE_RUN, 0, 5, 8);
	expect_on_core(r, 2, 0, ORACLE_RUN, 1, 0, 3);
	oracle_result_free(r);
}

/* Global: 1 and 2 run; 0 comes and takes the core of 2, the last; when 1 ends, 2 goes on there. */
TEST("jobs that move")
{
	struct segment a[] = {CPU(6)}, b[] = {CPU(4)}, c[] = {CPU(9)};
	struct task tasks[] = {TASK(50, 20, a), TASK(50, 30, b), TASK(50, 40, c)};
	tasks[0].offset_ns = 2;
	struct taskset set = SET(tasks);
	struct platform p = with(2, CORES_GLOBAL);
	struct run_setup setup = until(10);
	struct oracle_result *r = run_label(&set, &p, &setup, "rm");
	expect_on_core(r, 1, 0, ORACLE_RUN, 0, 0, 4);
	expect_on_core(r, 2, 0, ORACLE_RUN, 1, 0, 2);
	expect_on_core(r, 0, 0, ORACLE_RUN, 1, 2, 8);
	expect_on_core(r, 2, 1, ORACLE_RUN, 0, 4, 11);
	oracle_result_free(r);
}

/* Global: the same segment keeps its core, the next one takes the lowest that is idle. Both ends are at one
 * instant, and task 0 has gone from core 0 then. */
TEST("a second segment is a new need")
{
	struct segment a[] = {CPU(3)}, b[] = {CPU(3), CPU(2)}, c[] = {CPU(5)};
	struct task tasks[] = {TASK(50, 20, a), TASK(50, 30, b), TASK(50, 40, c)};
	struct taskset set = SET(tasks);
	struct platform p = with(3, CORES_GLOBAL);
	struct run_setup setup = until(10);
	struct oracle_result *r = run_label(&set, &p, &setup, "rm");
	expect_on_core(r, 1, 0, ORACLE_RUN, 1, 0, 3);
	expect_on_core(r, 1, 1, ORACLE_RUN, 0, 3, 5);
	expect_on_core(r, 2, 0, ORACLE_RUN, 2, 0, 5);
	oracle_result_free(r);
}

/* Global: releases interrupt core 0 only, and a job takes the other one. Partitioned: they interrupt their
 * own. */
TEST("interrupts and switches of cores")
{
	struct segment a[] = {CPU(9)}, none[] = {CPU(0)};
	struct task tasks[] = {TASK(50, 20, a), TASK(50, 30, none)};
	tasks[1].offset_ns = 5;
	struct taskset set = SET(tasks);
	struct platform p = with(2, CORES_GLOBAL);
	p.overheads = (struct overheads){.release_ns = 2, .switch_ns = 1};
	struct run_setup setup = until(10);
	struct oracle_result *r = run_label(&set, &p, &setup, "rm");
	expect_on_core(r, 0, 0, ORACLE_INTERRUPT, 0, 0, 2);
	expect_on_core(r, 0, 1, ORACLE_SWITCH, 1, 0, 1);
	expect_on_core(r, 0, 2, ORACLE_RUN, 1, 1, 10);
	expect_on_core(r, 1, 0, ORACLE_INTERRUPT, 0, 5, 7);
	oracle_result_free(r);
	tasks[0].core = tasks[1].core = 1;
	set.cores = true;
	p.scheduling = CORES_PARTITIONED;
	r = run_label(&set, &p, &setup, "rm");
	expect_on_core(r, 0, 0, ORACLE_INTERRUPT, 1, 0, 2);
	expect_on_core(r, 0, 1, ORACLE_SWITCH, 1, 2, 3);
	expect_on_core(r, 0, 2, ORACLE_RUN, 1, 3, 5);
	expect_on_core(r, 0, 3, ORACLE_RUN, 1, 7, 14);
	oracle_result_free(r);
}
