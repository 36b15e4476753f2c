/* tests/bench/bare.h - SQLite alone: what inserting rows costs without a writer, a journal or the disk's
 * acknowledgement. The measure that recording is held against. */
#ifndef CEGSIM_TESTS_BENCH_BARE_H
#define CEGSIM_TESTS_BENCH_BARE_H

#include <stddef.h>

#include "base/error.h"
#include "db/row_types.h"

#define SAMPLE_ROWS 1024
#define BENCH_FIRST_BULK ROWS_HIST /* the bulk tables are this one to the last */

/* SAMPLE_ROWS rows of a bulk table, like those of a run; NULL: of warps, which are not measured. The memory
 * is the function's own and is used again. */
const void *sample_rows(enum row_type_id id);

enum bare_way {
	BARE_STREAM, /* INSERT ... SELECT from an array (db/bulk.h) */
	BARE_ROWS,   /* a prepared INSERT, bound and stepped for every row */
};

/* Processor seconds for `count` rows into a new file in `folder`, which is removed again; negative: *err. */
double bare_insert(
	const char *folder, enum row_type_id id, enum bare_way way, size_t count, struct error *err);

#endif
