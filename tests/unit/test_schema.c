/* tests/unit/test_schema.c - the schema keeps its promises: every column is described and has the type it
 * says, old SQLite can read it, and the views compute what they claim. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "db/embedded.h"
#include "db/queries.h"
#include "db/sql.h"
#include "tests/unit/db_sample.h"

static char file[512];

static int write_sample(void **state)
{
	(void)state;
	struct error err;
	snprintf(file, sizeof(file), "%s", sample_path("schema.db"));
	if (sample_write(file, &err))
		return 0;
	print_error("%s\n", err.text);
	return -1;
}

static int clean(void **state)
{
	(void)state;
	sample_clean();
	return 0;
}

static void test_every_column_is_described_once_and_no_other(void **state)
{
	(void)state;
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

/* _ns, _uj and the like are units, and column_doc says the same. */
static void test_units_in_names_agree_with_the_description(void **state)
{
	(void)state;
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

/* SQLite stores what it is given; the writer must give what the column says. */
static void test_values_have_the_declared_type(void **state)
{
	(void)state;
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

static void test_references_lead_somewhere(void **state)
{
	(void)state;
	assert_string_equal(sample_rows(file, "PRAGMA foreign_key_check"), "");
	assert_string_equal(sample_rows(file, "PRAGMA integrity_check"), "ok");
}

/* --- readable by SQLite 3.31 ---------------------------------------------------------- */

/* Functions that our views and queries use, all older than 3.31. Add one only after a look at its history. */
static const char *const old_functions[] = {"sum", "count", "min", "max", "avg", "coalesce", "nullif",
        "printf", "row_number", "dense_rank", "lag", "substr", "length", "like", "group_concat", "abs", "json_extract",
        NULL};
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

static void test_views_and_queries_use_old_functions_only(void **state)
{
	(void)state;
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

/* Words of syntax that came after 3.31 (the release is in the comment), as parts of tokens in capitals. */
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

static void test_old_syntax_only(void **state)
{
	(void)state;
	check_syntax(_binary_schema_sql_start, _binary_schema_sql_end);
	check_syntax(_binary_finish_sql_start, _binary_finish_sql_end);
	check_syntax(_binary_views_sql_start, _binary_views_sql_end);
	check_syntax(_binary_queries_sql_start, _binary_queries_sql_end);
}

static void test_the_file_says_what_it_is(void **state)
{
	(void)state;
	assert_int_equal(sample_integer(file, "PRAGMA application_id"), 0x43454753);
	assert_int_equal(sample_integer(file, "PRAGMA user_version"), RECORDING_VERSION);
	assert_int_equal(RECORDING_VERSION, 2);
	assert_int_equal(sample_integer(file, "PRAGMA page_size"), 16384);
	assert_string_equal(sample_rows(file, "PRAGMA journal_mode"), "delete");
	assert_string_equal(sample_rows(file, "SELECT key, value FROM meta ORDER BY key"),
		"status|complete\ntool_version|" CEGSIM_VERSION);
}

/* --- what the views compute ------------------------------------------------------------- */

static void test_run_view(void **state)
{
	(void)state;
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

static void test_job_view(void **state)
{
	(void)state;
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

static void test_utilisation_counts_overlap_once(void **state)
{
	(void)state;
	assert_string_equal(
		sample_rows(file,
			"SELECT lane, busy_ms, waiting_ms FROM v_utilisation WHERE run_id = 1 ORDER BY lane"),
		"CPU|2.0|1.0\nGPU|23.0|0.0\nSM 000|2.0|0.0\nSM 001|2.0|0.0\ncopy 0|1.0|0.0\npool|21.0|0.0");
}

static void test_energy_view_splits_the_energy(void **state)
{
	(void)state;
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

static void test_energy_by_task_adds_up(void **state)
{
	(void)state;
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

/* Power is 1.7 W over [5 ms, 20 ms); the other candidate would end beyond the window of 26 ms. */
static void test_a_prediction_against_what_it_came_to(void **state)
{
	(void)state;
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

/* A database in memory with the schema, for contents that the writer would not write so quickly. */
static sqlite3 *open_empty(void)
{
	sqlite3 *db;
	struct error err;
	assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
	assert_true(sql_script(db, _binary_schema_sql_start, _binary_schema_sql_end, "memory", &err));
	assert_true(sql_script(db, _binary_finish_sql_start, _binary_finish_sql_end, "memory", &err));
	assert_true(sql_script(db, _binary_views_sql_start, _binary_views_sql_end, "memory", &err));
	return db;
}

static void run_sql(sqlite3 *db, const char *sql)
{
	struct error err;
	if (!sql_exec(db, sql, "memory", &err))
		fail_msg("%s: %s", sql, err.text);
}

static const char things_sql[] =
	"INSERT INTO scenario VALUES (1, 's', 'scenario', 'x', '', '0');"
	"INSERT INTO platform SELECT 1, 'p', 'x', 1, 1, 0, NULL, 'sm', 2, 1, NULL, NULL, NULL, NULL, NULL, "
	"NULL, 32, 0, 0, 0;"
	"INSERT INTO policy VALUES (1, 'q', 'fcfs', '{}', 1);"
	"INSERT INTO taskset VALUES (1, 't', 'x', 1, 0, 500000, NULL, NULL);"
	"INSERT INTO task VALUES (1, 1, 0, 'a', 100, 100, 0, NULL, NULL, NULL, NULL);";

static void insert_runs(sqlite3 *db, int count, int schedulable)
{
	char sql[1024];
	snprintf(sql, sizeof(sql),
	        "WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < %d)"
	        " INSERT INTO run SELECT i, 1, 1, 1, 1, i, 'd', 1, 0, 100, 'drained', 1000, 'periodic', "
	        "NULL, NULL, 'worst',"
	        " NULL, 'continue', 'task-order', 'summary', 'ok', NULL, NULL, NULL, 100, 100, NULL, 1, 1, i > %d, "
	        "NULL, "
	        "NULL, NULL, NULL, NULL, 1 FROM c",
	        count, schedulable);
	run_sql(db, "DELETE FROM run");
	run_sql(db, sql);
}

/* Sets 1, 2 under fcfs (100 uJ, 300 uJ) and rm (50 uJ, 180 uJ, and 70 uJ with other draws, without a pair).
 */
static void test_energy_against_fcfs(void **state)
{
	static const struct {
		int set, policy;
		const char *setup;
		int energy;
	} runs[] = {{1, 1, "d", 100}, {2, 1, "d", 300}, {1, 2, "d", 50}, {2, 2, "d", 180}, {1, 2, "e", 70}};
	sqlite3 *db = open_empty();
	sqlite3_stmt *stmt;
	char sql[512];
	(void)state;
	run_sql(db, things_sql);
	run_sql(db, "INSERT INTO policy VALUES (2, 'r', 'rm', '{}', 1);"
		    "INSERT INTO taskset VALUES (2, 'u', 'y', 1, 0, 500000, NULL, NULL);");
	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
		snprintf(sql, sizeof(sql),
		        "INSERT INTO run SELECT NULL, 1, %d, 1, %d, 0, '%s', 1, 0, 100, 'drained',"
		        " 1000, 'periodic', NULL, NULL, 'worst', NULL, 'continue', 'task-order', 'summary', "
		        "'ok', NULL,"
		        " NULL, NULL, 100, 1000, NULL, 1, 4, 1, %d, 0, 10, 5, NULL, 1",
		        runs[i].set, runs[i].policy, runs[i].setup, runs[i].energy);
		run_sql(db, sql);
	}
	assert_int_equal(sqlite3_prepare_v2(db,
	                         "SELECT runs, pairs, relative_to_fcfs, mean_energy_j, mean_idle_share,"
	                         " miss_ratio FROM v_energy_policy WHERE policy = 'rm'",
	                         -1, &stmt, NULL),
	        SQLITE_OK);
	assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
	assert_int_equal(sqlite3_column_int(stmt, 0), 3);
	assert_int_equal(sqlite3_column_int(stmt, 1), 2);
	assert_near(sqlite3_column_double(stmt, 2), 230.0 / 400, 1e-12);
	assert_near(sqlite3_column_double(stmt, 3), 1e-4, 1e-16);
	assert_near(sqlite3_column_double(stmt, 4), 0.75, 1e-12);
	assert_near(sqlite3_column_double(stmt, 5), 0.25, 1e-12);
	assert_int_equal(sqlite3_step(stmt), SQLITE_DONE);
	sqlite3_finalize(stmt);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void check_wilson(sqlite3 *db, int n, int k)
{
	double z = 1.96, root = z * sqrt(1.0 * k * (n - k) / n + z * z / 4);
	sqlite3_stmt *stmt;
	insert_runs(db, n, k);
	assert_int_equal(sqlite3_prepare_v2(db, "SELECT n, k, ratio, lower95, upper95 FROM v_acceptance", -1,
				 &stmt, NULL),
		SQLITE_OK);
	assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
	assert_int_equal(sqlite3_column_int(stmt, 0), n);
	assert_int_equal(sqlite3_column_int(stmt, 1), k);
	assert_near(sqlite3_column_double(stmt, 2), 1.0 * k / n, 0);
	assert_near(sqlite3_column_double(stmt, 3), (k + z * z / 2 - root) / (n + z * z), 1e-12);
	assert_near(sqlite3_column_double(stmt, 4), (k + z * z / 2 + root) / (n + z * z), 1e-12);
	assert_int_equal(sqlite3_step(stmt), SQLITE_DONE);
	sqlite3_finalize(stmt);
}

static void test_wilson_interval_equals_the_formula(void **state)
{
	(void)state;
	sqlite3 *db = open_empty();
	run_sql(db, things_sql);
	for (int n = 1; n <= 20; n++)
		for (int k = 0; k <= n; k++)
			check_wilson(db, n, k);
	static const int large[] = {100, 1000, 4097, 20000};
	for (size_t i = 0; i < sizeof(large) / sizeof(large[0]); i++) {
		check_wilson(db, large[i], 0);
		check_wilson(db, large[i], large[i] / 2);
		check_wilson(db, large[i], large[i] - 1);
		check_wilson(db, large[i], large[i]);
	}
	sqlite3_close(db);
}

static void test_refused_and_truncated_runs_are_not_schedulable(void **state)
{
	(void)state;
	sqlite3 *db = open_empty();
	sqlite3_stmt *stmt;
	run_sql(db, things_sql);
	insert_runs(db, 10, 10);
	run_sql(db, "UPDATE run SET status = 'refused', misses = NULL WHERE run_id <= 2;"
		    "UPDATE run SET status = 'truncated' WHERE run_id = 3;"
		    "UPDATE run SET status = 'error', misses = NULL WHERE run_id = 4");
	assert_int_equal(
		sqlite3_prepare_v2(db, "SELECT n, k, refused, truncated FROM v_acceptance", -1, &stmt, NULL),
		SQLITE_OK);
	assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
	assert_int_equal(sqlite3_column_int(stmt, 0), 9);
	assert_int_equal(sqlite3_column_int(stmt, 1), 6);
	assert_int_equal(sqlite3_column_int(stmt, 2), 2);
	assert_int_equal(sqlite3_column_int(stmt, 3), 1);
	sqlite3_finalize(stmt);
	sqlite3_close(db);
}

/* Verdicts count as runs do: the same interval for the same numbers, and errors not at all. */
static void test_acceptance_of_analyses(void **state)
{
	(void)state;
	sqlite3 *db = open_empty();
	sqlite3_stmt *stmt;
	run_sql(db, things_sql);
	insert_runs(db, 10, 7);
	run_sql(db, "WITH RECURSIVE c (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM c WHERE i < 11)"
		    " INSERT INTO taskset SELECT i, 't' || i, 'x', 0, 0, 500000, NULL, NULL FROM c;"
		    "INSERT INTO analysis_run SELECT taskset_id, 'rta', '{}', 'unsafe', 1, taskset_id, 1, 1, NULL,"
		    " CASE WHEN taskset_id < 9 THEN 'schedulable' WHEN taskset_id = 9 THEN 'refused' WHEN taskset_id = 10 THEN"
		    " 'error' ELSE 'unschedulable' END, NULL, NULL, 1 FROM taskset WHERE taskset_id > 1");
	assert_int_equal(sqlite3_prepare_v2(db,
		"SELECT a.n, a.k, a.ratio, a.refused, a.lower95, a.upper95, a.safety, r.n, r.k, r.lower95, r.upper95,"
		" (SELECT count(*) FROM v_accepted) FROM v_analysis_acceptance a, v_acceptance r",
		-1, &stmt, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
	assert_int_equal(sqlite3_column_int(stmt, 0), 9);
	assert_int_equal(sqlite3_column_int(stmt, 1), 7);
	assert_near(sqlite3_column_double(stmt, 2), 7.0 / 9, 1e-12);
	assert_int_equal(sqlite3_column_int(stmt, 3), 1);
	assert_near(sqlite3_column_double(stmt, 4),
		(7 + 1.9208 - 1.96 * sqrt(7.0 * 2 / 9 + 0.9604)) / (9 + 3.8416), 1e-12);
	assert_near(sqlite3_column_double(stmt, 5),
		(7 + 1.9208 + 1.96 * sqrt(7.0 * 2 / 9 + 0.9604)) / (9 + 3.8416), 1e-12);
	assert_string_equal((const char *)sqlite3_column_text(stmt, 6), "unsafe");
	assert_int_equal(sqlite3_column_int(stmt, 7), 10);
	assert_int_equal(sqlite3_column_int(stmt, 8), 7);
	assert_near(sqlite3_column_double(stmt, 9),
		(7 + 1.9208 - 1.96 * sqrt(7.0 * 3 / 10 + 0.9604)) / (10 + 3.8416), 1e-12);
	assert_int_equal(sqlite3_column_int(stmt, 11), 2);
	assert_int_equal(sqlite3_step(stmt), SQLITE_DONE);
	sqlite3_finalize(stmt);
	sqlite3_close(db);
}

/* status, jobs, misses, responses, max, lower bound; the bound is 50, the deadline 100. */
static void check_holds(sqlite3 *db, const char *status, const char *numbers, const char *holds)
{
	char sql[512];
	sqlite3_stmt *stmt;
	snprintf(sql, sizeof(sql),
		"DELETE FROM run_task; UPDATE run SET status = '%s';"
		"INSERT INTO run_task SELECT 1, 1, 0, NULL, NULL, NULL, %s, NULL, NULL",
		status, numbers);
	run_sql(db, sql);
	assert_int_equal(
		sqlite3_prepare_v2(db, "SELECT holds FROM v_bound_check", -1, &stmt, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
	const char *is = (const char *)sqlite3_column_text(stmt, 0);
	assert_string_equal(is ? is : "NULL", holds);
	assert_int_equal(sqlite3_step(stmt), SQLITE_DONE);
	sqlite3_finalize(stmt);
}

static void test_bound_check_never_calls_the_unknown_safe(void **state)
{
	(void)state;
	sqlite3 *db = open_empty();
	run_sql(db, things_sql);
	insert_runs(db, 1, 1);
	run_sql(db, "INSERT INTO analysis_run VALUES (1, 'rta', '{}', 'sound', 1, 1, 1, 1, NULL, "
		    "'schedulable', NULL,"
		    " NULL, NULL); INSERT INTO bound VALUES (1, 1, 0, 50)");
	/*                            jobs, misses, responses, min, mean, max, lower bound */
	check_holds(db, "ok", "9, 0, 9, 10, 20, 50, NULL", "1");
	check_holds(db, "ok", "9, 0, 9, 10, 20, 51, NULL", "0");
	check_holds(db, "ok", "9, 0, 8, 10, 20, 50, 49", "NULL"); /* one unfinished, not yet beyond */
	check_holds(db, "ok", "9, 0, 8, 10, 20, 40, 51", "0");    /* one unfinished, beyond already */
	check_holds(db, "ok", "9, 1, 8, 10, 20, 40, NULL",
		"0"); /* one dropped at its deadline, beyond any bound */
	check_holds(db, "truncated", "9, 0, 9, 10, 20, 50, NULL", "NULL");
	run_sql(db, "UPDATE run SET on_miss = 'drop'"); /* no bound is about that */
	check_holds(db, "ok", "9, 0, 9, 10, 20, 50, NULL", "NULL");
	check_holds(db, "ok", "9, 0, 9, 10, 20, 51, NULL", "NULL");
	run_sql(db, "UPDATE run SET on_miss = 'continue'");
	run_sql(db, "UPDATE bound SET bound_ns = 101"); /* beyond the period */
	check_holds(db, "ok", "9, 0, 9, 10, 20, 50, NULL", "NULL");
	run_sql(db, "UPDATE bound SET bound_ns = NULL");
	check_holds(db, "ok", "9, 0, 9, 10, 20, 50, NULL", "NULL");
	sqlite3_close(db);
}

static void check_bucket(sqlite3_stmt *stmt, int64_t response)
{
	sqlite3_reset(stmt);
	sqlite3_bind_int64(stmt, 1, response_bucket(response));
	assert_int_equal(sqlite3_step(stmt), SQLITE_DONE);
	assert_true(response_bucket(response) < 1024);
	sqlite3_stmt *read;
	assert_int_equal(sqlite3_prepare_v2(sqlite3_db_handle(stmt),
				 "SELECT lower_ns, upper_ns FROM run_task_hist WHERE rowid ="
				 " last_insert_rowid()",
				 -1, &read, NULL),
		SQLITE_OK);
	assert_int_equal(sqlite3_step(read), SQLITE_ROW);
	int64_t lower = sqlite3_column_int64(read, 0), upper = sqlite3_column_int64(read, 1);
	assert_true(lower <= response && response <= upper);
	assert_true(upper - lower <= lower / 16);
	assert_int_equal(response_bucket(lower), response_bucket(response));
	assert_int_equal(response_bucket(upper), response_bucket(response));
	if (upper < INT64_MAX)
		assert_int_equal(response_bucket(upper + 1), response_bucket(response) + 1);
	sqlite3_finalize(read);
}

static void test_histogram_buckets_have_the_edges_that_sql_says(void **state)
{
	(void)state;
	sqlite3 *db = open_empty();
	sqlite3_stmt *stmt;
	assert_int_equal(
		sqlite3_prepare_v2(db, "INSERT INTO run_task_hist (bucket) VALUES (?)", -1, &stmt, NULL),
		SQLITE_OK);
	for (int64_t ns = 0; ns < 600; ns++)
		check_bucket(stmt, ns);
	for (int shift = 9; shift < 63; shift++)
		for (int64_t add = -1; add <= 1; add++)
			check_bucket(stmt, (INT64_C(1) << shift) + add);
	check_bucket(stmt, INT64_MAX);
	sqlite3_finalize(stmt);
	sqlite3_close(db);
}

static void test_energy_is_split_exactly(void **state)
{
	(void)state;
	int64_t uj, rest;
	int128 energy = (int128)INT64_MAX * 1000 + 999999999;
	energy_split(energy, &uj, &rest);
	assert_true((int128)uj * 1000000000 + rest == energy);
	assert_true(rest >= 0 && rest < 1000000000);
	energy_split(-1, &uj, &rest);
	assert_int_equal(uj, -1);
	assert_int_equal(rest, 999999999);
	energy_split(-2000000000, &uj, &rest);
	assert_int_equal(uj, -2);
	assert_int_equal(rest, 0);
	energy_split(0, &uj, &rest);
	assert_int_equal(uj, 0);
	assert_int_equal(rest, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_column_is_described_once_and_no_other),
		cmocka_unit_test(test_units_in_names_agree_with_the_description),
		cmocka_unit_test(test_values_have_the_declared_type),
		cmocka_unit_test(test_references_lead_somewhere),
		cmocka_unit_test(test_views_and_queries_use_old_functions_only),
		cmocka_unit_test(test_old_syntax_only),
		cmocka_unit_test(test_the_file_says_what_it_is),
		cmocka_unit_test(test_run_view),
		cmocka_unit_test(test_job_view),
		cmocka_unit_test(test_utilisation_counts_overlap_once),
		cmocka_unit_test(test_energy_view_splits_the_energy),
		cmocka_unit_test(test_energy_by_task_adds_up),
		cmocka_unit_test(test_a_prediction_against_what_it_came_to),
		cmocka_unit_test(test_energy_against_fcfs),
		cmocka_unit_test(test_wilson_interval_equals_the_formula),
		cmocka_unit_test(test_refused_and_truncated_runs_are_not_schedulable),
		cmocka_unit_test(test_acceptance_of_analyses),
		cmocka_unit_test(test_bound_check_never_calls_the_unknown_safe),
		cmocka_unit_test(test_histogram_buckets_have_the_edges_that_sql_says),
		cmocka_unit_test(test_energy_is_split_exactly),
	};
	return cmocka_run_group_tests(tests, write_sample, clean);
}
