/* db/audit/query.h - queries with one parameter, and columns that may be NULL. */
#ifndef CEGSIM_DB_AUDIT_QUERY_H
#define CEGSIM_DB_AUDIT_QUERY_H

#include "base/error.h"
#include "db/numbers.h"

#define NOT_GIVEN NUMBERS_NULL /* a column that is NULL */

/* A cursor with `value` for its parameter ?1. NULL with the error. */
MUST_CHECK static inline struct db_cursor *query_open(
	struct db_reader *r, const char *sql, int64_t value, struct error *err)
{
	struct db_cursor *c = cursor_open(r, sql, err);
	if (c && !cursor_bind_integer(c, 1, value, err)) {
		cursor_close(c);
		c = NULL;
	}
	return c;
}

/* The same for all its rows. */
static inline struct rows query_rows(struct db_reader *r, const char *sql, int64_t value, struct error *err)
{
	struct rows q = rows_open(r, sql, err);
	rows_bind(&q, 1, value);
	return q;
}

/* A column of the current row. */
static inline int64_t column(const struct db_cursor *c, int index)
{
	int64_t value = cursor_integer(c, index);
	return value == 0 && cursor_kind(c, index) == VALUE_NULL ? NOT_GIVEN : value;
}

/* The same for times and counts that are used in calculations: NULL is -1. Values beyond any sensible bound
 * (146 years) are cut there, so that a damaged row cannot make sums overflow. They are still wrong, so some
 * law will report them. */
#define COLUMN_BOUND (INT64_MAX / 2)
static inline int64_t bounded(int64_t value)
{
	if (value == NOT_GIVEN)
		return -1;
	return value > COLUMN_BOUND ? COLUMN_BOUND : value < -COLUMN_BOUND ? -COLUMN_BOUND : value;
}
static inline int64_t column_bounded(const struct db_cursor *c, int index)
{
	return bounded(column(c, index));
}

/* The first column of a query's only row, such as a count; 0 without a row. False with the error. */
MUST_CHECK static inline bool query_number(
	struct db_reader *r, const char *sql, int64_t value, int64_t *number, struct error *err)
{
	struct db_cursor *c = query_open(r, sql, value, err);
	bool have = false, ok = c && cursor_next(c, &have, err);
	*number = ok && have ? column(c, 0) : 0;
	cursor_close(c);
	return ok;
}

#endif
