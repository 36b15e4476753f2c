/* report/page/view.h - makes a page from a recording, which a browser can show without other files
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
	const int64_t *runs; /* their ids; none: all runs */
	size_t run_count;
	int64_t from_ns, to_ns; /* 0 and VIEW_TO_THE_END: all of a run */
	int64_t limit;
	bool force;                                   /* replace the output */
	bool (*goes_on)(void *self, double fraction); /* called now and then; false: stop */
	void *self;
};

/* What happened to the tables that can be cut. */
struct view_result {
	int64_t rows[EXTRACT_TABLES], kept[EXTRACT_TABLES]; /* rows of the chosen runs; rows in the page */
	bool cut[EXTRACT_TABLES];                           /* cut, because of the limit */
};

/* Makes the page. If it is not finished, no file is left. STATUS_INPUT: not a recording, no such run, the
 * output exists or is the recording itself; STATUS_INTERRUPTED: goes_on returned false. */
MUST_CHECK bool view_make(const struct view_request *request, struct view_result *result, struct error *err);

#endif
