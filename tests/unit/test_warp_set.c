/* tests/unit/test_warp_set.c - models/warps/warp_set.c: defaults, cycles and nanoseconds, the size of a
 * program, the tasks of a set, and every mistake it can have on a platform. */
#include <stdio.h>
#include <string.h>

#include "models/warps/warp_set.h"
#include "tests/support/test.h"

/* Two correct kernels on a correct platform; tests break them. */
static struct warp_step steps[2][WARP_STEPS_MAX + 1];
static struct warp_kernel kernels[WARP_KERNELS_MAX + 1];
static struct warp_set set;
static struct platform platform;

static int begin(void **state)
{
	platform = platform_default();
	platform.sms = 2;
	platform.threads_per_sm = 1024;
	platform.registers_per_sm = 65536;
	platform.shared_memory_per_sm = 49152;
	set = (struct warp_set){.machine = warp_machine_default(), .kernels = kernels, .kernel_count = 2};
	for (int k = 0; k < 2; k++) {
		memset(steps[k], 0, sizeof(steps[k]));
		steps[k][0] = warp_step_default(STEP_COMPUTE);
		kernels[k] = (struct warp_kernel){
			.blocks = 4,
			.block_threads = 100,
			.registers = 16,
			.stream = STREAM_OWN,
			.steps = steps[k],
			.step_count = 1,
		};
	}
	return 0;
}

EACH_TEST(begin, NULL);

/* ---- reports ---- */

static char reported[4096];
static uint32_t reported_kernel;

static void report(void *self, uint32_t kernel, const char *text)
{
	(void)self;
	size_t used = strlen(reported);
	reported_kernel = kernel;
	snprintf(reported + used, sizeof(reported) - used, "%s%s", used ? "\n" : "", text);
}

/* The set must have exactly these mistakes (one per line); the last one is in this kernel. "": none. */
static void defects(uint32_t kernel, const char *expected)
{
	size_t lines = *expected != '\0';
	for (const char *c = expected; *c; c++)
		lines += *c == '\n';
	reported[0] = '\0';
	size_t count = warp_set_check(&set, &platform, report, NULL);
	assert_string_equal(reported, expected);
	assert_int_equal(count, lines);
	if (*expected)
		assert_int_equal(reported_kernel, kernel);
}

#define MACHINE UINT32_MAX

/* Tests a number of the machine at its limits and beyond them. */
static void limits(int64_t *number, int64_t min, int64_t max, uint32_t kernel, const char *what)
{
	char expected[256];
	int64_t before = *number;
	const int64_t beyond[] = {min - 1, max + 1}, within[] = {min, max};
	for (int i = 0; i < 2; i++) {
		*number = within[i];
		defects(kernel, "");
		*number = beyond[i];
		snprintf(expected, sizeof(expected), "%s is %lld; it must be %lld to %lld", what,
			(long long)*number, (long long)min, (long long)max);
		defects(kernel, expected);
	}
	*number = before;
}

static void limits_u32(uint32_t *number, uint32_t min, uint32_t max, uint32_t kernel, const char *what)
{
	char expected[256];
	uint32_t before = *number;
	*number = min;
	defects(kernel, "");
	*number = max;
	defects(kernel, "");
	const uint32_t beyond[] = {min - 1, max + 1}; /* below 0 is 2^32 - 1 */
	for (int i = 0; i < 2; i++) {
		*number = beyond[i];
		snprintf(
			expected, sizeof(expected), "%s is %u; it must be %u to %u", what, *number, min, max);
		defects(kernel, expected);
	}
	*number = before;
}

/* ---- defaults and time ---- */

TEST("defaults are sound and documented")
{
	const struct warp_machine m = warp_machine_default();
	defects(MACHINE, "");
	assert_int_equal(m.clock_hz, 1000000000);
	assert_int_equal(m.sub_cores, 4);
	assert_int_equal(m.latency[WARP_INT], 4);
	assert_int_equal(m.interval[WARP_FP], 1);
	assert_int_equal(m.interval[WARP_MEMORY], 4);
	assert_int_equal(m.bandwidth, 180000);
	for (int kind = 0; kind < WARP_STEP_KINDS; kind++) {
		struct warp_step s = warp_step_default((enum warp_step_kind)kind);
		assert_int_equal(s.kind, kind);
		assert_int_equal(s.count, 1);
		assert_int_equal(s.threads, 32);
		assert_int_equal(s.distance, 0);
		assert_int_equal(s.first, 0);
		assert_int_equal(s.bytes, 4);
		assert_int_equal(s.coalescing_ppm, 1000000);
		assert_int_equal(s.l1_hit_ppm, 0);
	}
}

TEST("cycles and nanoseconds")
{
	struct warp_machine m = warp_machine_default();
	assert_int_equal(warp_ns(&m, 123456789), 123456789);
	assert_int_equal(warp_cycles(&m, 987654321), 987654321);
	m.clock_hz = 1216000000;
	assert_int_equal(warp_ns(&m, 1), 0);
	assert_int_equal(warp_ns(&m, 1215), 999);
	assert_int_equal(warp_ns(&m, 1216), 1000);
	assert_int_equal(warp_cycles(&m, 1000), 1216);
	assert_int_equal(warp_cycles(&m, 999), 1214);
	/* Intermediate results exceed 64 bits. */
	assert_int_equal(warp_ns(&m, INT64_C(1216000000000000001)), INT64_C(1000000000000000000));
	m.clock_hz = 3;
	assert_int_equal(warp_cycles(&m, INT64_C(9000000000000000000)), INT64_C(27000000000));
	m.clock_hz = 100000000000;
	assert_int_equal(warp_cycles(&m, INT64_C(92233720368547758)), INT64_C(9223372036854775800));
	assert_int_equal(warp_cycles(&m, INT64_C(92233720368547759)), INT64_MAX);
}

/* ---- sizes ---- */

TEST("active threads are those a warp has")
{
	struct warp_step s = warp_step_default(STEP_COMPUTE);
	assert_int_equal(warp_block_warps(&kernels[0]), 4);
	assert_int_equal(warp_active_threads(&kernels[0], &s, 0), 32);
	assert_int_equal(warp_active_threads(&kernels[0], &s, 3), 4);
	s.threads = 3;
	assert_int_equal(warp_active_threads(&kernels[0], &s, 0), 3);
	assert_int_equal(warp_active_threads(&kernels[0], &s, 3), 3);
	kernels[0].block_threads = 96;
	assert_int_equal(warp_block_warps(&kernels[0]), 3);
	assert_int_equal(warp_active_threads(&kernels[0], &s, 2), 3);
	kernels[0].block_threads = 1;
	assert_int_equal(warp_block_warps(&kernels[0]), 1);
	assert_int_equal(warp_active_threads(&kernels[0], &s, 0), 1);
}

static void size_is(int64_t warps, int64_t threads)
{
	int64_t w = -1, t = -1;
	assert_true(warp_kernel_size(&kernels[0], &w, &t));
	assert_int_equal(w, warps);
	assert_int_equal(t, threads);
}

static struct warp_step loop_of(uint32_t times, uint32_t body)
{
	struct warp_step s = warp_step_default(STEP_LOOP);
	s.count = times;
	s.body = body;
	return s;
}

TEST("sizes follow loops and divergence")
{
	size_is(4 * 4, 4 * 100);
	steps[0][0].count = 7;
	size_is(4 * 4 * 7, 4 * 100 * 7);
	/* loop 3 { loop 5 { int x 2 (8 threads) }, barrier }, load: 3 (5 * 2 + 1) + 1 */
	steps[0][0] = loop_of(3, 3);
	steps[0][1] = loop_of(5, 1);
	steps[0][2] = warp_step_default(STEP_COMPUTE);
	steps[0][2].count = 2;
	steps[0][2].threads = 8;
	steps[0][3] = warp_step_default(STEP_BARRIER);
	steps[0][4] = warp_step_default(STEP_LOAD);
	kernels[0].step_count = 5;
	defects(0, "");
	int64_t full = 3 * (5 * 2 * 8 + 32) + 32, last = 3 * (5 * 2 * 4 + 4) + 4;
	size_is(4 * 4 * 34, 4 * (3 * full + last));
}

TEST("sizes that do not fit are told")
{
	int64_t w, t;
	kernels[0].block_threads = 32;
	kernels[0].blocks = 1;
	for (uint32_t i = 0; i < 4; i++)
		steps[0][i] = loop_of(1, 4 - i);
	steps[0][4] = warp_step_default(STEP_COMPUTE);
	steps[0][4].threads = 1;
	kernels[0].step_count = 5;
	steps[0][0].count = steps[0][1].count = 1u << 31;
	size_is(INT64_C(1) << 62, INT64_C(1) << 62);
	steps[0][4].count = 2;
	assert_false(warp_kernel_size(&kernels[0], &w, &t));
	steps[0][4].count = 1;
	steps[0][4].threads = 2; /* the threads alone */
	assert_false(warp_kernel_size(&kernels[0], &w, &t));
	steps[0][4].threads = 1;
	kernels[0].blocks = 2;
	assert_false(warp_kernel_size(&kernels[0], &w, &t));
	kernels[0].blocks = 1;
	steps[0][2].count = steps[0][3].count = UINT32_MAX; /* 2^126 */
	assert_false(warp_kernel_size(&kernels[0], &w, &t));
}

/* ---- tasks ---- */

TEST("tasks are the kernels")
{
	struct task tasks[2] = {{.name = (char[]){"a"}, .deadline_ns = 77}, {.name = (char[]){"b"}}};
	struct taskset s = {.tasks = tasks, .task_count = 2, .warps = &set};
	set.machine.clock_hz = 2000000000;
	kernels[0].launch = 9;
	kernels[0].period = 1000;
	kernels[1].stream = 3;
	kernels[1].stream_high = true;
	kernels[1].shared_memory = 512;
	kernels[1].repeat = true;
	assert_true(warp_set_tasks(&s));
	assert_string_equal(tasks[0].name, "a");
	assert_int_equal(tasks[0].offset_ns, 4);
	assert_int_equal(tasks[0].period_ns, 500);
	assert_int_equal(tasks[0].deadline_ns, 77);
	assert_int_equal(tasks[1].offset_ns, 0);
	assert_int_equal(tasks[1].period_ns, 0);
	assert_int_equal(tasks[1].deadline_ns, 0);
	for (int i = 0; i < 2; i++)
		assert_int_equal(tasks[i].segment_count, 1);
	const struct segment *s0 = tasks[0].segments, *s1 = tasks[1].segments;
	assert_int_equal(s0->kind, SEGMENT_KERNEL);
	assert_int_equal(s0->form, KERNEL_WARPS);
	assert_int_equal(s0->stream, STREAM_OWN);
	assert_int_equal(s0->grid, 4);
	assert_int_equal(s0->block, 100);
	assert_int_equal(s0->registers, 16);
	assert_int_equal(s0->bytes, -1);
	assert_int_equal(s1->stream, 3);
	assert_true(s1->stream_high);
	assert_int_equal(s1->shared_memory, 512);
	taskset_finish(&s);
}

/* ---- defects ---- */

TEST("defects of the machine")
{
	struct warp_machine *m = &set.machine;
	limits(&m->clock_hz, 1000000, INT64_C(100000000000), MACHINE, "the clock");
	limits_u32(&m->sub_cores, 1, 8, MACHINE, "the number of sub-cores");
	limits(&m->shared_latency, 1, 1000000, MACHINE, "the latency of shared memory");
	limits(&m->l1_latency, 1, 1000000, MACHINE, "the latency of L1");
	limits(&m->l2_latency, 1, 1000000, MACHINE, "the latency of L2");
	limits(&m->dram_latency, 1, 1000000, MACHINE, "the latency of DRAM");
	limits(&m->bandwidth, 1, 1000000000, MACHINE, "the bandwidth in bytes per 1000 cycles");
	limits(&m->shared_fj, 0, 1000000000, MACHINE, "the energy of shared memory");
	limits(&m->global_fj, 0, 1000000000, MACHINE, "the energy of global memory");
	limits(&m->dram_byte_fj, 0, 1000000000, MACHINE, "the energy of a DRAM byte");
	static const char *const names[] = {"int", "fp", "fp64", "sfu", "tensor", "memory"};
	for (int unit = 0; unit < WARP_UNITS; unit++) {
		char what[64];
		snprintf(what, sizeof(what), "the interval of unit %s", names[unit]);
		limits(&m->interval[unit], 1, 1000000, MACHINE, what);
		if (unit == WARP_MEMORY)
			continue;
		snprintf(what, sizeof(what), "the latency of unit %s", names[unit]);
		limits(&m->latency[unit], 1, 1000000, MACHINE, what);
		snprintf(what, sizeof(what), "the energy of unit %s", names[unit]);
		limits(&m->unit_fj[unit], 0, 1000000000, MACHINE, what);
	}
	m->latency[WARP_MEMORY] = -1; /* not used */
	defects(MACHINE, "");
}

TEST("defects of the platform")
{
	platform.sms = 0;
	defects(MACHINE, "kernels of warps need a platform with SMs (sms)");
	platform.sms = 1;
	platform.pool = POOL_GPU;
	defects(MACHINE, "warps run on SMs: the platform's pool must be sm");
	platform.pool = POOL_SM;
	platform.warps_per_sm = 64;
	platform.threads_per_sm = 2048;
	defects(MACHINE, "");
	platform.warps_per_sm = 65;
	platform.threads_per_sm = 2049;
	defects(MACHINE, "an SM holds at most 64 warps; the platform's warps_per_sm is 65\n"
			 "an SM holds at most 2048 threads, 64 warps; the platform's threads_per_sm is 2049");
}

TEST("defects of the number of kernels")
{
	set.kernel_count = 0;
	defects(MACHINE, "the number of kernels is 0; it must be 1 to 8");
	for (int i = 2; i <= 8; i++)
		kernels[i] = kernels[0];
	set.kernel_count = 8;
	defects(MACHINE, "");
	set.kernel_count = 9;
	defects(MACHINE, "the number of kernels is 9; it must be 1 to 8");
}

TEST("defects of steps")
{
	struct warp_step *s = &steps[1][0];
	limits_u32(&s->count, 1, 1000000000, 1, "step 0 of the program: count");
	limits_u32(&s->threads, 1, 32, 1, "step 0 of the program: threads");
	limits_u32(&s->distance, 0, 16, 1, "step 0 of the program: distance");
	limits_u32(&s->first, 0, 16, 1, "step 0 of the program: first");
	limits(&s->latency, 0, 1000000, 1, "step 0 of the program: latency");
	s->unit = WARP_MEMORY;
	defects(1, "step 0 of the program: the unit is 5; it must be 0 to 4");
	for (int kind = STEP_LOAD; kind <= STEP_STORE; kind++) {
		*s = warp_step_default((enum warp_step_kind)kind);
		limits(&s->l1_hit_ppm, 0, 1000000, 1, "step 0 of the program: l1_hit in millionths");
		limits(&s->l2_hit_ppm, 0, 1000000, 1, "step 0 of the program: l2_hit in millionths");
		limits(&s->coalescing_ppm, 0, 1000000, 1, "step 0 of the program: coalescing in millionths");
		limits_u32(&s->bytes, 1, 4096, 1, "step 0 of the program: bytes per thread");
	}
	*s = warp_step_default(STEP_SHARED_LOAD);
	s->bytes = 0; /* not used */
	defects(1, "");
	*s = warp_step_default(STEP_BARRIER);
	defects(1, "");
	s->count = 2;
	defects(1, "step 0 of the program: a barrier is one instruction that needs no result");
	s->count = 1;
	s->first = 1;
	defects(1, "step 0 of the program: a barrier is one instruction that needs no result");
	*s = warp_step_default(STEP_LOOP);
	s->kind = WARP_STEP_KINDS;
	defects(1, "step 0 of the program: its kind is 7; it must be 0 to 6");
}

TEST("defects of programs")
{
	kernels[1].step_count = 0;
	defects(1, "the number of steps of the program is 0; it must be 1 to 1000");
	for (uint32_t i = 0; i <= WARP_STEPS_MAX; i++)
		steps[1][i] = warp_step_default(STEP_COMPUTE);
	kernels[1].step_count = 1000;
	defects(1, "");
	kernels[1].step_count = 1001;
	defects(1, "the number of steps of the program is 1001; it must be 1 to 1000");
	kernels[1].step_count = 4;
	steps[1][0] = loop_of(2, 3);
	defects(1, "");
	steps[1][0].body = 4;
	defects(1, "step 0 of the program: the loop's body has 4 steps, 3 are there");
	steps[1][0].body = UINT32_MAX;
	defects(1, "step 0 of the program: the loop's body has 4294967295 steps, 3 are there");
	steps[1][0] = loop_of(2, 2);
	steps[1][1] = loop_of(2, 2); /* out of the outer one */
	defects(1, "step 1 of the program: the loop's body has 2 steps, 1 are there");
	steps[1][1] = loop_of(2, 0);
	defects(1, "step 1 of the program: the loop's body has 0 steps, 1 are there");
	steps[1][1] = loop_of(0, 1);
	defects(1, "step 1 of the program: times is 0; it must be 1 to 1000000000");
	for (uint32_t i = 0; i < 5; i++)
		steps[1][i] = loop_of(1, 5 - i);
	kernels[1].step_count = 6;
	defects(1, "step 4 of the program: loops nest at most 4 deep");
	steps[1][4] = warp_step_default(STEP_COMPUTE);
	defects(1, "");
}

TEST("defects of shared loops")
{
	struct warp_step *s = steps[1];
	kernels[1].block_threads = 64;
	kernels[1].blocks = 4;
	s[0] = loop_of(2, 2);
	s[1] = loop_of(3, 1);
	s[2] = warp_step_default(STEP_COMPUTE);
	s[3] = loop_of(2, 1);
	s[4] = warp_step_default(STEP_COMPUTE);
	kernels[1].step_count = 5;
	s[0].rounds = ROUNDS_WARPS;
	defects(1, "");
	s[3].rounds = ROUNDS_BLOCKS;
	defects(1, "step 3 of the program: only one loop can be shared");
	s[0].rounds = ROUNDS_OWN;
	defects(1, "");
	s[1].rounds = s[3].rounds;
	s[3].rounds = ROUNDS_OWN;
	defects(1, "step 1 of the program: only an outermost loop can be shared");
	s[1].rounds = (enum warp_rounds)3;
	defects(1, "step 1 of the program: whose rounds they are is 3; it must be 0 to 2");
	s[1].rounds = ROUNDS_OWN;
	s[0].rounds = ROUNDS_WARPS;
	kernels[1].block_threads = 63;
	defects(1,
		"step 0 of the program: a loop shared by warps wants whole warps: 63 threads of a block are "
		"no multiple of 32");
	kernels[1].block_threads = 64;
	s[2] = warp_step_default(STEP_BARRIER);
	defects(1, "step 0 of the program: a loop with a barrier is shared by blocks: its warps meet in "
		   "every round");
	s[0].rounds = ROUNDS_BLOCKS;
	kernels[1].block_threads = 63;
	defects(1, "");
}

TEST("defects of reuse")
{
	struct warp_step *s = &steps[0][0];
	*s = warp_step_default(STEP_LOAD);
	s->reuse = 1;
	defects(0, "step 0 of the program: reuse needs the size of L1 (l1_size)");
	set.machine.l1_bytes = set.machine.l2_bytes = 128;
	limits_u32(&s->reuse, 0, 16, 0, "step 0 of the program: reuse");
	s->reuse = 1;
	s->l1_hit_ppm = 1;
	defects(0, "step 0 of the program: a load has l1_hit or reuse, not both");
	*s = warp_step_default(STEP_STORE);
	s->reuse = 1;
	defects(0, "step 0 of the program: reuse is 1; it must be 0 to 0");
}

TEST("defects of L2 and of the limit on requests")
{
	set.machine.requests = 4096;
	defects(UINT32_MAX, "");
	set.machine.requests = 4097;
	defects(UINT32_MAX, "the limit on requests is 4097; it must be 0 to 4096");
	set.machine.requests = set.machine.l2_bytes = -1;
	defects(UINT32_MAX, "the size of L2 is -1; it must be 0 to 1099511627776\n"
			    "the limit on requests is -1; it must be 0 to 4096");
}

/* One warp may get all rounds of a launch: its instructions are still numbered in 32 bits. */
TEST("shared loops that are too long")
{
	struct warp_step *s = steps[0];
	kernels[0].block_threads = 64;
	kernels[0].blocks = 2;
	s[0] = loop_of(1, 1);
	s[1] = warp_step_default(STEP_COMPUTE);
	s[1].count = WARP_COUNT_MAX;
	kernels[0].step_count = 2;
	s[0].count = 2; /* 2e9; with all of the pool 5e9, or 3e9 */
	defects(0, "");
	s[0].rounds = ROUNDS_WARPS;
	defects(0, "the program is too long: a warp issues more than 4294967295 instructions");
	s[0].rounds = ROUNDS_BLOCKS;
	defects(0, "");
}

TEST("defects of blocks")
{
	struct warp_kernel *k = &kernels[0];
	limits_u32(&k->blocks, 1, 0x7fffffff, 0, "blocks");
	k->block_threads = 0;
	defects(0, "block_threads is 0; it must be 1 to 2147483647");
	k->block_threads = 1024;
	defects(0, "");
	k->block_threads = 993; /* 32 warps */
	platform.warps_per_sm = 32;
	defects(0, "");
	platform.warps_per_sm = 31;
	defects(0, "a block of this kernel does not fit an empty SM: it exceeds the warps per SM (32 warps "
		   "of 32 "
		   "threads, 16 registers a thread, 0 bytes of shared memory)");
	platform.threads_per_sm = 992;
	defects(0, "a block of this kernel does not fit an empty SM: it exceeds the threads per SM (32 warps "
		   "of 32 "
		   "threads, 16 registers a thread, 0 bytes of shared memory)");
	k->block_threads = 993; /* the threads of whole warps count */
	platform.warps_per_sm = 0;
	platform.threads_per_sm = 1023;
	defects(0, "a block of this kernel does not fit an empty SM: it exceeds the threads per SM (32 warps "
		   "of 32 "
		   "threads, 16 registers a thread, 0 bytes of shared memory)");
	platform.warps_per_sm = platform.threads_per_sm = 0;
	k->block_threads = 2049;
	defects(0, "a block of this kernel does not fit an empty SM: it exceeds the 64 warps of an SM (65 "
		   "warps of 32 "
		   "threads, 16 registers a thread, 0 bytes of shared memory)");
	k->block_threads = 2000; /* 63 warps: 2016 threads */
	k->registers = 32;
	defects(0, "");
	platform.registers_per_sm = 64000; /* for 2000 threads */
	defects(0, "a block of this kernel does not fit an empty SM: it exceeds the registers per SM (63 "
		   "warps of 32 "
		   "threads, 32 registers a thread, 0 bytes of shared memory)");
	k->registers = 0;
	k->shared_memory = 49152;
	defects(0, "");
	k->shared_memory++;
	defects(0, "a block of this kernel does not fit an empty SM: it exceeds the shared memory per SM (63 "
		   "warps of "
		   "32 threads, 0 registers a thread, 49153 bytes of shared memory)");
	k->shared_memory = -1;
	defects(0, "shared_memory is -1; it must be 0 to 9223372036854775807");
	k->shared_memory = 0;
	k->registers = -1;
	defects(0, "registers is -1; it must be 0 to 2147483647");
}

TEST("defects of launches")
{
	struct warp_kernel *k = &kernels[1];
	limits(&k->launch, 0, INT64_C(100000000000000), 1, "launch");
	limits(&k->period, 0, INT64_C(100000000000000), 1, "period");
	k->repeat = true;
	defects(1, "");
	k->period = 5;
	defects(1, "a kernel has a period or is repeated, not both");
	k->repeat = false;
	k->stream = 0;
	defects(1, "");
	k->stream = STREAM_NULL;
	defects(1, "a kernel of warps has a stream with a number, or its own");
}

TEST("defects of goals")
{
	struct warp_goal *g = &kernels[1].goal;
	g->kind = GOAL_IPC;
	g->ipc = 1;
	limits(&g->ipc, 1, INT64_C(1) << 40, 1, "the goal's ipc in millionths");
	g->kind = GOAL_SHARE;
	g->share_ppm = 1;
	limits(&g->share_ppm, 1, 1000000, 1, "the goal's share in millionths");
	g->kind = GOAL_TIME;
	g->kernel_ns = 0;
	defects(1, "the goal's kernel time in ns is 0; it must be 1 to 9223372036854775807");
	g->kernel_ns = 1;
	defects(1, "");
	set.machine.clock_hz = 999999999;
	defects(1, "the goal's kernel time is less than a cycle");
	set.machine.clock_hz = 1000000000;
	g->kernel_ns = 400 * INT64_C(1000000);
	defects(1, "");
	g->kernel_ns++;
	defects(1,
		"the goal, 400 thread instructions in 400000001 cycles, is less than a millionth per cycle");
	kernels[1].blocks = 10995; /* x 100 threads: just below 2^40 millionths */
	g->kernel_ns = 1;
	defects(1, "");
	kernels[1].blocks++;
	defects(1,
		"the goal, 1099600 thread instructions in 1 cycles, is more than 2^40 millionths per cycle");
	*g = (struct warp_goal){.kind = (enum warp_goal_kind)4};
	defects(1, "the goal's kind is 4; it must be 0 to 3");
}

TEST("defects of size")
{
	struct warp_kernel *k = &kernels[0];
	steps[0][0] = loop_of(65537, 1);
	steps[0][1] = warp_step_default(STEP_COMPUTE);
	steps[0][1].count = 65535; /* (2^16 + 1)(2^16 - 1) = 2^32 - 1 */
	k->step_count = 2;
	defects(0, "");
	steps[0][1].count++;
	defects(0, "the program is too long: a warp issues more than 4294967295 instructions");
	steps[0][1].count--;
	k->blocks = 0x7fffffff; /* 2^31 blocks x 100 threads x 2^32 */
	defects(0, "the kernel is too large: a launch issues more than 2^62 instructions");
	steps[0][0].count = steps[0][1].count = WARP_COUNT_MAX;
	k->goal = (struct warp_goal){.kind = GOAL_TIME, .kernel_ns = 5};
	defects(0, "the program is too long: a warp issues more than 4294967295 instructions");
}

TEST("all defects are told")
{
	set.machine.clock_hz = 0;
	kernels[0].blocks = 0;
	kernels[1].launch = -1;
	kernels[1].goal = (struct warp_goal){.kind = GOAL_SHARE};
	defects(1, "the clock is 0; it must be 1000000 to 100000000000\n"
		   "blocks is 0; it must be 1 to 2147483647\n"
		   "launch is -1; it must be 0 to 100000000000000\n"
		   "the goal's share in millionths is 0; it must be 1 to 1000000");
}
