/* tests/unit/calibration_bench.h - a small machine, kernels whose times can be counted by hand, and
 * their calibration. */
#ifndef CEGSIM_TESTS_UNIT_CALIBRATION_BENCH_H
#define CEGSIM_TESTS_UNIT_CALIBRATION_BENCH_H

#include "policies/registry.h"
#include "scenarios/calibration/calibration.h"
#include "tests/support/test.h"
#include "tests/unit/scenario_reading.h"

/* A sub-core issues one instruction in every cycle. An SM holds two warps, half an SM one. */
#define MACHINE                                                                                              \
	"cegsim: 1\nhorizon: 1ms\n"                                                                          \
	"platform: {gpu: {sms: 4, threads_per_sm: 64}}\n"                                                    \
	"warp:\n  sub_cores: 1\n  units: {int: {latency: 4, interval: 1}}\n  kernels:\n"
#define KERNEL(name, blocks, program)                                                                        \
	"    - {name: " name ", blocks: " blocks ", block_threads: 32, program: [" program "]}\n"
#define BUSY(name, blocks) KERNEL(name, blocks, "{compute: {count: 100}}")
#define LAZY(name, blocks) KERNEL(name, blocks, "{compute: {count: 100, distance: 1}}")
#define DRAWN_PROGRAM                                                                                        \
	"{loop: {times: 20, body: [{load: {l1_hit: 30%, l2_hit: 50%}}, {compute: {count: 3, first: 1}}]}}"
#define DRAWN(name, blocks) KERNEL(name, blocks, DRAWN_PROGRAM)

/* 100 instructions; the last one has its result 4 cycles after it issues. */
#define BUSY_NS 103
#define LAZY_NS 400

struct bench {
	struct reading r;
	struct params params;
	struct warp_options options;
	struct calibration_spec spec;
	struct calibration *c;
};

static const uint32_t all_sms[] = {1, 2, 3, 4};

static inline void set_up(struct bench *b, const char *kernels, const char *scheduler)
{
	struct error err;
	char text[4096];
	const struct policy *policy = policy_find(scheduler);
	*b = (struct bench){0};
	snprintf(text, sizeof(text), "%s%s", MACHINE, kernels);
	b->r = reading("bench.yaml", text);
	if (!b->r.ok)
		fail_msg("%s", b->r.said);
	params_default(&b->params, policy->options);
	assert_true(warp_options_read((enum warp_scheduler_kind)policy->warp_scheduler, &b->params,
		b->r.s.set.warps, &b->r.s.platform, &b->options, &err));
	b->spec = (struct calibration_spec){
		.platform = &b->r.s.platform,
		.set = &b->r.s.set,
		.options = &b->options,
		.seed = 1,
		.draws = 2,
		.sms = all_sms,
		.points = 4,
		.beside = true,
	};
}

static inline void measure(struct bench *b, uint64_t events)
{
	struct error err = {0};
	enum calibration_state state;
	assert_true(calibration_create(&b->spec, &b->c, &err));
	while ((state = calibration_step(b->c, events, &err)) == CALIBRATION_GOES_ON)
		;
	if (state != CALIBRATION_OVER)
		fail_msg("%s", err.text);
	assert_int_equal(calibration_done(b->c), calibration_count(b->c));
}

static inline void tear_down(struct bench *b)
{
	calibration_destroy(b->c);
	reading_finish(&b->r);
}

#endif
