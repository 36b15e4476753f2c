/* tests/oracle/bounds_plain_mpcp.h - response times with the GPU as a mutex a second time, written to be
 * read: formulas term by term, and least solutions by trying 1, 2, 3, ... Shares no code with analysis/ and
 * models/.
 *
 * Small numbers: periods below 2^12. */
#ifndef CEGSIM_TESTS_ORACLE_BOUNDS_PLAIN_MPCP_H
#define CEGSIM_TESTS_ORACLE_BOUNDS_PLAIN_MPCP_H

#include <stdbool.h>
#include <stdint.h>

#define PLAIN_MPCP_TASKS 5
#define PLAIN_MPCP_SEGMENTS 10
#define PLAIN_MPCP_NONE INT64_MAX

struct plain_mpcp_segment {
	bool cpu; /* else a copy or a kernel */
	int64_t lo, hi;
};

struct plain_mpcp_task {
	int64_t period, deadline;
	int core, gpu; /* gpu: of all its sections */
	int count;
	struct plain_mpcp_segment segment[PLAIN_MPCP_SEGMENTS];
};

struct plain_mpcp_set {
	int count, gpus;                               /* gpus: 0 and 1 are one */
	struct plain_mpcp_task task[PLAIN_MPCP_TASKS]; /* by priority */
};

enum plain_mpcp_method { PLAIN_MPCP_HYBRID, PLAIN_MPCP_REQUEST, PLAIN_MPCP_JOB, PLAIN_MPCP_BUSY };

struct plain_mpcp {
	enum plain_mpcp_method method;
	bool paper_jitter;
};

struct plain_mpcp_bound {
	bool reached;      /* false behind a task that takes longer than its deadline even alone */
	int64_t response;  /* PLAIN_MPCP_NONE: none up to 1,000 beyond its period */
	uint32_t rests_on; /* bit h: it holds if task h keeps its deadline */
};

/* Bounds of the tasks, bound[PLAIN_MPCP_TASKS]. Returns how many are accepted before one fails. -1: busy, and
 * a section can begin a job; or, with several cores, busy or paper_jitter; or
 * paper_jitter with several GPUs. */
int plain_mpcp(const struct plain_mpcp_set *set, struct plain_mpcp how, struct plain_mpcp_bound *bound);

#endif
