/* tests/unit/test_import_segments.c - what the segments of an imported job are, and how long they take. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/importing.h"

EACH_TEST(importing_begin, importing_end);

static void cut_every(uint32_t operations)
{
	t.request.cut = IMPORT_EVERY;
	t.request.every = operations;
}

static void cut_range(const char *name)
{
	t.request.cut = IMPORT_RANGE;
	t.request.name = name;
}

static const struct import_segment *segment(const char *name, uint32_t index)
{
	const struct import_task *of = task(name);
	assert_in_range(index, 0, of->segment_count - 1);
	return &of->segments[index];
}

#define expect_range(name, index, least, greatest)                                                           \
	do {                                                                                                 \
		assert_int_equal(segment(name, index)->segment.best_ns, least);                              \
		assert_int_equal(segment(name, index)->segment.worst_ns, greatest);                          \
	} while (0)

/* ---- From the least to the greatest that ran alone ---- */

/* Four jobs of a kernel that takes 10, 12, 14 and 16 us. */
static void add_four(int64_t tid)
{
	for (int64_t i = 0; i < 4; i++)
		add_kernel(tid, "k", i * 100, i * 100 + 10, i * 100 + 20 + 2 * i);
	cut_every(1);
}

TEST("a kernel takes from its shortest to its longest instance")
{
	add_four(1);
	import_all();
	assert_int_equal(task("task")->job_count, 4);
	expect_range("task", 1, 10 * US, 16 * US);
	assert_int_equal(segment("task", 1)->alone, 4);
	assert_int_equal(took("task", 2, 1), 14 * US);
}

TEST("instances beside another kernel do not count")
{
	struct exported beside = kernel(2, "other", 300, 325, 340);
	beside.stream = 14;
	add_four(1);
	export_kernel(&t.e, &beside); /* beside the longest, for its last microsecond */
	import_all();
	expect_range("task", 1, 10 * US, 14 * US);
	assert_int_equal(segment("task", 1)->alone, 3);
	assert_int_equal(took("task", 3, 1), 16 * US); /* what it took it took */
	assert_int_equal(noted(IMPORT_ASSUMED, "task-2", "times that are not their own"), 1);
}

TEST("a kernel that begins when another ends is alone")
{
	struct exported beside = kernel(2, "other", 300, 326, 340);
	beside.stream = 14;
	add_four(1);
	export_kernel(&t.e, &beside);
	import_all();
	expect_range("task", 1, 10 * US, 16 * US);
	assert_false(is_noted("times that are not their own"));
}

TEST("a short kernel within a long one, and one behind the short one, are not alone")
{
	add_name(1, "one");
	struct exported other = kernel(2, "other", 50, 60, 200);
	other.stream = 14;
	export_kernel(&t.e, &other);
	add_four(1); /* the second is from 110 to 122 us, */
	add_kernel(1, "k", 150, 190, 210);
	import_all();
	assert_int_equal(segment("one", 1)->alone, 3);
	expect_range("one", 1, 10 * US, 16 * US);
}

TEST("where none ran alone all count, and are marked")
{
	add_name(1, "one");
	for (int64_t i = 0; i < 4; i++) {
		struct exported beside = kernel(2, "other", i * 100, i * 100 + 5, i * 100 + 80);
		beside.stream = 14;
		export_kernel(&t.e, &beside);
	}
	add_four(1);
	import_all();
	expect_range("one", 1, 10 * US, 16 * US);
	assert_int_equal(segment("one", 1)->alone, 0);
	assert_int_equal(noted(IMPORT_ASSUMED, "one", "times that are not their own"), 1);
}

TEST("copies of one direction are in each other's way, of two they are not, nor are kernels")
{
	add_name(1, "one");
	add_name(3, "three");
	add_name(4, "four");
	add_name(5, "five");
	struct exported k = kernel(2, "k", 0, 5, 500);
	k.stream = 14;
	export_kernel(&t.e, &k);
	add_to_gpu(1, 1, 10, 100);
	add_to_cpu(3, 2, 10, 100);
	add_to_gpu(4, 3, 101, 140);
	add_to_gpu(5, 4, 139, 150);
	t.request.cut = IMPORT_WHOLE;
	import_all();
	assert_int_equal(segment("one", 1)->alone, 1);
	assert_int_equal(segment("three", 1)->alone, 1);
	assert_int_equal(segment("four", 1)->alone, 0);
	assert_int_equal(segment("five", 1)->alone, 0);
	assert_int_equal(segment("one", 1)->segment.direction, COPY_TO_GPU);
	assert_int_equal(segment("three", 1)->segment.direction, COPY_TO_CPU);
}

/* ---- Waves ---- */

/* Blocks of 256 threads: 8 warps of at most 64. */
static void expect_waves(struct exported *o, uint32_t resident, uint32_t waves)
{
	t.request.cut = IMPORT_WHOLE;
	export_kernel(&t.e, o);
	import_all();
	assert_int_equal(t.im.kernels[0].resident, resident);
	assert_int_equal(segment("task", 1)->waves, waves);
}

TEST("as many blocks as fit the SMs at a time are a wave")
{
	struct exported o = kernel(1, "k", 0, 10, 20);
	o.grid = 80;
	expect_waves(&o, 8, 1);
	expect_range("task", 1, 10 * US, 10 * US);
}

TEST("one more is a second one, and a block takes half of the time")
{
	struct exported o = kernel(1, "k", 0, 10, 20);
	o.grid = 81;
	expect_waves(&o, 8, 2);
	expect_range("task", 1, 5 * US, 5 * US);
}

TEST("registers are given to warps by 256")
{
	struct exported o = kernel(1, "k", 0, 10, 20);
	o.registers = 33; /* as 40: 6 blocks of 10240, where 7 of 8448 would fit */
	o.grid = 61;
	expect_waves(&o, 6, 2);
	assert_int_equal(segment("task", 1)->segment.registers, 40);
}

TEST("no more than are needed")
{
	struct exported o = kernel(1, "k", 0, 10, 20);
	o.registers = 40;
	o.grid = 60;
	expect_waves(&o, 6, 1);
}

TEST("blocks have whole warps")
{
	struct exported o = kernel(1, "k", 0, 10, 20);
	o.threads = 65; /* 3 warps of 64 */
	expect_waves(&o, 21, 1);
	assert_int_equal(segment("task", 1)->segment.block, 65);
}

TEST("an SM has no more blocks than its compute capability says")
{
	struct exported o = kernel(1, "k", 0, 10, 20);
	o.threads = 32;
	expect_waves(&o, 32, 1);
}

TEST("shared memory is a limit")
{
	struct exported o = kernel(1, "k", 0, 10, 20);
	o.shared_memory = 32769; /* of 98304 */
	o.grid = 21;
	expect_waves(&o, 2, 2);
	assert_int_equal(segment("task", 1)->segment.shared_memory, 32769);
}

TEST("a block's time is rounded to the nearest nanosecond, and is at least one")
{
	static const int64_t lengths[][2] = {{3, 2}, {4, 2}, {5, 3}, {1, 1}, {0, 1}};
	for (int64_t i = 0; i < 5; i++) {
		struct exported o = kernel(1, "k", i * 100, i * 100 + 10, 0);
		o.grid = 81;
		o.end_ns = o.start_ns + lengths[i][0];
		export_kernel(&t.e, &o);
	}
	cut_every(1);
	import_all();
	for (uint32_t i = 0; i < 5; i++)
		assert_int_equal(took("task", i, 1), lengths[i][1]);
}

TEST("a kernel whose blocks fit no SM is refused")
{
	struct exported o = kernel(1, "k", 0, 10, 20);
	o.shared_memory = 98305;
	export_kernel(&t.e, &o);
	refused("a block of kernel 'k' (256 threads, 32 registers each, 98305 bytes of shared memory) does "
		"not fit an SM of Test GPU");
}

TEST("so is one that fits the GPU it was recorded on and not the scenario's")
{
	static struct platform small;
	struct exported o = kernel(1, "k", 0, 10, 20);
	o.threads = 1024;
	export_kernel(&t.e, &o);
	small = platform_default();
	small.threads_per_sm = 512;
	strcpy(small.name, "small");
	t.request.platform = &small;
	refused("does not fit an SM of small");
}

TEST("on another GPU a block takes what it took in the waves of the recorded one")
{
	static struct platform other;
	struct exported o = kernel(1, "k", 0, 10, 20);
	o.grid = 81;
	export_kernel(&t.e, &o);
	other = platform_default();
	other.pool = POOL_SM;
	other.sms = 1;
	strcpy(other.name, "other");
	t.request.platform = &other;
	import_all();
	expect_range("task", 1, 5 * US, 5 * US);
	assert_int_equal(noted(IMPORT_ASSUMED, "GPU", "a block takes on other what it took on Test GPU"), 1);
}

/* ---- Memsets and copies on the GPU ---- */

TEST("memsets and copies on the GPU are kernels of one warp")
{
	struct exported o = kernel(1, NULL, 0, 10, 13);
	export_memset(&t.e, &o);
	o = kernel(1, NULL, 20, 30, 37);
	o.bytes = 4096;
	o.kind = 8;
	o.from = o.to = 2;
	export_copy(&t.e, &o);
	import_all();
	for (uint32_t i = 1; i <= 3; i += 2) {
		assert_int_equal(segment("task", i)->segment.kind, SEGMENT_KERNEL);
		assert_int_equal(segment("task", i)->segment.grid, 1);
		assert_int_equal(segment("task", i)->segment.block, 32);
	}
	expect_range("task", 1, 3 * US, 3 * US);
	expect_range("task", 3, 7 * US, 7 * US);
	assert_string_equal(segment("task", 1)->what, "memset");
	assert_string_equal(segment("task", 3)->what, "copy on the GPU");
	assert_int_equal(noted(IMPORT_ASSUMED, "memsets", "each is a kernel of one warp"), 2);
	assert_int_equal(t.im.kernel_count, 0); /* the application launched none */
}

TEST("copies to other GPUs, of unified memory and on the host are left out")
{
	static const int64_t kinds[] = {10, 11, 12, 13, 9};
	for (int64_t i = 0; i < 5; i++) {
		struct exported o = kernel(1, NULL, i * 20, i * 20 + 5, i * 20 + 9);
		o.bytes = 4096;
		o.kind = kinds[i];
		export_copy(&t.e, &o);
	}
	add_kernel(1, "k", 200, 210, 220);
	import_all();
	assert_int_equal(noted(IMPORT_LEFT_OUT, "copies", "they have no model"), 5);
	assert_int_equal(task("task")->operations, 1);
	assert_false(is_noted("kernel of one warp"));
}

/* ---- Queues ---- */

/* Two threads with three kernels each, of which so many are called before the one in front has ended. */
static void add_queues(int64_t ahead, int64_t stream)
{
	for (int64_t tid = 1; tid <= 2; tid++) {
		for (int64_t i = 0; i < 3; i++) {
			int64_t start = tid * 1000 + i * 100;
			struct exported o = kernel(
				tid, "k", i <= ahead ? start - i * 100 - 50 : start - 50, start, start + 40);
			o.stream = tid == 1 ? 13 : stream;
			export_kernel(&t.e, &o);
		}
	}
	t.request.cut = IMPORT_WHOLE;
	import_all();
}

TEST("threads that queue work in one stream are named")
{
	t.request.chain = true;
	add_queues(2, 13);
	assert_int_equal(noted(IMPORT_ASSUMED, "streams", "queue their work ahead in one stream"), 2);
}

TEST("not if they keep the order in which they issued it")
{
	add_queues(2, 13);
	assert_false(is_noted("queue their work ahead"));
	assert_true(task("task")->flies);
}

TEST("not if each has its own")
{
	t.request.chain = true;
	add_queues(2, 14);
	assert_false(is_noted("queue their work ahead"));
}

TEST("nor if they wait for most of their work")
{
	t.request.chain = true;
	add_queues(1, 13);
	assert_false(is_noted("queue their work ahead"));
}

/* ---- Time of the CPU ---- */

TEST("what the GPU did not do between two operations is time of the CPU")
{
	add_range(1, "job", 0, 100);
	add_to_gpu(1, 5, 12, 20);
	add_kernel(1, "k", 25, 31, 60);
	cut_range("job");
	import_all();
	assert_int_equal(task("task")->segment_count, 5);
	assert_int_equal(took("task", 0, 0), 12 * US); /* with the launch, and until it begins */
	assert_int_equal(took("task", 0, 2), 11 * US);
	assert_int_equal(took("task", 0, 4), 40 * US);
}

TEST("segments that took no time in any job are none")
{
	for (int64_t at = 0; at < 200; at += 100) {
		add_to_gpu(1, at, at + 12, at + 20);
		add_kernel(1, "k", at + 15, at + 20 + at / 100, at + 60);
	}
	cut_every(2);
	t.request.chain = true;
	import_all();
	assert_int_equal(task("task")->segment_count, 4);
	assert_int_equal(took("task", 0, 2), 0); /* in one job it took a microsecond */
	assert_int_equal(took("task", 1, 2), 1 * US);
	assert_int_equal(task("task")->ahead, 2);
}

TEST("operations beside each other are one behind the other, and it is said how much")
{
	struct exported o = kernel(1, "k", 1, 10, 30);
	o.stream = 14;
	add_kernel(1, "k", 0, 10, 20);
	export_kernel(&t.e, &o);
	t.request.cut = IMPORT_WHOLE;
	t.request.chain = true;
	import_all();
	assert_int_equal(task("task")->overlap_ns, 10 * US);
	assert_int_equal(task("task")->gpu_ns, 30 * US);
	assert_int_equal(noted(IMPORT_ASSUMED, "task", "33.3 % of the time of its operations"), 1);
	assert_int_equal(noted(IMPORT_ASSUMED, "task", "of its 2 operations"), 1);
}

TEST("a job that begins while the one before is on the GPU waits for it")
{
	add_kernel(1, "k", 0, 10, 50);
	add_kernel(1, "k", 30, 52, 60);
	cut_every(1);
	import_all();
	assert_int_equal(took("task", 1, 0), 2 * US);
	assert_int_equal(task("task")->jobs[1].release_ns, 30 * US);
}

/* The thread has the CPU from, to; 1: it could have gone on, 2: it waited. */
static void add_running(int64_t tid, int64_t from, int64_t to, int64_t state)
{
	for (int64_t in = 1; in >= 0; in--)
		export_row(&t.e, "SCHED_EVENTS", "start, cpu, isSchedIn, globalTid, threadState",
			"%lld, 0, %lld, %lld, %lld", (in ? from : to) * US, in, export_thread(PID, tid),
			in ? 0 : state);
}

TEST("what another thread took of the CPU is no time of this one's")
{
	add_range(1, "job", 0, 100);
	add_kernel(1, "k", 20, 30, 40);
	add_kernel(1, "k", 60, 70, 80);
	add_running(1, 0, 4, 1);
	add_running(1, 7, 28, 1);  /* until then it had lost 3 us, */
	add_running(1, 33, 39, 1); /* then 2 before the kernel and 3 beside it; */
	add_running(1, 45, 50, 2); /* one beside it and 5 behind it; */
	add_running(1, 55, 90, 2); /* for 5 us it waited */
	t.request.cut = IMPORT_WHOLE;
	import_all();
	assert_int_equal(took("task", 0, 0), 8 * US); /* from its first call on */
	assert_int_equal(took("task", 0, 2), 25 * US);
	assert_true(is_noted("times in which another thread had taken the CPU are not"));
}

TEST("of the first 20 us, too, if the job begins with a range")
{
	add_range(1, "job", 0, 100);
	add_kernel(1, "k", 20, 30, 40);
	add_running(1, 0, 4, 1);
	add_running(1, 7, 28, 1);
	add_running(1, 33, 50, 2);
	cut_range("job");
	import_all();
	assert_int_equal(took("task", 0, 0), 25 * US);
	assert_int_equal(took("task", 0, 2), 60 * US);
}

TEST("waits for another thread's work in the same stream are made again by the run")
{
	add_name(1, "one");
	add_name(2, "two");
	add_kernel(2, "other", 0, 10, 100);
	add_kernel(1, "k", 50, 130, 140);
	t.request.cut = IMPORT_WHOLE;
	import_all();
	assert_int_equal(took("two", 0, 0), 10 * US);
	assert_int_equal(took("one", 0, 0), 30 * US);
}

TEST("so are those for its SMs, if it begins within 20 us")
{
	add_name(1, "one");
	struct exported o = kernel(2, "other", 0, 10, 100);
	o.stream = 14;
	export_kernel(&t.e, &o);
	add_kernel(1, "k", 50, 120, 130);
	t.request.cut = IMPORT_WHOLE;
	import_all();
	assert_int_equal(took("one", 0, 0), 20 * US);
}

TEST("and not later")
{
	add_name(1, "one");
	struct exported o = kernel(2, "other", 0, 10, 100);
	o.stream = 14;
	export_kernel(&t.e, &o);
	add_kernel(1, "k", 50, 121, 130);
	t.request.cut = IMPORT_WHOLE;
	import_all();
	assert_int_equal(took("one", 0, 0), 71 * US);
}

TEST("what had ended when the thread's own work did was nothing to wait for")
{
	struct exported other = kernel(2, "other", 20, 30, 50), own = kernel(1, "k", 30, 90, 95);
	add_name(1, "one");
	other.stream = own.stream = 14;
	add_kernel(1, "k", 0, 10, 80);
	export_kernel(&t.e, &other);
	export_kernel(&t.e, &own);
	t.request.cut = IMPORT_WHOLE;
	t.request.chain = true;
	import_all();
	assert_int_equal(took("one", 0, 2), 10 * US);
}

TEST("what was over before the call was nothing to wait for")
{
	add_kernel(2, "other", 0, 10, 40);
	add_kernel(1, "k", 50, 55, 60);
	add_range(1, "job", 20, 70);
	cut_range("job");
	import_all();
	assert_int_equal(took("task", 0, 0), 35 * US);
}

/* ---- Streams ---- */

TEST("work of the NULL stream stays there")
{
	struct exported o = kernel(1, "k", 0, 10, 20);
	o.stream = 7;
	export_row(&t.e, "TARGET_INFO_CUDA_CONTEXT_INFO",
		"nullStreamId, processId, deviceId, contextId, isGreenContext", "7, %lld, 0, 1, 0", PID);
	export_kernel(&t.e, &o);
	add_kernel(1, "k", 30, 40, 50);
	import_all();
	assert_int_equal(segment("task", 1)->segment.stream, STREAM_NULL);
	assert_true(segment("task", 3)->segment.stream >= 0);
}
