/* tests/unit/test_kernel.c - models/kernel.c: the three ways to give a kernel's time, what its blocks take of
 * an SM, and its power (RTGPU Lemma 5.1; sBEET section III). */
#include <string.h>

#include "models/kernel.h"
#include "models/policy.h"
#include "tests/support/test.h"

static struct platform platform;
static struct taskset set;
static struct segment kernel;
static struct kernel_shape shape;
static struct error err;
static int64_t best[4] = {40, 20, 14, 10}, worst[4] = {48, 24, 16, 12};
static int64_t total[4] = {1000, 1500, 2000, 2500};
static char profile_name[] = "p";
static struct profile profile = {.name = profile_name, .count = 4, .best_ns = best, .worst_ns = worst};
static uint32_t sms_0_1[] = {0, 1}, slots_2_1[] = {2, 1};
static const struct grant two_sms = {.count = 2, .sm = sms_0_1};
static const struct grant three_slots = {.count = 2, .sm = sms_0_1, .slots = slots_2_1, .virtual_sms = 3};

static int begin(void **state)
{
	platform = platform_default();
	platform.sms = 4;
	platform.threads_per_sm = 1024;
	set = (struct taskset){.profiles = &profile, .profile_count = 1};
	profile.total_power_uw = NULL;
	kernel = (struct segment){.kind = SEGMENT_KERNEL, .stream = STREAM_OWN, .bytes = -1, .profile = -1};
	return 0;
}

EACH_TEST(begin, NULL);

static void shaped(uint32_t virtual_sms, const struct grant *grant)
{
	if (!kernel_shape(&platform, &set, &kernel, virtual_sms, grant, &shape, &err))
		fail_msg("%s", err.text);
}

static void times(int64_t low, int64_t high)
{
	assert_int_equal(shape.best_ns, low);
	assert_int_equal(shape.worst_ns, high);
}

/* ---- grid ---- */

static void grid(uint32_t blocks, uint32_t threads, int64_t time)
{
	kernel.form = KERNEL_GRID;
	kernel.grid = blocks;
	kernel.block = threads;
	kernel.best_ns = kernel.worst_ns = time;
}

TEST("blocks of a grid are rounded to warps")
{
	static const uint32_t rounded[][2] = {{1, 32}, {32, 32}, {33, 64}, {1023, 1024}, {1024, 1024}};
	for (size_t i = 0; i < sizeof(rounded) / sizeof(*rounded); i++) {
		grid(7, rounded[i][0], 5);
		kernel.registers = 3;
		kernel.shared_memory = 100;
		shaped(1, NULL);
		assert_int_equal(shape.blocks, 7);
		assert_int_equal(shape.demand.threads, rounded[i][1]);
		assert_int_equal(shape.demand.warps, rounded[i][1] / 32);
		assert_int_equal(shape.demand.registers, 3 * rounded[i][1]);
		assert_int_equal(shape.demand.shared_memory, 100);
		assert_int_equal(shape.demand.virtual_sms, 0);
		assert_int_equal(shape.sms, 4);
	}
	platform.pool = POOL_GPU;
	grid(7, 33, 5);
	shaped(1, NULL);
	assert_int_equal(shape.demand.threads, 33);
}

TEST("the most binding limit says how many are resident")
{
	grid(100, 64, 5);
	kernel.registers = 10;
	kernel.shared_memory = 7;
	shaped(1, NULL);
	assert_int_equal(kernel_resident(&platform, 1, &shape.demand), 16);
	platform.blocks_per_sm = 32;
	assert_int_equal(kernel_resident(&platform, 1, &shape.demand), 16);
	platform.blocks_per_sm = 15;
	assert_int_equal(kernel_resident(&platform, 1, &shape.demand), 15);
	platform.warps_per_sm = 29;
	assert_int_equal(kernel_resident(&platform, 1, &shape.demand), 14);
	platform.registers_per_sm = 640 * 13 + 639;
	assert_int_equal(kernel_resident(&platform, 1, &shape.demand), 13);
	platform.shared_memory_per_sm = 7 * 12 + 6;
	assert_int_equal(kernel_resident(&platform, 1, &shape.demand), 12);
	platform.shared_memory_per_sm = 6;
	assert_int_equal(kernel_resident(&platform, 1, &shape.demand), 0);
	platform = platform_default();
	platform.sms = 4;
	assert_int_equal(kernel_resident(&platform, 1, &shape.demand), UINT32_MAX);
	platform.pool = POOL_GPU;
	platform.threads_per_sm = 100;
	shape.demand.threads = 33;
	assert_int_equal(kernel_resident(&platform, 1, &shape.demand), 12);
}

TEST("a grid runs in waves")
{
	platform.threads_per_sm = 128;
	grid(16, 32, 5); /* 4 on each of 4 SMs */
	shaped(1, NULL);
	assert_int_equal(kernel_time(&platform, 1, &shape, NULL), 5);
	grid(17, 32, 5);
	shaped(1, NULL);
	assert_int_equal(kernel_time(&platform, 1, &shape, NULL), 10);
	shaped(1, &two_sms);
	assert_int_equal(shape.sms, 2);
	assert_int_equal(kernel_time(&platform, 1, &shape, &two_sms), 15);
	shaped(2, &three_slots); /* one block on each virtual SM */
	assert_int_equal(shape.demand.virtual_sms, 1);
	assert_int_equal(kernel_time(&platform, 2, &shape, &three_slots), 30);
	grid(1, 32, INT64_MAX);
	shaped(1, NULL);
	assert_int_equal(kernel_time(&platform, 1, &shape, NULL), INT64_MAX);
	grid(17, 32, INT64_MAX / 2 + 1);
	shaped(1, NULL);
	assert_int_equal(kernel_time(&platform, 1, &shape, NULL), INT64_MAX);
	shape.demand.threads = 256;
	assert_int_equal(kernel_time(&platform, 1, &shape, NULL), INT64_MAX); /* fits nowhere */
}

/* ---- work ---- */

static struct interleave alphas[2] = {{2, 18, 10}, {4, 31, 10}};

static void work(int64_t low, int64_t high, int64_t overhead)
{
	kernel.form = KERNEL_WORK;
	kernel.best_ns = low;
	kernel.worst_ns = high;
	kernel.overhead_ns = overhead;
	kernel.interleave = alphas;
	kernel.interleaves = 2;
}

TEST("lemma 5.1")
{
	work(801, 1001, 7);
	shaped(1, NULL); /* V = 4: [ceil(801 / 4), ceil(994 / 4 + 7)] */
	times(201, 256);
	assert_int_equal(shape.blocks, 4);
	shaped(2, NULL); /* V = 8, alpha 1.8: ceil((1801.8 - 7) / 8 + 7) = ceil(231.35) */
	times(101, 232);
	assert_int_equal(shape.blocks, 8);
	shaped(4, NULL); /* V = 16, alpha 3.1: ceil((3103.1 - 7) / 16 + 7) = ceil(200.506..) */
	times(51, 201);
	shaped(2, &two_sms); /* V = 4 */
	times(201, 456);
	assert_int_equal(shape.blocks, 4);
	shaped(2, &three_slots); /* V = 3: ceil(1794.8 / 3 + 7) = ceil(605.26..) */
	times(267, 606);
	assert_int_equal(shape.blocks, 3);
}

/* On any number of virtual SMs, in the best case and the worst, besides GL. */
TEST("pinning takes time of its own")
{
	static uint32_t one[1] = {0};
	const struct grant slot = {.count = 1, .slots = one, .virtual_sms = 1};
	work(801, 1001, 7);
	platform.pin_overhead_ns = 1000;
	shaped(1, NULL);
	times(1201, 1256);
	shaped(2, NULL);
	times(1101, 1232);
	shaped(2, &slot); /* V = 1: [801, 1801.8] and 1000 */
	times(1801, 2802);
	work(8, 8, 100); /* more overhead than work */
	shaped(1, NULL);
	times(1002, 1077);
	work(0, 0, 0);
	shaped(1, NULL);
	times(1000, 1000);
	kernel.form = KERNEL_GRID; /* blocks of a grid are not pinned */
	kernel.best_ns = kernel.worst_ns = 5;
	shaped(1, NULL);
	times(5, 5);
}

TEST("exact quotients are not rounded")
{
	work(800, 1000, 0);
	shaped(1, NULL);
	times(200, 250);
	work(0, 0, 0);
	shaped(1, NULL);
	times(0, 0);
}

TEST("overhead beyond the work")
{
	work(8, 8, 100); /* ceil((8 - 100) / 4 + 100) = 77 */
	shaped(1, NULL);
	times(2, 77);
	platform.sms = 1; /* one virtual SM: the work alone */
	shaped(1, NULL);
	times(8, 8);
}

TEST("the upper end is never below the lower")
{
	static struct interleave less = {2, 1, 2}; /* alpha < 1, which taskset_check() refuses */
	work(1000, 1000, 0);
	kernel.interleave = &less;
	kernel.interleaves = 1;
	shaped(2, NULL);
	times(125, 125);
}

TEST("work without alpha or range is refused")
{
	work(1, 2, 0);
	assert_false(kernel_shape(&platform, &set, &kernel, 3, NULL, &shape, &err));
	assert_string_equal(err.text, "has no interleave ratio for 3 virtual SMs per SM");
	platform.sms = 1;
	work(1, INT64_MAX, INT64_MAX);
	shaped(1, NULL);
	times(1, INT64_MAX);
	platform.pin_overhead_ns = 1;
	assert_false(kernel_shape(&platform, &set, &kernel, 1, NULL, &shape, &err));
	assert_non_null(strstr(err.text, "64 bits"));
	platform.pin_overhead_ns = 0;
	alphas[0].numerator = 100;
	work(1, INT64_MAX, 0);
	assert_false(kernel_shape(&platform, &set, &kernel, 2, NULL, &shape, &err));
	alphas[0].numerator = 18;
	assert_non_null(strstr(err.text, "64 bits"));
}

TEST("persistent blocks take their share")
{
	static const uint32_t share[][3] = {
		/* threads per SM, V_SM, threads of a block */
		{1024, 1, 1024},
		{1024, 2, 512},
		{1000, 2, 480},
		{100, 4, 32},
		{40, 1, 32},
		{0, 2, 0},
	};
	work(1, 2, 0);
	for (size_t i = 0; i < sizeof(share) / sizeof(*share); i++) {
		platform.threads_per_sm = share[i][0];
		shaped(share[i][1], NULL);
		assert_int_equal(shape.demand.threads, share[i][2]);
		assert_int_equal(shape.demand.warps, share[i][2] / 32);
		assert_int_equal(shape.demand.virtual_sms, 1);
		assert_int_equal(shape.demand.registers, 0);
	}
	platform.pool = POOL_GPU;
	platform.threads_per_sm = 1001;
	shaped(2, NULL);
	assert_int_equal(shape.demand.threads, 500);
}

/* ---- profiles ---- */

static void profiled(void)
{
	kernel.form = KERNEL_PROFILE;
	kernel.profile = 0;
}

TEST("profiles are looked up by SMs")
{
	profiled();
	shaped(1, NULL);
	times(10, 12);
	assert_int_equal(shape.blocks, 4);
	assert_int_equal(shape.demand.threads, 1024);
	shaped(1, &two_sms);
	times(20, 24);
	assert_int_equal(shape.blocks, 2);
	shaped(2, NULL);
	assert_int_equal(shape.demand.virtual_sms, 2);
	assert_int_equal(shape.blocks, 4);
	shaped(2, &three_slots); /* ceil(3 / 2) = 2 SMs' time, a block on each virtual SM */
	times(20, 24);
	assert_int_equal(shape.blocks, 3);
	assert_int_equal(shape.demand.virtual_sms, 1);
	assert_int_equal(shape.demand.threads, 512);
	platform.threads_per_sm = 1000;
	shaped(1, NULL); /* the whole SM: not rounded */
	assert_int_equal(shape.demand.threads, 1000);
	assert_int_equal(shape.demand.warps, 32);
}

TEST("a profile that is too short is refused")
{
	profiled();
	platform.sms = 5;
	assert_false(kernel_shape(&platform, &set, &kernel, 1, NULL, &shape, &err));
	assert_string_equal(err.text, "has no time for 5 SMs: profile 'p' ends at 4");
}

/* ---- power ---- */

TEST("dynamic power")
{
	platform.static_uw = 100;
	platform.idle_per_sm_uw = 10;
	grid(1, 32, 1);
	kernel.power_uw = 7;
	assert_int_equal(kernel_dynamic_power(&platform, &set, &kernel, 3), 21);
	profiled();
	assert_int_equal(kernel_dynamic_power(&platform, &set, &kernel, 3), 21);
	profile.total_power_uw = total;
	assert_int_equal(kernel_dynamic_power(&platform, &set, &kernel, 3), 2000 - 100 - 10);
	assert_int_equal(kernel_dynamic_power(&platform, &set, &kernel, 4), 2400);
	total[0] = 50; /* an odd profile */
	assert_int_equal(kernel_dynamic_power(&platform, &set, &kernel, 1), 50 - 100 - 30);
	total[0] = 1000;
}
