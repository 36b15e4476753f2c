/* cli/import_compare.c - `cegsim import --compare`: recorded jobs beside simulated ones. */
#include <stdio.h>

#include "cli/import_parts.h"
#include "scenarios/import/compare.h"

static void add_share(struct table *t, double share)
{
	share < 0 ? table_null(t) : table_real(t, share);
}

static void add_times(struct table *t, const struct compared_responses *recorded,
	const struct compared_responses *simulated)
{
	static const uint32_t quantiles[] = {0, 500, 900, 1000};
	for (size_t i = 0; i < sizeof(quantiles) / sizeof(*quantiles); i++) {
		table_time(t, compared_quantile(recorded, quantiles[i]));
		table_time(t, compared_quantile(simulated, quantiles[i]));
	}
}

static void add_row(struct table *t, const struct compared_task *c)
{
	const struct compared_use *recorded = &c->recorded.use, *simulated = &c->simulated.use;
	table_integer(t, c->run);
	table_text(t, c->policy);
	table_text(t, c->task);
	table_integer(t, c->recorded.count);
	table_integer(t, c->simulated.count);
	add_times(t, &c->recorded, &c->simulated);
	add_share(t, c->distance);
	add_share(t, c->inside);
	add_share(t, recorded->cpu);
	add_share(t, simulated->cpu);
	add_share(t, recorded->copy);
	add_share(t, simulated->copy);
	add_share(t, recorded->gpu);
	add_share(t, simulated->gpu);
}

bool import_compare_print(
	const struct import *im, const char *file, bool halves, enum table_format format, struct error *err)
{
	static const char *const columns[] = {"run_id", "policy", "task", "recorded", "simulated",
		TABLE_MS("min"), TABLE_MS("sim_min"), TABLE_MS("median"), TABLE_MS("sim_median"),
		TABLE_MS("p90"), TABLE_MS("sim_p90"), TABLE_MS("max"), TABLE_MS("sim_max"), "ks", "inside",
		"cpu", "sim_cpu", "copy", "sim_copy", "gpu", "sim_gpu"};
	struct comparison c;
	struct table t;
	bool ok = comparison_make(&c, im, file, halves, err);
	if (ok && !halves)
		fputs("cegsim: note: lengths come from the same jobs, so this shows how exact the run is, "
		      "not how well it predicts; for that, import and compare with --learn first-half\n",
			stderr);
	if (ok) {
		table_begin(&t, stdout, format, columns, sizeof(columns) / sizeof(*columns));
		for (uint32_t i = 0; i < c.count; i++)
			add_row(&t, &c.tasks[i]);
		ok = table_end(&t, err);
	}
	comparison_finish(&c);
	return ok;
}
