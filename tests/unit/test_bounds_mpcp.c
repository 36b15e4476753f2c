/* tests/unit/test_bounds_mpcp.c - analysis/mpcp.c and the analysis `mpcp`: worked examples, the parts of
 * waiting for the mutex, and the plans it refuses. */
#include "tests/support/bounds.h"

static struct maker *const k = &bounds_fixture.k;
static struct bounds *const b = &bounds_fixture.b;

static void cpu(int64_t length)
{
	maker_cpu(k, length, length);
}

/* A section of one kernel; best and worst case are the same. */
static void section(int64_t length)
{
	maker_grid(k, 1, 1, length);
}

static void analyse(const char *policy, const char *policy_options, const char *options)
{
	bounds_make(b, k, policy, policy_options, "mpcp", options);
	assert_false(b->result.refused);
}

static void check_responses(int64_t first, int64_t second, int64_t third)
{
	assert_int_equal(b->result.task[0].response_ns, first);
	assert_int_equal(b->result.task[1].response_ns, second);
	assert_int_equal(b->result.task[2].response_ns, third);
}

/* tau1: C = 1 + 1, G = 2, T = 20; tau2: C = 2 + 2, G = 3, T = 30; tau3: C = 3 + 3 + 1, G = 5 + 4, T = 80. */
static void worked_example(void)
{
	maker_task(k, "t1", 20, 20, 0);
	cpu(1), section(2), cpu(1);
	maker_task(k, "t2", 30, 30, 0);
	cpu(2), section(3), cpu(2);
	maker_task(k, "t3", 80, 80, 0);
	cpu(3), section(5), cpu(3), section(4), cpu(1);
}

EACH_TEST(bounds_begin, bounds_end);

TEST("worked example suspends")
{
	worked_example();
	analyse("mpcp", NULL, NULL);
	assert_true(b->result.verdict.accepted);
	check_responses(9, 18, 40);
	analyse("mpcp", NULL, "method=request");
	check_responses(9, 18, 40);
	analyse("mpcp", NULL, "method=job");
	check_responses(9, 20, 42);
	analyse("self-suspension", NULL, NULL);
	check_responses(9, 18, 40);
	analyse("rm", NULL, NULL);
	check_responses(9, 18, 40);
}

/* Waiting: Bdm = 5, 7, 10: 5 of lower tasks and 0; 5 and 2; 0 and 4 + 6. */
TEST("worked example parts")
{
	worked_example();
	analyse("mpcp", NULL, "method=request");
	assert_int_equal(bounds_part(b, 0, BOUND_OWN, NO_FAILING_TASK), 2);
	assert_int_equal(bounds_part(b, 0, BOUND_GPU, NO_FAILING_TASK), 2);
	assert_int_equal(bounds_part(b, 0, BOUND_BLOCKING, NO_FAILING_TASK), 5);
	assert_int_equal(bounds_part(b, 1, BOUND_BLOCKING, NO_FAILING_TASK), 5);
	assert_int_equal(bounds_part(b, 1, BOUND_INTERFERENCE, 0), 2 + 4);
	assert_int_equal(bounds_part(b, 2, BOUND_BLOCKING, NO_FAILING_TASK), 0);
	/* On the core ceil((40 + 9 - 2) / 20) 2 and ceil((40 + 18 - 4) / 30) 4. */
	assert_int_equal(bounds_part(b, 2, BOUND_INTERFERENCE, 0), 2 * 2 + 6);
	assert_int_equal(bounds_part(b, 2, BOUND_INTERFERENCE, 1), 2 * 3 + 8);
}

TEST("worked example spins")
{
	worked_example();
	analyse("mpcp", "wait=busy", NULL);
	assert_true(b->result.verdict.accepted);
	check_responses(9, 16, 38);
	assert_int_equal(bounds_part(b, 0, BOUND_BLOCKING, NO_FAILING_TASK), 5);
	assert_int_equal(bounds_part(b, 1, BOUND_INTERFERENCE, 0), 4);
}

/* A section includes all its copies and kernels. */
TEST("copies belong to sections")
{
	maker_task(k, "t1", 100, 100, 0);
	cpu(1), maker_copy(k, COPY_TO_GPU, 2), section(3), maker_copy(k, COPY_TO_CPU, 4), cpu(1);
	maker_task(k, "t2", 200, 200, 0);
	cpu(1), maker_copy(k, COPY_TO_GPU, 10), section(20), cpu(1);
	analyse("mpcp", NULL, NULL);
	assert_int_equal(bounds_part(b, 0, BOUND_COPY, NO_FAILING_TASK), 6);
	assert_int_equal(bounds_part(b, 0, BOUND_BLOCKING, NO_FAILING_TASK), 30);
	assert_int_equal(b->result.task[0].response_ns, 11 + 30);
}

/* Three requests, but the lower task has at most ceil((R + 100) / 1000) = 1 job during the response: each of
 * its sections counts once. This holds only if all deadlines are met. With a third task that fails, any job
 * may be late. */
TEST("lower jobs are counted")
{
	maker_task(k, "t1", 90, 90, 0);
	cpu(1), section(1), cpu(1), section(1), cpu(1), section(1), cpu(1);
	maker_task(k, "t2", 1000, 100, 0);
	cpu(1), section(9), cpu(1), section(8), cpu(1);
	analyse("mpcp", NULL, NULL);
	assert_int_equal(bounds_part(b, 0, BOUND_BLOCKING, NO_FAILING_TASK), 9 + 8);
	analyse("mpcp", NULL, "method=request");
	assert_int_equal(bounds_part(b, 0, BOUND_BLOCKING, NO_FAILING_TASK), 3 * 9);
	maker_task(k, "t3", 2000, 101, 0);
	cpu(100);
	analyse("mpcp", NULL, NULL);
	assert_int_equal(b->result.verdict.failing_task, 2);
	assert_int_equal(bounds_part(b, 0, BOUND_BLOCKING, NO_FAILING_TASK), 3 * 9);
}

/* A task that does not ask for the mutex does not wait for it. */
TEST("without sections")
{
	maker_task(k, "t1", 50, 50, 0);
	cpu(1), section(5), cpu(1);
	maker_task(k, "t2", 100, 100, 0);
	cpu(10);
	maker_task(k, "t3", 200, 200, 0);
	cpu(1), section(30), cpu(1);
	analyse("mpcp", NULL, "method=job");
	/* tau1: 7 + 30; on the core tau2 meets it twice only if 10 + 37 - 2 > 50. */
	assert_int_equal(b->result.task[0].response_ns, 37);
	assert_int_equal(b->result.task[1].response_ns, 12);
	analyse("mpcp", "wait=busy", NULL);
	assert_int_equal(b->result.task[1].response_ns, 10 + 30 + 7);
}

/* Sections that can follow each other at once form one stretch. */
TEST("stretches of sections")
{
	maker_task(k, "t1", 100, 100, 0);
	cpu(1);
	maker_task(k, "t2", 200, 200, 0);
	cpu(1), section(5), maker_cpu(k, 0, 3), section(6), cpu(1), section(7);
	analyse("mpcp", "wait=busy", NULL);
	assert_int_equal(b->result.task[0].response_ns, 1 + 11);
	/* The bound is reached: tau2 is in its first section when tau1 arrives, and needs no time between its
	 * two sections. */
	k->set.tasks[0].offset_ns = 1;
	k->setup.execution = EXECUTION_BEST;
	assert_int_equal(longest_responses(k, "mpcp", "wait=busy").of[0], 1 + 11);
}

/* A job that consists of its section only. One more can arrive at the very instant at which the other's wait
 * ends. R_1 = 8, so n(w) = ceil((w + 6) / 8) would be 1 for w = 2; at most 2 fit in. */
TEST("sections at the edge")
{
	maker_task(k, "t1", 8, 8, 0);
	section(2);
	maker_task(k, "t2", 100, 100, 0);
	cpu(1), section(6), cpu(1);
	analyse("mpcp", NULL, "method=request");
	assert_int_equal(b->result.task[0].response_ns, 8);
	assert_int_equal(bounds_part(b, 1, BOUND_INTERFERENCE, 0), 4);
	k->set.tasks[0].segments[1] = k->set.tasks[0].segments[0];
	k->set.tasks[0].segments[0] = k->set.tasks[1].segments[0];
	k->set.tasks[0].segment_count = 2;
	k->set.tasks[0].period_ns = k->set.tasks[0].deadline_ns = 9;
	analyse("mpcp", NULL, "method=request");
	assert_int_equal(b->result.task[0].response_ns, 9);
	/* The section: ceil((2 + 9 - 2) / 9) = 1; on the core ceil((13 + 9 - 1) / 9) = 3. */
	assert_int_equal(bounds_part(b, 1, BOUND_INTERFERENCE, 0), 2 + 3);
}

/* Without a bound within its period, t1 is assumed to keep its deadline: then t2 takes 9 + 2 + ceil((17 + 8 -
 * 2) / 8) 2. Boosted, only releases count: 9 + ceil(21 / 8) 4. */
TEST("rests on a deadline")
{
	maker_task(k, "t1", 8, 8, 0);
	cpu(1), section(2), cpu(1);
	maker_task(k, "t2", 60, 60, 0);
	cpu(2), section(5), cpu(2);
	analyse("mpcp", NULL, NULL);
	assert_int_equal(b->result.task[0].response_ns, 9);
	assert_int_equal(b->result.task[0].assumes, 0);
	assert_int_equal(b->result.task[1].response_ns, 17);
	assert_int_equal(bounds_rests_on(b, 1), 1);
	assert_int_equal(b->result.verdict.failing_task, 0);
	analyse("mpcp", "wait=busy", NULL);
	assert_int_equal(b->result.task[0].response_ns, 9);
	assert_int_equal(b->result.task[1].response_ns, 21);
	assert_int_equal(bounds_rests_on(b, 1), 0);
	/* Alone t1 takes 4. */
	k->set.tasks[0].deadline_ns = 3;
	analyse("mpcp", NULL, NULL);
	assert_false(b->result.task[1].analysed);
}

TEST("beyond the deadline")
{
	maker_task(k, "t1", 20, 8, 0);
	cpu(1), section(2), cpu(1);
	maker_task(k, "t2", 30, 30, 0);
	cpu(2), section(5), cpu(2);
	analyse("mpcp", NULL, NULL);
	assert_false(b->result.verdict.accepted);
	assert_int_equal(b->result.verdict.failing_task, 0);
	assert_string_equal(b->result.verdict.reason,
		"task 't1': the bound on its response, 9ns, exceeds its deadline, 8ns");
	assert_int_equal(b->result.task[0].response_ns, 9);
	/* R of t1 is within its period: 9 + 2 + ceil((13 + 9 - 2) / 20) 2, whether or not t1 is in time. */
	assert_int_equal(b->result.task[1].response_ns, 13);
	assert_int_equal(b->result.task[1].assumes, 0);
	k->set.tasks[0].deadline_ns = 20;
	k->set.tasks[1].segments[0].worst_ns = k->set.tasks[1].segments[0].best_ns = 40;
	maker_task(k, "t0", 2, 2, 0);
	cpu(1);
	maker_task(k, "t00", 2, 2, 0);
	cpu(1);
	analyse("mpcp", NULL, NULL);
	assert_string_equal(b->result.verdict.reason, "task 't1': no bound on its response was found");
	assert_int_equal(b->result.task[2].response_ns, 1);
	assert_int_equal(b->result.task[3].response_ns, 2);
}

/* Nothing overflows: a value that is too large counts as no bound. */
TEST("large numbers")
{
	maker_task(k, "t1", 1000, 1000, 0);
	cpu(1), section(998), cpu(1);
	maker_task(k, "t2", INT64_MAX, INT64_MAX, 0);
	cpu(1), section(INT64_MAX / 16), cpu(INT64_MAX / 16), section(INT64_MAX / 32), cpu(1);
	analyse("mpcp", "wait=busy", NULL);
	assert_int_equal(b->result.verdict.failing_task, 0);
	assert_int_equal(b->result.task[0].response_ns, INT64_MAX / 16 + 1000);
	maker_task(k, "t3", INT64_MAX, INT64_MAX, 0);
	cpu(INT64_MAX / 16);
	k->set.tasks[0] = k->set.tasks[2];
	k->set.tasks[0].period_ns = k->set.tasks[0].deadline_ns = INT64_MAX / 8;
	k->set.task_count = 2;
	for (int i = 0; i < 3; i++) {
		static const char *const methods[] = {"method=hybrid", "method=request", "method=job"};
		analyse("mpcp", NULL, methods[i]);
		/* In 32nds: 5 of its own, and 2 in each of tau1's periods of 4. The window of 11 touches 3
		 * periods. */
		assert_int_equal(b->result.task[1].response_ns,
			INT64_MAX / 16 * 2 + INT64_MAX / 32 + 2 + 3 * (INT64_MAX / 16));
	}
	k->set.tasks[1].segments[0].worst_ns = INT64_MAX / 4;
	bounds_make(b, k, "mpcp", NULL, "mpcp", NULL);
	assert_string_equal(b->result.verdict.reason, "task 't2': its segments together are too long");
}

/* With R - C instead of R - G fewer sections count: the 5 on the core may take no time at all. */
TEST("jitter of the paper")
{
	maker_task(k, "t1", 20, 20, 0);
	maker_cpu(k, 0, 5), section(2), cpu(1);
	maker_task(k, "t2", 40, 40, 0);
	cpu(1), section(6), cpu(1);
	analyse("mpcp", NULL, "method=request");
	/* R_1 = 14, ceil((2 + 12) / 20) and ceil((2 + 8) / 20); then 8 of tau1's period are
	 * left either way. */
	assert_int_equal(b->result.task[0].response_ns, 14);
	int64_t safe = b->result.task[1].response_ns;
	analyse("mpcp", NULL, "method=request jitter=paper");
	assert_true(b->result.task[1].response_ns <= safe);
	struct params params;
	const struct analysis *a = analysis_find("mpcp");
	bounds_params(&params, a->options, NULL);
	assert_false(a->unsafe(&params));
	bounds_params(&params, a->options, "jitter=paper");
	assert_true(a->unsafe(&params));
	bounds_params(&params, a->options, "method=request jitter=paper");
	assert_true(a->unsafe(&params));
	bounds_params(&params, a->options, "method=job jitter=paper");
	assert_false(a->unsafe(&params));
}

/* ---- Refusals ---- */

static void check_refused(const char *policy, const char *policy_options, const char *reason)
{
	bounds_make(b, k, policy, policy_options, "mpcp", NULL);
	assert_true(b->result.refused);
	assert_false(b->result.verdict.accepted);
	assert_string_equal(b->result.verdict.reason, reason);
}

TEST("other plans")
{
	worked_example();
	check_refused("fifo-cke", NULL, "it holds for GPU sections one at a time, by priority");
	check_refused("fcfs", NULL, "it holds for GPU sections one at a time, by priority");
	check_refused("edf", NULL, "it holds for GPU sections one at a time, by priority");
	check_refused("rm", "unit=kernel", "it holds for GPU sections one at a time, by priority");
}

/* With busy waiting, a task that can begin a job with a GPU section is boosted when it is released. The
 * analysis refuses that. It accepts the set if tasks suspend, or if the job begins with certain CPU time. */
TEST("boosted at release")
{
	worked_example();
	maker_task(k, "t4", 500, 500, 0);
	maker_cpu(k, 0, 1), section(1);
	check_refused("mpcp", "wait=busy",
		"task 't4' can begin a job with a GPU section, and so be boosted when it is "
		"released: it holds where CPU time comes first for sure");
	assert_int_equal(b->result.verdict.failing_task, 3);
	analyse("mpcp", NULL, NULL);
	k->set.tasks[3].segments[0].best_ns = 1;
	analyse("mpcp", "wait=busy", NULL);
}

/* Why it is refused: tau1's bound would be 1 + 6, but two lower jobs take 6 each and are boosted when they
 * arrive. */
TEST("boosted at release is worse")
{
	maker_task(k, "t1", 100, 100, 0);
	cpu(1);
	maker_task(k, "t2", 200, 200, 0);
	section(6);
	maker_task(k, "t3", 300, 300, 0);
	section(6);
	struct longest l = longest_responses(k, "mpcp", "wait=busy");
	assert_int_equal(l.of[0], 13);
}

/* ---- Several cores ---- */

/* GCAPS, figure 3, in quarters: t1 on core 0, t2 and t3 on core 1. */
static void two_cores(void)
{
	k->platform.cores = 2;
	k->set.cores = true;
	maker_task(k, "t1", 400, 400, 0)->core = 0;
	cpu(3), section(8), cpu(3);
	maker_task(k, "t2", 401, 401, 0)->core = 1;
	cpu(9), section(11), cpu(5);
	maker_task(k, "t3", 402, 402, 0)->core = 1;
	cpu(3), section(20), cpu(3);
}

/* Own; the longest lower section; sections of higher tasks, and CPU time of those on the core. */
TEST("higher tasks on other cores are in the way at the GPU only")
{
	two_cores();
	analyse("mpcp", NULL, NULL);
	check_responses(14 + 20, 25 + 20 + 8, 26 + 8 + 11 + 14);
	assert_int_equal(bounds_part(b, 2, BOUND_INTERFERENCE, 0), 8);
	assert_int_equal(bounds_part(b, 2, BOUND_INTERFERENCE, 1), 14 + 11);
}

/* t3, alone on its core and without sections, has nothing to do with the others, of which t1 alone has no
 * bound within its period; t2 is on its core, t4 in its way at the GPU. */
TEST("a bound rests on no task that it has nothing to do with")
{
	k->platform.cores = 3;
	k->set.cores = true;
	maker_task(k, "t1", 8, 8, 0)->core = 1;
	cpu(1), section(2), cpu(1);
	maker_task(k, "t2", 60, 60, 0)->core = 1;
	cpu(2);
	maker_task(k, "t3", 61, 61, 0)->core = 0;
	cpu(5);
	maker_task(k, "t4", 62, 62, 0)->core = 2;
	cpu(2), section(5), cpu(2);
	analyse("mpcp", NULL, NULL);
	assert_int_equal(b->result.task[0].response_ns, 9);
	assert_int_equal(bounds_rests_on(b, 1), 1);
	assert_int_equal(b->result.task[2].response_ns, 5);
	assert_int_equal(bounds_rests_on(b, 2), 0);
	assert_int_equal(bounds_rests_on(b, 3), 1);
}

TEST("all tasks on one of several cores")
{
	two_cores();
	k->set.tasks[0].core = 1;
	analyse("mpcp", NULL, NULL);
	check_responses(14 + 20, 25 + 20 + 14, 26 + 14 + 25);
	analyse("mpcp", "wait=busy", NULL);
	analyse("mpcp", NULL, "jitter=paper");
}

TEST("what several cores rule out")
{
	two_cores();
	bounds_make(b, k, "mpcp", "wait=busy", "mpcp", NULL);
	bounds_expect_refused(b, "tasks spin boosted on several cores: it holds for one core");
	bounds_make(b, k, "mpcp", NULL, "mpcp", "method=job jitter=paper");
	bounds_expect_refused(b, "jitter=paper holds for one core");
	k->platform.sms = 3;
	bounds_make(b, k, "stgm", "admit=any", "stgm", NULL);
	bounds_expect_refused(b, "tasks 't1' and 't2' are on different cores; it holds for one core");
	k->platform.scheduling = CORES_GLOBAL;
	k->set.cores = false;
	bounds_make(b, k, "mpcp", NULL, "mpcp", NULL);
	bounds_expect_refused(
		b, "any of the cores serves any task; it holds for tasks that have a core each");
}
