/* tests/unit/test_bounds_chains.c - analysis/fifo_chains.c, analysis/gpu_load.c and the analysis
 * `fifo-chains`: bounds by hand, what they rest on, and what is refused. */
#include "analysis/gpu_load.h"
#include "tests/support/bounds.h"

static struct maker *const k = &bounds_fixture.k;
static struct bounds *const b = &bounds_fixture.b;

/* One SM of 64 threads. */
static int begin(void **state)
{
	bounds_begin(state);
	k->platform.sms = 1;
	k->platform.threads_per_sm = 64;
	return 0;
}

EACH_TEST(begin, bounds_end);

static void analyse(const char *policy, const char *order, const char *options)
{
	bounds_make(b, k, policy, order, "fifo-chains", options);
}

/* The whole GPU, for so long. */
static void whole(int64_t time)
{
	maker_grid(k, 1, 64, time);
}

static void add_gpu(void)
{
	static struct platform other;
	other = k->platform;
	other.gpu = 1;
	k->platform.gpu_count = 2;
	k->platform.others = &other;
}

static struct segment *last_segment(void)
{
	const struct task *t = &k->set.tasks[k->set.task_count - 1];
	return &t->segments[t->segment_count - 1];
}

TEST("kernels of different GPUs do not wait for each other")
{
	add_gpu();
	maker_task(k, "t1", 100, 100, 0);
	whole(5);
	maker_task(k, "t2", 200, 200, 0);
	whole(7);
	last_segment()->gpu = 1;
	analyse("fifo-cke", NULL, NULL);
	BOUNDS_EXPECT(b, 5, 7);
	bounds_make(b, k, "fifo-cke", NULL, "fifo-e1", NULL);
	BOUNDS_EXPECT(b, 5, 7);
	bounds_make(b, k, "mpcp", NULL, "fp", "method=nonpreemptive");
	BOUNDS_EXPECT(b, 5, 7);
	bounds_make(b, k, "mpcp", NULL, "self-suspension", NULL);
	BOUNDS_EXPECT(b, 5, 7);
}

TEST("a task with kernels on two GPUs is refused")
{
	add_gpu();
	maker_task(k, "both", 100, 100, 0);
	whole(5);
	whole(5);
	last_segment()->gpu = 1;
	analyse("fifo-cke", NULL, NULL);
	bounds_expect_refused(b, "task 'both' uses several GPUs; it holds for tasks that use one");
	bounds_make(b, k, "fifo-cke", NULL, "fifo-e1", NULL);
	bounds_expect_refused(b, "task 'both' uses several GPUs; it holds for tasks that use one");
	bounds_make(b, k, "mpcp", NULL, "mpcp", NULL);
	bounds_expect_refused(
		b, "task 'both' has GPU sections on several GPUs; it holds for tasks that use one");
	bounds_make(b, k, "mpcp", NULL, "self-suspension", NULL);
	bounds_expect_refused(
		b, "task 'both' has GPU sections on several GPUs; it holds for tasks that use one");
}

/* Hardware queues of two GPUs are two, whatever the numbers of their streams. */
TEST("operations in flight on two GPUs do not come one after the other")
{
	add_gpu();
	maker_task(k, "both", 100, 100, 0);
	maker_copy(k, COPY_TO_GPU, 3)->async = true;
	maker_copy(k, COPY_TO_GPU, 3)->async = true;
	last_segment()->gpu = 1;
	analyse("fifo-cke", NULL, NULL);
	bounds_expect_refused(b,
		"segment 1 of task 'both' may overlap operations in flight; it holds for operations that "
		"come one after the other");
}

/* GPU 1 holds one kernel at a time; on GPU 0 there is only one. */
TEST("kernels are counted GPU by GPU against resident_kernels")
{
	add_gpu();
	k->platform.resident_kernels = 1;
	maker_task(k, "t1", 100, 100, 0);
	whole(5);
	maker_task(k, "t2", 200, 200, 0);
	whole(7);
	last_segment()->gpu = 1;
	analyse("fifo-cke", NULL, NULL);
	BOUNDS_EXPECT(b, 5, 7);
	maker_task(k, "t3", 300, 300, 0);
	whole(7);
	analyse("fifo-cke", NULL, NULL);
	bounds_expect_refused(b,
		"2 kernels may be on the GPU at a time, which holds 1 (resident_kernels); it holds for GPUs "
		"that hold all");
}

TEST("one kernel for each task, as fifo-e1 has it")
{
	maker_task(k, "t1", 100, 100, 0);
	whole(5);
	maker_task(k, "t2", 200, 200, 0);
	whole(7);
	analyse("fifo-cke", NULL, NULL);
	BOUNDS_EXPECT(b, 12, 12);
	bounds_make(b, k, "fifo-cke", NULL, "fifo-e1", NULL);
	BOUNDS_EXPECT(b, 12, 12);
}

/* Each of t1's kernels may wait for one of t2, which has a job in 100: both counts say 7 + 4. Of requests
 * alone it is 7 + 7. */
TEST("requests and windows")
{
	maker_task(k, "t1", 60, 60, 0);
	whole(5);
	maker_cpu(k, 1, 1);
	whole(5);
	maker_task(k, "t2", 100, 100, 0);
	whole(7);
	maker_copy(k, COPY_TO_CPU, 2);
	whole(4);
	analyse("fifo-cke", NULL, NULL);
	assert_int_equal(b->result.task[0].response_ns, 11 + 11);
	assert_int_equal(bounds_part(b, 0, BOUND_INTERFERENCE, 1), 11);
	analyse("fifo-cke", NULL, "count=requests");
	assert_int_equal(b->result.task[0].response_ns, 11 + 14);
	analyse("fifo-cke", "order=release", NULL);
	assert_int_equal(b->result.task[0].response_ns, 11 + 11);
	analyse("fifo-cke", "order=release", "count=requests");
	bounds_expect_refused(
		b, "count=requests holds for a primary queue in the order of becoming head of a stream");
}

/* t2 cannot end within its period behind t1; t1 has one kernel of it ahead at most. t3 has t2 above it: by
 * its deadline, and again 2 later. */
TEST("what rests on a task without a bound")
{
	maker_task(k, "t1", 100, 100, 0);
	whole(30);
	maker_task(k, "t2", 20, 20, 0);
	maker_cpu(k, 1, 1);
	whole(2);
	maker_task(k, "t3", 100, 100, 0);
	maker_cpu(k, 10, 10);
	analyse("fifo-cke", NULL, NULL);
	assert_int_equal(b->result.task[0].response_ns, 32);
	assert_int_equal(b->result.task[0].assumes, 0);
	assert_int_equal(b->result.task[1].response_ns, NO_BOUND);
	assert_int_equal(b->result.task[2].response_ns, 12);
	assert_int_equal(b->result.task[2].assumes, 1);
	assert_int_equal(b->result.failed[0], 1);
	assert_int_equal(b->result.verdict.failing_task, 1);
	assert_string_equal(b->result.verdict.reason,
		"task 't2': no bound within its period, 20ns, was found; beyond that jobs wait for their "
		"predecessors");
}

/* A low stream is overtaken by t2 as often as its periods allow; a high one by what has begun. */
TEST("stream priorities")
{
	maker_task(k, "t1", 100, 100, 0);
	whole(10);
	maker_task(k, "t2", 8, 8, 0);
	maker_grid(k, 1, 64, 1)->stream_high = true;
	analyse("prio-streams", NULL, NULL);
	assert_int_equal(b->result.task[1].response_ns, NO_BOUND);
	assert_int_equal(b->result.task[0].assumes, 1);
	k->set.tasks[1].segments[0].stream_high = false;
	analyse("prio-streams", NULL, NULL);
	assert_int_equal(b->result.task[0].response_ns, 11);
	assert_int_equal(b->result.task[0].assumes, 0);
}

/* Blocks of 32 and 64 threads: 32 work at least. Shared memory of 3 in 8: 6 is in use where it is short. */
TEST("the rate")
{
	const struct block_demand threads[] = {{.threads = 32}, {.threads = 64}},
				  memory[] = {{.threads = 32, .shared_memory = 3}};
	k->platform.sms = 2;
	struct gpu_load load = gpu_load_of(&k->platform, 1, threads, 2);
	assert_int_equal(load.units, 64);
	assert_int_equal(load.rate, 2 * 32);
	assert_int_equal(gpu_load_weight(&load, &threads[1]), 64);
	k->platform.shared_memory_per_sm = 8;
	k->platform.threads_per_sm = 96;
	load = gpu_load_of(&k->platform, 1, memory, 1);
	assert_int_equal(load.units, 8);
	assert_int_equal(load.rate, 2 * 6);
	assert_int_equal(gpu_load_weight(&load, &memory[0]), 3);
}

TEST("without a limit nothing waits on the GPU")
{
	k->platform.threads_per_sm = 0;
	maker_task(k, "t1", 100, 100, 0);
	whole(10);
	maker_task(k, "t2", 100, 100, 0);
	whole(20);
	analyse("fifo-cke", NULL, NULL);
	BOUNDS_EXPECT(b, 10, 20);
}

TEST("other plans are refused")
{
	maker_task(k, "t1", 100, 100, 0);
	whole(10);
	analyse("rm", NULL, NULL);
	bounds_expect_refused(b, "it holds for kernels on all SMs, without a gate");
	maker_task(k, "t2", 100, 100, 0);
	whole(10);
	k->set.tasks[1].segments[0].stream = 0;
	analyse("fifo-cke", NULL, NULL);
	bounds_expect_refused(b, "task 't2' shares a stream or hardware queue with task 't1'");
}
