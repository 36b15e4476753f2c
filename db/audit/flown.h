/* db/audit/flown.h - what a run with operations in flight issued, for the laws on its streams and queues.
 * Only for use in db/audit/. */
#ifndef CEGSIM_DB_AUDIT_FLOWN_H
#define CEGSIM_DB_AUDIT_FLOWN_H

#include "db/audit/law.h"

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
