/* db/schema.c - makes the SQL that turns an empty file into a recording, and that completes one. SQLite keeps
 * the texts of CREATE and ALTER in the file. So they are written to be read, in lines of at most 105
 * characters. */
#include "db/schema.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "db/embedded.h"
#include "db/row_types.h"
#include "db/sql.h"

#define LINE_MAX_WIDTH 105
#define TAB_WIDTH 8

/* ---- words ---- */

/* "CHECK (kind = 'cpu' OR kind = 'copy' OR kind = 'kernel')", in one line. Two words are written with IN;
 * with more, IN would cost a temporary table in every statement. */
static void add_check(struct text *check, const struct row_column *c)
{
	text_add(check, "CHECK (");
	if (!c->words[2])
		text_printf(check, "%s IN ('%s', '%s')", c->name, c->words[0], c->words[1]);
	for (int i = 0; c->words[2] && c->words[i]; i++)
		text_printf(check, "%s%s = '%s'", i ? " OR " : "", c->name, c->words[i]);
	text_add_char(check, ')');
}

/* Breaks the check before an OR if a line, indented by two tabs and with the comma behind it, would be too
 * long. */
static void add_broken(struct text *sql, const char *check)
{
	const char *comparison = check;
	size_t column = 2 * TAB_WIDTH;
	text_add(sql, "\n\t\t");
	while (*comparison) {
		const char *next = strstr(comparison + 1, " OR ");
		size_t length = next ? (size_t)(next - comparison) : strlen(comparison);
		if (column + length + !next > LINE_MAX_WIDTH) {
			text_add(sql, "\n\t\t\t");
			comparison++;
			length--;
			column = 3 * TAB_WIDTH;
		}
		text_add_bytes(sql, comparison, length);
		column += length;
		comparison += length;
	}
}

/* ---- tables ---- */

static void add_column(struct text *sql, const struct row_column *c)
{
	struct text check = {0};
	text_printf(sql, "\n\t%s %s", c->name, c->declaration);
	if (c->words) {
		add_check(&check, c);
		size_t width = TAB_WIDTH + strlen(c->name) + strlen(c->declaration) + check.length + 3;
		if (width <= LINE_MAX_WIDTH)
			text_printf(sql, " %s", text_data(&check));
		else
			add_broken(sql, text_data(&check));
		sql->failed = sql->failed || check.failed;
	}
	text_finish(&check);
}

static void add_table(struct text *sql, const struct row_type *type)
{
	text_printf(sql, "CREATE TABLE %s (", type->table);
	for (size_t i = 0; i < type->column_count && !row_is_generated(&type->columns[i]); i++) {
		if (i > 0)
			text_add_char(sql, ',');
		add_column(sql, &type->columns[i]);
	}
	text_printf(
		sql, "%s%s);\n", type->constraint ? ",\n\t" : "", type->constraint ? type->constraint : "");
}

/* Tables that say which units of a campaign are in the recording; they were added later. */
static bool is_of_units(enum row_type_id id)
{
	return id == ROWS_FAILED_UNIT || id == ROWS_STRETCH || id == ROWS_STRETCH_END;
}

static void add_tables(struct text *sql)
{
	for (int of_units = 0; of_units < 2; of_units++)
		for (int i = 0; i < ROW_TYPES; i++)
			if (is_of_units(row_tables[i]) == of_units)
				add_table(sql, &row_types[row_tables[i]]);
}

static void add_generated(struct text *sql, const struct row_type *type, enum row_field field)
{
	for (size_t i = 0; i < type->column_count; i++)
		if (type->columns[i].field == field)
			text_printf(sql, "ALTER TABLE %s ADD COLUMN %s %s;\n", type->table,
				type->columns[i].name, type->columns[i].declaration);
}

/* ---- descriptions ---- */

/* One statement, for which the table is empty. A second one would need a journal for the pages of the first,
 * a file for which there may be no room. */
void schema_describe(struct text *sql)
{
	text_add(sql, "INSERT INTO column_doc (tbl, col, unit, description) VALUES\n");
	for (int i = 0; i < ROW_TYPES; i++) {
		const struct row_type *type = &row_types[row_tables[i]];
		for (size_t k = 0; k < type->column_count; k++) {
			const struct row_column *c = &type->columns[k];
			text_printf(sql, "('%s', '%s', ", type->table, c->name);
			text_add_sql(sql, c->unit);
			text_add(sql, ", ");
			text_add_sql(sql, c->description);
			text_add(sql, "),\n");
		}
	}
	text_add_bytes(sql, _binary_view_columns_sql_start,
		(size_t)(_binary_view_columns_sql_end - _binary_view_columns_sql_start));
}

/* ---- all of it ---- */

static bool run(sqlite3 *db, struct text *sql, const char *file, struct error *err)
{
	bool ok = text_ok(sql, "writing a recording", err) && sql_exec(db, text_data(sql), file, err);
	text_finish(sql);
	return ok;
}

bool schema_create(sqlite3 *db, const char *file, struct error *err)
{
	struct text sql = {0};
	text_printf(&sql, "PRAGMA application_id = %d;\nPRAGMA user_version = %d;\n",
		RECORDING_APPLICATION_ID, RECORDING_VERSION);
	add_tables(&sql);
	schema_describe(&sql);
	return run(db, &sql, file, err);
}

bool schema_complete(sqlite3 *db, bool indexed, const char *file, struct error *err)
{
	struct text sql = {0};
	for (int i = 0; i < ROW_TYPES; i++) {
		add_generated(&sql, &row_types[row_tables[i]], FIELD_GENERATED_FIRST);
		add_generated(&sql, &row_types[row_tables[i]], FIELD_GENERATED);
	}
	if (indexed)
		text_add_bytes(&sql, _binary_indexes_sql_start,
			(size_t)(_binary_indexes_sql_end - _binary_indexes_sql_start));
	text_add_bytes(
		&sql, _binary_views_sql_start, (size_t)(_binary_views_sql_end - _binary_views_sql_start));
	schema_waits("", &sql);
	schema_flight_waits(true, "", &sql);
	text_add_bytes(&sql, _binary_why_sql_start, (size_t)(_binary_why_sql_end - _binary_why_sql_start));
	schema_bound_rule("", "", &sql);
	return run(db, &sql, file, err) && (!indexed || schema_analyze(db, NULL, file, err));
}

bool schema_analyze(sqlite3 *db, const bool tables[ROW_TYPES], const char *file, struct error *err)
{
	struct text sql = {0};
	text_add(&sql, "PRAGMA analysis_limit = 1000;\n");
	if (!tables)
		text_add(&sql, "ANALYZE;\n");
	for (int i = 0; tables && i < ROW_TYPES; i++)
		if (tables[row_tables[i]])
			text_printf(&sql, "ANALYZE main.%s;\n", row_types[row_tables[i]].table);
	return run(db, &sql, file, err);
}

/* From behind the text `begin`, which is between start and stop, to the text `end`; "": to stop. */
static void add_part(
	const char *start, const char *stop, const char *begin, const char *end, struct text *sql)
{
	start = memmem(start, (size_t)(stop - start), begin, strlen(begin));
	assert(start);
	start += strlen(begin);
	if (*end)
		stop = memmem(start, (size_t)(stop - start), end, strlen(end));
	assert(stop);
	text_add_bytes(sql, start, (size_t)(stop - start));
}

/* Up to the semicolon that ends a line with no comment in it, as that of every statement of ours does. */
static size_t statement_length(const char *start, const char *stop)
{
	const char *line = start;
	while (line < stop) {
		const char *end = memchr(line, '\n', (size_t)(stop - line));
		size_t length = (size_t)((end ? end : stop) - line);
		if (length > 0 && line[length - 1] == ';' && !memmem(line, length, "--", 2))
			return (size_t)(line + length - 1 - start);
		line += length + 1;
	}
	return (size_t)(stop - start);
}

void schema_view(const char *name, struct text *sql)
{
	static const struct {
		const char *start, *stop;
	} scripts[] = {{_binary_views_sql_start, _binary_views_sql_end},
		{_binary_waits_sql_start, _binary_waits_sql_end},
		{_binary_flight_waits_sql_start, _binary_flight_waits_sql_end},
		{_binary_why_sql_start, _binary_why_sql_end},
		{_binary_bound_check_sql_start, _binary_bound_check_sql_end}};
	char begin[64];
	int length = snprintf(begin, sizeof(begin), "CREATE VIEW %.40s AS", name);
	for (size_t i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++) {
		const char *start = scripts[i].start, *stop = scripts[i].stop;
		start = memmem(start, (size_t)(stop - start), begin, (size_t)length);
		if (!start)
			continue;
		start += strlen("CREATE VIEW");
		text_add_bytes(sql, start, statement_length(start, stop));
		return;
	}
}

void schema_waits(const char *begin, struct text *sql)
{
	add_part(_binary_waits_sql_start, _binary_waits_sql_end, begin, "", sql);
}

#define LONGEST                                                                                              \
	"(SELECT max(x.end_ns - x.start_ns) FROM segment_interval x WHERE x.run_id = r.run_id) AS longest_ns"
#define LIVED "lived AS (\n"
#define BEHIND_LIVED "-- Of intervals on the core those of segments"
#define LAST_WORDS "WHERE w.from_ns < w.to_ns"

/* `lived`, of these jobs. */
static const char lived_of_jobs[] =
	"lived AS (SELECT r.run_id, j.task_id, j.seq, j.release_ns, j.until_ns, r.engines, NULL AS sms,"
	" r.work_queues, r.shares, r.launch_ns, r.sync_ns, r.late_ns, r.moving, r.longest_ns, j.finished,"
	" CASE WHEN r.parted THEN (SELECT coalesce(core, 0) FROM task x WHERE x.task_id = j.task_id) END"
	" AS own_core,"
	" CASE WHEN r.turns THEN (SELECT coalesce(process, x.task_id) FROM task x"
	" WHERE x.task_id = j.task_id) END AS process, j.left_ns, j.last_ns, 0 AS longest"
	" FROM (SELECT json_extract(value, '$[0]') AS task_id, json_extract(value, '$[1]') AS seq,"
	" json_extract(value, '$[2]') AS release_ns, json_extract(value, '$[3]') AS until_ns,"
	" json_extract(value, '$[4]') AS finished, json_extract(value, '$[5]') AS left_ns,"
	" json_extract(value, '$[6]') AS last_ns FROM json_each(?3)) j JOIN ran r ON r.run_id = ?1),\n";

void schema_waits_of_jobs(struct text *sql)
{
	const char *start = _binary_waits_sql_start, *stop = _binary_waits_sql_end;
	text_add(sql, "WITH");
	add_part(start, stop, "AS\nWITH", LONGEST, sql);
	text_add(sql, "?2 AS longest_ns");
	add_part(start, stop, LONGEST, LIVED, sql);
	text_add(sql, lived_of_jobs);
	text_add(sql, BEHIND_LIVED);
	add_part(start, stop, BEHIND_LIVED, LAST_WORDS ";", sql);
	text_add(sql, LAST_WORDS "\n");
}

void schema_wants(struct text *sql)
{
	text_add(sql, "WITH");
	add_part(_binary_waits_sql_start, _binary_waits_sql_end, "AS\nWITH", ",\n-- 0: in front of", sql);
	text_add(sql, "\n");
}

void schema_why(struct text *sql)
{
	add_part(_binary_why_sql_start, _binary_why_sql_end, "\n\nCREATE VIEW", "", sql);
}

void schema_wait_sum(struct text *sql)
{
	add_part(_binary_why_sql_start, _binary_why_sql_end, "CREATE VIEW", ";", sql);
}

#define NO_FLIGHT_WAITS                                                                                      \
	" v_flight_wait AS SELECT NULL AS run_id, NULL AS task_id, NULL AS task, NULL AS seq, NULL AS"       \
	" segment_idx, NULL AS segment, NULL AS resource, NULL AS for_idx, NULL AS for_segment, NULL AS"     \
	" start_ns, NULL AS end_ns, NULL AS amount_ns, NULL AS amount_ms WHERE 0"

void schema_flight_waits(bool flights, const char *begin, struct text *sql)
{
	if (!flights)
		text_add(sql, NO_FLIGHT_WAITS);
	else
		add_part(_binary_flight_waits_sql_start, _binary_flight_waits_sql_end, begin, "", sql);
}

#define THAT_RAN "WHERE r.stop_ns IS NOT NULL"

void schema_flight_waits_of_jobs(struct text *sql)
{
	const char *start = _binary_flight_waits_sql_start, *stop = _binary_flight_waits_sql_end;
	text_add(sql, "WITH");
	add_part(start, stop, "AS\nWITH", THAT_RAN, sql);
	text_add(sql, THAT_RAN " AND j.run_id = ?1 AND (j.seq + j.task_id + j.run_id) % ?2 = 0");
	add_part(start, stop, THAT_RAN, LAST_WORDS ";", sql);
	text_add(sql, LAST_WORDS "\n");
}

void schema_measured(struct text *sql)
{
	text_add(sql, " v_measured");
	add_part(_binary_views_sql_start, _binary_views_sql_end, "CREATE VIEW v_measured", ";", sql);
}

void schema_bound_rule(const char *begin, const char *end, struct text *sql)
{
	add_part(_binary_bound_check_sql_start, _binary_bound_check_sql_end, begin, end, sql);
}
