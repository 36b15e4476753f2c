/* tests/oracle/bounds_plain_fp.h - uniprocessor response times under fixed priorities a second time. It does
 * not use the formulas, but plays the worst case itself, instant by instant. Shares no code with
 * analysis/. */
#ifndef CEGSIM_TESTS_ORACLE_BOUNDS_PLAIN_FP_H
#define CEGSIM_TESTS_ORACLE_BOUNDS_PLAIN_FP_H

#include <stdbool.h>
#include <stdint.h>

#define PLAIN_FP_TASKS 8

struct plain_fp_task {
	int64_t cost, period;
};

/* The largest response of task k (tasks by priority) when task k and all tasks above it are released at 0,
 * and then as soon as possible. If not preemptive, the longest lower job has just begun at 0. Only jobs of
 * the busy period count. *ended: the busy period ends by `until`; else the result is the largest response of
 * the jobs that do. */
int64_t plain_fp(
	const struct plain_fp_task *task, int count, bool preemptive, int k, int64_t until, bool *ended);

#endif
