/* runs/campaign/analyses.h - applies the analyses of a campaign to one set. */
#ifndef CEGSIM_RUNS_CAMPAIGN_ANALYSES_H
#define CEGSIM_RUNS_CAMPAIGN_ANALYSES_H

#include "runs/campaign/unit.h"

/* A set on a platform, stored. */
struct unit_subject {
	struct bounding_spec spec; /* without policy and params, which are set later */
	int64_t taskset_id, platform_id;
	uint32_t unit;
	uint32_t first_job;  /* number of the first analysis among the unit's jobs */
	bool bounds;         /* record the bounds, not only the verdicts */
	struct brief *brief; /* judge in place of recording; else NULL */
};

/* Sets m->analyses, and stores their policies. */
MUST_CHECK bool unit_analyses_init(struct unit_maker *m, struct error *err);
/* Applies all analyses and records the results. An analysis that was given up, or whose options contradict
 * each other, is recorded as such. */
MUST_CHECK bool unit_analyse(struct unit_maker *m, const struct unit_subject *s, struct error *err);

#endif
