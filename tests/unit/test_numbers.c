/* tests/unit/test_numbers.c - rows of a run as numbers (db/numbers.h): all of them, in the order of rowids,
 * wherever in the table they are; and whether they come from pages or by SQLite the same, whatever a stranger
 * has made of the table. */
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

/* ---- pages ---- */

#define OF_JOBS "seq, release_ns, finish_ns, task_id"

/* The next number of the run; *ok: the file could be read. */
static bool next_number(struct numbers *n, size_t *at, bool *ok, int64_t *number)
{
	if (*ok && *at == n->columns * n->row_count) {
		*ok = numbers_read(n);
		*at = 0;
	}
	if (!*ok || n->row_count == 0)
		return false;
	*number = n->rows[(*at)++];
	return true;
}

/* The rows of run 1, by pages where these have them, and by SQLite alone; both may say that the file is
 * damaged. Each has a reader of its own: SQLite forgets what it has found to be wrong with a page. */
static void assert_as_sqlite(const char *file, const char *names, bool *ok, bool *by_pages)
{
	struct numbers one = {0}, other = {0};
	size_t one_at = 0, other_at = 0;
	int64_t x = 0, y = 0;
	struct db_reader *first = reader_open(file, &err), *second = reader_open(file, &err);
	*ok = first && numbers_open(&one, first, "job", names, 4, 1, &err);
	bool sound = second && numbers_open(&other, second, "job", names, 4, 1, &err), more = true;
	other.by_pages = true; /* as if they had been asked for */
	while (more) {
		more = next_number(&one, &one_at, ok, &x);
		assert_true(next_number(&other, &other_at, &sound, &y) == more);
		assert_true(x == y);
	}
	assert_true(*ok == sound);
	*by_pages = one.pages != NULL;
	numbers_close(&one);
	numbers_close(&other);
	reader_close(first);
	reader_close(second);
}

static void assert_pages(const char *sql, const char *names, bool by_pages)
{
	bool ok, pages;
	reader_close(reader_of(sql));
	assert_as_sqlite(sample_path("numbers.db"), names, &ok, &pages);
	assert_true(ok && pages == by_pages);
}

/* With statistics: by those of the sample SQLite would look at all rows behind those that are asked for. */
#define JOBS(count) JOBS_OF("1 + (i % 5000 > 4000)", count)
#define JOBS_OF(run, count)                                                                                  \
	"WITH RECURSIVE k(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM k WHERE i + 1 < " #count ") "          \
	"INSERT INTO job (rowid, run_id, seq, release_ns, finish_ns, task_id) SELECT i - 99, " run           \
	", i, i * i * i * 7 - 1000, CASE WHEN i % 7 THEN i * 100000000000061 >> i % 62 END, "                \
	"i % 3 FROM k; ANALYZE;"

TEST("pages have the same rows as SQLite")
{
	assert_pages(JOBS(50000), OF_JOBS, true);
	assert_pages(JOBS(50000), "finish_ns, seq, 0, task_id", true);
	assert_pages(JOBS(50000), "0, seq, task_id, finish_ns", true);
	assert_pages(
		JOBS(9000) "DELETE FROM job WHERE seq = 4700 OR seq BETWEEN 300 AND 3700;", OF_JOBS, true);
	assert_pages(JOBS(5000) "PRAGMA page_size = 512; VACUUM;", OF_JOBS, true);
	assert_pages(JOBS(5000) "PRAGMA page_size = 65536; VACUUM;", OF_JOBS, true);
	assert_pages(JOBS(5000) "PRAGMA auto_vacuum = 1; VACUUM;", OF_JOBS, true);
}

TEST("rows that are strange are left to SQLite")
{
	assert_pages(JOBS(5000) "UPDATE job SET finish_ns = 2.5 WHERE seq % 1000 = 3;", OF_JOBS, true);
	assert_pages(JOBS(5000) "UPDATE job SET run_id = 1.0, finish_ns = '12x' WHERE seq % 99 = 3;", OF_JOBS,
		true);
	assert_pages(
		JOBS(5000) "UPDATE job SET release_ns = zeroblob(70000) WHERE seq = 3000;", OF_JOBS, true);
	assert_pages(JOBS(5000) "ALTER TABLE job ADD COLUMN more INTEGER DEFAULT 7;",
		"seq, more, finish_ns, task_id", true);
}

/* Tables of strangers: their records are not what they seem. */
TEST("tables that are strange are left to SQLite")
{
#define STRANGE(columns)                                                                                     \
	"PRAGMA foreign_keys = OFF; DROP TABLE job; CREATE TABLE job (" columns ");"                         \
	"CREATE INDEX job_run ON job (run_id); " JOBS(5000)
	static const char *const tables[] = {
		STRANGE("run_id INTEGER, seq INTEGER PRIMARY KEY, release_ns INTEGER, finish_ns INTEGER, "
			"task_id INTEGER"),
		STRANGE("run_id INTEGER, seq INTEGER, release_ns REAL, finish_ns INTEGER, task_id INTEGER"),
		STRANGE("run_id INTEGER, seq INTEGER, release_ns INTEGER, finish_ns INTEGER, "
			"task_id INTEGER, twice INTEGER AS (2 * seq) STORED"),
	};
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		assert_pages(tables[i], OF_JOBS, false);
	assert_pages(STRANGE("run_id INTEGER, twice INTEGER AS (2 * seq), seq INTEGER, task_id INTEGER, "
			     "release_ns INTEGER, finish_ns INTEGER"),
		OF_JOBS, true);
	assert_pages(JOBS(5000) "PRAGMA journal_mode = wal;", OF_JOBS, false);
}

/* Changes some bytes of pages of the table, at their beginning or anywhere. */
static void damage(FILE *f, const int64_t *pages, int64_t count, uint64_t *seed)
{
	for (int i = 0; i < 2; i++) {
		*seed = *seed * 6364136223846793005 + 1442695040888963407;
		uint64_t at = *seed >> 50 & 1 ? (*seed >> 20) % 16384 : (*seed >> 20) % 24;
		long place = (long)((uint64_t)(pages[(int64_t)(*seed >> 40) % count] - 1) * 16384 + at);
		fseek(f, place, SEEK_SET);
		int was = fgetc(f);
		fseek(f, place, SEEK_SET);
		fputc(i ? (int)(*seed >> 56) : was ^ 1 << (*seed >> 56 & 7), f);
	}
}

/* What is changed in pages is read as SQLite reads it, or not at all. */
TEST("damaged pages")
{
	int64_t pages[400], count = 0;
	uint64_t seed = 4711;
	struct db_reader *r = reader_of(JOBS_OF("1", 20000));
	struct rows q = rows_open(r, "SELECT pageno FROM dbstat WHERE name = 'job'", &err);
	while (rows_next(&q) && count < 400)
		pages[count++] = cursor_integer(q.c, 0);
	assert_ok(rows_close(&q));
	reader_close(r);
	assert_true(count > 20);
	FILE *whole = fopen(sample_path("numbers.db"), "rb");
	static uint8_t bytes[4 << 20];
	assert_non_null(whole);
	size_t size = fread(bytes, 1, sizeof(bytes), whole);
	assert_true(size > 0 && size < sizeof(bytes));
	fclose(whole);
	int sound = 0;
	for (int trial = 0; trial < 40; trial++) {
		bool ok = false, by_pages;
		FILE *f = fopen(sample_path("damaged.db"), "w+b");
		assert_non_null(f);
		assert_true(fwrite(bytes, 1, size, f) == size);
		damage(f, pages, count, &seed);
		fclose(f);
		assert_as_sqlite(sample_path("damaged.db"), OF_JOBS, &ok, &by_pages);
		sound += ok;
	}
	assert_true(sound > 4 && sound < 36);
}
