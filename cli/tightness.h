/* cli/tightness.h - how near recorded responses come to bounds: what `cegsim validate` counts, and prints. */
#ifndef CEGSIM_CLI_TIGHTNESS_H
#define CEGSIM_CLI_TIGHTNESS_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/table/table.h"
#include "db/bound_check.h"
#include "policies/use.h"

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

/* Counts one task in one run; the times are looked at where the run tells. */
void tightness_note(struct tightness *t, enum bound_check check, int64_t observed_ns, int64_t bound_ns);

/* `file` is the recording, for the commands that repeat a run. */
MUST_CHECK bool tightness_print(struct tightness *const *all, size_t count, const char *file,
	enum table_format format, struct error *err);

#endif
