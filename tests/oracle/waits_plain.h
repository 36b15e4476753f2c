/* tests/oracle/waits_plain.h - what a job does at an instant, and who has what it waits for: docs/waiting.md
 * read tick by tick. */
#ifndef CEGSIM_TESTS_ORACLE_WAITS_PLAIN_H
#define CEGSIM_TESTS_ORACLE_WAITS_PLAIN_H

#include "tests/oracle/oracle.h"
#include "tests/oracle/random_sets.h"

/* A schedule with all that it is read with. */
struct plain_schedule {
	const struct random_case *c;
	const struct oracle_policy *policy;
	const struct oracle_allocation *allocation;
	const struct oracle_result *result;
	struct plain_kernel *kernels; /* from plain_begin() to plain_end() */
	size_t kernel_count;
};

struct plain_wait {
	const char *resource;    /* as in v_wait */
	int64_t segment;         /* not told for "job" */
	int64_t by_task, by_seq; /* -1: nobody */
};

void plain_begin(struct plain_schedule *s);
void plain_end(struct plain_schedule *s);
/* When the job ended; S if it is unfinished. */
int64_t plain_until(const struct plain_schedule *s, const struct oracle_job *job);
/* At an instant from the job's release on and before its end. */
struct plain_wait plain_wait_at(const struct plain_schedule *s, const struct oracle_job *job, int64_t now);

#endif
