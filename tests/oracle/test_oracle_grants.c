/* tests/oracle/test_oracle_grants.c - checks the oracle against schedules worked out by hand: kernels on SMs
 * of their own, and policies with a gate or with their own order of the core (edf, mpcp, stgm, rtgpu). */
#include "tests/oracle/by_hand.h"
#include "tests/support/test.h"

static struct platform sm_pool(uint32_t sms, uint32_t threads)
{
	struct platform p = gpu_pool(threads);
	p.pool = POOL_SM;
	p.sms = sms;
	return p;
}

static struct oracle_result *run_granted(const struct taskset *set, const struct platform *platform,
	const struct run_setup *setup, const char *label, const struct oracle_allocation *allocation)
{
	const struct oracle_policy *policy = oracle_policy_find(label);
	assert_non_null(policy);
	return oracle_run(set, platform, setup, policy, allocation);
}

/* A on SMs 0 and 1, B on 1 and 2, C on 2, D on 3, priorities in this order. A runs [0, 4). B arrives at 1 and
 * waits; it reserves SM 2 against C, which arrives at 2; D is admitted at once. B [4, 7), C [7, 12). */
TEST("waiting reserves")
{
	struct segment a[] = {GRID(2, 32, 4)}, b[] = {GRID(2, 32, 3)}, c[] = {GRID(1, 32, 5)};
	struct task tasks[] = {TASK(50, 20, a), TASK(50, 30, b), TASK(50, 40, c), TASK(50, 50, c)};
	tasks[1].offset_ns = 1;
	tasks[2].offset_ns = 2;
	tasks[3].offset_ns = 3;
	struct taskset set = SET(tasks);
	struct platform platform = sm_pool(4, 32);
	struct run_setup setup = until(50);
	static const struct oracle_allocation allocation = {
		.virtual_sms = 1,
		.any = true,
		.grants = {{.count = 2, .sm = {0, 1}}, {.count = 2, .sm = {1, 2}}, {.count = 1, .sm = {2}},
			{.count = 1, .sm = {3}}},
	};
	struct oracle_result *r =
		run_granted(&set, &platform, &setup, "stgm wait=suspend admit=any", &allocation);
	expect_blocks(r, 0, 0, 0, 1, 0, 4);
	expect_blocks(r, 1, 0, 0, 1, 4, 7);
	expect_blocks(r, 2, 0, 0, 0, 7, 12);
	expect_blocks(r, 3, 0, 0, 0, 3, 8);
	assert_int_equal(block_of(r, 1, 0, 0)->sm, 1);
	assert_int_equal(block_of(r, 1, 0, 1)->sm, 2);
	oracle_result_free(r);

	/* Without A both B and C come to a free GPU: for C, SM 2 is held, not reserved. */
	tasks[0].offset_ns = 49;
	r = run_granted(&set, &platform, &setup, "stgm wait=suspend admit=any", &allocation);
	expect_blocks(r, 1, 0, 0, 1, 1, 4);
	expect_blocks(r, 2, 0, 0, 0, 4, 9);
	oracle_result_free(r);
}

/* A on SM 0, B on 0 and 1, C on 1, priorities in this order. C runs [0, 20). B arrives at 1 and waits; A
 * arrives at 2. Under lower-first B is looked at before A and is refused: it reserves SM 0 against lower
 * tasks only, so A gets it. */
TEST("waiting reserves nothing from higher ones")
{
	struct segment a[] = {GRID(1, 32, 3)}, b[] = {GRID(2, 32, 4)}, c[] = {GRID(1, 32, 20)};
	struct task tasks[] = {TASK(90, 20, a), TASK(90, 30, b), TASK(90, 40, c)};
	tasks[0].offset_ns = 2;
	tasks[1].offset_ns = 1;
	struct taskset set = SET(tasks);
	struct platform platform = sm_pool(2, 32);
	struct run_setup setup = until(50);
	static const struct oracle_allocation allocation = {
		.virtual_sms = 1,
		.any = true,
		.grants = {{.count = 1, .sm = {0}}, {.count = 2, .sm = {0, 1}}, {.count = 1, .sm = {1}}},
	};
	for (int ties = TIES_TASK_ORDER; ties <= TIES_LOWER_FIRST; ties++) {
		setup.ties = (enum ties)ties;
		struct oracle_result *r = run_granted(
			&set, &platform, &setup, "stgm exclusive=false wait=suspend allocation", &allocation);
		expect_blocks(r, 0, 0, 0, 0, 2, 5);
		expect_blocks(r, 1, 0, 0, 1, 20, 24);
		expect_blocks(r, 2, 0, 0, 0, 0, 20);
		oracle_result_free(r);
	}
}

/* The same with D on SM 0, lower than B, instead of A. B's deadline is 9; then it is dropped, or aborted, and
 * what it reserved against D is free. */
TEST("who leaves the gate keeps nothing")
{
	struct segment b[] = {GRID(2, 32, 4)}, c[] = {GRID(1, 32, 20)}, d[] = {GRID(1, 32, 3)};
	struct task tasks[] = {TASK(90, 8, b), TASK(90, 40, d), TASK(90, 50, c)};
	tasks[0].offset_ns = 1;
	tasks[1].offset_ns = 2;
	struct taskset set = SET(tasks);
	struct platform platform = sm_pool(2, 32);
	struct run_setup setup = until(50);
	static const struct oracle_allocation allocation = {
		.virtual_sms = 1,
		.any = true,
		.grants = {{.count = 2, .sm = {0, 1}}, {.count = 1, .sm = {0}}, {.count = 1, .sm = {1}}},
	};
	for (int rule = MISS_CONTINUE; rule <= MISS_ABORT; rule++) {
		setup.on_miss = (enum on_miss)rule;
		struct oracle_result *r = run_granted(
			&set, &platform, &setup, "stgm exclusive=false wait=suspend allocation", &allocation);
		int64_t start = rule == MISS_CONTINUE ? 24 : 9;
		expect_blocks(r, 1, 0, 0, 0, start, start + 3);
		oracle_result_free(r);
	}
}

/* stgm spins at its own priority and can be preempted. L's kernel runs [1, 9), and L spins except during H's
 * CPU segment [3, 5). M is lower and waits for the core until 10; with wait: suspend M has the core during
 * [1, 3). */
TEST("spinning at its priority")
{
	struct segment h[] = {CPU(2)}, l[] = {CPU(1), GRID(1, 1, 8), CPU(1)}, m[] = {CPU(2)};
	struct task tasks[] = {TASK(50, 10, h), TASK(50, 20, l), TASK(50, 30, m)};
	tasks[0].offset_ns = 3;
	struct taskset set = SET(tasks);
	struct platform platform = sm_pool(1, 32);
	struct run_setup setup = until(50);
	static const struct oracle_allocation allocation = {
		.virtual_sms = 1, .any = true, .grants = {{0}, {.count = 1, .sm = {0}}}};
	struct oracle_result *r = run_granted(&set, &platform, &setup, "stgm", &allocation);
	assert_int_equal(job_of(r, 0, 0)->finish, 5);
	assert_int_equal(job_of(r, 1, 0)->finish, 10);
	assert_int_equal(job_of(r, 2, 0)->finish, 12);
	oracle_result_free(r);
	r = run_granted(&set, &platform, &setup, "stgm wait=suspend admit=any", &allocation);
	assert_int_equal(job_of(r, 2, 0)->finish, 3);
	oracle_result_free(r);
}

/* Two of four SMs, 2 blocks each. A grid of 5 takes two waves. A profile takes time[2], as two blocks. Work
 * of 9 on two SMs of 2 virtual SMs takes ceil(9/4) = 3, as four blocks. */
TEST("times on own SMs")
{
	int64_t times[] = {9, 6, 4, 3};
	struct profile profile = {.count = 4, .best_ns = times, .worst_ns = times};
	struct interleave alpha = {.virtual_sms = 2, .numerator = 1, .denominator = 1};
	struct segment s[] = {GRID(5, 32, 7)};
	struct task tasks[] = {TASK(50, 50, s)};
	struct taskset set = SET(tasks);
	set.profiles = &profile;
	set.profile_count = 1;
	struct platform platform = sm_pool(4, 64);
	struct run_setup setup = until(50);
	static const struct oracle_allocation whole = {
		.virtual_sms = 2, .any = true, .grants = {{.count = 2, .sm = {1, 3}}}};
	struct oracle_result *r = run_granted(&set, &platform, &setup, "rtgpu", &whole);
	expect_blocks(r, 0, 0, 0, 3, 0, 7);
	expect_blocks(r, 0, 0, 4, 4, 7, 14);
	for (uint32_t b = 0; b < 5; b++)
		assert_int_equal(block_of(r, 0, 0, b)->sm, b % 2 ? 3 : 1);
	oracle_result_free(r);

	s[0].form = KERNEL_PROFILE;
	r = run_granted(&set, &platform, &setup, "rtgpu", &whole);
	assert_int_equal(r->block_count, 2);
	expect_blocks(r, 0, 0, 0, 1, 0, 6);
	oracle_result_free(r);

	s[0] = (struct segment)WORK(9, 9);
	s[0].interleave = &alpha;
	s[0].interleaves = 1;
	r = run_granted(&set, &platform, &setup, "rtgpu", &whole);
	assert_int_equal(r->block_count, 4);
	expect_blocks(r, 0, 0, 0, 3, 0, 3);
	oracle_result_free(r);
}

/* Three virtual SMs, two of them on SM 0. A grid of 7 takes three waves, with one block on each at a time. A
 * profile takes time[ceil(3/2)], as three blocks. Work of 10 with alpha 3/2 and overhead 1 takes ceil(14/3 +
 * 1) = 6. */
TEST("times on virtual SMs")
{
	int64_t times[] = {9, 6};
	struct profile profile = {.count = 2, .best_ns = times, .worst_ns = times};
	struct interleave alpha = {.virtual_sms = 2, .numerator = 3, .denominator = 2};
	struct segment s[] = {GRID(7, 32, 5)};
	struct task tasks[] = {TASK(50, 50, s)};
	struct taskset set = SET(tasks);
	set.profiles = &profile;
	set.profile_count = 1;
	struct platform platform = sm_pool(2, 128);
	struct run_setup setup = until(50);
	static const struct oracle_allocation slots = {
		.virtual_sms = 2,
		.any = true,
		.grants = {{.count = 2, .sm = {0, 1}, .slots = {2, 1}, .virtual_sms = 3}},
	};
	struct oracle_result *r = run_granted(&set, &platform, &setup, "rtgpu", &slots);
	expect_blocks(r, 0, 0, 0, 2, 0, 5);
	expect_blocks(r, 0, 0, 3, 5, 5, 10);
	expect_blocks(r, 0, 0, 6, 6, 10, 15);
	static const int32_t sm[] = {0, 1, 0};
	for (uint32_t b = 0; b < 3; b++)
		assert_int_equal(block_of(r, 0, 0, b)->sm, sm[b]);
	oracle_result_free(r);

	s[0].form = KERNEL_PROFILE;
	r = run_granted(&set, &platform, &setup, "rtgpu", &slots);
	assert_int_equal(r->block_count, 3);
	expect_blocks(r, 0, 0, 0, 2, 0, 6);
	oracle_result_free(r);

	s[0] = (struct segment)WORK(10, 10);
	s[0].overhead_ns = 1;
	s[0].interleave = &alpha;
	s[0].interleaves = 1;
	r = run_granted(&set, &platform, &setup, "rtgpu", &slots);
	assert_int_equal(r->block_count, 3);
	expect_blocks(r, 0, 0, 0, 2, 0, 6);
	oracle_result_free(r);
}

/* rtgpu: A and B each have a virtual SM of SM 0. They run side by side and do not wait for each other. */
TEST("sharing an SM")
{
	struct segment a[] = {GRID(2, 32, 4)}, b[] = {GRID(1, 32, 6)};
	struct task tasks[] = {TASK(50, 50, a), TASK(50, 50, b)};
	tasks[1].offset_ns = 1;
	struct taskset set = SET(tasks);
	struct platform platform = sm_pool(1, 128);
	struct run_setup setup = until(50);
	static const struct oracle_allocation slots = {
		.virtual_sms = 2,
		.any = true,
		.grants = {{.count = 1, .sm = {0}, .slots = {1}, .virtual_sms = 1},
			{.count = 1, .sm = {0}, .slots = {1}, .virtual_sms = 1}},
	};
	struct oracle_result *r = run_granted(&set, &platform, &setup, "rtgpu", &slots);
	expect_blocks(r, 0, 0, 0, 0, 0, 4);
	expect_blocks(r, 0, 0, 1, 1, 4, 8);
	expect_blocks(r, 1, 0, 0, 0, 1, 7);
	oracle_result_free(r);
}

/* A profile on SMs 1 and 2 of 3: P_d(2) = 100 - 7 - 5 = 88 for both together, during 4, while one SM is idle;
 * static power is 7 during 10. */
TEST("power on own SMs")
{
	int64_t times[] = {9, 4, 2}, powers[] = {50, 100, 150};
	struct profile profile = {.count = 3, .best_ns = times, .worst_ns = times, .total_power_uw = powers};
	struct segment s[] = {{.kind = SEGMENT_KERNEL, .form = KERNEL_PROFILE, .stream = STREAM_OWN}};
	struct task tasks[] = {TASK(50, 50, s)};
	struct taskset set = SET(tasks);
	set.profiles = &profile;
	set.profile_count = 1;
	struct platform platform = sm_pool(3, 32);
	platform.static_uw = 7;
	platform.idle_per_sm_uw = 5;
	struct run_setup setup = until(10);
	static const struct oracle_allocation own = {
		.virtual_sms = 1, .any = true, .grants = {{.count = 2, .sm = {1, 2}}}};
	struct oracle_result *r = run_granted(&set, &platform, &setup, "stgm", &own);
	expect_blocks(r, 0, 0, 0, 1, 0, 4);
	assert_true(r->energy == 10 * 7 + 4 * (88 + 5));
	oracle_result_free(r);
}

/* mpcp, wait: busy: L spins during its section [1, 9), above H. H arrives at 3 and gets the core at 9. */
TEST("boosting")
{
	struct segment h[] = {CPU(2)}, l[] = {CPU(1), GRID(1, 1, 8), CPU(1)};
	struct task tasks[] = {TASK(50, 10, h), TASK(50, 20, l)};
	tasks[0].offset_ns = 3;
	struct taskset set = SET(tasks);
	struct platform platform = sm_pool(1, 32);
	struct run_setup setup = until(50);
	struct oracle_result *r = run_label(&set, &platform, &setup, "mpcp wait=busy");
	assert_int_equal(job_of(r, 0, 0)->finish, 11);
	assert_int_equal(job_of(r, 1, 0)->finish, 12);
	oracle_result_free(r);
	r = run_label(&set, &platform, &setup, "mpcp");
	assert_int_equal(job_of(r, 0, 0)->finish, 5);
	assert_int_equal(job_of(r, 1, 0)->finish, 10);
	oracle_result_free(r);

	/* Both spin from 0: the lower index has the core, whatever the priorities; the higher index has the
	 * GPU. */
	struct segment one[] = {GRID(1, 1, 4)}, two[] = {GRID(1, 1, 3)};
	struct task both[] = {TASK(50, 20, one), TASK(50, 10, two)};
	struct taskset pair = SET(both);
	r = run_label(&pair, &platform, &setup, "mpcp wait=busy");
	expect_blocks(r, 1, 0, 0, 0, 0, 3);
	expect_blocks(r, 0, 0, 0, 0, 3, 7);
	for (size_t i = 0; i < r->interval_count; i++) {
		if (r->intervals[i].activity == ORACLE_BOOST)
			assert_int_equal(r->intervals[i].task, 0);
	}
	oracle_result_free(r);
}

/* edf: A (deadline 20) runs [0, 2). B arrives at 2 (absolute deadline 10) and preempts it; C arrives at 3
 * with A's deadline of 20 and does not. Copies: D and E wait for the engine; E's job has the earlier
 * deadline. */
TEST("earliest deadline first")
{
	struct segment a[] = {CPU(5)}, b[] = {CPU(3)}, c[] = {CPU(1)};
	struct task tasks[] = {TASK(50, 20, a), TASK(50, 8, b), TASK(50, 17, c)};
	tasks[1].offset_ns = 2;
	tasks[2].offset_ns = 3;
	struct taskset set = SET(tasks);
	struct platform platform = sm_pool(1, 32);
	struct run_setup setup = until(50);
	struct oracle_result *r = run_label(&set, &platform, &setup, "edf");
	assert_int_equal(job_of(r, 1, 0)->finish, 5);
	assert_int_equal(job_of(r, 0, 0)->finish, 8);
	assert_int_equal(job_of(r, 2, 0)->finish, 9);
	oracle_result_free(r);

	struct segment x[] = {COPY(COPY_BOTH, 4)}, d[] = {COPY(COPY_BOTH, 2)};
	struct task copies[] = {TASK(50, 50, x), TASK(50, 30, d), TASK(50, 30, d)};
	copies[1].offset_ns = 2;
	copies[2].offset_ns = 1;
	struct taskset three = SET(copies);
	static const struct {
		enum ties ties;
		const char *label;
		int64_t first, second;
	} cases[] = {
		{TIES_TASK_ORDER, "edf unit=kernel", 8, 6},
		{TIES_TASK_ORDER, "edf", 8, 6},
		{TIES_LOWER_FIRST, "edf", 8, 6},
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		setup.ties = cases[i].ties;
		r = run_label(&three, &platform, &setup, cases[i].label);
		assert_int_equal(job_of(r, 1, 0)->finish, cases[i].first);
		assert_int_equal(job_of(r, 2, 0)->finish, cases[i].second);
		oracle_result_free(r);
	}
	/* All arrive at 0: lower-first takes the latest deadline first; of equal deadlines, the highest
	 * index. */
	copies[1].offset_ns = copies[2].offset_ns = 0;
	r = run_label(&three, &platform, &setup, "edf unit=kernel");
	assert_int_equal(job_of(r, 0, 0)->finish, 4);
	assert_int_equal(job_of(r, 1, 0)->finish, 6);
	assert_int_equal(job_of(r, 2, 0)->finish, 8);
	oracle_result_free(r);
}
