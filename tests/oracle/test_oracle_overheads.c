/* tests/oracle/test_oracle_overheads.c - checks the oracle's overheads against schedules worked out by hand.
 */
#include "tests/oracle/by_hand.h"
#include "tests/support/test.h"

static struct platform with(struct overheads overheads)
{
	struct platform p = gpu_pool(8);
	p.overheads = overheads;
	return p;
}

/* The n-th interval of this kind. */
static void expect_nth(const struct oracle_result *r, enum oracle_activity activity, size_t n, uint32_t task,
	uint32_t segment, int64_t start, int64_t end)
{
	for (size_t i = 0; i < r->interval_count; i++) {
		const struct oracle_interval *t = &r->intervals[i];
		if (t->activity != activity || n-- > 0)
			continue;
		assert_int_equal(t->task, task);
		assert_int_equal(t->segment, segment);
		assert_int_equal(t->start, start);
		assert_int_equal(t->end, end);
		return;
	}
	fail_msg("too few intervals of this kind");
}

/* A tick is a microsecond: cpu, two kernels, cpu, of a millisecond each. */
TEST("four overheads of one job")
{
	struct segment s[] = {CPU(1000), GRID(1, 1, 1000), GRID(1, 1, 1000), CPU(1000)};
	struct task tasks[] = {TASK(10000, 10000, s)};
	struct taskset set = SET(tasks);
	struct platform p =
		with((struct overheads){.launch_ns = 4, .latency_ns = 2, .gap_ns = 1, .sync_ns = 3});
	struct run_setup setup = until(100);
	struct oracle_result *r = run_label(&set, &p, &setup, "fifo-cke");
	assert_int_equal(response(r, 0, 0), 4015);
	expect_nth(r, ORACLE_LAUNCH, 0, 0, 1, 1000, 1004);
	expect_nth(r, ORACLE_LAUNCH, 1, 0, 2, 2006, 2010);
	assert_int_equal(r->blocks[0].start, 1006);
	assert_int_equal(r->blocks[1].start, 2012);
	expect_nth(r, ORACLE_RUN, 1, 0, 3, 3015, 4015);
	oracle_result_free(r);

	p = with((struct overheads){0});
	r = run_label(&set, &p, &setup, "fifo-cke");
	assert_int_equal(response(r, 0, 0), 4000);
	oracle_result_free(r);
}

/* The gap counts where it is longer than launch and latency; behind a copy, too. A job that ends with an
 * operation ends `sync` later. */
TEST("a long gap, and sync at the end of a job")
{
	struct segment s[] = {COPY(COPY_TO_GPU, 5), GRID(1, 1, 10)};
	struct task tasks[] = {TASK(100, 100, s)};
	struct taskset set = SET(tasks);
	struct platform p =
		with((struct overheads){.launch_ns = 1, .latency_ns = 2, .gap_ns = 7, .sync_ns = 4});
	struct run_setup setup = until(1);
	struct oracle_result *r = run_label(&set, &p, &setup, "fifo-cke");
	expect_nth(r, ORACLE_COPY, 0, 0, 0, 3, 8);
	assert_int_equal(r->blocks[0].start, 15);
	assert_int_equal(response(r, 0, 0), 29);
	oracle_result_free(r);
}

/* What is aborted in its stream leaves no gap behind it; the job ends without sync. */
TEST("only what has started leaves a gap")
{
	struct segment s[] = {GRID(1, 8, 20)}, other[] = {GRID(1, 8, 5)};
	struct task tasks[] = {TASK(100, 30, s), TASK(100, 9, other), TASK(100, 50, other)};
	tasks[1].offset_ns = 1;
	tasks[2].offset_ns = 19;
	other[0].stream = 1;
	struct taskset set = SET(tasks);
	struct platform p = with((struct overheads){.gap_ns = 6, .sync_ns = 3});
	struct run_setup setup = until(30);
	setup.on_miss = MISS_ABORT;
	struct oracle_result *r = run_label(&set, &p, &setup, "fifo-cke");
	assert_int_equal(job_of(r, 1, 0)->state, ORACLE_ABORTED);
	assert_int_equal(job_of(r, 1, 0)->finish, 10);
	expect_blocks(r, 2, 0, 0, 0, 20, 25);
	assert_int_equal(response(r, 2, 0), 9);
	oracle_result_free(r);
}

/* The lower one is preempted in its switch and pays in full again; in its segment, too. */
TEST("switches")
{
	struct segment high[] = {CPU(4)}, low[] = {CPU(10)};
	struct task tasks[] = {TASK(20, 20, high), TASK(100, 100, low)};
	tasks[0].offset_ns = 2;
	struct taskset set = SET(tasks);
	struct platform p = with((struct overheads){.switch_ns = 3});
	struct run_setup setup = until(23);
	struct oracle_result *r = run_label(&set, &p, &setup, "rm");
	expect_nth(r, ORACLE_SWITCH, 0, 1, 0, 0, 2);
	expect_nth(r, ORACLE_SWITCH, 1, 0, 0, 2, 5);
	expect_nth(r, ORACLE_RUN, 0, 0, 0, 5, 9);
	expect_nth(r, ORACLE_SWITCH, 2, 1, 0, 9, 12);
	expect_nth(r, ORACLE_RUN, 1, 1, 0, 12, 22);
	assert_int_equal(job_of(r, 1, 0)->first_start, 0);
	expect_nth(r, ORACLE_SWITCH, 3, 0, 0, 22, 25);
	assert_int_equal(r->end, 29);
	oracle_result_free(r);
}

/* Interrupts take the core from whoever has it, without a switch; they wait in the order of tasks. */
TEST("interrupts")
{
	struct segment s[] = {CPU(10)}, low[] = {CPU(1)};
	struct task tasks[] = {TASK(50, 50, s), TASK(7, 7, low), TASK(100, 100, low)};
	tasks[1].offset_ns = 7;
	tasks[2].offset_ns = 7;
	struct taskset set = SET(tasks);
	set.priorities = true;
	tasks[1].priority = 1;
	tasks[2].priority = 2;
	struct platform p = with((struct overheads){.release_ns = 2, .switch_ns = 1});
	struct run_setup setup = until(14);
	struct oracle_result *r = run_label(&set, &p, &setup, "rm");
	expect_nth(r, ORACLE_INTERRUPT, 0, 0, 0, 0, 2);
	expect_nth(r, ORACLE_SWITCH, 0, 0, 0, 2, 3);
	expect_nth(r, ORACLE_RUN, 0, 0, 0, 3, 7);
	expect_nth(r, ORACLE_INTERRUPT, 1, 1, 0, 7, 9);
	expect_nth(r, ORACLE_INTERRUPT, 2, 2, 0, 9, 11);
	expect_nth(r, ORACLE_RUN, 1, 0, 0, 11, 17);
	expect_nth(r, ORACLE_SWITCH, 1, 1, 0, 17, 18);
	assert_int_equal(r->end, 21);
	oracle_result_free(r);
}

/* An interrupt ends at the instant of another release: that one's waits with the others, before the next. A
 * waiting job's release interrupts, too, and the clock stops behind the last interrupt. */
TEST("interrupts wait for each other")
{
	struct segment s[] = {CPU(1)}, none[] = {CPU(0)};
	struct task tasks[] = {TASK(3, 3, s), TASK(100, 100, none), TASK(100, 100, none)};
	tasks[1].offset_ns = 1;
	tasks[2].offset_ns = 1;
	struct taskset set = SET(tasks);
	struct platform p = with((struct overheads){.release_ns = 3});
	struct run_setup setup = until(4);
	struct oracle_result *r = run_label(&set, &p, &setup, "rm");
	expect_nth(r, ORACLE_INTERRUPT, 0, 0, 0, 0, 3);
	expect_nth(r, ORACLE_INTERRUPT, 1, 0, 0, 3, 6);
	expect_nth(r, ORACLE_INTERRUPT, 2, 1, 0, 6, 9);
	expect_nth(r, ORACLE_INTERRUPT, 3, 2, 0, 9, 12);
	assert_int_equal(job_of(r, 1, 0)->finish, 1);
	assert_int_equal(job_of(r, 0, 1)->finish, 14);
	oracle_result_free(r);
}

/* Boosted: the first launch has the job's priority, the next ones of its section are above all. The holder of
 * the gate leaves it before `sync`, and spins until it is over. */
TEST("launches of a boosted job")
{
	struct segment low[] = {GRID(1, 1, 4), GRID(1, 1, 4), CPU(1)}, high[] = {CPU(3)};
	struct task tasks[] = {TASK(50, 20, high), TASK(100, 100, low)};
	tasks[0].offset_ns = 1;
	struct taskset set = SET(tasks);
	struct platform p = with((struct overheads){.launch_ns = 2, .sync_ns = 3});
	struct run_setup setup = until(40);
	struct oracle_result *r = run_label(&set, &p, &setup, "mpcp wait=busy");
	expect_nth(r, ORACLE_LAUNCH, 0, 1, 0, 0, 1);
	expect_nth(r, ORACLE_RUN, 0, 0, 0, 1, 4);
	expect_nth(r, ORACLE_LAUNCH, 1, 1, 0, 4, 5);
	expect_nth(r, ORACLE_BOOST, 0, 1, 0, 5, 9);
	expect_nth(r, ORACLE_LAUNCH, 2, 1, 1, 9, 11);
	expect_nth(r, ORACLE_BOOST, 1, 1, 0, 11, 18);
	assert_int_equal(job_of(r, 1, 0)->finish, 19);
	oracle_result_free(r);
}

/* A section behind a CPU segment of length zero begins `sync` later. */
TEST("sync between sections")
{
	struct segment s[] = {GRID(1, 1, 4), GRID(1, 1, 0), CPU(0), GRID(1, 1, 5)};
	struct task tasks[] = {TASK(50, 50, s)};
	struct taskset set = SET(tasks);
	struct platform p = with((struct overheads){.sync_ns = 2});
	struct run_setup setup = until(40);
	struct oracle_result *r = run_label(&set, &p, &setup, "fcfs");
	assert_int_equal(r->blocks[1].start, 6);
	assert_int_equal(response(r, 0, 0), 13);
	oracle_result_free(r);
}
