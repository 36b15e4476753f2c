/* tests/unit/test_packed.c - sets of random segments, packed (db/packed.h) and as rows: the view, the table
 * in front of it, digests, and parts that are put together. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "db/content_digest.h"
#include "db/merge.h"
#include "db/strange.h"
#include "db/units.h"
#include "tests/support/test.h"
#include "tests/unit/db_sample.h"

TEST_NUMBER(cases, TEST_CASES(24));

#define SEGMENTS_MAX 55300
#define TASKS 4

static struct error err;

static int clean(void **state)
{
	sample_clean();
	return 0;
}

ALL_TESTS(NULL, clean);

/* ---- random sets ---- */

static struct segment_row segments[SEGMENTS_MAX];
static char names[SEGMENTS_MAX][16];
static uint64_t drawn;

static uint64_t draw(uint64_t below)
{
	drawn = drawn * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (drawn >> 33) % below;
}

static int64_t draw_time(void)
{
	static const int64_t extremes[] = {DB_NULL, 0, 1, -1, INT64_MAX, INT64_MIN + 1, 9007199254740993};
	return draw(4) ? (int64_t)draw(100000000) : extremes[draw(7)];
}

static struct segment_row draw_segment(uint32_t task, int64_t index)
{
	static const char *const kinds[] = {"cpu", "copy", "kernel", "wait"};
	static const char *const texts[] = {
		NULL, NULL, NULL, "", "{\"2\": [3, 4]}", "a\"\\\n'\u00e9", "\U0001F600"};
	struct segment_row s = {.task = task, .segment_idx = index, .kind = kinds[draw(4)]};
	s.best_ns = draw_time();
	s.worst_ns = draw(2) ? s.best_ns : draw_time();
	s.stream = draw(3) ? DB_NULL : (int64_t)draw(3) - 2;
	s.bytes = draw(8) ? DB_NULL : draw_time();
	s.grid_blocks = s.block_threads = s.registers = s.shared_memory = s.overhead_ns = DB_NULL;
	s.profile_idx = s.dynamic_uw = s.carveout = s.idempotent = s.async = s.gpu = DB_NULL;
	s.form = draw(4) ? NULL : "work";
	s.interleave = texts[draw(7)];
	s.name = draw(6) ? NULL : texts[draw(7)];
	s.copy_times = draw(9) ? NULL : "[1, 2]";
	s.program = draw(9) ? NULL : "{\"steps\": []}";
	return s;
}

/* One that only its name tells from the others. */
static struct segment_row named(uint32_t task, int64_t index)
{
	struct segment_row s = draw_segment(task, index);
	snprintf(names[index], sizeof(names[index]), "n%lld", (long long)index);
	s.name = names[index];
	return s;
}

/* Tasks have 0, 1, or up to `most` segments. */
static struct taskset_row draw_set(uint64_t seed, size_t most, bool distinct)
{
	static struct task_row tasks[TASKS];
	struct taskset_row set = sample_taskset();
	size_t count = 0;
	drawn = seed;
	for (uint32_t t = 0; t < TASKS; t++) {
		int64_t last = t == 0 ? (int64_t)most : (int64_t)draw(t == 1 ? 2 : most);
		tasks[t] = set.tasks[0];
		tasks[t].task = t;
		tasks[t].trace_id = DB_NULL;
		for (int64_t i = 0; i < last && count < SEGMENTS_MAX; i++)
			segments[count++] = distinct ? named(t, i) : draw_segment(t, i);
		if (distinct)
			most = 3;
	}
	set.tasks = tasks;
	set.task_count = TASKS;
	set.segments = segments;
	set.segment_count = count;
	set.block_count = set.sample_count = set.after_count = set.chain_count = set.chain_task_count = 0;
	set.recipe = "{}";
	set.recipe_index = (int64_t)seed;
	return set;
}

/* ---- files ---- */

/* Sets first .. first + count - 1; packed: as units. */
static void write_sets(const char *name, uint64_t first, int count, size_t most, bool distinct, bool packed)
{
	const struct scenario_row scenario = {"campaign", "c.yaml", "cegsim: 1\n", "0.1.0"};
	int64_t id;
	struct db_writer *w = writer_open(sample_path(name), true, &err);
	assert_ok(w && writer_scenario(w, &scenario, &id, &err));
	struct db_units *u = packed ? units_open(w, &err) : NULL;
	for (int i = 0; i < count; i++) {
		struct taskset_row set = draw_set(first + (uint64_t)i, most, distinct);
		assert_ok(writer_taskset(w, &set, &id, &err));
		assert_ok(!packed || units_mark(u, (int64_t)first + i, 1, &err));
	}
	units_close(u);
	assert_ok(writer_finish(w, NULL, &err));
}

#define ROWS "SELECT * FROM segment ORDER BY task_id, segment_idx"

/* All values with their types, as a reader of the program has them. */
static char *rows_of(const char *name, const char *sql)
{
	struct text text = {0};
	struct db_reader *r = reader_open(sample_path(name), &err);
	assert_non_null(r);
	struct rows q = rows_open(r, sql, &err);
	while (rows_next(&q)) {
		for (int i = 0; i < cursor_columns(q.c); i++)
			text_printf(&text, "%d:%s|", cursor_kind(q.c, i),
				cursor_text(q.c, i) ? cursor_text(q.c, i) : "");
		text_add_char(&text, '\n');
	}
	assert_ok(rows_close(&q));
	reader_close(r);
	return text_take(&text);
}

static void assert_equal_rows(const char *a, const char *a_sql, const char *b, const char *b_sql)
{
	char *left = rows_of(a, a_sql), *right = rows_of(b, b_sql);
	assert_ok(left && right && left[0]);
	if (strcmp(left, right) != 0)
		fail_msg("%s: %s\n%s: %s", a, a_sql, b, b_sql);
	free(left);
	free(right);
}

static void assert_same_content(const char *a, const char *b)
{
	struct content_digest digests[2];
	const char *const files[] = {a, b};
	for (int i = 0; i < 2; i++) {
		struct db_reader *r = reader_open(sample_path(files[i]), &err);
		assert_ok(r && content_digest(r, &digests[i], &err));
		reader_close(r);
	}
	assert_string_equal(digests[0].text, digests[1].text);
}

static void compare_files(uint64_t seed, int count, size_t most, bool distinct)
{
	write_sets("rows.db", seed, count, most, distinct, false);
	write_sets("packed.db", seed, count, most, distinct, true);
	assert_equal_rows("rows.db", ROWS, "packed.db", ROWS);
	assert_equal_rows(
		"rows.db", ROWS, "packed.db", "SELECT * FROM main.segment ORDER BY task_id, segment_idx");
	assert_same_content("rows.db", "packed.db");
}

TEST("the view has the rows")
{
	for (int i = 0; i < (int)cases; i++)
		compare_files(7 * (uint64_t)i, 3, 1 + (size_t)i * 2, false);
	assert_string_equal(sample_rows(sample_path("packed.db"), "PRAGMA integrity_check"), "ok");
	assert_equal_rows("rows.db", "SELECT type FROM sqlite_master WHERE name = 'segment'", "packed.db",
		"SELECT replace(type, 'view', 'table') FROM sqlite_master WHERE name = 'segment'");
}

#define JOINED                                                                                               \
	"SELECT t.task_id, n.value, g.* FROM task t JOIN json_each('[0, 1, 5, -1, 700]') n LEFT JOIN"        \
	" segment g ON g.task_id = t.task_id AND g.segment_idx = n.value ORDER BY 1, 2"
#define CORRELATED                                                                                           \
	"SELECT task_id, (SELECT count(*) FROM segment g WHERE g.task_id = t.task_id), (SELECT max(g.kind)"  \
	" FROM segment g JOIN segment h USING (task_id, segment_idx) WHERE g.task_id = t.task_id)"           \
	" FROM task t ORDER BY 1"

TEST("joins of it")
{
	write_sets("rows.db", 99, 400, 12, false, false); /* tasks share places in memory */
	write_sets("packed.db", 99, 400, 12, false, true);
	assert_equal_rows("rows.db", JOINED, "packed.db", JOINED);
	assert_equal_rows("rows.db", CORRELATED, "packed.db", CORRELATED);
	assert_equal_rows("rows.db", "SELECT * FROM v_segment ORDER BY task_id, segment_idx", "packed.db",
		"SELECT * FROM v_segment ORDER BY task_id, segment_idx");
}

#define ACROSS                                                                                               \
	"SELECT * FROM main.segment WHERE task_id = 1 AND segment_idx IN (0, 79, 80, 2000, 55199, 55200,"    \
	" 55201, 55246, 55247, 55248, 55249, 55299) ORDER BY segment_idx"

/* Shape 55,248 would be the first surrogate, which SQLite does not read as what it is. */
TEST("more shapes than there are characters below the surrogates")
{
	write_sets("rows.db", 5, 1, SEGMENTS_MAX, true, false);
	write_sets("packed.db", 5, 1, SEGMENTS_MAX, true, true);
	assert_equal_rows("rows.db", ACROSS, "packed.db", ACROSS);
}

/* Ids of shapes go on from part to part. */
TEST("parts are put together")
{
	struct merge_part parts[2] = {0};
	bool cut;
	write_sets("whole.db", 30, 6, 20, false, true);
	write_sets("b.db", 33, 3, 20, false, true);
	write_sets("a.db", 30, 3, 20, false, true);
	for (int i = 0; i < 2; i++)
		assert_ok(part_read(sample_path(i ? "a.db" : "b.db"), true, &parts[i], &err));
	struct db_writer *w = writer_open(sample_path("merged.db"), true, &err);
	assert_ok(w && merge_parts(w, parts, 2, NULL, NULL, &cut, &err) && writer_finish(w, NULL, &err));
	for (int i = 0; i < 2; i++)
		part_finish(&parts[i]);
	assert_equal_rows("whole.db", ROWS, "merged.db", ROWS);
	assert_equal_rows(
		"whole.db", "SELECT * FROM task_segments", "merged.db", "SELECT * FROM task_segments");
	assert_same_content("whole.db", "merged.db");
}

static void change(const char *name, const char *sql)
{
	sqlite3 *db;
	assert_int_equal(sqlite3_open(sample_path(name), &db), SQLITE_OK);
	if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	sqlite3_close(db);
}

/* What the program makes of texts by itself, and what it asks the view about: the rows are those of the view.
 */
TEST("texts of others")
{
	static const char *const changes[] = {
		"times = '[1,[2,3],[4,\"\"],"
		"[5,\"\",\"\"],[6,7,\"{\\\"2\\\": \\\\ 1}\"],null,[null,8],[9,null]]'",
		"times = '[ 1, [2,3]]'",
		"times = '[1,[2,3,\"a\\nb\"],[2,3,\"\\u00e9\"]]'",
		"times = '[9223372036854775807,-9223372036854775807,-9223372036854775808,"
		"92233720368547758080]'",
		"times = '[1.5,\"7\",true,[1],[],[2,\"x\"],[1,2,3],[1,2,\"s\",4],{\"a\": 1}]'",
		"times = '[]'",
		"shapes = '0'",
		"shapes = shapes || '00'",
		"shapes = ''",
		"shapes = '0' || char(55295, 65536, 1, 57344) || '0'",
		"shapes = CAST(shapes AS BLOB)",
		"shapes = '0' || CAST(x'c080' AS TEXT) || '000'",
		"shapes = replace(shapes, '0', 'z')",
		"first_shape_id = first_shape_id + 1",
		"first_shape_id = 9223372036854775807",
		"first_shape_id = 'none'",
	};
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		char sql[400];
		write_sets("packed.db", 31, 2, 9, false, true);
		snprintf(sql, sizeof(sql), "UPDATE task_segments SET shapes = '%s', %s WHERE task_id = 1",
			"00000000", changes[i]);
		if (strncmp(changes[i], "shapes", 6) == 0)
			snprintf(sql, sizeof(sql), "UPDATE task_segments SET %s WHERE task_id = 1",
				changes[i]);
		change("packed.db", sql);
		assert_equal_rows("packed.db", "SELECT * FROM segment ORDER BY task_id, segment_idx",
			"packed.db", "SELECT * FROM main.segment ORDER BY task_id, segment_idx");
		assert_equal_rows("packed.db", "SELECT g.* FROM task t LEFT JOIN segment g USING (task_id)",
			"packed.db", "SELECT g.* FROM task t LEFT JOIN main.segment g USING (task_id)");
	}
}

TEST("another view is a stranger's")
{
	write_sets("packed.db", 31, 2, 9, false, true);
	char *view = strdup(sample_rows(
		sample_path("packed.db"), "SELECT sql FROM sqlite_master WHERE name = 'segment'"));
	struct text sql = {0};
	text_printf(&sql, "DROP VIEW segment; %s WHERE h.kind <> 'cpu'", view);
	change("packed.db", text_data(&sql));
	free(view);
	text_finish(&sql);
	assert_null(reader_open(sample_path("packed.db"), &err));
	assert_non_null(strstr(err.text, "'segment' is no table of it, but a view"));
}

/* Bug: audit and validate worked for as long, and took as much memory, as such a column asked for. */
TEST("what calls functions or joins texts is a stranger's")
{
	static const char *const changes[] = {
		"ALTER TABLE task ADD COLUMN x AS (length(hex(zeroblob(period_ns))))",
		"ALTER TABLE run ADD COLUMN x CHECK (x IS NULL OR hex(zeroblob(x)) <> '')",
		"CREATE INDEX x ON analysis_run (hex(zeroblob(analysis_run_id)))",
		"ALTER TABLE meta ADD COLUMN x AS (key || value)",
		"ALTER TABLE taskset ADD COLUMN x AS (taskset_id IN (nullif(1, 2), abs(1)))",
	};
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		write_sets("packed.db", 31, 2, 9, false, true);
		change("packed.db", changes[i]);
		sqlite3 *db = NULL; /* to be written: SQLite drops CHECKs of a file that is read only */
		assert_int_equal(
			strange_open(sample_path("packed.db"), SQLITE_OPEN_READWRITE, NULL, &db), SQLITE_OK);
		assert_false(strange_tables(db, "main", "packed.db", &err));
		assert_int_equal(sqlite3_close(db), SQLITE_OK);
		assert_non_null(strstr(err.text, "computes what cegsim's does not"));
	}
}

#define MUCH "length(hex(zeroblob(400000000)))"
#define TWICE(x) x " + " x
#define ALSO(name, value) "ALTER TABLE task ADD COLUMN " name " AS (" value "); "

/* Bug: with the schema SQLite reads its statistics, before anybody can look at how their columns are
 * computed. Such a recording took 10 s and 3 GB, or any more, to open. */
TEST("statistics that are computed are a stranger's, and are not computed")
{
	static const char *const columns[] = {
		"tbl AS (" TWICE(MUCH) "), idx, stat",
		"tbl AS (" TWICE(TWICE(TWICE(TWICE(TWICE(TWICE(TWICE("idx"))))))) "), idx, stat",
		"tbl AS (like('%a%a%a%a%a%a%a%a%a%b', replace(hex(zeroblob(20000)), '0', 'a'))), idx, stat",
		"tbl, idx, stat, more",
	};
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		char sql[2000];
		write_sets("packed.db", 31, 2, 9, false, true);
		snprintf(sql, sizeof(sql),
			"ANALYZE; PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = "
			"\"CREATE TABLE sqlite_stat1(%s)\" WHERE name = 'sqlite_stat1'",
			columns[i]);
		change("packed.db", sql);
		clock_t from = clock();
		assert_null(reader_open(sample_path("packed.db"), &err));
		assert_true(clock() - from < 20 * (clock_t)CLOCKS_PER_SEC);
		assert_int_equal(err.status, STATUS_INPUT);
		assert_non_null(
			strstr(err.text, i == 1 ? "to read its schema is more work than any of cegsim's is"
						: "but statistics that SQLite does not make"));
	}
}

/* Bug: it said that there was not enough memory. */
TEST("a row that computes for long is told with the limit")
{
	static const char five[] = ALSO("a", TWICE(TWICE(TWICE(TWICE(TWICE("period_ns")))))) ALSO("b",
		TWICE(TWICE(TWICE(TWICE(TWICE("a")))))) ALSO("c", TWICE(TWICE(TWICE(TWICE(TWICE("b"))))));
	write_sets("packed.db", 31, 2, 9, false, true);
	change("packed.db", five);
	assert_null(reader_open(sample_path("packed.db"), &err));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_non_null(strstr(err.text,
		"for a row of its table 'task' SQLite wants room for more than 20000 instructions"));
}
