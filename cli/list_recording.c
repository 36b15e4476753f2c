/* cli/list_recording.c - `cegsim list laws`, `tables` and `columns`. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/list_parts.h"
#include "cli/query_parts.h"
#include "db/audit/audit.h"
#include "db/reader.h"
#include "runs/provenance/provenance.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

bool list_laws(const struct list_request *q, struct error *err)
{
	static const char *const columns[] = {TABLE_CODE("law"), "level", "summary"};
	static bool (*const at[])(size_t i, struct audit_result * law) = {audit_law_at, provenance_law_at};
	struct audit_result law;
	struct table t;
	table_begin(&t, stdout, q->format, columns, COUNT(columns));
	for (size_t k = 0; k < COUNT(at); k++) {
		for (size_t i = 0; at[k](i, &law); i++) {
			table_text(&t, law.law);
			table_text(&t, law.level);
			table_text(&t, law.summary);
		}
	}
	return table_end(&t, err);
}

bool list_tables(const struct list_request *q, struct error *err)
{
	static const char *const columns[] = {TABLE_CODE("table"), "a row is"};
	const char *name, *what;
	struct table t;
	table_begin(&t, stdout, q->format, columns, COUNT(columns));
	for (size_t i = 0; query_table_at(i, &name, &what); i++) {
		table_text(&t, name);
		table_text(&t, what);
	}
	return table_end(&t, err);
}

/* One row for each column, or (of two columns) for each table. */
static bool print_columns(struct db_cursor *c, size_t count, const struct list_request *q, struct error *err)
{
	static const char *const columns[] = {
		TABLE_CODE("table"), TABLE_CODE("column"), "type", "unit", "description"};
	static const char *const short_columns[] = {TABLE_CODE("table"), "columns"};
	struct error reading;
	struct table t;
	bool ok, row;
	table_begin(&t, stdout, q->format, count == COUNT(columns) ? columns : short_columns, count);
	while ((ok = cursor_next(c, &row, &reading)) && row)
		for (int i = 0; i < (int)count; i++)
			table_text(&t, cursor_text(c, i));
	if (!table_end(&t, err))
		return false;
	if (!ok)
		*err = reading;
	return ok;
}

static bool check_table(const char *name, struct error *err)
{
	char hint[SUGGESTION_TEXT_MAX];
	struct suggestion near = {.word = name};
	const char *table, *what;
	for (size_t i = 0; query_table_at(i, &table, &what); i++) {
		if (strcmp(table, name) == 0)
			return true;
		suggestion_offer(&near, table);
	}
	return error_set(err, STATUS_INPUT, "there is no table '%s'%s", name,
		near.best ? suggestion_text(&near, hint) : "; `cegsim list tables' names them");
}

/* An empty recording has all columns. */
bool list_columns(const struct list_request *q, struct error *err)
{
	static const char full[] =
		"SELECT d.tbl, d.col, nullif(lower(x.type), ''), d.unit, d.description FROM sqlite_master s"
		" JOIN column_doc d ON d.tbl = s.name JOIN pragma_table_xinfo(s.name) x ON x.name = d.col"
		" WHERE ?1 IS NULL OR s.name = ?1 ORDER BY s.type, s.rowid, x.cid";
	static const char brief[] =
		"SELECT tbl, group_concat(col, ', ') FROM (SELECT d.tbl, d.col, s.type, s.rowid AS place"
		" FROM sqlite_master s JOIN column_doc d ON d.tbl = s.name"
		" JOIN pragma_table_xinfo(s.name) x ON x.name = d.col ORDER BY s.type, s.rowid, x.cid)"
		" GROUP BY tbl ORDER BY type, place";
	bool all = q->name || q->verbose || q->format != TABLE_TEXT;
	if (q->name && !check_table(q->name, err))
		return false;
	struct db_reader *reader = reader_open_empty(err);
	struct db_cursor *c = reader ? cursor_open(reader, all ? full : brief, err) : NULL;
	bool ok = c && (!q->name || cursor_bind_text(c, 1, q->name, err)) &&
		  print_columns(c, all ? 5 : 2, q, err);
	cursor_close(c);
	reader_close(reader);
	if (ok && !all)
		puts("\nUnits and meaning of one table: cegsim list columns NAME; of all: cegsim list "
		     "columns -v");
	return ok;
}
