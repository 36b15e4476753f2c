/* tests/oracle/bounds_plain_fp.h - uniprocessor response times by fixed priority once more: not by the
 * formulas, but by playing the worst case itself, instant by instant. Shares no code with analysis/. */
#ifndef CEGSIM_TESTS_ORACLE_BOUNDS_PLAIN_FP_H
#define CEGSIM_TESTS_ORACLE_BOUNDS_PLAIN_FP_H

#include <stdbool.h>
#include <stdint.h>

#define PLAIN_FP_TASKS 8

struct plain_fp_task {
	int64_t cost, period;
};

/* The largest response of task k (tasks by priority) when everything from it up is released at 0, and as soon
 * as possible from then on; if not preemptive, while the longest lower job has just begun. Jobs in the busy
 * period alone. *ended: it ends by `until`; else the largest of the jobs that do. */
int64_t plain_fp(
	const struct plain_fp_task *task, int count, bool preemptive, int k, int64_t until, bool *ended);

#endif
