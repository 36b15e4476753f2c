/* tests/unit/test_chart.c - rows become panels, series and points. Each kind of chart gives the script stored
 * in tests/data/charts. Whatever the names and numbers, no parts of a chart overlap. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "report/charts/layout.h"
#include "tests/support/test.h"
#include "tests/unit/db_sample_reader.h"

ALL_TESTS(open_sample, close_sample);

static bool read_sql(struct chart *c, const struct chart_style *style, const char *sql)
{
	struct db_cursor *rows = cursor_open(reader, sql, &err);
	assert_non_null(rows);
	chart_begin(c, style);
	bool ok = chart_read(c, rows, &err);
	cursor_close(rows);
	return ok;
}

/* ---- reading ---- */

TEST("takes rows in")
{
	struct chart c;
	struct chart_style style = {.kind = CHART_CURVES};
	assert_true(read_sql(&c, &style,
		"SELECT 'q' AS panel, 'b' AS series, 1 AS x, 2.5 AS y UNION ALL SELECT 'p', 'a', 3, 4 "
		"UNION ALL SELECT 'q', 'a', 5, NULL UNION ALL SELECT 'q', 'b', 6, 7"));
	assert_int_equal(c.panels.count, 2);
	assert_string_equal(c.panels.name[0], "q");
	assert_string_equal(c.series.name[0], "b");
	assert_int_equal(c.data_count, 3);
	assert_int_equal(c.points, 4);
	assert_int_equal(c.data[0].count, 2);
	assert_true(c.data[0].points[1].v.x == 6 && c.data[0].points[1].v.y == 7);
	assert_true(isnan(c.data[2].points[0].v.y) && c.data[2].points[0].v.x == 5);
	chart_finish(&c);
}

static void assert_refused(enum chart_kind kind, const char *sql, const char *text)
{
	struct chart c;
	struct chart_style style = {.kind = kind};
	assert_false(read_sql(&c, &style, sql));
	assert_int_equal(err.status, STATUS_INPUT);
	if (!strstr(err.text, text))
		fail_msg("%s", err.text);
	chart_finish(&c);
}

TEST("refuses columns")
{
	assert_refused(CHART_CURVES, "SELECT 1 AS x", "wants the columns [panel] [series] x y [low high]");
	assert_refused(CHART_CURVES, "SELECT 1 AS x, 2 AS y, 3 AS z",
		"column 'z' means nothing to a chart of curves");
	assert_refused(CHART_STEPS, "SELECT 1 AS x, 2 AS y, 3 AS low",
		"column 'low' means nothing to a chart of steps");
	assert_refused(CHART_BOXES, "SELECT 'a' AS \"group\", 1 AS y",
		"column 'y' means nothing to a chart of boxes");
	assert_refused(CHART_STACKS, "SELECT 1 AS y", "a chart of stacks wants");
}

TEST("names have one line")
{
	struct chart c;
	struct chart_style style = {.kind = CHART_POINTS};
	assert_true(read_sql(&c, &style, "SELECT 'a' || char(10) || 'EOD' AS series, 1 AS x, 2 AS y"));
	assert_string_equal(c.series.name[0], "a EOD");
	chart_finish(&c);
	assert_true(read_sql(&c, &style,
		"SELECT 'a' || char(10) || 'b' AS series, 1 AS x, 2 AS y UNION ALL SELECT 'a', 3, 4 "
		"UNION ALL SELECT 'a' || char(10) || 'b', 5, 6"));
	assert_int_equal(c.series.count, 2);
	assert_int_equal(c.data[0].count, 2);
	chart_finish(&c);
}

/* ---- growth ---- */

/* Draws `side` times `side` points, and counts the looks at names and points that it takes. */
static void count_looks(enum chart_kind kind, size_t side, const char *columns)
{
	struct chart c;
	struct chart_style style = {.kind = kind};
	struct text sql = {0}, script = {0};
	text_printf(&sql,
		"WITH RECURSIVE k (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM k WHERE i < %zu), "
		"n (i, a, b) AS (SELECT i, i / %zu, i * 7919 %% %zu FROM k) SELECT %s FROM n",
		side * side - 1, side, side, columns);
	assert_true(read_sql(&c, &style, text_data(&sql)) && chart_settle(&c, &err));
	assert_int_equal(c.points, side * side);
	assert_in_range(c.looks, c.points, 3 * c.points);
	uint64_t looks = c.panels.looks + c.series.looks + c.groups.looks;
	assert_in_range(looks, c.points, 3 * 9 * c.points); /* of 150 names one is found with 8 looks */
	chart_write(&c, &script);
	assert_false(script.failed);
	text_finish(&script);
	text_finish(&sql);
	chart_finish(&c);
}

/* A look at all points for each would be 5 * 10^8. */
TEST("work grows as the points")
{
	static const char boxes[] = "'s' || a AS series, 'g' || b AS \"group\", 0 AS least, 1 AS q1, 2 AS "
				    "median, 3 AS q3, 4 AS greatest, 5 AS p99";
	for (int kind = 0; kind < CHART_KINDS; kind++) {
		bool groups = kind == CHART_BARS || kind == CHART_STACKS;
		count_looks((enum chart_kind)kind, 150,
			kind == CHART_BOXES ? boxes
			: groups            ? "'g' AS \"group\", i AS y"
					    : "i AS x, i AS y");
		count_looks((enum chart_kind)kind, 150,
			kind == CHART_BOXES ? boxes
			: groups            ? "'s' || a AS series, 'g' || b AS \"group\", i AS y"
					    : "'p' || a AS panel, 's' || b AS series, i AS x, i AS y");
	}
	count_looks(CHART_CURVES, 150, "i AS x, i AS y, i - 1 AS low, i + 1 AS high");
}

TEST("stacks begin where those below them end")
{
	struct chart c;
	struct chart_style style = {.kind = CHART_STACKS};
	assert_true(read_sql(&c, &style,
		"SELECT column1 AS panel, column2 AS series, column3 AS \"group\", column4 AS y FROM (VALUES "
		"('p', 'a', 'g', 2), ('p', 'a', 'h', -1), ('p', 'b', 'g', 3), ('p', 'b', 'g', 4), "
		"('q', 'b', 'h', 5), ('p', 'b', 'h', -2), ('q', 'a', 'h', 6), ('p', 'c', 'g', 1), "
		"('p', 'c', 'h', NULL))"));
	assert_true(chart_settle(&c, &err));
	static const double base[3][3][3] = {{{0, 0}, {2, 2, -1}, {9, 0}}, {{0}, {6}}};
	for (size_t i = 0; i < c.data_count; i++)
		for (size_t k = 0; k < c.data[i].count; k++)
			assert_near(c.data[i].points[k].base, base[c.data[i].panel][c.data[i].series][k], 0);
	assert_near(c.panel[0].y.high, 10, 0);
	assert_near(c.panel[0].y.low, -3, 0);
	assert_near(c.panel[1].y.high, 11, 0);
	assert_near(c.panel[2].y.high, 11, 0);
	chart_finish(&c);
}

/* ---- scripts ---- */

static void compare_with_file(const char *name, const char *script)
{
	char path[512];
	struct text golden = {0};
	snprintf(path, sizeof(path), "%s/tests/data/charts/%s.gp", getenv("CEGSIM_SOURCE_ROOT"), name);
	if (getenv("CEGSIM_WRITE_GOLDEN")) {
		FILE *out = fopen(path, "w");
		assert_non_null(out);
		fputs(script, out);
		fclose(out);
	}
	FILE *f = fopen(path, "r");
	if (!f)
		fail_msg("%s cannot be read", path);
	for (int c; (c = fgetc(f)) != EOF;)
		text_add_char(&golden, (char)c);
	fclose(f);
	assert_string_equal(script, text_data(&golden));
	text_finish(&golden);
}

static void check_golden(const char *name, const struct chart_style *style, const char *sql)
{
	struct chart c;
	struct text script = {0};
	double width = 0, height = 0;
	if (!read_sql(&c, style, sql) || !chart_settle(&c, &err) || !chart_size(&c, &width, &height, &err))
		fail_msg("%s", err.text);
	text_printf(&script, "# %.3f x %.3f inches\n", width, height);
	chart_write(&c, &script);
	compare_with_file(name, text_data(&script));
	text_finish(&script);
	chart_finish(&c);
}

TEST("writes the scripts")
{
	struct chart_style curves = {
		.kind = CHART_CURVES,
		.x = "target utilisation",
		.y = "share",
		.y_range = "0:1.03",
		.line = "0.5",
	};
	check_golden("curves", &curves,
		"SELECT 'p' || column1 AS panel, column2 AS series, column3 AS x, column4 AS y, column4 - "
		"0.1 AS low, column4 + 0.05 AS high, column2 LIKE '%)' AS dashed FROM (VALUES "
		"(1, 'rm', 0.5, 0.9), (1, 'rm', 1, NULL), "
		"(1, 'rm', 1.5, 0.25), (1, 'fcfs', 0.5, 0.75), (2, 'fcfs', 1.5, 0.125), "
		"(2, 'rm (analysis)', 0.5, 0.5))");
	struct chart_style steps = {.kind = CHART_STEPS, .x = "time (ms)", .x_free = true, .columns = 1};
	check_golden("steps", &steps,
		"SELECT column1 AS panel, column2 AS x, column3 AS y, 12 AS mark FROM (VALUES ('a', 0, 3), "
		"('a', 10, 5), ('b', 0, 2), ('b', 100, 2), ('c', 0, 1), ('c', 1, 1))");
	struct chart_style points = {.kind = CHART_POINTS, .x_log = true, .y_log = true, .line = "diagonal"};
	check_golden("points", &points,
		"SELECT column1 AS x, column2 AS y FROM (VALUES (1, 0.5), (20, 3), (3000000, 4))");
	struct chart_style bars = {.kind = CHART_BARS, .y = "energy (J)"};
	check_golden("bars", &bars,
		"SELECT column1 AS series, column2 AS \"group\", column3 AS y, column4 AS low, column5 AS "
		"high FROM (VALUES ('rm', 'CPU', 0.5, NULL, NULL), ('rm', 'the SMs of the GPU', -0.25, -0.5, "
		"0.125), ('fcfs', 'CPU', 1, 0.75, 2))");
	struct chart_style stacks = {.kind = CHART_STACKS, .y_free = true};
	check_golden("stacks", &stacks,
		"SELECT column1 AS panel, column2 AS series, column3 AS \"group\", column4 AS y FROM (VALUES "
		"('gpu', 'static', 'rm', 2), ('gpu', 'static', 'fcfs', 3), ('gpu', 'idle', 'rm', 1), "
		"('small', 'idle', 'rm', -0.5), ('small', 'rest', 'rm', 0.25))");
	struct chart_style boxes = {.kind = CHART_BOXES, .width = 3.4, .height = 2.4};
	check_golden("boxes", &boxes,
		"SELECT column1 AS series, column2 AS \"group\", column3 AS least, column4 AS q1, column5 AS "
		"median, column6 AS q3, column7 AS greatest FROM (VALUES ('rm', 't1', 1, 2, 3, 5, 9), "
		"('fcfs', 't1', 1, 1, 1, 1, 1), ('rm', 't2', 4, 4.5, 5, 6, 30))");
	check_golden("percentiles", &boxes,
		"SELECT column1 AS series, column2 AS \"group\", column3 AS least, column4 AS q1, column5 AS "
		"median, column6 AS q3, column7 AS p99, column8 AS greatest FROM (VALUES "
		"('rm', 't1', 1, 2, 3, 5, 9, 400), ('fcfs', 't1', 1, 1, 1, 1, 1, 1))");
}

/* ---- axes ---- */

/* The numbers at the logarithmic y axis of one panel of that height, with blanks between them. */
static void assert_numbers(const char *low, const char *high, double height, const char *numbers)
{
	struct chart_style style = {.kind = CHART_CURVES, .y_log = true};
	struct text sql = {0}, seen = {0};
	char label[CHART_TIC_MAX];
	double value;
	text_printf(&sql, "SELECT 1 AS x, %s * 1.12 AS y UNION ALL SELECT 2, %s / 1.12", low, high);
	struct chart c;
	assert_true(read_sql(&c, &style, text_data(&sql)) && chart_settle(&c, &err));
	struct chart_axis a = chart_axis_of(&c, 'y', 0, height);
	for (size_t i = 0; chart_axis_tic(&a, i, &value, label); i++)
		text_printf(&seen, "%s%s", i ? " " : "", label);
	assert_string_equal(text_data(&seen), numbers);
	text_finish(&sql);
	text_finish(&seen);
	chart_finish(&c);
}

TEST("a logarithmic axis has two numbers, however small it is")
{
	assert_numbers("0.005", "1.1", 0.7, "0.01 0.1 1");
	assert_numbers("0.005", "1.1", 0.45, "0.01 1");
	assert_numbers("0.005", "1.1", 0.25, "0.01 1"); /* closer than elsewhere */
	assert_numbers("0.05", "50", 0.3, "0.1 10");    /* not every second power from 1 on */
	assert_numbers("0.2", "9", 0.3, "0.2 9");       /* there is one power only */
	assert_numbers("11", "14", 0.3, "11 14");
	assert_numbers("0.001", "1", 0.3, "0.001 1");
	assert_numbers("0.005", "1.1", 0.15, "1"); /* no room for two */
	assert_numbers("11000000", "14000000", 0.4, "1.1\u00b710^{7} 1.4\u00b710^{7}");
}

/* ---- layout ---- */

/* The random numbers for one chart. */
struct dice {
	struct random_key key;
};

static size_t roll(struct dice *d, size_t below)
{
	d->key.job++;
	return (size_t)random_upto(&d->key, (int64_t)below - 1);
}

static double roll_real(struct dice *d)
{
	return (double)roll(d, 1000001) / 1e6;
}

static void make_names(struct dice *d, struct chart_names *names, size_t count, size_t longest)
{
	static const char letters[] = "abcdefghijklmnop  WMil=,-.0123456789_";
	names->name = calloc(count, sizeof(names->name[0]));
	names->count = count;
	assert_non_null(names->name);
	for (size_t i = 0; i < count; i++) {
		size_t length = roll(d, longest) + 1;
		names->name[i] = calloc(1, length + 32);
		assert_non_null(names->name[i]);
		for (size_t k = 0; k < length; k++)
			names->name[i][k] = letters[roll(d, sizeof(letters) - 1)];
		sprintf(names->name[i] + length, "#%zu", i);
	}
}

static struct chart_values make_values(struct dice *d, double scale, double shift, size_t k)
{
	double y = scale * roll_real(d) + shift;
	return (struct chart_values){
		.x = scale * (double)k,
		.y = y,
		.low = y - scale / 9,
		.high = y + scale / 9,
		.q1 = y - scale / 20,
		.median = y,
		.q3 = y + scale / 20,
	};
}

static void make_chart(struct dice *d, struct chart *c)
{
	struct chart_style style = {
		.kind = (enum chart_kind)roll(d, 6),
		.x_free = roll(d, 4) == 0,
		.y_free = roll(d, 4) == 0,
		.x_log = roll(d, 5) == 0,
		.y_log = roll(d, 5) == 0,
	};
	strcpy(style.x, roll(d, 2) ? "time (ms)" : "");
	strcpy(style.y, roll(d, 3) ? "share of the sets that are schedulable by any analysis at all" : "W");
	chart_begin(c, &style);
	make_names(d, &c->panels, 1 + roll(d, 12), 40);
	make_names(d, &c->series, 1 + roll(d, 14), roll(d, 2) ? 12 : 70);
	c->traits = calloc(c->series.count, sizeof(c->traits[0]));
	assert_non_null(c->traits);
	for (size_t i = 0; i < c->series.count; i++)
		c->traits[i].dashed = roll(d, 3) == 0;
	make_names(d, &c->groups, 1 + roll(d, 30), roll(d, 2) ? 6 : 50);
	double scale = pow(10, (double)roll(d, 16) - 6), shift = roll(d, 3) ? 0 : -scale / 2;
	c->data = calloc(c->panels.count * c->series.count, sizeof(c->data[0]));
	assert_non_null(c->data);
	for (size_t i = 0; i < c->panels.count * c->series.count; i++) {
		struct chart_series *s = &c->data[c->data_count++];
		*s = (struct chart_series){.panel = i / c->series.count, .series = i % c->series.count};
		s->count = chart_has_groups(c) ? c->groups.count : roll(d, 5);
		s->points = calloc(s->count + 1, sizeof(s->points[0]));
		assert_non_null(s->points);
		for (size_t k = 0; k < s->count; k++)
			s->points[k] = (struct chart_point){
				.group = k % c->groups.count, .v = make_values(d, scale, shift, k)};
	}
	chart_set_looks(c);
	assert_true(chart_settle(c, &err));
}

static void check_axis(
	const struct chart *c, char name, size_t panel, double length, double left, double right)
{
	struct chart_axis a = chart_axis_of(c, name, panel, length);
	double value, before = -INFINITY, place = -INFINITY;
	char label[CHART_TIC_MAX];
	size_t count = 0;
	assert_true(isfinite(a.low) && isfinite(a.high) && a.high > a.low);
	for (; chart_axis_tic(&a, count, &value, label); count++) {
		double share = a.log ? log10(value / a.low) / log10(a.high / a.low)
				     : (value - a.low) / (a.high - a.low);
		double half = name == 'x' ? (chart_text_width(label) -
						    (strchr(label, '^') ? chart_text_width("^{}") : 0)) /
						    2
					  : 0.07;
		assert_true(value > before && share >= -1e-6 && share <= 1 + 1e-6);
		if (share * length - half < place)
			fail_msg("numbers of axis %c overlap at %s", name, label);
		place = share * length + half;
		before = value;
		assert_true(name == 'y' || place <= length + right + 1e-6);
		assert_true(name == 'x' || chart_text_width(label) < left + 0.5);
	}
	assert_in_range(count, a.log ? 0 : 1, 60);
	if (a.log &&
		length >= (name == 'x' ? 1.2 : 0.35)) /* one number alone says nothing about a logarithm */
		assert_true(count >= 2);
}

static void check_panels(const struct chart *c, const struct chart_layout *l)
{
	for (size_t i = 0; i < c->panels.count; i++) {
		double left, bottom, other_left, other_bottom;
		chart_panel_place(l, i, &left, &bottom);
		assert_true(
			left >= l->left - 1e-9 && left + l->panel_width <= l->frame.width - l->right + 1e-9);
		assert_true(bottom >= chart_legend_height(l) + l->bottom - 1e-9);
		assert_true(bottom + l->panel_height + l->title <= l->frame.height + 1e-9);
		if (!chart_has_groups(c))
			check_axis(c, 'x', i, l->panel_width, l->left, fmax(l->right, l->column_gap));
		check_axis(c, 'y', i, l->panel_height, l->left, l->right);
		assert_true(chart_text_wrap(c->panels.name[i], l->panel_width, CHART_TITLE_LINES, NULL) <=
			    CHART_TITLE_LINES);
		for (size_t k = 0; k < i; k++) {
			chart_panel_place(l, k, &other_left, &other_bottom);
			bool beside = other_left + l->panel_width + l->column_gap <= left + 1e-9 ||
				      left + l->panel_width + l->column_gap <= other_left + 1e-9;
			bool above = other_bottom >= bottom + l->panel_height + l->title - 1e-9;
			assert_true(beside || above);
		}
	}
}

static void check_legend(const struct chart *c, const struct chart_layout *l)
{
	double right = 0, row = INFINITY;
	const struct chart_legend *g = &l->legend;
	for (size_t i = 0; i < c->entry_count; i++) {
		double x, y, width;
		struct text name = {0};
		const char *full = c->entries[i].name;
		chart_legend_place(c, l, i, &x, &y, &width);
		chart_text_cut(full, strlen(full), width / g->letters, &name);
		assert_true(y - 0.05 >= 0 && y + 0.05 <= chart_legend_height(l));
		assert_true(y < row || x >= right);
		assert_true(y == row || row - y >= g->line - 1e-9);
		right = x + g->sample + g->letters * chart_text_width(text_data(&name));
		assert_true(right <= l->frame.width + 1e-9);
		row = y;
		text_finish(&name);
	}
}

TEST("nothing overlaps")
{
	for (uint64_t seed = 1; seed <= TEST_CASES(400); seed++) {
		struct dice d = {.key = {.seed = seed, .purpose = RANDOM_TEST}};
		struct chart c;
		double width, height;
		make_chart(&d, &c);
		struct chart_layout l = chart_lay_out(&c);
		assert_true(chart_size(&c, &width, &height, &err));
		assert_true(width == l.frame.width && height == l.frame.height && width < 9);
		check_panels(&c, &l);
		check_legend(&c, &l);
		c.style.width = 3.4 + roll_real(&d) * 4;
		c.style.height = roll(&d, 2) ? 2 + roll_real(&d) * 6 : 0;
		l = chart_lay_out(&c);
		if (chart_size(&c, &width, &height, &err)) {
			assert_near(width, c.style.width, 1e-6);
			assert_true(c.style.height == 0 || fabs(height - c.style.height) < 1e-6);
			check_panels(&c, &l);
			check_legend(&c, &l);
			assert_true(c.style.height == 0 || c.entry_count > 12 ||
				    chart_legend_height(&l) <= c.style.height / 3 + 0.16);
		} else {
			assert_int_equal(err.status, STATUS_INPUT);
		}
		chart_finish(&c);
	}
}

TEST("texts fit")
{
	const char *long_name =
		"rtgpu search=greedy gaps=response of a very long list of things (analysis) \u00e4\u4e2d";
	double drawn = 40.43 / 72; /* measured in a PDF */
	assert_true(
		chart_text_width("utilisation") >= drawn && chart_text_width("utilisation") < 1.06 * drawn);
	assert_true(chart_text_width("~~") == 2 * chart_text_width("~"));
	for (double width = 0.4; width < 6; width += 0.05) {
		struct text cut = {0}, lines = {0};
		chart_text_cut(long_name, strlen(long_name), width, &cut);
		assert_true(chart_text_width(text_data(&cut)) <= width);
		assert_true(chart_text_width(long_name) > width || strcmp(text_data(&cut), long_name) == 0);
		assert_true(chart_text_width(long_name) <= width || strstr(text_data(&cut), "\u2026"));
		size_t count = chart_text_wrap(long_name, width, 3, &lines), found = 1;
		char *rest = text_take(&lines);
		for (char *at = rest, *end; (end = strchr(at, '\n')); at = end + 1, found++) {
			*end = '\0';
			assert_true(chart_text_width(at) <= width);
		}
		assert_int_equal(count, found);
		free(rest);
		text_finish(&cut);
	}
	assert_int_equal(chart_text_wrap("", 1, 3, NULL), 0);
}

/* At each letter a look at all behind it would take days. */
TEST("a text of millions of letters is cut")
{
	enum { LETTERS = 4000000 };
	char *name = malloc(LETTERS + 1);
	struct text cut = {0}, few = {0};
	assert_non_null(name);
	memset(name, 'x', LETTERS);
	name[LETTERS] = '\0';
	chart_text_cut(name, LETTERS, 2, &cut);
	chart_text_cut(name, 100, 2, &few);
	assert_string_equal(text_data(&cut), text_data(&few));
	assert_true(chart_text_width(text_data(&cut)) > 1.8);
	assert_int_equal(chart_text_wrap(name, 2, 3, NULL), 1);
	text_finish(&cut);
	text_finish(&few);
	free(name);
}
