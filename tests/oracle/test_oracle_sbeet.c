/* tests/oracle/test_oracle_sbeet.c - checks the oracle's sbeet against schedules and predictions worked out
 * by hand: the paper's Examples 1 and 2, and what docs/policies.md decides beyond the paper. */
#include "tests/oracle/by_hand.h"
#include "tests/support/test.h"

/* Ticks per unit of time of the paper: kernels of 48 and 8 are divisible by every number of SMs. */
#define UNIT 840

/* M = 8, P_s = 1, P_d = 0.5 and P_idle = 0.2 per SM, all in tenths. */
static struct platform eight_sms(void)
{
	struct platform p = gpu_pool(64);
	p.engines = ENGINES_UNLIMITED;
	p.pool = POOL_SM;
	p.sms = 8;
	p.static_uw = 10;
	p.idle_per_sm_uw = 2;
	return p;
}

static struct segment powered(struct segment s)
{
	s.power_uw = 5;
	return s;
}

#define LINEAR(w) powered((struct segment)WORK((w)*UNIT, (w)*UNIT))
#define OFFLOAD(name, w)                                                                                     \
	struct segment name[] = {COPY(COPY_TO_GPU, UNIT), WORK(0, 0), COPY(COPY_TO_CPU, UNIT)};              \
	name[1] = LINEAR(w)

static const struct oracle_decision *decision_of(
	const struct oracle_result *r, int64_t time, uint32_t task, uint32_t sms)
{
	for (size_t i = 0; i < r->decision_count; i++) {
		const struct oracle_decision *d = &r->decisions[i];
		if (d->time == time && d->task == task && d->sms == sms)
			return d;
	}
	fail_msg("at %d nobody weighs %u SMs for task %u", (int)time, sms, task);
	return NULL;
}

/* Example 1 (b): J1 on 6 SMs, kernel [1, 9); J2 on 2 SMs, [2, 6); E[0, 12) = 41.6. */
TEST("example 1")
{
	OFFLOAD(j1, 48);
	OFFLOAD(j2, 8);
	struct task tasks[] = {TASK(12 * UNIT, 12 * UNIT, j1), TASK(12 * UNIT, 7 * UNIT, j2)};
	tasks[1].offset_ns = UNIT;
	struct taskset set = SET(tasks);
	struct platform platform = eight_sms();
	struct run_setup setup = until(12 * UNIT);
	struct oracle_result *r = run_label(&set, &platform, &setup, "sbeet");
	expect_blocks(r, 0, 0, 0, 5, 1 * UNIT, 9 * UNIT);
	expect_blocks(r, 1, 0, 0, 1, 2 * UNIT, 6 * UNIT);
	for (uint32_t b = 0; b < 6; b++)
		assert_int_equal(block_of(r, 0, 0, b)->sm, b);
	assert_int_equal(block_of(r, 1, 0, 0)->sm, 6);
	assert_int_equal(block_of(r, 1, 0, 1)->sm, 7);
	assert_int_equal(r->block_count, 8);
	assert_int_equal(job_of(r, 0, 0)->finish, 10 * UNIT);
	assert_int_equal(job_of(r, 1, 0)->finish, 7 * UNIT);
	assert_int_equal(r->misses, 0);
	assert_true(r->energy == 416 * UNIT);
	oracle_result_free(r);
}

static struct oracle_result *run_example_2(const char *label)
{
	OFFLOAD(j1, 48);
	OFFLOAD(j2, 8);
	OFFLOAD(j3, 8);
	struct task tasks[] = {TASK(100 * UNIT, 14 * UNIT, j1), TASK(100 * UNIT, 7 * UNIT, j2),
		TASK(100 * UNIT, 10 * UNIT, j3)};
	tasks[1].offset_ns = UNIT;
	tasks[2].offset_ns = 2 * UNIT;
	struct taskset set = SET(tasks);
	struct platform platform = eight_sms();
	struct run_setup setup = until(14 * UNIT);
	return run_label(&set, &platform, &setup, label);
}

/* Example 2: the decision at 0, and the run with 6 SMs; its energy is 43.6 to the last kernel's end at 10. */
TEST("example 2")
{
	/* 34.986 = 244.9 / 7; ends are exact in ticks. */
	static const struct {
		uint32_t sms;
		bool feasible;
		int64_t energy, end;
	} rows[] = {
		{8, false, 310 * UNIT, 7 * UNIT},
		{7, false, 2449 * UNIT / 7, 55 * UNIT / 7},
		{6, true, 404 * UNIT, 9 * UNIT},
		{5, true, 4516 * UNIT / 10, 106 * UNIT / 10},
		{4, true, 514 * UNIT, 13 * UNIT},
		{3, false, 618 * UNIT, 17 * UNIT},
		{2, false, 826 * UNIT, 25 * UNIT},
		{1, false, 1450 * UNIT, 49 * UNIT},
	};
	struct oracle_result *r = run_example_2("sbeet");
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct oracle_decision *d = decision_of(r, 0, 0, rows[i].sms);
		assert_int_equal(d->feasible, rows[i].feasible);
		assert_int_equal(d->kernel_end, rows[i].end);
		assert_int_equal(d->energy, rows[i].energy);
		assert_int_equal(d->chosen, rows[i].sms == 6);
	}
	expect_blocks(r, 0, 0, 0, 5, 1 * UNIT, 9 * UNIT);
	expect_blocks(r, 1, 0, 0, 1, 2 * UNIT, 6 * UNIT);
	expect_blocks(r, 2, 0, 0, 1, 6 * UNIT, 10 * UNIT);
	assert_int_equal(job_of(r, 0, 0)->finish, 10 * UNIT);
	assert_int_equal(job_of(r, 1, 0)->finish, 7 * UNIT);
	assert_int_equal(job_of(r, 2, 0)->finish, 11 * UNIT);
	assert_true(r->energy == 436 * UNIT + 4 * 10 * UNIT);
	oracle_result_free(r);
}

/* J1 is released at 0, 35 and 65, J2 one later each time; the period is 30. At 0 and at 65, J2 is expected,
 * at its offset and a period after its last release, and J1 leaves SMs for it. At 35, J2 has not come at 31
 * and is not expected before 61: J1 takes all. */
TEST("late releases")
{
	OFFLOAD(j1, 48);
	OFFLOAD(j2, 8);
	struct task tasks[] = {TASK(30 * UNIT, 14 * UNIT, j1), TASK(30 * UNIT, 7 * UNIT, j2)};
	int64_t first[] = {0, 35 * UNIT, 65 * UNIT}, second[] = {UNIT, 36 * UNIT, 66 * UNIT};
	struct release_rule rules[] = {{.kind = RELEASE_TRACE, .trace_ns = first, .trace_count = 3},
		{.kind = RELEASE_TRACE, .trace_ns = second, .trace_count = 3}};
	tasks[1].offset_ns = UNIT;
	tasks[0].release = &rules[0];
	tasks[1].release = &rules[1];
	struct taskset set = SET(tasks);
	struct platform platform = eight_sms();
	struct run_setup setup = until(90 * UNIT);
	struct oracle_result *r = run_label(&set, &platform, &setup, "sbeet");
	assert_false(decision_of(r, 0, 0, 8)->feasible);
	assert_true(decision_of(r, 0, 0, 6)->chosen);
	assert_true(decision_of(r, 35 * UNIT, 0, 8)->feasible && decision_of(r, 35 * UNIT, 0, 8)->chosen);
	assert_false(decision_of(r, 65 * UNIT, 0, 8)->feasible);
	assert_true(decision_of(r, 65 * UNIT, 0, 6)->chosen);
	assert_int_equal(job_of(r, 1, 1)->finish, 44 * UNIT);
	assert_int_equal(job_of(r, 1, 2)->finish, 72 * UNIT);
	assert_int_equal(r->misses, 1);
	oracle_result_free(r);
}

/* One SM. A has period 10 and is released at 5; its kernel of 3 is expected at 11 and must be over by 15. B,
 * ready at 8, would keep the SM until 16. If A has not come at 0, it is not expected before 10 + 6. */
TEST("section of a released job")
{
	struct segment a[] = {CPU(6), WORK(3, 3)}, b[] = {WORK(8, 8)};
	struct task tasks[] = {TASK(10, 10, a), TASK(100, 100, b)};
	int64_t first[] = {5}, second[] = {8};
	struct release_rule rules[] = {{.kind = RELEASE_TRACE, .trace_ns = first, .trace_count = 1},
		{.kind = RELEASE_TRACE, .trace_ns = second, .trace_count = 1}};
	tasks[0].release = &rules[0];
	tasks[1].release = &rules[1];
	struct taskset set = SET(tasks);
	struct platform platform = eight_sms();
	platform.sms = 1;
	struct run_setup setup = until(30);
	struct oracle_result *r = run_label(&set, &platform, &setup, "sbeet");
	assert_false(decision_of(r, 8, 1, 1)->feasible);
	oracle_result_free(r);
	first[0] = 20;
	r = run_label(&set, &platform, &setup, "sbeet");
	assert_true(decision_of(r, 8, 1, 1)->feasible);
	oracle_result_free(r);
}

/* One SM each. B starts beside A if an invocation goes on after it started A; else when A ends at 8. */
TEST("one start")
{
	int64_t times[] = {8, 8};
	struct profile profile = {.count = 2, .best_ns = times, .worst_ns = times};
	struct segment a[] = {
		{.kind = SEGMENT_KERNEL, .form = KERNEL_PROFILE, .stream = STREAM_OWN, .power_uw = 5}};
	struct task tasks[] = {TASK(50, 50, a), TASK(50, 50, a)};
	struct taskset set = SET(tasks);
	set.profiles = &profile;
	set.profile_count = 1;
	struct platform platform = eight_sms();
	platform.sms = 2;
	struct run_setup setup = until(20);
	struct oracle_result *r = run_label(&set, &platform, &setup, "sbeet");
	expect_blocks(r, 0, 0, 0, 0, 0, 8);
	expect_blocks(r, 1, 0, 0, 0, 0, 8);
	oracle_result_free(r);
	r = run_label(&set, &platform, &setup, "sbeet after_start=stop");
	expect_blocks(r, 0, 0, 0, 0, 0, 8);
	expect_blocks(r, 1, 0, 0, 0, 8, 16);
	oracle_result_free(r);
}

/* With one worker the two others follow J1 in every schedule. J2 misses whatever m is, and 8 SMs take the
 * least energy of all. */
TEST("one worker")
{
	struct oracle_result *r = run_example_2("sbeet workers=1");
	assert_true(decision_of(r, 0, 0, 8)->chosen);
	assert_false(decision_of(r, 0, 0, 6)->feasible);
	expect_blocks(r, 0, 0, 0, 7, 1 * UNIT, 7 * UNIT);
	expect_blocks(r, 1, 0, 0, 7, 7 * UNIT, 8 * UNIT);
	expect_blocks(r, 2, 0, 0, 7, 8 * UNIT, 9 * UNIT);
	assert_int_equal(r->misses, 1);
	oracle_result_free(r);
}

/* The first candidate is m_opt: 8 for linear work, 4 for G = 48/min(m, 4), 5 for G = 8 + 40/m. */
TEST("optimal SMs of kernels")
{
	int64_t until_four[8], sum[8];
	for (int m = 1; m <= 8; m++) {
		until_four[m - 1] = 48 * UNIT / (m < 4 ? m : 4);
		sum[m - 1] = 8 * UNIT + 40 * UNIT / m;
	}
	struct profile profiles[] = {{.count = 8, .best_ns = until_four, .worst_ns = until_four},
		{.count = 8, .best_ns = sum, .worst_ns = sum}};
	static const uint32_t expected[] = {8, 4, 5};
	struct segment s[] = {powered((struct segment)WORK(48 * UNIT, 48 * UNIT))};
	struct task tasks[] = {TASK(100 * UNIT, 100 * UNIT, s)};
	struct taskset set = SET(tasks);
	set.profiles = profiles;
	set.profile_count = 2;
	struct platform platform = eight_sms();
	struct run_setup setup = until(1);
	for (uint32_t i = 0; i < 3; i++) {
		s[0].form = i ? KERNEL_PROFILE : KERNEL_WORK;
		s[0].profile = (int32_t)i - 1;
		struct oracle_result *r = run_label(&set, &platform, &setup, "sbeet");
		assert_int_equal(r->decision_count, expected[i]);
		assert_true(decision_of(r, 0, 0, expected[i])->chosen);
		assert_int_equal(r->block_count, expected[i]);
		oracle_result_free(r);
	}
}

/* A unit of two kernels with a copy between them, on 1 SM without idle power: kernels [2, 5) and [9, 13),
 * copies [0, 2), [5, 9), [13, 14), static power 10, dynamic 5 and 7. The unit keeps its SM all the time. B,
 * of length 1, arrives at 3 and gets the SM at 13, when the last kernel has ended. */
TEST("kernels of a section")
{
	struct segment a[] = {
		COPY(COPY_TO_GPU, 2), WORK(3, 3), COPY(COPY_BOTH, 4), WORK(4, 4), COPY(COPY_TO_CPU, 1)};
	struct segment b[] = {WORK(1, 1)};
	a[1].power_uw = 5;
	a[3].power_uw = 7;
	struct task tasks[] = {TASK(50, 50, a), TASK(50, 50, b)};
	tasks[1].offset_ns = 3;
	struct taskset set = SET(tasks);
	struct platform platform = eight_sms();
	platform.sms = 1;
	platform.idle_per_sm_uw = 0;
	struct run_setup setup = until(20);
	struct oracle_result *r = run_label(&set, &platform, &setup, "sbeet");
	const struct oracle_decision *d = decision_of(r, 0, 0, 1);
	assert_int_equal(d->kernel_end, 13);
	assert_int_equal(d->energy, 130 + 15 + 28);
	assert_true(d->feasible && d->chosen);
	assert_int_equal(r->decision_count, 2);
	assert_int_equal(decision_of(r, 13, 1, 1)->kernel_end, 14);
	assert_int_equal(job_of(r, 0, 0)->finish, 14);
	assert_int_equal(job_of(r, 1, 0)->finish, 14);
	oracle_result_free(r);

	/* With a CPU segment of 30 after it, the section's deadline is the job's less 30. It just meets a
	 * deadline of 43, and misses 42. */
	struct segment c[] = {COPY(COPY_TO_GPU, 2), WORK(3, 3), COPY(COPY_BOTH, 4), WORK(4, 4), CPU(30)};
	struct task alone[] = {TASK(50, 43, c)};
	struct taskset other = SET(alone);
	for (int64_t deadline = 43; deadline >= 42; deadline--) {
		alone[0].deadline_ns = deadline;
		r = run_label(&other, &platform, &setup, "sbeet");
		assert_int_equal(decision_of(r, 0, 0, 1)->feasible, deadline == 43);
		oracle_result_free(r);
	}
}

/* A and B, work of 8 each on two SMs, deadlines 8 and 9, ready at 0. Two schedules of A are feasible: m = 2
 * ([0, 4), B late, [4, 8) on both) and m = 1 (both in [0, 8)). Static power makes m = 2 cheaper; B waits
 * until 4. With deadline 7 B goes first, and only m = 2 is feasible: B [0, 4), and A, late, [4, 8), just in
 * time. */
TEST("late units are checked")
{
	struct segment a[] = {WORK(8, 8)}, b[] = {WORK(8, 8)};
	struct task tasks[] = {TASK(50, 8, a), TASK(50, 9, b)};
	struct taskset set = SET(tasks);
	struct platform platform = eight_sms();
	platform.sms = 2;
	platform.idle_per_sm_uw = 0;
	struct run_setup setup = until(20);
	struct oracle_result *r = run_label(&set, &platform, &setup, "sbeet");
	assert_true(decision_of(r, 0, 0, 2)->feasible && decision_of(r, 0, 0, 2)->chosen);
	assert_true(decision_of(r, 0, 0, 1)->feasible);
	expect_blocks(r, 1, 0, 0, 1, 4, 8);
	oracle_result_free(r);
	tasks[1].deadline_ns = 7;
	r = run_label(&set, &platform, &setup, "sbeet");
	assert_false(decision_of(r, 0, 1, 1)->feasible);
	assert_true(decision_of(r, 0, 1, 2)->feasible && decision_of(r, 0, 1, 2)->chosen);
	expect_blocks(r, 0, 0, 0, 1, 4, 8);
	oracle_result_free(r);
}

/* One SM, held by A during [0, 10). B's copy before its kernel is issued at 1, admitted or not; the kernel
 * starts at 10. C's kernel takes no time: its unit leaves the gate at 6, and the copy after it follows. */
TEST("copies in front")
{
	struct segment a[] = {WORK(10, 10)}, b[] = {COPY(COPY_TO_GPU, 3), WORK(2, 2), COPY(COPY_TO_CPU, 1)};
	struct segment c[] = {COPY(COPY_TO_GPU, 5), WORK(0, 0), COPY(COPY_TO_CPU, 2)};
	struct task tasks[] = {TASK(50, 50, a), TASK(50, 50, b), TASK(50, 50, c)};
	tasks[1].offset_ns = tasks[2].offset_ns = 1;
	struct taskset set = SET(tasks);
	struct platform platform = eight_sms();
	platform.sms = 1;
	struct run_setup setup = until(20);
	struct oracle_result *r = run_label(&set, &platform, &setup, "sbeet");
	expect_interval(r, 0, 1, ORACLE_COPY, 1, 4);
	expect_interval(r, 1, 2, ORACLE_COPY, 1, 6);
	expect_interval(r, 2, 2, ORACLE_COPY, 6, 8);
	expect_interval(r, 3, 1, ORACLE_COPY, 12, 13);
	expect_blocks(r, 1, 0, 0, 0, 10, 12);
	assert_int_equal(r->decision_count, 2);
	oracle_result_free(r);

	/* Aborted at 3, while its copy goes on: B's unit leaves the gate, and there is no decision on it at
	 * 10. */
	tasks[1].deadline_ns = 2;
	setup.on_miss = MISS_ABORT;
	r = run_label(&set, &platform, &setup, "sbeet");
	assert_int_equal(job_of(r, 1, 0)->state, ORACLE_ABORTED);
	assert_int_equal(job_of(r, 1, 0)->finish, 4);
	assert_int_equal(r->decision_count, 1);
	oracle_result_free(r);
}

/* Three SMs, times 3, 0, 2. On two SMs the kernel costs nothing and is predicted to take no time; there it
 * takes 1. */
TEST("no time on its SMs")
{
	int64_t times[] = {3, 0, 2};
	struct profile profile = {.count = 3, .best_ns = times, .worst_ns = times};
	struct segment s[] = {
		{.kind = SEGMENT_KERNEL, .form = KERNEL_PROFILE, .stream = STREAM_OWN, .power_uw = 5}};
	struct task tasks[] = {TASK(50, 50, s)};
	struct taskset set = SET(tasks);
	set.profiles = &profile;
	set.profile_count = 1;
	struct platform platform = eight_sms();
	platform.sms = 3;
	struct run_setup setup = until(20);
	struct oracle_result *r = run_label(&set, &platform, &setup, "sbeet");
	assert_int_equal(decision_of(r, 0, 0, 2)->kernel_end, 0);
	assert_int_equal(r->block_count, 2);
	expect_blocks(r, 0, 0, 0, 1, 0, 1);
	oracle_result_free(r);
}

/* One SM. A (a CPU segment of 2, a kernel of 5) is planned at 2. B arrives at 3 and is planned at 7. Alone
 * they run like this, in the last hyperperiod, too; and B does not begin earlier when A's kernel takes 1. H's
 * CPU segment [0, 6) makes A late: B lets A go first, at 8. */
TEST("planned beforehand")
{
	struct segment a[] = {CPU(2), WORK(5, 5)}, b[] = {WORK(3, 3)}, h[] = {CPU(6)};
	struct task tasks[] = {TASK(20, 20, a), TASK(20, 17, b), TASK(20, 10, h)};
	tasks[1].offset_ns = 3;
	struct taskset set = {.tasks = tasks, .task_count = 2};
	struct platform platform = eight_sms();
	platform.sms = 1;
	struct run_setup setup = until(100);
	struct oracle_result *r = run_label(&set, &platform, &setup, "sbeet offline=true");
	for (uint32_t job = 0; job < 5; job++) {
		expect_blocks(r, 0, job, 0, 0, 20 * job + 2, 20 * job + 7);
		expect_blocks(r, 1, job, 0, 0, 20 * job + 7, 20 * job + 10);
	}
	assert_int_equal(r->decision_count, 0);
	oracle_result_free(r);

	a[1].best_ns = 1;
	setup.execution = EXECUTION_BEST;
	r = run_label(&set, &platform, &setup, "sbeet offline=true");
	expect_blocks(r, 0, 4, 0, 0, 82, 83);
	expect_blocks(r, 1, 4, 0, 0, 87, 90);
	oracle_result_free(r);

	setup.execution = EXECUTION_WORST;
	set.task_count = 3;
	r = run_label(&set, &platform, &setup, "sbeet offline=true");
	expect_blocks(r, 0, 0, 0, 0, 8, 13);
	expect_blocks(r, 1, 0, 0, 0, 13, 16);
	expect_blocks(r, 1, 4, 0, 0, 93, 96);
	oracle_result_free(r);
}
