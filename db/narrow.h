/* db/narrow.h - what the tables have in common that this program computes from statements of its own
 * (db/why_table.c, db/busy_table.c): conditions of the query that go into that statement. */
#ifndef CEGSIM_DB_NARROW_H
#define CEGSIM_DB_NARROW_H

#include <sqlite3.h>

/* For xBestIndex (sqlite.org/vtab.html): conditions =, >= and <= on the first columns, which have these
 * `names` in the statement, become " AND NAME OPERATOR ?n ..." in idxStr, their values xFilter's arguments.
 * SQLite checks them again. `rows`: how many the table may have; each condition leaves a tenth. Returns an
 * SQLite code. */
int narrow_index(sqlite3_index_info *info, const char *const *names, int columns, double rows);

/* For xFilter: gives the statement its values. Returns an SQLite code. */
int narrow_bind(sqlite3_stmt *stmt, int count, sqlite3_value **values);

#endif
