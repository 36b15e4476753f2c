/* tests/unit/test_numbers.c - rows of a run as numbers (db/numbers.h): all of them, in the order of rowids,
 * wherever in the table they are. */
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "db/numbers.h"
#include "tests/support/test.h"
#include "tests/unit/db_sample.h"

static struct error err;

static int clean(void **state)
{
	sample_clean();
	return 0;
}

ALL_TESTS(NULL, clean);

/* A recording whose jobs these statements make. */
static struct db_reader *reader_of(const char *sql)
{
	sqlite3 *db;
	remove(sample_path("numbers.db"));
	assert_ok(sample_write(sample_path("numbers.db"), &err));
	assert_int_equal(sqlite3_open(sample_path("numbers.db"), &db), SQLITE_OK);
	if (sqlite3_exec(db, "DELETE FROM job", NULL, NULL, NULL) != SQLITE_OK ||
		sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
		fail_msg("%s", sqlite3_errmsg(db));
	sqlite3_close(db);
	struct db_reader *r = reader_open(sample_path("numbers.db"), &err);
	assert_ok(r);
	return r;
}

/* The rows of run 1 by the reader and by SQLite. Returns in how many reads. */
static int assert_same(const char *sql)
{
	struct numbers n;
	int reads = 0;
	struct db_reader *r = reader_of(sql);
	struct rows q = rows_open(r, "SELECT rowid, seq FROM job WHERE run_id = 1 ORDER BY rowid", &err);
	assert_ok(numbers_open(&n, r, "job", "rowid, seq", 2, 1, &err));
	for (;; reads++) {
		assert_ok(numbers_read(&n));
		assert_true(n.row_count <= NUMBERS_ROWS);
		if (n.row_count == 0)
			break;
		for (size_t i = 0; i < n.row_count; i++) {
			assert_true(rows_next(&q));
			assert_true(n.rows[2 * i] == cursor_integer(q.c, 0));
			assert_true(n.rows[2 * i + 1] == cursor_integer(q.c, 1));
		}
	}
	assert_false(rows_next(&q));
	assert_ok(rows_close(&q));
	assert_ok(numbers_read(&n));
	assert_true(n.row_count == 0);
	numbers_close(&n);
	reader_close(r);
	return reads;
}

#define COUNTED(count)                                                                                       \
	"WITH RECURSIVE k(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM k WHERE i + 1 < " #count ") "          \
	"INSERT INTO job (rowid, run_id, task_id, seq) SELECT "

TEST("rows of a run, together or apart")
{
	assert_int_equal(assert_same("SELECT 1"), 0);
	assert_int_equal(assert_same(COUNTED(1) "7, 1, 1, i FROM k"), 1);
	assert_int_equal(assert_same(COUNTED(256) "i, 1, 1, i FROM k"), 1);
	assert_int_equal(assert_same(COUNTED(257) "i - 9, 1, 1, i FROM k"), 2);
	assert_int_equal(assert_same(COUNTED(2000) "i, 1 + (i BETWEEN 700 AND 1500), 1, i FROM k"), 5);
	assert_int_equal(assert_same(COUNTED(2000) "i, 1 + (i % 3 > 0), 1, i FROM k"), 8);
	assert_int_equal(assert_same(COUNTED(20) "i * 1000000007, 1, 1, i FROM k"), 20);
	assert_int_equal(assert_same(COUNTED(2) "CASE i WHEN 0 THEN -9223372036854775808 ELSE "
						"9223372036854775807 END, 1, 1, i FROM k"),
		2);
	assert_int_equal(assert_same(COUNTED(300) "9223372036854775807 - i, 1, 1, i FROM k"), 2);
}

TEST("NULL, and what is no integer")
{
	struct numbers n;
	struct db_reader *r =
		reader_of("INSERT INTO job (run_id, task_id, seq, release_ns) VALUES (1, NULL, '7x', -2.5)");
	assert_ok(numbers_open(&n, r, "job", "task_id, seq, release_ns", 3, 1, &err));
	assert_ok(numbers_read(&n));
	assert_true(n.row_count == 1);
	assert_true(n.rows[0] == NUMBERS_NULL && n.rows[1] == 7 && n.rows[2] == -2);
	numbers_close(&n);
	reader_close(r);
}

/* As users may call it, too. */
TEST("what is too much for one value is refused")
{
	static const char *const queries[] = {
		"SELECT cegsim_numbers(1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17)",
		"WITH RECURSIVE k(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM k WHERE i < 256) "
		"SELECT cegsim_numbers(i) FROM k"};
	struct db_reader *r = reader_of("SELECT 1");
	for (size_t i = 0; i < 2; i++) {
		struct rows q = rows_open(r, queries[i], &err);
		assert_false(rows_next(&q));
		assert_false(rows_close(&q));
		assert_non_null(strstr(err.text, "too many numbers"));
	}
	struct rows q = rows_open(r, "SELECT cegsim_numbers() IS NULL, cegsim_numbers(seq) FROM job", &err);
	assert_true(rows_next(&q));
	assert_ok(rows_close(&q));
	reader_close(r);
}
