/* db/strange.c - see db/strange.h. */
#include "db/strange.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "db/computed.h"
#include "db/packed_view.h"
#include "db/row_types.h"
#include "db/sql.h"

int strange_distrust(sqlite3 *db)
{
	return sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
}

/* ---- opening ---- */

/* With the schema SQLite reads the table sqlite_stat1, before anybody can look at how its columns are
 * computed, and what fails there does not fail the schema. So meanwhile no text may be long (of ours the
 * longest is a view of 16 KB), no statement may have many instructions (these have 12; SQLite makes room for
 * 42, or 51 where addresses have 32 bits, and then for twice as many), LIKE compares nothing, and all of it
 * may take seconds of the processor, where a schema of ours takes 2 ms, and 2 s under AddressSanitizer.
 * SQLite asks for the time only between rows: between two looks are at most so many instructions, on such
 * texts. */
#define SCHEMA_TEXT_MOST 100000
#define SCHEMA_INSTRUCTIONS_MOST 100
#define SCHEMA_SECONDS_MOST 4
#define SCHEMA_LOOKS 4 /* every so many instructions */

static int takes_long(void *from)
{
	return (clock() - *(const clock_t *)from) / CLOCKS_PER_SEC >= SCHEMA_SECONDS_MOST;
}

/* Whether it is a limit of ours that made SQLite say that there is no memory. */
static bool is_limit(int code)
{
	return (code & 0xff) == SQLITE_NOMEM && errno != ENOMEM;
}

static int read_schema(sqlite3 *db)
{
	clock_t from = clock();
	int text = sqlite3_limit(db, SQLITE_LIMIT_LENGTH, SCHEMA_TEXT_MOST);
	int instructions = sqlite3_limit(db, SQLITE_LIMIT_VDBE_OP, SCHEMA_INSTRUCTIONS_MOST);
	int pattern = sqlite3_limit(db, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 0);
	sqlite3_progress_handler(db, SCHEMA_LOOKS, takes_long, &from);
	errno = 0;
	int code = sqlite3_exec(db, "SELECT count(*) FROM sqlite_master", NULL, NULL, NULL);
	sqlite3_progress_handler(db, 0, NULL, NULL);
	sqlite3_limit(db, SQLITE_LIMIT_LENGTH, text);
	sqlite3_limit(db, SQLITE_LIMIT_VDBE_OP, instructions);
	sqlite3_limit(db, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, pattern);
	return is_limit(code) ? SQLITE_TOOBIG : code;
}

int strange_open(const char *file, int flags, const char *first, sqlite3 **db)
{
	errno = 0;
	int code = sqlite3_open_v2(file, db, flags | SQLITE_OPEN_NOMUTEX, NULL);
	if (code == SQLITE_OK)
		code = sqlite3_extended_result_codes(*db, 1);
	if (code == SQLITE_OK)
		code = strange_distrust(*db);
	if (code == SQLITE_OK)
		code = sqlite3_db_config(*db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	if (code == SQLITE_OK)
		code = sqlite3_exec(*db, "PRAGMA cell_size_check = ON", NULL, NULL, NULL);
	if (code == SQLITE_OK && first)
		code = sqlite3_exec(*db, first, NULL, NULL, NULL);
	/* What a writer that was killed has left half done is undone now: that may take any time. */
	if (code == SQLITE_OK)
		code = sqlite3_exec(*db, "PRAGMA schema_version", NULL, NULL, NULL);
	return code == SQLITE_OK ? read_schema(*db) : code;
}

bool strange_opened(sqlite3 *db, int code, const char *file, struct error *err)
{
	switch (code & 0xff) {
	case SQLITE_OK:
		return true;
	case SQLITE_NOTADB:
		return error_set(
			err, STATUS_INPUT, "%s is not a recording of cegsim (not an SQLite file)", file);
	case SQLITE_TOOBIG:
	case SQLITE_INTERRUPT:
		return error_set(err, STATUS_INPUT,
			"%s: the recording is damaged: to read its schema is more work"
			" than any of cegsim's is",
			file);
	default:
		return sql_error(err, db, code, file, "open the file");
	}
}

/* ---- asking ---- */

/* The text is finished. NULL: *err. */
static sqlite3_stmt *prepare(sqlite3 *db, struct text *sql, const char *file, struct error *err)
{
	sqlite3_stmt *stmt =
		text_ok(sql, "opening a recording", err) ? sql_prepare(db, text_data(sql), file, err) : NULL;
	text_finish(sql);
	return stmt;
}

/* After the last step, which gave `code`; `ok`: all was well with the rows before. */
static bool finish(sqlite3_stmt *stmt, bool ok, int code, const char *file, struct error *err)
{
	if (ok && code != SQLITE_DONE)
		ok = sql_error(err, sqlite3_db_handle(stmt), code, file, "read");
	sqlite3_finalize(stmt);
	return ok;
}

/* ---- tables ---- */

/* The names that tables of recordings have, quoted, in a list. */
static void add_names(struct text *sql)
{
	text_add(
		sql, "name COLLATE NOCASE IN ('meta', 'column_doc', 'stretch', 'stretch_end', 'failed_unit'");
	for (int i = 0; i < ROW_TYPES; i++)
		text_printf(sql, ", '%s'", row_types[i].table);
	text_add(sql, ")");
}

/* What is not a table of rows, and has the name of one. `segment` is a view of two tables in recordings of
 * campaigns (db/packed_view.h): ?1. SQLite itself reads what it takes for statistics. */
static void add_question(struct text *sql, const char *schema)
{
	text_printf(sql,
		"SELECT name, CASE WHEN type = 'view' THEN 'a view' WHEN rootpage = 0 THEN 'a virtual table'"
		" ELSE 'statistics that SQLite does not make' END FROM %s.sqlite_master"
		" WHERE (type = 'table' AND (rootpage = 0 OR (name LIKE 'sqlite_stat%%' AND sql NOT IN"
		" ('CREATE TABLE sqlite_stat1(tbl,idx,stat)',"
		" 'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)'))))"
		" OR (type = 'view' AND NOT (name = 'segment' AND sql = ?1) AND ",
		schema);
	add_names(sql);
	text_add(sql, ") LIMIT 1");
}

static bool are_rows(sqlite3 *db, const char *schema, const char *file, struct error *err)
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
		error_set(err, STATUS_INPUT, "%s: the recording is damaged: '%s' is no table of it, but %s",
			file, (const char *)sqlite3_column_text(stmt, 0),
			(const char *)sqlite3_column_text(stmt, 1));
	else if (!ok)
		sql_error(err, db, code, file, "read");
	sqlite3_finalize(stmt);
	return ok;
}

/* ---- what is computed ---- */

/* What is computed from what is computed is worked out anew each time it is named: programs can double with
 * each column, and SQLite goes deeper with each. Tables of ours have at most five such columns, and some
 * hundred instructions. */
#define COMPUTED_MOST 8
#define INSTRUCTIONS_MOST 20000

static bool refuse(const char *file, const char *table, struct error *err)
{
	return error_set(err, STATUS_INPUT,
		"%s: the recording is damaged: its table '%s' computes what cegsim's does not", file, table);
}

/* Whether an instruction may take any time or memory, whatever it works on: no table of ours has a function
 * in its columns, constraints and indexes but nullif(), which is harmless, or joins texts. Without these a
 * value is not larger than those that it comes from. */
static bool is_dear(sqlite3_stmt *explained)
{
	const char *opcode = (const char *)sqlite3_column_text(explained, 1);
	const char *p4 = (const char *)sqlite3_column_text(explained, 5);
	if (!opcode || strcmp(opcode, "Concat") == 0)
		return true;
	bool calls = strcmp(opcode, "Function") == 0 || strcmp(opcode, "PureFunc") == 0;
	return calls && !(p4 && strcmp(p4, "nullif(2)") == 0);
}

static bool is_cheap(sqlite3 *db, const char *sql, const char *table, const char *file, struct error *err)
{
	errno = 0;
	sqlite3_stmt *stmt = sql_prepare(db, sql, file, err);
	if (!stmt && is_limit(sqlite3_errcode(db)))
		return error_set(err, STATUS_INPUT,
			"%s: the recording is damaged: for a row of its table '%s' SQLite wants room"
			" for more than %d instructions",
			file, table, INSTRUCTIONS_MOST);
	int code = SQLITE_DONE;
	bool cheap = true;
	while (stmt && cheap && (code = sqlite3_step(stmt)) == SQLITE_ROW)
		cheap = !is_dear(stmt);
	bool ok =
		stmt && (code == SQLITE_ROW || code == SQLITE_DONE || sql_error(err, db, code, file, "read"));
	sqlite3_finalize(stmt);
	return ok && (cheap || refuse(file, table, err));
}

/* What SQLite would do when a whole row of the table is written, or read. */
static bool row_is_cheap(
	sqlite3 *db, bool written, const char *schema, const char *table, const char *file, struct error *err)
{
	char sql[200];
	int most = sqlite3_limit(db, SQLITE_LIMIT_VDBE_OP, INSTRUCTIONS_MOST);
	snprintf(sql, sizeof(sql),
		written ? "EXPLAIN INSERT INTO %s.%s DEFAULT VALUES" : "EXPLAIN SELECT * FROM %s.%s", schema,
		table);
	bool ok = is_cheap(db, sql, table, file, err);
	sqlite3_limit(db, SQLITE_LIMIT_VDBE_OP, most);
	return ok;
}

/* Columns that are computed, or should be, those of a table one after the other. */
static void add_computed(struct text *sql, const char *schema)
{
	text_printf(sql,
		"SELECT m.name, m.sql, x.name, x.hidden > 1 FROM %s.sqlite_master m CROSS JOIN"
		" pragma_table_xinfo(m.name, '%s') x WHERE (x.hidden > 1 OR x.name COLLATE NOCASE IN (''",
		schema, schema); /* hidden: 2 or 3 */
	for (int i = 0; i < ROW_TYPES; i++)
		for (size_t k = 0; k < row_types[i].column_count; k++)
			if (row_is_generated(&row_types[i].columns[k]))
				text_printf(sql, ", '%s'", row_types[i].columns[k].name);
	text_add(sql, ")) AND m.type = 'table' AND m.");
	add_names(sql);
}

struct computed {
	char table[100]; /* whose columns are counted */
	int count;
};

/* The next column, of those of a table. */
static bool check_computed(sqlite3 *db, sqlite3_stmt *row, const char *schema, const char *file,
	struct computed *c, struct error *err)
{
	bool ours = false;
	const char *table = (const char *)sqlite3_column_text(row, 0);
	const char *text = (const char *)sqlite3_column_text(row, 1);
	const char *column = (const char *)sqlite3_column_text(row, 2);
	if (!table || !text || !column)
		return error_memory(err, "opening a recording");
	bool first = strcmp(c->table, table) != 0;
	snprintf(c->table, sizeof(c->table), "%s", table);
	c->count = first ? 1 : c->count + 1;
	return computed_is_ours(table, text, column, sqlite3_column_int(row, 3), &ours, err) &&
	       ((ours && c->count <= COMPUTED_MOST) || refuse(file, table, err)) &&
	       (!first || row_is_cheap(db, false, schema, table, file, err));
}

/* What is computed is computed as cegsim does it, or in no time: a row without is only read. */
static bool are_computed_as_ours(sqlite3 *db, const char *schema, const char *file, struct error *err)
{
	struct text sql = {0};
	struct computed c = {.count = 0};
	add_computed(&sql, schema);
	sqlite3_stmt *stmt = prepare(db, &sql, file, err);
	bool ok = stmt;
	int code = SQLITE_DONE;
	while (ok && (code = sqlite3_step(stmt)) == SQLITE_ROW)
		ok = check_computed(db, stmt, schema, file, &c, err);
	return finish(stmt, ok, code, file, err);
}

/* Where rows may be written. */
static bool are_written_cheaply(sqlite3 *db, const char *schema, const char *file, struct error *err)
{
	struct text sql = {0};
	if (sqlite3_db_readonly(db, schema) == 1)
		return true;
	text_printf(&sql, "SELECT name FROM %s.sqlite_master WHERE type = 'table' AND ", schema);
	add_names(&sql);
	sqlite3_stmt *stmt = prepare(db, &sql, file, err);
	bool ok = stmt;
	int code = SQLITE_DONE;
	while (ok && (code = sqlite3_step(stmt)) == SQLITE_ROW)
		ok = row_is_cheap(db, true, schema, (const char *)sqlite3_column_text(stmt, 0), file, err);
	return finish(stmt, ok, code, file, err);
}

bool strange_tables(sqlite3 *db, const char *schema, const char *file, struct error *err)
{
	return are_rows(db, schema, file, err) && are_computed_as_ours(db, schema, file, err) &&
	       are_written_cheaply(db, schema, file, err);
}
