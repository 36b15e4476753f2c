/* cli/tightness.h - how near recorded responses come to bounds: what `cegsim validate` counts, and prints. */
#ifndef CEGSIM_CLI_TIGHTNESS_H
#define CEGSIM_CLI_TIGHTNESS_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/table.h"
#include "cli/uses.h"

#define TIGHTNESS_TENTHS 10

/* A response beyond its bound. */
struct violation {
	int64_t run_id, task_idx, task_id, observed_ns, bound_ns;
	int64_t seq;              /* DB_NULL: jobs were not recorded */
	char task[64];
};

/* Of one policy and analysis. */
struct tightness {
	int64_t policy_id;
	char policy[64], *policy_params, *analysis, *params;       /* as recorded, JSON */
	char policy_label[USE_LABEL_MAX], label[USE_LABEL_MAX];
	bool unsafe;
	int64_t sets, refused;    /* sets it was asked about; and those it has no bound for */
	int64_t runs, truncated, removing, outside;    /* runs; and those counted apart */
	int64_t beyond;           /* tasks in runs whose bound is longer than their period: it promises nothing */
	int64_t compared, violations, tenths[TIGHTNESS_TENTHS];
	double worst, sum;
	struct violation first;
};

/* Counts one task in one run. */
void tightness_note(struct tightness *t, int64_t observed_ns, int64_t bound_ns);

/* `file` is the recording, for the commands that repeat a run. */
MUST_CHECK bool tightness_print(struct tightness *const *all, size_t count, const char *file,
	enum table_format format, struct error *err);

#endif
