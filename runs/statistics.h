/* runs/statistics.h - statistics that every run keeps, at every level of recording: for each task the number
 * of jobs and misses, response times, and their histogram. It is an observer of the trace. */
#ifndef CEGSIM_RUNS_STATISTICS_H
#define CEGSIM_RUNS_STATISTICS_H

#include "base/arena.h"
#include "base/int128.h"
#include "sim/trace.h"

#define RESPONSE_BUCKETS 960 /* response_bucket() (db/rows.h) of INT64_MAX is below it */

struct task_statistics {
	uint64_t jobs, misses;
	uint64_t responses;                       /* jobs that finished */
	int64_t min_response_ns, max_response_ns; /* of those; -1: none */
	int128 response_sum_ns;
	int64_t worst_lower_bound_ns; /* longest wait of an unfinished job; -1: none */
	uint64_t *histogram;          /* [RESPONSE_BUCKETS] */
	struct miss_window {
		uint32_t jobs;           /* consecutive ones; 0: nobody asks */
		uint32_t misses, most;   /* of the last ones; of any */
		uint32_t next, most_end; /* the job that comes next; the last one of those with the most */
		bool *missed;            /* [jobs], job by job in turn */
	} window;
};

struct statistics {
	struct task_statistics *tasks;
	uint32_t task_count;
};

#define STATISTICS_WANTS TRACE_BIT(TRACE_JOB_END)

MUST_CHECK bool statistics_init(struct statistics *s, struct arena *arena, uint32_t tasks);
/* Asks for the most misses of any so many consecutive jobs of the task. False: out of memory. */
MUST_CHECK bool statistics_window(struct statistics *s, struct arena *arena, uint32_t task, uint32_t jobs);
bool statistics_observe(void *statistics, const struct trace_record *records, size_t count);

#endif
