/* db/audit/waits_asked.h - the jobs that law_waits asks about, noted as the sweep passes them. v_wait looks
 * at all jobs of a run, and at all its intervals, before it answers for one; what it learns there is noted
 * here beside, so that the same rows come from these jobs alone. */
#ifndef CEGSIM_DB_AUDIT_WAITS_ASKED_H
#define CEGSIM_DB_AUDIT_WAITS_ASKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

struct moment;
struct audit;

struct waits_job {
	int64_t task_id, seq, release, until;
	int64_t left, last; /* NOT_GIVEN: it is the first of its task */
	bool finished;
};

struct waits_asked {
	bool by_all; /* rows are not as every program writes them, or the view is another: the view answers */
	int64_t longest_ns; /* of all intervals; NOT_GIVEN: there are none */
	struct waits_job *job;
	size_t count, capacity;
	struct waits_before *before; /* [tasks] */
};

/* At the beginning of a run; and what it holds is given back with waits_asked_finish(). */
void waits_asked_begin(struct audit *a);
void waits_asked_finish(struct waits_asked *w); /* may be used again */

/* A job row. */
void waits_asked_job(struct audit *a, const struct moment *m);
/* A job that is asked about. */
MUST_CHECK bool waits_asked_add(struct audit *a, const struct waits_job *job);

/* Whether the jobs are known from here: then, in the order of task and number, as JSON for
 * schema_waits_of_jobs(). False too without memory: a->failed. */
MUST_CHECK bool waits_asked_jobs(struct audit *a, struct text *json);

/* An interval, also one of a task that is not of the set. */
static inline void waits_asked_interval(struct waits_asked *w, int64_t start, int64_t end)
{
	if (end - start > w->longest_ns)
		w->longest_ns = end - start;
}

#endif
