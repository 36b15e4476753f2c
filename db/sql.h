/* db/sql.h - what the room's files share: SQLite's failures as errors, scripts, small statements. */
#ifndef CEGSIM_DB_SQL_H
#define CEGSIM_DB_SQL_H

#include <sqlite3.h>
#include <stdint.h>

#include "base/error.h"

#define RECORDING_APPLICATION_ID 0x43454753 /* "CEGS" */
#define RECORDING_VERSION 3                 /* user_version */

/* Writes what SQLite last complained of on `db` (NULL: of `code` alone) as "FILE: ...", with errno's reason
 * if the system refused something; to be called at once. `doing` is a clause such as "write". Always returns
 * false. */
bool sql_error(struct error *err, sqlite3 *db, int code, const char *file, const char *doing);

/* Runs every statement between start and end; rows are ignored. */
MUST_CHECK bool sql_script(
	sqlite3 *db, const char *start, const char *end, const char *file, struct error *err);
MUST_CHECK bool sql_exec(sqlite3 *db, const char *sql, const char *file, struct error *err);

/* NULL: *err. */
MUST_CHECK sqlite3_stmt *sql_prepare(sqlite3 *db, const char *sql, const char *file, struct error *err);

/* Steps a statement that returns no rows, and resets it. */
MUST_CHECK bool sql_run(sqlite3_stmt *stmt, const char *file, struct error *err);

/* The first column of the first row of a query, which is then reset. *found is false without a row or with
 * NULL (found may be NULL where there is always one). */
MUST_CHECK bool sql_integer(
	sqlite3_stmt *stmt, int64_t *value, bool *found, const char *file, struct error *err);
MUST_CHECK bool sql_query_integer(
	sqlite3 *db, const char *sql, int64_t *value, const char *file, struct error *err);

#endif
