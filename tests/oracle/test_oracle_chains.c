/* tests/oracle/test_oracle_chains.c - checks the oracle's chains and triggers against values worked out by
 * hand (docs/model.md, "Chains and triggers"). */
#include "tests/oracle/by_hand.h"
#include "tests/support/test.h"

/* a: period 10, 1 tick; b: period 20, 2 ticks; rate monotonic. */
static void expect_greatest(
	struct effect_chain chain, const int64_t deadlines[2], int64_t age, int64_t reaction)
{
	struct segment a[] = {CPU(1)}, b[] = {CPU(2)};
	struct task tasks[] = {TASK(10, deadlines[0], a), TASK(20, deadlines[1], b)};
	struct taskset set = SET(tasks);
	set.chains = &chain;
	set.chain_count = 1;
	struct platform p = gpu_pool(8);
	struct run_setup setup = until(400);
	struct oracle_result *r = run_label(&set, &p, &setup, "rm");
	assert_int_equal(r->chain_count, 1);
	assert_int_equal(r->chains[0].age.greatest, age);
	assert_int_equal(r->chains[0].reaction.greatest, reaction);
	oracle_result_free(r);
}

TEST("the greatest ages and reactions of two tasks")
{
	static uint32_t up[] = {0, 1}, down[] = {1, 0};
	static const int64_t implicit[] = {10, 20}, let[] = {7, 8};
	expect_greatest((struct effect_chain){.tasks = up, .task_count = 2}, implicit, 23, 23);
	expect_greatest((struct effect_chain){.tasks = down, .task_count = 2}, implicit, 30, 30);
	expect_greatest((struct effect_chain){.tasks = down, .task_count = 2, .sample = CHAIN_RELEASE},
		implicit, 31, 31);
	expect_greatest(
		(struct effect_chain){.tasks = up, .task_count = 2, .communication = CHAIN_LET}, let, 38, 38);
	expect_greatest((struct effect_chain){.tasks = down, .task_count = 2, .communication = CHAIN_LET},
		let, 37, 37);
}

/* c is released when both have finished: their first jobs at 3, the second ones at 13.
 * The third job of b ends at the horizon. */
TEST("a task that is released after two others")
{
	struct segment a[] = {CPU(1)}, b[] = {CPU(2)}, c[] = {CPU(1)};
	struct task tasks[] = {TASK(5, 5, a), TASK(11, 11, b), TASK(10, 4, c)};
	uint32_t both[] = {0, 1};
	struct release_rule rule = {.kind = RELEASE_AFTER, .after = both, .after_count = 2};
	tasks[2].release = &rule;
	struct taskset set = SET(tasks);
	struct platform p = gpu_pool(8);
	struct run_setup setup = until(24);
	struct oracle_result *r = run_label(&set, &p, &setup, "rm");
	assert_int_equal(job_of(r, 2, 0)->release, 3);
	assert_int_equal(job_of(r, 2, 0)->deadline, 7);
	assert_int_equal(job_of(r, 2, 0)->finish, 4);
	assert_int_equal(job_of(r, 2, 1)->release, 13);
	assert_int_equal(job_of(r, 0, 4)->finish, 21);
	assert_int_equal(job_of(r, 1, 2)->finish, 24);
	for (size_t i = 0; i < r->job_count; i++)
		assert_true(r->jobs[i].task != 2 || r->jobs[i].seq < 2);
	oracle_result_free(r);
}

/* The first job of a is dropped, and counts for nothing. */
TEST("a dropped job releases none")
{
	struct segment a[] = {CPU(2)}, b[] = {CPU(6)}, c[] = {CPU(1)};
	struct task tasks[] = {TASK(10, 5, a), TASK(100, 6, b), TASK(10, 10, c)};
	uint32_t first[] = {0};
	struct release_rule rule = {.kind = RELEASE_AFTER, .after = first, .after_count = 1};
	tasks[2].release = &rule;
	struct taskset set = SET(tasks);
	set.priorities = true;
	tasks[0].priority = 1;
	tasks[2].priority = 2;
	struct platform p = gpu_pool(8);
	struct run_setup setup = until(20);
	setup.on_miss = MISS_DROP;
	struct oracle_result *r = run_label(&set, &p, &setup, "fifo-cke");
	assert_int_equal(job_of(r, 0, 0)->state, ORACLE_DROPPED);
	assert_int_equal(job_of(r, 2, 0)->release, 12);
	oracle_result_free(r);
}
