/* db/strange.h - files that may be anybody's: how they are opened, and what their schema must not do. A
 * recording is read by its tables, whose columns our statements name. Neither `application_id` nor
 * `user_version` says that these are tables of rows: views and virtual tables can have their names, and
 * triggers would run with what we write; columns can be computed, for hours.
 *
 * "Defense Against The Dark Arts" (sqlite.org/security.html) is what this follows. */
#ifndef CEGSIM_DB_STRANGE_H
#define CEGSIM_DB_STRANGE_H

#include <sqlite3.h>
#include <stdbool.h>

#include "base/error.h"

/* Opens a file as sqlite3_open_v2() does, runs the statements `first` (or NULL), and has SQLite read the
 * schema. No trigger of it runs, its schema cannot be written as a table, and cells are checked to be within
 * their pages. Returns SQLite's code, an extended one; *db is to be closed in any case.
 *
 * SQLITE_DBCONFIG_TRUSTED_SCHEMA stays on: with it off SQLite 3.40 refuses json_extract() in views, which
 * ours need. No function or virtual table that SQLite has here does anything: extensions are not loaded. */
int strange_open(const char *file, int flags, const char *first, sqlite3 **db);
/* False: *err, if strange_open() has returned another code than SQLITE_OK. */
MUST_CHECK bool strange_opened(sqlite3 *db, int code, const char *file, struct error *err);
/* No trigger runs on this connection, also none of a file that is attached to it. */
int strange_distrust(sqlite3 *db);

/* False: *err, as the tables of a recording are none in `schema` ("main", or as it was attached), or
 * statistics of SQLite are of no table of its own, or reading or writing a row of theirs computes what may
 * take any time or memory, or a column of ours in another way than ours (db/computed.h). */
MUST_CHECK bool strange_tables(sqlite3 *db, const char *schema, const char *file, struct error *err);

#endif
