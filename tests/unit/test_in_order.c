/* tests/unit/test_in_order.c - the order in which the audit takes rows (db/audit/in_order.h): that of
 * SQLite's ORDER BY, whatever the order in the file, and however few may wait. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/text.h"
#include "db/audit/in_order.h"
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
	struct order_chunks chunks;
	struct in_order b;
	bool more = true;
	struct db_reader *r = reader_open(sample_path("ready.db"), &err);
	assert_ok(r);
	assert_ok(order_chunks_load(&chunks, &order_of_intervals, r, 1, &err));
	assert_ok(in_order_open(&b, &order_of_intervals, &chunks, r, 1, limit, &err));
	struct rows q = rows_open(r,
		"SELECT seq, ready_ns, task_id FROM segment_interval WHERE run_id = 1"
		" ORDER BY ready_ns, rowid",
		&err);
	while (rows_next(&q)) {
		assert_ok(in_order_next(&b, numbers, &more));
		assert_true(more);
		assert_int_equal(numbers[1], cursor_integer(q.c, 0));
		assert_int_equal(numbers[6],
			cursor_kind(q.c, 1) == VALUE_NULL ? NUMBERS_NULL : cursor_integer(q.c, 1));
		assert_int_equal(numbers[0], cursor_integer(q.c, 2));
		assert_true(numbers[7] == NUMBERS_NULL && numbers[9] == NUMBERS_NULL);
	}
	assert_ok(in_order_next(&b, numbers, &more));
	assert_false(more);
	assert_ok(rows_close(&q));
	bool sorted = b.sorted != NULL;
	in_order_close(&b);
	order_chunks_finish(&chunks);
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
	struct order_chunks chunks;
	sqlite3 *db;
	for (int calls = 0; calls < 2; calls++) {
		struct db_reader *r = reader_open(sample_path("ready.db"), &err);
		assert_ok(r && order_chunks_load(&chunks, &order_of_intervals, r, 1, &err));
		assert_int_equal(chunks.calls, calls);
		order_chunks_finish(&chunks);
		reader_close(r);
		assert_int_equal(sqlite3_open(sample_path("ready.db"), &db), SQLITE_OK);
		assert_int_equal(sqlite3_exec(db, "UPDATE segment_interval SET code = 204 WHERE seq = 2000",
					 NULL, NULL, NULL),
			SQLITE_OK);
		sqlite3_close(db);
	}
}

/* ---- jobs ---- */

/* Jobs of run 1 and others, of few instants, tasks and numbers, so that many are equal. */
static void draw_jobs(int rows)
{
	struct text sql = {0};
	sqlite3 *db;
	text_add(&sql, "BEGIN; DELETE FROM job;");
	for (int i = 0; i < rows; i++)
		text_printf(&sql,
			"INSERT INTO job (run_id, task_id, seq, release_ns, finish_ns) VALUES"
			" (%d, %d, %d, %d, %d);",
			drawn(20) > 0 ? 1 : 2, (int)drawn(3), (int)drawn(9), (int)drawn(30), i);
	text_add(&sql, "COMMIT");
	assert_false(sql.failed);
	assert_int_equal(sqlite3_open(sample_path("ready.db"), &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, text_data(&sql), NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
	text_finish(&sql);
}

TEST("jobs as they were released, of one instant by task and number")
{
	for (size_t limit = 0; limit < 600; limit += 590) {
		int64_t numbers[JOB_NUMBERS];
		struct order_chunks chunks;
		struct in_order o;
		bool more = true;
		draw_jobs(2000);
		struct db_reader *r = reader_open(sample_path("ready.db"), &err);
		assert_ok(r && order_chunks_load(&chunks, &order_of_jobs, r, 1, &err));
		assert_ok(in_order_open(&o, &order_of_jobs, &chunks, r, 1, limit, &err));
		struct rows q = rows_open(r,
			"SELECT task_id, seq, release_ns, finish_ns FROM job WHERE run_id = 1"
			" ORDER BY release_ns, task_id, seq, rowid",
			&err);
		while (rows_next(&q)) {
			assert_ok(in_order_next(&o, numbers, &more));
			assert_true(more);
			for (int i = 0; i < 3; i++)
				assert_int_equal(numbers[i], cursor_integer(q.c, i));
			assert_int_equal(numbers[5], cursor_integer(q.c, 3));
			assert_true(numbers[3] == NUMBERS_NULL && numbers[4] == NUMBERS_NULL);
		}
		assert_ok(in_order_next(&o, numbers, &more));
		assert_false(more);
		assert_int_equal(o.sorted != NULL, limit > 0);
		assert_ok(rows_close(&q));
		in_order_close(&o);
		order_chunks_finish(&chunks);
		reader_close(r);
	}
}
