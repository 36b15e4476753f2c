/* tests/unit/test_figures.c - figures are read from their file: headers, shared SQL and common tables. Each
 * one must be SQL that this recording can answer, with the columns that its chart needs. */
#include <stdio.h>
#include <string.h>

#include "report/drawn.h"
#include "report/figures.h"
#include "tests/support/test.h"
#include "tests/unit/db_sample_reader.h"

ALL_TESTS(open_sample, close_sample);

/* ---- files of queries ---- */

static const char queries[] =
	"-- a comment\n\n-- name: one\n-- title: the first\n-- param: run = 3 - the run\n-- fixed:"
	" part = 2 and more\n"
	"-- with: b a\n-- y: time (ms)\nWITH RECURSIVE\nown AS (SELECT 1 AS x)\nSELECT x FROM own;\n\n"
	"-- name: two\n-- title: the second\n-- sql: one\n-- fixed: part = 4\n-- param: other - another\n\n"
	"-- name: three\n-- with: a\nSELECT 3;\n-- name: four\nWITH own AS (SELECT 4 AS y)"
	" SELECT y FROM own;\n";
static const char common[] =
	"-- what they share\n\n-- name: a\n-- says what it is\na AS (SELECT 5),\naa AS (SELECT 6)\n\n"
	"-- name: b\nb AS (SELECT 7)\n\n";

static struct named_query query_of(size_t index)
{
	struct named_query query;
	assert_true(query_file_at((struct query_file){queries, queries + strlen(queries)}, index, &query));
	return query;
}

static void assert_sql(size_t index, const char *should)
{
	struct named_query query = query_of(index);
	struct text sql = {0};
	query_compose(&query, (struct query_file){common, common + strlen(common)}, &sql);
	assert_string_equal(text_data(&sql), should);
	text_finish(&sql);
}

TEST("reads headers")
{
	char value[QUERY_LINE_MAX] = "";
	struct named_query query = query_of(0);
	assert_string_equal(query.title, "the first");
	assert_int_equal(query.param_count, 1);
	assert_string_equal(query.params[0].fallback, "3");
	assert_int_equal(query.fixed_count, 1);
	assert_string_equal(query.fixed[0].name, "part");
	assert_string_equal(query.fixed[0].fallback, "2 and more");
	assert_true(query_header(&query, "y", value, sizeof(value)));
	assert_string_equal(value, "time (ms)");
	query = query_of(1);
	assert_false(query_header(&query, "y", value, sizeof(value)));
	assert_string_equal(query.title, "the second");
	assert_string_equal(query.params[0].name, "other");
	assert_string_equal(query.fixed[0].fallback, "4");
	assert_false(query_file_at((struct query_file){queries, queries + strlen(queries)}, 4, &query));
}

TEST("composes SQL")
{
	const char *one =
		"-- title: the first\n-- param: run = 3 - the run\n-- fixed: part = 2 and more\n"
		"-- y: time (ms)\n"
		"WITH RECURSIVE\nb AS (SELECT 7),\na AS (SELECT 5),\naa AS (SELECT 6),\nown AS (SELECT 1 AS"
		" x)\nSELECT x FROM own;\n\n";
	assert_sql(0, one);
	assert_sql(1, one);
	assert_sql(2, "WITH RECURSIVE\na AS (SELECT 5),\naa AS (SELECT 6)\nSELECT 3;\n");
	assert_sql(3, "WITH own AS (SELECT 4 AS y) SELECT y FROM own;\n");
}

/* ---- parameters ---- */

TEST("binds parameters")
{
	struct named_query query = query_of(0);
	struct parameters none = {0}, given = {.given = {"run=2.5", "name=a=b"}, .count = 2},
			  wrong = {.given = {"nix=1"}, .count = 1};
	bool row;
	struct db_cursor *c = cursor_open(reader, "SELECT :run, typeof(:run), :part, :name", &err);
	assert_non_null(c);
	assert_true(parameters_bind(&none, &query, c, &err) && cursor_next(c, &row, &err) && row);
	assert_int_equal(cursor_integer(c, 0), 3);
	assert_string_equal(cursor_text(c, 1), "integer");
	assert_string_equal(cursor_text(c, 2), "2 and more");
	assert_true(cursor_kind(c, 3) == VALUE_NULL);
	cursor_close(c);
	c = cursor_open(reader, "SELECT :run, typeof(:run), :part, :name", &err);
	assert_non_null(c);
	assert_true(parameters_bind(&given, &query, c, &err) && cursor_next(c, &row, &err) && row);
	assert_string_equal(cursor_text(c, 1), "real");
	assert_string_equal(cursor_text(c, 3), "a=b");
	assert_string_equal(parameters_value(&given, &query, "run"), "2.5");
	assert_string_equal(parameters_value(&none, &query, "run"), "3");
	assert_string_equal(parameters_value(&none, &query, "nix"), "");
	cursor_close(c);
	c = cursor_open(reader, "SELECT :run", &err);
	assert_non_null(c);
	assert_false(parameters_bind(&wrong, NULL, c, &err));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_string_equal(err.text, "the query has no parameter 'nix'; it has: run");
	cursor_close(c);
}

/* ---- the figures that there are ---- */

/* Each figure has its own name, says what it shows, and is drawn or says what is missing; it has no
 * mistakes. */
TEST("every figure is in order")
{
	struct named_query query, other;
	size_t count = 0;
	for (; figure_at(count, &query); count++) {
		struct figure_call call = {.reader = reader, .query = &query};
		struct text body = {0};
		double width = 0, height = 0;
		char line[QUERY_LINE_MAX];
		assert_true(figure_find(query.name, &other) && other.text == query.text);
		assert_true(*query.title);
		if (query_header(&query, "drawn", line, sizeof(line)))
			assert_non_null(drawn_find(line));
		else
			assert_true(query_header(&query, "nothing", line, sizeof(line)));
		if (!figure_make(&call, &body, &width, &height, &err) && err.status != STATUS_NO)
			fail_msg("%s: %s", query.name, err.text);
		assert_true(body.length == 0 || (width > 1 && width <= 8 && height > 0.5 && height < 20));
		text_finish(&body);
	}
	assert_true(count > 40);
	assert_false(figure_find("policy_name", &query));
}
