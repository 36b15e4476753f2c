/* tests/oracle/warp_by_hand.h - small scenes of warps, written out in a test, and checks of their results.
 * Include it after cmocka.h. */
#ifndef CEGSIM_TESTS_ORACLE_WARP_BY_HAND_H
#define CEGSIM_TESTS_ORACLE_WARP_BY_HAND_H

#include "tests/oracle/warp_plain.h"
#include "tests/support/test.h"

#define KERNELS 3
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define STEP(k, n, d, f, l)                                                                                  \
	{                                                                                                    \
		.kind = (k), .count = (n), .threads = 32, .distance = (d), .first = (f), .latency = (l),     \
		.coalescing_ppm = 1000000, .bytes = 4                                                        \
	}
#define COMPUTE(n, d, f, l) STEP(STEP_COMPUTE, n, d, f, l)
#define BARRIER STEP(STEP_BARRIER, 1, 0, 0, 0)
#define LOOP(n, steps)                                                                                       \
	{                                                                                                    \
		.kind = STEP_LOOP, .count = (n), .body = (steps)                                             \
	}

struct scene {
	struct platform platform;
	struct warp_set set;
	struct warp_kernel kernel[KERNELS];
	struct run_setup setup;
	struct warp_options options;
	struct plain_input input;
};

/* One SM with one sub-core at 1 GHz. Every latency and interval is 1; scheduler `oldest`, no manager; the run
 * stops when drained. */
static inline void scene_init(struct scene *s)
{
	*s = (struct scene){.platform = {.cores = 1, .engines = 1, .sms = 1, .sms_per_tpc = 1}};
	s->set = (struct warp_set){
		.machine = {.clock_hz = 1000000000,
			.sub_cores = 1,
			.shared_latency = 1,
			.l1_latency = 1,
			.l2_latency = 1,
			.dram_latency = 1,
			.bandwidth = 100000},
	};
	for (int unit = 0; unit < WARP_UNITS; unit++)
		s->set.machine.latency[unit] = s->set.machine.interval[unit] = 1;
	s->set.kernels = s->kernel;
	s->setup = (struct run_setup){.horizon_ns = 10, .limit_ns = 1000, .stop = STOP_DRAINED, .seed = 7};
	s->options = (struct warp_options){
		.scheduler = SCHEDULE_OLDEST,
		.active = 8,
		.epoch = 1000,
		.samples = 10,
		.history = true,
		.adjust = true,
	};
	for (uint32_t k = 0; k < WARP_KERNELS_MAX; k++)
		s->options.budget[k] = 1;
	s->input = (struct plain_input){
		.platform = &s->platform,
		.set = &s->set,
		.setup = &s->setup,
		.options = &s->options,
		.only = PLAIN_ALL,
	};
}

static inline struct warp_kernel *add(
	struct scene *s, uint32_t blocks, uint32_t threads, struct warp_step *steps, uint32_t count)
{
	struct warp_kernel *k = &s->kernel[s->set.kernel_count++];
	*k = (struct warp_kernel){
		.blocks = blocks,
		.block_threads = threads,
		.steps = steps,
		.step_count = count,
		.stream = STREAM_OWN,
	};
	return k;
}
#define ADD(scene, blocks, threads, steps) add(scene, blocks, threads, steps, (uint32_t)COUNT(steps))

static inline void expect_cycles(const struct plain_result *r, const int64_t *cycles, size_t count)
{
	assert_int_equal(r->issues.count, count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(r->issues.row[i].cycle, cycles[i]);
}
#define EXPECT_CYCLES(r, ...)                                                                                \
	do {                                                                                                 \
		const int64_t cycles_[] = {__VA_ARGS__};                                                     \
		expect_cycles(r, cycles_, COUNT(cycles_));                                                   \
	} while (0)

static inline void expect_warps(const struct plain_result *r, const int *warps, size_t count)
{
	assert_int_equal(r->issues.count, count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(r->issues.row[i].warp, warps[i]);
}
#define EXPECT_WARPS(r, ...)                                                                                 \
	do {                                                                                                 \
		const int warps_[] = {__VA_ARGS__};                                                          \
		expect_warps(r, warps_, COUNT(warps_));                                                      \
	} while (0)

static inline const struct plain_job_end *job(const struct plain_result *r, uint32_t kernel, uint32_t number)
{
	for (size_t i = 0; i < r->jobs.count; i++) {
		if (r->jobs.row[i].kernel == kernel && r->jobs.row[i].job == number)
			return &r->jobs.row[i];
	}
	fail_msg("kernel %u has no job %u", kernel, number);
	return NULL;
}

static inline void expect_job(
	const struct plain_result *r, uint32_t kernel, uint32_t number, int64_t release, int64_t end)
{
	assert_int_equal(job(r, kernel, number)->release, release);
	assert_int_equal(job(r, kernel, number)->end, end);
	assert_true(job(r, kernel, number)->finished);
}

/* Finds the stay that began at `start`, and checks it. */
static inline void expect_stay(const struct plain_result *r, uint32_t kernel, uint32_t block, uint32_t sm,
	int64_t start, int64_t end, enum plain_how how)
{
	for (size_t i = 0; i < r->stays.count; i++) {
		const struct plain_stay *s = &r->stays.row[i];
		if (s->kernel != kernel || s->block != block || s->start != start)
			continue;
		assert_int_equal(s->sm, sm);
		assert_int_equal(s->end, end);
		assert_int_equal(s->how, how);
		return;
	}
	fail_msg("block %u of kernel %u was not placed at %d", block, kernel, (int)start);
}

#endif
