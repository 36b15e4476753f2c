/* report/page/windows.h - chooses the times of a run that a page keeps of a table that does not fit
 * completely. */
#ifndef CEGSIM_REPORT_WINDOWS_H
#define CEGSIM_REPORT_WINDOWS_H

#include "db/extract.h"
#include "db/reader.h"

#define WINDOWS_MISSES                                                                                       \
	10000 /* most misses that get a window: the page searches them all, and has their names */

struct windows_ask {
	struct db_reader *reader;
	enum extract_table table;
	int64_t run_id;
	int64_t clock_hz;           /* of the run; EXTRACT_ISSUE only */
	struct extract_span within; /* nothing outside of it is needed */
	int64_t limit;              /* rows */
	extract_goes_on *goes_on;
	void *self;
};

struct windows {
	struct extract_span *span; /* disjoint, in order */
	size_t count;
};

/* `within` itself, if its rows fit. Else the times from release to end of missed jobs, in order of release,
 * as long as they take at most half of the limit and are at most WINDOWS_MISSES; then as much from the
 * beginning as fits (to 1/65536 of the time). Spans that overlap become one. On failure *w is empty. */
MUST_CHECK bool windows_choose(const struct windows_ask *ask, struct windows *w, struct error *err);
void windows_finish(struct windows *w); /* accepts a zeroed one */

#endif
