/* tests/unit/test_query.c - recordings are read, and cannot be changed; the named queries answer what they
 * promise. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "db/queries.h"
#include "db/reader.h"
#include "db/sql.h"
#include "tests/support/test.h"
#include "tests/unit/db_sample_reader.h"

ALL_TESTS(open_sample, close_sample);

/* ---- what is a recording ---- */

static void assert_refused(const char *name, enum status status, const char *text)
{
	struct db_reader *r = reader_open(name, &err);
	assert_null(r);
	assert_int_equal(err.status, status);
	if (!strstr(err.text, text) || !strstr(err.text, name))
		fail_msg("\"%s\" does not say \"%s\" of %s", err.text, text, name);
}

static void make_database(const char *name, const char *sql)
{
	sqlite3 *db;
	assert_int_equal(sqlite3_open(name, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

TEST("what is no recording")
{
	char name[512];
	snprintf(name, sizeof(name), "%s", sample_path("other.db"));
	assert_refused(name, STATUS_IO, "No such file or directory");
	FILE *f = fopen(name, "w");
	assert_non_null(f);
	for (int i = 0; i < 1000; i++)
		fputs("no database ", f);
	fclose(f);
	assert_refused(name, STATUS_INPUT, "not an SQLite file");
	f = fopen(name, "w");
	fclose(f);
	assert_refused(name, STATUS_INPUT, "not a recording");
	make_database(name, "CREATE TABLE run (run_id)");
	assert_refused(name, STATUS_INPUT, "an SQLite file, but not a recording");
	assert_refused(sample_path("."), STATUS_IO, "cannot open");
}

TEST("a newer recording")
{
	char name[512], sql[64], should[128];
	snprintf(name, sizeof(name), "%s", sample_path("newer.db"));
	assert_ok(sample_write(name, &err));
	snprintf(sql, sizeof(sql), "PRAGMA user_version = %d", RECORDING_VERSION + 1);
	make_database(name, sql);
	snprintf(should, sizeof(should), "newer cegsim (recording version %d, this program reads up to %d)",
		RECORDING_VERSION + 1, RECORDING_VERSION);
	assert_refused(name, STATUS_INPUT, should);
}

TEST("an unfinished recording")
{
	char name[512], part[520];
	snprintf(name, sizeof(name), "%s", sample_path("unfinished.db"));
	snprintf(part, sizeof(part), "%s.part", name);
	struct db_writer *w = writer_open(name, false, &err);
	assert_non_null(w);
	assert_ok(writer_commit(w, &err));
	writer_abandon(w, true);
	assert_refused(part, STATUS_INPUT, "not finished");
}

TEST("an interrupted recording says so")
{
	char name[512];
	assert_null(reader_interrupted(reader));
	snprintf(name, sizeof(name), "%s", sample_path("interrupted.db"));
	struct db_writer *w = writer_open(name, false, &err);
	assert_non_null(w);
	assert_ok(writer_finish(w, "SIGINT", &err));
	struct db_reader *r = reader_open(name, &err);
	assert_non_null(r);
	assert_string_equal(reader_interrupted(r), "SIGINT");
	reader_close(r);
}

/* A file of another user, in a folder without write permission: no journal and no lock file are needed. */
TEST("what a recording has")
{
	static const struct {
		const char *table, *column;
		bool has;
	} cases[] = {
		{"segment_block", NULL, true},
		{"segment_block", "share_ppm", true},
		{"run", "identity_digest", true},
		{"v_job", "lateness_ms", true},
		{"segment_blocks", NULL, false},
		{"run", "identity", false},
		{"runs", "identity_digest", false},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		bool has = !cases[i].has;
		assert_ok(reader_has(reader, cases[i].table, cases[i].column, &has, &err));
		if (has != cases[i].has)
			fail_msg("%s.%s", cases[i].table, cases[i].column ? cases[i].column : "*");
	}
}

TEST("a file that cannot be written can be read")
{
	int status = 0;
	bool row;
	assert_int_equal(chmod(file, 0444), 0);
	assert_int_equal(chmod(sample_path("."), 0555), 0);
	fflush(NULL);
	pid_t child = fork();
	if (child == 0) {
		if (geteuid() == 0 && setuid(65534) != 0)
			_exit(1);
		struct db_reader *r = reader_open(file, &err);
		struct db_cursor *c = r ? cursor_open(r, "SELECT * FROM v_job", &err) : NULL;
		_exit(c && cursor_next(c, &row, &err) && row ? 0 : 2);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(chmod(sample_path("."), 0700), 0);
	assert_int_equal(chmod(file, 0644), 0);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* ---- cursors ---- */

static struct db_cursor *open_cursor(const char *sql)
{
	struct db_cursor *c = cursor_open(reader, sql, &err);
	if (!c)
		fail_msg("%s: %s", sql, err.text);
	return c;
}

static bool step(struct db_cursor *c)
{
	bool row;
	assert_ok(cursor_next(c, &row, &err));
	return row;
}

TEST("values of every kind")
{
	struct db_cursor *c =
		open_cursor("SELECT 1 AS one, 2.5, 'text', NULL, x'4142', -9223372036854775808, ''");
	assert_int_equal(cursor_columns(c), 7);
	assert_string_equal(cursor_column_name(c, 0), "one");
	assert_true(step(c));
	assert_int_equal(cursor_kind(c, 0), VALUE_INTEGER);
	assert_int_equal(cursor_integer(c, 0), 1);
	assert_int_equal(cursor_kind(c, 1), VALUE_REAL);
	assert_true(cursor_real(c, 1) == 2.5);
	assert_int_equal(cursor_kind(c, 2), VALUE_TEXT);
	assert_string_equal(cursor_text(c, 2), "text");
	assert_int_equal(cursor_kind(c, 3), VALUE_NULL);
	assert_null(cursor_text(c, 3));
	assert_int_equal(cursor_integer(c, 3), 0);
	assert_int_equal(cursor_kind(c, 4), VALUE_TEXT);
	assert_string_equal(cursor_text(c, 4), "AB");
	assert_true(cursor_integer(c, 5) == INT64_MIN);
	assert_string_equal(cursor_text(c, 6), "");
	assert_false(step(c));
	cursor_close(c);
	cursor_close(NULL);
}

TEST("parameters and rewinding")
{
	struct db_cursor *c = open_cursor("SELECT ?1 || '-' || :name || '-' || coalesce(@real, 'none')");
	assert_int_equal(cursor_parameters(c), 3);
	assert_null(cursor_parameter_name(c, 4));
	assert_string_equal(cursor_parameter_name(c, 2), ":name");
	assert_ok(cursor_bind_integer(c, 1, 7, &err));
	assert_ok(cursor_bind_text(c, 2, "x", &err));
	assert_true(step(c));
	assert_string_equal(cursor_text(c, 0), "7-x-none");
	cursor_rewind(c);
	assert_ok(cursor_bind_real(c, 3, 0.5, &err));
	assert_true(step(c));
	assert_string_equal(cursor_text(c, 0), "7-x-0.5");
	cursor_rewind(c);
	assert_false(cursor_bind_integer(c, 9, 1, &err));
	assert_int_equal(err.status, STATUS_INPUT);
	cursor_close(c);
}

TEST("two cursors at once")
{
	struct db_cursor *outer = open_cursor("SELECT run_id FROM run ORDER BY run_id");
	struct db_cursor *inner = open_cursor("SELECT count(*) FROM job WHERE run_id = ?1");
	static const int64_t jobs[] = {3, 3, 0};
	for (int i = 0; i < 3; i++) {
		assert_true(step(outer));
		assert_ok(cursor_bind_integer(inner, 1, cursor_integer(outer, 0), &err));
		assert_true(step(inner));
		assert_int_equal(cursor_integer(inner, 0), jobs[i]);
		cursor_rewind(inner);
	}
	assert_false(step(outer));
	cursor_close(inner);
	cursor_close(outer);
}

static void assert_bad_query(const char *sql, const char *text)
{
	assert_null(cursor_open(reader, sql, &err));
	assert_int_equal(err.status, STATUS_INPUT);
	if (!strstr(err.text, text))
		fail_msg("%s: %s", sql, err.text);
}

TEST("bad queries")
{
	assert_bad_query("SELEC 1", "syntax error");
	assert_bad_query("SELECT absent FROM run", "no such column: absent");
	assert_bad_query("", "empty");
	assert_bad_query(" -- a comment\n", "empty");
	assert_bad_query(";", "empty");
	assert_bad_query("SELECT 1; SELECT 2", "one statement at a time");
	assert_bad_query("SELECT 1; garbage", "one statement at a time");
	cursor_close(open_cursor("SELECT 1; -- a comment\n ;"));

	bool row;
	struct db_cursor *c = open_cursor("SELECT abs(-9223372036854775807 - 1)");
	assert_false(cursor_next(c, &row, &err));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_non_null(strstr(err.text, "overflow"));
	cursor_close(c);
}

static unsigned long file_sum(void)
{
	unsigned long sum = 0;
	FILE *f = fopen(file, "r");
	assert_non_null(f);
	for (int c; (c = getc(f)) != EOF;)
		sum = sum * 31 + (unsigned)c;
	fclose(f);
	return sum;
}

TEST("nothing can be changed")
{
	static const char *const attempts[] = {"DELETE FROM job", "INSERT INTO meta VALUES ('a', 'b')",
		"UPDATE run SET misses = 0", "UPDATE run SET misses = 0 RETURNING 1", "DROP TABLE job",
		"CREATE TABLE x (a)", "CREATE TEMP TABLE x (a)", "CREATE VIEW x AS SELECT 1",
		"CREATE INDEX x ON job (seq)", "CREATE TRIGGER x AFTER INSERT ON job BEGIN SELECT 1; END",
		"ALTER TABLE job ADD COLUMN x", "ATTACH 'attached.db' AS a", "ATTACH ':memory:' AS a",
		"VACUUM", "VACUUM INTO 'copy.db'", "REINDEX", "ANALYZE", "BEGIN", "SAVEPOINT x",
		"PRAGMA journal_mode = WAL", "PRAGMA user_version = 9", "PRAGMA query_only = OFF",
		"PRAGMA writable_schema = ON", "PRAGMA page_size = 512", "PRAGMA wal_checkpoint",
		"PRAGMA optimize", "UPDATE sqlite_master SET sql = ''",
		"INSERT INTO sqlite_master VALUES (1, 2, 3, 4, 5)", "CREATE VIRTUAL TABLE x USING fts5(a)",
		"SELECT load_extension('x')", "SELECT writefile('x', 'y')"};
	unsigned long before = file_sum();
	for (size_t i = 0; i < sizeof(attempts) / sizeof(attempts[0]); i++) {
		struct db_cursor *c = cursor_open(reader, attempts[i], &err);
		if (c)
			fail_msg("%s", attempts[i]);
		assert_int_equal(err.status, STATUS_INPUT);
	}
	assert_true(before == file_sum());
	assert_int_not_equal(access("copy.db", F_OK), 0);
	assert_int_not_equal(access("attached.db", F_OK), 0);
}

TEST("what people ask is allowed")
{
	static const char *const questions[] = {"PRAGMA table_info(job)",
		"SELECT * FROM pragma_table_xinfo('job')", "SELECT * FROM json_each('[1, 2]')",
		"EXPLAIN QUERY PLAN SELECT * FROM v_job", "PRAGMA user_version",
		"WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c",
		"VALUES (1)", "SELECT avg(response_ms) OVER (PARTITION BY task) FROM v_job",
		"SELECT name FROM sqlite_master"};
	for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++) {
		struct db_cursor *c = open_cursor(questions[i]);
		assert_true(step(c));
		cursor_close(c);
	}
}

/* ---- named queries ---- */

static int parameter_of(const struct db_cursor *c, const char *name)
{
	for (int i = 1; i <= cursor_parameters(c); i++)
		if (strcmp(cursor_parameter_name(c, i) + 1, name) == 0)
			return i;
	return 0;
}

/* Opens the query with its default parameters. */
static struct db_cursor *open_named(const struct named_query *query)
{
	struct db_cursor *c = cursor_open_bytes(reader, query->sql, query->sql_length, &err);
	if (!c)
		fail_msg("%s: %s", query->name, err.text);
	assert_int_equal(cursor_parameters(c), query->param_count);
	for (size_t i = 0; i < query->param_count; i++) {
		int parameter = parameter_of(c, query->params[i].name);
		if (parameter == 0)
			fail_msg("%s has no :%s", query->name, query->params[i].name);
		if (*query->params[i].fallback)
			assert_ok(cursor_bind_integer(c, parameter, atoi(query->params[i].fallback), &err));
	}
	return c;
}

TEST("bounds with their parts")
{
	assert_string_equal(
		sample_rows(file,
			"SELECT analysis, safety, policy, verdict, task, rank, deadline_ms, bound_ms, meets,"
			" own_ms, copy_ms, gpu_ms, blocking_ms, interference_ms, assumes_in_time FROM v_bound"
			" ORDER BY rank"),
		"rta|sound|rm|unschedulable|camera|0|10.0|6.0|1|2.0|1.0|2.0|1.0|0.0|-\n"
		"rta|sound|rm|unschedulable|lidar|1|20.0|30.0|-|0.0|0.0|20.0|0.0|10.0|camera");
	assert_string_equal(
		sample_rows(file, "SELECT failing_task_id, allocation FROM analysis_run WHERE verdict ="
				  " 'unschedulable'"),
		"2|[{\"sms\":[0]},{\"sms\":[1]}]");
}

static bool answers(const struct named_query *query, struct db_reader *from)
{
	struct db_reader *sample = reader;
	reader = from;
	struct db_cursor *c = open_named(query);
	bool any = step(c);
	while (any && step(c))
		;
	cursor_close(c);
	reader = sample;
	return any;
}

TEST("every query runs and is described")
{
	struct named_query query, other;
	size_t count = 0;
	char name[512];
	snprintf(name, sizeof(name), "%s", sample_path("warps.db"));
	assert_ok(sample_warps_write(name, &err));
	struct db_reader *warps = reader_open(name, &err);
	assert_non_null(warps);
	for (; query_at(count, &query); count++) {
		assert_true(*query.name && *query.title);
		for (size_t i = 0; i < count; i++) {
			assert_true(query_at(i, &other));
			assert_string_not_equal(query.name, other.name);
		}
		assert_true(query_find(query.name, &other));
		assert_ptr_equal(query.sql, other.sql);
		/* The samples have no generated sets, no chains, no several GPUs, nothing in flight, and no
		 * kernel of warps alone in its set. */
		bool asks_for_more =
			strstr(query.name, "grid") || strcmp(query.name, "curves") == 0 ||
			strncmp(query.name, "sbeet-", 6) == 0 || strncmp(query.name, "qaws-", 5) == 0 ||
			strncmp(query.name, "qos-", 4) == 0 || strcmp(query.name, "warp-kernels") == 0 ||
			strncmp(query.name, "chain", 5) == 0 || strcmp(query.name, "flight-waits") == 0 ||
			strcmp(query.name, "energy-by-gpu") == 0 || strcmp(query.name, "verdicts") == 0;
		if (!answers(&query, reader) && !answers(&query, warps) && !asks_for_more)
			fail_msg("%s answers nothing", query.name);
	}
	reader_close(warps);
	assert_true(count >= 17);
	assert_true(query_find(QUERY_DEFAULT, &query));
	assert_false(query_find("nothing", &query));
	assert_false(query_find("", &query));
}

/* All rows of a named query as text, with this integer parameter; its first `columns` columns. */
static const char *ask(const char *name, const char *param, int64_t value, int columns)
{
	static char text[4096];
	struct named_query query;
	size_t used = 0;
	assert_true(query_find(name, &query));
	struct db_cursor *c = open_named(&query);
	if (param)
		assert_ok(cursor_bind_integer(c, parameter_of(c, param), value, &err));
	text[0] = '\0';
	for (bool first = true; step(c); first = false)
		for (int i = 0; i < columns; i++) {
			const char *cell = cursor_text(c, i);
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s",
				i > 0   ? "|"
				: first ? ""
					: "\n",
				cell ? cell : "-");
		}
	cursor_close(c);
	return text;
}

TEST("answers")
{
	assert_string_equal(ask("misses", NULL, 0, 10), "1|fcfs|lidar|0|1.0|21.0|5.0|26.0|5.0|finished");
	assert_string_equal(ask("first-miss", NULL, 0, 4), "1|fcfs|lidar|0");
	assert_string_equal(ask("acceptance", NULL, 0, 7),
		"0.5|fcfs|{\"unit\":\"section\"}|two-sms|2|0|0.0\n0.5|rm|{"
		"\"unit\":\"section\"}|two-sms|1|1|1.0");
	assert_string_equal(ask("response", "run", 2, 9),
		"2|rm|camera|0|2|0|4.0|5.0|6.0\n2|rm|lidar|1|1|0|19.0|19.0|19.0");
	assert_string_equal(ask("blocking", NULL, 0, 11), "1|lidar|0|0|kernel|gpu|1.0|4.0|camera|0|2.0\n"
							  "1|lidar|0|0|kernel|gpu|1.0|4.0|camera|0|0.5\n"
							  "1|lidar|0|0|kernel|gpu|1.0|4.0|camera|0|0.5");
	assert_string_equal(
		ask("where-time-went", "seq", 0, 12), "lidar|0|0|kernel|run|0|1.0|5.0|26.0|4.0|21.0|done");
	assert_string_equal(ask("only-one", NULL, 0, 6), "1|sample|0.5|rm|{\"unit\":\"section\"}|fcfs");
	assert_string_equal(ask("compare", NULL, 0, 10),
		"1|sample|two-sms|0|rm|{\"unit\":\"section\"}|ok|1|0|0.95\n"
		"1|sample|two-sms|0|fcfs|{\"unit\":\"section\"}|ok|0|1|1.25\n"
		"1|sample|two-sms|0|fcfs|{\"unit\":\"section\"}|refused|0|-|-");
	assert_string_equal(ask("energy-by-task", "run", 1, 6),
		"1|fcfs|{\"unit\":\"section\"}|camera|2|0.002000000000007\n"
		"1|fcfs|{\"unit\":\"section\"}|lidar|1|0.0091");
	assert_string_equal(ask("predicted", "run", 1, 8), "1|fcfs|5.0|lidar|0|0|kernel|2");
	assert_string_equal(ask("prediction-error", NULL, 0, 5),
		"two-sms|fcfs|{\"unit\":\"section\"}|1|1\ntwo-sms|rm|{\"unit\":\"section\"}|1|1");
	assert_string_equal(ask("idle-share", NULL, 0, 5),
		"1|1|fcfs|{\"unit\":\"section\"}|24.5\n1|2|rm|{\"unit\":\"section\"}|24.5");
	assert_string_equal(ask("energy-by-policy", NULL, 0, 5),
		"0.5|two-sms|fcfs|{\"unit\":\"section\"}|1\n0.5|two-sms|rm|{\"unit\":\"section\"}|1");
	/* The last column is the task's own energy, as energy-by-task has it. */
	assert_string_equal(ask("compare-tasks", NULL, 0, 12),
		"1|sample|camera|1|fcfs|{\"unit\":\"section\"}|ok|6.0|5.0|0|1.0|0.002000000000007\n"
		"1|sample|camera|2|rm|{\"unit\":\"section\"}|ok|6.0|5.0|0|1.0|0.002000000000007\n"
		"1|sample|lidar|2|rm|{\"unit\":\"section\"}|ok|19.0|19.0|0|1.0|0.0091\n"
		"1|sample|lidar|1|fcfs|{\"unit\":\"section\"}|ok|25.0|25.0|1|1.31578947368421|0.0091");
	assert_string_equal(
		ask("histogram", NULL, 0, 5), "1|camera|4.980736|5.242879|2\n1|lidar|24.117248|25.165823|1");
	assert_string_equal(ask("overview", "limit", 1, 2), "1|fcfs");
}

/* Two bins of 13 ms: blocks ran for 2 * 2 ms + 8 ms in the first, 13 ms in the second. */
TEST("occupancy is a mean over time")
{
	struct named_query query;
	assert_true(query_find("occupancy", &query));
	struct db_cursor *c = open_named(&query);
	assert_ok(cursor_bind_integer(c, parameter_of(c, "bins"), 2, &err));
	assert_true(step(c));
	assert_near(cursor_real(c, 1), 12.0 / 13, 1e-12);
	assert_near(cursor_real(c, 2), (2 * 2 * 1024 + 8 * 2048) / 13.0, 1e-9);
	assert_int_equal(cursor_integer(c, 3), 2);
	assert_true(step(c));
	assert_near(cursor_real(c, 0), 13.0, 0);
	assert_near(cursor_real(c, 1), 1.0, 1e-12);
	assert_false(step(c));
	cursor_close(c);
}
