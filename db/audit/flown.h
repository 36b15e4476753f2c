/* db/audit/flown.h - a run with operations in flight, job by job, and what it issued, for the laws on it.
 * Only for use in db/audit/. */
#ifndef CEGSIM_DB_AUDIT_FLOWN_H
#define CEGSIM_DB_AUDIT_FLOWN_H

#include "db/audit/law.h"
#include "db/audit/query.h"

/* ---- Jobs ---- */

/* The intervals of a segment of a job, together. */
struct stay {
	bool ran, launched;
	bool ended, issued;                /* it ran to its end; ran, or was launched to the end */
	int64_t ready, start, end, ran_ns; /* start, end: of the first and the last part */
	int64_t unit;
	int64_t launch_start, launch_end, launch_ns;
};

struct flown {
	struct audit *audit;
	const struct moment *at;
	bool (*each)(struct flown *f); /* called for each job; false: a->err */
	void *self;                    /* for it */
	struct job job;
	uint32_t task;
	int64_t began;     /* its release, or the end of the task's jobs before */
	int64_t free_at;   /* end of the task's jobs before */
	struct stay *stay; /* [stays] of the job's segments; at least as many as any task has */
	struct issued *issued;
	size_t issued_count, issued_capacity;
	uint64_t checked;
	struct rows jobs, intervals;
	bool more;
};

/* In the order of tasks and jobs. False: a->err. */
MUST_CHECK bool flown_go_through(struct flown *f);
/* A moment about a segment of the job, for broken(), or, with `row` NULL, about the job; `row` must live as
 * long. */
struct moment flown_moment_of(const struct flown *f, struct interval *row, uint32_t segment);
/* Whether the segment has no row because it took no time. */
bool flown_passed(const struct flown *f, uint32_t segment);
/* What launching it takes: of a graph it is the first node that is launched. */
int64_t flown_launch(const struct audit *a, const struct part_of_task *s);
/* Whether a job stops behind this operation for which it waited: its section, which is of one GPU, is over.
 */
bool flown_stops_behind(const struct flown *f, uint32_t segment);

static inline bool is_operation(const struct part_of_task *s)
{
	return s->kind == KIND_COPY || s->kind == KIND_KERNEL;
}

/* ---- What was issued ---- */

/* An operation that was issued to a stream, and started. */
struct issued {
	int64_t issue, start, end, seq;
	int64_t behind;   /* the last end of those that it comes after; 0: none */
	int64_t eligible; /* by the rows of those in front of it */
	int64_t unit;     /* by its row */
	uint32_t task, segment;
};

/* In the order of issue. Free *list either way. False: a->err. */
MUST_CHECK bool flown_issued(struct audit *a, const struct moment *m, struct issued **list, size_t *count);
/* A moment about it, for broken(); `row` must live as long. */
struct moment flown_moment(const struct moment *m, const struct issued *i, struct interval *row);

#endif
