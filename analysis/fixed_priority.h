/* analysis/fixed_priority.h - response times of sporadic tasks on one processor by fixed priority, preemptive
 * and non-preemptive, for any relation of responses and periods: all jobs of the busy period that begins with
 * the release of everything are looked at. */
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
	struct ratio *loads; /* [count], to work with */
};

/* Where the worst response is, and what it is made of. */
struct fixed_priority_bound {
	int64_t response; /* or NO_BOUND: the busy period does not end, or not within
			   * FIXED_PRIORITY_PATIENCE */
	int64_t job;      /* of the busy period, from 0 */
	int64_t start;    /* job's start, or (preemptive) its end, from the busy period's beginning */
	int64_t blocking; /* non-preemptive: the longest of the lower tasks */
};

/* Steps of one task's busy period. */
#define FIXED_PRIORITY_PATIENCE 200000u

struct fixed_priority_bound fixed_priority_response(const struct fixed_priority_set *set, uint32_t k);

/* The execution of higher task h that counts in a bound. */
int64_t fixed_priority_interference(const struct fixed_priority_set *set, uint32_t h, int64_t start);

#endif
