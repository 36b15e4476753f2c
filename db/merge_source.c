/* db/merge_source.c - see db/merge_source.h. */
#include "db/merge_source.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "db/sql.h"
#include "db/strange.h"

/* Rows are read once, one behind the other: pages that were read are of no use any more. */
static const char settings[] = "PRAGMA cache_size = -256";

bool merge_source_error(const struct merge_source *s, int code, struct error *err)
{
	return sql_error(err, s->db, code, s->part->file, "read");
}

sqlite3_stmt *merge_source_prepare(struct merge_source *s, const char *sql, struct error *err)
{
	struct text text = {0};
	sqlite3_stmt *stmt = NULL;
	for (const char *place; (place = strstr(sql, "%s")) != NULL; sql = place + 2) {
		text_add_bytes(&text, sql, (size_t)(place - sql));
		text_add(&text, s->schema);
	}
	text_add(&text, sql);
	if (text_ok(&text, "merging the parts of a campaign", err))
		stmt = sql_prepare(s->db, text_data(&text), s->part->file, err);
	text_finish(&text);
	return stmt;
}

static bool prepare_failed(struct merge_source *s, struct error *err)
{
	s->failed = merge_source_prepare(s,
		"SELECT unit, reason FROM %s.failed_unit WHERE unit BETWEEN ?1 AND ?2 ORDER BY rowid", err);
	return s->failed;
}

bool merge_source_open(struct merge_source *s, const struct merge_part *part, struct error *err)
{
	*s = (struct merge_source){.part = part, .schema = "main"};
	return part_connect(part->file, part->finished, &s->db, err) &&
	       sql_exec(s->db, settings, part->file, err) && prepare_failed(s, err);
}

bool merge_source_attach(
	struct merge_source *s, const struct merge_part *part, sqlite3 *db, int number, struct error *err)
{
	char sql[40];
	*s = (struct merge_source){.part = part, .db = db};
	snprintf(s->schema, sizeof(s->schema), "part%d", number);
	snprintf(sql, sizeof(sql), "ATTACH ?1 AS %s", s->schema);
	sqlite3_stmt *stmt = sql_prepare(db, sql, part->file, err);
	int code = stmt ? sqlite3_bind_text(stmt, 1, part->file, -1, SQLITE_STATIC) : SQLITE_OK;
	s->attached = stmt && (code == SQLITE_OK || merge_source_error(s, code, err)) &&
		      sql_run(stmt, part->file, err);
	sqlite3_finalize(stmt);
	return s->attached && strange_tables(db, s->schema, part->file, err) && prepare_failed(s, err);
}

bool merge_source_close(struct merge_source *s, struct error *err)
{
	char sql[40];
	bool ok = true;
	for (int i = 0; i < UNIT_TABLES; i++)
		sqlite3_finalize(s->rows[i]);
	sqlite3_finalize(s->failed);
	snprintf(sql, sizeof(sql), "DETACH %s", s->schema);
	if (s->attached)
		ok = sql_exec(s->db, sql, s->part->file, err);
	else if (s->part && strcmp(s->schema, "main") == 0) {
		int code = sqlite3_close(s->db);
		assert(code == SQLITE_OK);
		(void)code;
	}
	*s = (struct merge_source){0};
	return ok;
}

sqlite3_stmt *merge_source_rows(
	struct merge_source *s, int table, const char *into, const char *columns, struct error *err)
{
	struct text sql = {0};
	if (s->rows[table])
		return s->rows[table];
	text_printf(&sql, "%s%sSELECT %s FROM %s.%s WHERE rowid > ?1 AND rowid <= ?2", into ? into : "",
		into ? " " : "", columns, s->schema, unit_tables[table]);
	if (text_ok(&sql, "merging the parts of a campaign", err))
		s->rows[table] = sql_prepare(s->db, text_data(&sql), s->part->file, err);
	text_finish(&sql);
	return s->rows[table];
}

bool merge_source_bind(
	const struct merge_source *s, sqlite3_stmt *stmt, const int64_t *values, int count, struct error *err)
{
	int wanted = sqlite3_bind_parameter_count(stmt);
	for (int i = 0; i < count && i < wanted; i++) {
		int code = sqlite3_bind_int64(stmt, i + 1, values[i]);
		if (code != SQLITE_OK)
			return merge_source_error(s, code, err);
	}
	return true;
}
