/* tests/unit/test_bounds_suspension.c - analysis/bounds_suspension.c: worked examples of RTGPU's baseline, of
 * segmented and of dynamic self-suspension, refusals, and a schedule that exceeds the bound of the unsafe
 * variant. */
#include "analysis/window.h"
#include "tests/support/bounds.h"

static struct maker *const k = &bounds_fixture.k;
static struct bounds *const b = &bounds_fixture.b;

static int begin(void **state)
{
	bounds_begin(state);
	k->platform.virtual_sms_per_sm = 2;
	return 0;
}

EACH_TEST(begin, bounds_end);

static void copy_in(int64_t best, int64_t worst)
{
	maker_copy(k, COPY_TO_GPU, worst)->best_ns = best;
}

/* (C 1, T 2), (C 5, S 5, T 20), (C 1, T 50), in hundredths. The second task suspends five times, and begins
 * with that. */
enum { UNIT = 100 };

static void dynamic_example(void)
{
	maker_task(k, "t1", 2 * UNIT, 2 * UNIT, 0);
	maker_cpu(k, UNIT, UNIT);
	maker_task(k, "t2", 20 * UNIT, 20 * UNIT, 0);
	for (int i = 0; i < 5; i++) {
		maker_cpu(k, 1, 1);
		copy_in(0, UNIT);
	}
	maker_cpu(k, 5 * UNIT - 5, 5 * UNIT - 5);
	maker_task(k, "t3", 50 * UNIT, 50 * UNIT, 0);
	maker_cpu(k, UNIT, UNIT);
}

static void bound(const char *options)
{
	bounds_make(b, k, "fifo-cke", NULL, "self-suspension", options);
}

TEST("dynamic bounds")
{
	dynamic_example();
	bound("method=bletsas");
	BOUNDS_EXPECT(b, UNIT, 20 * UNIT, 22 * UNIT);
	assert_true(b->result.verdict.accepted);
	assert_int_equal(bounds_part(b, 2, BOUND_OWN, NO_FAILING_TASK), UNIT);
	assert_int_equal(bounds_part(b, 2, BOUND_INTERFERENCE, 0), 11 * UNIT);
	assert_int_equal(bounds_part(b, 2, BOUND_INTERFERENCE, 1), 10 * UNIT);
	assert_int_equal(bounds_part(b, 1, BOUND_COPY, NO_FAILING_TASK), 5 * UNIT);
	bound("method=unifying");
	BOUNDS_EXPECT(b, UNIT, 20 * UNIT, 22 * UNIT);
	bound("method=jitter");
	BOUNDS_EXPECT(b, UNIT, 20 * UNIT, 12 * UNIT);
	bound("method=blocking");
	BOUNDS_EXPECT(b, UNIT, 20 * UNIT, 32 * UNIT);
	bound("method=oblivious");
	assert_int_equal(b->result.task[1].response_ns, 20 * UNIT);
	assert_int_equal(b->result.task[2].response_ns, NO_BOUND);
	assert_true(b->result.task[2].analysed);
	assert_false(b->result.verdict.accepted);
	assert_int_equal(b->result.verdict.failing_task, 2);
	assert_string_equal(b->result.verdict.reason, "task 't3': no bound on its response was found");
	/* With D - C instead of R - C, t1's jitter is 1, and t2 already fails. */
	bound("method=bletsas gaps=deadline");
	assert_int_equal(b->result.task[1].response_ns, 21 * UNIT);
	assert_string_equal(b->result.verdict.reason,
		"task 't2': the bound on its response, 2.1us, exceeds its deadline, 2us");
	/* If t2 keeps its deadline, t3 takes 1 + ceil((23 + 1) / 2) + ceil((23 + 20 - 5) / 20) 5. */
	assert_int_equal(b->result.task[2].response_ns, 23 * UNIT);
	assert_int_equal(bounds_rests_on(b, 2), 2);
	/* With a longer period t2 has a bound, and t3 rests on that: ceil((22 + 21 - 5) / 22) 5. */
	k->set.tasks[1].period_ns = 22 * UNIT;
	bound("method=bletsas gaps=deadline");
	assert_int_equal(b->result.task[2].response_ns, 23 * UNIT);
	assert_int_equal(bounds_rests_on(b, 2), 0);
	/* The oblivious test counts releases, whether or not t2 is in time. */
	k->set.tasks[1].deadline_ns = k->set.tasks[1].period_ns = 19 * UNIT;
	k->set.tasks[2].segments[0].best_ns = k->set.tasks[2].segments[0].worst_ns = 0;
	bound("method=oblivious");
	assert_int_equal(b->result.task[1].response_ns, 20 * UNIT);
	assert_int_equal(bounds_rests_on(b, 2), 0);
}

TEST("only jitter is unsafe")
{
	static const char *const methods[] = {
		"baseline", "segmented", "bletsas", "oblivious", "blocking", "unifying", "jitter"};
	const struct analysis *a = analysis_find("self-suspension");
	struct params params;
	for (size_t i = 0; i < sizeof(methods) / sizeof(*methods); i++) {
		char option[64];
		snprintf(option, sizeof(option), "method=%s", methods[i]);
		bounds_params(&params, a->options, option);
		assert_int_equal(a->unsafe(&params), i == 6);
	}
}

/* t2's first job suspends whenever it could run, so it computes late. Its second job does not suspend. t3
 * waits for both. */
TEST("a schedule exceeds jitter")
{
	static int64_t second[] = {0, 20 * UNIT}, third[] = {10 * UNIT};
	static struct trace_duration none[5];
	dynamic_example();
	k->setup.horizon_ns = 40 * UNIT;
	k->setup.limit_ns = 100 * UNIT;
	for (uint32_t i = 0; i < 5; i++)
		none[i] = (struct trace_duration){.job = 1, .segment = 2 * i + 1};
	struct release_rule rules[] = {
		{
			.kind = RELEASE_TRACE,
			.trace_ns = second,
			.trace_count = 2,
			.durations = none,
			.duration_count = 5,
		},
		{.kind = RELEASE_TRACE, .trace_ns = third, .trace_count = 1},
	};
	k->set.tasks[1].release = &rules[0];
	k->set.tasks[2].release = &rules[1];
	struct observed o = observe(k, "self-suspension", NULL);
	assert_int_equal(observed_response(&o, 1, 0), 20 * UNIT - 5);
	assert_int_equal(observed_response(&o, 2, 0), 22 * UNIT - 5);
	observed_finish(&o);
	bounds_make(b, k, "self-suspension", NULL, "self-suspension", "method=jitter");
	BOUNDS_EXPECT(b, UNIT, 20 * UNIT, 12 * UNIT);
	bounds_make(b, k, "self-suspension", NULL, "self-suspension", "method=bletsas");
	BOUNDS_EXPECT(b, UNIT, 20 * UNIT, 22 * UNIT);
}

/* L (2, 1), S [3, 5], T 15, D 12; L (3, 2), S [1, 4], T 30; L 4, T 60. */
static void segmented_example(void)
{
	maker_task(k, "t1", 15, 12, 0);
	maker_cpu(k, 2, 2);
	copy_in(3, 5);
	maker_cpu(k, 1, 1);
	maker_task(k, "t2", 30, 30, 0);
	maker_cpu(k, 3, 3);
	copy_in(1, 4);
	maker_cpu(k, 2, 2);
	maker_task(k, "t3", 60, 60, 0);
	maker_cpu(k, 4, 4);
	k->platform.engines = ENGINES_UNLIMITED;
}

TEST("segmented bounds")
{
	segmented_example();
	bound("method=segmented");
	BOUNDS_EXPECT(b, 8, 13, 20);
	assert_true(b->result.verdict.accepted);
	/* R1 = 13 < R2 = 14: t1 in windows of 5 and 4. */
	assert_int_equal(bounds_part(b, 1, BOUND_OWN, NO_FAILING_TASK), 5);
	assert_int_equal(bounds_part(b, 1, BOUND_COPY, NO_FAILING_TASK), 4);
	assert_int_equal(bounds_part(b, 1, BOUND_INTERFERENCE, 0), 4);
	bound("method=segmented gaps=response");
	BOUNDS_EXPECT(b, 8, 12, 12);
	bound("method=bletsas");
	BOUNDS_EXPECT(b, 8, 15, 15);
	bound("method=oblivious");
	BOUNDS_EXPECT(b, 8, 25, 29);
}

TEST("segmented windows")
{
	static const int64_t length[] = {2, 1}, inner[] = {3};
	static const struct window w = {
		.count = 2,
		.length = length,
		.inner = inner,
		.first_wrap = 3,
		.tail = 9,
		.period = 15,
	};
	static const int64_t from_0[] = {0, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 5, 5};
	static const int64_t from_1[] = {0, 1, 1, 1, 1, 2, 3, 3, 3, 3, 4, 4, 4};
	for (int t = 0; t <= 12; t++) {
		assert_int_equal(window_work(&w, 0, t), from_0[t]);
		assert_int_equal(window_work(&w, 1, t), from_1[t]);
	}
}

/* CL (3, 2), (5, 4), (8, 6), sections of 6, 9, 12, T = D = 60, 90, 150. */
static void baseline_example(void)
{
	static const int64_t cpu[][2] = {{3, 2}, {5, 4}, {8, 6}}, period[] = {60, 90, 150};
	static const int64_t section[][3] = {{1, 4, 1}, {2, 6, 1}, {3, 6, 3}};
	static const char *const names[] = {"t1", "t2", "t3"};
	for (int i = 0; i < 3; i++) {
		maker_task(k, names[i], period[i], period[i], 0);
		maker_cpu(k, cpu[i][0], cpu[i][0]);
		copy_in(section[i][0], section[i][0]);
		maker_grid(k, 4, 1, section[i][1]);
		maker_copy(k, COPY_TO_CPU, section[i][2]);
		maker_cpu(k, cpu[i][1], cpu[i][1]);
	}
}

TEST("baseline bounds")
{
	static const char *const policies[] = {"self-suspension", "rm", "mpcp"};
	baseline_example();
	for (int p = 0; p < 3; p++) {
		bounds_make(b, k, policies[p], NULL, "self-suspension", NULL);
		BOUNDS_EXPECT(b, 23, 52, 89);
		assert_true(b->result.verdict.accepted);
		/* MR = 18 = 6 + 12; 33 = 9 + 2 * 6 + 12; 42 = 12 + ... */
		assert_int_equal(bounds_part(b, 0, BOUND_BLOCKING, NO_FAILING_TASK), 12);
		assert_int_equal(bounds_part(b, 1, BOUND_BLOCKING, NO_FAILING_TASK), 12);
		assert_int_equal(bounds_part(b, 2, BOUND_BLOCKING, NO_FAILING_TASK), 0);
		assert_int_equal(bounds_part(b, 1, BOUND_COPY, NO_FAILING_TASK), 3);
		assert_int_equal(bounds_part(b, 1, BOUND_GPU, NO_FAILING_TASK), 6);
		assert_int_equal(bounds_part(b, 1, BOUND_OWN, NO_FAILING_TASK), 9);
	}
	/* Two engines make no difference: no other task copies. */
	k->platform.engines = 2;
	bounds_make(b, k, "rm", NULL, "self-suspension", NULL);
	BOUNDS_EXPECT(b, 23, 52, 89);
}

/* The priorities are those of the plan, not the order of the set. */
TEST("baseline by the plans priorities")
{
	baseline_example();
	struct task swapped = k->set.tasks[0];
	k->set.tasks[0] = k->set.tasks[2];
	k->set.tasks[2] = swapped;
	bounds_make(b, k, "self-suspension", NULL, "self-suspension", NULL);
	BOUNDS_EXPECT(b, 89, 52, 23);
	assert_true(bounds_part(b, 0, BOUND_INTERFERENCE, 2) > 0);
}

/* Sections at the ends of a job, with several kernels, divided by a CPU segment of length zero; kernels in
 * waves. */
TEST("sections of any shape")
{
	k->platform.threads_per_sm = 64;
	maker_task(k, "t1", 100, 100, 0);
	copy_in(1, 2);
	maker_grid(k, 5, 32, 3)->best_ns = 2; /* 4 at a time: [4, 6] */
	maker_grid(k, 1, 32, 5);
	maker_cpu(k, 1, 4);
	maker_grid(k, 1, 32, 7);
	maker_task(k, "t2", 200, 200, 0);
	maker_copy(k, COPY_TO_CPU, 10);
	maker_cpu(k, 0, 0);
	maker_copy(k, COPY_TO_CPU, 11);
	bounds_make(b, k, "self-suspension", NULL, "self-suspension", NULL);
	/* t1: 13 and 7, each after 11, and 4. */
	BOUNDS_EXPECT(b, 13 + 11 + 4 + 7 + 11, b->result.task[1].response_ns);
	assert_int_equal(bounds_part(b, 0, BOUND_BLOCKING, NO_FAILING_TASK), 22);
	assert_int_equal(bounds_part(b, 0, BOUND_COPY, NO_FAILING_TASK), 2);
	assert_int_equal(bounds_part(b, 0, BOUND_GPU, NO_FAILING_TASK), 18);
	/* t2: two requests, each after a late job of t1 and the next one at once: 13, 1 between, 7, 13, 1
	 * between, 7. */
	assert_int_equal(b->result.task[1].response_ns, 10 + 40 + 11 + 40);
	assert_int_equal(bounds_part(b, 1, BOUND_INTERFERENCE, 0), 80);
	/* Up to the starts: 7 and 13, with 1 before the next. */
	bounds_make(b, k, "self-suspension", NULL, "self-suspension", "form=start-time");
	BOUNDS_EXPECT(b, 13 + 11 + 4 + 7 + 11, 10 + 20 + 11 + 20);
}

TEST("tasks without anything")
{
	maker_task(k, "t1", 100, 100, 0);
	maker_cpu(k, 0, 0);
	maker_task(k, "t2", 100, 100, 0);
	maker_cpu(k, 2, 3);
	static const char *const methods[] = {"method=baseline", "method=segmented", "method=bletsas",
		"method=oblivious", "method=blocking", "method=unifying", "method=jitter"};
	for (int i = 0; i < 7; i++) {
		bound(methods[i]);
		BOUNDS_EXPECT(b, 0, 3);
		assert_int_equal(b->result.task[0].part_count, 0);
	}
}

/* If one task only uses the GPU, its sections never wait, with or without a gate. The same holds for two
 * tasks with SMs of their own. */
TEST("plans in which nobody waits")
{
	dynamic_example();
	bounds_make(b, k, "self-suspension", NULL, "self-suspension", "method=bletsas");
	BOUNDS_EXPECT(b, UNIT, 20 * UNIT, 22 * UNIT);
	bounds_make(b, k, "fcfs", "unit=kernel", "self-suspension", "method=bletsas");
	BOUNDS_EXPECT(b, UNIT, 20 * UNIT, 22 * UNIT);
	maker_finish(k);
	begin(NULL);
	k->platform.engines = ENGINES_UNLIMITED;
	for (int i = 0; i < 2; i++) {
		maker_task(k, i ? "t2" : "t1", 100, 100, 0);
		maker_cpu(k, 1, 2);
		copy_in(1, 2);
		struct segment *s = maker_work(k, 10, 12, 0);
		s->interleave = arena_new(&k->set.arena, struct interleave, 1);
		*s->interleave = (struct interleave){2, 3, 2};
		s->interleaves = 1;
		maker_cpu(k, 1, 3);
	}
	bounds_make(b, k, "rtgpu", NULL, "self-suspension", "method=segmented");
	/* Lemma 5.1 on one SM: 12 * 1.5 / 2 = 9. */
	assert_int_equal(b->result.task[0].response_ns, 5 + 2 + 9);
	assert_int_equal(bounds_part(b, 0, BOUND_GPU, NO_FAILING_TASK), 9);
	assert_true(b->result.task[1].response_ns >= 5 + 2 + 9 + 5);
}

static void expect_refused(
	const char *policy, const char *policy_options, const char *options, const char *reason)
{
	bounds_make(b, k, policy, policy_options, "self-suspension", options);
	bounds_expect_refused(b, reason);
}

TEST("refuses what it does not cover")
{
	static const char one[] = "it holds for GPU sections one at a time, by priority";
	static const char wait[] = "it holds for tasks that suspend during GPU sections";
	static const char gate[] = "GPU sections of several tasks wait at the policy's gate: of the methods "
				   "only baseline covers that";
	baseline_example();
	expect_refused("fcfs", NULL, NULL, one);
	expect_refused("rm", "unit=kernel", NULL, one);
	expect_refused("fifo-cke", NULL, NULL, one);
	expect_refused("rtgpu", "admit=any", NULL, one);
	expect_refused("edf", NULL, NULL, "it holds for a core that goes by fixed priority");
	expect_refused("mpcp", "wait=busy", NULL, wait);
	expect_refused("self-suspension", NULL, "method=segmented", gate);
	expect_refused("mpcp", NULL, "method=unifying", gate);
	expect_refused("sbeet", NULL, "method=bletsas", "it holds for SMs that are given out before the run");
	expect_refused("fifo-cke", NULL, "method=bletsas",
		"copies of several tasks wait for an engine: it holds with engines: unlimited");
	k->platform.engines = ENGINES_UNLIMITED;
	expect_refused("fifo-cke", NULL, "method=bletsas",
		"kernels of several tasks wait for SMs: it holds for SMs of their own");
	maker_finish(k);
	begin(NULL);
	segmented_example();
	k->set.tasks[0].segments[1].stream = 1;
	expect_refused("fifo-cke", NULL, "method=segmented",
		"task 't2' shares a stream or hardware queue with task 't1'");
}

static void suspending_task(const char *name, int64_t cpu, int64_t suspension, int64_t period)
{
	maker_task(k, name, period, period, 0);
	maker_cpu(k, cpu, cpu);
	if (suspension)
		copy_in(suspension, suspension);
}

static void expect_last(const char *options, int64_t response)
{
	bound(options);
	assert_int_equal(b->result.task[k->set.task_count - 1].response_ns, response);
}

/* ---- Plans that no policy here makes ---- */

/* The plan of a policy, which a test changes and then analyses. */
static void plan_of(const char *policy)
{
	bounds_plan(b, k, policy, NULL);
}

static void bound_of_plan(const char *options)
{
	bounds_analyse(b, "self-suspension", options);
}

static void two_kernels(void)
{
	for (int i = 0; i < 2; i++) {
		maker_task(k, i ? "t2" : "t1", 100, 100, 0);
		maker_cpu(k, 1, 1);
		maker_grid(k, 5, 32, 3);
	}
}

TEST("kernels need SMs of their own")
{
	static const char own[] = "kernels of several tasks wait for SMs: it holds for SMs of their own";
	static uint32_t first[] = {0}, second[] = {1}, one[] = {1};
	struct grant grants[] = {{.count = 1, .sm = first}, {.count = 1, .sm = second}};
	two_kernels();
	plan_of("fifo-cke");
	bound_of_plan("method=segmented");
	bounds_expect_refused(b, own);
	b->plan.grants = grants;
	bound_of_plan("method=segmented");
	BOUNDS_EXPECT(b, 4, 5);
	/* Waves on SMs that hold two blocks; the same with V_SM slots. */
	k->platform.threads_per_sm = 64;
	bound_of_plan("method=segmented");
	BOUNDS_EXPECT(b, 10, 11);
	grants[1] = (struct grant){.count = 1, .sm = first};
	bound_of_plan("method=segmented");
	bounds_expect_refused(b, own);
	grants[1] = (struct grant){0};
	bound_of_plan("method=segmented");
	bounds_expect_refused(b, own);
	grants[1] = (struct grant){.count = 1, .sm = second, .slots = one, .virtual_sms = 1};
	bound_of_plan("method=segmented");
	bounds_expect_refused(b, own);
	/* A single task with kernels may have a part of an SM: one block at a time. */
	k->set.tasks[0].segment_count = 1;
	bound_of_plan("method=segmented");
	BOUNDS_EXPECT(b, 1, 18);
}

TEST("copies of two tasks wait")
{
	for (int i = 0; i < 2; i++) {
		maker_task(k, i ? "t2" : "t1", 100, 100, 0);
		maker_cpu(k, 1, 1);
		copy_in(1, 2);
	}
	bound("method=segmented");
	bounds_expect_refused(
		b, "copies of several tasks wait for an engine: it holds with engines: unlimited");
	k->set.tasks[0].segments[1].best_ns = k->set.tasks[0].segments[1].worst_ns = 0;
	bound("method=segmented");
	BOUNDS_EXPECT(b, 1, 5);
}

TEST("baseline needs its gate")
{
	two_kernels();
	plan_of("self-suspension");
	bound_of_plan(NULL);
	assert_false(b->result.refused);
	b->plan.unit = GATE_OPEN;
	bound_of_plan(NULL);
	bounds_expect_refused(b, "it holds for GPU sections one at a time, by priority");
	b->plan.unit = GATE_SECTION;
	b->plan.grants_at_run_time = true;
	bound_of_plan(NULL);
	bounds_expect_refused(b, "it holds for kernels on all SMs");
}

/* Lengths whose sum exceeds 64 bits. */
TEST("refuses what is too long")
{
	const int64_t length = INT64_MAX / 7;
	maker_task(k, "t1", INT64_MAX / 2, INT64_MAX / 2, 0);
	maker_cpu(k, 1, 1);
	plan_of("self-suspension");
	for (int i = 0; i < 2; i++)
		maker_copy(k, COPY_TO_GPU, length);
	bound_of_plan(NULL);
	bounds_expect_refused(b, "task 't1': its segments together are too long");
}

/* (C 4, S 5, T 10), (C 6, S 1, T 19), C 4: the second task is best counted by its suspension, the first by
 * its response. */
TEST("unifying is better than either")
{
	k->platform.engines = ENGINES_UNLIMITED;
	suspending_task("t1", 4, 5, 10);
	suspending_task("t2", 6, 1, 19);
	suspending_task("t3", 4, 0, 50);
	expect_last("method=bletsas", 42);
	expect_last("method=blocking", 37);
	expect_last("method=unifying", 32);
}

/* The best vector counts the second task by its suspension, though that is longer than its computation. With
 * more than ten higher tasks (the others do nothing) this vector is not tried. */
TEST("unifying tries all vectors of ten tasks")
{
	for (int others = 8; others <= 9; others++) {
		k->platform.engines = ENGINES_UNLIMITED;
		suspending_task("t1", 4, 5, 10);
		suspending_task("t2", 4, 5, 30);
		for (int i = 0; i < others; i++)
			suspending_task("none", 0, 0, 31);
		suspending_task("last", 4, 0, 50);
		expect_last("method=bletsas", 24);
		expect_last("method=unifying", others == 8 ? 20 : 24);
		maker_finish(k);
		begin(NULL);
	}
}
