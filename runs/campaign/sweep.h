/* runs/campaign/sweep.h - runs a whole campaign, or a share of it: workers write parts, which are then merged
 * into one recording. */
#ifndef CEGSIM_RUNS_CAMPAIGN_SWEEP_H
#define CEGSIM_RUNS_CAMPAIGN_SWEEP_H

#include "scenarios/campaign_file.h"

struct sweep_spec {
	const struct campaign *campaign;
	const char *campaign_file; /* its path */
	const char *output;        /* the recording to make */
	uint32_t workers;
	bool resume, overwrite, quiet;
	uint32_t shard, shards; /* 0 <= shard < shards */
	uint32_t limit;         /* at most so many units; 0: all */
	const uint32_t *units;  /* [unit_count] these alone, as share_of_list() wants them; NULL: all */
	uint32_t unit_count;
	const char *chosen; /* those, and their level, as struct units_extent has it; NULL: all */
	double timeout_s;   /* of one run */
};

enum sweep_end {
	SWEEP_COMPLETE,
	SWEEP_INTERRUPTED,  /* by a signal; --resume continues with what was done */
	SWEEP_WAS_COMPLETE, /* nothing was left to do */
};

struct sweep_result {
	enum sweep_end end;
	uint32_t units, done, done_before; /* of this share */
	uint32_t crashes;
	uint64_t events;
	double seconds, merge_seconds;
};

/* False: *err; --resume continues with what was done. */
MUST_CHECK bool campaign_sweep(const struct sweep_spec *spec, struct sweep_result *result, struct error *err);

#endif
