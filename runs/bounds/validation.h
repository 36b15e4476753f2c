/* runs/bounds/validation.h - the responses of a recording held against bounds, stored ones or new ones, and
 * how near they come. */
#ifndef CEGSIM_RUNS_BOUNDS_VALIDATION_H
#define CEGSIM_RUNS_BOUNDS_VALIDATION_H

#include "db/bound_check.h"
#include "db/reader.h"
#include "policies/use/use.h"

#define TIGHTNESS_TENTHS 10

/* A response beyond its bound. */
struct violation {
	int64_t run_id, task_idx, task_id, observed_ns, bound_ns;
	bool unfinished; /* the job did not finish: it takes longer than observed_ns */
	int64_t seq;     /* DB_NULL: jobs were not recorded */
	char task[64];
};

/* Of one policy and analysis. */
struct tightness {
	int64_t policy_id;
	char policy[64], *policy_params, *analysis, *params; /* as recorded, JSON */
	char policy_label[PARAMS_LABEL_MAX], label[PARAMS_LABEL_MAX];
	bool unsafe;
	int64_t sets, refused;               /* sets it was asked about; and those it has no bound for */
	int64_t runs, counted[BOUND_CHECKS]; /* runs; tasks in runs by what is said of them */
	int64_t tenths[TIGHTNESS_TENTHS];    /* of those whose bound holds, by observed / bound */
	int64_t ratios; /* observed / bound of tasks in runs that tell: how many, the greatest, the sum */
	double worst, sum;
	struct violation first; /* of those exceeded */
};

struct validation {
	const char *file;
	const struct analysis_use *analyses;
	uint32_t analysis_count;
	bool chosen; /* the user named them: they are asked, stored bounds or not; else what is stored comes
			first */

	struct tightness **tallies; /* [tally_count]: what came of it */
	size_t tally_count;
	/* While it is made. */
	struct db_reader *reader;
	struct db_cursor *stored,
		*computed; /* the rule (db/bound_check.h), about bounds of the recording, and others */
};

/* Every run that came to an end. False: *err. validation_finish() is needed either way. */
MUST_CHECK bool validation_make(struct validation *v, struct error *err);
void validation_finish(struct validation *v);

#endif
