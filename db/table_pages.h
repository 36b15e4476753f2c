/* db/table_pages.h - a table's leaves (db/pages/leaves.h) in the file that a reader has open, for
 * db/numbers.h. SQLite holds its lock meanwhile, so no one else writes, and what a killed writer has left
 * half done is undone. */
#ifndef CEGSIM_DB_TABLE_PAGES_H
#define CEGSIM_DB_TABLE_PAGES_H

#include "db/pages/leaves.h"
#include "db/reader.h"

struct table_pages;

/* `names` and `columns` as of numbers_open(), `most` rows at a time. *pages: NULL, if only SQLite can read
 * the table. */
MUST_CHECK bool table_pages_open(struct db_reader *r, const char *table, const char *names, size_t columns,
	int64_t run_id, size_t most, struct table_pages **pages, struct error *err);
void table_pages_close(struct table_pages *p); /* accepts NULL */

/* Rows of the run with rowids in [from, last], at most as many as was said: *numbers, until the next ones. */
enum leaves_outcome table_pages_read(struct table_pages *p, int64_t from, int64_t last,
	const int64_t **numbers, size_t *rows, struct error *err);

#endif
