/* tests/fuzz/fuzz_campaign.c - libFuzzer on the reader of campaign files: whatever the bytes, it ends,
 * reports or accepts; every point of a grid it accepts has options, and they print. How it is run:
 * tests/fuzz/meson.build. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/campaign_file.h"

#define POINTS_LOOKED_AT 64

/* What a campaign with recipe `scenario` varies. */
static const char scenario[] =
	"cegsim: 1\ntime_unit: ms\nhorizon: 40\nplatform: {preset: jetson-tx1, copy: {bandwidth: 10GB/s}}\n"
	"profiles: {mmul: {time: [34ms, 17ms]}}\ntasks:\n"
	"  - name: camera\n    period: 33\n    segments: [{cpu: [0.5, 2]}, {copy: to_gpu, bytes: 4MiB}, "
	"{kernel: "
	"{grid: 64, block: 256, block_time: 1.2}}]\n"
	"  - {name: radar, period: 20, release: periodic, segments: [{kernel: {profile: mmul}}]}\n"
	"policies: [fifo-cke, {name: rm, unit: kernel}]\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

/* Every point was read before, and has as many policies as the first. */
static void check_variant(const struct campaign *c, uint32_t point)
{
	const struct stored_files stored = {0};
	struct scenario s;
	struct error err;
	struct text text = {0};
	must(campaign_scenario(c, point, &stored, &s, &err));
	must(s.set.task_count > 0 && s.policy_count == c->policy_count);
	campaign_scenario_origin(c, point, &text);
	text_finish(&text);
	scenario_finish(&s);
}

static void check_accepted(const struct campaign *c)
{
	must(!c->recipe != !c->variants && c->points > 0 && c->sets > 0 &&
		c->policy_count + c->analysis_count > 0);
	for (uint32_t point = 0; point < c->points && point < POINTS_LOOKED_AT; point++) {
		struct params params;
		struct text text = {0};
		if (c->variants) {
			check_variant(c, point);
		} else {
			campaign_point(c, point, &params);
			must(params.options == c->recipe->options);
		}
		campaign_point_text(c, point, &text);
		text_finish(&text);
	}
}

static void look_at(const char *data, size_t size, bool stored)
{
	struct campaign c;
	struct diagnostics d;
	diagnostics_init(&d, "fuzz");
	bool ok = stored ? campaign_read_stored("fuzz.yaml", data, size, scenario, &c, &d)
			 : campaign_read_text("/nonexistent/fuzz.yaml", data, size, &c, &d);
	must(ok == (d.count + d.dropped == 0));
	must(ok == (c.status == STATUS_OK));
	if (ok)
		check_accepted(&c);
	campaign_finish(&c);
	diagnostics_finish(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	look_at((const char *)data, size, false);
	look_at((const char *)data, size, true);
	return 0;
}
