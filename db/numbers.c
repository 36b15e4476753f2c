/* db/numbers.c - see db/numbers.h. */
#include "db/numbers.h"

#include <stdio.h>

/* Rows of a run stand together. So a stretch of rowids is read by these, without an index. */
bool numbers_open(struct numbers *n, struct db_reader *r, const char *table, const char *names,
	size_t columns, int64_t run_id, struct error *err)
{
	char sql[400];
	*n = (struct numbers){.reader = r,
		.table = table,
		.names = names,
		.columns = columns,
		.run_id = run_id,
		.from = INT64_MIN,
		.err = err};
	snprintf(sql, sizeof(sql),
		"SELECT cegsim_numbers(%s) FROM %s WHERE rowid BETWEEN ?2 AND ?3 AND +run_id = ?1", names,
		table);
	n->some = cursor_open(r, sql, err);
	snprintf(sql, sizeof(sql), "SELECT min(rowid) FROM %s WHERE run_id = ?1 AND rowid >= ?2", table);
	n->first = n->some ? cursor_open(r, sql, err) : NULL;
	return n->first && cursor_bind_integer(n->some, 1, run_id, err) &&
	       cursor_bind_integer(n->first, 1, run_id, err);
}

void numbers_close(struct numbers *n)
{
	cursor_close(n->some);
	cursor_close(n->first);
	table_pages_close(n->pages);
	*n = (struct numbers){.some = NULL};
}

/* Goes to the next row of the run, wherever it is. */
static bool go_on(struct numbers *n)
{
	bool row;
	cursor_rewind(n->first);
	if (!cursor_bind_integer(n->first, 2, n->from, n->err) || !cursor_next(n->first, &row, n->err))
		return false;
	n->over = !row || cursor_kind(n->first, 0) == VALUE_NULL;
	n->from = n->over ? n->from : cursor_integer(n->first, 0);
	return true;
}

/* The rows of the run among these rowids. */
static bool read_stretch(struct numbers *n, int64_t last)
{
	size_t size;
	bool row;
	enum leaves_outcome read =
		n->pages ? table_pages_read(n->pages, n->from, last, &n->rows, &n->row_count, n->err)
			 : LEAVES_STRANGE;
	if (read != LEAVES_STRANGE)
		return read == LEAVES_READ;
	cursor_rewind(n->some);
	if (!cursor_bind_integer(n->some, 2, n->from, n->err) ||
		!cursor_bind_integer(n->some, 3, last, n->err) || !cursor_next(n->some, &row, n->err))
		return false;
	n->rows = cursor_bytes(n->some, 0, &size);
	n->row_count = size / sizeof(*n->rows) / n->columns;
	return true;
}

bool numbers_read(struct numbers *n)
{
	bool full = n->row_count == NUMBERS_ROWS;
	n->row_count = 0;
	/* What pages need first costs as much as SQLite does for some hundred rows. */
	if (full && !n->by_pages) {
		n->by_pages = true;
		if (!table_pages_open(n->reader, n->table, n->names, n->columns, n->run_id, NUMBERS_ROWS,
			    &n->pages, n->err))
			return false;
	}
	while (n->row_count == 0 && !n->over) {
		if (!full && (!go_on(n) || n->over))
			return n->over;
		full = false;
		int64_t last = n->from > INT64_MAX - NUMBERS_ROWS ? INT64_MAX : n->from + NUMBERS_ROWS - 1;
		if (!read_stretch(n, last))
			return false;
		n->over = last == INT64_MAX;
		n->from = last + (last < INT64_MAX);
	}
	return true;
}
