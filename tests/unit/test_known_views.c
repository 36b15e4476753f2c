/* tests/unit/test_known_views.c - db/known_views.c: views of a file that no program of cegsim has written do
 * not run. What stands in their place, and when the file is refused. */
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/sha256.h"
#include "db/known_views.h"
#include "db/reader.h"
#include "tests/support/test.h"
#include "tests/unit/db_sample.h"

static struct error err;
static char file[512];

static int begin(void **state)
{
	snprintf(file, sizeof(file), "%s", sample_path("views.db"));
	return sample_write(file, &err) ? 0 : -1;
}

static int end(void **state)
{
	sample_clean();
	return 0;
}

EACH_TEST(begin, end);

static void change(const char *sql)
{
	sqlite3 *db;
	char *why = NULL;
	assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
	if (sqlite3_exec(db, "PRAGMA legacy_alter_table = ON", NULL, NULL, NULL) != SQLITE_OK ||
		sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
		fail_msg("%s: %s", sql, why);
	sqlite3_close(db);
}

/* The first number that the query gives. */
static int64_t ask(const char *sql)
{
	struct db_reader *reader = reader_open(file, &err);
	assert_ok(reader != NULL);
	struct db_cursor *c = cursor_open(reader, sql, &err);
	assert_ok(c != NULL);
	bool row = false;
	assert_ok(cursor_next(c, &row, &err) && row);
	int64_t value = cursor_integer(c, 0);
	cursor_close(c);
	reader_close(reader);
	return value;
}

static void assert_refused(const char *view)
{
	char words[120];
	snprintf(words, sizeof(words),
		": the recording is damaged: its view '%s' is none that cegsim has written", view);
	struct db_reader *reader = reader_open(file, &err);
	assert_null(reader);
	assert_int_equal(err.status, STATUS_INPUT);
	if (!strstr(err.text, words))
		fail_msg("%s", err.text);
}

static void check_known(const char *name, const char *text)
{
	char digest[SHA256_TEXT];
	sha256(text, strlen(text), digest);
	if (!known_view(text))
		fail_msg("db/known_views.c lacks\n\t\"%.32s\", /* %s */", digest, name);
}

TEST("the views of this program are known")
{
	sqlite3 *db;
	sqlite3_stmt *stmt;
	int views = 0;
	assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
	assert_int_equal(
		sqlite3_prepare_v2(db, "SELECT name, substr(sql, 12) FROM sqlite_master WHERE type = 'view'",
			-1, &stmt, NULL),
		SQLITE_OK);
	for (; sqlite3_step(stmt) == SQLITE_ROW; views++)
		check_known((const char *)sqlite3_column_text(stmt, 0),
			(const char *)sqlite3_column_text(stmt, 1));
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	assert_true(views > 20);
}

#define ENDLESS(view)                                                                                        \
	"DROP VIEW v_job; CREATE VIEW " view " AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 "  \
	"FROM n) SELECT j.*, 1 AS miss FROM n, job j; "

static const char *const versions[] = {"PRAGMA user_version = 1", "PRAGMA user_version = 2",
	"PRAGMA user_version = 3", "PRAGMA user_version = 4"};
#define VERSIONS (sizeof(versions) / sizeof(versions[0]))

/* Four jobs in the sample. */
TEST("a stranger's view has this program's in front of it, whatever the recording's version")
{
	int64_t jobs = sample_integer(file, "SELECT count(*) FROM job");
	for (size_t i = 0; i < VERSIONS; i++) {
		change(ENDLESS("v_job"));
		change(versions[i]);
		assert_int_equal(ask("SELECT count(*) FROM v_job"), jobs);
	}
}

TEST("SQLite takes capital letters in names for small ones")
{
	int64_t jobs = sample_integer(file, "SELECT count(*) FROM job");
	change(ENDLESS("V_Job"));
	assert_int_equal(ask("SELECT count(*) FROM v_job"), jobs);
}

TEST("where this program's cannot be asked, the recording is refused")
{
	change(ENDLESS("v_job") "ALTER TABLE job RENAME COLUMN first_start_ns TO started");
	for (size_t i = 0; i < VERSIONS; i++) {
		change(versions[i]);
		assert_refused("v_job");
	}
}

/* A view reads others: which of them is looked at first does not matter. */
TEST("a stranger's view that another reads is replaced before")
{
	change("DROP VIEW v_acceptance; CREATE VIEW v_acceptance AS SELECT 7; DROP VIEW v_accepted;"
	       "CREATE VIEW v_accepted AS SELECT 7");
	assert_int_equal(ask("SELECT count(*) FROM v_acceptance"), 2);
}

/* v_job of versions 1 to 3. */
static const char job_before[] =
	"DROP VIEW v_job;"
	"CREATE VIEW v_job AS\n"
	"SELECT j.run_id, p.name AS policy, p.params, l.name AS platform, r.taskset_id, j.task_id, t.name"
	" AS task,\n"
	"\tj.seq, j.release_ns / 1e6 AS release_ms, j.first_start_ns / 1e6 AS first_start_ms,\n"
	"\tj.finish_ns / 1e6 AS finish_ms, j.abs_deadline_ns / 1e6 AS deadline_ms,\n"
	"\tj.response_ns / 1e6 AS response_ms,\n"
	"\t(coalesce(j.finish_ns, r.stop_ns) - j.release_ns) / 1e6 AS response_lower_ms,\n"
	"\t(j.finish_ns - j.abs_deadline_ns) / 1e6 AS lateness_ms,\n"
	"\t1.0 * j.response_ns / t.deadline_ns AS normalised_response, j.missed, j.state\n"
	"FROM job j JOIN run r USING (run_id) JOIN policy p USING (policy_id) JOIN platform l USING"
	" (platform_id)\n"
	"\tJOIN task t ON t.task_id = j.task_id";

TEST("a view that a program has written stays in a recording of that time")
{
	int64_t columns = ask("SELECT count(*) FROM pragma_table_info('v_job')");
	change(job_before);
	assert_int_equal(ask("SELECT count(*) FROM pragma_table_info('v_job')"), columns);
	change(versions[2]);
	assert_int_equal(ask("SELECT count(*) FROM pragma_table_info('v_job')"), columns - 1);
}

/* v_bound of version 1 to 3, and the table as it was. */
static const char bounds_before[] =
	"DROP VIEW v_bound; DROP VIEW v_bound_check; ALTER TABLE bound DROP COLUMN assumes;"
	"CREATE VIEW v_bound AS\n"
	"WITH part AS (\n"
	"\tSELECT analysis_run_id, task_id, sum(CASE part WHEN 'own' THEN amount_ns ELSE 0 END) AS own_ns,\n"
	"\t\tsum(CASE part WHEN 'copy' THEN amount_ns ELSE 0 END) AS copy_ns,\n"
	"\t\tsum(CASE part WHEN 'gpu' THEN amount_ns ELSE 0 END) AS gpu_ns,\n"
	"\t\tsum(CASE part WHEN 'blocking' THEN amount_ns ELSE 0 END) AS blocking_ns,\n"
	"\t\tsum(CASE part WHEN 'interference' THEN amount_ns ELSE 0 END) AS interference_ns\n"
	"\tFROM bound_part GROUP BY analysis_run_id, task_id)\n"
	"SELECT a.analysis_run_id, a.analysis, a.params AS analysis_params, a.safety, p.name AS policy, "
	"p.params,\n"
	"\tl.name AS platform, a.taskset_id, a.verdict, b.task_id, t.name AS task, b.rank,\n"
	"\tt.deadline_ns / 1e6 AS deadline_ms, b.bound_ns / 1e6 AS bound_ms,\n"
	"\tcoalesce(b.bound_ns <= t.deadline_ns, 0) AS meets,\n"
	"\tr.own_ns / 1e6 AS own_ms, r.copy_ns / 1e6 AS copy_ms, r.gpu_ns / 1e6 AS gpu_ms,\n"
	"\tr.blocking_ns / 1e6 AS blocking_ms, r.interference_ns / 1e6 AS interference_ms\n"
	"FROM bound b JOIN analysis_run a USING (analysis_run_id) JOIN task t ON t.task_id = b.task_id\n"
	"\tJOIN policy p ON p.policy_id = a.policy_id JOIN platform l ON l.platform_id = a.platform_id\n"
	"\tLEFT JOIN part r ON r.analysis_run_id = b.analysis_run_id AND r.task_id = b.task_id;"
	"PRAGMA user_version = 3";

TEST("the bounds of a recording before version 4 are those of its own view, if a program has written it")
{
	change(bounds_before);
	assert_int_equal(ask("SELECT count(*) FROM v_bound WHERE assumes_in_time IS NULL AND meets"), 1);
	change("DROP VIEW v_bound; CREATE VIEW v_bound AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT "
	       "i "
	       "+ 1 FROM n) SELECT i FROM n");
	assert_refused("v_bound");
}
