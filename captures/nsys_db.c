/* captures/nsys_db.c - see captures/nsys_db.h. */
#include "captures/nsys_db.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "captures/file.h"
#include "db/sql.h"
#include "db/strange.h"

/* ---- opening ---- */

/* Rows that are still in a log beside the file would be missing without a word. */
static bool no_log_beside(const char *file, struct error *err)
{
	struct text path = {0};
	struct stat about;
	text_printf(&path, "%s-wal", file);
	bool ok = text_ok(&path, "opening an export", err);
	if (ok && stat(text_data(&path), &about) == 0 && about.st_size > 0)
		ok = error_set(err, STATUS_INPUT,
			"%s: there is a log of changes beside it (%s): the program that writes it has not "
			"finished",
			file, text_data(&path));
	text_finish(&path);
	return ok;
}

static uint32_t big_endian(const unsigned char *bytes, int count)
{
	uint32_t value = 0;
	for (int i = 0; i < count; i++)
		value = value << 8 | bytes[i];
	return value;
}

/* SQLite notices only when it misses a page, and what is on the pages that are gone may not be asked for. The
 * header has the size of a page and, if it is up to date, their number (www.sqlite.org/fileformat.html, 1.3).
 */
static bool is_whole(const char *file, struct error *err)
{
	unsigned char head[100] = {0};
	struct stat about;
	errno = 0;
	FILE *in = fopen(file, "rb");
	if (!in)
		return file_unopened(file, err);
	size_t length = fread(head, 1, sizeof(head), in);
	bool known = length == sizeof(head) && fstat(fileno(in), &about) == 0;
	fclose(in);
	if (!known || big_endian(head + 24, 4) != big_endian(head + 92, 4))
		return true;
	uint64_t page = big_endian(head + 16, 2), pages = big_endian(head + 28, 4);
	uint64_t size = (page == 1 ? 65536 : page) * pages;
	return (uint64_t)about.st_size >= size ||
	       error_set(err, STATUS_INPUT, "%s: the file is cut off: it has %llu of %llu bytes", file,
		       (unsigned long long)about.st_size, (unsigned long long)size);
}

/* The file as SQLite's URI: it does not change, so nothing is locked and no file is made beside it. */
static bool file_uri(const char *file, struct text *uri, struct error *err)
{
	text_add(uri, "file:");
	for (const char *c = file; *c; c++) {
		if (strchr("%?#", *c))
			text_printf(uri, "%%%02X", (unsigned)(unsigned char)*c);
		else
			text_add_char(uri, *c);
	}
	text_add(uri, "?immutable=1");
	return text_ok(uri, "opening an export", err);
}

/* A damaged file, which is wrong input, gives all kinds of errors: SQLite believes what the header says of
 * versions and logs. That the file can be opened is known, if the machine can open any. Always returns false.
 */
static bool failed(struct nsys_db *db, int code)
{
	int primary = code & 0xff;
	bool machine = primary == SQLITE_NOMEM || primary == SQLITE_IOERR ||
		       (primary == SQLITE_CANTOPEN && error_unopened(errno) == STATUS_IO);
	sql_error(db->err, db->db, code, db->file, "read the file");
	if (!machine)
		db->err->status = STATUS_INPUT;
	return false;
}

bool nsys_open(struct nsys_db *db, const char *file, struct error *err)
{
	struct text uri = {0};
	*db = (struct nsys_db){.file = file, .err = err};
	bool ok = file_is_one(file, err) && no_log_beside(file, err) && is_whole(file, err) &&
		  file_uri(file, &uri, err);
	errno = 0;
	int code = SQLITE_OK;
	if (ok)
		code = strange_open(text_data(&uri), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL, &db->db);
	if (code != SQLITE_OK)
		ok = failed(db, code);
	text_finish(&uri);
	return ok;
}

void nsys_close(struct nsys_db *db)
{
	sqlite3_close(db->db);
	db->db = NULL;
}

/* ---- tables ---- */

/* Views and virtual tables are not there, nor are computed columns: they may take any time. */
static bool has_column(struct nsys_db *db, const char *table, const char *column, size_t length, bool *has)
{
	static const char sql[] =
		"SELECT 1 FROM pragma_table_info(?1) WHERE (?2 IS NULL OR name = ?2 COLLATE NOCASE)"
		" AND EXISTS (SELECT 1 FROM sqlite_master WHERE name = ?1 COLLATE NOCASE"
		" AND type = 'table' AND rootpage > 0)";
	sqlite3_stmt *stmt = NULL;
	errno = 0;
	int code = sqlite3_prepare_v2(db->db, sql, -1, &stmt, NULL);
	if (code == SQLITE_OK)
		code = sqlite3_bind_text(stmt, 1, table, -1, SQLITE_STATIC);
	if (code == SQLITE_OK && column)
		code = sqlite3_bind_text(stmt, 2, column, (int)length, SQLITE_STATIC);
	if (code == SQLITE_OK)
		code = sqlite3_step(stmt);
	*has = code == SQLITE_ROW;
	bool ok = code == SQLITE_ROW || code == SQLITE_DONE || failed(db, code);
	sqlite3_finalize(stmt);
	return ok;
}

bool nsys_has(struct nsys_db *db, const char *table, bool *has)
{
	return has_column(db, table, NULL, 0, has);
}

static bool add_columns(struct nsys_db *db, struct text *sql, const char *table, const char *columns)
{
	bool has;
	const char *separator = "";
	for (size_t length; *columns; columns += length + (columns[length] == ' ')) {
		length = strcspn(columns, " ");
		if (!has_column(db, table, columns, length, &has))
			return false;
		text_printf(sql, has ? "%s\"%.*s\"" : "%sNULL", separator, (int)length, columns);
		separator = ", ";
	}
	return true;
}

struct nsys_rows nsys_rows(struct nsys_db *db, const char *table, const char *columns, const char *rest)
{
	struct nsys_rows rows = {.db = db};
	struct text sql = {0};
	bool has;
	if (!nsys_has(db, table, &has))
		return rows;
	rows.ok = true;
	if (!has)
		return rows;
	text_add(&sql, "SELECT ");
	rows.ok = add_columns(db, &sql, table, columns);
	text_printf(&sql, " FROM \"%s\" %s", table, rest ? rest : "");
	rows.ok = rows.ok && text_ok(&sql, "reading an export", db->err);
	errno = 0;
	int code = rows.ok ? sqlite3_prepare_v2(db->db, text_data(&sql), -1, &rows.stmt, NULL) : SQLITE_OK;
	if (code != SQLITE_OK)
		rows.ok = failed(db, code);
	text_finish(&sql);
	return rows;
}

bool nsys_next(struct nsys_rows *rows)
{
	if (!rows->ok || !rows->stmt)
		return false;
	errno = 0;
	int code = sqlite3_step(rows->stmt);
	if (code != SQLITE_ROW && code != SQLITE_DONE)
		rows->ok = failed(rows->db, code);
	return code == SQLITE_ROW;
}

bool nsys_end(struct nsys_rows *rows)
{
	sqlite3_finalize(rows->stmt);
	rows->stmt = NULL;
	return rows->ok;
}

bool nsys_null(const struct nsys_rows *rows, int column)
{
	return sqlite3_column_type(rows->stmt, column) == SQLITE_NULL;
}

int64_t nsys_integer(const struct nsys_rows *rows, int column, int64_t otherwise)
{
	return nsys_null(rows, column) ? otherwise : sqlite3_column_int64(rows->stmt, column);
}

uint32_t nsys_count(const struct nsys_rows *rows, int column)
{
	int64_t value = nsys_integer(rows, column, 0);
	return value > 0 && value <= UINT32_MAX ? (uint32_t)value : 0;
}

bool nsys_time(const struct nsys_rows *rows, int column, int64_t *ns)
{
	int type = sqlite3_column_type(rows->stmt, column);
	if (type != SQLITE_INTEGER && type != SQLITE_FLOAT)
		return false;
	*ns = nsys_integer(rows, column, INT64_MAX);
	return *ns >= -NSYS_TIME_MAX && *ns <= NSYS_TIME_MAX;
}

const char *nsys_text(const struct nsys_rows *rows, int column)
{
	return (const char *)sqlite3_column_text(rows->stmt, column);
}
