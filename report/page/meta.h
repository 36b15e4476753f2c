/* report/page/meta.h - the description of a page, as JSON. */
#ifndef CEGSIM_REPORT_VIEW_META_H
#define CEGSIM_REPORT_VIEW_META_H

#include "base/text.h"
#include "db/extract.h"

/* The rows of `run` that the page has in `table`; from_ns = to_ns: none. */
struct view_window {
	int64_t run_id;
	enum extract_table table;
	struct extract_span span;
};

struct view_meta {
	const char *title;
	const char *interrupted; /* NULL: the recording is complete */
	int64_t recording_bytes;
	const int64_t *rows, *kept; /* by table */
	const struct view_window *windows;
	size_t window_count;
};

/* Adds the JSON, in a form that is safe inside of an HTML element. */
void view_meta_add(struct text *to, const struct view_meta *meta);

#endif
