/* db/numbers.h - the rows of a run as numbers, in the order in which they were written, for whoever reads
 * millions of them: many at a time, from the pages of the file or, where these are not those of our writer,
 * by one statement of SQLite, which else would cost more than the rows.
 *
 *	struct numbers n;
 *	bool ok = numbers_open(&n, reader, "job", "seq, release_ns", 2, run_id, err);
 *	while (ok && (ok = numbers_read(&n)) && n.row_count)
 *		for (size_t i = 0; i < n.row_count; i++)
 *			n.rows[2 * i + 1] ...
 *	numbers_close(&n); */
#ifndef CEGSIM_DB_NUMBERS_H
#define CEGSIM_DB_NUMBERS_H

#include "db/reader.h"
#include "db/table_pages.h"

#define NUMBERS_MAX 16   /* columns */
#define NUMBERS_ROWS 256 /* at a time, at most */
#define NUMBERS_NULL INT64_MIN

struct numbers {
	struct db_reader *reader;
	const char *table, *names;
	size_t columns;
	int64_t run_id;
	struct db_cursor *some, *first;
	struct table_pages *pages; /* NULL: SQLite reads all rows, else those that these find strange */
	bool by_pages;             /* these have been asked for */
	int64_t from;              /* rows in front of this rowid have been read */
	bool over;                 /* and there are no others */
	const int64_t
		*rows; /* [row_count][columns], of the last read, until the next one; NULL is
			  NUMBERS_NULL, and what is no integer the one that cursor_integer() would give */
	size_t row_count;
	struct error *err;
};

/* A table with a column run_id; names of so many of its columns, or 0 for no column. The texts must outlive
 * it. Close it either way. */
MUST_CHECK bool numbers_open(struct numbers *n, struct db_reader *r, const char *table, const char *names,
	size_t columns, int64_t run_id, struct error *err);
/* The rows that follow; row_count is 0 where none do. */
MUST_CHECK bool numbers_read(struct numbers *n);
void numbers_close(struct numbers *n);

#endif
