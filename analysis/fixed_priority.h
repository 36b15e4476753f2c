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
	/* Scratch. */
	double rate;           /* 1 / period, a little less */
	int64_t work;          /* within `window` */
	int64_t longest_below; /* the longest cost of the lower tasks */
};

/* Of the first job of the task that was asked for last: from where that of a lower one is looked for. */
struct fixed_priority_known {
	uint32_t of;
	int64_t first;          /* its end (preemptive), or its start; 0: not known */
	int64_t busy, blocking; /* non-preemptive: the busy period, and what is blocking in it */
};

struct fixed_priority_set {
	struct fixed_priority_task *task; /* [count], the highest priority first */
	uint32_t count;
	bool preemptive;
	bool light; /* all tasks together are clearly less than time, and sums fit 64 bits; else, before */
	struct ratio *loads; /* [count] responses are asked for, the caller gives this room */
	/* Scratch. */
	int64_t window; /* which was looked at last */
	struct fixed_priority_known known;
};

/* Looks at all tasks, before the first response is asked for. */
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

/* Of several tasks, the highest priority first: it is faster. */
struct fixed_priority_bound fixed_priority_response(struct fixed_priority_set *set, uint32_t k);

/* The execution times of the tasks above k, of each, that are part of the bound with this start, which was
 * found last. */
void fixed_priority_interference(
	struct fixed_priority_set *set, uint32_t k, int64_t start, int64_t *interference);

#endif
