/* report/page/levels.h - writes the lanes of a run, and its levels of detail, into the tables of a page
 * (view_lane, view_detail). */
#ifndef CEGSIM_REPORT_LEVELS_H
#define CEGSIM_REPORT_LEVELS_H

#include "db/extract.h"
#include "db/reader.h"

struct levels_ask {
	struct db_reader *reader;
	struct extract *extract;
	int64_t run_id, taskset_id;
	int64_t intervals; /* number of rows in segment_interval and block_interval */
	extract_goes_on *goes_on;
	void *self;
};

/* *blocks_in_order: end_ns never fell from row to row of block_interval. */
MUST_CHECK bool levels_write(const struct levels_ask *ask, bool *blocks_in_order, struct error *err);

#endif
