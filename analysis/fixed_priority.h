/* analysis/fixed_priority.h - response times of sporadic tasks on one processor by fixed priority, preemptive
 * and non-preemptive, also where responses exceed periods: it looks at all jobs of the busy period that
 * begins when all tasks release a job. */
#ifndef CEGSIM_ANALYSIS_FIXED_PRIORITY_H
#define CEGSIM_ANALYSIS_FIXED_PRIORITY_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/ratio.h"

struct fixed_priority_task {
	int64_t cost; /* C, worst case; 0 .. INT64_MAX / 4 */
	int64_t period;
};

struct fixed_priority_set {
	const struct fixed_priority_task *task; /* [count], the highest priority first */
	uint32_t count;
	bool preemptive;
	struct ratio *loads; /* [count], scratch */
};

/* The worst response, where it occurs, and its parts. */
struct fixed_priority_bound {
	int64_t response; /* or NO_BOUND: the busy period does not end, or not within
			   * FIXED_PRIORITY_PATIENCE */
	int64_t job;      /* number of the job in the busy period, from 0 */
	int64_t start; /* the job's start, or (preemptive) its end, from the beginning of the busy period */
	int64_t blocking; /* non-preemptive: the longest of the lower tasks */
};

/* The most steps for the busy period of one task. */
#define FIXED_PRIORITY_PATIENCE 200000u

struct fixed_priority_bound fixed_priority_response(const struct fixed_priority_set *set, uint32_t k);

/* The execution time of higher task h that is part of a bound. */
int64_t fixed_priority_interference(const struct fixed_priority_set *set, uint32_t h, int64_t start);

#endif
