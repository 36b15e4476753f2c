/* db/why_divide.h - the second half of v_wait (db/waits.sql, from `in_stream` on) as sums, for jobs that wait
 * for thousands of others: a stretch of waiting is divided among those who were in its way.
 *
 * Times are nanoseconds of the run's clock. Tasks have indexes, from 0, in the order of task_id. */
#ifndef CEGSIM_DB_WHY_DIVIDE_H
#define CEGSIM_DB_WHY_DIVIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define WHY_NONE INT64_MIN /* NULL */
#define WHY_PLACES 9       /* rows of a resource at most: the last one may be the sum of others */
#define WHY_RESOURCES 15

extern const char *const why_resources[WHY_RESOURCES];
/* The number of a resource, or -1. */
int why_resource(const char *name);

/* A set of SMs: bit s of word s / 64. */
struct why_sms {
	char *json; /* as recorded */
	uint64_t *word;
	size_t words;
};

/* An interval that others may meet. Intervals are in the order of start and task. */
struct why_interval {
	int64_t start, end, seq, unit, gpu;
	int64_t stream;            /* -1: the NULL stream; WHY_NONE: not of an operation */
	const struct why_sms *sms; /* NULL: all */
	uint32_t task;
	int code;    /* segment_interval.code */
	bool listed; /* its segment is one of the task's */
};

struct why_task {
	int64_t id, process; /* equal: of one process */
	char *name;
};

/* A row of `want` in db/waits.sql, whose names these are. */
struct why_want {
	int64_t from, to, late, longest_ns, work_queues, own_core, engine, queue, gpu;
	int64_t by_seq;
	int64_t by_task; /* index, or WHY_NONE */
	const struct why_sms *sms;
	uint32_t task;
	int resource; /* -1: not known */
	int need;
	bool moving, shared, in_turns;
};

/* What a job waited for while one task had it; or nobody, of its own resources. */
struct why_owed {
	int64_t ns, first_seq, last_seq; /* WHY_NONE: no job was named */
	int64_t noted_seq;               /* the one that was named last */
	int64_t task;                    /* index, or WHY_NONE */
	int64_t jobs;                    /* that were named; why_sums() counts them */
	int resource;
};

/* A job that was named, by its place in `owed`. */
struct why_named {
	uint32_t owed;
	int64_t seq;
};

/* All zero at first; of one run. */
struct why_run {
	struct why_interval *interval;
	size_t interval_count, interval_capacity;
	struct why_task *task;
	size_t task_count, task_capacity;
	struct why_sms **sms;
	size_t sms_count, sms_capacity;

	/* of the job that is looked at */
	struct why_owed *owed;
	size_t owed_count, owed_capacity;
	struct why_named *named; /* each job at least once */
	size_t named_count, named_capacity;
	uint32_t *slot; /* [task + 1][resource]: 1 + its place in `owed`, or 0 */
	bool failed;    /* out of memory */
};

/* Forgets the run; the struct may be used again. */
void why_run_finish(struct why_run *r);

/* The set with this text, a JSON list of numbers, or NULL for NULL. Texts of older sets stay. */
MUST_CHECK bool why_sms_find(struct why_run *r, const char *json, const struct why_sms **sms);

/* The index of a task; task_count: there is none. */
size_t why_task_find(const struct why_run *r, int64_t task_id);

/* Divides a stretch, and adds what comes out to `owed`. Intervals and tasks are complete. False: out of
 * memory. */
MUST_CHECK bool why_divide(struct why_run *r, const struct why_want *w);

/* A row of the answer. */
struct why_row {
	struct why_owed owed; /* where others > 0, only resource and ns count */
	size_t others;        /* so many are summed here; 0: it is one */
	int place;            /* from 1 */
};

/* The rows of the job, into `rows`, and nothing is owed any more. Returns their number. */
size_t why_rows(struct why_run *r, struct why_row rows[WHY_RESOURCES * WHY_PLACES]);

/* All sums of the job, in `owed`: as many as returned, in no order. They stay until why_forget(). */
size_t why_sums(struct why_run *r);
void why_forget(struct why_run *r);

/* by_task of the row, into `text` as snprintf() does; -1: NULL. */
int why_by_task(const struct why_run *r, const struct why_owed *o, char *text, size_t size);

#endif
