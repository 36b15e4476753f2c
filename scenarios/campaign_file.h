/* scenarios/campaign_file.h - a campaign file (YAML; docs/campaigns.md) as plain data.
 *
 * A campaign is a grid of generator options, and what to do with the task sets of every point of the grid:
 * the platforms, policies and replications to run them under. Or it is a grid of values for one scenario;
 * then the set of a point is that of the scenario with these values, and so are platform, policies and setup.
 * Every error is reported at its file:line:col, all of a file's at once. */
#ifndef CEGSIM_SCENARIOS_CAMPAIGN_FILE_H
#define CEGSIM_SCENARIOS_CAMPAIGN_FILE_H

#include "analysis/analysis.h"
#include "base/arena.h"
#include "base/diagnostics.h"
#include "base/text.h"
#include "db/rows.h"
#include "models/platform.h"
#include "models/setup.h"
#include "scenarios/scenario.h"
#include "scenarios/workload/recipe.h"

/* Limit of points * sets * runs of one set: numbers of sets have 32 bits. */
#define CAMPAIGN_UNITS_MAX INT64_C(4000000000)
#define CAMPAIGN_POINTS_MAX INT64_C(1000000)
#define CAMPAIGN_RUNS_MAX INT64_C(1000000)    /* for one set */
#define CAMPAIGN_VARIANTS_MAX INT64_C(100000) /* points of a scenario: all are read before the first run */

/* One option that takes several values. */
struct campaign_axis {
	uint32_t option; /* index in the recipe's options */
	uint32_t count;
	struct param_value *value; /* [count], all different */
};

enum campaign_horizon {
	CAMPAIGN_DURATION,     /* setup.horizon_ns */
	CAMPAIGN_PERIODS,      /* largest offset + k * largest period of the set */
	CAMPAIGN_HYPERPERIODS, /* largest offset + k hyperperiods */
};

/* Sets that are kept whole although verdicts alone are recorded. */
enum campaign_keep {
	KEEP_MISS = 1,     /* a job missed its deadline */
	KEEP_EXCEED = 2,   /* a response exceeds a bound */
	KEEP_DISAGREE = 4, /* an analysis says schedulable; another one, or a run, of that policy does not */
};

struct campaign {
	struct arena arena;        /* owns all lists below */
	char *name;                /* `name`, or the file's name without .yaml */
	struct variants *variants; /* of a scenario; NULL: a recipe makes the sets */
	const struct recipe *recipe;
	struct params params;       /* of the first point of the grid */
	struct campaign_axis *axes; /* in the order of the file; the last one changes fastest */
	uint32_t axis_count;
	uint32_t points;       /* product of the axes */
	uint32_t sets;         /* units of each point: its sets; of a scenario: its replications */
	uint32_t replications; /* of each unit; of a scenario: 1 */
	struct platform *platforms;
	uint32_t platform_count;     /* 0: the recipe's own, or the scenario's */
	struct policy_use *policies; /* of a scenario: of the first point; other points have as many */
	uint32_t policy_count;       /* 0: nothing is run */
	struct campaign_analysis *analyses;
	uint32_t analysis_count;
	bool bounds;            /* record the bounds of the analyses; false: only from record level jobs on */
	struct run_setup setup; /* horizon_ns: of CAMPAIGN_DURATION; limit_ns 0: 10 horizons; of a scenario:
				   only the seed */
	enum campaign_horizon horizon;
	int64_t horizon_count;
	int64_t jobs;  /* of a run at most; 0: no limit */
	bool verdicts; /* record verdicts alone, and what `keep` names at level `record` */
	uint32_t keep; /* of enum campaign_keep */
	enum record_level record;
	enum record_level detail; /* of the runs below; equal to `record`: of none */
	bool detail_on_miss;      /* for runs with a miss */
	uint32_t *detail_sets;    /* for all runs of these sets of each point */
	uint32_t detail_set_count;
	char *text; /* the file as it was read, NUL-terminated */
	size_t text_length;
	enum status status; /* why reading failed: STATUS_INPUT or STATUS_IO */
};

/* Reads the file at `path`. True: *c is complete. False: *c is empty except for `status`, and *d says why.
 * campaign_finish() may be called either way. Plug-ins that the file names are searched for in its folder and
 * loaded. */
MUST_CHECK bool campaign_read(const char *path, struct campaign *c, struct diagnostics *d);
/* The same for a text in memory; `name` is its path or any other name. */
MUST_CHECK bool campaign_read_text(
	const char *name, const char *text, size_t length, struct campaign *c, struct diagnostics *d);
/* The same for a text from a recording: plug-ins are not loaded (struct stored_files). `scenario`: the text
 * of the scenario that the campaign varies; NULL: none was stored. */
MUST_CHECK bool campaign_read_stored(const char *name, const char *text, size_t length, const char *scenario,
	struct campaign *c, struct diagnostics *d);
void campaign_finish(struct campaign *c); /* accepts a zeroed campaign */

/* The scenario at a point of the grid; its seed is the campaign's. `stored` as for scenario_read_stored(), or
 * NULL. Such a campaign was read before, so this fails only if files or memory do: *err. */
MUST_CHECK bool campaign_scenario(const struct campaign *c, uint32_t point, const struct stored_files *stored,
	struct scenario *s, struct error *err);
/* Appends the origin of the scenario's set at a point, as JSON. */
void campaign_scenario_origin(const struct campaign *c, uint32_t point, struct text *json);

/* The options of a point of the grid, of a recipe. */
void campaign_point(const struct campaign *c, uint32_t point, struct params *params);
/* The values on the axes, to be shown: "utilisation=40% tasks=5". */
void campaign_point_text(const struct campaign *c, uint32_t point, struct text *out);

/* Records all runs of all sets at this level, whatever the campaign says of `record`, `keep` and `detail`. */
void campaign_record(struct campaign *c, enum record_level level);

/* Fills in the horizon and the limit for a set. False: the horizon is longer than 63 years. */
MUST_CHECK bool campaign_setup(
	const struct campaign *c, const struct taskset *set, struct run_setup *setup, struct error *err);

/* Appends the JSON Schema (draft 2020-12) of campaign files; see text_ok(). */
void campaign_schema(struct text *out);

#endif
