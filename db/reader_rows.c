/* db/reader_rows.c - all rows of a query, one by one; see db/reader.h. */
#include "db/reader.h"

struct rows rows_open(struct db_reader *r, const char *sql, struct error *err)
{
	struct db_cursor *c = cursor_open(r, sql, err);
	return (struct rows){c, err, c != NULL};
}

void rows_bind(struct rows *q, int parameter, int64_t value)
{
	q->ok = q->ok && cursor_bind_integer(q->c, parameter, value, q->err);
}

bool rows_next(struct rows *q)
{
	bool row = false;
	q->ok = q->ok && cursor_next(q->c, &row, q->err);
	return q->ok && row;
}

bool rows_close(struct rows *q)
{
	cursor_close(q->c);
	return q->ok;
}
