/* runs/campaign/analyses.h - what the analyses of a campaign say of one set. */
#ifndef CEGSIM_RUNS_CAMPAIGN_ANALYSES_H
#define CEGSIM_RUNS_CAMPAIGN_ANALYSES_H

#include "runs/campaign/unit.h"

/* A set on a platform, stored. */
struct unit_subject {
	struct bounding_spec spec; /* policy and params: not yet */
	int64_t taskset_id, platform_id;
	uint32_t unit;
	uint32_t first_job; /* number of the first analysis among the unit's jobs */
	bool bounds;        /* are recorded, not the verdicts alone */
};

/* Settles m->analyses, and stores their policies. */
MUST_CHECK bool unit_analyses_init(struct unit_maker *m, struct error *err);
/* All of them, into the recording. One that was given up, or whose options contradict each other, is
 * recorded as such. */
MUST_CHECK bool unit_analyse(struct unit_maker *m, const struct unit_subject *s, struct error *err);

#endif
