/* db/make_template.c - a program of the build: make_template FILE writes the empty recording that is linked
 * in (db/template.h). */
#include <stdio.h>
#include <unistd.h>

#include "db/schema.h"
#include "db/sql.h"
#include "db/template.h"

/* What could depend on how this SQLite was built is said. */
static const char settings[] =
	"PRAGMA encoding = 'UTF-8'; PRAGMA auto_vacuum = NONE; PRAGMA journal_mode = DELETE;";

static bool make(sqlite3 *db, const char *file, struct error *err)
{
	char page_size[40];
	snprintf(page_size, sizeof(page_size), "PRAGMA page_size = %d", TEMPLATE_PAGE_SIZE);
	return sql_exec(db, page_size, file, err) && sql_exec(db, settings, file, err) &&
	       sql_exec(db, "BEGIN", file, err) && schema_create(db, file, err) &&
	       schema_complete(db, true, file, err) && sql_exec(db, "COMMIT; VACUUM", file, err);
}

int main(int argc, char **argv)
{
	sqlite3 *db = NULL;
	struct error err;
	if (argc != 2) {
		fprintf(stderr, "usage: make_template FILE\n");
		return STATUS_INPUT;
	}
	unlink(argv[1]); /* of an earlier build */
	bool ok = sqlite3_open(argv[1], &db) == SQLITE_OK
			  ? make(db, argv[1], &err)
			  : error_set(&err, STATUS_IO, "cannot create %s: %s", argv[1], sqlite3_errmsg(db));
	sqlite3_close(db);
	if (!ok)
		fprintf(stderr, "%s\n", err.text);
	return ok ? STATUS_OK : (int)err.status;
}
