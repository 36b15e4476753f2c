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
	/* Scratch: zeroed but for the room, of which `work` may be NULL. */
	struct ratio *loads; /* [count] */
	int64_t *work;       /* [count] what higher tasks do within `window`, which was looked at last */
	int64_t window;
	bool light;        /* all tasks together are clearly less than time, and sums fit 64 bits */
	uint32_t first_of; /* preemptive: the task that was asked for last, and the response of */
	int64_t first;     /* its first job; 0: none yet */
};

/* Looks at the load of all tasks once. For many tasks of a set: to be called before their responses are asked
 * for, the highest priority first. */
void fixed_priority_begin(struct fixed_priority_set *set);

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

struct fixed_priority_bound fixed_priority_response(struct fixed_priority_set *set, uint32_t k);

/* The execution time of higher task h that is part of the bound with this start, which was found last. */
int64_t fixed_priority_interference(const struct fixed_priority_set *set, uint32_t h, int64_t start);

#endif
