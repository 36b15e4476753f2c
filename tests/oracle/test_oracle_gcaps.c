/* tests/oracle/test_oracle_gcaps.c - checks the oracle's calls against schedules of the paper, and against
 * some worked out by hand (docs/model.md, "Calls", "gcaps"; Wang et al., "GCAPS", ECRTS 2024). */
#include "tests/oracle/by_hand.h"
#include "tests/support/test.h"

static struct oracle_result *run(
	struct task *tasks, uint32_t count, uint32_t cores, int64_t update, int64_t call, bool gpu_priorities)
{
	struct oracle_policy policy = *oracle_policy_find("gcaps update=0 call=0");
	policy.update = update;
	policy.call = call;
	struct taskset set = {
		.tasks = tasks, .task_count = count, .cores = cores > 1, .gpu_priorities = gpu_priorities};
	struct platform p = gpu_pool(8);
	p.cores = cores;
	p.contexts = (struct context_times){.timeslice_ns = 1000, .switch_ns = 2};
	struct run_setup setup = {.horizon_ns = 201, .limit_ns = 2000};
	return oracle_run(&set, &p, &setup, &policy, NULL);
}

/* Table 2: one tick of each misc. part before its begin call, the rest behind its end call. A call takes 1.
 */
static struct oracle_result *of_table_2(bool swapped)
{
	static struct segment a[] = {CPU(3), GRID(1, 8, 4), CPU(6), GRID(1, 8, 2), CPU(4)}, b[] = {CPU(40)},
			      c[] = {CPU(5), GRID(1, 8, 80), CPU(34)},
			      d[] = {CPU(17), GRID(1, 8, 10), CPU(3)};
	struct task tasks[] = {TASK(80, 80, a), TASK(150, 150, b), TASK(190, 190, c), TASK(200, 200, d)};
	tasks[2].core = 1;
	tasks[2].offset_ns = 70;
	for (int i = 0; i < 4; i++)
		tasks[i].gpu_priority = swapped && i >= 2 ? 5 - i : i;
	return run(tasks, 4, 2, 1, 1, true);
}

TEST("fig. 5 (a)")
{
	struct oracle_result *r = of_table_2(false);
	assert_int_equal(response(r, 0, 0), 23);
	assert_int_equal(response(r, 1, 0), 57);
	assert_int_equal(response(r, 2, 0), 137);
	assert_int_equal(response(r, 3, 0), 211);
	assert_int_equal(response(r, 0, 1), 23);
	assert_int_equal(response(r, 1, 1), 57);
	assert_int_equal(response(r, 3, 1), 43);
	oracle_result_free(r);
}

TEST("fig. 5 (b)")
{
	struct oracle_result *r = of_table_2(true);
	assert_int_equal(response(r, 0, 0), 23);
	assert_int_equal(response(r, 1, 0), 57);
	assert_int_equal(response(r, 2, 0), 154);
	assert_int_equal(response(r, 3, 0), 105);
	oracle_result_free(r);
}

/* A tick is 0.25 of the figure. */
TEST("fig. 3 (b), with calls of 0 and of 0.25")
{
	static const int64_t responses[2][3] = {{14, 31, 45}, {16, 34, 50}};
	for (int epsilon = 0; epsilon < 2; epsilon++) {
		struct segment a[] = {CPU(3), GRID(1, 8, 8), CPU(3)}, b[] = {CPU(9), GRID(1, 8, 11), CPU(5)},
			       c[] = {CPU(3), GRID(1, 8, 20), CPU(3)};
		struct task tasks[] = {TASK(300, 100, a), TASK(300, 200, b), TASK(300, 300, c)};
		tasks[0].offset_ns = 8;
		tasks[1].offset_ns = 4;
		tasks[1].core = tasks[2].core = 1;
		struct oracle_result *r = run(tasks, 3, 2, epsilon, epsilon, false);
		for (uint32_t i = 0; i < 3; i++)
			assert_int_equal(response(r, i, 0), responses[epsilon][i]);
		oracle_result_free(r);
	}
}

/* Task 1 holds the GPU until its end call, which waits for its core behind task 0. */
TEST("an end call that waits for its core")
{
	struct segment a[] = {CPU(40)}, b[] = {CPU(1), GRID(1, 8, 10), CPU(1)},
		       c[] = {CPU(1), GRID(1, 8, 5), CPU(1)};
	struct task tasks[] = {TASK(100, 100, a), TASK(200, 200, b), TASK(300, 300, c)};
	tasks[0].offset_ns = 12;
	tasks[2].offset_ns = 5;
	tasks[2].core = 1;
	struct oracle_result *r = run(tasks, 3, 2, 1, 1, false);
	assert_int_equal(response(r, 2, 0), 55);
	oracle_result_free(r);
}

/* Each of the four calls of task 0 meets another one that has just begun. */
TEST("four calls, each behind a lower one")
{
	struct segment a[] = {CPU(20), GRID(1, 8, 60), CPU(20), GRID(1, 8, 60), CPU(20)},
		       low[] = {CPU(1), GRID(1, 8, 600), CPU(1)};
	static const int64_t offsets[] = {100, 118, 197, 236, 315};
	struct task tasks[5] = {TASK(5000, 5000, a)};
	for (int i = 0; i < 5; i++) {
		if (i > 0)
			tasks[i] = (struct task)TASK(5000 + i, 5000 + i, low);
		tasks[i].core = i;
		tasks[i].offset_ns = offsets[i];
	}
	struct taskset set = {.tasks = tasks, .task_count = 5, .cores = true};
	struct oracle_policy policy = *oracle_policy_find("gcaps update=0 call=0");
	policy.update = policy.call = 10;
	struct platform p = gpu_pool(8);
	p.cores = 5;
	struct run_setup setup = {.horizon_ns = 400, .limit_ns = 9000};
	struct oracle_result *r = oracle_run(&set, &p, &setup, &policy, NULL);
	assert_int_equal(response(r, 0, 0), 256);
	oracle_result_free(r);
}

/* Both ask at 0; who is lower leaves its core to the CPU segment of task 2, and has the lock, and the core,
 * at 3. Its call changes no owner, and takes 1. */
TEST("who waits for the lock leaves its core")
{
	struct segment a[] = {GRID(1, 8, 5)}, b[] = {GRID(1, 8, 2)}, c[] = {CPU(4)};
	struct task tasks[] = {TASK(300, 100, a), TASK(300, 200, b), TASK(300, 300, c)};
	tasks[1].core = tasks[2].core = 1;
	struct oracle_result *r = run(tasks, 3, 2, 3, 1, false);
	expect_interval(r, 0, 0, ORACLE_CALL, 0, 3);
	expect_interval(r, 1, 2, ORACLE_RUN, 0, 3);
	expect_interval(r, 2, 1, ORACLE_CALL, 3, 4);
	expect_interval(r, 3, 2, ORACLE_RUN, 4, 5);
	expect_blocks(r, 0, 0, 0, 0, 3, 8);
	expect_interval(r, 4, 0, ORACLE_CALL, 8, 11);
	expect_blocks(r, 1, 0, 0, 0, 11, 13);
	expect_interval(r, 5, 1, ORACLE_CALL, 13, 16);
	oracle_result_free(r);
}
