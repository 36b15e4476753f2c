/* tests/oracle/test_oracle_jobs.c - checks the oracle against schedules worked out by hand: draws, jobs, the
 * core, gates and ties. */
#include "tests/oracle/by_hand.h"
#include "tests/oracle/oracle_internal.h"
#include "tests/support/test.h"

/* Known answers of Philox4x32-10 (zeros, ones, digits of pi), from the library's test vectors. */
TEST("philox")
{
	static const struct {
		uint32_t counter[4], key[2], out[4];
	} known[] = {
		{{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
		{{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff},
			{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
		{{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0},
			{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
	};
	for (size_t i = 0; i < COUNT(known); i++) {
		uint32_t out[4];
		oracle_philox(known[i].counter, known[i].key, out);
		assert_memory_equal(out, known[i].out, sizeof(out));
	}
}

/* Uniform lengths fill [2, 5], differ between jobs, and do not depend on the policy; sporadic gaps
 * fill [10, 14]. */
TEST("draws")
{
	struct segment s[] = {CPU(5)};
	s[0].best_ns = 2;
	struct task tasks[] = {TASK(10, 10, s)};
	struct taskset set = SET(tasks);
	struct platform platform = gpu_pool(1);
	struct run_setup setup = until(3000);
	setup.seed = 0x123456789abcdef0;
	setup.execution = EXECUTION_UNIFORM;
	setup.release = (struct release_rule){.kind = RELEASE_SPORADIC, .max_delay_ppm = 499999};
	struct oracle_result *r = run_label(&set, &platform, &setup, "fifo-cke");
	struct oracle_result *other = run_label(&set, &platform, &setup, "rm");
	int lengths[6] = {0}, gaps[15] = {0};
	for (uint32_t j = 0; j < r->job_count; j++) {
		assert_in_range(response(r, 0, j), 2, 5);
		assert_int_equal(response(r, 0, j), response(other, 0, j));
		lengths[response(r, 0, j)]++;
		if (j == 0)
			continue;
		int64_t gap = job_of(r, 0, j)->release - job_of(r, 0, j - 1)->release;
		assert_in_range(gap, 10, 14);
		gaps[gap]++;
	}
	for (int i = 2; i <= 5; i++)
		assert_true(lengths[i] > 30);
	for (int i = 10; i <= 14; i++)
		assert_true(gaps[i] > 20);
	oracle_result_free(other);
	oracle_result_free(r);
}

/* Task 0 needs [0, 8) of its period 10. Task 1 needs 4 by its deadline 6 and has not begun by then: it is
 * dropped at 6. Under `continue` it runs [8, 10) and [18, 20). */
TEST("drop what has not started")
{
	struct segment a[] = {CPU(8)}, b[] = {CPU(4)};
	struct task tasks[] = {TASK(10, 5, a), TASK(20, 6, b)};
	struct taskset set = SET(tasks);
	struct platform platform = gpu_pool(1);
	struct run_setup setup = until(20);
	struct oracle_result *r = run_label(&set, &platform, &setup, "fifo-cke");
	assert_int_equal(job_of(r, 1, 0)->finish, 20);
	assert_int_equal(r->misses, 3); /* task 0 ends at 8 > 5, twice */
	assert_int_equal(r->end, 20);
	expect_interval(r, 0, 0, ORACLE_RUN, 0, 8);
	expect_interval(r, 1, 1, ORACLE_RUN, 8, 10);
	expect_interval(r, 2, 0, ORACLE_RUN, 10, 18);
	expect_interval(r, 3, 1, ORACLE_RUN, 18, 20);
	oracle_result_free(r);

	setup.on_miss = MISS_DROP;
	r = run_label(&set, &platform, &setup, "fifo-cke");
	assert_int_equal(job_of(r, 1, 0)->state, ORACLE_DROPPED);
	assert_int_equal(job_of(r, 1, 0)->finish, 6);
	assert_int_equal(job_of(r, 1, 0)->first_start, -1);
	assert_int_equal(job_of(r, 0, 0)->state, ORACLE_FINISHED); /* it has started */
	assert_int_equal(r->end, 18);
	oracle_result_free(r);

	/* A core that becomes free at the deadline is free too late: with 6 to do, task 0 ends at 6, when
	 * task 1 is dropped. */
	a[0].best_ns = a[0].worst_ns = 6;
	r = run_label(&set, &platform, &setup, "fifo-cke");
	assert_int_equal(job_of(r, 1, 0)->state, ORACLE_DROPPED);
	oracle_result_free(r);
}

/* Room for 2 of 3 blocks of 4, deadline 3. The two blocks that run end at 4, the third is never placed, the
 * next segment never begins. The second job begins only at 4. */
TEST("abort lets blocks end")
{
	struct segment s[] = {GRID(3, 1, 4), CPU(5)}, cpu[] = {CPU(2), CPU(7)};
	int64_t releases[] = {0, 3};
	struct release_rule rule = {.kind = RELEASE_TRACE, .trace_ns = releases, .trace_count = 2};
	struct task tasks[] = {TASK(3, 3, s), TASK(20, 4, cpu)};
	tasks[0].release = &rule;
	struct taskset set = SET(tasks);
	struct platform platform = gpu_pool(2);
	struct run_setup setup = until(20);
	setup.on_miss = MISS_ABORT;
	struct oracle_result *r = run_label(&set, &platform, &setup, "fifo-cke");
	assert_int_equal(job_of(r, 0, 0)->state, ORACLE_ABORTED);
	assert_int_equal(job_of(r, 0, 0)->finish, 4);
	assert_int_equal(job_of(r, 0, 1)->first_start, 4);
	assert_int_equal(job_of(r, 0, 1)->state, ORACLE_ABORTED); /* deadline 6, blocks to 8 */
	assert_int_equal(job_of(r, 0, 1)->finish, 8);
	assert_int_equal(r->block_count, 4);
	assert_int_equal(job_of(r, 1, 0)->state, ORACLE_ABORTED); /* a CPU segment is cut at once */
	assert_int_equal(job_of(r, 1, 0)->finish, 4);
	assert_int_equal(r->interval_count, 2);
	expect_interval(r, 1, 1, ORACLE_RUN, 2, 4);
	oracle_result_free(r);
}

/* Deadlines at one instant are checked together, before anything uses what they free. Of three jobs released
 * at 0 with deadline 4, the first runs and is aborted. The others end with it: their first segment, of length
 * 0, has not passed. Likewise the second and the third are dropped. */
TEST("deadlines together")
{
	struct segment s[] = {CPU(0), CPU(9)};
	int64_t releases[] = {0, 0, 0};
	struct release_rule rule = {.kind = RELEASE_TRACE, .trace_ns = releases, .trace_count = 3};
	struct task tasks[] = {TASK(4, 4, s)};
	tasks[0].release = &rule;
	struct taskset set = SET(tasks);
	struct platform platform = gpu_pool(2);
	static const struct {
		enum on_miss rule;
		enum oracle_state first, others;
	} cases[] = {
		{MISS_ABORT, ORACLE_ABORTED, ORACLE_ABORTED},
		{MISS_DROP, ORACLE_FINISHED, ORACLE_DROPPED},
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct run_setup setup = until(20);
		setup.on_miss = cases[i].rule;
		struct oracle_result *r = run_label(&set, &platform, &setup, "fifo-cke");
		assert_int_equal(job_of(r, 0, 0)->state, cases[i].first);
		for (uint32_t j = 1; j < 3; j++) {
			assert_int_equal(job_of(r, 0, j)->state, cases[i].others);
			assert_int_equal(job_of(r, 0, j)->finish, 4);
			assert_int_equal(job_of(r, 0, j)->first_start, -1);
		}
		oracle_result_free(r);
	}
}

/* Task 0: CPU 1, copy 4, CPU 1; task 1: CPU 3 at 0. If task 0 suspends, task 1 has the core during [1, 4). If
 * it waits busily, it spins during [1, 5), nothing preempts it, and task 1 runs [6, 9). */
TEST("busy wait")
{
	struct segment a[] = {CPU(1), COPY(COPY_BOTH, 4), CPU(1)}, b[] = {CPU(3)};
	struct task tasks[] = {TASK(40, 20, a), TASK(40, 40, b)};
	struct taskset set = SET(tasks);
	struct platform platform = gpu_pool(1);
	struct run_setup setup = until(40);
	struct oracle_policy policy = *oracle_policy_find("fifo-cke");
	struct oracle_result *r = oracle_run(&set, &platform, &setup, &policy, NULL);
	assert_int_equal(job_of(r, 0, 0)->finish, 6);
	assert_int_equal(job_of(r, 1, 0)->finish, 4);
	oracle_result_free(r);

	policy.wait = ORACLE_SPINS;
	r = oracle_run(&set, &platform, &setup, &policy, NULL);
	assert_int_equal(job_of(r, 0, 0)->finish, 6);
	assert_int_equal(job_of(r, 1, 0)->finish, 9);
	expect_interval(r, 0, 0, ORACLE_RUN, 0, 1);
	expect_interval(r, 1, 0, ORACLE_COPY, 1, 5);
	expect_interval(r, 2, 0, ORACLE_SPIN, 1, 5);
	expect_interval(r, 3, 0, ORACLE_RUN, 5, 6);
	expect_interval(r, 4, 1, ORACLE_RUN, 6, 9);
	oracle_result_free(r);
}

/* Three copies of 2, all ready at 0: in order. lower-first: the last first; then 0 and 1 have both waited,
 * and the higher one goes first. Task 3 arrives at 2, the instant of a dispatch, and loses to those that
 * waited. */
TEST("lower first")
{
	struct segment copy[] = {COPY(COPY_BOTH, 2)};
	struct task tasks[] = {TASK(40, 30, copy), TASK(40, 31, copy), TASK(40, 32, copy), TASK(40, 5, copy)};
	tasks[3].offset_ns = 2;
	struct taskset set = SET(tasks);
	struct platform platform = gpu_pool(1);
	struct run_setup setup = until(40);
	static const struct {
		const char *label;
		enum ties ties;
		int64_t finish[4];
	} cases[] = {
		/* Ranks: task 3 has one by its deadline; under rm all periods are equal, so the index
		 * decides. */
		{"fcfs unit=kernel", TIES_TASK_ORDER, {2, 4, 6, 8}},
		{"fcfs unit=kernel", TIES_LOWER_FIRST, {6, 4, 2, 8}},
		{"rm unit=kernel", TIES_TASK_ORDER, {2, 4, 6, 8}},
		{"rm unit=kernel", TIES_LOWER_FIRST, {4, 6, 2, 8}},
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		setup.ties = cases[i].ties;
		struct oracle_result *r = run_label(&set, &platform, &setup, cases[i].label);
		for (uint32_t task = 0; task < 4; task++)
			assert_int_equal(job_of(r, task, 0)->finish, cases[i].finish[task]);
		oracle_result_free(r);
	}
	/* With the highest priority task 3 still loses at 2, when it has just arrived; it wins at 4. */
	tasks[3].priority = -1;
	set.priorities = true;
	struct oracle_result *r = run_label(&set, &platform, &setup, "rm unit=kernel");
	static const int64_t finish[] = {4, 8, 2, 6};
	for (uint32_t task = 0; task < 4; task++)
		assert_int_equal(job_of(r, task, 0)->finish, finish[task]);
	oracle_result_free(r);
}

/* Zero-length segments pass at once: at release, in between, and at the end. A job with nothing else takes no
 * time and counts as started. */
TEST("zero length")
{
	struct segment a[] = {CPU(0), COPY(COPY_BOTH, 2), GRID(1, 1, 0), CPU(0)};
	struct segment b[] = {CPU(0), GRID(2, 1, 0)};
	struct task tasks[] = {TASK(5, 5, a), TASK(7, 7, b)};
	struct taskset set = SET(tasks);
	struct platform platform = gpu_pool(1);
	struct run_setup setup = until(10);
	struct oracle_result *r = run_label(&set, &platform, &setup, "fcfs");
	assert_int_equal(job_of(r, 0, 1)->first_start, 5);
	assert_int_equal(job_of(r, 0, 1)->finish, 7);
	assert_int_equal(job_of(r, 1, 1)->first_start, 7);
	assert_int_equal(job_of(r, 1, 1)->finish, 7);
	assert_int_equal(r->interval_count, 2);
	assert_int_equal(r->block_count, 0);
	assert_int_equal(r->end, 7);
	oracle_result_free(r);
}

/* A section ends with its last operation of some length. Task 0's ends at 2, when its copy ends and the
 * kernel of length 0 has passed, though the job goes on. Its second section, after a CPU segment of length 0,
 * is another unit: it waits for task 1's. */
TEST("sections")
{
	struct segment a[] = {COPY(COPY_BOTH, 2), GRID(1, 1, 0), CPU(0), GRID(1, 1, 4)};
	struct segment b[] = {GRID(1, 1, 0), COPY(COPY_BOTH, 1), GRID(1, 1, 2)};
	struct task tasks[] = {TASK(50, 50, a), TASK(50, 50, b)};
	struct taskset set = SET(tasks);
	struct platform platform = gpu_pool(8);
	struct run_setup setup = until(50);
	struct oracle_result *r = run_label(&set, &platform, &setup, "fcfs");
	expect_interval(r, 1, 1, ORACLE_COPY, 2, 3);
	expect_blocks(r, 1, 0, 0, 0, 3, 5);
	expect_blocks(r, 0, 0, 0, 0, 5, 9);
	oracle_result_free(r);

	/* Aborted at 4, task 1's kernel still runs until 5, and only then the gate opens. */
	tasks[1].deadline_ns = 4;
	setup.on_miss = MISS_ABORT;
	r = run_label(&set, &platform, &setup, "fcfs");
	assert_int_equal(job_of(r, 1, 0)->state, ORACLE_ABORTED);
	assert_int_equal(job_of(r, 1, 0)->finish, 5);
	expect_blocks(r, 0, 0, 0, 0, 5, 9);
	oracle_result_free(r);

	/* Aborted at 1, it was still at the gate: task 0 goes on at once. */
	tasks[1].deadline_ns = 1;
	r = run_label(&set, &platform, &setup, "fcfs");
	assert_int_equal(job_of(r, 1, 0)->finish, 1);
	expect_blocks(r, 0, 0, 0, 0, 2, 6);
	oracle_result_free(r);
}

/* The lengths of a trace apply to the segments that it names. */
TEST("lengths of a trace")
{
	struct segment s[] = {CPU(5), COPY(COPY_BOTH, 2)};
	int64_t releases[] = {0, 20, 20};
	struct trace_duration durations[] = {{0, 1, 4}, {2, 0, 1}};
	struct release_rule rule = {
		.kind = RELEASE_TRACE,
		.trace_ns = releases,
		.trace_count = 3,
		.durations = durations,
		.duration_count = 2,
	};
	struct task tasks[] = {TASK(20, 20, s)};
	tasks[0].release = &rule;
	struct taskset set = SET(tasks);
	struct platform platform = gpu_pool(1);
	struct run_setup setup = until(50);
	struct oracle_result *r = run_label(&set, &platform, &setup, "fifo-cke");
	assert_int_equal(job_of(r, 0, 0)->finish, 9);
	assert_int_equal(job_of(r, 0, 1)->finish, 27);
	assert_int_equal(job_of(r, 0, 2)->finish, 30);
	oracle_result_free(r);
}

/* Ways to stop. Horizon: from then on nothing is dispatched, and a late job has missed. Limit: the run is
 * truncated. */
TEST("stops")
{
	struct segment s[] = {CPU(7)};
	struct task tasks[] = {TASK(5, 5, s)};
	struct taskset set = SET(tasks);
	struct platform platform = gpu_pool(1);
	platform.static_uw = 3;
	struct run_setup setup = until(10);
	struct oracle_result *r = run_label(&set, &platform, &setup, "fifo-cke");
	assert_int_equal(r->end, 14);
	assert_true(r->energy == 14 * 3 && !r->truncated);
	oracle_result_free(r);

	setup.limit_ns = 12;
	r = run_label(&set, &platform, &setup, "fifo-cke");
	assert_int_equal(r->end, 12);
	assert_true(r->truncated);
	assert_int_equal(job_of(r, 0, 1)->state, ORACLE_UNFINISHED);
	assert_int_equal(r->misses, 2);
	assert_int_equal(r->intervals[1].end, 12);
	oracle_result_free(r);

	setup.stop = STOP_HORIZON;
	r = run_label(&set, &platform, &setup, "fifo-cke");
	assert_int_equal(r->end, 10);
	assert_int_equal(r->misses, 2);
	assert_true(r->energy == 10 * 3);
	oracle_result_free(r);

	setup.horizon_ns = 7;
	r = run_label(&set, &platform, &setup, "fifo-cke");
	assert_int_equal(job_of(r, 0, 0)->finish, 7);       /* completions at S count */
	assert_int_equal(job_of(r, 0, 1)->first_start, -1); /* nothing starts at S */
	oracle_result_free(r);
}
