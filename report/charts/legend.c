/* report/charts/legend.c - the legend: what its entries are, where they are, and how they are drawn. An
 * analysis that is named like its policy has no entry of its own: one entry says what dashes mean. In a small
 * figure the legend becomes denser, so that two thirds of the height are left for the rest. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "report/charts/layout.h"
#include "report/script.h"

#define LEGEND_LEFT 0.1
#define EDGE 0.08
#define LEAST_NAME 0.3             /* a name is not cut below this */
#define NEUTRAL "lc rgb '#555555'" /* of samples that stand for all series */
#define NARROW 0.28                /* a sample without a line */

/* From loose to dense, in inches; `letters`: their size, 1 as elsewhere. */
static const struct chart_legend grades[] = {
	{.sample = 0.38, .gap = 0.16, .line = CHART_LINE, .pad = 0.06, .letters = 1},
	{.sample = 0.30, .gap = 0.10, .line = 0.135, .pad = 0.03, .letters = 1},
	{.sample = 0.28, .gap = 0.09, .line = 0.12, .pad = 0.03, .letters = 0.85},
};
#define GRADES (sizeof(grades) / sizeof(grades[0]))

/* ---- the entries ---- */

static bool add_entry(
	struct chart *c, enum chart_sample sample, size_t series, const char *name, struct error *err)
{
	struct chart_entry *grown =
		list_room(c->entries, c->entry_count, sizeof(*grown), "drawing a chart", err);
	if (!grown)
		return false;
	c->entries = grown;
	c->entries[c->entry_count++] = (struct chart_entry){sample, series, name, chart_text_width(name)};
	return true;
}

/* Whether the series is an analysis whose name says no more than that of its policy. */
static bool goes_without_saying(const struct chart *c, size_t series)
{
	static const char suffix[] = " (analysis)";
	const char *name = c->series.name[series];
	size_t length = strlen(name), without = length - strlen(suffix);
	if (!c->traits[series].dashed || length < strlen(suffix) || strcmp(name + without, suffix) != 0)
		return false;
	for (size_t i = 0; i < c->series.count; i++)
		if (!c->traits[i].dashed && strlen(c->series.name[i]) == without &&
			strncmp(c->series.name[i], name, without) == 0)
			return strcmp(c->traits[i].look.line, c->traits[series].look.line) == 0;
	return false;
}

bool chart_list_entries(struct chart *c, struct error *err)
{
	bool pairs = false, ok = true;
	if (c->series.count == 0 || (c->series.count == 1 && !*c->series.name[0]))
		return true;
	for (size_t i = 0; ok && i < c->series.count; i++) {
		bool silent = goes_without_saying(c, i);
		pairs |= silent;
		ok = silent || add_entry(c, SAMPLE_SERIES, i, c->series.name[i], err);
	}
	ok = ok && (!pairs || add_entry(c, SAMPLE_ANALYSIS, 0, "analysis", err));
	if (!c->percentiles)
		return ok;
	return ok && add_entry(c, SAMPLE_MIDDLE, 0, "quartiles", err) &&
	       add_entry(c, SAMPLE_P99, 0, "99 %", err) &&
	       add_entry(c, SAMPLE_SPAN, 0, "least to worst", err);
}

/* ---- places ---- */

static double entry_width(const struct chart *c, const struct chart_legend *g, size_t index)
{
	double name = c->entries[index].width * g->letters;
	return g->sample + (g->most > 0 ? fmin(name, g->most) : name) + g->gap;
}

/* Entries are in columns, row by row: the width of the first `count` columns. */
static double columns_width(const struct chart *c, const struct chart_legend *g, size_t columns, size_t count)
{
	double width = 0;
	for (size_t column = 0; column < count; column++) {
		double widest = 0;
		for (size_t i = column; i < c->entry_count; i += columns)
			widest = fmax(widest, entry_width(c, g, i));
		width += widest;
	}
	return width;
}

double chart_legend_widest(const struct chart *c)
{
	double widest = 0;
	for (size_t i = 0; i < c->entry_count; i++)
		widest = fmax(widest, entry_width(c, &grades[0], i));
	return widest;
}

/* Sizes of that grade. */
static struct chart_legend grade(const struct chart *c, size_t i)
{
	struct chart_legend g = grades[i];
	if (chart_has_groups(c) || c->style.kind == CHART_POINTS)
		g.sample = fmin(g.sample, NARROW);
	return g;
}

/* As many columns as fit, and no more than their rows need. */
static void fit_columns(const struct chart *c, struct chart_legend *g, double width)
{
	double least = INFINITY;
	for (size_t i = 0; i < c->entry_count; i++)
		least = fmin(least, entry_width(c, g, i));
	double most = fmin(width / least + 1, (double)c->entry_count);
	size_t columns = most > 1 ? (size_t)most : 1;
	while (columns > 1 && LEGEND_LEFT + columns_width(c, g, columns, columns) - g->gap + EDGE > width)
		columns--;
	g->rows = (c->entry_count + columns - 1) / columns;
	while (columns > 1 && (c->entry_count + columns - 2) / (columns - 1) == g->rows)
		columns--;
	g->columns = columns;
}

/* Names lose their middle, so that there are no more rows than the height has room for. */
static void cut_names(const struct chart *c, struct chart_legend *g, double width, double height)
{
	double rows = fmax(floor((height - g->pad) / g->line), 1);
	double columns = ceil((double)c->entry_count / rows);
	g->most = fmax((width - LEGEND_LEFT - EDGE) / columns - g->sample - g->gap, LEAST_NAME);
	fit_columns(c, g, width);
}

/* Takes the loosest grade that is at most so high. */
static bool fit_rows(const struct chart *c, struct chart_layout *l, size_t most, double room)
{
	for (size_t i = 0; i < most; i++) {
		l->legend = grade(c, i);
		fit_columns(c, &l->legend, l->frame.width);
		if (chart_legend_height(l) <= room + 1e-9)
			return true;
	}
	return false;
}

void chart_legend_lay_out(const struct chart *c, struct chart_layout *l, double panels, double axes)
{
	double height = c->style.height;
	l->legend = (struct chart_legend){.rows = 0};
	if (c->entry_count == 0 || (c->style.letters && fit_rows(c, l, 1, INFINITY)))
		return;
	if (height <= 0) { /* as high as needed: letters keep their size */
		if (!fit_rows(c, l, GRADES - 1, (panels + axes) / 2))
			fit_rows(c, l, 1, INFINITY);
		return;
	}
	/* Two thirds for the panels alone; if that cannot be, as little as goes, and at most a third. */
	const double rooms[] = {height / 3 - axes, height / 8, height / 6, height / 4, height / 3};
	for (size_t i = 0; i < sizeof(rooms) / sizeof(rooms[0]); i++)
		if (fit_rows(c, l, GRADES, rooms[i]))
			return;
	cut_names(c, &l->legend, l->frame.width, height / 3);
}

double chart_legend_height(const struct chart_layout *l)
{
	return l->legend.rows ? (double)l->legend.rows * l->legend.line + l->legend.pad : 0;
}

void chart_legend_place(const struct chart *c, const struct chart_layout *l, size_t index, double *x,
	double *y, double *width)
{
	const struct chart_legend *g = &l->legend;
	*x = LEGEND_LEFT + columns_width(c, g, g->columns, index % g->columns);
	*y = chart_legend_height(l) - g->line * ((double)(index / g->columns) + 0.5);
	*width = l->frame.width - EDGE - *x - g->sample;
	if (g->most > 0)
		*width = fmin(*width, g->most + 1e-9);
}

/* ---- drawing ---- */

static void add_box_sample(size_t tag, const char *fill, double x, double y, struct text *script)
{
	text_printf(script,
		"set object %zu rectangle center %.3f,%.3f size 0.2,0.09 fillcolor rgb '%s' fillstyle "
		"solid 1 border lc rgb '#333333'\n",
		tag, x + 0.12, y, fill);
}

static void add_sample(const struct chart *c, const struct chart_layout *l, size_t i, double x, double y,
	struct text *script)
{
	const struct chart_entry *e = &c->entries[i];
	bool boxes = chart_has_groups(c) && !c->percentiles;
	double length = l->legend.sample - 0.06;
	if (boxes)
		add_box_sample(i + 1, e->sample == SAMPLE_SERIES ? c->traits[e->series].look.fill : "#dddddd",
			x, y, script);
	else
		text_printf(script, "$sample%zu << EOD\n%.3f %.3f %.3f %.3f\nEOD\n", i + 1, x, y, length,
			x + length / 2);
}

static void add_name(const struct chart *c, const struct chart_layout *l, size_t i, double x, double y,
	double width, struct text *script)
{
	struct text name = {0};
	const char *full = c->entries[i].name;
	x += l->legend.sample;
	chart_text_cut(full, strlen(full), width / l->legend.letters, &name);
	if (l->legend.letters < 1) {
		text_printf(script, "set label %zu ", i + 1);
		script_sized(script, l->legend.letters, text_data(&name));
		text_printf(script, " at screen %.5f,%.5f left\n", x / l->frame.width, y / l->frame.height);
	} else {
		frame_label(&l->frame, i + 1, text_data(&name), x, y, "left", script);
	}
	script->failed |= name.failed;
	text_finish(&name);
}

/* Draws samples that are lines or marks. */
static void plot_sample(const struct chart *c, size_t i, struct text *script)
{
	const struct chart_entry *e = &c->entries[i];
	switch (e->sample) {
	case SAMPLE_SERIES:
		if (c->style.kind != CHART_POINTS && !c->percentiles)
			text_printf(script, ", \\\n\t$sample%zu using 1:2:3:(0) with vectors nohead lt %zu",
				i + 1, e->series + 1);
		if (c->style.kind != CHART_STEPS)
			text_printf(script, ", \\\n\t$sample%zu using 4:2 with points lt %zu", i + 1,
				e->series + 1);
		return;
	case SAMPLE_ANALYSIS:
		text_printf(script,
			", \\\n\t$sample%zu using 1:2:3:(0) with vectors nohead lt -1 " NEUTRAL
			" dt 2 lw 1.2",
			i + 1);
		return;
	case SAMPLE_P99:
		text_printf(script, ", \\\n\t$sample%zu using 4:2 with points lt -1 " NEUTRAL " pt 7 ps 0.45",
			i + 1);
		return;
	case SAMPLE_MIDDLE:
	case SAMPLE_SPAN:
		text_printf(script,
			", \\\n\t$sample%zu using 4:($2-0.05):(0):(0.1) with vectors nohead lt -1 " NEUTRAL
			" lw %s",
			i + 1, e->sample == SAMPLE_SPAN ? CHART_SPAN_WIDTH : CHART_QUARTILES_WIDTH);
		if (e->sample == SAMPLE_MIDDLE)
			text_printf(script, ", \\\n\t$sample%zu using 4:2 with points " CHART_MEDIAN, i + 1);
		return;
	}
}

/* The legend is a plot in inches, below the panels, with samples only. */
void chart_legend_write(const struct chart *c, const struct chart_layout *l, struct text *script)
{
	if (l->legend.rows == 0)
		return;
	text_add(script, "unset border\nunset tics\nunset grid\nunset label\nunset arrow\nunset logscale\n");
	frame_area(&l->frame, 0, 0, l->frame.width, chart_legend_height(l), script);
	text_printf(
		script, "set xrange [0:%.5f]\nset yrange [0:%.5f]\n", l->frame.width, chart_legend_height(l));
	for (size_t i = 0; i < c->entry_count; i++) {
		double x, y, width;
		chart_legend_place(c, l, i, &x, &y, &width);
		add_sample(c, l, i, x, y, script);
		add_name(c, l, i, x, y, width, script);
	}
	text_add(script, "plot NaN");
	for (size_t i = 0; (!chart_has_groups(c) || c->percentiles) && i < c->entry_count; i++)
		plot_sample(c, i, script);
	text_add_char(script, '\n');
}
