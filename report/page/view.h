/* report/page/view.h - a recording as one page that a browser shows without anything else
 * (docs/viewer.md). */
#ifndef CEGSIM_REPORT_VIEW_H
#define CEGSIM_REPORT_VIEW_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "db/extract.h"

#define VIEW_LIMIT 2000000 /* rows of a table, unless another limit is asked for */
#define VIEW_TO_THE_END INT64_MAX

struct view_request {
	const char *file;    /* the recording */
	const char *output;  /* "-": standard output */
	const char *title;   /* NULL: the name of the file without its folder */
	const int64_t *runs; /* which; none: all */
	size_t run_count;
	int64_t from_ns, to_ns; /* 0 and VIEW_TO_THE_END: all of a run */
	int64_t limit;
	bool force;                                   /* replace the output */
	bool (*goes_on)(void *self, double fraction); /* asked now and then; false: stop */
	void *self;
};

/* What became of the tables that can be cut. */
struct view_result {
	int64_t rows[EXTRACT_TABLES], kept[EXTRACT_TABLES]; /* of the chosen runs; in the page */
	bool cut[EXTRACT_TABLES];                           /* by the limit */
};

/* Makes the page. Nothing is left of one that was not finished. STATUS_INPUT: not a recording, no such run,
 * the output exists or is the recording; STATUS_INTERRUPTED: goes_on said stop. */
MUST_CHECK bool view_make(const struct view_request *request, struct view_result *result, struct error *err);

#endif
