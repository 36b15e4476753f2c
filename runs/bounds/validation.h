/* runs/bounds/validation.h - compares the responses in a recording with bounds, which are stored in it or
 * computed now; tells how near they come. */
#ifndef CEGSIM_RUNS_BOUNDS_VALIDATION_H
#define CEGSIM_RUNS_BOUNDS_VALIDATION_H

#include <stdatomic.h>

#include "db/bound_check.h"
#include "db/reader.h"
#include "db/subjects.h"
#include "policies/use/use.h"

#define TIGHTNESS_TENTHS 10

/* A response and its bound. */
struct violation {
	int64_t taskset_id, platform_id, run_id, task_idx, task_id, observed_ns, bound_ns;
	bool unfinished; /* the job did not finish: its response is greater than observed_ns */
	int64_t seq;     /* of `first`; DB_NULL: jobs were not recorded */
	char task[64];
};

/* The results for one policy and analysis. */
struct tightness {
	int64_t policy_id;
	char policy[64], *policy_params, *analysis, *params; /* as recorded, JSON */
	char policy_label[PARAMS_LABEL_MAX], label[PARAMS_LABEL_MAX];
	bool unsafe, doubled;  /* doubled: another result had the same label */
	int64_t sets, refused; /* sets that it was asked about; sets for which it has no bound */
	int64_t erred;         /* of these: an analysis of the user's gave no answer */
	int64_t first_erred;   /* taskset_id of the first */
	char reason[256];      /* of that */
	int64_t runs, counted[BOUND_CHECKS]; /* runs; numbers of tasks in runs, by their verdict */
	int64_t tenths[TIGHTNESS_TENTHS];    /* number of bounds that hold, by observed / bound */
	int64_t ratios; /* observed / bound of tasks in runs that are conclusive: number, greatest, sum */
	double worst, sum;
	struct violation first; /* the first one exceeded */
	struct violation
		closest; /* of a conclusive task: with the greatest observed / bound; run_id 0: none */
	const struct analysis_use *use; /* the one that was named; NULL: the bounds were stored */
};

/* Sets under one policy for which no analysis has a bound. */
struct uncovered {
	int64_t policy_id, sets;
	char policy[PARAMS_LABEL_MAX], reason[600]; /* of the first set: what the first analysis says */
};

struct validation {
	const char *file;
	const struct analysis_use *analyses;
	uint32_t analysis_count;
	bool chosen; /* the user named the analyses: they are asked even if bounds are stored; else stored
			bounds come first */
	const atomic_bool *stop; /* checked between sets; NULL: never stops */

	bool interrupted;  /* the results are those until then */
	size_t done, sets; /* sets under one policy: those that were compared, all */

	struct tightness **tallies; /* [tally_count], the results */
	size_t tally_count;
	struct uncovered *uncovered; /* [uncovered_count] */
	size_t uncovered_count;
	/* Used while it is made. */
	const struct subject *subject;
	struct db_reader *reader;
	struct db_cursor *stored,
		*computed; /* the rule (db/bound_check.h), about bounds of the recording, and others */
};

/* Compares every run that came to an end. False: *err. Call validation_finish() either way. */
MUST_CHECK bool validation_make(struct validation *v, struct error *err);
void validation_finish(struct validation *v);

#endif
