/* db/bound_check.h - when a bound is exceeded, and why a run may not be able to tell.
 * docs/analyses.md has the words.
 *
 * The rule stands in SQL (db/bound_check.sql: the view v_bound_check) for whatever reads recordings, and here
 * for who has none. A test holds the two against each other. */
#ifndef CEGSIM_DB_BOUND_CHECK_H
#define CEGSIM_DB_BOUND_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* What is said of a bound and a task in a run: the first of these that fits. */
enum bound_check {
	CHECK_OUTSIDE,       /* the run's traces leave what the tasks declare: no bound is about it */
	CHECK_REMOVING,      /* jobs are removed at their deadline: nor about that */
	CHECK_UNBOUNDED,     /* the analysis found no bound */
	CHECK_BEYOND_PERIOD, /* it found one that promises nothing: jobs may wait for those before them */
	CHECK_EXCEEDED,      /* a response is greater; also in a run that was cut short */
	CHECK_TRUNCATED,     /* none was seen to be, but the run was cut short */
	CHECK_UNANSWERED,    /* nor here, but some jobs have no response, or the task has no job */
	CHECK_HOLDS,
	BOUND_CHECKS
};

/* "beyond period", as in the column v_bound_check.verdict. */
const char *bound_check_name(enum bound_check check);
/* The other way; BOUND_CHECKS: no such word. */
enum bound_check bound_check_named(const char *name);

/* The jobs of one task in one run. Zeroed: there are none. */
struct bound_seen {
	bool outside, removing, truncated;
	int64_t jobs, responses; /* jobs that have a response: they finished */
	int64_t longest_ns;      /* if there are responses: the longest */
	int64_t unfinished_ns;   /* if there are fewer than jobs: the greatest S - release of the others */
};

/* period_ns, bound_ns: DB_NULL: none. */
enum bound_check bound_check(const struct bound_seen *seen, int64_t period_ns, int64_t bound_ns);

/* Appends a query that asks the rule about bounds that are not in the recording. `asked` gives them: a SELECT
 * of analysis_run_id, taskset_id, platform_id, policy_id, task_id and bound_ns (NULL: none). `answer` is a
 * SELECT from `judged`: run_id, taskset_id, platform_id, policy_id, status, task_id, task_idx, task,
 * analysis_run_id, bound_ns, observed_ns (NULL: nothing), unfinished (1: the response of observed_ns is
 * greater than that), verdict. */
void bound_check_sql(const char *asked, const char *answer, struct text *sql);

#endif
