/* db/schema.h - the tables and views of a recording. Tables come from the lists of db/columns.h, views from
 * db/views.sql, db/waits.sql, db/flight_waits.sql, db/why.sql and db/bound_check.sql, indexes from
 * db/indexes.sql, the descriptions of the columns of views from db/view_columns.sql. */
#ifndef CEGSIM_DB_SCHEMA_H
#define CEGSIM_DB_SCHEMA_H

#include <sqlite3.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"

/* Turns an empty file into a recording: its marks, all tables, and column_doc with its rows. `file` is the
 * name in errors. */
MUST_CHECK bool schema_create(sqlite3 *db, const char *file, struct error *err);
/* Adds once what rows can be written without: generated columns, indexes with their statistics (`indexed`),
 * views. */
MUST_CHECK bool schema_complete(sqlite3 *db, bool indexed, const char *file, struct error *err);
/* Makes the statistics of the indexes new. */
MUST_CHECK bool schema_analyze(sqlite3 *db, const char *file, struct error *err);

/* Appends the INSERT statement for the rows of column_doc, one line per row. */
void schema_describe(struct text *sql);

/* Appends the view v_wait (db/waits.sql), from behind the text `begin` on. */
void schema_waits(const char *begin, struct text *sql);

/* Appends the tables of v_wait up to `want`, as the beginning of a SELECT: WITH and what follows it. */
void schema_wants(struct text *sql);

/* Appends the view v_why (db/why.sql), from behind CREATE VIEW on. */
void schema_why(struct text *sql);

/* Appends the view v_flight_wait (db/flight_waits.sql), from behind the text `begin` on; without `flights`,
 * as for recordings that know no operations in flight, one without rows, from behind CREATE VIEW on. */
void schema_flight_waits(bool flights, const char *begin, struct text *sql);

/* Appends the view v_measured (db/views.sql), from behind CREATE VIEW on. */
void schema_measured(struct text *sql);

/* Appends the embedded rule on bounds (db/bound_check.sql): from behind the text `begin` to the text `end`;
 * "": to the end. */
void schema_bound_rule(const char *begin, const char *end, struct text *sql);

#endif
