/* db/sql.h - shared by the files of this room: SQLite's failures as errors, scripts, small statements. */
#ifndef CEGSIM_DB_SQL_H
#define CEGSIM_DB_SQL_H

#include <sqlite3.h>
#include <stdint.h>

#include "base/error.h"

#define RECORDING_APPLICATION_ID 0x43454753 /* "CEGS" */
#define RECORDING_VERSION 4                 /* user_version */

/* Words the last failure on `db` (NULL: of `code` alone) as "FILE: ...", with errno's reason if the system
 * refused something; call it at once. `doing` is a clause such as "write". Always returns false. */
bool sql_error(struct error *err, sqlite3 *db, int code, const char *file, const char *doing);

/* Runs every statement between start and end; rows are ignored. */
MUST_CHECK bool sql_script(
	sqlite3 *db, const char *start, const char *end, const char *file, struct error *err);
MUST_CHECK bool sql_exec(sqlite3 *db, const char *sql, const char *file, struct error *err);

/* NULL: *err. */
MUST_CHECK sqlite3_stmt *sql_prepare(sqlite3 *db, const char *sql, const char *file, struct error *err);

/* Steps a statement that returns no rows, and resets it. */
MUST_CHECK bool sql_run(sqlite3_stmt *stmt, const char *file, struct error *err);
/* The same of one that copies rows of the recording `from` into the same table of `file`. Rows that the table
 * does not take are no failure of the disk: the recording is damaged. */
MUST_CHECK bool sql_copy(
	sqlite3_stmt *stmt, const char *table, const char *from, const char *file, struct error *err);

/* Reads the first column of the first row of a query, and resets it. *found is false if there is no row, or
 * it is NULL (found may be NULL if there is always a value). */
MUST_CHECK bool sql_integer(
	sqlite3_stmt *stmt, int64_t *value, bool *found, const char *file, struct error *err);
MUST_CHECK bool sql_query_integer(
	sqlite3 *db, const char *sql, int64_t *value, const char *file, struct error *err);

#endif
