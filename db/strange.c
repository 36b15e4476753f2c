/* db/strange.c - see db/strange.h. */
#include "db/strange.h"

#include <stdio.h>

#include "base/text.h"
#include "db/packed.h"
#include "db/row_types.h"
#include "db/sql.h"

int strange_distrust(sqlite3 *db)
{
	return sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
}

int strange_open(const char *file, int flags, sqlite3 **db)
{
	int code = sqlite3_open_v2(file, db, flags | SQLITE_OPEN_NOMUTEX, NULL);
	if (code == SQLITE_OK)
		code = strange_distrust(*db);
	if (code == SQLITE_OK)
		code = sqlite3_db_config(*db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	return code == SQLITE_OK ? sqlite3_exec(*db, "PRAGMA cell_size_check = ON", NULL, NULL, NULL) : code;
}

/* What is not a table of rows, and has the name of one. `segment` is a view of two tables in recordings of
 * campaigns (db/packed.h): ?1. */
static void add_question(struct text *sql, const char *schema)
{
	text_printf(sql,
		"SELECT name, type FROM %s.sqlite_master WHERE (type = 'table' AND rootpage = 0) OR (type = "
		"'view' AND NOT (name = 'segment' AND sql = ?1) AND name COLLATE NOCASE IN ('meta', "
		"'column_doc', 'stretch', 'stretch_end', 'failed_unit'",
		schema);
	for (int i = 0; i < ROW_TYPES; i++)
		text_printf(sql, ", '%s'", row_types[i].table);
	text_add(sql, ")) LIMIT 1");
}

bool strange_tables(sqlite3 *db, const char *schema, const char *file, struct error *err)
{
	struct text sql = {0}, packed = {0};
	add_question(&sql, schema);
	packed_view(&packed);
	sqlite3_stmt *stmt =
		text_ok(&sql, "opening a recording", err) && text_ok(&packed, "opening a recording", err)
			? sql_prepare(db, text_data(&sql), file, err)
			: NULL;
	int code = stmt ? sqlite3_bind_text(stmt, 1, text_data(&packed), -1, SQLITE_TRANSIENT) : SQLITE_OK;
	text_finish(&sql);
	text_finish(&packed);
	if (!stmt)
		return false;
	code = code == SQLITE_OK ? sqlite3_step(stmt) : code;
	bool ok = code == SQLITE_DONE;
	if (code == SQLITE_ROW)
		error_set(err, STATUS_INPUT, "%s: the recording is damaged: '%s' is no table of it, but a %s",
			file, (const char *)sqlite3_column_text(stmt, 0),
			sqlite3_column_bytes(stmt, 1) == 4 ? "view" : "virtual table");
	else if (!ok)
		sql_error(err, db, code, file, "read");
	sqlite3_finalize(stmt);
	return ok;
}
