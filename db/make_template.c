/* db/make_template.c - a program of the build: make_template FILE VIEWS writes the empty recording that is
 * linked in (db/template.h), and apart from it the name and the text of each of its views, with their zeros.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "db/pages/format.h"
#include "db/schema.h"
#include "db/sql.h"

/* What could depend on how this SQLite was built is said. */
static const char settings[] =
	"PRAGMA encoding = 'UTF-8'; PRAGMA auto_vacuum = NONE; PRAGMA journal_mode = DELETE;";

static bool cannot_write(const char *file, struct error *err)
{
	return error_set(err, STATUS_IO, "cannot write %s", file);
}

static bool make(sqlite3 *db, const char *file, struct error *err)
{
	char page_size[40];
	snprintf(page_size, sizeof(page_size), "PRAGMA page_size = %d", PAGE_SIZE);
	return sql_exec(db, page_size, file, err) && sql_exec(db, settings, file, err) &&
	       sql_exec(db, "BEGIN", file, err) && schema_create(db, file, err) &&
	       schema_complete(db, true, file, err) && sql_exec(db, "COMMIT", file, err);
}

/* The views go from the one file into the other. */
static bool part_views(sqlite3 *db, const char *file, const char *views, struct error *err)
{
	FILE *out = fopen(views, "wbe");
	sqlite3_stmt *stmt = sql_prepare(
		db, "SELECT name, sql FROM sqlite_master WHERE type = 'view' ORDER BY rowid", file, err);
	bool ok = stmt && (out || cannot_write(views, err));
	while (ok && sqlite3_step(stmt) == SQLITE_ROW)
		for (int i = 0; ok && i < 2; i++) {
			const char *text = (const char *)sqlite3_column_text(stmt, i);
			size_t size = text ? strlen(text) + 1 : 0;
			ok = (text && fwrite(text, 1, size, out) == size) || cannot_write(views, err);
		}
	sqlite3_finalize(stmt);
	if (out && fclose(out) != 0)
		ok = ok && cannot_write(views, err);
	return ok && sqlite3_db_config(db, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, NULL) == SQLITE_OK &&
	       sql_exec(db, "DELETE FROM sqlite_master WHERE type = 'view'; VACUUM", file, err);
}

int main(int argc, char **argv)
{
	sqlite3 *db = NULL;
	struct error err;
	if (argc != 3) {
		fprintf(stderr, "usage: make_template FILE VIEWS\n");
		return STATUS_INPUT;
	}
	unlink(argv[1]); /* of an earlier build */
	bool ok = sqlite3_open(argv[1], &db) == SQLITE_OK
			  ? make(db, argv[1], &err) && part_views(db, argv[1], argv[2], &err)
			  : error_set(&err, STATUS_IO, "cannot create %s: %s", argv[1], sqlite3_errmsg(db));
	sqlite3_close(db);
	if (!ok)
		fprintf(stderr, "%s\n", err.text);
	return ok ? STATUS_OK : (int)err.status;
}
