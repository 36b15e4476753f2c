/* tests/bench/bare.h - the time to insert rows with SQLite alone, without our writer, without a journal and
 * without waiting for the disk. Recording is compared with this time. */
#ifndef CEGSIM_TESTS_BENCH_BARE_H
#define CEGSIM_TESTS_BENCH_BARE_H

#include <stddef.h>

#include "base/error.h"
#include "db/row_types.h"

#define SAMPLE_ROWS 1024
#define BENCH_FIRST_BULK ROWS_HIST /* the bulk tables are the row types from this one to the last */

/* SAMPLE_ROWS rows for a bulk table, like those of a run. NULL for tables of warps, which are not measured.
 * The array belongs to the function, and the next call overwrites it. */
const void *sample_rows(enum row_type_id id);

enum bare_way {
	BARE_STREAM, /* INSERT ... SELECT from an array (db/bulk.h) */
	BARE_ROWS,   /* a prepared INSERT, bound and stepped for every row */
};

/* Inserts `count` rows into a new file in `folder` and removes the file. Returns processor seconds; negative:
 * *err. */
double bare_insert(
	const char *folder, enum row_type_id id, enum bare_way way, size_t count, struct error *err);

#endif
