/* tests/oracle/worst_plain.h - the true worst case of small sets, by trying everything that may happen.
 *
 * A set is up to three sporadic tasks, the highest priority first, of segments on a core (preemptive, fixed
 * priority), on one shared resource (not preempted, by priority: a copy engine, or a gate of GPU sections),
 * or alone. Time goes in ticks. From the instant at which nothing runs, every state is followed that some
 * choice leads to: at each tick an idle task may release its next job or wait, and a segment within its best
 * and worst case may end or go on. So the longest response seen is that of all patterns of releases of any
 * length, and all execution times in whole ticks. It shares no code with the simulator. */
#ifndef CEGSIM_TESTS_ORACLE_WORST_PLAIN_H
#define CEGSIM_TESTS_ORACLE_WORST_PLAIN_H

#include <stdbool.h>
#include <stdint.h>

#define WORST_TASKS 3
#define WORST_SEGMENTS 7
#define WORST_LONGEST 31  /* ticks of a segment, at most */
#define WORST_PERIOD 1023 /* ticks, at most */

enum worst_where { WORST_ON_CORE, WORST_SHARED, WORST_ALONE };

struct worst_segment {
	enum worst_where where;
	int64_t best, worst; /* 1 <= best <= worst */
};

struct worst_task {
	struct worst_segment segment[WORST_SEGMENTS];
	uint32_t count;
	int64_t period;
};

struct worst_set {
	struct worst_task task[WORST_TASKS]; /* by priority */
	uint32_t count;
	bool lower_first; /* who wins ties on the shared resource (docs/model.md) */
};

/* Whether times and numbers are within the limits above. */
bool worst_fits(const struct worst_set *set);

/* The longest response of each task; of a job that has not ended after a period: the period + 1. Returns the
 * number of states, or 0 if there are more than `most`, or no memory for them. */
uint64_t worst_responses(const struct worst_set *set, uint64_t most, int64_t *response);

#endif
