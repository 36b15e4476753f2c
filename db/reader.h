/* db/reader.h - reads a finished recording, and cannot change it.
 *
 * Any number of cursors may be open at a time. A cursor is a query that goes through its rows once:
 *
 *   struct db_cursor *c = cursor_open(reader, "SELECT run_id FROM run WHERE status = ?1", err);
 *   if (!c || !cursor_bind_text(c, 1, "ok", err)) ...
 *   while (cursor_next(c, &row, err) && row)
 *           cursor_integer(c, 0);
 *   cursor_close(c);
 *
 * An error in the query is STATUS_INPUT; a failure of disk or memory is STATUS_IO. */
#ifndef CEGSIM_DB_READER_H
#define CEGSIM_DB_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct db_reader;
struct db_cursor;

/* Refuses a file that is not a recording of this version or an earlier one, or is not finished. NULL:
 * *err. */
MUST_CHECK struct db_reader *reader_open(const char *file, struct error *err);
/* An empty recording in memory, with the same tables, views and column_doc as any other. NULL: *err. */
MUST_CHECK struct db_reader *reader_open_empty(struct error *err);
void reader_close(struct db_reader *r); /* accepts NULL; all cursors must be closed */
/* The path by which it was opened. */
const char *reader_file(const struct db_reader *r);
/* Why the recording does not contain everything that was asked for; NULL: it does. */
const char *reader_interrupted(const struct db_reader *r);
/* Whether the recording has a table; and, unless `column` is NULL, this column in it. Recordings of earlier
 * versions lack some. */
MUST_CHECK bool reader_has(
	struct db_reader *r, const char *table, const char *column, bool *has, struct error *err);

/* Prepares one statement, which must only read. NULL: *err. The text is copied. */
MUST_CHECK struct db_cursor *cursor_open(struct db_reader *r, const char *sql, struct error *err);
MUST_CHECK struct db_cursor *cursor_open_bytes(
	struct db_reader *r, const char *sql, size_t length, struct error *err);
void cursor_close(struct db_cursor *c); /* accepts NULL */

/* Whether the statement reads a table, also through a view. */
bool cursor_reads(const struct db_cursor *c, const char *table);

/* Parameters, numbered from 1. Bind them before the first cursor_next(); those not bound are NULL. Texts are
 * copied. */
int cursor_parameters(const struct db_cursor *c);
const char *cursor_parameter_name(const struct db_cursor *c, int parameter); /* ":run"; NULL: it has none */
MUST_CHECK bool cursor_bind_integer(struct db_cursor *c, int parameter, int64_t value, struct error *err);
MUST_CHECK bool cursor_bind_real(struct db_cursor *c, int parameter, double value, struct error *err);
MUST_CHECK bool cursor_bind_text(struct db_cursor *c, int parameter, const char *value, struct error *err);

/* Steps to the next row; after the last one *row is false. */
MUST_CHECK bool cursor_next(struct db_cursor *c, bool *row, struct error *err);
/* Goes back to before the first row. Parameters keep their values until they are bound again. */
void cursor_rewind(struct db_cursor *c);

enum value_kind { VALUE_NULL, VALUE_INTEGER, VALUE_REAL, VALUE_TEXT };

/* Columns, numbered from 0. Their number and names are known before the first row. Values belong to the
 * current row. A text lives until the next step; a NULL is 0, 0.0 or NULL. Blobs count as text. */
int cursor_columns(const struct db_cursor *c);
const char *cursor_column_name(const struct db_cursor *c, int column);
enum value_kind cursor_kind(const struct db_cursor *c, int column);
int64_t cursor_integer(const struct db_cursor *c, int column);
double cursor_real(const struct db_cursor *c, int column);
const char *cursor_text(const struct db_cursor *c, int column);
const void *cursor_bytes(const struct db_cursor *c, int column, size_t *size); /* NULL: there are none */

/* A query with all its rows:
 *
 *   struct rows q = rows_open(reader, "SELECT policy_id FROM run WHERE taskset_id = ?1", err);
 *   rows_bind(&q, 1, taskset_id);
 *   while (rows_next(&q))
 *           q.ok = f(cursor_integer(q.c, 0), err);
 *   return rows_close(&q);
 *
 * A failure, here or in f(), ends the loop; rows_close() returns false then. */
struct rows {
	struct db_cursor *c; /* NULL: it could not be opened */
	struct error *err;
	bool ok; /* false: *err */
};
struct rows rows_open(struct db_reader *r, const char *sql, struct error *err);
void rows_bind(struct rows *q, int parameter, int64_t value);
bool rows_next(struct rows *q);
MUST_CHECK bool rows_close(struct rows *q);

#endif
