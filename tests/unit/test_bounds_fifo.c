/* tests/unit/test_bounds_fifo.c - analysis/fifo.c and the analyses `fifo-e1`, `fifo-e2`, `fifo-utilisation`:
 * Yang and Anderson's Example 2, the schedule that shows the gap in their condition, and what is refused. */
#include "analysis/fifo.h"
#include "tests/support/bounds.h"

static struct maker *const k = &bounds_fixture.k;
static struct bounds *const b = &bounds_fixture.b;

static int begin(void **state)
{
	bounds_begin(state);
	k->setup.horizon_ns = 10000 * MS;
	k->setup.limit_ns = 10 * k->setup.horizon_ns;
	k->platform.pool = POOL_GPU;
	k->platform.sms = 1;
	return 0;
}

EACH_TEST(begin, bounds_end);

static void kernel(const char *name, int64_t period, uint32_t grid, uint32_t block, int64_t time)
{
	maker_task(k, name, period, period, 0);
	maker_grid(k, grid, block, time);
}

static void analyse(const char *name, const char *policy_options, const char *options)
{
	bounds_make(b, k, "fifo-cke", policy_options, name, options);
}

static void check_refused(const char *reason)
{
	static const char *const names[] = {"fifo-e1", "fifo-e2", "fifo-utilisation"};
	for (int i = 0; i < 3; i++) {
		analyse(names[i], NULL, NULL);
		assert_true(b->result.refused);
		assert_string_equal(b->result.verdict.reason, reason);
	}
}

static void example_2(void)
{
	k->platform.threads_per_sm = 4096;
	kernel("t1", 8 * MS, 1, 1024, 3800000);
	kernel("t2", 16 * MS, 7, 512, 6 * MS);
	kernel("t3", 17 * MS, 1, 1024, 6 * MS);
	kernel("t4", 18 * MS, 5, 512, 11200000);
}

/* X = 19.51, 21.94, 21.09, 26.40 ms, all above the periods. U_sum = 3784.7 is above mu = 3584. */
TEST("example 2 of the paper")
{
	/* ceil(1e9 * (1024 * 3.8 + 3584 * 6 + 1024 * 6 + 2560 * 11.2 - b e) / 3584) + e, all exact. */
	static const int64_t x[] = {19514286, 21942858, 21085715, 26400000};
	struct fifo_gpu gpu;
	struct verdict v;
	struct error err;
	bool refused;
	example_2();
	analyse("fifo-e1", NULL, NULL);
	assert_true(fifo_build(&b->plan, &b->arena, &gpu, &refused, &v, &err));
	assert_false(refused);
	assert_int_equal((int64_t)gpu.working, 4096 - 1024 + 512);
	for (uint32_t i = 0; i < 4; i++) {
		assert_int_equal(fifo_bound(&gpu, i, 0), x[i]);
		assert_int_equal(b->result.task[i].response_ns, NO_BOUND);
	}
	assert_false(b->result.refused);
	assert_false(b->result.verdict.accepted);
	assert_int_equal(b->result.verdict.failing_task, 0);
	assert_string_equal(b->result.verdict.reason,
		"task 't1': a kernel can take 19.514286ms, more than the period, 8ms, "
		"and jobs wait for their predecessors");
	analyse("fifo-e2", "order=release", NULL);
	assert_string_equal(b->result.verdict.reason, "the utilisation exceeds 3584 of the 4096 threads");
	analyse("fifo-utilisation", NULL, "condition=literal");
	assert_string_equal(b->result.verdict.reason, "the utilisation exceeds 3073 of the 4096 threads");
}

/* With periods of 20 ms and more, E1 bounds all tasks but the fourth, which cannot harm the others. */
TEST("each task by itself")
{
	example_2();
	for (uint32_t i = 0; i < 4; i++)
		k->set.tasks[i].period_ns = k->set.tasks[i].deadline_ns = 22 * MS;
	analyse("fifo-e1", NULL, NULL);
	assert_int_equal(b->result.task[0].response_ns, 19514286);
	assert_int_equal(b->result.task[1].response_ns, 21942858);
	assert_int_equal(b->result.task[2].response_ns, 21085715);
	assert_int_equal(b->result.task[3].response_ns, NO_BOUND);
	assert_int_equal(b->result.verdict.failing_task, 3);
	k->set.tasks[3].period_ns = 27 * MS;
	k->set.tasks[3].deadline_ns = 26400000;
	analyse("fifo-e1", NULL, NULL);
	assert_true(b->result.verdict.accepted);
	assert_int_equal(b->result.task[3].response_ns, 26400000);
	/* The block's own time e, and its six blocks before the last one: 6 * 512 * 6 / 3584, rounded up. */
	assert_int_equal(bounds_part(b, 1, BOUND_GPU, NO_FAILING_TASK), 6 * MS + 5142858);
	k->set.tasks[3].deadline_ns--;
	analyse("fifo-e1", NULL, NULL);
	assert_string_equal(b->result.verdict.reason,
		"task 't4': the bound on its response, 26.4ms, exceeds its deadline, 26.399999ms");
	assert_int_equal(b->result.task[3].response_ns, 26400000);
}

/* m = 4, threads of 1: mu = 4. A victim that needs its whole period. */
static void victim_and_attacker(int64_t victim)
{
	k->platform.threads_per_sm = 4;
	kernel("victim", 1000 * MS, 1, 1, victim);
	kernel("attacker", 1000 * MS, 4, 1, 10 * MS);
}

/* The attacker arrives at `first`, and then again and again. */
static struct longest attack(const char *order, int64_t first, int64_t again, uint32_t count)
{
	int64_t times[100];
	assert_true(count <= 100);
	for (uint32_t i = 0; i < count; i++)
		times[i] = first + i * again;
	maker_trace(k, times, count);
	k->setup.horizon_ns = (int64_t)count * 1000 * MS;
	return longest_responses(k, "fifo-cke", order);
}

/* The attacker arrives 1 ms before each end of the victim. In the order of becoming head, the victim takes 9
 * ms more each time. */
TEST("literal condition is not enough")
{
	victim_and_attacker(1000 * MS);
	analyse("fifo-utilisation", NULL, "condition=literal");
	assert_true(b->result.verdict.accepted);
	analyse("fifo-utilisation", NULL, NULL);
	assert_false(b->result.verdict.accepted);
	analyse("fifo-e1", NULL, NULL);
	assert_int_equal(b->result.task[0].response_ns, NO_BOUND);
	assert_string_equal(b->result.verdict.reason,
		"task 'victim': a kernel can take 1.01s, more than the period, "
		"1s, and jobs wait for their predecessors");
	assert_int_equal(attack("order=head", 999 * MS, 1009 * MS, 10).of[0], (1000 + 9 * 9) * MS);
	assert_int_equal(attack("order=head", 999 * MS, 1009 * MS, 100).of[0], (1000 + 9 * 98) * MS);
	assert_int_equal(attack("order=release", 999 * MS, 1009 * MS, 100).of[0], 1009 * MS);
}

/* 980 instead of 1000: X = 990 is within the period, and the delay by an attack is made up for. */
TEST("slack is enough")
{
	victim_and_attacker(980 * MS);
	analyse("fifo-e1", NULL, NULL);
	assert_true(b->result.verdict.accepted);
	assert_int_equal(b->result.task[0].response_ns, 990 * MS);
	assert_int_equal(b->result.task[1].response_ns, 262500000);
	assert_int_equal(attack("order=head", 999 * MS, 1000 * MS, 100).of[0], 989 * MS);
}

/* U_sum = 2 of 4 threads, but a block takes two periods and jobs do not overlap. */
TEST("overlapping condition is not enough")
{
	k->platform.threads_per_sm = 4;
	kernel("t1", 10 * MS, 1, 1, 20 * MS);
	analyse("fifo-utilisation", "order=release", "condition=overlapping");
	assert_true(b->result.verdict.accepted);
	analyse("fifo-utilisation", "order=release", NULL);
	assert_false(b->result.verdict.accepted);
	assert_int_equal(b->result.verdict.failing_task, 0);
	k->setup.horizon_ns = 100 * MS;
	assert_int_equal(longest_responses(k, "fifo-cke", "order=release").of[0], 110 * MS);
}

TEST("unsafe conditions")
{
	const struct analysis *a = analysis_find("fifo-utilisation");
	struct params params;
	bounds_params(&params, a->options, NULL);
	assert_false(a->unsafe(&params));
	bounds_params(&params, a->options, "condition=overlapping");
	assert_true(a->unsafe(&params));
	bounds_params(&params, a->options, "condition=literal");
	assert_true(a->unsafe(&params));
}

/* m = 10, b = 4 and 3: q = 1, mu = 7. K = 2 * 4 * 5 = 40 (4 + 3 + 3 threads: 20 + 6 + 6 = 32);
 * C = 20 and 6. */
TEST("release order")
{
	k->platform.threads_per_sm = 10;
	kernel("t1", 20, 1, 4, 5);
	kernel("t2", 30, 1, 3, 2);
	analyse("fifo-e2", "order=release", NULL);
	assert_true(b->result.verdict.accepted);
	/* ceil((40 + 26 - 20) / 7) + 5, ceil((40 + 26 - 6) / 7) + 2. */
	assert_int_equal(b->result.task[0].response_ns, 7 + 5);
	assert_int_equal(b->result.task[1].response_ns, 9 + 2);
	assert_int_equal(bounds_part(b, 0, BOUND_GPU, NO_FAILING_TASK), 5);
	assert_int_equal(bounds_part(b, 0, BOUND_BLOCKING, NO_FAILING_TASK), 6);
	assert_int_equal(bounds_part(b, 0, BOUND_INTERFERENCE, 1), 1);
	/* If no job waits for its predecessor, both orders are the same. */
	analyse("fifo-e2", "order=head", NULL);
	assert_int_equal(b->result.task[1].response_ns, 11);
	/* Within the period, above the deadline. */
	k->set.tasks[0].deadline_ns = 11;
	analyse("fifo-e2", "order=release", NULL);
	assert_false(b->result.verdict.accepted);
	assert_int_equal(b->result.task[0].response_ns, 12);
	/* The bound of one task is above its period: no task has a bound. */
	k->set.tasks[0].period_ns = 11;
	analyse("fifo-e2", "order=release", NULL);
	assert_string_equal(b->result.verdict.reason,
		"task 't1': a kernel can take 12ns, more than the period, 11ns, and jobs wait for "
		"their predecessors");
	assert_int_equal(b->result.task[0].response_ns, NO_BOUND);
	assert_int_equal(b->result.task[1].response_ns, NO_BOUND);
}

/* U_sum = mu is accepted, slightly more is not. */
TEST("utilisation is exact")
{
	k->platform.threads_per_sm = 3;
	kernel("t1", 3, 1, 1, 1);
	kernel("t2", 3, 8, 1, 1);
	analyse("fifo-utilisation", NULL, "condition=overlapping");
	assert_true(b->result.verdict.accepted);
	kernel("t3", INT64_MAX, 1, 1, 1);
	analyse("fifo-utilisation", NULL, "condition=overlapping");
	assert_false(b->result.verdict.accepted);
	assert_string_equal(b->result.verdict.reason, "the utilisation exceeds 3 of the 3 threads");
}

/* SMs of 100 threads hold 96 in warps: blocks of 33 threads are 64, of 20 are 32; q = gcd(64,
 * 32, 100) = 4. */
TEST("blocks on SMs")
{
	struct fifo_gpu gpu;
	struct verdict v;
	struct error err;
	bool refused;
	k->platform.pool = POOL_SM;
	k->platform.sms = 3;
	k->platform.threads_per_sm = 100;
	k->platform.blocks_per_sm = 4;
	k->platform.warps_per_sm = 4;
	kernel("t1", 1000, 5, 33, 10);
	kernel("t2", 1000, 7, 20, 10);
	analyse("fifo-e1", NULL, NULL);
	assert_true(b->result.verdict.accepted);
	assert_true(fifo_build(&b->plan, &b->arena, &gpu, &refused, &v, &err));
	assert_int_equal((int64_t)gpu.working, 3 * (100 - 64 + 4));
	assert_int_equal((int64_t)gpu.work, 5 * 64 * 10 + 7 * 32 * 10);
	assert_int_equal(b->result.task[0].response_ns, (3200 + 2240 - 640 + 119) / 120 + 10);
}

/* Above 2^20 sizes K assumes that all threads run for the longest block: here one thread more than blocks of
 * two can use. */
TEST("large numbers")
{
	k->platform.threads_per_sm = 2 * (1 << 20) + 1;
	kernel("t1", 100, 1, 2, 10);
	analyse("fifo-e2", NULL, NULL);
	assert_int_equal(b->result.task[0].response_ns, 10 + 11);
	k->platform.threads_per_sm = (1 << 20) - 1;
	analyse("fifo-e2", NULL, NULL);
	assert_int_equal(b->result.task[0].response_ns, 10 + 10);
	k->platform.threads_per_sm = UINT32_MAX;
	k->platform.sms = PLATFORM_MAX_SMS;
	kernel("t2", INT64_MAX, UINT32_MAX, UINT32_MAX, 1 << 24);
	analyse("fifo-e1", NULL, NULL);
	/* b = 2^32 - 1, m = 4096 b: ceil((2 * 10 + b (b - 1) 2^24) / (4095 b + 1)) + 2^24. */
	assert_int_equal(b->result.task[1].response_ns, INT64_C(17596498829566));
	analyse("fifo-e2", NULL, NULL);
	k->set.tasks[1].segments[0].worst_ns = INT64_MAX;
	check_refused("task 't2': its kernel's work is too large");
}

/* ---- Refusals ---- */

TEST("limits that bind")
{
	k->platform.pool = POOL_SM;
	k->platform.threads_per_sm = 128;
	kernel("t1", 1000, 4, 32, 10);
	k->platform.blocks_per_sm = 3;
	check_refused("task 't1': with its blocks an SM can run out of blocks before it runs out of threads");
	k->platform.blocks_per_sm = 4;
	k->platform.warps_per_sm = 3;
	check_refused("task 't1': with its blocks an SM can run out of warps before it runs out of threads");
	k->platform.warps_per_sm = 4;
	k->platform.registers_per_sm = 1279;
	k->set.tasks[0].segments[0].registers = 10;
	check_refused(
		"task 't1': with its blocks an SM can run out of registers before it runs out of threads");
	k->platform.registers_per_sm = 1280;
	k->platform.shared_memory_per_sm = 399;
	k->set.tasks[0].segments[0].shared_memory = 100;
	check_refused("task 't1': with its blocks an SM can run out of shared memory before it runs out of "
		      "threads");
	k->platform.shared_memory_per_sm = 400;
	analyse("fifo-e1", NULL, NULL);
	assert_true(b->result.verdict.accepted);
	k->platform.threads_per_sm = 0;
	check_refused("it holds for SMs with a limit of threads");
}

TEST("other tasks")
{
	k->platform.threads_per_sm = 4;
	kernel("t1", 1000, 4, 1, 10);
	kernel("t2", 1000, 4, 1, 10);
	k->set.tasks[1].segments[0].stream_high = true;
	check_refused("task 't2': it holds for kernels of one stream priority");
	analyse("fifo-e1", "priorities=ignore", NULL);
	assert_false(b->result.refused);
	k->set.tasks[1].segments[0].stream_high = false;
	k->set.tasks[1].segments[0].stream = 0;
	check_refused("task 't2' shares a stream or hardware queue with task 't1'");
	k->set.tasks[1].segments[0].stream = STREAM_NULL;
	check_refused("task 't2' shares a stream or hardware queue with task 't1'");
	k->set.tasks[1].segments[0].stream = STREAM_OWN;
	maker_cpu(k, 0, 0);
	check_refused("task 't2': it holds for tasks of one kernel with a grid, and nothing else");
	k->set.tasks[1].segment_count = 1;
	k->set.tasks[1].segments[0].form = KERNEL_WORK;
	check_refused("task 't2': it holds for tasks of one kernel with a grid, and nothing else");
}

TEST("other plans")
{
	k->platform.threads_per_sm = 4;
	kernel("t1", 1000, 4, 1, 10);
	bounds_make(b, k, "fcfs", NULL, "fifo-e1", NULL);
	assert_string_equal(b->result.verdict.reason, "it holds for kernels on all SMs, without a gate");
	analyse("fifo-e1", "order=release", NULL);
	assert_string_equal(b->result.verdict.reason,
		"it holds for a primary queue in the order of becoming head of a stream");
	assert_true(b->result.refused);
	analyse("fifo-e2", "order=release", NULL);
	assert_false(b->result.refused);
	bounds_make(b, k, "prio-streams", NULL, "fifo-e1", NULL);
	assert_true(b->result.verdict.accepted);
}
