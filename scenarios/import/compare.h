/* scenarios/import/compare.h - jobs of a capture against jobs of a recording: the same tasks, simulated. */
#ifndef CEGSIM_SCENARIOS_IMPORT_COMPARE_H
#define CEGSIM_SCENARIOS_IMPORT_COMPARE_H

#include "scenarios/import/import.h"

/* Times of segments of the CPU, of copies and of kernels, over the time from the first release to the last
 * end. Negative: not known. */
struct compared_use {
	double cpu, copy, gpu;
};

/* Responses of one side, ascending. */
struct compared_responses {
	int64_t *ns; /* [count] */
	uint32_t count;
	struct compared_use use;
};

/* One task in one run. */
struct compared_task {
	int64_t run;
	const char *policy, *task;
	struct compared_responses recorded, simulated;
	double distance; /* of Kolmogorov and Smirnov: the most by which the shares of jobs below a time
			    differ */
	double inside;   /* share of the recorded jobs from the simulated least to the simulated greatest */
};

struct comparison {
	struct arena arena;
	struct compared_task *tasks; /* [count], by run and task */
	uint32_t count;
};

/* Holds the jobs of the import against every run of the recording. False: *err; so if a task of the import is
 * in none of the runs. Call comparison_finish() either way. */
MUST_CHECK bool comparison_make(
	struct comparison *c, const struct import *im, const char *file, bool halves, struct error *err);
void comparison_finish(struct comparison *c);

/* The least time that at least this share of the jobs does not exceed, in thousandths; `count` > 0. */
int64_t compared_quantile(const struct compared_responses *r, uint32_t thousandths);

#endif
