/* scenarios/tables_campaign.h - what a campaign file says, before anything is resolved. */
#ifndef CEGSIM_SCENARIOS_TABLES_CAMPAIGN_H
#define CEGSIM_SCENARIOS_TABLES_CAMPAIGN_H

#include "scenarios/campaign_file.h"
#include "scenarios/tables.h"

struct campaign_horizon_entry {
	int kind; /* enum campaign_horizon */
	int64_t ns, periods, hyperperiods;
};

struct generate_entry {
	const struct node *scenario; /* {recipe: scenario, ...}; NULL: a recipe, and what follows */
	const struct recipe *recipe;
	struct params params;
	struct campaign_axis *axes;
	uint32_t axis_count;
};

struct campaign_run_entry {
	struct campaign_horizon_entry horizon;
	int stop, on_miss, ties;
	int64_t limit_ns;
	int64_t jobs; /* at most; 0: no limit */
	struct release_entry release;
	struct execution_entry execution;
};

struct detail_entry {
	int record;
	int when;
	uint32_t *sets;
	uint32_t set_count;
};

struct campaign_entry {
	struct description common; /* context of the binder for keys that scenarios have, too */
	int version;
	char *name;
	int64_t seed;
	uint32_t sets, replications;
	struct generate_entry generate;
	struct platform *platforms;
	uint32_t platform_count;
	struct policy_use *policies;
	uint32_t policy_count;
	struct campaign_analysis *analyses;
	uint32_t analysis_count;
	int bounds;
	struct campaign_run_entry run;
	int record; /* enum record_level, or RECORD_VERDICTS */
	int *keep;  /* enum campaign_keep */
	uint32_t keep_count;
	struct detail_entry detail;
};

#define RECORD_VERDICTS (-1)

/* Whether it is one for any policy, and none was given: it is then asked about those of the campaign. */
bool campaign_analysis_any(const struct campaign_analysis *a);

enum { DETAIL_NEVER, DETAIL_ON_MISS };

extern const struct binder_shape shape_campaign; /* struct campaign_entry */

/* The keys of a campaign, `node`, that do not go with a scenario of one's own. */
bool campaign_keys_check(struct binder *b, const struct node *node);

#endif
