/* tests/unit/test_views.c - the views compute what they claim, on rows made by hand: shares with their
 * intervals, energies relative to fcfs, the limits of buckets. v_bound_check is tested in
 * test_bound_check.c. */
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "db/schema.h"
#include "db/sql.h"
#include "tests/support/test.h"
#include "tests/unit/db_sample.h"

/* A database in memory with the schema, for contents that would be laborious to write with the writer. */
static sqlite3 *open_empty(void)
{
	sqlite3 *db;
	struct error err;
	assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
	assert_true(schema_create(db, "memory", &err));
	assert_true(schema_complete(db, true, "memory", &err));
	return db;
}

static void run_sql(sqlite3 *db, const char *sql)
{
	struct error err;
	if (!sql_exec(db, sql, "memory", &err))
		fail_msg("%s: %s", sql, err.text);
}

static const char things_sql[] =
	"INSERT INTO scenario VALUES (1, 's', 'scenario', 'x', '', '0', NULL);"
	"INSERT INTO platform SELECT 1, 'p', 'x', 1, 1, 0, NULL, 'sm', 2, 1, NULL, NULL, NULL, NULL, NULL, "
	"NULL, 32, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
	"NULL;"
	"INSERT INTO policy VALUES (1, 'q', 'fcfs', '{}', 1);"
	"INSERT INTO taskset VALUES (1, 't', 'x', 1, 0, 500000, NULL, NULL);"
	"INSERT INTO task (task_id, taskset_id, task_idx, name, period_ns, deadline_ns, offset_ns)"
	" VALUES (1, 1, 0, 'a', 100, 100, 0);";

/* Inserts one run of each of `count` sets. */
static void insert_runs(sqlite3 *db, int count, int schedulable)
{
	char sql[2048];
	snprintf(sql, sizeof(sql),
		"WITH RECURSIVE c (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM c WHERE i < %d) INSERT OR"
		" IGNORE INTO taskset SELECT i, 't' || i, 'x', 0, 0, target_utilisation_ppm, NULL, NULL"
		" FROM c, taskset WHERE taskset_id = 1;WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i"
		" + 1 FROM c WHERE i < %d) INSERT INTO run SELECT i, 1, i, 1, 1, 0, 'd', 1, 0, 100,"
		" 'drained', 1000, 'periodic', NULL, NULL, 'worst', NULL, 'continue', 'task-order',"
		" 'summary', 'ok', NULL, NULL, NULL, 100, 100, NULL, 1, 1, i > %d, NULL, NULL, NULL, NULL,"
		" NULL, NULL, NULL, 1 FROM c",
		count, count, schedulable);
	run_sql(db, "DELETE FROM run");
	run_sql(db, sql);
}

/* A kernel in two pieces, one that was stopped, one that only spun, and one that never began; in this order.
 * Where a segment has a launch, that is no part of it. */
TEST("measured beside simulated")
{
	sqlite3 *db = open_empty();
	run_sql(db, things_sql);
	insert_runs(db, 1, 1);
	run_sql(db,
		"INSERT INTO segment (task_id, segment_idx, name, kind) VALUES (1, 0, 'f', 'kernel');"
		"INSERT INTO segment_interval (run_id, task_id, seq, segment_idx, part, code, unit, ready_ns,"
		" start_ns, end_ns) VALUES (1, 1, 0, 0, 0, 18, 0, 0, 10, 20),"
		" (1, 1, 0, 0, 1, 2, 0, 0, 30, 44), (1, 1, 0, 0, 0, 12, 0, 0, 4, 5),"
		" (1, 1, 1, 0, 0, 50, 0, 0, 60, 70), (1, 1, 2, 0, 0, 4, 0, 0, 80, 90);"
		"INSERT INTO measured VALUES (1, 1, 0, 0, 11, 40, 'stream'), (1, 1, 1, 0, -5, 70, NULL),"
		" (1, 1, 2, 0, 80, 81, 'in_time'), (1, 1, 3, 0, 90, 91, NULL)");
	sqlite3_stmt *stmt;
	char found[600] = "";
	assert_int_equal(
		sqlite3_prepare_v2(db,
			"SELECT printf('%d %s %s %s: %s %s, %d %d; %s %s, %s', seq, task, segment, kind,"
			" coalesce(CAST(round(1e6 * simulated_start_ms) AS INT), '-'),"
			" coalesce(CAST(round(1e6 * simulated_end_ms) AS INT), '-'),"
			" round(1e6 * start_ms), round(1e6 * end_ms),"
			" coalesce(CAST(round(1e6 * deviation_ms) AS INT), '-'),"
			" coalesce(CAST(round(1e6 * end_deviation_ms) AS INT), '-'), coalesce(reason, '-'))"
			" FROM v_measured WHERE run_id = 1 ORDER BY seq",
			-1, &stmt, NULL),
		SQLITE_OK);
	while (sqlite3_step(stmt) == SQLITE_ROW)
		snprintf(found + strlen(found), sizeof(found) - strlen(found), "%s\n",
			sqlite3_column_text(stmt, 0));
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	assert_string_equal(found, "0 a f kernel: 10 44, 11 40; -1 4, stream\n"
				   "1 a f kernel: 60 -, -5 70; 65 -, -\n"
				   "2 a f kernel: - -, 80 81; - -, in_time\n"
				   "3 a f kernel: - -, 90 91; - -, -\n");
}

/* Sets 1, 2 under fcfs (100 uJ, 300 uJ) and rm (50 uJ, 180 uJ, and 70 uJ with other draws, which has no run
 * under fcfs to compare with). */
TEST("energy against FCFS")
{
	static const struct {
		int set, policy;
		const char *setup;
		int energy;
	} runs[] = {{1, 1, "d", 100}, {2, 1, "d", 300}, {1, 2, "d", 50}, {2, 2, "d", 180}, {1, 2, "e", 70}};
	sqlite3 *db = open_empty();
	sqlite3_stmt *stmt;
	char sql[512];
	run_sql(db, things_sql);
	run_sql(db, "INSERT INTO policy VALUES (2, 'r', 'rm', '{}', 1);"
		    "INSERT INTO taskset VALUES (2, 'u', 'y', 1, 0, 500000, NULL, NULL);");
	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
		snprintf(sql, sizeof(sql),
			"INSERT INTO run SELECT NULL, 1, %d, 1, %d, 0, '%s', 1, 0, 100, 'drained',"
			" 1000, 'periodic', NULL, NULL, 'worst', NULL, 'continue', 'task-order', 'summary', "
			"'ok', NULL,"
			" NULL, NULL, 100, 1000, NULL, 1, 4, 1, %d, 0, 10, 5, NULL, NULL, NULL, 1",
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

TEST("wilson interval equals the formula")
{
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

TEST("refused and truncated runs are not schedulable")
{
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

/* Runs of one set with other draws are not more sets: the share counts runs, the interval counts sets. */
TEST("replications do not narrow the interval")
{
	sqlite3 *db = open_empty();
	sqlite3_stmt *stmt;
	run_sql(db, things_sql);
	insert_runs(db, 10, 7);
	run_sql(db, "CREATE TEMP TABLE again AS SELECT * FROM run; UPDATE again SET run_id = run_id + 10,"
		    " replication = 1;INSERT INTO run SELECT * FROM again");
	assert_int_equal(sqlite3_prepare_v2(db, "SELECT n, k, ratio, lower95, upper95 FROM v_acceptance", -1,
				 &stmt, NULL),
		SQLITE_OK);
	assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
	assert_int_equal(sqlite3_column_int(stmt, 0), 20);
	assert_int_equal(sqlite3_column_int(stmt, 1), 14);
	assert_near(sqlite3_column_double(stmt, 2), 0.7, 1e-12);
	assert_near(sqlite3_column_double(stmt, 3),
		(7 + 1.9208 - 1.96 * sqrt(7.0 * 3 / 10 + 0.9604)) / (10 + 3.8416), 1e-12);
	assert_near(sqlite3_column_double(stmt, 4),
		(7 + 1.9208 + 1.96 * sqrt(7.0 * 3 / 10 + 0.9604)) / (10 + 3.8416), 1e-12);
	sqlite3_finalize(stmt);
	sqlite3_close(db);
}

/* Verdicts count like runs: the same numbers give the same interval. Errors do not count. */
TEST("acceptance of analyses")
{
	sqlite3 *db = open_empty();
	sqlite3_stmt *stmt;
	run_sql(db, things_sql);
	insert_runs(db, 10, 7);
	run_sql(db,
		"WITH RECURSIVE c (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM c WHERE i < 11) INSERT OR"
		" IGNORE INTO taskset SELECT i, 't' || i, 'x', 0, 0, 500000, NULL, NULL FROM c;INSERT INTO"
		" analysis_run SELECT taskset_id, 'rta', '{}', 'unsafe', 1, taskset_id, 1, 1, NULL, CASE"
		" WHEN taskset_id < 9 THEN 'schedulable' WHEN taskset_id = 9 THEN 'refused' WHEN"
		" taskset_id = 10 THEN 'error' ELSE 'unschedulable' END, NULL, NULL, NULL, 1 FROM taskset"
		" WHERE taskset_id > 1");
	assert_int_equal(
		sqlite3_prepare_v2(db,
			"SELECT a.n, a.k, a.ratio, a.refused, a.lower95, a.upper95, a.safety, r.n, r.k,"
			" r.lower95, r.upper95, (SELECT count(*) FROM v_accepted) FROM v_analysis_acceptance"
			" a, v_acceptance r",
			-1, &stmt, NULL),
		SQLITE_OK);
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

TEST("histogram buckets have the edges that SQL says")
{
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

TEST("energy is split exactly")
{
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

TEST("energy beyond 64 bits is cut")
{
	int64_t uj, rest;
	int128 most = (int128)INT64_MAX * 1000000000;
	assert_true(energy_fits(most) && energy_fits(-most));
	assert_false(energy_fits(most + 1) || energy_fits(-most - 1));
	energy_split(most + 1, &uj, &rest);
	assert_true(uj == INT64_MAX && rest == 0);
	energy_split(3 * -most, &uj, &rest);
	assert_true(uj == -INT64_MAX && rest == 0);
}

/* ---- weakly hard ---- */

#define JOBS_MAX 40

struct run_of_jobs {
	uint32_t count, window;
	bool missed[JOBS_MAX];
};

/* By trying everything. */
struct by_force {
	int misses, longest, most, behind;
};

static struct by_force look_at(const struct run_of_jobs *r)
{
	struct by_force f = {0};
	for (uint32_t i = 0; i < r->count; i++) {
		int row = 0, in_window = 0;
		for (uint32_t k = i; k < r->count && r->missed[k]; k++)
			row++;
		for (uint32_t k = i; k < r->count && k < i + r->window; k++)
			in_window += r->missed[k];
		f.misses += r->missed[i];
		f.behind += i > 0 && r->missed[i] && r->missed[i - 1];
		f.longest = row > f.longest ? row : f.longest;
		f.most = in_window > f.most ? in_window : f.most;
	}
	return f;
}

static void check_weakly_hard(sqlite3 *db, const struct run_of_jobs *r)
{
	char sql[512];
	sqlite3_stmt *stmt;
	struct by_force f = look_at(r);
	run_sql(db, "DELETE FROM job");
	for (uint32_t i = r->count; i-- > 0;) { /* in no order */
		snprintf(sql, sizeof(sql),
			"INSERT INTO job (run_id, task_id, seq, outcome) VALUES (1, 1, %u, %d)", i,
			r->missed[i] ? 4 + (int)(i % 4) : (int)(i % 2) * 3);
		run_sql(db, sql);
	}
	snprintf(sql, sizeof(sql),
		"UPDATE task SET misses_at_most = CASE %u WHEN 10 THEN NULL ELSE 1 END, misses_in "
		"= nullif(%u, 10)",
		r->window, r->window);
	run_sql(db, sql);
	assert_int_equal(
		sqlite3_prepare_v2(db,
			"SELECT jobs, misses, longest_run, most_in_window, share_behind_a_miss, kept, "
			"window FROM v_weakly_hard",
			-1, &stmt, NULL),
		SQLITE_OK);
	assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
	assert_int_equal(sqlite3_column_int(stmt, 0), r->count);
	assert_int_equal(sqlite3_column_int(stmt, 1), f.misses);
	assert_int_equal(sqlite3_column_int(stmt, 2), f.longest);
	assert_int_equal(sqlite3_column_int(stmt, 3), f.most);
	assert_int_equal(sqlite3_column_type(stmt, 4) == SQLITE_NULL, f.misses == 0);
	if (f.misses)
		assert_near(sqlite3_column_double(stmt, 4), 1.0 * f.behind / f.misses, 1e-12);
	assert_int_equal(sqlite3_column_type(stmt, 5) == SQLITE_NULL, r->window == 10);
	if (r->window != 10)
		assert_int_equal(sqlite3_column_int(stmt, 5), f.most <= 1);
	assert_int_equal(sqlite3_column_int(stmt, 6), r->window);
	assert_int_equal(sqlite3_step(stmt), SQLITE_DONE);
	sqlite3_finalize(stmt);
}

TEST("weakly hard equals brute force")
{
	sqlite3 *db = open_empty();
	run_sql(db, things_sql);
	insert_runs(db, 1, 1);
	for (uint32_t i = 0; i < 300; i++) {
		struct run_of_jobs r = {0};
		const struct random_key key = {.seed = 5, .job = i, .purpose = RANDOM_TEST};
		r.count = 1 + (uint32_t)(random_bits(&key, 0) % JOBS_MAX);
		r.window = 1 + (uint32_t)(random_bits(&key, 1) % 12);
		for (uint32_t k = 0; k < r.count; k++)
			r.missed[k] = random_bits(&key, 2) >> k % 64 & 1 &&
				      (i % 3 || random_bits(&key, 3) >> k & 1);
		check_weakly_hard(db, &r);
	}
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}
