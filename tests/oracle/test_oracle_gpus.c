/* tests/oracle/test_oracle_gpus.c - checks the oracle's GPUs against schedules worked out by hand
 * (docs/model.md, "Several GPUs"). */
#include "tests/oracle/by_hand.h"
#include "tests/support/test.h"

static struct platform two_gpus(struct platform *other)
{
	struct platform p = gpu_pool(8);
	*other = gpu_pool(8);
	other->gpu = 1;
	p.gpu_count = 2;
	p.others = other;
	return p;
}

/* Copies and kernels of two tasks, side by side on two GPUs; on one they would end at 12. */
TEST("each GPU has engines and SMs of its own")
{
	struct segment a[] = {COPY(COPY_TO_GPU, 4), GRID(1, 8, 4)},
		       b[] = {COPY(COPY_TO_GPU, 4), GRID(1, 8, 4)};
	struct task tasks[] = {TASK(90, 90, a), TASK(90, 90, b)};
	struct taskset set = SET(tasks);
	struct platform other, p = two_gpus(&other);
	struct run_setup setup = until(10);
	b[0].gpu = b[1].gpu = 1;
	struct oracle_result *r = run_label(&set, &p, &setup, "fifo-cke");
	assert_int_equal(response(r, 0, 0), 8);
	assert_int_equal(response(r, 1, 0), 8);
	assert_int_equal(r->blocks[0].gpu, 0);
	assert_int_equal(r->blocks[1].gpu, 1);
	oracle_result_free(r);
}

/* Task 0 leaves GPU 0 at 3, when its section on GPU 1 begins: task 1 has GPU 0 from then on, and not from 7.
 * The NULL stream of one GPU does not wait for the other. */
TEST("a section is of one GPU")
{
	struct segment a[] = {GRID(1, 8, 3), GRID(1, 8, 4)}, b[] = {GRID_ON(STREAM_NULL, false, 1, 8, 5)};
	struct task tasks[] = {TASK(90, 50, a), TASK(90, 90, b)};
	struct taskset set = SET(tasks);
	struct platform other, p = two_gpus(&other);
	struct run_setup setup = until(10);
	a[1].gpu = 1;
	static const char *const labels[] = {"fcfs", "rm", "mpcp", "fifo-cke"};
	for (size_t i = 0; i < COUNT(labels); i++) {
		struct oracle_result *r = run_label(&set, &p, &setup, labels[i]);
		assert_int_equal(response(r, 0, 0), 7);
		assert_int_equal(response(r, 1, 0), 8);
		oracle_result_free(r);
	}
}

/* 3, sync 2, 4, sync 2; both GPUs take static power all the time, and 10 while they have a block. */
TEST("sync and power of two GPUs")
{
	struct segment a[] = {GRID(1, 8, 3), GRID(1, 8, 4)};
	struct task tasks[] = {TASK(90, 50, a)};
	struct taskset set = SET(tasks);
	struct platform other, p = two_gpus(&other);
	struct run_setup setup = until(10);
	p.overheads.sync_ns = other.overheads.sync_ns = 2;
	p.static_uw = 100;
	other.static_uw = 1000;
	a[0].power_uw = a[1].power_uw = 10;
	a[1].gpu = 1;
	struct oracle_result *r = run_label(&set, &p, &setup, "fifo-cke");
	expect_blocks(r, 0, 0, 0, 0, 0, 3);
	assert_int_equal(r->blocks[1].start, 5);
	assert_int_equal(response(r, 0, 0), 11);
	assert_true(r->energy == 11 * 1100 + 7 * 10);
	oracle_result_free(r);
}
