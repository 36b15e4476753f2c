/* tests/oracle/bounds_plain_gcaps.h - bounds under gcaps [GCAPS, section 6.3, and ours, analysis/gcaps.c] a
 * second time: jobs are counted release by release, the least window that is long enough is found by trying
 * all, and what a bound rests on is asked for when it is needed. Shares no code with analysis/. */
#ifndef CEGSIM_TESTS_ORACLE_BOUNDS_PLAIN_GCAPS_H
#define CEGSIM_TESTS_ORACLE_BOUNDS_PLAIN_GCAPS_H

#include <stdbool.h>
#include <stdint.h>

#define PLAIN_GCAPS_TASKS 6
#define PLAIN_GCAPS_SECTIONS 3
#define PLAIN_GCAPS_NONE INT64_MAX
#define PLAIN_GCAPS_LIMIT 20000

struct plain_gcaps_task {
	int64_t cpu, section[PLAIN_GCAPS_SECTIONS]; /* worst cases; a section of 0: none */
	int64_t period, deadline;
	int core, place; /* at the GPU, 0 first; on a core in the order of the tasks */
};

struct plain_gcaps_set {
	struct plain_gcaps_task task[PLAIN_GCAPS_TASKS]; /* by priority */
	int count;
	int64_t update, call;
	bool paper, busy;
	bool deadlines; /* all bounds rest on deadlines in place of responses */
};

/* Response of each task; PLAIN_GCAPS_NONE: beyond PLAIN_GCAPS_LIMIT. Where others rest on a task without a
 * bound within its period, they rest on its deadline. */
void plain_gcaps(const struct plain_gcaps_set *set, int64_t response[PLAIN_GCAPS_TASKS]);

#endif
