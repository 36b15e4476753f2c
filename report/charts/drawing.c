/* report/charts/drawing.c - writes a chart as gnuplot commands: data, axes, and one plot command per panel.
 * The legend is in legend.c. Panels share their axes, so that they can be compared, unless the style
 * frees an axis. Shared numbers are only at the left and at the bottom. */
#include <math.h>
#include <string.h>

#include "report/charts/chart.h"
#include "report/charts/layout.h"
#include "report/script.h"

#define CLUSTER 0.8    /* part of the distance between two groups that their bars take */
#define ERROR_BAR 0.02 /* half the width of an error bar's ends, inches */
#define GROUP_TAG 10   /* labels with this tag or a higher one are names of groups */
#define MANY 300       /* with more points in a series they are drawn smaller */
#define REFERENCE "lc rgb '#888888' dt 3 lw 1" /* lines to compare with */
#define MARKS 14                               /* a curve with more points does not have a mark at each */

/* ---- data ---- */

static void add_row(struct text *script, const double *values, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++) {
		if (i)
			text_add_char(script, ' ');
		script_number(script, values[i]);
	}
	if (name)
		text_printf(script, " # %s", name);
	text_add_char(script, '\n');
}

/* The middle of the bar of a series, and half its width. */
static double bar_place(const struct chart *c, const struct chart_series *s, size_t group, double *half)
{
	double slots = c->style.kind == CHART_STACKS ? 1 : (double)c->series.count;
	double slot = c->style.kind == CHART_STACKS ? 0 : (double)s->series;
	*half = CLUSTER / slots / (c->style.kind == CHART_BOXES ? 2.6 : 2);
	return (double)group + (slot - (slots - 1) / 2) * CLUSTER / slots;
}

static const char *columns_of(const struct chart *c, const struct chart_series *s)
{
	switch (c->style.kind) {
	case CHART_CURVES:
		return s->band ? "x y low high" : "x y";
	case CHART_STEPS:
	case CHART_POINTS:
		return "x y";
	case CHART_BARS:
		return s->band ? "place half-width bottom top low high" : "place half-width bottom top";
	case CHART_STACKS:
		return "place half-width bottom top";
	case CHART_BOXES:
		return c->percentiles ? "place half-width least q1 median q3 p99 greatest"
				      : "place half-width least q1 median q3 greatest";
	}
	return "";
}

/* `floor`: the value at which bars begin. */
static void add_point_row(const struct chart *c, const struct chart_series *s, const struct chart_point *p,
	double floor, struct text *script)
{
	const struct chart_values *v = &p->v;
	const char *group = chart_has_groups(c) ? c->groups.name[p->group] : NULL;
	double half, at = bar_place(c, s, p->group, &half), base = floor;
	size_t band = s->band ? 2 : 0;
	switch (c->style.kind) {
	case CHART_CURVES:
	case CHART_STEPS:
	case CHART_POINTS:
		add_row(script, (const double[]){v->x, v->y, v->low, v->high}, 2 + band, NULL);
		return;
	case CHART_STACKS:
		base += p->base;
		add_row(script, (const double[]){at, half, base, base + v->y}, 4, group);
		return;
	case CHART_BARS:
		add_row(script, (const double[]){at, half, base, v->y, v->low, v->high}, 4 + band, group);
		return;
	case CHART_BOXES:
		if (c->percentiles) {
			add_row(script,
				(const double[]){at, half, v->low, v->q1, v->median, v->q3, v->p99, v->high},
				8, group);
			return;
		}
		add_row(script, (const double[]){at, half, v->low, v->q1, v->median, v->q3, v->high}, 7,
			group);
		return;
	}
}

static void add_data(const struct chart *c, const struct chart_layout *l, struct text *script)
{
	for (size_t i = 0; i < c->data_count; i++) {
		const struct chart_series *s = &c->data[i];
		struct chart_axis y = chart_axis_of(c, 'y', s->panel, l->panel_height);
		const char *panel = c->panels.name[s->panel], *series = c->series.name[s->series];
		bool both = *panel && *series && !c->style.panel_each;
		text_printf(script, "$data%zu << EOD\n# %s%s%s\n# %s\n", i + 1,
			c->style.panel_each ? "" : panel, both ? ": " : "", series, columns_of(c, s));
		for (size_t k = 0; k < s->count; k++)
			add_point_row(c, s, &s->points[k], y.log ? y.low : 0, script);
		text_add(script, "EOD\n");
	}
}

/* ---- plot commands ---- */

static const struct chart_look *look_of(const struct chart *c, size_t i)
{
	return &c->traits[c->data[i].series].look;
}

static void add_curve(const struct chart *c, size_t i, struct text *script)
{
	const struct chart_series *s = &c->data[i];
	if (s->band && !c->style.letters)
		text_printf(script,
			"\t$data%zu using 1:3:4 with filledcurves lc rgb '%s' fs transparent solid %s, \\\n",
			i + 1, look_of(c, i)->line,
			c->series.count <= 4   ? "0.16"
			: c->series.count <= 8 ? "0.1"
					       : "0.06");
	text_printf(script, "\t$data%zu using 1:2 with linespoints lt %zu", i + 1, s->series + 1);
	if (s->count > MARKS)
		text_printf(script, " pointinterval %zu", s->count / MARKS + 1);
}

static void add_bars(const struct chart *c, const struct chart_layout *l, size_t i, struct text *script)
{
	text_printf(script,
		"\t$data%zu using 1:4:($1-$2):($1+$2):3:4 with boxxyerror lt -1 lw 0.5 lc rgb '%s' "
		"fs solid 1 border lc rgb '#333333'",
		i + 1, look_of(c, i)->fill);
	if (c->data[i].band)
		text_printf(script,
			", \\\n\t$data%zu using 1:5:(0):($6-$5) with vectors heads size screen %.4f,90 lt -1 "
			"lc rgb '#333333' lw 0.8",
			i + 1, ERROR_BAR / l->frame.width);
}

static void add_boxes(const struct chart *c, size_t i, struct text *script)
{
	text_printf(script,
		"\t$data%zu using 1:4:3:7:6:($2*2) with candlesticks lt -1 lw 0.6 lc rgb '%s' fs solid 1 "
		"border lc rgb '#333333' whiskerbars 0.5, \\\n",
		i + 1, look_of(c, i)->fill);
	text_printf(script,
		"\t$data%zu using ($1-$2):5:($2*2):(0) with vectors nohead lt -1 lc rgb '#000000' lw 1.6",
		i + 1);
}

/* A thin line from the least to the greatest, a thick one between the quartiles, a mark at 99 %,
 * and a white dot at the median. */
static void add_percentiles(const struct chart *c, size_t i, struct text *script)
{
	const struct chart_look *look = look_of(c, i);
	text_printf(script,
		"\t$data%zu using 1:3:(0):($8-$3) with vectors nohead lt -1 lc rgb '%s' lw " CHART_SPAN_WIDTH
		", \\\n\t$data%zu using 1:4:(0):($6-$4) with vectors nohead lt -1 lc rgb '%s' "
		"lw " CHART_QUARTILES_WIDTH ", \\\n",
		i + 1, look->line, i + 1, look->line);
	text_printf(script,
		"\t$data%zu using ($1-$2*0.6):8:($2*1.2):(0) with vectors nohead lt -1 lc rgb '%s' lw 0.8, "
		"\\\n\t$data%zu using 1:7 with points lt -1 lc rgb '%s' pt %d ps 0.45, \\\n"
		"\t$data%zu using 1:5 with points lt -1 lc rgb '%s' pt 7 ps 0.4, \\\n"
		"\t$data%zu using 1:5 with points " CHART_MEDIAN,
		i + 1, look->line, i + 1, look->line, look->mark, i + 1, look->line, i + 1);
}

static void add_one(const struct chart *c, const struct chart_layout *l, size_t i, struct text *script)
{
	switch (c->style.kind) {
	case CHART_CURVES:
		add_curve(c, i, script);
		return;
	case CHART_STEPS:
		text_printf(script, "\t$data%zu using 1:2 with steps lt %zu", i + 1, c->data[i].series + 1);
		return;
	case CHART_POINTS:
		text_printf(script, "\t$data%zu using 1:2 with points lt %zu%s", i + 1, c->data[i].series + 1,
			c->data[i].count > MANY ? " ps 0.25" : "");
		return;
	case CHART_BARS:
	case CHART_STACKS:
		add_bars(c, l, i, script);
		return;
	case CHART_BOXES:
		if (c->percentiles)
			add_percentiles(c, i, script);
		else
			add_boxes(c, i, script);
		return;
	}
}

static void add_plot(const struct chart *c, const struct chart_layout *l, size_t panel, struct text *script)
{
	bool first = true;
	text_add(script, "plot \\\n");
	if (chart_has_groups(c) && chart_axis_of(c, 'y', panel, l->panel_height).low < 0) {
		text_add(script, "\t0 with lines lt -1 lc rgb '#444444' lw 0.6");
		first = false;
	}
	if (*c->style.line) {
		text_printf(script, "%s\t%s with lines lt -1 " REFERENCE, first ? "" : ", \\\n",
			strcmp(c->style.line, "diagonal") == 0 ? "x" : c->style.line);
		first = false;
	}
	for (size_t i = c->panel[panel].first, k = 0; k < c->panel[panel].count; k++) {
		text_add(script, first ? "" : ", \\\n");
		add_one(c, l, c->order[i + k], script);
		first = false;
	}
	text_add_char(script, '\n');
}

/* ---- axes ---- */

/* Writes marks without numbers for the groups. */
static void add_group_tics(const struct chart *c, struct text *script)
{
	text_printf(script, "set xrange [-0.5:%zu.5]\nset xtics (", c->groups.count - 1);
	for (size_t i = 0; i < c->groups.count; i++)
		text_printf(script, "%s\"\" %zu", i ? ", " : "", i);
	text_add(script, c->style.letters ? ")\n" : ")\nset grid noxtics\n");
}

/* Writes the range, the numbers and their form. */
static void add_axis(
	const struct chart *c, const struct chart_layout *l, size_t panel, char axis, struct text *script)
{
	struct chart_axis a = chart_axis_of(c, axis, panel, axis == 'x' ? l->panel_width : l->panel_height);
	bool numbers = chart_has_numbers(c, l, panel, axis);
	char label[CHART_TIC_MAX];
	double value;
	text_printf(script, "set %crange [", axis);
	script_number(script, a.low);
	text_add_char(script, ':');
	script_number(script, a.high);
	text_add(script, "]\n");
	if (!a.log) {
		text_printf(script, "set %ctics %g\nset format %c \"%s\"\n", axis, a.step, axis,
			numbers ? "%g" : "");
		return;
	}
	text_printf(script, "set logscale %c\nset %ctics (", axis, axis);
	for (size_t i = 0; chart_axis_tic(&a, i, &value, label); i++)
		text_printf(script, "%s\"%s\" %g", i ? ", " : "", numbers ? label : "", value);
	text_add(script, ")\n");
}

/* Writes a text in several lines if needed; the middle of the first line is at that place. */
static void add_lines(const struct chart_layout *l, size_t tag, const char *string, double width, size_t most,
	double x, double y, const char *how, struct text *script)
{
	struct text lines = {0};
	chart_text_wrap(string, width, most, &lines);
	frame_label(&l->frame, tag, text_data(&lines), x, y, how, script);
	script->failed |= lines.failed;
	text_finish(&lines);
}

/* Writes the texts around the panels: the labels of the axes, centred for all panels, and the panel's
 * title. */
static void add_labels(const struct chart *c, const struct chart_layout *l, size_t panel, double left,
	double bottom, struct text *script)
{
	text_add(script, "unset label\n");
	size_t lines = chart_text_wrap(
		c->panels.name[panel], l->panel_width + l->column_gap - 0.06, CHART_TITLE_LINES, NULL);
	add_lines(l, 1, c->panels.name[panel], l->panel_width + l->column_gap - 0.06, CHART_TITLE_LINES, left,
		bottom + l->panel_height + 0.1 + CHART_LINE * ((double)lines - 1), "left", script);
	if (panel > 0)
		return;
	double width = (double)l->columns * (l->panel_width + l->column_gap) - l->column_gap;
	double up = l->frame.height - CHART_TOP - l->title, down = l->bottom + chart_legend_height(l);
	double high = fmin(chart_text_width(c->style.y), chart_y_room(l)) / 2 + 0.04;
	double wide = fmin(chart_text_width(c->style.x), l->frame.width - 0.16) / 2 + 0.04;
	double y = fmax(fmin((up + down) / 2, l->frame.height - high), chart_legend_height(l) + high);
	double x = fmax(fmin(l->left + width / 2, l->frame.width - wide), wide);
	add_lines(l, 2, c->style.y, chart_y_room(l), 2, 0.1, y, "center rotate by 90", script);
	add_lines(l, 3, c->style.x, l->frame.width - 0.16, 2, x,
		chart_legend_height(l) + l->x_label - CHART_LINE / 2 + (c->style.letters ? 0.02 : 0),
		"center", script);
}

/* The names of groups are put where our layout has room for them; for names at an axis gnuplot would use its
 * own estimate. */
static void add_group_names(
	const struct chart *c, const struct chart_layout *l, double left, double bottom, struct text *script)
{
	static const char *const turned[] = {"center", "right rotate by 40", "right rotate by 90"};
	double room = l->panel_width / (double)c->groups.count;
	bool flat = l->turn == NAMES_FLAT;
	for (size_t i = 0; i < c->groups.count; i += l->every)
		add_lines(l, GROUP_TAG + i, c->groups.name[i], flat ? room : CHART_NAME_MOST,
			flat ? CHART_NAME_LINES : 1,
			left + ((double)i + 0.5) * room + (l->turn == NAMES_SLANTED ? 0.04 : 0),
			bottom - (flat ? 0.12 : 0.08), turned[l->turn], script);
}

/* A vertical line at the panel's mark, unless the axis ends before it. */
static void add_mark(const struct chart *c, const struct chart_layout *l, size_t panel, struct text *script)
{
	struct chart_axis x = chart_axis_of(c, 'x', panel, l->panel_width);
	if (!isfinite(c->marks[panel]) || c->marks[panel] < x.low || c->marks[panel] > x.high) {
		text_add(script, "unset arrow\n");
		return;
	}
	text_add(script, "set arrow 1 from ");
	script_number(script, c->marks[panel]);
	text_add(script, ",graph 0 to ");
	script_number(script, c->marks[panel]);
	text_add(script, ",graph 1 nohead back lt -1 " REFERENCE "\n");
}

static void add_panel(const struct chart *c, const struct chart_layout *l, size_t panel, struct text *script)
{
	double left, bottom;
	chart_panel_place(l, panel, &left, &bottom);
	frame_area(&l->frame, left, bottom, l->panel_width, l->panel_height, script);
	if (chart_has_groups(c))
		add_group_tics(c, script);
	else
		add_axis(c, l, panel, 'x', script);
	if (!chart_has_groups(c))
		add_mark(c, l, panel, script);
	add_axis(c, l, panel, 'y', script);
	add_labels(c, l, panel, left, bottom, script);
	if (chart_has_groups(c) && chart_has_numbers(c, l, panel, 'x'))
		add_group_names(c, l, left, bottom, script);
	add_plot(c, l, panel, script);
}

/* ---- all of it ---- */

static bool too_narrow(const struct chart *c, const struct chart_layout *l)
{
	return c->style.width > 0 && l->frame.width > c->style.width + 0.005;
}

static bool too_low(const struct chart *c, const struct chart_layout *l)
{
	return c->style.height > 0 && l->frame.height > c->style.height + 0.005;
}

/* The least of the wanted width, or height, that is enough, in tenths of an inch. What is needed depends on
 * what is given: a higher figure has a looser legend. */
static double enough(const struct chart *c, struct chart_layout l, bool narrow)
{
	struct chart other = *c;
	double *size = narrow ? &other.style.width : &other.style.height;
	while (narrow ? too_narrow(&other, &l) : too_low(&other, &l)) {
		double needed = ceil(10 * (narrow ? l.frame.width : l.frame.height) - 0.05) / 10;
		*size = fmax(needed, *size + 0.1);
		l = chart_lay_out(&other);
	}
	return *size;
}

bool chart_size(const struct chart *c, double *width, double *height, struct error *err)
{
	struct chart_layout l = chart_lay_out(c);
	*width = l.frame.width;
	*height = l.frame.height;
	bool narrow = too_narrow(c, &l);
	if (narrow || too_low(c, &l))
		return error_set(err, STATUS_INPUT,
			"%gx%g inches are too small for this figure; it needs %s%.1f", c->style.width,
			c->style.height, narrow ? "a width of at least " : "a height of at least ",
			enough(c, l, narrow));
	return true;
}

/* A line type for every series, so that a look can be changed in one place of the script. */
static void add_line_types(const struct chart *c, struct text *script)
{
	if (chart_has_groups(c) && !c->percentiles)
		return;
	for (size_t i = 0; i < c->series.count; i++) {
		const struct chart_look *look = &c->traits[i].look;
		text_printf(script, "set linetype %zu lc rgb '%s' lw 1.3 dt %d pt %d ps 0.45\n", i + 1,
			look->line, look->dash, look->mark);
	}
}

void chart_write(const struct chart *c, struct text *script)
{
	struct chart_layout l = chart_lay_out(c);
	add_data(c, &l, script);
	add_line_types(c, script);
	text_add(script, c->style.letters ? "unset grid\nset multiplot\n" : "set multiplot\n");
	for (size_t panel = 0; panel < c->panels.count; panel++)
		add_panel(c, &l, panel, script);
	chart_legend_write(c, &l, script);
	text_add(script, "unset multiplot\n");
}
