/* db/template.c - copies the empty recording that is linked in: pages of the format that all versions of
 * SQLite share (https://www.sqlite.org/fileformat2.html), and the rows that its views have in the schema. */
#include "db/template.h"

#include <stddef.h>
#include <string.h>

#include "db/sql.h"

extern const char _binary_template_db_start[], _binary_template_db_end[];
extern const char _binary_template_views_start[], _binary_template_views_end[];

bool template_write(const struct page_file *to, struct error *err)
{
	size_t size = (size_t)(_binary_template_db_end - _binary_template_db_start);
	return to->write(to->self, _binary_template_db_start, size, 0, err);
}

static bool add_view(
	sqlite3_stmt *stmt, const char *name, const char *sql, const char *file, struct error *err)
{
	int code = sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
	if (code == SQLITE_OK)
		code = sqlite3_bind_text(stmt, 2, sql, -1, SQLITE_STATIC);
	return code == SQLITE_OK ? sql_run(stmt, file, err)
				 : sql_error(err, sqlite3_db_handle(stmt), code, file, "write");
}

/* Name and text of each view, with their zeros. As statements they would be parsed, each with those that it
 * reads. */
bool template_views(sqlite3 *db, const char *file, struct error *err)
{
	const char *name = _binary_template_views_start;
	int code = sqlite3_db_config(db, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, NULL);
	if (code != SQLITE_OK)
		return sql_error(err, db, code, file, "write");
	sqlite3_stmt *stmt = sql_prepare(db,
		"INSERT INTO main.sqlite_master (type, name, tbl_name, rootpage, sql)"
		" VALUES ('view', ?1, ?1, 0, ?2)",
		file, err);
	bool ok = stmt;
	while (ok && name < _binary_template_views_end) {
		const char *sql = name + strlen(name) + 1;
		ok = add_view(stmt, name, sql, file, err);
		name = sql + strlen(sql) + 1;
	}
	sqlite3_finalize(stmt);
	return ok;
}
