/* tests/unit/test_bounds_fp.c - analysis/bounds_fp.c and analysis/fixed_priority.c: worked examples and what
 * is refused. */
#include "analysis/fixed_priority.h"
#include "tests/support/bounds.h"

static struct maker *const k = &bounds_fixture.k;
static struct bounds *const b = &bounds_fixture.b;

static void cpu_task(const char *name, int64_t cost, int64_t period, int64_t deadline)
{
	maker_task(k, name, period, deadline, 0);
	maker_cpu(k, cost, cost);
}

static void section_task(const char *name, int64_t cost, int64_t period, int64_t deadline)
{
	maker_task(k, name, period, deadline, 0);
	maker_grid(k, 1, 1, cost);
}

EACH_TEST(bounds_begin, bounds_end);

/* (1, 4), (2, 6), (3, 13): 1, 3, 10. */
TEST("preemptive")
{
	cpu_task("t1", 1, 4, 4);
	cpu_task("t2", 2, 6, 6);
	cpu_task("t3", 3, 13, 13);
	bounds_make(b, k, "fifo-cke", NULL, "fp", NULL);
	BOUNDS_EXPECT(b, 1, 3, 10);
	assert_true(b->result.verdict.accepted);
	assert_int_equal(bounds_part(b, 2, BOUND_OWN, NO_FAILING_TASK), 3);
	assert_int_equal(bounds_part(b, 2, BOUND_INTERFERENCE, 0), 3);
	assert_int_equal(bounds_part(b, 2, BOUND_INTERFERENCE, 1), 4);
}

/* Lehoczky's example: (26, 70), (62, 100): jobs of the second take 114, 102, 116, 104, 118, 106, 94. */
TEST("jobs beyond their periods")
{
	cpu_task("t1", 26, 70, 70);
	cpu_task("t2", 62, 100, 100);
	bounds_make(b, k, "rm", NULL, "fp", NULL);
	BOUNDS_EXPECT(b, 26, 118);
	assert_false(b->result.verdict.accepted);
	assert_int_equal(b->result.verdict.failing_task, 1);
	assert_string_equal(b->result.verdict.reason,
		"task 't2': the bound on its response, 118ns, exceeds its deadline, 100ns");
}

TEST("overload has no bound")
{
	cpu_task("t1", 5, 10, 10);
	cpu_task("t2", 6, 10, 10);
	cpu_task("t3", 1, 100, 100);
	bounds_make(b, k, "rm", NULL, "fp", NULL);
	assert_int_equal(b->result.task[1].response_ns, NO_BOUND);
	assert_true(b->result.task[2].analysed);
	assert_int_equal(b->result.task[2].response_ns, NO_BOUND);
	assert_string_equal(b->result.verdict.reason, "task 't2': no bound on its response was found");
}

/* A task that is late takes no more of the core than its releases need. */
TEST("the rest goes on")
{
	cpu_task("t1", 5, 10, 10);
	cpu_task("t2", 4, 12, 8);
	cpu_task("t3", 1, 100, 100);
	k->set.tasks[0].priority = 0;
	k->set.tasks[1].priority = 1;
	k->set.tasks[2].priority = 2;
	k->set.priorities = true;
	bounds_make(b, k, "self-suspension", NULL, "fp", NULL);
	BOUNDS_EXPECT(b, 5, 9, 10);
	assert_int_equal(b->result.verdict.failing_task, 1);
	assert_int_equal(b->result.task[2].assumes, 0);
}

/* The CAN example that refuted the test of the nineties: 1 of 2.5, 3.5 and 3.5, deadlines 2.5, 3.25, 3.25, in
 * quarters: 2, 3, 3.5, where the first job alone says 3. */
TEST("can example")
{
	section_task("t1", 4, 10, 10);
	section_task("t2", 4, 14, 13);
	section_task("t3", 4, 14, 13);
	bounds_make(b, k, "rm", NULL, "fp", "method=nonpreemptive");
	BOUNDS_EXPECT(b, 8, 12, 14);
	assert_int_equal(b->result.verdict.failing_task, 2);
	assert_int_equal(bounds_part(b, 0, BOUND_BLOCKING, NO_FAILING_TASK), 4);
	assert_int_equal(bounds_part(b, 2, BOUND_GPU, NO_FAILING_TASK), 4);
	/* Job 1 is released at 14. What ran before its release is subtracted: from the part of job 0, and
	 * from that of the highest task. */
	assert_int_equal(bounds_part(b, 2, BOUND_INTERFERENCE, 2), 0);
	assert_int_equal(bounds_part(b, 2, BOUND_INTERFERENCE, 0), 2);
	assert_int_equal(bounds_part(b, 2, BOUND_INTERFERENCE, 1), 8);
}

/* The second job of t2 takes longest. The section that blocked the first job is over by then. */
TEST("parts of a later job")
{
	section_task("t1", 4, 6, 6);
	section_task("t2", 1, 4, 4);
	section_task("t3", 1, 1000, 1000);
	k->set.priorities = true;
	for (uint32_t i = 0; i < 3; i++)
		k->set.tasks[i].priority = i;
	bounds_make(b, k, "rm", NULL, "fp", "method=nonpreemptive");
	/* Job 0: 6. Job 1, released at 4, starts at 1 + 1 + 2 * 4 = 10. */
	assert_int_equal(b->result.task[1].response_ns, 7);
	assert_int_equal(bounds_part(b, 1, BOUND_GPU, NO_FAILING_TASK), 1);
	assert_int_equal(bounds_part(b, 1, BOUND_INTERFERENCE, 0), 6);
	assert_int_equal(b->result.task[1].part_count, 2);
}

/* With blocking, a processor at full utilisation never catches up. */
TEST("full use")
{
	section_task("t1", 5, 10, 10);
	section_task("t2", 5, 10, 10);
	bounds_make(b, k, "rm", NULL, "fp", "method=nonpreemptive");
	BOUNDS_EXPECT(b, 10, 10);
	section_task("t3", 1, 1000, 1000);
	bounds_make(b, k, "rm", NULL, "fp", "method=nonpreemptive");
	assert_int_equal(b->result.task[0].response_ns, 10);
	assert_int_equal(b->result.task[1].response_ns, NO_BOUND);
}

/* And it really happens: t3's second job takes 14. */
TEST("can example in a run")
{
	section_task("t1", 4, 10, 10);
	section_task("t2", 4, 14, 13);
	section_task("t3", 4, 14, 13);
	k->setup.horizon_ns = 70;
	struct observed o = observe(k, "self-suspension", NULL);
	int64_t worst = 0;
	for (uint32_t j = 0; j < 5; j++)
		worst = observed_response(&o, 2, j) > worst ? observed_response(&o, 2, j) : worst;
	assert_int_equal(worst, 14);
	observed_finish(&o);
}

TEST("sections with copies")
{
	maker_task(k, "t1", 50, 50, 0);
	maker_copy(k, COPY_TO_GPU, 2);
	maker_grid(k, 1, 1, 5);
	maker_copy(k, COPY_TO_CPU, 1);
	maker_task(k, "t2", 80, 80, 0);
	maker_copy(k, COPY_TO_GPU, 3);
	maker_grid(k, 1, 1, 4);
	bounds_make(b, k, "self-suspension", NULL, "fp", "method=nonpreemptive");
	BOUNDS_EXPECT(b, 15, 15);
	assert_int_equal(bounds_part(b, 0, BOUND_COPY, NO_FAILING_TASK), 3);
	assert_int_equal(bounds_part(b, 0, BOUND_GPU, NO_FAILING_TASK), 5);
	assert_int_equal(bounds_part(b, 1, BOUND_INTERFERENCE, 0), 8);
}

static void expect_refused(
	const char *policy, const char *policy_options, const char *options, const char *reason)
{
	bounds_make(b, k, policy, policy_options, "fp", options);
	bounds_expect_refused(b, reason);
}

TEST("refuses what it does not cover")
{
	static const char one[] = "it holds for GPU sections one at a time, by priority";
	cpu_task("t1", 1, 100, 100);
	expect_refused("edf", NULL, NULL, "it holds for a core that goes by fixed priority");
	expect_refused("rm", NULL, "method=nonpreemptive", "task 't1' is more than one GPU section");
	maker_finish(k);
	bounds_begin(NULL);
	section_task("t1", 4, 100, 100);
	section_task("t2", 4, 100, 100);
	expect_refused("rm", NULL, NULL, "task 't1' uses the GPU: method preemptive is for the core alone");
	expect_refused("fcfs", NULL, "method=nonpreemptive", one);
	expect_refused("rm", "unit=kernel", "method=nonpreemptive", one);
	expect_refused("fifo-cke", NULL, "method=nonpreemptive", one);
	maker_cpu(k, 0, 0);
	maker_grid(k, 1, 1, 4);
	expect_refused("rm", NULL, "method=nonpreemptive", "task 't2' is more than one GPU section");
}

/* Kernels may share a stream if no two tasks run them at once. */
TEST("streams may be shared")
{
	section_task("t1", 4, 100, 100);
	section_task("t2", 6, 100, 100);
	k->set.tasks[0].segments[0].stream = STREAM_NULL;
	k->set.tasks[1].segments[0].stream = STREAM_NULL;
	bounds_make(b, k, "mpcp", NULL, "fp", "method=nonpreemptive");
	BOUNDS_EXPECT(b, 10, 10);
}

/* A busy period of whole periods of huge lengths is found at once; the search gives up on one that never
 * ends. */
TEST("large numbers")
{
	const int64_t year = INT64_C(31557600000000000);
	struct fixed_priority_task tasks[] = {
		{.cost = 10 * year, .period = 30 * year},
		{.cost = 15 * year, .period = 70 * year},
		{.cost = 1, .period = 70 * year},
	};
	struct ratio loads[3];
	struct fixed_priority_set set = {.task = tasks, .count = 3, .preemptive = true, .loads = loads};
	fixed_priority_begin(&set);
	assert_int_equal(fixed_priority_response(&set, 1).response, 25 * year);
	set.preemptive = false;
	assert_int_equal(fixed_priority_response(&set, 1).response, 25 * year + 1);
	tasks[1].cost = 55 * year;
	fixed_priority_begin(&set);
	assert_int_equal(fixed_priority_response(&set, 1).response, NO_BOUND);
	set.preemptive = true;
	assert_int_equal(fixed_priority_response(&set, 1).response, NO_BOUND);
}

/* The number of jobs in a window, at the ends of periods up to the longest window for which it is a product.
 */
TEST("jobs in a window")
{
	static const int64_t periods[] = {1, 2, 3, 7, 10, 999, 1000, 1000003, INT64_C(1) << 31,
		(INT64_C(1) << 33) - 1, (INT64_C(1) << 40) - 1, (INT64_C(1) << 47) + 1};
	for (size_t i = 0; i < sizeof(periods) / sizeof(*periods); i++) {
		const int64_t period = periods[i], most = ((INT64_C(1) << 48) + 5) / period;
		struct fixed_priority_task tasks[] = {
			{.cost = period > 2, .period = period}, {.cost = 1, .period = 4}};
		struct ratio loads[2];
		struct fixed_priority_set set = {
			.task = tasks, .count = 2, .preemptive = true, .loads = loads};
		fixed_priority_begin(&set);
		assert_true(set.light);
		tasks[0].cost = 1;
		for (int64_t n = 1; n <= most; n += 1 + (n < 1000 ? 0 : n / 3 + n % 7))
			for (int64_t d = -1; d <= 1; d++) {
				int64_t window = n * period + d, jobs;
				fixed_priority_interference(&set, 1, window, &jobs);
				assert_int_equal(jobs, window / period + (window % period > 0));
			}
	}
}
