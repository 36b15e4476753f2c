/* db/extract.h - a smaller recording made of a finished one, in a scratch file that vanishes with the
 * process: chosen runs, chosen times, rows in an order in which they can be searched, no indexes, and the
 * three tables of the viewer's page (docs/viewer.md): view_lane, view_span, view_detail.
 *
 *   struct extract *e = extract_begin("out.db", "/tmp", goes_on, self, err);
 *   extract_things(e, runs, count, err)            what is not bulk; verdicts, unless there are many
 *   extract_rows(e, &choice, &kept, err)           run by run, in order of run_id
 *   extract_lane(), extract_detail()
 *   extract_end(e, err)
 *   read extract_fd(e) from offset 0
 *   extract_close(e)
 *
 * A full disk or a damaged file is STATUS_IO. STATUS_INTERRUPTED: goes_on returned false. */
#ifndef CEGSIM_DB_EXTRACT_H
#define CEGSIM_DB_EXTRACT_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* The tables that may be too large to be copied whole. */
enum extract_table {
	EXTRACT_JOB,
	EXTRACT_SEGMENT,
	EXTRACT_BLOCK,
	EXTRACT_POWER,
	EXTRACT_DECISION,
	EXTRACT_ISSUE,
	EXTRACT_MEASURED,
	EXTRACT_TABLES
};

/* `start` and `end`: SQL of the instants of a row, in ns (of warp_issue: in cycles of its run's clock). */
struct extract_rows_of {
	const char *name, *start, *end;
};
extern const struct extract_rows_of extract_tables[EXTRACT_TABLES];

/* From `from_ns` up to before `to_ns`. A row overlaps it if they share an instant; a row covers [start, end),
 * and `start` in any case. */
struct extract_span {
	int64_t from_ns, to_ns;
};
static inline bool extract_touches(const struct extract_span *s, int64_t start_ns, int64_t end_ns)
{
	return start_ns < s->to_ns && (end_ns > s->from_ns || start_ns >= s->from_ns);
}

/* The first whole ns at which a cycle >= 0 has begun; INT64_MAX where that is beyond 64 bits. */
int64_t extract_cycle_ns(int64_t cycle, int64_t clock_hz);

/* Called now and then during a statement; false: stop. */
typedef bool extract_goes_on(void *self);

struct extract;

/* The scratch file grows in `folder`, without a name. NULL: *err. */
MUST_CHECK struct extract *extract_begin(
	const char *recording, const char *folder, extract_goes_on *goes_on, void *self, struct error *err);
void extract_close(struct extract *e); /* accepts NULL */

/* Copies everything but the rows of the tables above. count > 0: of those runs, with the sets, policies and
 * platforms that belong to them; 0: of all. Stretches of campaigns, which refer to places of rows, are left
 * out. */
MUST_CHECK bool extract_things(struct extract *e, const int64_t *runs, size_t count, struct error *err);

/* Which rows of a table to copy. Spans are disjoint and in order; NULL: the whole run. */
struct extract_choice {
	enum extract_table table;
	int64_t run_id;
	int64_t clock_hz; /* of the run; EXTRACT_ISSUE only */
	const struct extract_span *spans;
	size_t count;
	bool sort; /* the source's rows are not in order of end_ns, but are to be */
};
/* *kept: the number of rows copied. */
MUST_CHECK bool extract_rows(
	struct extract *e, const struct extract_choice *choice, int64_t *kept, struct error *err);

struct extract_lane {
	int64_t run_id, lane;
	const char *kind, *name;
	int64_t unit, capacity;
};
MUST_CHECK bool extract_lane(struct extract *e, const struct extract_lane *lane, struct error *err);

/* One lane at one level; data: what docs/viewer.md says. */
struct extract_detail {
	int64_t run_id, lane, level, bin_ns, entries;
	const void *data;
	size_t size; /* of data, bytes */
};
MUST_CHECK bool extract_detail(struct extract *e, const struct extract_detail *detail, struct error *err);

/* Adds generated columns and views; then the file is complete. */
MUST_CHECK bool extract_end(struct extract *e, struct error *err);
/* Its descriptor, from extract_end() to extract_close(). */
int extract_fd(const struct extract *e);

#endif
