/* tests/unit/test_chart_looks.c - colours, dashes and marks of series; which series are drawn, under which
 * names; what is in the legend and how much room it takes; and when boxes become percentiles. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "policies/registry.h"
#include "report/charts/layout.h"
#include "report/script.h"
#include "tests/support/test.h"
#include "tests/unit/db_sample_reader.h"

ALL_TESTS(open_sample, close_sample);

static struct chart read_chart(enum chart_kind kind, const char *sql)
{
	struct chart c;
	struct chart_style style = {.kind = kind, .x = "utilisation", .y = "share"};
	struct db_cursor *rows = cursor_open(reader, sql, &err);
	if (!rows)
		fail_msg("%s", err.text);
	chart_begin(&c, &style);
	if (!chart_read(&c, rows, &err))
		fail_msg("%s", err.text);
	cursor_close(rows);
	return c;
}

/* Curves with these series: "NAME|POLICY|DASHED", one per line; an empty policy is none. */
static struct chart with_series(const char *series)
{
	struct text sql = {0};
	for (const char *at = series; *at; at += strcspn(at, "\n"), at += *at == '\n') {
		int name = (int)strcspn(at, "|");
		const char *policy = at + name + 1;
		int length = (int)strcspn(policy, "|");
		text_printf(&sql,
			"%sSELECT '%.*s' AS series, nullif('%.*s', '') AS policy, %c AS dashed, 1 AS x, "
			"2 AS y",
			at == series ? "" : " UNION ALL ", name, at, length, policy, policy[length + 1]);
	}
	struct chart c = read_chart(CHART_CURVES, text_data(&sql));
	text_finish(&sql);
	return c;
}

static const struct chart_look *look(const struct chart *c, const char *name)
{
	for (size_t i = 0; i < c->series.count; i++)
		if (strcmp(c->series.name[i], name) == 0)
			return &c->traits[i].look;
	fail_msg("no series %s", name);
	return NULL;
}

/* ---- the palette ---- */

struct lab {
	double l, a, b;
};

static double linear(const char *colour, int part)
{
	double v = (double)(strtoul(colour + 1, NULL, 16) >> (16 - 8 * part) & 0xff) / 255;
	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double root(double t)
{
	return t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116;
}

/* A colour as seen with a kind of colour vision (Machado, Oliveira and Fernandes 2009, severity 1). */
static struct lab seen(const char *colour, int vision)
{
	static const double matrices[4][9] = {{1, 0, 0, 0, 1, 0, 0, 0, 1},
		{0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
		{0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
		{1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367,
			0.303900}};
	double c[3];
	for (int i = 0; i < 3; i++) {
		const double *row = matrices[vision] + 3 * i;
		c[i] = row[0] * linear(colour, 0) + row[1] * linear(colour, 1) + row[2] * linear(colour, 2);
		c[i] = fmin(fmax(c[i], 0), 1);
	}
	double x = root((0.4124 * c[0] + 0.3576 * c[1] + 0.1805 * c[2]) / 0.9505);
	double y = root(0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]);
	double z = root((0.0193 * c[0] + 0.1192 * c[1] + 0.9505 * c[2]) / 1.089);
	return (struct lab){116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

/* The least distance of two colours with any colour vision. */
static double distance(const char *a, const char *b)
{
	double least = INFINITY;
	for (int vision = 0; vision < 4; vision++) {
		struct lab p = seen(a, vision), q = seen(b, vision);
		least = fmin(least, hypot(hypot(p.l - q.l, p.a - q.a), p.b - q.b));
	}
	return least;
}

TEST("any colour vision tells the palette apart")
{
	for (size_t a = 0; a < SCRIPT_COLOURS; a++) {
		assert_true(seen(script_colour(a), 0).l < 75); /* lines are visible on white */
		for (size_t b = 0; b < a; b++)
			if (distance(script_colour(a), script_colour(b)) < 16)
				fail_msg("%s and %s", script_colour(a), script_colour(b));
	}
	assert_string_equal(script_colour(SCRIPT_COLOURS), script_colour(0));
}

/* ---- looks ---- */

TEST("shipped policies have colours of their own, in any company")
{
	struct text blocks = {0}, warps = {0};
	for (const struct policy *const *p = policy_all(); *p; p++)
		text_printf((*p)->plan ? &blocks : &warps, "%s||0\n", (*p)->name);
	for (int kind = 0; kind < 2; kind++) {
		struct chart c = with_series(text_data(kind ? &warps : &blocks));
		for (size_t a = 0; a < c.series.count; a++) {
			struct text alone = {0};
			text_printf(&alone, "zzz||0\n%s||0", c.series.name[a]);
			struct chart other = with_series(text_data(&alone));
			assert_string_equal(c.traits[a].look.line, other.traits[1].look.line);
			assert_string_not_equal(c.traits[a].look.line, other.traits[0].look.line);
			assert_int_equal(c.traits[a].look.dash, 1);
			for (size_t b = 0; b < a; b++) {
				assert_string_not_equal(c.traits[a].look.line, c.traits[b].look.line);
				if (distance(c.traits[a].look.fill, c.traits[b].look.fill) < 10)
					fail_msg("fills of %s and %s", c.series.name[a], c.series.name[b]);
			}
			chart_finish(&other);
			text_finish(&alone);
		}
		chart_finish(&c);
	}
	text_finish(&blocks);
	text_finish(&warps);
}

TEST("an analysis has the colour of its policy, and dashes")
{
	struct chart c =
		with_series("stgm||0\nrm||0\nstgm (analysis)|stgm|1\nfp of rm (analysis)|rm|1\n"
			    "rtgpu (analysis)|rtgpu admit=any|1\nother of rm (analysis)|rm unit=kernel|1");
	assert_string_equal(look(&c, "stgm (analysis)")->line, look(&c, "stgm")->line);
	assert_string_equal(look(&c, "fp of rm (analysis)")->line, look(&c, "rm")->line);
	assert_string_equal(look(&c, "other of rm (analysis)")->line, look(&c, "rm")->line);
	assert_string_equal(look(&c, "rtgpu (analysis)")->line, script_colour(0));
	assert_int_equal(look(&c, "rm")->dash, 1);
	assert_int_equal(look(&c, "stgm (analysis)")->dash, 2);
	assert_int_equal(look(&c, "fp of rm (analysis)")->dash, 2);
	assert_int_not_equal(look(&c, "other of rm (analysis)")->dash, 1);
	assert_int_not_equal(look(&c, "other of rm (analysis)")->dash, 2);
	assert_int_equal(look(&c, "stgm (analysis)")->mark, look(&c, "stgm")->mark - 1); /* open */
	assert_string_not_equal(look(&c, "stgm (analysis)")->fill, look(&c, "stgm")->fill);
	chart_finish(&c);
}

TEST("variants of a policy are shades of its colour; papers' names are known")
{
	struct chart c = with_series(
		"stgm wait=busy||0\nstgm wait=suspend||0\nSTGM, simulated||0\nx|STGM wait=suspend|1");
	assert_string_equal(look(&c, "stgm wait=busy")->line, script_colour(2));
	assert_string_not_equal(look(&c, "stgm wait=suspend")->line, look(&c, "stgm wait=busy")->line);
	assert_string_not_equal(look(&c, "STGM, simulated")->line, look(&c, "stgm wait=suspend")->line);
	assert_int_not_equal(look(&c, "stgm wait=suspend")->mark, look(&c, "stgm wait=busy")->mark);
	assert_string_equal(look(&c, "x")->line, look(&c, "stgm wait=suspend")->line);
	chart_finish(&c);
	c = with_series("FCFS||0\nsBEET||0\nfifo-cke a||0\nfifo-cke b||0");
	assert_string_equal(look(&c, "FCFS")->line, script_colour(5));
	assert_string_equal(look(&c, "sBEET")->line, script_colour(1));
	assert_string_equal(look(&c, "fifo-cke a")->line, "#000000");
	assert_string_equal(look(&c, "fifo-cke b")->line, "#727272");
	chart_finish(&c);
}

TEST("others have colours by their place, without those of policies in the chart")
{
	struct text many = {0};
	struct chart c = with_series("mine a||0\nrtgpu||0\nmine b||0\nstgm||0");
	assert_string_equal(look(&c, "mine a")->line, script_colour(1));
	assert_string_equal(look(&c, "mine b")->line, script_colour(3));
	chart_finish(&c);
	for (int i = 0; i < 40; i++)
		text_printf(&many, "task %d||0\n", i);
	c = with_series(text_data(&many));
	for (size_t a = 0; a < 40; a++)
		for (size_t b = a > SCRIPT_COLOURS ? a - SCRIPT_COLOURS + 1 : 0; b < a; b++)
			assert_string_not_equal(c.traits[a].look.line, c.traits[b].look.line);
	assert_string_not_equal(look(&c, "task 0")->line, look(&c, "task 10")->line);
	chart_finish(&c);
	text_finish(&many);
}

/* ---- chosen series ---- */

static const char five[] = "fcfs||0\nstgm wait=busy||0\nstgm||0\nstgm (analysis)|stgm|1\na, b||0";

TEST("series are chosen, ordered and named; colours stay")
{
	struct chart all = with_series(five), c = with_series(five);
	if (!chart_choose(&c, "stgm (analysis),stgm wait=busy=STGM, busy,a, b=both,fcfs=F", &err))
		assert_string_equal(err.text,
			"--series: this figure has no series ' busy'; did you mean 'stgm wait=busy'? (it has "
			"'fcfs', 'stgm wait=busy', 'stgm', 'stgm (analysis)', 'a, b')");
	else
		fail_msg("' busy' is no series");
	assert_int_equal(err.status, STATUS_INPUT);
	assert_true(chart_choose(&c, "stgm (analysis),stgm wait=busy=busy,a, b=both,fcfs", &err));
	static const char *const names[] = {"stgm (analysis)", "busy", "both", "fcfs"};
	assert_int_equal(c.series.count, 4);
	assert_int_equal(c.points, 4);
	for (size_t i = 0; i < 4; i++) {
		assert_string_equal(c.series.name[i], names[i]);
		bool found = false;
		for (size_t k = 0; k < c.data_count; k++)
			found |= c.data[k].series == i && c.data[k].count == 1;
		assert_true(found);
	}
	assert_string_equal(look(&c, "both")->line, look(&all, "a, b")->line);
	assert_string_equal(look(&c, "busy")->line, look(&all, "stgm wait=busy")->line);
	assert_true(c.traits[0].dashed && !c.traits[1].dashed);
	chart_finish(&c);
	chart_finish(&all);
}

static void assert_not_chosen(const char *wanted, const char *text)
{
	struct chart c = with_series("fcfs||0\nrm||0");
	assert_false(chart_choose(&c, wanted, &err));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_string_equal(err.text, text);
	chart_finish(&c);
}

TEST("what cannot be chosen is said")
{
	assert_not_chosen("fcf",
		"--series: this figure has no series 'fcf'; did you mean 'fcfs'? (it has 'fcfs', 'rm')");
	assert_not_chosen("rm,", "--series: this figure has no series '' (it has 'fcfs', 'rm')");
	assert_not_chosen("rm,rm=x", "--series: 'rm' is there twice");
	assert_not_chosen("rm=,fcfs", "--series: a new name is missing behind 'rm='");
	struct chart c = read_chart(CHART_CURVES, "SELECT 1 AS x, 2 AS y");
	assert_false(chart_choose(&c, "rm", &err));
	assert_string_equal(err.text, "--series: this figure has no series with a name");
	chart_finish(&c);
}

TEST("where policies are the groups, these are chosen")
{
	struct chart c = read_chart(CHART_STACKS,
		"SELECT column1 AS series, column2 AS \"group\", column3 AS y FROM "
		"(VALUES ('static', 'rm', 1), ('static', 'fcfs', 2), ('dynamic', 'rm', 3),"
		" ('dynamic', 'edf', 4))");
	c.style.choose_groups = true;
	assert_true(chart_choose(&c, "edf=EDF,rm", &err));
	assert_int_equal(c.groups.count, 2);
	assert_string_equal(c.groups.name[0], "EDF");
	assert_int_equal(c.series.count, 2);
	assert_int_equal(c.points, 3);
	for (size_t i = 0; i < c.data_count; i++)
		for (size_t k = 0; k < c.data[i].count; k++)
			assert_int_equal(c.data[i].points[k].group, c.data[i].points[k].v.y == 4 ? 0 : 1);
	chart_finish(&c);
}

TEST("series with panels of their own keep their colours there")
{
	struct chart c = with_series("fcfs||0\nrm||0\nstgm||0");
	c.style.panel_each = true;
	assert_true(chart_choose(&c, "stgm,fcfs=FCFS", &err) && chart_settle(&c, &err));
	assert_int_equal(c.panels.count, 2);
	assert_string_equal(c.panels.name[0], "stgm");
	assert_string_equal(c.panels.name[1], "FCFS");
	assert_int_equal(c.entry_count, 0);
	for (size_t i = 0; i < c.data_count; i++)
		assert_int_equal(c.data[i].panel, c.data[i].series);
	assert_string_equal(c.traits[1].look.line, script_colour(5));
	chart_finish(&c);
}

/* ---- the legend ---- */

TEST("an analysis named like its policy has no entry of its own")
{
	struct chart c = with_series("stgm||0\nrm||0\nstgm (analysis)|stgm|1\nfp of rm (analysis)|rm|1");
	static const char *const names[] = {"stgm", "rm", "fp of rm (analysis)", "analysis"};
	assert_true(chart_settle(&c, &err));
	assert_int_equal(c.entry_count, 4);
	for (size_t i = 0; i < 4; i++)
		assert_string_equal(c.entries[i].name, names[i]);
	chart_finish(&c);
	c = with_series("stgm||0\nstgm (analysis)|stgm|1");
	assert_true(chart_choose(&c, "stgm=S,stgm (analysis)", &err) && chart_settle(&c, &err));
	assert_int_equal(c.entry_count, 2);
	assert_string_equal(c.entries[1].name, "stgm (analysis)");
	chart_finish(&c);
}

/* The series of the campaign scenarios/campaigns/tour.yaml, in a column of a paper. */
TEST("in a column of a paper the plot keeps two thirds of the height")
{
	struct chart c =
		with_series("fifo-cke||0\nmpcp||0\nrtgpu||0\nstgm||0\nmpcp (analysis)|mpcp|1\n"
			    "rtgpu (analysis)|rtgpu|1\nself-suspension (analysis)|self-suspension|1\n"
			    "stgm (analysis)|stgm|1");
	double width, height;
	c.style.width = 3.4;
	c.style.height = 2.4;
	assert_true(chart_settle(&c, &err) && chart_size(&c, &width, &height, &err));
	struct chart_layout l = chart_lay_out(&c);
	assert_true(l.panel_height >= 2.4 * 2 / 3);
	assert_true(l.legend.columns >= 2);
	c.style.width = c.style.height = 0; /* as large as needed: the legend is at most a third */
	l = chart_lay_out(&c);
	assert_true(chart_legend_height(&l) <= l.frame.height / 3 && l.legend.letters >= 1);
	chart_finish(&c);
}

TEST("names in a small figure are cut before the plot is squeezed")
{
	struct text many = {0};
	for (int i = 0; i < 12; i++)
		text_printf(&many, "policy number %d with a long list of options that nobody reads||0\n", i);
	struct chart c = with_series(text_data(&many));
	double width, height;
	c.style.width = 3.4;
	c.style.height = 2.4;
	assert_true(chart_settle(&c, &err) && chart_size(&c, &width, &height, &err));
	struct chart_layout l = chart_lay_out(&c);
	assert_true(chart_legend_height(&l) <= 0.8 + 1e-9 && l.legend.most > 0);
	chart_finish(&c);
	text_finish(&many);
}

/* ---- boxes ---- */

static struct chart boxes(const char *q3, const char *p99)
{
	struct text sql = {0};
	text_printf(&sql,
		"WITH RECURSIVE k (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < 9) "
		"SELECT 'p' || i AS series, 't' AS \"group\", 0.5 AS least, 1 AS q1, 1 AS median, "
		"%s AS q3, 80 AS greatest%s FROM k",
		q3, p99);
	struct chart c = read_chart(CHART_BOXES, text_data(&sql));
	assert_true(chart_settle(&c, &err));
	text_finish(&sql);
	return c;
}

TEST("flat boxes become percentiles, by the data")
{
	struct chart c = boxes("iif(i <= 5, 1.1, 30)", ", 40 AS p99");
	assert_true(c.percentiles && c.style.y_log);
	assert_string_equal(c.entries[c.entry_count - 1].name, "least to worst");
	chart_finish(&c);
	c = boxes("iif(i <= 4, 1.1, 30)", ", 40 AS p99"); /* most are not flat */
	assert_false(c.percentiles || c.style.y_log);
	assert_int_equal(c.entry_count, 9);
	chart_finish(&c);
	c = boxes("1.1", ""); /* percentiles are not known */
	assert_false(c.percentiles);
	chart_finish(&c);
	c = boxes("1.1", ", iif(i = 3, NULL, 40) AS p99");
	assert_false(c.percentiles);
	chart_finish(&c);
	c = read_chart(CHART_BOXES,
		"SELECT 't' AS \"group\", -1 AS least, 0 AS q1, 0 AS median, 0 AS q3, 1 AS p99, 9 AS "
		"greatest"); /* no logarithm */
	assert_true(chart_settle(&c, &err) && c.percentiles && !c.style.y_log);
	chart_finish(&c);
}

/* ---- marks and fills ---- */

TEST("a mark widens the axis unless it is far away")
{
	struct chart c = read_chart(CHART_STEPS,
		"SELECT column1 AS panel, column2 AS x, 1 AS y, column3 AS mark FROM (VALUES "
		"('a', 10, 25), ('b', 10, 31), ('c', 10, NULL))");
	struct text script = {0};
	c.style.x_free = true;
	assert_true(chart_settle(&c, &err));
	assert_true(chart_axis_of(&c, 'x', 0, 2).high >= 25);
	assert_true(chart_axis_of(&c, 'x', 1, 2).high < 31);
	chart_write(&c, &script);
	assert_non_null(strstr(text_data(&script), "set arrow 1 from 25,graph 0 to 25,graph 1 nohead"));
	assert_null(strstr(text_data(&script), "from 31,"));
	text_finish(&script);
	chart_finish(&c);
}

TEST("nothing shines through bars and boxes")
{
	static const char bars[] =
		"SELECT column1 AS series, 'g' AS \"group\", 1 AS y, column2 AS dashed FROM (VALUES "
		"('rm', 0), ('sbeet', 0), ('rm (analysis)', 1))";
	for (int kind = 0; kind < 3; kind++) {
		struct text script = {0};
		struct chart c =
			kind == 2 ? boxes("30", "") : read_chart(kind ? CHART_STACKS : CHART_BARS, bars);
		assert_true(kind == 2 || chart_settle(&c, &err)); /* boxes() has */
		chart_write(&c, &script);
		assert_non_null(strstr(text_data(&script), "fs solid 1 "));
		assert_null(strstr(text_data(&script), "fs solid 0"));
		assert_null(strstr(text_data(&script), "transparent"));
		text_finish(&script);
		chart_finish(&c);
	}
}
