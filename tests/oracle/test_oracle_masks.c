/* tests/oracle/test_oracle_masks.c - checks the oracle's task table against schedules worked out by hand
 * (docs/model.md, "SM masks"). */
#include "tests/oracle/by_hand.h"
#include "tests/support/test.h"

static uint32_t numbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};

static void confine(struct segment *s, uint32_t first, uint32_t last)
{
	s->sms = &numbers[first];
	s->sm_count = last - first + 1;
}

static struct platform of_sms(uint32_t sms)
{
	struct platform p = gpu_pool(2048);
	p.pool = POOL_SM;
	p.sms = sms;
	return p;
}

static int64_t finish_of(const struct oracle_result *r, uint32_t task)
{
	return job_of(r, task, 0)->finish;
}

/* The first kernel has filled SMs 0 to 3 (and the others), to which the second one is confined. */
TEST("a mask whose SMs are full")
{
	struct segment a[] = {GRID(13, 1024, 250)}, b[] = {GRID(5, 1024, 250)};
	struct task tasks[] = {TASK(9000, 9000, a), TASK(9000, 9000, b)};
	struct taskset set = SET(tasks);
	struct platform p = of_sms(9);
	struct run_setup setup = until(100);
	confine(&b[0], 0, 3);
	struct oracle_result *r = run_label(&set, &p, &setup, "fifo-cke");
	assert_int_equal(finish_of(r, 0), 250);
	expect_blocks(r, 1, 0, 4, 4, 250, 500);
	oracle_result_free(r);
}

/* Masks that do not meet: who waits on one half of the SMs holds nobody up on the other. */
TEST("kernels on two halves")
{
	for (int split = 0; split < 2; split++) {
		struct segment a[] = {GRID(20, 1024, 250)}, b[] = {GRID(8, 1024, 250)};
		struct task tasks[] = {TASK(9000, 9000, a), TASK(9000, 9000, b)};
		tasks[1].offset_ns = 10;
		struct taskset set = SET(tasks);
		struct platform p = of_sms(10);
		struct run_setup setup = until(100);
		if (split) {
			confine(&a[0], 0, 4);
			confine(&b[0], 5, 9);
		}
		struct oracle_result *r = run_label(&set, &p, &setup, "fifo-cke");
		assert_int_equal(finish_of(r, 0), split ? 500 : 250);
		assert_int_equal(finish_of(r, 1), split ? 260 : 500);
		oracle_result_free(r);
	}
}

/* Kernels 0 and 2 have the SM of which 1 needs all, and 1 is held up; so is 3 behind it, on the other SM of
 * 1's mask. Only 4, on a third one, is not. */
TEST("who is held up holds up in turn")
{
	struct segment a[] = {GRID(1, 1024, 9)}, b[] = {GRID(1, 2048, 2)}, c[] = {GRID(1, 1024, 3)},
		       e[] = {GRID(1, 1024, 4)};
	struct task tasks[] = {TASK(90, 90, a), TASK(90, 90, b), TASK(90, 90, c), TASK(90, 90, e)};
	struct taskset set = SET(tasks);
	struct platform p = of_sms(3);
	struct run_setup setup = until(10);
	confine(&a[0], 0, 0);
	confine(&b[0], 0, 0);
	confine(&c[0], 0, 1);
	confine(&e[0], 1, 1);
	struct oracle_result *r = run_label(&set, &p, &setup, "fifo-cke");
	assert_int_equal(finish_of(r, 0), 9);
	assert_int_equal(finish_of(r, 1), 11);
	expect_blocks(r, 2, 0, 0, 0, 9, 12); /* on SM 1; then 3 beside it */
	expect_blocks(r, 3, 0, 0, 0, 9, 13);
	oracle_result_free(r);
}

#define HIGH 32

/* A low kernel on SMs 4 to 8, and n high ones on SMs 0 to 3, of which 32 fill the table: it is evicted, and
 * its second half waits until one of them has ended. */
TEST("a table full of high kernels")
{
	for (uint32_t n = HIGH - 1; n <= HIGH; n++) {
		struct segment low[] = {GRID(60, 1024, 75)},
			       high[] = {GRID_ON(STREAM_OWN, true, 1, 512, 250)};
		struct task tasks[1 + HIGH] = {TASK(9000, 9000, low)};
		confine(&low[0], 4, 8);
		confine(&high[0], 0, 3);
		for (uint32_t i = 1; i <= n; i++) {
			tasks[i] = (struct task)TASK(9000, 9000, high);
			tasks[i].offset_ns = 151;
		}
		struct taskset set = {.tasks = tasks, .task_count = 1 + n};
		struct platform p = of_sms(9);
		p.resident_kernels = 32;
		p.work_queues = 64;
		struct run_setup setup = until(200);
		struct oracle_result *r = run_label(&set, &p, &setup, "fifo-cke");
		assert_int_equal(finish_of(r, 0), n < HIGH ? 450 : 626);
		oracle_result_free(r);
	}
}

/* A low kernel of four blocks on two SMs, and a high one that comes at 1. It pays 4 for each SM once, also
 * with its second block there; the low one pays nothing to come back. Without blocks to place it is not
 * preempted. */
TEST("an SM that is taken opens later")
{
	for (uint32_t grid = 2; grid <= 4; grid += 2) {
		struct segment low[] = {GRID(grid, 2048, 10)},
			       high[] = {GRID_ON(STREAM_OWN, true, 4, 2048, 3)};
		struct task tasks[] = {TASK(9000, 9000, low), TASK(9000, 9000, high)};
		tasks[1].offset_ns = 1;
		struct taskset set = SET(tasks);
		struct platform p = of_sms(2);
		struct run_setup setup = until(100);
		p.preemption_delay_ns = 4;
		struct oracle_result *r = run_label(&set, &p, &setup, "prio-streams");
		int64_t paid = grid == 4 ? 4 : 0;
		expect_blocks(r, 1, 0, 0, 1, 10, 13 + paid);
		expect_blocks(r, 1, 0, 2, 3, 13 + paid, 16 + paid);
		assert_int_equal(finish_of(r, 0), grid == 4 ? 30 : 10);
		oracle_result_free(r);
	}
}

/* Whoever comes while the SM opens begins with it: the second half of an SM. */
TEST("who comes while an SM opens waits for it")
{
	struct segment low[] = {GRID(3, 1024, 10)}, high[] = {GRID_ON(STREAM_OWN, true, 1, 1024, 3)},
		       more[] = {GRID_ON(STREAM_OWN, true, 1, 512, 2)};
	struct task tasks[] = {TASK(9000, 9000, low), TASK(9000, 9000, high), TASK(9000, 9000, more)};
	tasks[1].offset_ns = 1;
	tasks[2].offset_ns = 12;
	struct taskset set = SET(tasks);
	struct platform p = of_sms(1);
	struct run_setup setup = until(100);
	p.preemption_delay_ns = 4;
	struct oracle_result *r = run_label(&set, &p, &setup, "prio-streams");
	expect_blocks(r, 0, 0, 0, 1, 0, 10);
	expect_blocks(r, 1, 0, 0, 0, 10, 17); /* the SM opens at 14 */
	expect_blocks(r, 0, 0, 2, 2, 10, 24); /* beside it, of the low kernel */
	expect_blocks(r, 2, 0, 0, 0, 17, 19);
	oracle_result_free(r);
}
