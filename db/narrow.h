/* db/narrow.h - what the tables have in common that this program computes from a question of its own
 * (db/why_table.c, db/busy_table.c; sqlite.org/vtab.html): conditions of the query go into that question. The
 * functions return SQLite codes. */
#ifndef CEGSIM_DB_NARROW_H
#define CEGSIM_DB_NARROW_H

#include <sqlite3.h>
#include <stdbool.h>

#include "base/text.h"

struct narrow_table {
	sqlite3_vtab base; /* SQLite's; the first member */
	sqlite3 *db;
	bool second; /* of the two tables of a module: the one whose auxiliary data are not NULL */
};

/* For xConnect and xDisconnect. */
int narrow_connect(sqlite3 *db, const char *declaration, bool second, sqlite3_vtab **made);
int narrow_disconnect(sqlite3_vtab *table);

/* For xBestIndex: conditions =, >= and <= on the first columns, which have these
 * `names` in the statement, become " AND NAME OPERATOR ?n ..." in idxStr, their values xFilter's arguments.
 * SQLite checks them again. `rows`: how many the table may have; each condition leaves a tenth. */
int narrow_index(sqlite3_index_info *info, const char *const *names, int columns, double rows);

/* For xFilter: asks the question, which it finishes, with these values, in place of the one that *stmt has
 * asked. Goes to the first row. */
int narrow_ask(const sqlite3_vtab *table, struct text *question, int count, sqlite3_value **values,
	sqlite3_stmt **stmt, bool *ended);
/* The next row; *ended: there is none. */
int narrow_step(sqlite3_stmt *stmt, bool *ended);

#endif
