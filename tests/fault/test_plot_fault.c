/* tests/fault/test_plot_fault.c - every allocation between a query and its script fails once: the caller
 * learns of it, or the script is complete. Linked with --wrap for malloc, calloc, realloc and strdup. */
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "report/figures.h"
#include "tests/support/failing_memory.h"
#include "tests/support/test.h"
#include "tests/unit/db_sample.h"

static struct error err;

/* ---- the failing call ---- */

/* ---- figures ---- */

static bool draw(const struct figure_call *call, struct text *body)
{
	double width, height;
	return figure_make(call, body, &width, &height, &err) && text_ok(body, "drawing a figure", &err);
}

static bool draw_sql(const struct figure_call *call, const char *sql, enum chart_kind kind, struct text *body)
{
	double width, height;
	struct chart_style style = {
		.kind = kind, .x = "a long label that is broken into two lines, it is so long", .y = "y"};
	return figure_of_sql(call, sql, &style, body, &width, &height, &err) &&
	       text_ok(body, "drawing a figure", &err);
}

/* `sql` NULL: the query of the call's figure. */
static void fail_everywhere(const struct figure_call *call, const char *sql, enum chart_kind kind)
{
	struct text whole = {0};
	if (!(sql ? draw_sql(call, sql, kind, &whole) : draw(call, &whole)))
		fail_msg("%s", err.text);
	for (long after = 0;; after++) {
		struct text body = {0};
		memory_failed = false;
		memory_countdown = after;
		bool ok = sql ? draw_sql(call, sql, kind, &body) : draw(call, &body);
		memory_countdown = -1;
		if (ok)
			assert_string_equal(text_data(&body), text_data(&whole));
		else
			assert_int_equal(err.status, STATUS_IO);
		text_finish(&body);
		if (!memory_failed) {
			assert_in_range(after, 10, 100000);
			break;
		}
		assert_true(after < 100000);
	}
	text_finish(&whole);
}

/* The first task sees, the second one reads it: by their first jobs that finished. */
static void add_chain(const char *file)
{
	sqlite3 *db;
	assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
	assert_int_equal(
		sqlite3_exec(db,
			"INSERT INTO chain SELECT taskset_id, 0, 'sight', 'implicit', 'start', NULL, NULL"
			" FROM run WHERE run_id = 1;"
			"INSERT INTO chain_task SELECT taskset_id, 0, task_idx, task_idx FROM task"
			" WHERE task_idx < 1;"
			"INSERT INTO chain_run SELECT 1, 0, 1, 5, 5, 5, min(seq), min(seq), 1, 6, 6, 6,"
			" min(seq), min(seq) FROM job WHERE run_id = 1 AND outcome & 3 = 0"
			" AND task_id = (SELECT min(task_id) FROM task)",
			NULL, NULL, NULL),
		SQLITE_OK);
	sqlite3_close(db);
}

TEST("survives want of memory")
{
	const char *file = sample_path("plot.db");
	struct named_query query;
	if (!sample_write(file, &err))
		fail_msg("%s", err.text);
	add_chain(file);
	struct db_reader *reader = reader_open(file, &err);
	assert_non_null(reader);
	struct figure_call call = {.reader = reader, .query = &query};
	static const char *const names[] = {"misses", "response-box", "response-tail", "scaling"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_true(figure_find(names[i], &query));
		fail_everywhere(&call, NULL, CHART_CURVES);
	}
	fail_everywhere(&call,
		"WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 60) SELECT 'panel "
		"' || (i % 3) AS panel, 'a series of points ' || (i % 19) AS series, i AS x, i AS y FROM n",
		CHART_POINTS);
	fail_everywhere(&call,
		"SELECT 'a' AS series, 'one two' AS \"group\", 3 AS y UNION ALL SELECT 'b', 'two', -1",
		CHART_STACKS);
	assert_true(figure_find("gantt", &query));
	fail_everywhere(&call, NULL, CHART_CURVES);
	call.parameters = (struct parameters){.given = {"run=1", "chain=sight", "power=1"}, .count = 3};
	fail_everywhere(&call, NULL, CHART_CURVES);
	call.parameters = (struct parameters){0};
	call.series = "rm=RM,stgm (analysis),mine";
	fail_everywhere(&call,
		"WITH s (series, policy) AS (VALUES ('mine', NULL), ('stgm', NULL), "
		"('stgm (analysis)', 'stgm'), "
		"('rm', 'rm')) SELECT series, policy, policy = 'stgm' AS dashed, "
		"1 AS x, 2 AS y, 3 AS mark FROM s",
		CHART_CURVES);
	call.series = NULL;
	fail_everywhere(&call,
		"SELECT 'a' AS series, 't' AS \"group\", 1 AS least, 2 AS q1, 2 AS median, 2 AS q3, "
		"3 AS p99, 99 AS greatest",
		CHART_BOXES);
	reader_close(reader);
	sample_clean();
}
