/* tests/unit/test_writers.c - both writers on random rows: bulk tables written as pages (db/paged.h), and
 * written by SQLite, which is the reference. Files must be sound, and have the same rows at the same places.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/content_digest.h"
#include "db/paged.h"
#include "db/sql.h"
#include "tests/support/test.h"
#include "tests/unit/db_sample.h"

TEST_NUMBER(cases, TEST_CASES(24));

#define ROWS_MAX 6000

static struct error err;

static int clean(void **state)
{
	sample_clean();
	return 0;
}

ALL_TESTS(NULL, clean);

/* ---- random rows ---- */

static uint64_t state_of_draws;

static uint64_t draw(void)
{
	uint64_t z = state_of_draws += 0x9e3779b97f4a7c15;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* Any number of bits, or next to a limit of a size in the file; sometimes NULL. */
static int64_t any_integer(void)
{
	uint64_t r = draw();
	unsigned bits = (unsigned)(draw() % 65);
	int64_t limit = (int64_t)(bits == 64 ? 0 : UINT64_C(1) << bits);
	switch (r % 8) {
	case 0:
		return DB_NULL;
	case 1:
		return (int64_t)(r >> 3) % 3 - 1;
	case 2:
		return (int64_t)((uint64_t)limit - (r >> 4) % 3);
	case 3:
		return (int64_t)(-(uint64_t)limit + (r >> 4) % 3);
	default:
		return (int64_t)(bits == 0 ? 0 : draw() >> (64 - bits));
	}
}

/* Indices of tasks must be those of the set. */
static void fill_row(enum row_type_id id, char *row)
{
	const struct row_type *type = &row_types[id];
	for (size_t i = 0; i < type->column_count; i++) {
		const struct row_column *c = &type->columns[i];
		int64_t value = any_integer();
		if (!row_is_member(c))
			continue;
		bool task = c->field == FIELD_TASK || c->field == FIELD_TASK_INDEX;
		uint32_t number = task ? (uint32_t)value & 1 : (uint32_t)value;
		uint16_t half = (uint16_t)value;
		if (c->field == FIELD_TASK_OR_NULL)
			value = value & 2 ? DB_NULL : value & 1;
		if (c->field == FIELD_U8)
			row[c->offset] = (char)value;
		else if (c->field == FIELD_U16)
			memcpy(row + c->offset, &half, sizeof(half));
		else if (task || c->field == FIELD_U32 || c->field == FIELD_U32_OR_NONE ||
			 c->field == FIELD_U32_OR_ZERO)
			memcpy(row + c->offset, &number, sizeof(number));
		else
			memcpy(row + c->offset, &value, sizeof(value));
	}
}

static bool write_rows(struct db_writer *w, enum row_type_id id, const void *rows, size_t count)
{
	switch (id) {
	case ROWS_RUN_SUB_CORE:
		return writer_run_sub_cores(w, rows, count, &err);
	case ROWS_HIST:
		return writer_hist(w, rows, count, &err);
	case ROWS_EPOCH:
		return writer_epochs(w, rows, count, &err);
	case ROWS_EPOCH_SM:
		return writer_epoch_sms(w, rows, count, &err);
	case ROWS_EPOCH_QUOTA:
		return writer_epoch_quotas(w, rows, count, &err);
	case ROWS_WARP_ISSUE:
		return writer_warp_issues(w, rows, count, &err);
	case ROWS_JOB:
		return writer_jobs(w, rows, count, &err);
	case ROWS_SEGMENT_INTERVAL:
		return writer_segment_intervals(w, rows, count, &err);
	case ROWS_BLOCK_INTERVAL:
		return writer_block_intervals(w, rows, count, &err);
	case ROWS_POWER_INTERVAL:
		return writer_power_intervals(w, rows, count, &err);
	case ROWS_DECISION:
		return writer_decisions(w, rows, count, &err);
	case ROWS_CONTEXT_INTERVAL:
		return writer_context_intervals(w, rows, count, &err);
	default:
		return error_set(&err, STATUS_INPUT, "%s is not written by this test", row_types[id].table);
	}
}

/* ---- two files ---- */

/* None, a few, or several pages full. */
static size_t any_count(void)
{
	static const size_t most[] = {1, 4, 50, 700, ROWS_MAX};
	return draw() % most[draw() % 5];
}

static void write_run(struct db_writer *w, const struct sample *ids, int64_t seed)
{
	static char rows[ROWS_MAX * 256];
	bool there;
	struct run_row run = sample_run(ids, ids->rm_id, seed);
	assert_ok(writer_begin_run(w, &run, &there, &err));
	for (uint64_t batches = draw() % 12; batches > 0; batches--) {
		enum row_type_id id;
		do
			id = (enum row_type_id)(draw() % ROW_TYPES);
		while (!paged_takes(id));
		size_t count = any_count(), size = row_types[id].row_size;
		assert_true(ROWS_MAX * size <= sizeof(rows));
		for (size_t i = 0; i < count; i++)
			fill_row(id, rows + i * size);
		assert_ok(write_rows(w, id, rows, count));
		if (draw() % 8 == 0)
			assert_ok(writer_commit(w, &err));
	}
	assert_ok(draw() % 4 ? writer_end_run(w, &run, &err) : writer_discard_run(w, &err));
}

static void write_file(enum writer_kind kind, const char *file, uint64_t number)
{
	struct sample ids;
	struct db_writer *w = writer_open_as(kind, file, true, &err);
	if (!w)
		fail_msg("%s", err.text);
	state_of_draws = number << 32;
	assert_ok(sample_things(w, &ids, &err));
	for (int64_t runs = (int64_t)(draw() % 6), i = 0; i < runs; i++)
		write_run(w, &ids, 100 + i);
	assert_ok(writer_finish(w, NULL, &err));
}

static void assert_none(sqlite3 *db, const char *what, const char *sql)
{
	int64_t count;
	assert_ok(sql_query_integer(db, sql, &count, "both", &err));
	if (count != 0)
		fail_msg("%s: %lld", what, (long long)count);
}

static void execute(const char *file, const char *sql)
{
	sqlite3 *db;
	assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
	assert_ok(sql_exec(db, sql, file, &err));
	sqlite3_close(db);
}

static void compare_tables(const char *a, const char *b)
{
	sqlite3 *db;
	char sql[1200];
	assert_int_equal(sqlite3_open(a, &db), SQLITE_OK);
	snprintf(sql, sizeof(sql), "ATTACH '%s' AS b", b);
	assert_ok(sql_exec(db, sql, a, &err));
	for (int id = 0; id < ROW_TYPES; id++) {
		const char *table = row_types[id].table;
		/* With their places */
		snprintf(sql, sizeof(sql),
			"SELECT count(*) FROM (SELECT rowid, * FROM main.%s EXCEPT"
			" SELECT rowid, * FROM b.%s)",
			table, table);
		assert_none(db, table, sql);
		snprintf(sql, sizeof(sql),
			"SELECT (SELECT count(*) FROM main.%s) <> (SELECT count(*) FROM b.%s)", table, table);
		assert_none(db, table, sql);
	}
	sqlite3_close(db);
}

/* Of which tables and indexes they are. */
static void compare_statistics(const char *a, const char *b)
{
	sqlite3 *db;
	char sql[600];
	assert_int_equal(sqlite3_open(a, &db), SQLITE_OK);
	snprintf(sql, sizeof(sql), "ATTACH '%s' AS b", b);
	assert_ok(sql_exec(db, sql, a, &err));
	assert_none(db, "statistics of indexes",
		"SELECT count(*) FROM (SELECT tbl, idx FROM main.sqlite_stat1 EXCEPT SELECT tbl, idx FROM"
		" b.sqlite_stat1)");
	assert_none(db, "number of statistics",
		"SELECT (SELECT count(*) FROM main.sqlite_stat1) - (SELECT count(*) FROM b.sqlite_stat1)");
	sqlite3_close(db);
}

static void digest_of(const char *file, char text[2 * DIGEST_TEXT])
{
	struct content_digest digest;
	struct db_reader *r = reader_open(file, &err);
	assert_ok(r && content_digest(r, &digest, &err));
	reader_close(r);
	memcpy(text, digest.text, sizeof(digest.text));
}

/* Every page belongs to something; where SQLite can tell. */
static void check_pages(const char *file)
{
	sqlite3 *db;
	sqlite3_stmt *stmt = NULL;
	assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
	if (sqlite3_prepare_v2(db,
		    "SELECT (SELECT count(*) FROM dbstat) - (SELECT page_count FROM pragma_page_count)", -1,
		    &stmt, NULL) == SQLITE_OK) {
		assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
		assert_int_equal(sqlite3_column_int64(stmt, 0), 0);
	}
	sqlite3_finalize(stmt);
	sqlite3_close(db);
}

static void check_file(const char *file, const char *digest)
{
	char text[2 * DIGEST_TEXT];
	assert_string_equal(sample_rows(file, "PRAGMA integrity_check"), "ok");
	digest_of(file, text);
	assert_string_equal(text, digest);
}

TEST("both writers write the same rows")
{
	char pages[512], sqlite[512], vacuumed[512], sql[600], digest[2 * DIGEST_TEXT];
	snprintf(pages, sizeof(pages), "%s", sample_path("pages.db"));
	snprintf(sqlite, sizeof(sqlite), "%s", sample_path("sqlite.db"));
	snprintf(vacuumed, sizeof(vacuumed), "%s", sample_path("vacuumed.db"));
	for (uint64_t number = 0; number < cases; number++) {
		write_file(WRITER_PAGES, pages, number);
		write_file(WRITER_SQLITE, sqlite, number);
		digest_of(sqlite, digest);
		check_file(pages, digest);
		check_pages(pages);
		compare_tables(pages, sqlite);
		unlink(vacuumed);
		snprintf(sql, sizeof(sql), "VACUUM INTO '%s'", vacuumed);
		execute(pages, sql);
		check_file(vacuumed, digest);
		execute(vacuumed, "DELETE FROM sqlite_stat1; ANALYZE");
		compare_statistics(pages, vacuumed);
		compare_statistics(vacuumed, sqlite);
	}
}

/* What is written into a finished file behind its pages: SQLite takes them for its own. */
TEST("a file of pages is written on by SQLite")
{
	char file[512];
	snprintf(file, sizeof(file), "%s", sample_path("pages.db"));
	for (uint64_t number = 0; number < 3; number++) {
		write_file(WRITER_PAGES, file, number);
		int64_t jobs = sample_integer(file, "SELECT count(*) FROM job");
		execute(file,
			"INSERT INTO job (run_id, task_id, seq) SELECT run_id, 1, 7 FROM job LIMIT 3000");
		execute(file, "DELETE FROM job WHERE rowid % 3 = 0");
		assert_string_equal(sample_rows(file, "PRAGMA integrity_check"), "ok");
		assert_true(jobs == 0 || sample_integer(file, "SELECT count(*) FROM job WHERE seq = 7") > 0);
	}
}

/* ---- files that are larger than what waits in memory ---- */

#define LARGE_JOBS 100000 /* some 4 MB */

static char large[512], part[540], whole[540];

/* Begins one, with a text of so many bytes that SQLite writes. */
static struct db_writer *begin_large(enum writer_kind kind, bool overwrite, size_t text_size)
{
	static struct job_row jobs[LARGE_JOBS];
	struct sample ids;
	bool there;
	char *text = malloc(text_size + 1);
	assert_non_null(text);
	memset(text, 'x', text_size);
	text[text_size] = '\0';
	const struct scenario_row scenario = {
		.kind = "scenario", .name = "large", .text = text, .tool_version = "test"};
	int64_t scenario_id;
	snprintf(large, sizeof(large), "%s", sample_path("large.db"));
	snprintf(part, sizeof(part), "%s.part", large);
	snprintf(whole, sizeof(whole), "%s.part-pages", large);
	if (!overwrite) {
		unlink(large);
		unlink(part);
	}
	struct db_writer *w = writer_open_as(kind, large, overwrite, &err);
	assert_ok(w && sample_things(w, &ids, &err));
	struct run_row run = sample_run(&ids, ids.rm_id, 1);
	state_of_draws = 1;
	for (size_t i = 0; i < LARGE_JOBS; i++)
		fill_row(ROWS_JOB, (char *)&jobs[i]);
	assert_ok(writer_begin_run(w, &run, &there, &err) && writer_jobs(w, jobs, LARGE_JOBS, &err) &&
		  writer_end_run(w, &run, &err));
	assert_ok(writer_scenario(w, &scenario, &scenario_id, &err));
	free(text);
	return w;
}

static void check_large(const char *file)
{
	assert_string_equal(sample_rows(file, "PRAGMA integrity_check"), "ok");
	assert_int_equal(sample_integer(file, "SELECT count(*) FROM job"), LARGE_JOBS);
	assert_int_equal(sample_integer(file, "SELECT count(*) FROM job INDEXED BY job_run WHERE run_id = 1"),
		LARGE_JOBS);
	check_pages(file);
}

/* Fewer, as many, and more pages of SQLite's than of ours. */
TEST("a file has the pages of both, whichever are copied")
{
	static const size_t sizes[] = {
		0, 100000, 1000000, 3000000, 5000000, 6000000, 7000000, 8000000, 20000000};
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct stat is, was;
		char digest[2 * DIGEST_TEXT];
		assert_ok(writer_finish(begin_large(WRITER_SQLITE, true, sizes[i]), NULL, &err));
		digest_of(large, digest);
		assert_int_equal(stat(large, &was), 0);
		assert_ok(writer_finish(begin_large(WRITER_PAGES, true, sizes[i]), NULL, &err));
		check_large(large);
		check_file(large, digest);
		assert_int_equal(stat(large, &is), 0);
		assert_int_equal(is.st_mode, was.st_mode);
		assert_true(access(part, F_OK) != 0 && access(whole, F_OK) != 0);
	}
}

TEST("a file that appears meanwhile is kept, and so is what was written")
{
	struct db_writer *w = begin_large(WRITER_PAGES, false, 0);
	FILE *f = fopen(large, "w");
	assert_true(f && fclose(f) == 0);
	assert_false(writer_finish(w, NULL, &err));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_non_null(strstr(err.text, "exists already"));
	assert_true(access(whole, F_OK) != 0);
	check_large(part);
}

/* What a writer left that died in its last moment is removed; where the name cannot be had, all goes into
 * FILE.part. */
TEST("something has the name of the file that had none")
{
	struct db_writer *w = begin_large(WRITER_PAGES, false, 0);
	FILE *f = fopen(whole, "w");
	assert_true(f && fclose(f) == 0);
	assert_ok(writer_finish(w, NULL, &err));
	check_large(large);
	assert_true(access(part, F_OK) != 0 && access(whole, F_OK) != 0);
	w = begin_large(WRITER_PAGES, true, 0);
	assert_int_equal(mkdir(whole, 0700), 0);
	assert_ok(writer_finish(w, NULL, &err));
	check_large(large);
	assert_true(access(part, F_OK) != 0);
	assert_int_equal(rmdir(whole), 0);
}

/* Else the entries of an index would not be in order. */
TEST("rows that are copied come in the order of their runs")
{
	static const char *const orders[] = {"VALUES (1, 1, 1, 1, 1), (1, 1, 2, 1, 1), (7, 1, 1, 1, 1)",
		"VALUES (2, 1, 1, 1, 1), (1, 1, 1, 1, 1)", "VALUES (NULL, 1, 1, 1, 1)"};
	for (int i = 0; i < 3; i++) {
		sqlite3 *db;
		sqlite3_stmt *rows;
		bool ok = true;
		struct paged *p = paged_create(sample_path("copied"), 1, &err);
		assert_ok(p != NULL);
		assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
		assert_int_equal(sqlite3_prepare_v2(db, orders[i], -1, &rows, NULL), SQLITE_OK);
		while (ok && sqlite3_step(rows) == SQLITE_ROW)
			ok = paged_copy(p, ROWS_HIST, rows, &err);
		assert_true(ok == (i == 0));
		assert_true(ok || (err.status == STATUS_INPUT && strstr(err.text, "order of their runs")));
		assert_int_equal(paged_rowid(p, ROWS_HIST), i == 0 ? 3 : i == 1 ? 1 : 0);
		sqlite3_finalize(rows);
		sqlite3_close(db);
		paged_destroy(p);
	}
}

TEST("all tables without keys of their own are written as pages")
{
	int count = 0;
	for (int id = 0; id < ROW_TYPES; id++)
		count += paged_takes((enum row_type_id)id);
	assert_int_equal(count, 12);
	assert_true(paged_takes(ROWS_JOB) && !paged_takes(ROWS_RUN) && !paged_takes(ROWS_MEASURED));
}
