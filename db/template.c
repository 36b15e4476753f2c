/* db/template.c - copies the pages of the empty recording that is linked in. SQLite does it (its backup
 * interface, https://sqlite.org/c3ref/backup_finish.html): whichever version runs, it reads the pages, which
 * are of the format that all versions share, and writes them into the file. */
#include "db/template.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#include "db/sql.h"

extern const unsigned char _binary_template_db_start[], _binary_template_db_end[];

/* Opens the pages where they are, to read. NULL: *err. */
static sqlite3 *open_template(struct error *err)
{
	sqlite3 *db = NULL;
	sqlite3_int64 size = _binary_template_db_end - _binary_template_db_start;
	int code = sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
	if (code == SQLITE_OK) /* not written to: it is SQLITE_DESERIALIZE_READONLY */
		code = sqlite3_deserialize(db, "main", (unsigned char *)(uintptr_t)_binary_template_db_start,
			size, size, SQLITE_DESERIALIZE_READONLY);
	if (code == SQLITE_OK)
		return db;
	sql_error(err, NULL, code, "the empty recording", "open it");
	sqlite3_close(db);
	return NULL;
}

static bool copy(sqlite3 *to, sqlite3 *from, const char *file, struct error *err)
{
	errno = 0;
	sqlite3_backup *backup = sqlite3_backup_init(to, "main", from, "main");
	if (!backup)
		return sql_error(err, to, sqlite3_errcode(to), file, "write");
	int code = sqlite3_backup_step(backup, -1);
	int system = errno;
	int finished = sqlite3_backup_finish(backup);
	errno = system;
	return (code == SQLITE_DONE && finished == SQLITE_OK) ||
	       sql_error(err, to, code == SQLITE_DONE ? finished : code, file, "write");
}

bool template_fill(sqlite3 *db, const char *file, struct error *err)
{
	sqlite3 *from = open_template(err);
	bool ok = from && sql_exec(db, "PRAGMA synchronous = OFF", file, err) && copy(db, from, file, err);
	sqlite3_close(from);
	return ok;
}
