/* tests/unit/test_power.c - models/power.c: power from the blocks on the SMs, and its exact integral (sBEET
 * eq. 1-5; docs/model.md, "Power and energy"). */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "models/power.h"
#include "tests/support/test.h"

static struct platform platform;
static struct segment segments[3];
static struct task tasks[3];
static int64_t time_ns[4] = {1, 1, 1, 1}, total_uw[4] = {1000, 1200, 1401, 1600};
static struct profile profile = {.count = 4, .best_ns = time_ns, .worst_ns = time_ns};
static struct taskset set;
static struct power power;
static struct arena arena;
static char text[1024];

/* "start-end power active/idle" */
static bool note(void *self, int64_t start, int64_t end, int64_t uw, uint32_t active, uint32_t idle)
{
	size_t used = strlen(text);
	(void)self;
	snprintf(text + used, sizeof(text) - used, "%" PRId64 "-%" PRId64 " %" PRId64 " %u/%u; ", start, end,
		uw, active, idle);
	return true;
}

/* Four SMs; kernels of 7, 10 and 13 uW per SM; P_s = 100, P_idle = 3. */
static int begin(void **state)
{
	platform = platform_default();
	platform.sms = 4;
	platform.threads_per_sm = 100;
	platform.static_uw = 100;
	platform.idle_per_sm_uw = 3;
	for (int i = 0; i < 3; i++) {
		segments[i] = (struct segment){
			.kind = SEGMENT_KERNEL,
			.form = KERNEL_GRID,
			.power_uw = 7 + 3 * i,
			.stream = STREAM_OWN,
		};
		tasks[i] = (struct task){.segments = &segments[i], .segment_count = 1};
	}
	profile.total_power_uw = total_uw;
	set = (struct taskset){.tasks = tasks, .task_count = 3, .profiles = &profile, .profile_count = 1};
	text[0] = '\0';
	return 0;
}

static int end(void **state)
{
	arena_finish(&arena);
	return 0;
}

static void watch(void)
{
	assert_true(power_init(&power, &arena, &platform, &set, note, NULL));
}

/* Blocks of one task's kernel, which was started on m SMs, on one SM. */
static void blocks(int64_t now, bool start, uint32_t task, uint32_t block, uint32_t count, uint16_t sm,
	uint32_t threads, uint32_t m)
{
	const struct trace_record r = {
		.time = now,
		.kind = start ? TRACE_BLOCKS_START : TRACE_BLOCKS_END,
		.task = task,
		.block = block,
		.count = count,
		.index = sm,
		.threads = threads,
		.m = m,
	};
	assert_true(power_observe(&power, &r, 1));
}

/* Static, idle and dynamic energy add up to the last digit. */
static void adds_up(int64_t when)
{
	int128 idle = (int128)platform.sms * power.active_ns - power.sm_active_ns;
	int128 sum = (int128)platform.static_uw * when + platform.idle_per_sm_uw * idle;
	for (uint32_t i = 0; i < set.task_count; i++)
		sum += power_task_energy(&power, i);
	assert_true(sum == power.energy_uwns);
}

static void ends_at(int64_t when, const char *intervals, int64_t energy)
{
	assert_true(power_end(&power, when));
	assert_string_equal(text, intervals);
	assert_int_equal((int64_t)power.energy_uwns, energy);
	adds_up(when);
}

static void of_tasks(int64_t first, int64_t second, int64_t third)
{
	assert_int_equal((int64_t)power_task_energy(&power, 0), first);
	assert_int_equal((int64_t)power_task_energy(&power, 1), second);
	assert_int_equal((int64_t)power_task_energy(&power, 2), third);
}

TEST("nothing runs", .setup_func = begin, .teardown_func = end)
{
	watch();
	ends_at(10, "0-10 100 0/4; ", 1000);
}

TEST("active and idle SMs", .setup_func = begin, .teardown_func = end)
{
	watch();
	blocks(2, true, 0, 0, 1, 1, 32, 4);
	blocks(5, true, 0, 1, 1, 2, 32, 4);
	blocks(6, false, 0, 0, 1, 1, 32, 4);
	blocks(8, false, 0, 1, 1, 2, 32, 4);
	/* 100 + 7 + 3 * 3; 100 + 14 + 2 * 3 */
	ends_at(10, "0-2 100 0/4; 2-5 116 1/3; 5-6 120 2/2; 6-8 116 1/3; 8-10 100 0/4; ",
		200 + 3 * 116 + 120 + 2 * 116 + 200);
	of_tasks(7 * 7, 0, 0);
	assert_int_equal(power.active_ns, 6);
	assert_int_equal((int64_t)power.sm_active_ns, 7);
}

TEST("a change and back in one instant is none", .setup_func = begin, .teardown_func = end)
{
	watch();
	blocks(0, true, 0, 0, 1, 1, 32, 4);
	blocks(5, false, 0, 0, 1, 1, 32, 4);
	blocks(5, true, 0, 0, 1, 3, 32, 4);
	ends_at(10, "0-10 116 1/3; ", 1160);
}

TEST("more blocks on an active SM change nothing", .setup_func = begin, .teardown_func = end)
{
	watch();
	blocks(0, true, 0, 0, 1, 1, 32, 4);
	blocks(4, true, 0, 1, 3, 1, 32, 4);
	blocks(6, false, 0, 0, 1, 1, 32, 4);
	ends_at(10, "0-10 116 1/3; ", 1160);
}

/* 32 threads at 7, 64 at 10: 864 / 96 = 9. */
TEST("a shared SM takes the mean by threads", .setup_func = begin, .teardown_func = end)
{
	watch();
	blocks(0, true, 0, 0, 1, 0, 32, 4);
	blocks(0, true, 1, 0, 2, 0, 32, 4);
	ends_at(1, "0-1 118 1/3; ", 118);
	of_tasks(2, 7, 0); /* 224 / 96 = 2.3 of the 9 */
}

/* (7 + 10) / 2 = 8.5 -> 8; (10 + 13) / 2 = 11.5 -> 12. */
TEST("half to even", .setup_func = begin, .teardown_func = end)
{
	watch();
	blocks(0, true, 0, 0, 1, 0, 32, 4);
	blocks(0, true, 1, 0, 1, 0, 32, 4);
	blocks(1, false, 0, 0, 1, 0, 32, 4);
	blocks(1, true, 2, 0, 1, 0, 32, 4);
	ends_at(2, "0-1 117 1/3; 1-2 121 1/3; ", 238);
	of_tasks(4, 4 + 5, 7); /* 3.5 -> 4 of 8; 5 of 12 */
}

/* 32 threads at 7, 10 and 13 in turn: 7/3 = 2.3, 17/3 = 5.7, 10, whichever came first. */
TEST("shares go by task index")
{
	static const uint32_t order[6][3] = {
		{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
	for (int i = 0; i < 6; i++) {
		begin(state);
		watch();
		for (int j = 0; j < 3; j++)
			blocks(0, true, order[i][j], 0, 1, 3, 32, 4);
		assert_true(power_end(&power, 10));
		of_tasks(20, 40, 40);
		end(state);
	}
}

/* A task's share changes when another comes to its SM and leaves. */
TEST("others change a share", .setup_func = begin, .teardown_func = end)
{
	watch();
	blocks(0, true, 1, 0, 2, 2, 32, 4);
	blocks(1, true, 0, 0, 2, 2, 32, 4);  /* 3.5 -> 4 of 8 */
	blocks(3, false, 1, 0, 1, 2, 32, 4); /* 14 / 3 = 4.7 of 24 / 3 = 8 */
	blocks(6, false, 1, 1, 1, 2, 32, 4);
	assert_true(power_end(&power, 10));
	of_tasks(2 * 4 + 3 * 5 + 4 * 7, 10 + 2 * 4 + 3 * 3, 0);
	adds_up(10);
}

TEST("without threads by blocks", .setup_func = begin, .teardown_func = end)
{
	watch();
	blocks(0, true, 0, 0, 1, 0, 0, 4);
	blocks(0, true, 1, 0, 2, 0, 0, 4); /* (7 + 2 * 10) / 3 = 9 */
	ends_at(1, "0-1 118 1/3; ", 118);
}

/* P_d(3) = 1401 - 100 - 3 = 1298; on one SM 1298 / 3 -> 433; alone on all three it is exact. */
TEST("a profile counts exactly when alone on all its SMs", .setup_func = begin, .teardown_func = end)
{
	segments[0].form = KERNEL_PROFILE;
	watch();
	for (uint16_t sm = 0; sm < 3; sm++)
		blocks(sm, true, 0, sm, 1, sm, 0, 3);
	blocks(5, true, 1, 0, 1, 2, 0, 4); /* shares SM 2: (433 + 10) / 2 = 221.5 -> 222 */
	blocks(6, false, 1, 0, 1, 2, 0, 4);
	blocks(7, true, 1, 0, 1, 3, 0, 4); /* beside it, no sharing */
	ends_at(9, "0-1 542 1/3; 1-2 972 2/2; 2-5 1401 3/1; 5-6 1191 3/1; 6-7 1401 3/1; 7-9 1408 4/0; ",
		542 + 972 + 3 * 1401 + 1191 + 1401 + 2 * 1408);
	/* on the shared SM 433 / 2 = 216.5 -> 216 of the 222 */
	of_tasks(433 + 2 * 433 + 3 * 1298 + 2 * 433 + 216 + 3 * 1298, 6 + 2 * 10, 0);
}

TEST("pool GPU counts threads", .setup_func = begin, .teardown_func = end)
{
	platform.pool = POOL_GPU;
	watch();
	blocks(0, true, 0, 0, 1, 0, 100, 4);  /* 1 SM: 7 */
	blocks(1, true, 1, 0, 1, 0, 1, 4);    /* 101 threads: 2 SMs, mean 710 / 101 -> 7 */
	blocks(2, true, 1, 1, 3, 0, 33, 4);   /* 200 threads: 2 SMs, mean (700 + 1000) / 200 = 8.5 -> 8 */
	blocks(3, false, 0, 0, 1, 0, 100, 4); /* 100 threads at 10 */
	blocks(4, false, 1, 0, 1, 0, 1, 4);
	blocks(4, false, 1, 1, 3, 0, 33, 4);
	ends_at(6, "0-1 116 1/3; 1-2 120 2/2; 2-3 122 2/2; 3-4 119 1/3; 4-6 100 0/4; ",
		116 + 120 + 122 + 119 + 200);
	/* 1-2: 700 / 101 -> 7 of 7; 2-3: 700 / 200 = 3.5 -> 4 of 8; on two SMs each */
	of_tasks(7 + 2 * 7 + 2 * 4, 0 + 2 * 4 + 10, 0);
	assert_int_equal(power.active_ns, 4);
	assert_int_equal((int64_t)power.sm_active_ns, 1 + 2 + 2 + 1);
}

/* ---- any blocks whatever ---- */

/* A plain linear congruential generator. */
static uint32_t draw_below(uint32_t bound)
{
	static uint64_t drawn = 8;
	drawn = drawn * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(drawn >> 33) % bound;
}

struct load {
	uint32_t on[4], kernel_blocks, threads;
	double ideal; /* its exact part of the SMs' means */
};

static uint32_t pool_threads(const struct load load[3])
{
	uint32_t threads = 0;
	for (int i = 0; i < 3; i++)
		threads += load[i].on[0] * load[i].threads;
	return threads;
}

/* Starts or ends a random block of a kernel on an SM. `load` follows what runs: for the power without
 * rounding. */
static void one_change(struct load load[3], int64_t now, bool pooled)
{
	uint32_t task = draw_below(3), sm = pooled ? 0 : draw_below(4);
	struct load *l = &load[task];
	if (l->kernel_blocks == 0 && l->on[0] + l->on[1] + l->on[2] + l->on[3] == 0)
		l->threads = pooled ? 1 + draw_below(90) : 32 * draw_below(3);
	if (l->on[sm] > 0 && draw_below(2)) {
		l->on[sm]--;
		blocks(now, false, task, 7, 1, (uint16_t)sm, l->threads, 3);
		if (l->on[0] + l->on[1] + l->on[2] + l->on[3] == 0)
			l->kernel_blocks = 0;
	} else if (!pooled || pool_threads(load) + l->threads <= 400) {
		l->on[sm]++;
		blocks(now, true, task, l->kernel_blocks++, 1, (uint16_t)sm, l->threads, 3);
	}
}

static void pass(struct load load[3], int64_t ns, bool pooled)
{
	for (int sm = 0; sm < 4; sm++) {
		double threads = 0, count = 0;
		for (int i = 0; i < 3; i++) {
			threads += load[i].on[sm] * load[i].threads;
			count += load[i].on[sm];
		}
		for (int i = 0; i < 3 && count > 0; i++) {
			double weight = threads > 0 ? load[i].on[sm] * load[i].threads / threads
						    : load[i].on[sm] / count;
			double each =
				(double)segments[i].power_uw * (pooled ? (pool_threads(load) + 99) / 100 : 1);
			load[i].ideal += weight * each * (double)ns;
		}
	}
}

TEST("any blocks add up")
{
	for (int run = 0; run < 400; run++) {
		struct load load[3] = {0};
		int64_t now = 0;
		bool pooled = run % 4 == 3;
		begin(state);
		platform.pool = pooled ? POOL_GPU : POOL_SM;
		segments[2].power_uw = run % 5 - 2;
		watch();
		for (int i = 0; i < 60; i++) {
			one_change(load, now, pooled);
			int64_t ns = draw_below(3);
			pass(load, ns, pooled);
			now += ns;
		}
		text[0] = '\0'; /* too many intervals to look at */
		assert_true(power_end(&power, now));
		adds_up(now);
		for (uint32_t i = 0; i < 3; i++) {
			double off = (double)(int64_t)power_task_energy(&power, i) - load[i].ideal;
			assert_true(off <= 4.0 * (double)now && off >= -4.0 * (double)now);
		}
		end(state);
	}
}

static bool refuse(void *self, int64_t start, int64_t end, int64_t uw, uint32_t active, uint32_t idle)
{
	(void)self;
	(void)uw;
	(void)active;
	(void)idle;
	return end <= start;
}

TEST("an observer of intervals can say stop", .setup_func = begin, .teardown_func = end)
{
	const struct trace_record r = {
		.time = 5, .kind = TRACE_BLOCKS_START, .count = 1, .threads = 32, .m = 4};
	const struct trace_record later = {
		.time = 6, .kind = TRACE_BLOCKS_END, .count = 1, .threads = 32, .m = 4};
	assert_true(power_init(&power, &arena, &platform, &set, refuse, NULL));
	assert_true(power_observe(&power, &r, 1));
	assert_false(power_observe(&power, &later, 1));
}

TEST("energies beyond 64 bits", .setup_func = begin, .teardown_func = end)
{
	platform.static_uw = INT64_C(1000000000); /* 1 kW */
	watch();
	assert_true(power_end(&power, INT64_C(1) << 60));
	assert_true(power.energy_uwns == (int128)1000000000 << 60);
}

TEST("whether there is power to follow", .setup_func = begin, .teardown_func = end)
{
	assert_true(power_given(&platform, &set));
	platform.static_uw = platform.idle_per_sm_uw = 0;
	assert_true(power_given(&platform, &set));
	for (int i = 0; i < 3; i++)
		segments[i].power_uw = 0;
	assert_false(power_given(&platform, &set));
	segments[1].form = KERNEL_PROFILE;
	assert_true(power_given(&platform, &set));
	total_uw[3] = 0; /* as nothing on all SMs, but something on fewer */
	assert_true(power_given(&platform, &set));
	total_uw[3] = 1600;
	profile.total_power_uw = NULL;
	assert_false(power_given(&platform, &set));
	platform.sms = 0;
	platform.static_uw = 1;
	assert_true(power_given(&platform, &set));
}

/* P_d(m) = total - 1000 - 10 (4 - m) below 0. */
TEST("profiles below idle power", .setup_func = begin, .teardown_func = end)
{
	static int64_t low[] = {1029, 1019, 1011, 1100}, fine[] = {1030, 1020, 1010, 1000};
	uint32_t task = 9, segment = 9, most = 9;
	platform.static_uw = 1000;
	platform.idle_per_sm_uw = 10;
	platform.sms = 4;
	struct segment kernel = {.kind = SEGMENT_KERNEL, .form = KERNEL_PROFILE, .profile = 0};
	struct segment copy = {.kind = SEGMENT_COPY};
	struct segment both[] = {copy, kernel};
	struct task one = {.segments = both, .segment_count = 2};
	struct profile measured = {.count = 4, .total_power_uw = fine};
	const struct taskset single = {
		.tasks = &one, .task_count = 1, .profiles = &measured, .profile_count = 1};
	assert_false(power_below_idle(&platform, &single, &task, &segment, &most));
	measured.total_power_uw = low;
	assert_true(power_below_idle(&platform, &single, &task, &segment, &most));
	assert_int_equal(task, 0);
	assert_int_equal(segment, 1);
	assert_int_equal(most, 2);
}
