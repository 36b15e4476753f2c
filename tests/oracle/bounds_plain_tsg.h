/* tests/oracle/bounds_plain_tsg.h - bounds under time slices [GCAPS, section 6.2, and ours] a second time:
 * slices are counted out one by one, and the least window that is long enough is found by trying all. Shares
 * no code with analysis/. */
#ifndef CEGSIM_TESTS_ORACLE_BOUNDS_PLAIN_TSG_H
#define CEGSIM_TESTS_ORACLE_BOUNDS_PLAIN_TSG_H

#include <stdbool.h>
#include <stdint.h>

#define PLAIN_TSG_TASKS 6
#define PLAIN_TSG_SECTIONS 3
#define PLAIN_TSG_NONE INT64_MAX
#define PLAIN_TSG_LIMIT 20000

struct plain_tsg_task {
	int64_t cpu, section[PLAIN_TSG_SECTIONS]; /* worst cases; a section of 0: none */
	int64_t period, deadline;
	int core;
};

struct plain_tsg_set {
	struct plain_tsg_task task[PLAIN_TSG_TASKS]; /* by priority */
	int count;
	int64_t slice, change; /* L, and the switch */
	bool paper, busy;
};

/* Response of each task; PLAIN_TSG_NONE: beyond PLAIN_TSG_LIMIT. */
void plain_tsg(const struct plain_tsg_set *set, int64_t response[PLAIN_TSG_TASKS]);

#endif
