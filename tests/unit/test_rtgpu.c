/* tests/unit/test_rtgpu.c - analysis/rtgpu.c: worked examples of RTGPU's test (Lemmas 5.1-5.5, Theorem 5.6),
 * and its other models: engines, order of copies, kernels of blocks, chains of other shapes. */
#include "analysis/rtgpu.h"
#include "models/policy.h"
#include "tests/unit/analysis_sets.h"

static struct analysis_set s;
static struct rtgpu_bounds bounds;
static struct rtgpu_options options;

static int begin(void **state)
{
	options = (struct rtgpu_options){0};
	set_begin(&s, 5, 2);
	return 0;
}

static int end(void **state)
{
	set_end(&s);
	return 0;
}

EACH_TEST(begin, end);

static void two_copy_example(void)
{
	set_task(&s, 40, 36, "C2,3 H1,2 G16,20,2,3/2 D1,1 C1,2");
	set_task(&s, 90, 80, "C2,4 H2,3 G24,30,2,3/2 D1,2 C1,3 H2,2 G12,16,1,7/5 D1,2 C2,2");
	set_task(&s, 150, 150, "C4,6 H3,4 G40,48,3,8/5 D2,3 C3,5");
}

static void one_copy_example(void)
{
	set_task(&s, 40, 36, "C2,3 B2,3 G16,20,2,3/2 C1,2");
	set_task(&s, 90, 80, "C2,4 B3,5 G24,30,2,3/2 C1,3 B3,4 G12,16,1,7/5 C2,2");
	set_task(&s, 150, 150, "C4,6 B5,7 G40,48,3,8/5 C3,5");
}

static void analyse(const uint32_t *virtual_sms)
{
	struct error err;
	struct rtgpu_steps steps = rtgpu_steps(&s.platform, &s.set);
	if (!rtgpu_analyse(
		    &s.platform, &s.set, s.rank, &options, &steps, virtual_sms, &s.arena, &bounds, &err))
		fail_msg("%s", err.text);
}

/* The parts of a bound must add up to it. */
static void check_parts(uint32_t task)
{
	const struct rtgpu_bound *b = &bounds.task[task];
	int64_t sum = b->own + b->copy + b->gpu + b->blocking;
	for (uint32_t i = 0; i < s.set.task_count; i++)
		sum += b->interference[i];
	assert_int_equal(sum, b->response);
}

static void check_responses(const int64_t *responses)
{
	for (uint32_t i = 0; i < s.set.task_count; i++) {
		assert_true(bounds.task[i].analysed);
		assert_int_equal(bounds.task[i].response, responses[i]);
		check_parts(i);
	}
}

/* The responses of the segments of one kind. */
static void check_kind(uint32_t task, enum segment_kind kind, const int64_t *longest, uint32_t count)
{
	const struct chain *c = &bounds.chains.chain[task];
	uint32_t found = 0;
	assert_true(bounds.task[task].analysed);
	for (uint32_t i = 0; i < c->count; i++) {
		if (c->segments[i].segment->kind != kind)
			continue;
		assert_true(found < count);
		assert_int_equal(bounds.task[task].longest[i], longest[found++]);
	}
	assert_int_equal(found, count);
}

static void check_shortest_kernels(uint32_t task, const int64_t *shortest)
{
	const struct chain *c = &bounds.chains.chain[task];
	for (uint32_t i = 0; i < c->count; i++)
		if (c->segments[i].segment->kind == SEGMENT_KERNEL)
			assert_int_equal(bounds.task[task].shortest[i], *shortest++);
}

static void check_gaps(uint32_t task, enum chain_resource on, const int64_t *gaps, uint32_t count)
{
	assert_non_null(bounds.task[task].windows);
	for (uint32_t j = 0; j < count; j++)
		assert_int_equal(window_gap(&bounds.task[task].windows[on], j), gaps[j]);
}

#define LIST(...) ((const int64_t[]){__VA_ARGS__})
#define COUNT(...) (sizeof(LIST(__VA_ARGS__)) / sizeof(int64_t))
#define CHECK_KIND(task, kind, ...) check_kind(task, kind, LIST(__VA_ARGS__), COUNT(__VA_ARGS__))
#define CHECK_GAPS(task, on, ...) check_gaps(task, on, LIST(__VA_ARGS__), COUNT(__VA_ARGS__))

static const uint32_t v_244[] = {2, 4, 4};

TEST("two copy published")
{
	two_copy_example();
	analyse(v_244);
	assert_true(bounds.verdict.accepted);
	assert_int_equal(bounds.chains.chain[1].shape, CHAIN_TWO_COPY);
	CHECK_KIND(0, SEGMENT_KERNEL, 16);
	CHECK_KIND(1, SEGMENT_KERNEL, 13, 7);
	CHECK_KIND(2, SEGMENT_KERNEL, 22);
	check_shortest_kernels(0, LIST(8));
	check_shortest_kernels(1, LIST(6, 3));
	check_shortest_kernels(2, LIST(10));
	CHECK_GAPS(0, CHAIN_ON_ENGINE_0, 8, 7, 8, 29, 8, 29);
	CHECK_GAPS(1, CHAIN_ON_ENGINE_0, 6, 1, 3, 14, 6, 1, 3, 71);
	CHECK_GAPS(2, CHAIN_ON_ENGINE_0, 10, 7, 10, 133);
	CHECK_GAPS(0, CHAIN_ON_CPU, 10, 4, 10, 25);
	CHECK_GAPS(1, CHAIN_ON_CPU, 9, 6, 10, 9, 6, 66);
	CHECK_GAPS(2, CHAIN_ON_CPU, 15, 0, 15, 124);
	CHECK_KIND(0, SEGMENT_COPY, 6, 5);
	CHECK_KIND(0, SEGMENT_CPU, 3, 2);
	CHECK_KIND(1, SEGMENT_COPY, 9, 8, 8, 8);
	CHECK_KIND(1, SEGMENT_CPU, 7, 6, 5);
	CHECK_KIND(2, SEGMENT_COPY, 13, 12);
	CHECK_KIND(2, SEGMENT_CPU, 18, 17);
	static const int64_t r1[] = {32, 71, 82}, r2[] = {32, 77, 91};
	for (uint32_t i = 0; i < 3; i++) {
		assert_int_equal(bounds.task[i].r1, r1[i]);
		assert_int_equal(bounds.task[i].r2, r2[i]);
	}
	check_responses(LIST(32, 71, 82));
	/* Blocking: a copy of 4 blocks each of task 1's two copies; nothing blocks those of task 3. */
	assert_int_equal(bounds.task[0].blocking, 8);
	assert_int_equal(bounds.task[2].blocking, 0);
	assert_int_equal(bounds.task[2].interference[2], 0);
}

TEST("two copy start time")
{
	two_copy_example();
	options.form = RTGPU_START_TIME;
	analyse(v_244);
	CHECK_KIND(2, SEGMENT_COPY, 10, 9);
	check_responses(LIST(32, 71, 76));
	options.gaps = RTGPU_GAPS_RESPONSE;
	analyse(v_244);
	assert_int_equal(bounds.task[1].r2, 75);
	check_responses(LIST(32, 71, 76));
}

TEST("one copy")
{
	one_copy_example();
	analyse(v_244);
	assert_int_equal(bounds.chains.chain[1].shape, CHAIN_ONE_COPY);
	CHECK_GAPS(0, CHAIN_ON_ENGINE_0, 15, 37, 37);
	CHECK_GAPS(1, CHAIN_ON_ENGINE_0, 7, 17, 7, 74);
	CHECK_GAPS(2, CHAIN_ON_ENGINE_0, 17, 143);
	CHECK_KIND(0, SEGMENT_COPY, 10);
	CHECK_KIND(1, SEGMENT_COPY, 15, 14);
	CHECK_KIND(2, SEGMENT_COPY, 22);
	check_responses(LIST(31, 67, 79));
	options.form = RTGPU_START_TIME;
	analyse(v_244);
	check_responses(LIST(31, 67, 72));
}

/* Two more virtual SMs for task 1 make task 3 fail. */
TEST("more virtual SMs can hurt")
{
	set_task(&s, 39, 39, "C0,6 B2,4 G15,22,1,1/1 C1,1");
	set_task(&s, 78, 78, "C3,4 B2,3 G23,25,2,3/2 C2,3");
	set_task(&s, 108, 108, "C5,5 B1,2 G12,19,1,3/2 C0,4 B2,2 G20,26,1,1/1 C2,2");
	analyse((const uint32_t[]){2, 2, 2});
	assert_true(bounds.verdict.accepted);
	check_responses(LIST(26, 50, 93));
	analyse((const uint32_t[]){4, 2, 2});
	assert_false(bounds.verdict.accepted);
	assert_int_equal(bounds.verdict.failing_task, 2);
	assert_string_equal(bounds.verdict.reason,
		"task 't3': the bound on its response, 112ns, exceeds its deadline, 108ns");
	check_responses(LIST(21, 54, 112));
	assert_true(bounds.task[2].assumed);
	options.form = RTGPU_START_TIME;
	analyse((const uint32_t[]){4, 2, 2});
	assert_true(bounds.verdict.accepted);
	check_responses(LIST(21, 50, 104));
}

/* A bound within the period is as good for lower tasks as one within the deadline. */
TEST("goes on behind a task that fails")
{
	set_task(&s, 40, 10, "C4,4 H2,2 G16,20,2,3/2 D1,1 C1,2");
	set_task(&s, 90, 80, "C2,4");
	analyse((const uint32_t[]){2, 0});
	assert_int_equal(bounds.verdict.failing_task, 0);
	check_responses(LIST(25, 8));
	assert_false(bounds.task[0].assumed || bounds.task[1].rests);
}

/* The second task is bounded by 6 + 3 * 6 + 2 (the published gaps let the first one's jobs come back to
 * back), and takes 8 alone: it may be in time. What shares the core with it rests on that; the last task has
 * its SM for itself. */
TEST("rests on a deadline")
{
	set_task(&s, 10, 10, "C6,6");
	set_task(&s, 19, 19, "C6,6 H2,2");
	set_task(&s, 1000, 1000, "C1,1");
	set_task(&s, 2000, 2000, "G16,20,2,3/2");
	analyse((const uint32_t[]){0, 0, 0, 2});
	assert_int_equal(bounds.verdict.failing_task, 1);
	assert_int_equal(bounds.task[1].response, 26);
	assert_true(bounds.task[1].assumed && !bounds.task[1].rests);
	assert_true(bounds.task[2].rests && !bounds.task[2].assumed);
	assert_true(bounds.task[3].analysed && !bounds.task[3].rests);
	/* Now it cannot be in time: nothing below it is bounded. */
	s.set.tasks[1].deadline_ns = 7;
	analyse((const uint32_t[]){0, 0, 0, 2});
	assert_false(bounds.task[1].assumed || bounds.task[2].analysed || bounds.task[3].analysed);
}

/* One CPU, the well-known response times: (1, 4), (2, 6), (3, 13): 1, 3, 10. */
TEST("tasks without GPU")
{
	set_task(&s, 4, 4, "C1,1");
	set_task(&s, 6, 6, "C2,2");
	set_task(&s, 13, 13, "C3,3");
	analyse((const uint32_t[]){0, 0, 0});
	assert_int_equal(bounds.chains.chain[0].shape, CHAIN_CPU);
	/* A task's window includes an earlier job, as late as its deadline: t1 can run 1 + 1 without a
	 * gap. */
	check_responses(LIST(1, 4, bounds.task[2].response));
	assert_true(bounds.task[2].response >= 10);
}

TEST("engines")
{
	/* Task 2's copies block those of task 1 on the same engine: to the GPU by 5, to the CPU by 9. */
	set_task(&s, 100, 100, "C1,1 H2,2 G10,10,0,1/1 D3,3 C1,1");
	set_task(&s, 200, 200, "C1,1 H5,5 G10,10,0,1/1 D9,9 C1,1");
	analyse((const uint32_t[]){2, 2});
	CHECK_KIND(0, SEGMENT_COPY, 11, 12);
	s.platform.engines = 2;
	analyse((const uint32_t[]){2, 2});
	CHECK_KIND(0, SEGMENT_COPY, 7, 12);
	/* Engine 0: after H follow kernel 5, D 3, C 1 and C 1, so there is no inner gap; T - D = 0. */
	CHECK_GAPS(0, CHAIN_ON_ENGINE_0, 10, 98);
	CHECK_GAPS(0, CHAIN_ON_ENGINE_1, 9, 97);
	CHECK_KIND(1, SEGMENT_COPY, 7, 12);
	s.platform.engines = ENGINES_UNLIMITED;
	analyse((const uint32_t[]){2, 2});
	CHECK_KIND(0, SEGMENT_COPY, 2, 3);
	CHECK_KIND(1, SEGMENT_COPY, 5, 9);
	check_parts(0);
	check_parts(1);
}

TEST("first come first served")
{
	two_copy_example();
	s.tasks[0].deadline_ns = 40;
	options.copies = RTGPU_COPIES_FIFO;
	analyse(v_244);
	/* One copy of each other task: 3 + 4, 2 + 4, 2 + 3. */
	CHECK_KIND(0, SEGMENT_COPY, 9, 8);
	CHECK_KIND(1, SEGMENT_COPY, 9, 8, 8, 8);
	CHECK_KIND(2, SEGMENT_COPY, 9, 8);
	for (uint32_t i = 0; i < 3; i++)
		check_parts(i);
}

/* Blocks run in waves on the virtual SMs, not in fractions. Other limits of an SM can cause more waves. */
TEST("kernels of blocks")
{
	struct task *t = set_task(&s, 1000, 1000, "C1,1 H1,1 K10 D1,1 C1,1");
	t->segments[2].grid = 5;
	t->segments[2].best_ns = 7;
	t->segments[2].block = 32;
	analyse((const uint32_t[]){4});
	CHECK_KIND(0, SEGMENT_KERNEL, 20);
	check_shortest_kernels(0, LIST(14));
	s.platform.threads_per_sm = 63; /* one block at a time on each of two SMs */
	analyse((const uint32_t[]){4});
	CHECK_KIND(0, SEGMENT_KERNEL, 30);
	check_shortest_kernels(0, LIST(21));
}

TEST("kernels of profiles")
{
	int64_t best[] = {40, 20, 25}, worst[] = {50, 30, 35};
	struct profile profile = {.name = s.names[9], .count = 3, .best_ns = best, .worst_ns = worst};
	struct task *t = set_task(&s, 1000, 1000, "C1,1 H1,1 K10 D1,1 C1,1");
	s.set.profiles = &profile;
	s.set.profile_count = 1;
	t->segments[2].form = KERNEL_PROFILE;
	t->segments[2].profile = 0;
	analyse((const uint32_t[]){4});
	CHECK_KIND(0, SEGMENT_KERNEL, 30);
	analyse((const uint32_t[]){6});
	CHECK_KIND(0, SEGMENT_KERNEL, 35);
	check_shortest_kernels(0, LIST(20)); /* as short as with fewer SMs */
	analyse((const uint32_t[]){8});
	assert_false(bounds.verdict.accepted);
}

/* More tasks than SMs: tasks get single virtual SMs, and the worst interleave ratio of all applies to all. */
TEST("interleaving with other kernels")
{
	s.platform.sms = 1;
	set_task(&s, 1000, 1000, "C1,1 H1,1 G10,10,0,1/1 D1,1 C1,1");
	set_task(&s, 2000, 2000, "C1,1 H1,1 G10,10,0,9/5 D1,1 C1,1");
	struct rtgpu_steps steps = rtgpu_steps(&s.platform, &s.set);
	assert_int_equal(steps.step, 1);
	assert_int_equal(steps.total, 2);
	analyse((const uint32_t[]){1, 1});
	CHECK_KIND(0, SEGMENT_KERNEL, 18);
	CHECK_KIND(1, SEGMENT_KERNEL, 18);
	check_shortest_kernels(0, LIST(10));
}

TEST("pin overhead counts")
{
	two_copy_example();
	s.platform.pin_overhead_ns = 4;
	analyse(v_244);
	/* (30 - 2) / 2 + 2 + 4; at least 16 / 2 + 4 */
	CHECK_KIND(0, SEGMENT_KERNEL, 20);
	check_shortest_kernels(0, LIST(12));
}

/* A chain that begins and ends on the GPU, with copies of no length. */
TEST("other chains")
{
	set_task(&s, 50, 50, "H2,2 G10,10,0,1/1 D3,3");
	set_task(&s, 100, 100, "C0,0 H5,5 G10,10,0,1/1 G4,4,0,1/1 D0,0 C7,9 C1,1");
	analyse((const uint32_t[]){2, 2});
	assert_true(bounds.verdict.accepted);
	assert_int_equal(bounds.chains.chain[0].shape, CHAIN_OTHER);
	assert_int_equal(bounds.chains.chain[1].count, 5);
	CHECK_KIND(0, SEGMENT_COPY, 7, 8);
	CHECK_GAPS(0, CHAIN_ON_ENGINE_0, 5, 0, 5, 40);
	CHECK_GAPS(1, CHAIN_ON_ENGINE_0, 15, 95);
	CHECK_GAPS(1, CHAIN_ON_CPU, 0, 12, 0, 90);
	check_parts(0);
	check_parts(1);
	/* In neither model may a chain end on the GPU. */
	set_begin(&s, 5, 2);
	set_task(&s, 50, 50, "C1,1 H2,2 G10,10,0,1/1 D3,3");
	set_task(&s, 50, 50, "C1,1 B2,2 G10,10,0,1/1");
	analyse((const uint32_t[]){2, 2});
	assert_int_equal(bounds.chains.chain[0].shape, CHAIN_OTHER);
	assert_int_equal(bounds.chains.chain[1].shape, CHAIN_OTHER);
}

static void check_refused(uint32_t task, const char *reason)
{
	assert_false(bounds.verdict.accepted);
	assert_int_equal(bounds.verdict.failing_task, task);
	assert_string_equal(bounds.verdict.reason, reason);
	assert_false(bounds.task[0].analysed);
}

TEST("refuses what it does not cover")
{
	two_copy_example();
	s.segments[2][3].stream = 1;
	analyse(v_244);
	check_refused(2, "task 't3' shares a stream or hardware queue with task 't2'");
	s.segments[2][3].stream = STREAM_NULL;
	analyse(v_244);
	check_refused(2, "task 't3' shares a stream or hardware queue with task 't1'");
	s.segments[2][3].stream = STREAM_OWN;
	s.platform.work_queues = 2;
	analyse(v_244);
	check_refused(2, "task 't3' shares a stream or hardware queue with task 't1'");
	s.platform.work_queues = 32;
	s.platform.pool = POOL_GPU;
	analyse(v_244);
	check_refused(NO_FAILING_TASK, "tasks cannot have SMs of their own with pool: gpu");
	s.platform.pool = POOL_SM;
	s.platform.virtual_sms_per_sm = 4;
	analyse((const uint32_t[]){4, 4, 4});
	check_refused(
		0, "task 't1': the kernel of segment 2 has no interleave ratio for 4 virtual SMs per SM");
}

/* ---- several GPUs (section 5.6) ---- */

static void on_gpu(uint32_t task, uint32_t gpu)
{
	for (uint32_t i = 0; i < s.tasks[task].segment_count; i++)
		if (s.segments[task][i].kind != SEGMENT_CPU)
			s.segments[task][i].gpu = gpu;
}

/* a and c on GPU 0, b and d on GPU 1. a waits only for copies of c, 4 each, though b's and d's are longer:
 * 5 + 4 + ((40 * 3/2 - 2) / 2 + 2) + 2 * 4 = 48. b waits twice for a copy of d, 5, never for one of a, and on
 * the core, each time, for both CPU segments of a, of two jobs: 6 + 9 + 36 + 10 + 10 = 71. */
TEST("on two GPUs only the core is shared")
{
	struct platform other = s.platform;
	other.gpu = 1;
	other.sms = 3;
	s.platform.sms = 4;
	s.platform.others = &other;
	s.platform.gpu_count = 2;
	set_task(&s, 60, 60, "C3,3 H2,2 G40,40,2,3/2 D2,2 C2,2");
	set_task(&s, 80, 80, "C4,4 H6,6 G50,50,2,7/5 D3,3 C2,2");
	set_task(&s, 120, 120, "C4,4 H4,4 G60,60,2,9/5 D4,4 C2,2");
	set_task(&s, 200, 200, "C4,4 H5,5 G70,70,2,9/5 D4,4 C2,2");
	on_gpu(1, 1);
	on_gpu(3, 1);
	struct rtgpu_steps steps[PLATFORM_MAX_GPUS];
	rtgpu_steps_each(&s.platform, &s.set, steps);
	assert_int_equal(steps[0].total, 8);
	assert_int_equal(steps[1].total, 6);
	assert_int_equal(steps[1].tasks, 2);
	assert_true(rtgpu_analyse(&s.platform, &s.set, s.rank, &options, steps,
		(const uint32_t[]){2, 2, 2, 2}, &s.arena, &bounds, NULL));
	assert_int_equal(bounds.task[0].response, 48);
	assert_int_equal(bounds.task[0].blocking, 8);
	assert_int_equal(bounds.task[1].response, 71);
	assert_int_equal(bounds.task[1].blocking, 10);
	assert_int_equal(bounds.task[1].interference[0], 10);
	check_parts(2);
	check_parts(3);
}
