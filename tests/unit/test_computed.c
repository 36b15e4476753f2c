/* tests/unit/test_computed.c - db/computed.c: what a stranger's columns are computed from. */
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "base/sha256.h"
#include "base/text.h"
#include "db/computed.h"
#include "db/reader.h"
#include "db/row_types.h"
#include "tests/support/test.h"
#include "tests/unit/db_sample.h"

static struct error err;

static int end(void **state)
{
	sample_clean();
	return 0;
}

EACH_TEST(NULL, end);

static bool ours(const char *table, const char *sql, const char *column, bool computed)
{
	bool is = false;
	assert_ok(computed_is_ours(table, sql, column, computed, &is, &err));
	return is;
}

#define MISSED "missed INTEGER AS (outcome >> 2) VIRTUAL"

TEST("a computed column is as cegsim has made it, or not ours")
{
	assert_true(ours("job", "CREATE TABLE job (outcome INTEGER, " MISSED ")", "missed", true));
	assert_true(ours("JOB",
		"CREATE TABLE \"jo(b\" (\n\toutcome INTEGER CHECK (outcome IN (1, ',')), -- , missed\n\t"
		"missed\tINTEGER AS\n(outcome >> 2) /* ) */ VIRTUAL, a)",
		"MISSED", true));
	assert_true(ours("job", "CREATE TABLE job (mine AS (1))", "mine", true));
	assert_true(ours("other", "CREATE TABLE other (missed AS (1))", "missed", true));
	assert_true(ours("job", "CREATE TABLE job (seq INTEGER)", "seq", false));
}

TEST("a column that is computed otherwise is found out")
{
	static const char *const strange[] = {"CREATE TABLE job (outcome, missed INTEGER AS (0) VIRTUAL)",
		"CREATE TABLE job (outcome, missed INTEGER AS (outcome >> 2) STORED)",
		"CREATE TABLE job (outcome, missed INTEGER AS (0) VIRTUAL /* , " MISSED " */)",
		"CREATE TABLE job (outcome, missed INTEGER AS (0) VIRTUAL) -- (, " MISSED ")",
		"CREATE TABLE job (outcome, \"missed\" INTEGER AS (0) VIRTUAL, a DEFAULT ', " MISSED "')",
		"CREATE TABLE job (outcome, [missed] INTEGER AS (0), a DEFAULT (', " MISSED "'))",
		"CREATE TABLE \"job (" MISSED ")\" (missed INTEGER AS (0) VIRTUAL)",
		"CREATE TABLE job (outcome, missed INTEGER AS (outcome >> 2 AND '',' ') VIRTUAL)",
		"CREATE TABLE job (outcome, missed INTEGER AS (outcome >> 2) VIRTUAL COLLATE NOCASE)",
		"CREATE TABLE job (outcome, missed INTEGER AS (outcome >> 2) VIRTUA", "CREATE TABLE job",
		"CREATE TABLE job (", "CREATE TABLE job ('", "/*", ""};
	for (size_t i = 0; i < sizeof(strange) / sizeof(strange[0]); i++)
		assert_false(ours("job", strange[i], "missed", true));
	assert_false(ours("job", "CREATE TABLE job (missed INTEGER)", "missed", false));
	assert_false(ours("job", "CREATE TABLE job (seq AS (1))", "seq", true));
}

TEST("segments of recordings of earlier programs are theirs")
{
#define KIND "kind TEXT AS (CASE (code >> 2) & 3 WHEN 0 THEN 'run' WHEN 1 THEN 'spin' "
	assert_true(ours("segment_interval", "CREATE TABLE s (code, " KIND "ELSE 'boost' END) VIRTUAL)",
		"kind", true));
	assert_false(ours("segment_interval", "CREATE TABLE s (code, " KIND "ELSE 'boots' END) VIRTUAL)",
		"kind", true));
	assert_false(ours("context_interval", "CREATE TABLE s (code, " KIND "ELSE 'boost' END) VIRTUAL)",
		"kind", true));
}

/* What the columns of this program are computed from. */
TEST("an earlier definition is kept when one changes")
{
	struct text all = {0};
	char digest[SHA256_TEXT];
	for (int i = 0; i < ROW_TYPES; i++)
		for (size_t k = 0; k < row_types[i].column_count; k++)
			if (row_is_generated(&row_types[i].columns[k]))
				text_printf(&all, "%s.%s %s\n", row_types[i].table,
					row_types[i].columns[k].name, row_types[i].columns[k].declaration);
	sha256(text_data(&all), all.length, digest);
	text_finish(&all);
	if (strncmp(digest, "6f498f93b5420ee2", 16) != 0)
		fail_msg("computed columns are others: keep those of before in db/computed.c, then put %.16s "
			 "here",
			digest);
}

/* Changes a table's text in the sample, and opens it. */
static bool opens(const char *table, const char *from, const char *to)
{
	sqlite3 *db;
	const char *file = sample_path("computed.db");
	assert_ok(sample_write(file, &err));
	assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
	char *sql = sqlite3_mprintf(
		"PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, %Q, %Q) "
		"WHERE name = %Q",
		from, to, table);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_free(sql);
	sqlite3_close(db);
	struct db_reader *r = reader_open(file, &err);
	bool ok = r != NULL;
	reader_close(r);
	sample_clean();
	return ok;
}

TEST("a recording whose answers are computed otherwise is refused")
{
	assert_true(opens("job", "outcome >> 2", "outcome  >>\n2"));
	static const char *const changes[][3] = {{"job", "outcome >> 2", "0"},
		{"job", "finish_ns - release_ns", "1"}, {"segment_interval", "'preempted'", "'done'"},
		{"block_interval", "CASE ended_code", "CASE 0"}, {"epoch", "1000000", "1000"},
		{"run_task_hist", "bucket < 16", "bucket < 15"}, {"warp_issue", "place >> 3", "place >> 2"},
		{"warp_issue", "cycle + latency_cycles", "cycle"}};
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		assert_false(opens(changes[i][0], changes[i][1], changes[i][2]));
		char says[120];
		snprintf(says, sizeof(says), "table '%s' computes what cegsim's does not", changes[i][0]);
		assert_non_null(strstr(err.text, says));
	}
}
