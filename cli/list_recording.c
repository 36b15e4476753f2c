/* cli/list_recording.c - `cegsim list laws`, `tables` and `columns`. */
#include "cli/list_parts.h"
#include "cli/query_parts.h"
#include "db/audit/audit.h"
#include "db/reader.h"
#include "runs/provenance/provenance.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

bool list_laws(enum table_format format, struct error *err)
{
	static const char *const columns[] = {TABLE_CODE("law"), "level", "summary"};
	static bool (*const at[])(size_t i, struct audit_result * law) = {audit_law_at, provenance_law_at};
	struct audit_result law;
	struct table t;
	table_begin(&t, stdout, format, columns, COUNT(columns));
	for (size_t k = 0; k < COUNT(at); k++) {
		for (size_t i = 0; at[k](i, &law); i++) {
			table_text(&t, law.law);
			table_text(&t, law.level);
			table_text(&t, law.summary);
		}
	}
	return table_end(&t, err);
}

bool list_tables(enum table_format format, struct error *err)
{
	static const char *const columns[] = {TABLE_CODE("table"), "a row is"};
	const char *name, *what;
	struct table t;
	table_begin(&t, stdout, format, columns, COUNT(columns));
	for (size_t i = 0; query_table_at(i, &name, &what); i++) {
		table_text(&t, name);
		table_text(&t, what);
	}
	return table_end(&t, err);
}

static bool print_columns(struct db_cursor *c, enum table_format format, struct error *err)
{
	static const char *const columns[] = {
		TABLE_CODE("table"), TABLE_CODE("column"), "type", "unit", "description"};
	struct error reading;
	struct table t;
	bool ok, row;
	table_begin(&t, stdout, format, columns, COUNT(columns));
	while ((ok = cursor_next(c, &row, &reading)) && row)
		for (int i = 0; i < (int)COUNT(columns); i++)
			table_text(&t, cursor_text(c, i));
	if (!table_end(&t, err))
		return false;
	if (!ok)
		*err = reading;
	return ok;
}

/* An empty recording has all columns. */
bool list_columns(enum table_format format, struct error *err)
{
	static const char sql[] =
		"SELECT d.tbl, d.col, nullif(lower(x.type), ''), d.unit, d.description FROM sqlite_master s"
		" JOIN column_doc d ON d.tbl = s.name JOIN pragma_table_xinfo(s.name) x ON x.name = d.col"
		" ORDER BY s.type, s.rowid, x.cid";
	struct db_reader *reader = reader_open_empty(err);
	struct db_cursor *c = reader ? cursor_open(reader, sql, err) : NULL;
	bool ok = c && print_columns(c, format, err);
	cursor_close(c);
	reader_close(reader);
	return ok;
}
