/* cli/import_compare.c - `cegsim import --compare`: recorded jobs beside simulated ones. */
#include <stdio.h>

#include "cli/import_parts.h"
#include "scenarios/import/compare.h"

static void add_share(struct table *t, double share)
{
	share < 0 ? table_null(t) : table_real(t, share);
}

static const uint32_t quantiles[] = {0, 500, 900, 1000};
#define QUANTILES (sizeof(quantiles) / sizeof(*quantiles))

/* For programs: a row of each run and task. */
static const char *const wide[] = {"run_id", "policy", "task", "recorded", "simulated", TABLE_MS("min"),
	TABLE_MS("sim_min"), TABLE_MS("median"), TABLE_MS("sim_median"), TABLE_MS("p90"), TABLE_MS("sim_p90"),
	TABLE_MS("max"), TABLE_MS("sim_max"), "ks", "inside", "cpu", "sim_cpu", "copy", "sim_copy", "gpu",
	"sim_gpu"};

static void add_wide(struct table *t, const struct compared_task *c)
{
	const struct compared_use *recorded = &c->recorded.use, *simulated = &c->simulated.use;
	table_integer(t, c->run);
	table_text(t, c->policy);
	table_text(t, c->task);
	table_integer(t, c->recorded.count);
	table_integer(t, c->simulated.count);
	for (size_t i = 0; i < QUANTILES; i++) {
		table_time(t, compared_quantile(&c->recorded, quantiles[i]));
		table_time(t, compared_quantile(&c->simulated, quantiles[i]));
	}
	add_share(t, c->distance);
	add_share(t, c->inside);
	add_share(t, recorded->cpu);
	add_share(t, simulated->cpu);
	add_share(t, recorded->copy);
	add_share(t, simulated->copy);
	add_share(t, recorded->gpu);
	add_share(t, simulated->gpu);
}

/* For people: what was recorded above what was simulated. */
static const char *const narrow[] = {"run_id", "policy", "task", "of", "jobs", TABLE_MS("min"),
	TABLE_MS("median"), TABLE_MS("p90"), TABLE_MS("max"), "ks", "inside", "cpu", "copy", "gpu"};

static void add_half(struct table *t, const struct compared_task *c, const struct compared_responses *r)
{
	bool simulated = r == &c->simulated;
	table_integer(t, c->run);
	table_text(t, c->policy);
	table_text(t, c->task);
	table_text(t, simulated ? "run" : "capture");
	table_integer(t, r->count);
	for (size_t i = 0; i < QUANTILES; i++)
		table_time(t, compared_quantile(r, quantiles[i]));
	add_share(t, simulated ? c->distance : -1);
	add_share(t, simulated ? c->inside : -1);
	add_share(t, r->use.cpu);
	add_share(t, r->use.copy);
	add_share(t, r->use.gpu);
}

bool import_compare_print(
	const struct import *im, const char *file, bool halves, enum table_format format, struct error *err)
{
	struct comparison c;
	struct table t;
	bool ok = comparison_make(&c, im, file, halves, err);
	if (ok && !halves)
		fputs("cegsim: note: lengths come from the same jobs, so this shows how exact the run is, "
		      "not how well it predicts; for that, import and compare with --learn first-half\n",
			stderr);
	if (ok) {
		bool text = format == TABLE_TEXT;
		table_begin(&t, stdout, format, text ? narrow : wide,
			text ? sizeof(narrow) / sizeof(*narrow) : sizeof(wide) / sizeof(*wide));
		for (uint32_t i = 0; i < c.count; i++) {
			if (!text) {
				add_wide(&t, &c.tasks[i]);
				continue;
			}
			add_half(&t, &c.tasks[i], &c.tasks[i].recorded);
			add_half(&t, &c.tasks[i], &c.tasks[i].simulated);
		}
		ok = table_end(&t, err);
	}
	comparison_finish(&c);
	return ok;
}
