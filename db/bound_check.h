/* db/bound_check.h - when a bound is exceeded, and why a run may not be able to tell.
 * docs/analyses.md has the words.
 *
 * The rule exists twice: in SQL (db/bound_check.sql: the view v_bound_check) for readers of recordings, and
 * here for code that has no recording. A test compares the two. */
#ifndef CEGSIM_DB_BOUND_CHECK_H
#define CEGSIM_DB_BOUND_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* The verdict on a bound for a task in a run: the first of these that applies. */
enum bound_check {
	CHECK_OUTSIDE,       /* the run's traces violate what the tasks declare: no bound is for such a run */
	CHECK_REMOVING,      /* jobs are removed at their deadline: no bound is for such a run either */
	CHECK_UNBOUNDED,     /* the analysis found no bound */
	CHECK_BEYOND_PERIOD, /* the bound is above the period and promises nothing: jobs may wait for those
				before them */
	CHECK_NOT_ASSUMED,   /* the bound rests on tasks that keep their deadlines, and one of them is late */
	CHECK_EXCEEDED,      /* a response exceeds the bound; also in a run that was cut short */
	CHECK_TRUNCATED,     /* no response does, but the run was cut short */
	CHECK_UNANSWERED,    /* no response does, but some jobs have none, or the task has no job */
	CHECK_HOLDS,
	BOUND_CHECKS
};

/* "beyond period", as in the column v_bound_check.verdict. */
const char *bound_check_name(enum bound_check check);
/* The verdict of this name; BOUND_CHECKS: there is none. */
enum bound_check bound_check_named(const char *name);

/* The jobs of one task in one run. A zeroed struct: there are no jobs. */
struct bound_seen {
	bool outside, removing, truncated;
	int64_t jobs, responses; /* jobs that have a response: they finished */
	int64_t longest_ns;      /* if there are responses: the longest */
	int64_t unfinished_ns;   /* if some jobs have no response: the greatest S - release of these */
	bool not_assumed;        /* some job of a task is late on whose being in time the bound rests */
};

/* Whether a job was late: for tasks on which bounds rest. */
bool bound_seen_late(const struct bound_seen *seen, int64_t deadline_ns);

/* DB_NULL for period_ns or bound_ns: there is none. */
enum bound_check bound_check(const struct bound_seen *seen, int64_t period_ns, int64_t bound_ns);

/* Appends a query that applies the rule to bounds that are not in the recording. `asked` gives these bounds:
 * a SELECT of analysis_run_id, taskset_id, platform_id, policy_id, task_id, bound_ns (NULL: none) and assumes
 * (as in the table bound).
 * `answer` is a SELECT from `judged`, which has: run_id, taskset_id, platform_id, policy_id, status, task_id,
 * task_idx, task, analysis_run_id, bound_ns, observed_ns (NULL: nothing), unfinished (1: the response is
 * greater than observed_ns), verdict. */
void bound_check_sql(const char *asked, const char *answer, struct text *sql);

#endif
