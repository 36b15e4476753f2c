/* tests/property/test_variants.c - a campaign of a scenario against scenarios edited by hand: random values
 * at random paths, as axes or fixed; a random point of the grid must have the schedules of the scenario into
 * whose text the same values were written. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "runs/run.h"
#include "scenarios/campaign_file.h"
#include "tests/support/test.h"

TEST_NUMBER(cases, TEST_CASES(400));

#define VALUES_MAX 3
#define KEYS (sizeof(keys) / sizeof(keys[0]))

/* The first value is the scenario's. Every combination must be sound. */
static const struct {
	const char *path, *values[VALUES_MAX];
} keys[] = {
	{"horizon", {"300", "{hyperperiods: 1}", "120ms"}},
	{"stop", {"drained", "horizon", NULL}},
	{"execution", {"uniform", "worst", "{scale: 50%}"}},
	{"release", {"periodic", "{sporadic: {max_delay: 20%}}", NULL}},
	{"on_miss", {"continue", "drop", "abort"}},
	{"platform.preset", {"jetson-tx1", "jetson-agx-xavier", "titan-v"}},
	{"platform.copy.bandwidth", {"5GB/s", "800MB/s", "12GB/s"}},
	{"platform.copy.engines", {"1", "2", "unlimited"}},
	{"tasks.camera.deadline", {"33", "15", "30ms"}},
	{"tasks.camera.segments.0.cpu", {"[0.5, 2]", "1", "[1, 4]"}},
	{"tasks.camera.segments.2.grid", {"64", "7", "200"}},
	{"tasks.1.period", {"22", "33", "44ms"}},
	{"tasks.radar.segments.1.kernel",
		{"{grid: 16, block: 128, block_time: [0.4, 1]}", "{work: [1, 2]}", NULL}},
	{"policies.rm.unit", {"section", "kernel", NULL}},
	{"policies.0.order", {"head", "release", NULL}},
};

static void write_scenario(struct text *out, const unsigned value[KEYS])
{
	const char *v[KEYS];
	for (size_t i = 0; i < KEYS; i++)
		v[i] = keys[i].values[value[i]];
	text_clear(out);
	text_printf(out,
		"cegsim: 1\ntime_unit: ms\nhorizon: %s\nstop: %s\nexecution: %s\nrelease: %s\non_miss: %s\n"
		"platform: {preset: %s, copy: {bandwidth: %s, engines: %s, latency: 8us}}\ntasks:\n"
		"  - {name: camera, period: 33, deadline: %s, segments: [{cpu: %s}, {copy: to_gpu, "
		"bytes: 4MiB},\n"
		"      {kernel: {grid: %s, block: 256, block_time: [0.6, 1.2]}}, {copy: to_cpu, time: 1}]}\n"
		"  - {name: radar, period: %s, segments: [{copy: to_gpu, bytes: 1MiB}, {kernel: %s}]}\n"
		"policies: [{name: fifo-cke, order: %s}, {name: rm, unit: %s}]\n",
		v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12], v[14],
		v[13]);
}

static unsigned draw(uint64_t number, unsigned what, unsigned below)
{
	const struct random_key key = {.seed = number, .task = what};
	return (unsigned)(random_bits(&key, 0) % below);
}

static unsigned value_count(size_t key)
{
	return keys[key].values[2] ? 3 : 2;
}

/* Writes a campaign; `value` gets the values at its point, which is returned. */
static uint32_t write_campaign(uint64_t number, struct text *out, unsigned value[KEYS])
{
	uint32_t point = 0;
	text_clear(out);
	text_add(out,
		"cegsim-campaign: 1\nseed: 77\ngenerate:\n  recipe: scenario\n  file: a.yaml\n  set:\n    "
		"platform.copy.latency: 8us\n");
	/* In another order than the scenario's, from a random key on */
	for (size_t k = 0; k < KEYS; k++) {
		size_t i = (k + draw(number, 0, KEYS)) % KEYS;
		unsigned what = 4 * (unsigned)i, form = draw(number, what + 1, 4);
		value[i] = form < 2 ? 0 : draw(number, what + 2, value_count(i));
		if (form < 2)
			continue;
		text_printf(out, "    %s: [", keys[i].path);
		if (form == 2) {
			text_printf(out, "%s]\n", keys[i].values[value[i]]);
			continue;
		}
		for (unsigned n = 0; n < value_count(i); n++)
			text_printf(out, "%s%s", n ? ", " : "", keys[i].values[n]);
		text_add(out, "]\n");
		point = point * value_count(i) + value[i];
	}
	return point;
}

static uint64_t schedule(const struct scenario *s, uint32_t policy)
{
	struct run *run;
	struct run_result result;
	struct error err;
	bool exists;
	enum run_state state;
	const struct run_spec spec = {
		.platform = &s->platform,
		.set = &s->set,
		.setup = &s->setup,
		.policy = s->policies[policy].policy,
		.params = &s->policies[policy].params,
		.record = RECORD_SUMMARY,
	};
	assert_true(run_begin(&spec, NULL, &run, &exists, &err));
	while ((state = run_step(run, 100000, &err)) == RUN_GOES_ON)
		;
	assert_int_equal(state, RUN_OVER);
	assert_true(run_finish(run, &result, &err));
	run_destroy(run);
	assert_int_not_equal(result.status, RUN_ERROR);
	return result.outcome.digest;
}

static void compare(const struct campaign *c, uint32_t point, const char *edited, uint64_t digests[2])
{
	const struct stored_files stored = {0};
	struct scenario ours, by_hand;
	struct diagnostics d;
	struct error err;
	diagnostics_init(&d, "a.yaml");
	if (!campaign_scenario(c, point, &stored, &ours, &err))
		fail_msg("%s", err.text);
	if (!scenario_read_text("a.yaml", edited, strlen(edited), &by_hand, &d))
		fail_msg("%s\n%s", d.items[0].text, edited);
	by_hand.setup.seed = 77;
	assert_int_equal(ours.policy_count, 2);
	for (uint32_t policy = 0; policy < 2; policy++) {
		digests[policy] = schedule(&ours, policy);
		assert_int_equal(digests[policy], schedule(&by_hand, policy));
	}
	diagnostics_finish(&d);
	scenario_finish(&ours);
	scenario_finish(&by_hand);
}

TEST("a point of a campaign has the schedules of the scenario edited by hand")
{
	struct text base = {0}, campaign = {0}, edited = {0};
	uint64_t last[2] = {0}, changes = 0;
	for (uint64_t i = 0; i < cases; i++) {
		unsigned value[KEYS] = {0};
		struct campaign c;
		struct diagnostics d;
		uint64_t digests[2];
		write_scenario(&base, value);
		uint32_t point = write_campaign(i, &campaign, value);
		write_scenario(&edited, value);
		diagnostics_init(&d, "c.yaml");
		bool ok = campaign_read_stored(
			"c.yaml", text_data(&campaign), campaign.length, text_data(&base), &c, &d);
		if (!ok)
			fail_msg("case %d: %s\n%s", (int)i, d.items[0].text, text_data(&campaign));
		assert_true(point < c.points);
		compare(&c, point, text_data(&edited), digests);
		changes += digests[0] != last[0];
		memcpy(last, digests, sizeof(last));
		campaign_finish(&c);
		diagnostics_finish(&d);
	}
	assert_true(changes > cases / 2);
	text_finish(&base);
	text_finish(&campaign);
	text_finish(&edited);
}
