/* tests/unit/test_by_ready.c - the order in which the audit takes intervals (db/audit/by_ready.h): that of
 * SQLite's ORDER BY ready_ns, whatever the order in the file, and however few may wait. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/text.h"
#include "db/audit/by_ready.h"
#include "tests/support/test.h"
#include "tests/unit/db_sample.h"

static struct error err;
static struct random_key key = {.seed = 62, .purpose = RANDOM_TEST};

static int clean(void **state)
{
	sample_clean();
	return 0;
}

ALL_TESTS(NULL, clean);

static int64_t drawn(int64_t most)
{
	key.job++;
	return random_upto(&key, most);
}

/* Intervals of run 1, some of run 2 among them. They end one after the other; of a hundred `early` became
 * ready up to 5000 before they ended, the others a little before. */
static void draw_recording(int rows, int early)
{
	struct text sql = {0};
	sqlite3 *db;
	remove(sample_path("ready.db"));
	assert_ok(sample_write(sample_path("ready.db"), &err));
	text_add(&sql, "BEGIN; DELETE FROM segment_interval;");
	for (int i = 0; i < rows; i++) {
		char ready[24] = "NULL";
		if (drawn(300) > 0)
			snprintf(
				ready, sizeof(ready), "%d", 3 * i - (int)drawn(drawn(99) < early ? 5000 : 8));
		text_printf(&sql,
			"INSERT INTO segment_interval (run_id, task_id, seq, code, ready_ns, end_ns) VALUES"
			" (%d, %d, %d, %d, %s, %d);",
			drawn(20) > 0 ? 1 : 2, (int)drawn(3), i, (int)drawn(3), ready, 3 * i);
	}
	text_add(&sql, "COMMIT");
	assert_false(sql.failed);
	assert_int_equal(sqlite3_open(sample_path("ready.db"), &db), SQLITE_OK);
	if (sqlite3_exec(db, text_data(&sql), NULL, NULL, NULL) != SQLITE_OK)
		fail_msg("%s", sqlite3_errmsg(db));
	sqlite3_close(db);
	text_finish(&sql);
}

/* With a limit; returns whether SQLite had to sort some. */
static bool assert_order(size_t limit)
{
	int64_t numbers[INTERVAL_NUMBERS];
	struct ready_chunks chunks;
	struct by_ready b;
	bool more = true;
	struct db_reader *r = reader_open(sample_path("ready.db"), &err);
	assert_ok(r);
	assert_ok(ready_chunks_load(&chunks, r, 1, &err));
	assert_ok(by_ready_open(&b, &chunks, r, 1, limit, &err));
	struct rows q = rows_open(r,
		"SELECT seq, ready_ns, task_id FROM segment_interval WHERE run_id = 1"
		" ORDER BY ready_ns, rowid",
		&err);
	while (rows_next(&q)) {
		assert_ok(by_ready_next(&b, numbers, &more));
		assert_true(more);
		assert_int_equal(numbers[1], cursor_integer(q.c, 0));
		assert_int_equal(numbers[6],
			cursor_kind(q.c, 1) == VALUE_NULL ? NUMBERS_NULL : cursor_integer(q.c, 1));
		assert_int_equal(numbers[0], cursor_integer(q.c, 2));
		assert_true(numbers[7] == NUMBERS_NULL && numbers[9] == NUMBERS_NULL);
	}
	assert_ok(by_ready_next(&b, numbers, &more));
	assert_false(more);
	assert_ok(rows_close(&q));
	bool sorted = b.sorted;
	by_ready_close(&b);
	ready_chunks_finish(&chunks);
	reader_close(r);
	return sorted;
}

TEST("as they became ready, whoever waits")
{
	static const int rows[] = {0, 1, 255, 256, 257, 512, 3000, 5000};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (int early = 0; early <= 40; early += 20) {
			draw_recording(rows[i], early);
			assert_false(assert_order(0));
			(void)assert_order(600);
		}
	assert_true(assert_order(1));
	assert_true(assert_order(600));
}

TEST("calls are noticed")
{
	struct ready_chunks chunks;
	sqlite3 *db;
	for (int calls = 0; calls < 2; calls++) {
		struct db_reader *r = reader_open(sample_path("ready.db"), &err);
		assert_ok(r && ready_chunks_load(&chunks, r, 1, &err));
		assert_int_equal(chunks.calls, calls);
		ready_chunks_finish(&chunks);
		reader_close(r);
		assert_int_equal(sqlite3_open(sample_path("ready.db"), &db), SQLITE_OK);
		assert_int_equal(sqlite3_exec(db, "UPDATE segment_interval SET code = 204 WHERE seq = 2000",
					 NULL, NULL, NULL),
			SQLITE_OK);
		sqlite3_close(db);
	}
}

/* What is too much for one value is refused, as users may call it, too. */
TEST("numbers of a row")
{
	int64_t numbers[3];
	struct db_reader *r = reader_open(sample_path("ready.db"), &err);
	assert_ok(r);
	struct rows q = rows_open(r, "SELECT cegsim_numbers(NULL, '7', -2.5)", &err);
	assert_true(rows_next(&q));
	cursor_numbers(q.c, numbers, 3);
	assert_true(numbers[0] == NUMBERS_NULL && numbers[1] == 7 && numbers[2] == -2);
	assert_ok(rows_close(&q));
	q = rows_open(r, "SELECT cegsim_numbers(1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17)", &err);
	assert_false(rows_next(&q));
	assert_false(rows_close(&q));
	assert_non_null(strstr(err.text, "too many numbers"));
	reader_close(r);
}
