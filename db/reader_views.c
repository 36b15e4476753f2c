/* db/reader_views.c - views that a reader adds to the recording it has open: those that programs before did
 * not write, and those whose rows this program computes itself. They are temporary: the file stays as it is.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "db/busy_table.h"
#include "db/known_views.h"
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

static bool refuse_view(const struct db_reader *r, const char *name, struct error *err)
{
	return error_set(err, STATUS_INPUT,
		"%s: the recording is damaged: its view '%s' is none that cegsim has written", r->file, name);
}

#define SEGMENTS_WITHOUT_NAMES                                                                               \
	" v_segment AS SELECT t.taskset_id, s.task_id, t.name AS task, s.segment_idx, s.kind, NULL AS name"  \
	" FROM segment s JOIN task t ON t.task_id = s.task_id"

/* Those before version 4 lack bound.assumes: their bounds rest on nobody. */
#define RULE_WITHOUT_ASSUMPTIONS                                                                             \
	" v_bound_check AS WITH asked AS (SELECT analysis_run_id, taskset_id, platform_id, policy_id,"       \
	" task_id, bound_ns, NULL AS assumes FROM analysis_run JOIN bound USING (analysis_run_id)),\n"
#define BOUNDS_WITHOUT_ASSUMPTIONS " v_bound AS SELECT *, NULL AS assumes_in_time FROM main.v_bound"

/* The file's own v_bound stays behind ours. */
static bool check_bounds(struct db_reader *r, struct error *err)
{
	sqlite3_stmt *stmt = sql_prepare(r->db,
		"SELECT substr(sql, 12) FROM main.sqlite_master WHERE type = 'view' AND name = 'v_bound' "
		"COLLATE NOCASE",
		r->file, err);
	int code = stmt ? sqlite3_step(stmt) : SQLITE_DONE;
	const char *text = code == SQLITE_ROW ? (const char *)sqlite3_column_text(stmt, 0) : NULL;
	bool ok = stmt &&
		  (code == SQLITE_ROW || code == SQLITE_DONE || sql_error(err, r->db, code, r->file, "read"));
	if (code == SQLITE_ROW && !known_view(text ? text : ""))
		ok = refuse_view(r, "v_bound", err);
	sqlite3_finalize(stmt);
	return ok;
}

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
		  (assumes || (check_bounds(r, err) && add_view(r, &bounds, err)));
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

/* A view of the file that has a name of ours, and another text. */
struct other_view {
	char name[41];
	bool known, ours; /* a program has written it; this program's stands in front of it */
};

/* Those that nobody hides yet. */
static bool other_views(struct db_reader *r, struct other_view *views, size_t *count, struct error *err)
{
	sqlite3_stmt *stmt = sql_prepare(r->db,
		"SELECT lower(name), substr(sql, 12) FROM main.sqlite_master WHERE type = 'view' AND "
		"length(name) <= 40 AND name NOT GLOB '*[^a-zA-Z0-9_]*' AND lower(name) NOT IN (SELECT name "
		"FROM temp.sqlite_master)",
		r->file, err);
	int code = SQLITE_ERROR;
	while (stmt && *count < VIEWS_MOST && (code = sqlite3_step(stmt)) == SQLITE_ROW) {
		struct text ours = {0};
		const char *name = (const char *)sqlite3_column_text(stmt, 0);
		const char *theirs = (const char *)sqlite3_column_text(stmt, 1);
		theirs = theirs ? theirs : "";
		schema_view(name, &ours);
		if (ours.length > 0 && strcmp(theirs, text_data(&ours)) != 0) {
			struct other_view *v = &views[(*count)++];
			v->known = known_view(theirs);
			v->ours = false;
			snprintf(v->name, sizeof(v->name), "%s", name);
		}
		text_finish(&ours);
	}
	bool ok = stmt &&
		  (code == SQLITE_ROW || code == SQLITE_DONE || sql_error(err, r->db, code, r->file, "read"));
	sqlite3_finalize(stmt);
	return ok;
}

static bool add_ours(struct db_reader *r, struct other_view *v, struct error *err)
{
	struct text view = {0};
	schema_view(v->name, &view);
	v->ours = add_view(r, &view, err);
	text_finish(&view);
	return v->ours;
}

/* Takes ours away where it cannot be asked of the tables. */
static bool drop_ours(struct db_reader *r, struct other_view *v, bool *dropped, struct error *err)
{
	char sql[112];
	sqlite3_stmt *stmt = NULL;
	snprintf(sql, sizeof(sql), "SELECT * FROM temp.%.40s", v->name);
	int code = sqlite3_prepare_v2(r->db, sql, -1, &stmt, NULL);
	sqlite3_finalize(stmt);
	if ((code & 0xff) != SQLITE_ERROR)
		return code == SQLITE_OK || sql_error(err, r->db, code, r->file, "read");
	if (!v->known)
		return refuse_view(r, v->name, err);
	*dropped = true;
	v->ours = false;
	snprintf(sql, sizeof(sql), "PRAGMA query_only = OFF; DROP VIEW temp.%.40s; PRAGMA query_only = ON",
		v->name);
	return sql_exec(r->db, sql, r->file, err);
}

/* v_utilisation reads the two tables: the file's own would not. It stays where ours cannot be asked of the
 * tables; add_our_views() sees to whose it is. */
static bool add_busy(struct db_reader *r, struct error *err)
{
	struct other_view utilisation = {.name = "v_utilisation", .known = true};
	struct text lanes = {0}, sms = {0};
	bool dropped;
	lane_busy_table_view(&lanes);
	sm_busy_table_view(&sms);
	bool ok = busy_table_add(r->db, r->file, err) && add_view(r, &lanes, err) && add_view(r, &sms, err) &&
		  add_ours(r, &utilisation, err) && drop_ours(r, &utilisation, &dropped, err);
	text_finish(&lanes);
	text_finish(&sms);
	return ok;
}

/* What a view with a name of ours says is what this program says, wherever that can be asked of the tables:
 * the file's own may be anybody's. Where it cannot, in recordings of programs before, theirs stays if such a
 * program has written it. Recordings before this version keep what theirs wrote. Views read each other, so
 * ours are all there before one is asked. */
static bool add_our_views(struct db_reader *r, int64_t version, struct error *err)
{
	struct other_view views[VIEWS_MOST];
	size_t count = 0;
	bool dropped = true, ok = other_views(r, views, &count, err);
	for (size_t i = 0; ok && i < count; i++)
		ok = (views[i].known && version < RECORDING_VERSION) || add_ours(r, &views[i], err);
	while (ok && dropped) {
		dropped = false;
		for (size_t i = 0; ok && i < count; i++)
			ok = !views[i].ours || drop_ours(r, &views[i], &dropped, err);
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
		  (flights || add_flight_waits(r, err)) && add_why(r, err) && add_busy(r, err) &&
		  (version == RECORDING_VERSION || add_view(r, &segments, err)) &&
		  renew_bounds(r, version, err) && add_our_views(r, version, err);
	text_finish(&segments);
	return ok;
}
