/* tests/unit/test_schema.c - the schema: every column is described and has the declared type, old versions of
 * SQLite can read it, and the views of a recording give what was recorded (test_views.c tests them on rows
 * made by hand). */
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "db/audit/digest.h"
#include "db/embedded.h"
#include "db/queries.h"
#include "db/row_types.h"
#include "db/schema.h"
#include "db/sql.h"
#include "tests/support/test.h"
#include "tests/unit/db_sample.h"

static char file[512];

static int write_sample(void **state)
{
	struct error err;
	snprintf(file, sizeof(file), "%s", sample_path("schema.db"));
	if (sample_write(file, &err))
		return 0;
	print_error("%s\n", err.text);
	return -1;
}

static int clean(void **state)
{
	sample_clean();
	return 0;
}

ALL_TESTS(write_sample, clean);

TEST("every column is described once and no other")
{
	assert_string_equal(sample_rows(file, "SELECT s.name, x.name FROM sqlite_master s, "
					      "pragma_table_xinfo(s.name) x LEFT JOIN column_doc d"
					      " ON d.tbl = s.name AND d.col = x.name"
					      " WHERE s.type IN ('table', 'view') AND s.name NOT LIKE "
					      "'sqlite_%' AND d.tbl IS NULL"),
		"");
	assert_string_equal(
		sample_rows(file,
			"SELECT tbl, col FROM column_doc d WHERE NOT EXISTS (SELECT 1 FROM sqlite_master s,"
			" pragma_table_xinfo(s.name) x WHERE s.name = d.tbl AND x.name = d.col)"),
		"");
	assert_true(sample_integer(file, "SELECT count(*) FROM column_doc") > 300);
}

/* _ns, _uj and the like are units, and column_doc gives the same unit. */
TEST("units in names agree with the description")
{
	assert_string_equal(
		sample_rows(file, "SELECT tbl, col, unit FROM column_doc, (SELECT '_ns' AS suffix, 'ns' AS u "
				  "UNION ALL SELECT '_ms', 'ms'"
				  " UNION ALL SELECT '_uw', 'uW' UNION ALL SELECT '_uj', 'uJ' UNION ALL "
				  "SELECT '_uwns', 'uW*ns'"
				  " UNION ALL SELECT '_ppm', 'ppm' UNION ALL SELECT '_us', 'us' UNION ALL "
				  "SELECT '_j', 'J'"
				  " UNION ALL SELECT '_w', 'W')"
				  " WHERE substr(col, -length(suffix)) = suffix AND unit IS NOT u"),
		"");
}

/* SQLite stores any type; the writer must give the type that the column declares. */
TEST("values have the declared type")
{
	sqlite3 *db;
	sqlite3_stmt *columns, *values;
	char sql[512];
	int checked = 0;
	assert_int_equal(sqlite3_open_v2(file, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db,
				 "SELECT s.name, x.name, lower(x.type), x.\"notnull\" FROM sqlite_master s, "
				 "pragma_table_xinfo(s.name) x"
				 " WHERE s.type = 'table' AND s.name NOT LIKE 'sqlite_%'",
				 -1, &columns, NULL),
		SQLITE_OK);
	while (sqlite3_step(columns) == SQLITE_ROW) {
		snprintf(sql, sizeof(sql), "SELECT count(*) FROM %s WHERE typeof(%s) NOT IN ('%s', '%s')",
			sqlite3_column_text(columns, 0), sqlite3_column_text(columns, 1),
			sqlite3_column_text(columns, 2), sqlite3_column_int(columns, 3) ? "" : "null");
		assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &values, NULL), SQLITE_OK);
		assert_int_equal(sqlite3_step(values), SQLITE_ROW);
		if (sqlite3_column_int(values, 0) != 0)
			fail_msg("%s", sql);
		sqlite3_finalize(values);
		checked++;
	}
	sqlite3_finalize(columns);
	sqlite3_close(db);
	assert_true(checked > 150);
}

TEST("references lead somewhere")
{
	assert_string_equal(sample_rows(file, "PRAGMA foreign_key_check"), "");
	assert_string_equal(sample_rows(file, "PRAGMA integrity_check"), "ok");
}

/* Not taskset. */
static bool refers_to_task(const char *declaration)
{
	const char *at = strstr(declaration, "REFERENCES task");
	char next = at ? at[strlen("REFERENCES task")] : 's';
	return next == '\0' || next == ' ';
}

/* A merge moves task ids, and the digest of the content replaces them: both ask the kind of the column. The
 * audit has a rule of its own. */
TEST("every column with a task id is known as one")
{
	struct error err;
	struct hashed hashed;
	char wanted[80];
	int tasks = 0;
	struct db_reader *r = reader_open(file, &err);
	assert_non_null(r);
	for (int t = 0; t < ROW_TYPES; t++) {
		const struct row_type *type = &row_types[t];
		assert_true(hashed_columns(r, type->table, NULL, NULL, NULL, &hashed, &err));
		for (size_t i = 0; i < type->column_count; i++) {
			const char *name = type->columns[i].name;
			bool is_task = row_holds_task(type->table, name);
			tasks += is_task;
			if (refers_to_task(type->columns[i].declaration) && !is_task)
				fail_msg("%s.%s: its kind is not TASK", type->table, name);
			snprintf(wanted, sizeof(wanted), "x.task_id = t.%s)", name);
			if (is_task != (strstr(hashed.sql, wanted) != NULL))
				fail_msg("%s.%s: for the audit it is %s task", type->table, name,
					is_task ? "no" : "a");
		}
	}
	reader_close(r);
	assert_true(tasks > 15);
}

/* ---- readable by SQLite 3.31 ---- */

/* Functions that our views and queries use; all are older than SQLite 3.31. Before adding one, check when
 * SQLite got it. */
static const char *const old_functions[] = {"sum", "count", "min", "max", "avg", "coalesce", "nullif",
	"printf", "row_number", "dense_rank", "lag", "lead", "last_value", "substr", "instr", "length",
	"like", "group_concat", "abs", "rtrim", "unlikely", "json_extract", "json_remove", NULL};
static char new_function[64];

static int note_function(
	void *self, int action, const char *first, const char *second, const char *db, const char *by)
{
	(void)self, (void)first, (void)db, (void)by;
	if (action != SQLITE_FUNCTION)
		return SQLITE_OK;
	for (int i = 0; old_functions[i]; i++)
		if (strcmp(old_functions[i], second) == 0)
			return SQLITE_OK;
	snprintf(new_function, sizeof(new_function), "%s", second);
	return SQLITE_OK;
}

static void check_functions(sqlite3 *db, const char *sql, int length)
{
	sqlite3_stmt *stmt;
	if (sqlite3_prepare_v2(db, sql, length, &stmt, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	sqlite3_finalize(stmt);
	if (*new_function)
		fail_msg("%s uses %s()", sql, new_function);
}

TEST("views and queries use old functions only")
{
	sqlite3 *db;
	sqlite3_stmt *views;
	struct named_query query;
	char sql[128];
	assert_int_equal(sqlite3_open_v2(file, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db,
				 "SELECT name FROM sqlite_master WHERE type IN ('view', 'table')"
				 " AND name NOT LIKE 'sqlite_%'",
				 -1, &views, NULL),
		SQLITE_OK);
	sqlite3_set_authorizer(db, note_function, NULL);
	while (sqlite3_step(views) == SQLITE_ROW) {
		snprintf(sql, sizeof(sql), "SELECT * FROM %s", sqlite3_column_text(views, 0));
		check_functions(db, sql, -1);
	}
	for (size_t i = 0; query_at(i, &query); i++)
		check_functions(db, query.sql, (int)query.sql_length);
	sqlite3_finalize(views);
	sqlite3_close(db);
}

/* Syntax that is newer than 3.31 (the version is in the comment), as parts of tokens in capitals. */
static const char *const new_syntax[] = {"STRICT", /* 3.37 */ "RETURNING",
	/* 3.35 */ "MATERIALIZED", /* 3.35 */
	"IS DISTINCT", /* 3.39 */ "RIGHT JOIN", "FULL JOIN", /* 3.39 */ "->",
	/* 3.38 */ "DROP COLUMN", /* 3.35 */
	"iif(", /* 3.32 */ "WITHOUT ROWID" /* old, but slow for our rows */};

static void check_syntax(const char *start, const char *end)
{
	for (size_t i = 0; i < sizeof(new_syntax) / sizeof(new_syntax[0]); i++)
		if (memmem(start, (size_t)(end - start), new_syntax[i], strlen(new_syntax[i])))
			fail_msg("%s is too new", new_syntax[i]);
}

TEST("old syntax only")
{
	const char *made = sample_rows(file, "SELECT sql FROM sqlite_master");
	assert_non_null(strstr(made, "CREATE TABLE job"));
	assert_non_null(strstr(made, "CREATE VIEW v_bound_check"));
	check_syntax(made, made + strlen(made));
	check_syntax(_binary_indexes_sql_start, _binary_indexes_sql_end);
	check_syntax(_binary_queries_sql_start, _binary_queries_sql_end);
}

TEST("the file says what it is")
{
	assert_int_equal(sample_integer(file, "PRAGMA application_id"), 0x43454753);
	assert_int_equal(sample_integer(file, "PRAGMA user_version"), RECORDING_VERSION);
	assert_int_equal(sample_integer(file, "PRAGMA page_size"), 16384);
	assert_string_equal(sample_rows(file, "PRAGMA journal_mode"), "delete");
	assert_string_equal(sample_rows(file, "SELECT key, value FROM meta ORDER BY key"),
		"status|complete\ntool_version|" CEGSIM_VERSION);
}

static int64_t value_of(sqlite3 *db, const char *sql)
{
	struct error err;
	int64_t value;
	assert_ok(sql_query_integer(db, sql, &value, "both", &err));
	return value;
}

/* The empty recording that is linked in was made by these statements, in this order. */
TEST("a recording begins as its statements make it")
{
#define ROWS(columns, db_and_rest) "SELECT row_number() OVER (), " columns " FROM " db_and_rest
#define COUNT(rows) "SELECT count(*) FROM (" rows ")"
#define SCHEMA(db) ROWS("type, name, tbl_name, sql", db ".sqlite_master WHERE name NOT LIKE 'sqlite_stat_'")
#define DOC(db) ROWS("*", db ".column_doc")
	struct error err;
	char written[512], attach[600];
	snprintf(written, sizeof(written), "%s", sample_path("written.db"));
	struct db_writer *w = writer_open(written, true, &err);
	assert_ok(w && writer_finish(w, NULL, &err));
	assert_string_equal(sample_rows(written, "PRAGMA integrity_check"), "ok");
	assert_int_equal(sample_integer(written, "PRAGMA freelist_count"), 0);
	assert_int_equal(sample_integer(written, "PRAGMA auto_vacuum"), 0);
	sqlite3 *db;
	assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
	assert_ok(schema_create(db, "made", &err) && schema_complete(db, true, "made", &err));
	snprintf(attach, sizeof(attach), "ATTACH '%s' AS written", written);
	assert_ok(sql_exec(db, attach, "both", &err));
	assert_int_equal(value_of(db, COUNT(SCHEMA("main"))), value_of(db, COUNT(SCHEMA("written"))));
	assert_int_equal(value_of(db, COUNT(SCHEMA("main") " EXCEPT " SCHEMA("written"))), 0);
	assert_int_equal(value_of(db, COUNT(DOC("main"))), value_of(db, COUNT(DOC("written"))));
	assert_int_equal(value_of(db, COUNT(DOC("main") " EXCEPT " DOC("written"))), 0);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* ---- what the views compute ---- */

TEST("run view")
{
	assert_string_equal(sample_rows(file, "SELECT scenario, taskset, target_utilisation, platform, "
					      "policy, horizon_ms, stop_ms, status, failing_task, jobs,"
					      " misses, schedulable FROM v_run ORDER BY run_id"),
		"sample.yaml|sample|0.5|two-sms|fcfs|20.0|26.0|ok|-|3|1|0\n"
		"sample.yaml|sample|0.5|two-sms|rm|20.0|26.0|ok|-|3|0|1\n"
		"sample.yaml|sample|0.5|two-sms|fcfs|20.0|-|refused|lidar|-|-|0");
	assert_near(
		sample_real(file, "SELECT energy_j FROM v_run WHERE run_id = 1"), 0.041600000000007, 1e-17);
	assert_near(sample_real(file, "SELECT mean_power_w FROM v_run WHERE run_id = 1"), 1.6, 1e-9);
}

TEST("job view")
{
	assert_string_equal(
		sample_rows(file,
			"SELECT task, seq, release_ms, first_start_ms, finish_ms, deadline_ms, response_ms, "
			"lateness_ms,"
			" normalised_response, missed, state FROM v_job WHERE run_id = 1 ORDER BY task, seq"),
		"camera|0|0.0|0.0|4.0|10.0|4.0|-6.0|0.4|0|finished\n"
		"camera|1|10.0|10.0|16.0|20.0|6.0|-4.0|0.6|0|finished\n"
		"lidar|0|1.0|5.0|26.0|21.0|25.0|5.0|1.25|1|finished");
	assert_int_equal(sample_integer(file,
				 "SELECT count(*) FROM run r WHERE misses <>"
				 " (SELECT coalesce(sum(missed), 0) FROM v_job j WHERE j.run_id = r.run_id)"),
		0);
}

TEST("utilisation counts overlap once")
{
	assert_string_equal(
		sample_rows(file,
			"SELECT lane, busy_ms, waiting_ms FROM v_utilisation WHERE run_id = 1 ORDER BY lane"),
		"CPU|2.0|1.0\nGPU|23.0|0.0\nSM 000|2.0|0.0\nSM 001|2.0|0.0\ncopy 0|1.0|0.0\npool|21.0|0.0");
}

TEST("energy view splits the energy")
{
	assert_near(sample_real(file, "SELECT static_j FROM v_energy WHERE run_id = 1"), 0.026, 1e-12);
	assert_near(sample_real(file, "SELECT idle_sms_j FROM v_energy WHERE run_id = 1"), 0.0045, 1e-12);
	assert_near(sample_real(file, "SELECT gpu_active_ms FROM v_energy WHERE run_id = 1"), 24.5, 1e-12);
	assert_near(
		sample_real(file, "SELECT active_sm_share FROM v_energy WHERE run_id = 1"), 26.5 / 49, 1e-12);
	assert_near(
		sample_real(file, "SELECT idle_sm_share FROM v_energy WHERE run_id = 1"), 22.5 / 49, 1e-12);
	assert_near(sample_real(file, "SELECT energy_j - static_j - idle_sms_j - dynamic_j FROM v_energy"), 0,
		1e-15);
}

TEST("energy by task adds up")
{
	assert_near(sample_real(file, "SELECT sum(dynamic_j) FROM v_energy_task WHERE run_id = 1"),
		0.011100000000007, 1e-17);
	assert_near(sample_real(file,
			    "SELECT (SELECT sum(dynamic_j) FROM v_energy_task t WHERE t.run_id = e.run_id)"
			    " - e.dynamic_j FROM v_energy e"),
		0, 1e-15);
	assert_near(sample_real(file, "SELECT share FROM v_energy_task WHERE run_id = 1 AND task = 'lidar'"),
		9.1 / 11.1, 1e-12);
	assert_near(sample_real(file,
			    "SELECT per_job_mj FROM v_energy_task WHERE run_id = 1 AND task = 'camera'"),
		1.0, 1e-10);
}

/* Power is 1.7 W over [5 ms, 20 ms). The other candidate would end after the window of 26 ms. */
TEST("a prediction against what it came to")
{
	assert_string_equal(
		sample_rows(file, "SELECT task, seq, sms, time_ms, kernel_end_ms, feasible, chosen"
				  " FROM v_decision WHERE run_id = 1"),
		"lidar|0|2|5.0|20.0|1|1\nlidar|0|1|5.0|30.0|0|0");
	assert_near(sample_real(file, "SELECT true_j FROM v_decision WHERE chosen"), 0.0255, 1e-15);
	assert_near(sample_real(file, "SELECT predicted_j FROM v_decision WHERE chosen"), 0.0204, 1e-15);
	assert_near(sample_real(file, "SELECT error FROM v_decision WHERE chosen"), -0.2, 1e-12);
	assert_string_equal(
		sample_rows(file, "SELECT count(true_j), count(error) FROM v_decision WHERE NOT chosen"),
		"0|0");
}
