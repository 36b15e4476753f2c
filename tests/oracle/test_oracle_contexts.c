/* tests/oracle/test_oracle_contexts.c - checks the oracle's contexts against schedules worked out by hand
 * (docs/model.md, "Contexts"). */
#include "tests/oracle/by_hand.h"
#include "tests/support/test.h"

static struct platform with(int64_t timeslice, int64_t takes, int64_t reset)
{
	struct platform p = gpu_pool(8);
	p.contexts = (struct context_times){timeslice, takes, reset};
	return p;
}

static void expect_turn(
	const struct oracle_result *r, size_t n, uint32_t task, bool switches, int64_t start, int64_t end)
{
	assert_true(n < r->turn_count);
	assert_int_equal(r->turns[n].task, task);
	assert_int_equal(r->turns[n].switches, switches);
	assert_int_equal(r->turns[n].start, start);
	assert_int_equal(r->turns[n].end, end);
}

/* The n-th part of a block of the task's first job. */
static void expect_part(
	const struct oracle_result *r, uint32_t task, uint32_t block, size_t n, int64_t start, int64_t end)
{
	for (size_t i = 0; i < r->block_count; i++) {
		const struct oracle_block *b = &r->blocks[i];
		if (b->task != task || b->seq != 0 || b->block != block || n-- > 0)
			continue;
		assert_int_equal(b->start, start);
		assert_int_equal(b->end, end);
		return;
	}
	fail_msg("block %u of task %u has too few parts", block, task);
}

/* Equal kernels of ten slices; a tick is 100 us. */
TEST("kernels of ten slices in turns")
{
	static const int64_t finish[3][3] = {{100}, {226, 238}, {334, 346, 358}};
	struct segment s[] = {GRID(1, 8, 100)};
	struct task tasks[] = {TASK(1000, 1000, s), TASK(1000, 1000, s), TASK(1000, 1000, s)};
	struct platform p = with(10, 2, 0);
	struct run_setup setup = until(10);
	for (uint32_t n = 1; n <= 3; n++) {
		struct taskset set = {.tasks = tasks, .task_count = n};
		for (int owns = 0; owns < 2; owns++) {
			struct oracle_result *r =
				run_label(&set, &p, &setup, owns ? "tsg-rr owns=compute" : "tsg-rr");
			for (uint32_t i = 0; i < n; i++)
				assert_int_equal(response(r, i, 0), finish[n - 1][i]);
			oracle_result_free(r);
		}
	}
}

/* Task 1 comes at 5, in the first slice; the slice goes on to 8. It ends at 13, in its slice; what is left of
 * block 0 of the first goes on at 15. */
TEST("an arrival shortens no slice")
{
	struct segment a[] = {GRID(1, 8, 12)}, b[] = {GRID(1, 8, 3)};
	struct task tasks[] = {TASK(100, 100, a), TASK(100, 100, b)};
	tasks[1].offset_ns = 5;
	struct taskset set = SET(tasks);
	struct platform p = with(4, 2, 0);
	struct run_setup setup = until(10);
	struct oracle_result *r = run_label(&set, &p, &setup, "tsg-rr");
	expect_turn(r, 0, 0, false, 0, 8);
	expect_turn(r, 1, 1, true, 8, 10);
	expect_turn(r, 2, 1, false, 10, 13);
	expect_turn(r, 3, 0, true, 13, 15);
	expect_turn(r, 4, 0, false, 15, 19);
	expect_part(r, 0, 0, 0, 0, 8);
	expect_part(r, 0, 0, 1, 15, 19);
	oracle_result_free(r);
}

/* Copies are the context's, or they are not. */
TEST("copies of a process that does not have the GPU")
{
	struct segment a[] = {GRID(1, 8, 6)}, b[] = {COPY(COPY_TO_GPU, 4)};
	struct task tasks[] = {TASK(100, 100, a), TASK(100, 100, b)};
	tasks[1].offset_ns = 1;
	struct taskset set = SET(tasks);
	struct platform p = with(4, 1, 0);
	struct run_setup setup = until(10);
	struct oracle_result *r = run_label(&set, &p, &setup, "tsg-rr owns=compute");
	assert_int_equal(job_of(r, 0, 0)->finish, 6);
	assert_int_equal(job_of(r, 1, 0)->finish, 5);
	oracle_result_free(r);
	r = run_label(&set, &p, &setup, "tsg-rr");
	assert_int_equal(job_of(r, 1, 0)->finish, 9);
	assert_int_equal(job_of(r, 0, 0)->finish, 12);
	oracle_result_free(r);
}

/* Two blocks of the lower process, one at a time; the higher comes at 3, in the first. Priorities for the GPU
 * are the reverse of those of the cores. */
static struct oracle_result *taken(const char *label, bool idempotent)
{
	struct segment low[] = {GRID(2, 8, 5)}, high[] = {GRID(1, 8, 4)};
	struct task tasks[] = {TASK(100, 50, low), TASK(100, 100, high)};
	low[0].idempotent = idempotent;
	tasks[1].offset_ns = 3;
	tasks[0].gpu_priority = 1;
	struct taskset set = SET(tasks);
	set.gpu_priorities = true;
	struct platform p = with(4, 2, 1);
	struct run_setup setup = until(10);
	return run_label(&set, &p, &setup, label);
}

TEST("what runs is saved")
{
	struct oracle_result *r = taken("take how=save", false);
	expect_part(r, 0, 0, 0, 0, 3);
	expect_part(r, 1, 0, 0, 5, 9);
	expect_part(r, 0, 0, 1, 11, 13);
	expect_part(r, 0, 1, 0, 13, 18);
	oracle_result_free(r);
	r = taken("take how=reset", false); /* that may not be lost; the first load is a reset, too */
	expect_part(r, 0, 0, 0, 1, 3);
	expect_part(r, 1, 0, 0, 5, 9);
	expect_part(r, 0, 0, 1, 10, 13);
	oracle_result_free(r);
}

TEST("what runs ends first")
{
	struct oracle_result *r = taken("take how=drain", false);
	expect_part(r, 0, 0, 0, 0, 5);
	expect_part(r, 1, 0, 0, 5, 9);
	expect_part(r, 0, 1, 0, 9, 14);
	oracle_result_free(r);
}

TEST("what runs is lost")
{
	struct oracle_result *r = taken("take how=reset", true);
	expect_part(r, 0, 0, 0, 1, 3);
	expect_part(r, 1, 0, 0, 4, 8);
	expect_part(r, 0, 0, 1, 9, 14);
	expect_part(r, 0, 1, 0, 14, 19);
	oracle_result_free(r);
}
