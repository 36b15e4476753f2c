/* db/reader_views.c - views that a reader adds to the recording it has open: those that programs before did
 * not write, and v_why as this program computes it. They are temporary: the file stays as it is. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "db/reader_private.h"
#include "db/row_types.h"
#include "db/schema.h"
#include "db/segment_table.h"
#include "db/sql.h"
#include "db/why_table.h"

/* The text of a view, from behind CREATE VIEW on, as a temporary one, for this reader only. It hides one of
 * that name in the file. */
static bool add_view(struct db_reader *r, const struct text *view, struct error *err)
{
	struct text sql = {0};
	text_add(&sql, "PRAGMA query_only = OFF; CREATE TEMP VIEW");
	text_add(&sql, text_data(view));
	text_add(&sql, "; PRAGMA query_only = ON");
	bool ok = text_ok(view, "opening a recording", err) && text_ok(&sql, "opening a recording", err) &&
		  sql_exec(r->db, text_data(&sql), r->file, err);
	text_finish(&sql);
	return ok;
}

#define SEGMENTS_WITHOUT_NAMES                                                                               \
	" v_segment AS SELECT t.taskset_id, s.task_id, t.name AS task, s.segment_idx, s.kind, NULL AS name"  \
	" FROM segment s JOIN task t ON t.task_id = s.task_id"

/* Those before version 4 lack bound.assumes: their bounds rest on nobody. */
#define RULE_WITHOUT_ASSUMPTIONS                                                                             \
	" v_bound_check AS WITH asked AS (SELECT analysis_run_id, taskset_id, platform_id, policy_id,"       \
	" task_id, bound_ns, NULL AS assumes FROM analysis_run JOIN bound USING (analysis_run_id)),\n"
#define BOUNDS_WITHOUT_ASSUMPTIONS " v_bound AS SELECT *, NULL AS assumes_in_time FROM main.v_bound"

static bool renew_bounds(struct db_reader *r, int64_t version, struct error *err)
{
	struct text rule = {0}, bounds = {0};
	bool assumes;
	if (!reader_has(r, "bound", "assumes", &assumes, err))
		return false;
	text_add(&rule, assumes ? "" : RULE_WITHOUT_ASSUMPTIONS);
	schema_bound_rule(assumes ? "CREATE VIEW" : "\n-- rule\n", "", &rule);
	text_add(&bounds, BOUNDS_WITHOUT_ASSUMPTIONS);
	bool ok = ((assumes && version == RECORDING_VERSION) || add_view(r, &rule, err)) &&
		  (assumes || add_view(r, &bounds, err));
	text_finish(&rule);
	text_finish(&bounds);
	return ok;
}

/* An empty table, for views that read it. */
static bool add_empty(struct db_reader *r, const struct row_type *type, struct error *err)
{
	struct text table = {0};
	text_printf(&table, " %s AS SELECT", type->table);
	for (size_t i = 0; i < type->column_count; i++)
		text_printf(&table, "%s NULL AS %s", i ? "," : "", type->columns[i].name);
	text_add(&table, " WHERE 0");
	bool ok = add_view(r, &table, err);
	text_finish(&table);
	return ok;
}

static bool add_measured(struct db_reader *r, struct error *err)
{
	struct text view = {0};
	schema_measured(&view);
	bool ok = add_empty(r, &row_types[ROWS_MEASURED], err) && add_view(r, &view, err);
	text_finish(&view);
	return ok;
}

static bool add_waits(struct db_reader *r, struct error *err)
{
	struct text view = {0};
	bool has = true;
	schema_waits("CREATE VIEW", &view);
	bool ok = reader_has(r, "context_interval", NULL, &has, err) &&
		  (has || add_empty(r, &row_types[ROWS_CONTEXT_INTERVAL], err)) && add_view(r, &view, err);
	text_finish(&view);
	return ok;
}

static bool add_flight_waits(struct db_reader *r, struct error *err)
{
	struct text view = {0};
	bool flights;
	if (!reader_has(r, "segment", "async", &flights, err))
		return false;
	schema_flight_waits(flights, "CREATE VIEW", &view);
	bool ok = add_view(r, &view, err);
	text_finish(&view);
	return ok;
}

/* Nothing is recorded as verdicts alone in recordings before. */
static bool add_verdicts(struct db_reader *r, struct error *err)
{
	static const enum row_type_id added[] = {ROWS_QUESTION, ROWS_GRID_POINT, ROWS_VERDICT, ROWS_TALLY};
	bool ok = true, has;
	for (size_t i = 0; ok && i < sizeof(added) / sizeof(added[0]); i++)
		ok = reader_has(r, row_types[added[i]].table, NULL, &has, err) &&
		     (has || add_empty(r, &row_types[added[i]], err));
	return ok;
}

/* v_why and v_wait_sum as this program computes them; in recordings that lack what they read, as SQL does. */
static bool add_why(struct db_reader *r, struct error *err)
{
	struct text view = {0}, sums = {0};
	bool processes, masks;
	if (!reader_has(r, "task", "process", &processes, err) ||
		!reader_has(r, "segment", "sms", &masks, err) || !why_table_add(r->db, r->file, err))
		return false;
	if (processes && masks) {
		wait_sum_table_view(&sums);
		why_table_view(&view);
	} else {
		schema_wait_sum(&sums);
		schema_why(&view);
	}
	bool ok = add_view(r, &sums, err) && add_view(r, &view, err);
	text_finish(&sums);
	text_finish(&view);
	return ok;
}

/* Programs before wrote nothing of which GPU, and decided at once. The tables get these columns, for this
 * reader, as views of them, one of each table: the first that it lacks. */
static const struct {
	const char *table, *column, *values;
} of_one_gpu[] = {
	{"platform", "gpus", "NULL AS gpus"},
	{"segment", "gpu", "NULL AS gpu, NULL AS profiles"},
	{"segment_interval", "gpu", "0 AS gpu"},
	{"block_interval", "gpu", "0 AS gpu"},
	{"power_interval", "gpu", "0 AS gpu"},
	{"decision", "gpu", "0 AS gpu, time_ns AS asked_ns"},
	{"decision", "asked_ns", "time_ns AS asked_ns"},
};

static bool add_gpus(struct db_reader *r, struct error *err)
{
	bool ok = true;
	const char *viewed = "";
	for (size_t i = 0; ok && i < sizeof(of_one_gpu) / sizeof(of_one_gpu[0]); i++) {
		struct text view = {0};
		bool there, has;
		const char *table = of_one_gpu[i].table;
		ok = reader_has(r, table, NULL, &there, err) &&
		     reader_has(r, table, of_one_gpu[i].column, &has, err);
		if (!ok || !there || has || strcmp(table, viewed) == 0)
			continue;
		viewed = table;
		text_printf(&view, " %s AS SELECT rowid AS rowid, *, %s FROM main.%s", table,
			of_one_gpu[i].values, table);
		ok = add_view(r, &view, err);
		text_finish(&view);
	}
	bool has = true;
	struct text view = {0};
	text_add(&view, " v_gpu AS SELECT 0 AS gpu, name AS platform, * FROM main.platform");
	ok = ok && reader_has(r, "v_gpu", NULL, &has, err) && (has || add_view(r, &view, err));
	text_finish(&view);
	return ok;
}

/* In recordings of campaigns `segment` is a view. Views of the file read that one, so those that ask about
 * one segment after the other are made again, for the table in front of it. */
static bool add_segments(struct db_reader *r, struct error *err)
{
	int64_t views;
	if (!sql_query_integer(r->db,
		    "SELECT count(*) FROM main.sqlite_master WHERE name = 'segment' AND type = 'view'",
		    &views, r->file, err))
		return false;
	return views == 0 ||
	       (segment_table_add(r->db, r->file, err) && add_waits(r, err) && add_flight_waits(r, err));
}

#define VIEWS_MOST 64

/* The views of the file whose texts are not those of this program. False: *err. */
static bool other_views(struct db_reader *r, char (*names)[41], size_t *count, struct error *err)
{
	sqlite3_stmt *stmt = sql_prepare(r->db,
		"SELECT name, substr(sql, 12) FROM main.sqlite_master WHERE type = 'view' AND length(name) "
		"<= 40 AND name NOT IN (SELECT name FROM temp.sqlite_master)",
		r->file, err);
	int code = SQLITE_ERROR;
	while (stmt && *count < VIEWS_MOST && (code = sqlite3_step(stmt)) == SQLITE_ROW) {
		struct text ours = {0};
		const char *name = (const char *)sqlite3_column_text(stmt, 0);
		const char *theirs = (const char *)sqlite3_column_text(stmt, 1);
		schema_view(name, &ours);
		if (ours.length > 0 && strcmp(theirs ? theirs : "", text_data(&ours)) != 0)
			snprintf(names[(*count)++], sizeof(names[0]), "%s", name);
		text_finish(&ours);
	}
	bool ok = stmt &&
		  (code == SQLITE_ROW || code == SQLITE_DONE || sql_error(err, r->db, code, r->file, "read"));
	sqlite3_finalize(stmt);
	return ok;
}

/* What a view with a name of ours says is what this program says, wherever that can be asked of the tables:
 * the file's own may be anybody's. Where it cannot, in recordings of programs before, theirs stays. */
static bool add_our_views(struct db_reader *r, struct error *err)
{
	char names[VIEWS_MOST][41], asked[112];
	size_t count = 0;
	bool ok = other_views(r, names, &count, err);
	for (size_t i = 0; ok && i < count; i++) {
		struct text view = {0};
		sqlite3_stmt *stmt = NULL;
		schema_view(names[i], &view);
		ok = add_view(r, &view, err);
		text_finish(&view);
		snprintf(asked, sizeof(asked), "SELECT * FROM temp.%.40s", names[i]);
		bool answers = ok && sqlite3_prepare_v2(r->db, asked, -1, &stmt, NULL) == SQLITE_OK;
		sqlite3_finalize(stmt);
		snprintf(asked, sizeof(asked),
			"PRAGMA query_only = OFF; DROP VIEW temp.%.40s; PRAGMA query_only = ON", names[i]);
		ok = ok && (answers || sql_exec(r->db, asked, r->file, err));
	}
	return ok;
}

/* Recordings up to version 2 have an older v_bound_check (docs/recording.md). Those up to version 3 lack
 * v_segment, as their segments have no names, v_wait, and v_measured with its table. */
bool reader_renew_views(struct db_reader *r, int64_t version, struct error *err)
{
	struct text segments = {0};
	bool measured, waits, flights;
	text_add(&segments, SEGMENTS_WITHOUT_NAMES);
	bool ok = add_segments(r, err) && add_gpus(r, err) && add_verdicts(r, err) &&
		  reader_has(r, "measured", NULL, &measured, err) && (measured || add_measured(r, err)) &&
		  reader_has(r, "v_wait", NULL, &waits, err) && (waits || add_waits(r, err)) &&
		  reader_has(r, "v_flight_wait", NULL, &flights, err) &&
		  (flights || add_flight_waits(r, err)) && add_why(r, err) &&
		  (version == RECORDING_VERSION || add_view(r, &segments, err)) &&
		  renew_bounds(r, version, err) && (version < RECORDING_VERSION || add_our_views(r, err));
	text_finish(&segments);
	return ok;
}
