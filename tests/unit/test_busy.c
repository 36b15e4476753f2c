/* tests/unit/test_busy.c - v_lane_busy and v_sm_busy as this program computes them (db/busy_table.c): the
 * rows of the views in the file, of random intervals in any order; and what strangers' files may hold. (Of
 * runs of all policies: tests/conformance/test_waits.c.) */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/text.h"
#include "db/reader.h"
#include "tests/support/test.h"
#include "tests/unit/db_sample.h"

static struct error err;
static struct random_key key = {.seed = 61, .purpose = RANDOM_TEST};

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

static void change(const char *sql)
{
	sqlite3 *db;
	assert_int_equal(sqlite3_open(sample_path("busy.db"), &db), SQLITE_OK);
	if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	sqlite3_close(db);
}

/* A recording whose intervals and blocks are drawn: of two runs, two GPUs, some SMs, some pooled. */
static void draw_recording(int rows)
{
	struct text sql = {0};
	remove(sample_path("busy.db"));
	assert_ok(sample_write(sample_path("busy.db"), &err));
	text_add(&sql, "BEGIN; DELETE FROM segment_interval; DELETE FROM block_interval;");
	for (int i = 0; i < rows; i++) {
		static const int codes[] = {0, 1, 2, 4, 8, 12, 76, 136, 140, 204, 50};
		int64_t start = drawn(1000), end = start + drawn(drawn(9) == 0 ? 400 : 30);
		text_printf(&sql,
			"INSERT INTO segment_interval (run_id, code, gpu, unit, start_ns, end_ns) VALUES"
			" (%d, %d, %d, %d, %d, %d);",
			1 + (int)drawn(1), codes[drawn(10)], (int)drawn(1), (int)drawn(2), (int)start,
			(int)end);
		start = drawn(1000);
		end = start + drawn(drawn(9) == 0 ? 400 : 30);
		text_printf(&sql,
			"INSERT INTO block_interval (run_id, gpu, sm, threads, start_ns, end_ns) VALUES"
			" (%d, %d, nullif(%d, 3), %d, %d, %d);",
			1 + (int)drawn(1), (int)drawn(1), (int)drawn(3), 32 * (int)drawn(32), (int)start,
			(int)end);
	}
	text_add(&sql, "COMMIT");
	assert_false(sql.failed);
	change(text_data(&sql));
	text_finish(&sql);
}

/* The answer, or the error, with the types of the values. */
static char *answer(const char *sql)
{
	struct text text = {0};
	struct db_reader *r = reader_open(sample_path("busy.db"), &err);
	assert_ok(r);
	struct rows q = rows_open(r, sql, &err);
	while (rows_next(&q)) {
		for (int i = 0; i < cursor_columns(q.c); i++)
			text_printf(&text, "%d:%s|", cursor_kind(q.c, i),
				cursor_text(q.c, i) ? cursor_text(q.c, i) : "");
		text_add_char(&text, '\n');
	}
	if (!rows_close(&q))
		text_add(&text, err.text);
	reader_close(r);
	return text_take(&text);
}

/* Both as they come: `what` sorts them. */
static void assert_same(const char *view, const char *what)
{
	char computed[200], of_file[200];
	snprintf(computed, sizeof(computed), "SELECT * FROM %s b %s", view, what);
	snprintf(of_file, sizeof(of_file), "SELECT * FROM main.%s b %s", view, what);
	char *a = answer(computed), *b = answer(of_file);
	assert_true(a && b && a[0]);
	if (strcmp(a, b) != 0)
		fail_msg("%s: %s\n%s: %s", computed, a, of_file, b);
	free(a);
	free(b);
}

TEST("random intervals, in the order of no clock")
{
	for (int i = 0; i < 20; i++) {
		draw_recording(5 + 30 * i);
		assert_same("v_lane_busy", "ORDER BY 1, 2, 3, 4");
		assert_same("v_sm_busy", "ORDER BY 1, 2, 3");
		assert_same("v_utilisation", "");
	}
	change("DROP INDEX block_interval_start; DROP INDEX segment_interval_start");
	assert_same("v_lane_busy", "ORDER BY 1, 2, 3, 4");
	assert_same("v_sm_busy", "ORDER BY 1, 2, 3");
}

TEST("conditions on the run, also by OR and by what is no number")
{
	draw_recording(400);
	assert_same("v_sm_busy", "WHERE run_id = 2 ORDER BY 1, 2, 3");
	assert_same("v_sm_busy", "WHERE run_id = '2' ORDER BY 1, 2, 3");
	assert_same("v_sm_busy", "WHERE run_id >= 2 OR run_id = 1 OR sm IS NULL ORDER BY 1, 2, 3");
	assert_same("v_lane_busy", "WHERE run_id <= 1 OR run_id = 2 ORDER BY 1, 2, 3, 4");
	assert_same("v_lane_busy", "JOIN run r ON r.run_id = b.run_id AND b.run_id < 2 ORDER BY 1, 2, 3, 4");
	static const char *const none[] = {"NULL", "'x'", "7", "1.5"};
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		char sql[100];
		snprintf(sql, sizeof(sql), "SELECT count(*) FROM v_lane_busy WHERE run_id = %s", none[i]);
		char *count = answer(sql);
		assert_string_equal(count, "1:0|\n");
		free(count);
	}
}

TEST("values of others")
{
	static const char *const changes[] = {
		"UPDATE block_interval SET start_ns = NULL WHERE rowid % 3 = 0",
		"UPDATE block_interval SET end_ns = 'x', gpu = x'00ff', threads = NULL WHERE rowid % 3 = 1",
		"UPDATE block_interval SET run_id = NULL, sm = -1.5 WHERE rowid % 5 = 1",
		"UPDATE block_interval SET start_ns = -9223372036854775808 WHERE rowid % 7 = 1",
		"UPDATE segment_interval SET code = 3, unit = 'unit', run_id = 9 WHERE rowid % 4 = 1",
		"UPDATE segment_interval SET end_ns = start_ns - 5, gpu = NULL WHERE rowid % 4 = 2",
	};
	draw_recording(200);
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		change(changes[i]);
		free(answer("SELECT * FROM v_lane_busy"));
		free(answer("SELECT * FROM v_sm_busy"));
		free(answer("SELECT * FROM v_utilisation"));
	}
	change("UPDATE segment_interval SET start_ns = 0, end_ns = 9223372036854775807, code = 4");
	char *text = answer("SELECT * FROM v_lane_busy");
	assert_non_null(strstr(text, "integer overflow"));
	free(text);
}
