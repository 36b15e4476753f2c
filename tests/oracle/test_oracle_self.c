/* tests/oracle/test_oracle_self.c - checks the oracle's GPU, streams and power against schedules worked out
 * by hand. One tick is a convenient fraction of the source's unit; each case says which. */
#include "tests/oracle/by_hand.h"
#include "tests/support/test.h"

/* Yang & Anderson, Examples 1 and 2; a tick is 0.1 ms. K5 is K1's next job. */
TEST("examples of R1 R2")
{
	struct segment k1[] = {GRID(1, 1024, 38)}, k2[] = {GRID(7, 512, 60)};
	struct segment k3[] = {GRID(1, 1024, 60)}, k4[] = {GRID(5, 512, 112)};
	struct task tasks[] = {
		TASK(80, 80, k1), TASK(1000, 1000, k2), TASK(1000, 1000, k3), TASK(1000, 1000, k4)};
	struct taskset set = SET(tasks);
	struct platform platform = gpu_pool(4096);
	struct run_setup setup = until(160);
	struct oracle_result *r = run_label(&set, &platform, &setup, "fifo-cke");
	expect_blocks(r, 0, 0, 0, 0, 0, 38);
	expect_blocks(r, 1, 0, 0, 5, 0, 60);
	expect_blocks(r, 1, 0, 6, 6, 38, 98);
	expect_blocks(r, 2, 0, 0, 0, 60, 120);
	expect_blocks(r, 3, 0, 0, 4, 60, 172);
	expect_blocks(r, 0, 1, 0, 0, 120, 158);
	assert_int_equal(r->end, 172);
	assert_int_equal(r->block_count, 15);
	oracle_result_free(r);

	k4[0].best_ns = k4[0].worst_ns = 52;
	r = run_label(&set, &platform, &setup, "fifo-cke");
	expect_blocks(r, 3, 0, 0, 4, 60, 112);
	expect_blocks(r, 0, 1, 0, 0, 112, 150);
	oracle_result_free(r);
}

/* Yang & Anderson, Theorem 1; a tick is 0.05. */
TEST("unbounded response")
{
	struct segment one[] = {GRID(5, 8, 1)}, two[] = {GRID(3, 1, 20)}, three[] = {GRID(33, 1, 20)};
	struct task without[] = {TASK(20, 20, one), TASK(20, 20, three)};
	struct taskset set = SET(without);
	struct platform platform = gpu_pool(40);
	struct run_setup setup = until(60 * 20);
	struct oracle_result *r = run_label(&set, &platform, &setup, "fifo-cke");
	for (uint32_t j = 1; j <= 60; j++)
		assert_int_equal(response(r, 1, j - 1), 20 + j);
	oracle_result_free(r);

	struct task with[] = {TASK(20, 20, one), TASK(20, 20, two), TASK(20, 20, three)};
	struct taskset larger = SET(with);
	platform = gpu_pool(43);
	setup = until(200 * 20);
	r = run_label(&larger, &platform, &setup, "fifo-cke");
	static const int64_t first[] = {21, 22, 23, 24, 25, 25};
	for (uint32_t j = 0; j < COUNT(first); j++)
		assert_int_equal(response(r, 2, j), first[j]);
	assert_int_equal(response(r, 2, 59), 70);
	assert_int_equal(response(r, 2, 199), 181);
	oracle_result_free(r);
}

/* A counterexample to a utilisation test under R2 taken literally: the attacker arrives one tick before each
 * completion of the victim. */
TEST("head order against release order")
{
	struct segment victim[] = {GRID(1, 1, 1000)}, attacker[] = {GRID(4, 1, 10)};
	struct task tasks[] = {TASK(1000, 1000, victim), TASK(1000, 1000, attacker)};
	int64_t head[] = {999, 2008, 3017}, order[] = {999, 2008, 3008};
	struct release_rule rule = {.kind = RELEASE_TRACE, .trace_ns = head, .trace_count = 3};
	tasks[1].release = &rule;
	struct taskset set = SET(tasks);
	struct platform platform = gpu_pool(4);
	struct run_setup setup = until(4000);
	struct oracle_result *r = run_label(&set, &platform, &setup, "fifo-cke");
	for (uint32_t j = 0; j < 4; j++)
		assert_int_equal(response(r, 0, j), 1000 + 9 * j);
	oracle_result_free(r);

	rule.trace_ns = order;
	r = run_label(&set, &platform, &setup, "fifo-cke order=release");
	for (uint32_t j = 0; j < 4; j++)
		assert_int_equal(response(r, 0, j), j ? 1009 : 1000);
	oracle_result_free(r);
}

/* Example 1 (a) of sBEET under fcfs and rm: power in tenths of its unit. */
TEST("first come first served on all SMs")
{
	struct segment j1[] = {COPY(COPY_TO_GPU, 1), WORK(48, 48), COPY(COPY_TO_CPU, 1)};
	struct segment j2[] = {COPY(COPY_TO_GPU, 1), WORK(8, 8), COPY(COPY_TO_CPU, 1)};
	j1[1].power_uw = j2[1].power_uw = 5;
	struct task tasks[] = {TASK(12, 12, j1), TASK(12, 8, j2)};
	struct taskset set = SET(tasks);
	struct platform platform = gpu_pool(64);
	platform.sms = 8;
	platform.pool = POOL_SM;
	platform.static_uw = 10;
	platform.idle_per_sm_uw = 2;
	struct run_setup setup = until(12);
	static const struct {
		const char *label;
		int64_t first, second;
	} cases[] = {
		{"fcfs unit=kernel", 8, 9},
		{"rm unit=kernel", 8, 9},
		{"fcfs", 8, 11},
		{"rm", 8, 11},
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct oracle_result *r = run_label(&set, &platform, &setup, cases[i].label);
		assert_int_equal(job_of(r, 0, 0)->finish, cases[i].first);
		assert_int_equal(job_of(r, 1, 0)->finish, cases[i].second);
		assert_true(job_of(r, 1, 0)->missed && !job_of(r, 0, 0)->missed);
		assert_int_equal(r->misses, 1);
		assert_int_equal(r->block_count, 16);
		assert_true(r->energy == 400);
		expect_blocks(r, 0, 0, 0, 7, 1, 7);
		oracle_result_free(r);
	}
}

/* A's kernel [0, 10). N is issued at 2 into the NULL stream and waits for it. B is issued at 3 into its own
 * stream and waits for N, though there is room. */
TEST("null stream")
{
	struct segment a[] = {GRID(1, 1, 10)}, b[] = {GRID(1, 1, 4)};
	struct segment n[] = {GRID_ON(STREAM_NULL, false, 1, 1, 5)};
	struct task tasks[] = {TASK(100, 100, a), TASK(100, 100, b), TASK(100, 100, n)};
	tasks[1].offset_ns = 3;
	tasks[2].offset_ns = 2;
	struct taskset set = SET(tasks);
	struct platform platform = gpu_pool(100);
	struct run_setup setup = until(100);
	struct oracle_result *r = run_label(&set, &platform, &setup, "fifo-cke");
	expect_blocks(r, 0, 0, 0, 0, 0, 10);
	expect_blocks(r, 2, 0, 0, 0, 10, 15);
	expect_blocks(r, 1, 0, 0, 0, 15, 19);
	assert_int_equal(r->end, 19);
	oracle_result_free(r);

	/* All arrive at 0: they are issued in the order of tasks, so N waits for A and B. */
	tasks[1].offset_ns = tasks[2].offset_ns = 0;
	r = run_label(&set, &platform, &setup, "fifo-cke");
	expect_blocks(r, 1, 0, 0, 0, 0, 4);
	expect_blocks(r, 2, 0, 0, 0, 10, 15);
	oracle_result_free(r);
}

/* Two hardware queues for three tasks: tasks 0 and 2 share queue 0, so task 2's copy waits for
 * the whole of task 0's kernel, although the engine is free; task 1's does not. */
TEST("shared hardware queue")
{
	struct segment kernel[] = {GRID(2, 1, 6)}, copy[] = {COPY(COPY_TO_GPU, 3)};
	struct task tasks[] = {TASK(50, 50, kernel), TASK(50, 50, copy), TASK(50, 50, copy)};
	struct taskset set = SET(tasks);
	struct platform platform = gpu_pool(1);
	platform.work_queues = 2;
	struct run_setup setup = until(50);
	struct oracle_result *r = run_label(&set, &platform, &setup, "fifo-cke");
	expect_blocks(r, 0, 0, 0, 0, 0, 6);
	expect_blocks(r, 0, 0, 1, 1, 6, 12);
	assert_int_equal(job_of(r, 1, 0)->finish, 3);
	assert_int_equal(job_of(r, 2, 0)->first_start, 12);
	assert_int_equal(job_of(r, 2, 0)->finish, 15);
	oracle_result_free(r);
}

/* Room for 2. L has three blocks of 1 thread on a low stream, and places two, [0, 4). H has one block of 2
 * threads on a high stream, and arrives at 1. At 4 it goes before L's third block: H [4, 7), L's third [7,
 * 11). */
TEST("stream priorities")
{
	struct segment low[] = {GRID(3, 1, 4)}, high[] = {GRID_ON(STREAM_OWN, true, 1, 2, 3)};
	struct task tasks[] = {TASK(50, 50, low), TASK(50, 50, high)};
	tasks[1].offset_ns = 1;
	struct taskset set = SET(tasks);
	struct platform platform = gpu_pool(2);
	struct run_setup setup = until(50);
	struct oracle_result *r = run_label(&set, &platform, &setup, "prio-streams");
	expect_blocks(r, 0, 0, 0, 1, 0, 4);
	expect_blocks(r, 1, 0, 0, 0, 4, 7);
	expect_blocks(r, 0, 0, 2, 2, 7, 11);
	oracle_result_free(r);

	/* Room for 3, L has four blocks: at 4 H goes first, and L's fourth fits beside it. */
	low[0].grid = 4;
	platform = gpu_pool(3);
	r = run_label(&set, &platform, &setup, "prio-streams");
	expect_blocks(r, 1, 0, 0, 0, 4, 7);
	expect_blocks(r, 0, 0, 3, 3, 4, 8);
	oracle_result_free(r);
}

/* Four SMs in two TPCs. Blocks of 40 threads take 64. They go to SMs 0, 2, 1, 3, then again. The fifth and
 * sixth go to 0 and 2. An SM has 128 threads and holds two blocks; the ninth waits. */
TEST("placing on SMs")
{
	struct segment s[] = {GRID(9, 40, 5)};
	struct task tasks[] = {TASK(50, 50, s)};
	struct taskset set = SET(tasks);
	struct platform platform = gpu_pool(128);
	platform.pool = POOL_SM;
	platform.sms = 4;
	platform.sms_per_tpc = 2;
	struct run_setup setup = until(50);
	struct oracle_result *r = run_label(&set, &platform, &setup, "fifo-cke");
	static const int32_t sm[] = {0, 2, 1, 3, 0, 2, 1, 3, 0};
	for (uint32_t b = 0; b < COUNT(sm); b++)
		assert_int_equal(block_of(r, 0, 0, b)->sm, sm[b]);
	expect_blocks(r, 0, 0, 0, 7, 0, 5);
	expect_blocks(r, 0, 0, 8, 8, 5, 10);
	oracle_result_free(r);

	/* Registers: 2 x 64 threads = 128 of 200, so one block per SM. */
	platform.registers_per_sm = 200;
	s[0].registers = 2;
	r = run_label(&set, &platform, &setup, "fifo-cke");
	expect_blocks(r, 0, 0, 4, 7, 5, 10);
	expect_blocks(r, 0, 0, 8, 8, 10, 15);
	oracle_result_free(r);
}

/* RTGPU Lemma 5.1 with V_SM = 2 on 2 SMs: V = 4; work [10, 20], alpha 3/2, overhead 2, and 1 to be pinned:
 * ceil(10/4) + 1 = 4, ceil((30 - 2)/4 + 2) + 1 = 10. */
TEST("time of work")
{
	struct interleave alpha = {.virtual_sms = 2, .numerator = 3, .denominator = 2};
	struct segment s[] = {{
		.kind = SEGMENT_KERNEL,
		.form = KERNEL_WORK,
		.best_ns = 10,
		.worst_ns = 20,
		.overhead_ns = 2,
		.interleave = &alpha,
		.interleaves = 1,
		.stream = STREAM_OWN,
	}};
	struct task tasks[] = {TASK(50, 50, s)};
	struct taskset set = SET(tasks);
	struct platform platform = gpu_pool(64);
	platform.pool = POOL_SM;
	platform.sms = 2;
	platform.virtual_sms_per_sm = 2;
	platform.pin_overhead_ns = 1;
	static const struct {
		enum execution_kind kind;
		int64_t scale, finish;
	} cases[] = {
		{EXECUTION_WORST, 0, 10},
		{EXECUTION_BEST, 0, 4},
		{EXECUTION_SCALED, 750000, 8},
		{EXECUTION_SCALED, 100000, 4},
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct run_setup setup = until(50);
		setup.execution = cases[i].kind;
		setup.scale_ppm = cases[i].scale;
		struct oracle_result *r = run_label(&set, &platform, &setup, "fifo-cke");
		expect_blocks(r, 0, 0, 0, 3, 0, cases[i].finish);
		oracle_result_free(r);
	}
}

/* A filler of power 1000 takes SM 0; two kernels share SM 1. 64 threads at 10 and 32 at 7 have the mean 9
 * exactly; 64 at 10 and 32 at 8 have 28/3, so 9; 32 each at 10 and 7 have 8.5, so the even 8; 32 each at 10
 * and 9 the even 10. Static power 100, for one tick. */
TEST("power of a shared SM")
{
	struct segment a[] = {GRID(1, 64, 1)}, b[] = {GRID(1, 1, 1)}, filler[] = {GRID(1, 96, 1)};
	filler[0].power_uw = 1000;
	struct task tasks[] = {TASK(50, 50, filler), TASK(50, 50, a), TASK(50, 50, b)};
	struct taskset set = SET(tasks);
	struct platform platform = gpu_pool(96);
	platform.pool = POOL_SM;
	platform.sms = 2;
	platform.static_uw = 100;
	platform.idle_per_sm_uw = 1;
	struct run_setup setup = until(1);
	static const struct {
		uint32_t threads;
		int64_t first, second, mean;
	} cases[] = {
		{64, 10, 7, 9},
		{64, 10, 8, 9},
		{32, 10, 7, 8},
		{32, 10, 9, 10},
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		a[0].block = cases[i].threads;
		a[0].power_uw = cases[i].first;
		b[0].power_uw = cases[i].second;
		struct oracle_result *r = run_label(&set, &platform, &setup, "fifo-cke");
		assert_int_equal(block_of(r, 2, 0, 0)->sm, 1);
		assert_true(r->energy == 100 + 1000 + cases[i].mean);
		oracle_result_free(r);
	}
}

/* A profile with P_d(3) = 100 on three SMs. A filler of power 1000 holds SM 0 until 2. The profile draws 33
 * on each of two SMs [0, 2), the whole 100 on all three [2, 4), 33 on SM 0 alone [4, 6), where two SMs idle
 * at 5. */
TEST("power of a profile")
{
	int64_t times[] = {9, 9, 4}, powers[] = {0, 0, 107};
	struct profile profile = {
		.name = NULL, .count = 3, .best_ns = times, .worst_ns = times, .total_power_uw = powers};
	struct segment filler[] = {GRID(1, 32, 2)},
		       s[] = {{.kind = SEGMENT_KERNEL, .form = KERNEL_PROFILE, .stream = STREAM_OWN}};
	filler[0].power_uw = 1000;
	struct task tasks[] = {TASK(50, 50, filler), TASK(50, 50, s)};
	struct taskset set = SET(tasks);
	set.profiles = &profile;
	set.profile_count = 1;
	struct platform platform = gpu_pool(32);
	platform.pool = POOL_SM;
	platform.sms = 3;
	platform.static_uw = 7;
	platform.idle_per_sm_uw = 5;
	struct run_setup setup = until(10);
	struct oracle_result *r = run_label(&set, &platform, &setup, "fifo-cke");
	expect_blocks(r, 1, 0, 0, 1, 0, 4);
	expect_blocks(r, 1, 0, 2, 2, 2, 6);
	assert_true(r->energy == 10 * 7 + 2 * (1000 + 66) + 2 * 100 + 2 * (33 + 10));
	oracle_result_free(r);
}

/* Pool of 4 SMs of 8 threads: 10 threads at 10 and 5 at 7 are 2 active SMs at 9 each, and two SMs idle at 3.
 * Then, [2, 4), 5 threads are 1 active SM. */
TEST("power of a pool")
{
	struct segment a[] = {GRID(1, 10, 2)}, b[] = {GRID(1, 5, 4)};
	a[0].power_uw = 10;
	b[0].power_uw = 7;
	struct task tasks[] = {TASK(50, 50, a), TASK(50, 50, b)};
	struct taskset set = SET(tasks);
	struct platform platform = gpu_pool(8);
	platform.sms = 4;
	platform.idle_per_sm_uw = 3;
	struct run_setup setup = until(1);
	struct oracle_result *r = run_label(&set, &platform, &setup, "fifo-cke");
	assert_true(r->energy == 2 * (2 * 9 + 2 * 3) + 2 * (7 + 3 * 3));
	oracle_result_free(r);
}
