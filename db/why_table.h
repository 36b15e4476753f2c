/* db/why_table.h - the rows of v_why and v_wait_sum (db/why.sql), computed by this program: virtual tables
 * of SQLite. */
#ifndef CEGSIM_DB_WHY_TABLE_H
#define CEGSIM_DB_WHY_TABLE_H

#include <sqlite3.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"

/* Makes the tables cegsim_why and cegsim_wait_sum known to a connection; `file` is the name in errors. */
MUST_CHECK bool why_table_add(sqlite3 *db, const char *file, struct error *err);

/* Appends a view v_why that reads it, from behind CREATE VIEW on. */
void why_table_view(struct text *sql);
/* The same of v_wait_sum. */
void wait_sum_table_view(struct text *sql);

#endif
