/* db/sql.c - words SQLite's failures, and runs scripts and small statements. */
#include "db/sql.h"

#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

/* Failures for which SQLite's own words are meant for programmers; extended codes come before their primary
 * one. */
static const struct {
	int code;
	const char *text;
} meanings[] = {
	{SQLITE_READONLY_DBMOVED, "it was moved or removed while it was written"},
	{SQLITE_FULL, "no space left on the disk"},
	{SQLITE_BUSY, "another process is using the file"},
	{SQLITE_LOCKED, "another process is using the file"},
	{SQLITE_NOTADB, "not an SQLite file"},
	{SQLITE_CORRUPT, "the file is damaged"},
	{SQLITE_READONLY, "the file cannot be written"},
	{SQLITE_TOOBIG, "a text or row is too large for SQLite"},
};

static const char *meaning(int code)
{
	for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++)
		if (meanings[i].code == code || meanings[i].code == (code & 0xff))
			return meanings[i].text;
	return NULL;
}

bool sql_error(struct error *err, sqlite3 *db, int code, const char *file, const char *doing)
{
	int system = errno; /* SQLite sets it for some failures only */
	int primary = code & 0xff;
	if (primary == SQLITE_NOMEM)
		return error_set(err, STATUS_IO, "%s: out of memory (cannot %s)", file, doing);
	const char *text = meaning(code);
	if (text)
		return error_set(err, STATUS_IO, "%s: %s (cannot %s)", file, text, doing);
	if (system != 0 && (primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN || primary == SQLITE_PERM))
		return error_set(err, STATUS_IO, "%s: cannot %s: %s", file, doing, strerror(system));
	return error_set(err, STATUS_IO, "%s: cannot %s: %s", file, doing,
		db ? sqlite3_errmsg(db) : sqlite3_errstr(code));
}

bool sql_script(sqlite3 *db, const char *start, const char *end, const char *file, struct error *err)
{
	while (start < end) {
		sqlite3_stmt *stmt = NULL;
		int code = sqlite3_prepare_v2(db, start, (int)(end - start), &stmt, &start);
		if (code != SQLITE_OK)
			return sql_error(err, db, code, file, "write");
		if (!stmt)
			continue; /* blanks or a comment */
		errno = 0;
		do
			code = sqlite3_step(stmt);
		while (code == SQLITE_ROW);
		if (code != SQLITE_DONE)
			sql_error(err, db, code, file, "write");
		sqlite3_finalize(stmt);
		if (code != SQLITE_DONE)
			return false;
	}
	return true;
}

bool sql_exec(sqlite3 *db, const char *sql, const char *file, struct error *err)
{
	return sql_script(db, sql, sql + strlen(sql), file, err);
}

sqlite3_stmt *sql_prepare(sqlite3 *db, const char *sql, const char *file, struct error *err)
{
	sqlite3_stmt *stmt = NULL;
	int code = sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &stmt, NULL);
	if (code != SQLITE_OK)
		sql_error(err, db, code, file, "prepare a statement");
	assert(code != SQLITE_OK || stmt);
	return stmt;
}

bool sql_run(sqlite3_stmt *stmt, const char *file, struct error *err)
{
	errno = 0;
	int code = sqlite3_step(stmt);
	bool done = code == SQLITE_DONE;
	if (!done)
		sql_error(err, sqlite3_db_handle(stmt), code, file, "write");
	sqlite3_reset(stmt);
	return done;
}

bool sql_copy(sqlite3_stmt *stmt, const char *table, const char *from, const char *file, struct error *err)
{
	errno = 0;
	sqlite3 *db = sqlite3_db_handle(stmt);
	int code = sqlite3_step(stmt);
	if ((code & 0xff) == SQLITE_CONSTRAINT)
		error_set(err, STATUS_INPUT, "%s: the recording is damaged, table %s: %s", from, table,
			sqlite3_errmsg(db));
	else if (code != SQLITE_DONE)
		sql_error(err, db, code, file, "write");
	sqlite3_reset(stmt);
	return code == SQLITE_DONE;
}

bool sql_integer(sqlite3_stmt *stmt, int64_t *value, bool *found, const char *file, struct error *err)
{
	int code = sqlite3_step(stmt);
	bool row = code == SQLITE_ROW && sqlite3_column_type(stmt, 0) != SQLITE_NULL;
	*value = row ? sqlite3_column_int64(stmt, 0) : 0;
	if (found)
		*found = row;
	if (code != SQLITE_ROW && code != SQLITE_DONE)
		sql_error(err, sqlite3_db_handle(stmt), code, file, "read");
	sqlite3_reset(stmt);
	return code == SQLITE_ROW || code == SQLITE_DONE;
}

bool sql_query_integer(sqlite3 *db, const char *sql, int64_t *value, const char *file, struct error *err)
{
	sqlite3_stmt *stmt = sql_prepare(db, sql, file, err);
	bool ok = stmt && sql_integer(stmt, value, NULL, file, err);
	sqlite3_finalize(stmt);
	return ok;
}
