/* tests/fuzz/fuzz_campaign.c - libFuzzer on the reader of campaign files: whatever the bytes, it ends,
 * reports or accepts; every point of a grid it accepts has options, and they print. How it is run:
 * tests/fuzz/meson.build. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/campaign_file.h"

#define POINTS_LOOKED_AT 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

static void check_accepted(const struct campaign *c)
{
	must(c->recipe && c->points > 0 && c->sets > 0 && c->policy_count + c->analysis_count > 0);
	for (uint32_t point = 0; point < c->points && point < POINTS_LOOKED_AT; point++) {
		struct params params;
		struct text text = {0};
		campaign_point(c, point, &params);
		must(params.options == c->recipe->options);
		campaign_point_text(c, point, &text);
		text_finish(&text);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct campaign c;
	struct diagnostics d;
	diagnostics_init(&d, "fuzz");
	bool ok = campaign_read_text("/nonexistent/fuzz.yaml", (const char *)data, size, &c, &d);
	must(ok == (d.count + d.dropped == 0));
	must(ok == (c.status == STATUS_OK));
	if (ok)
		check_accepted(&c);
	campaign_finish(&c);
	diagnostics_finish(&d);
	return 0;
}
