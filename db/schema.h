/* db/schema.h - the tables and views of a recording. Tables come from the lists of db/columns.h, views from
 * db/views.sql and db/bound_check.sql, indexes from db/indexes.sql, what columns of views mean from
 * db/view_columns.sql. */
#ifndef CEGSIM_DB_SCHEMA_H
#define CEGSIM_DB_SCHEMA_H

#include <sqlite3.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"

/* What makes an empty file a recording: its marks, all tables, and column_doc with its rows. `file` is what
 * errors call it. */
MUST_CHECK bool schema_create(sqlite3 *db, const char *file, struct error *err);
/* What a complete recording gets once: generated columns, indexes with their statistics
 * (`indexed`), views. */
MUST_CHECK bool schema_complete(sqlite3 *db, bool indexed, const char *file, struct error *err);

/* Appends the INSERT statement of the rows of column_doc, a line for each. */
void schema_describe(struct text *sql);

/* The embedded rule on bounds (db/bound_check.sql): from behind `begin` to `end`; an empty `end`: to the
 * end of the text. */
void schema_bound_rule(const char *begin, const char *end, struct text *sql);

#endif
