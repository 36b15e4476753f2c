/* report/issue_strip.c - draws the strips of issued instructions (QAWS's Fig. 3). */
#include "report/issue_strip.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/utf8.h"
#include "report/frame.h"
#include "report/script.h"

/* In inches, for letters of 8 points. */
#define LETTER 0.066
#define RIGHT 0.05 /* beyond half of the last number */
#define TOP 0.06
#define TITLE 0.2
#define GAP 0.14    /* between a panel and the title of the next one */
#define TICS 0.25   /* numbers below the lowest panel */
#define LINE 0.18   /* a label, a row of the legend */
#define SAMPLE 0.26 /* before a name in the legend */
#define ENTRY_GAP 0.16
#define ROW 0.17
#define ROW_LEAST 0.025
#define ROW_NAMED 0.1 /* lower rows have no names */
#define CYCLE 0.16
#define WIDEST 6.9
#define HIGHEST 9.5
#define HALF 0.4 /* half of what a rectangle takes, as part of a row */

#define CYCLES_MOST 2000
#define ROWS_MOST 512
#define PANELS_MOST 64
#define KERNELS_MOST 16

/* Columns of the SQL, in their order. */
enum {
	COLUMN_RUN,
	COLUMN_PANEL,
	COLUMN_ROW,
	COLUMN_KERNEL,
	COLUMN_CYCLE,
	COLUMN_UNTIL,
	COLUMN_NUMBER,
	COLUMN_LAST,
	COLUMNS
};

struct mark {
	size_t kernel, row; /* row: counted over all panels */
	int64_t cycle, until, number;
};

struct panel {
	int64_t run, last;
	char title[QUERY_LINE_MAX];
	size_t first_row, rows, first_mark, marks;
};

struct strip {
	int64_t from, to; /* cycles of the figure */
	struct panel panels[PANELS_MOST];
	char *rows[ROWS_MOST], *kernels[KERNELS_MOST];
	size_t panel_count, row_count, kernel_count;
	struct mark *marks;
	size_t mark_count;
	char x[CHART_LABEL_MAX], y[CHART_LABEL_MAX];
	double wanted_row; /* inches; 0: chosen */
};

struct strip_layout {
	struct frame frame;
	double left, right, row, cycle, bottom; /* bottom: below the panels */
	size_t legend_rows;
};

/* ---- reading ---- */

static bool whole_parameter(const struct figure_call *call, const char *name, int64_t least, int64_t most,
	int64_t *value, struct error *err)
{
	const char *text = parameters_value(&call->parameters, call->query, name);
	char *end;
	long long number = strtoll(text, &end, 10);
	if (end == text || *end || number < least || number > most)
		return error_set(err, STATUS_INPUT,
			"figure %s: parameter '%s' is '%s'; expected a whole number from %" PRId64
			" to %" PRId64,
			call->query->name, name, text, least, most);
	*value = number;
	return true;
}

/* Names are not cut: long ones may differ only at their ends. */
static bool add_name(char **names, size_t *count, const char *name, struct error *err)
{
	names[*count] = strdup(name ? name : "");
	if (!names[*count])
		return error_memory(err, "drawing a strip of instructions");
	++*count;
	return true;
}

static bool too_much(const struct figure_call *call, const char *what, struct error *err)
{
	return error_set(err, STATUS_INPUT,
		"figure %s: there are more %s than fit on a page; choose a run with -P run=N, or "
		"fewer cycles",
		call->query->name, what);
}

static bool find_kernel(
	const struct figure_call *call, struct strip *s, const char *name, size_t *kernel, struct error *err)
{
	for (*kernel = 0; *kernel < s->kernel_count; (*kernel)++)
		if (strcmp(s->kernels[*kernel], name ? name : "") == 0)
			return true;
	if (s->kernel_count == KERNELS_MOST)
		return too_much(call, "kernels", err);
	return add_name(s->kernels, &s->kernel_count, name, err);
}

/* The panel and the row of the cursor's current row: the last ones, or new ones. */
static bool find_row(
	const struct figure_call *call, struct strip *s, const struct db_cursor *c, struct error *err)
{
	struct panel *panel = s->panel_count ? &s->panels[s->panel_count - 1] : NULL;
	const char *row = cursor_text(c, COLUMN_ROW);
	if (!panel || panel->run != cursor_integer(c, COLUMN_RUN)) {
		if (s->panel_count == PANELS_MOST)
			return too_much(call, "runs", err);
		panel = &s->panels[s->panel_count++];
		*panel = (struct panel){
			.run = cursor_integer(c, COLUMN_RUN),
			.last = cursor_integer(c, COLUMN_LAST),
			.first_row = s->row_count,
			.first_mark = s->mark_count,
		};
		const char *title = cursor_text(c, COLUMN_PANEL);
		snprintf(panel->title, sizeof(panel->title), "%s", title ? title : "");
	}
	if (panel->rows > 0 && strcmp(s->rows[s->row_count - 1], row ? row : "") == 0)
		return true;
	if (s->row_count == ROWS_MOST)
		return too_much(call, "warps", err);
	panel->rows++;
	return add_name(s->rows, &s->row_count, row, err);
}

static bool add_mark(struct strip *s, const struct mark *mark, struct error *err)
{
	struct mark *grown =
		list_room(s->marks, s->mark_count, sizeof(*grown), "drawing a strip of instructions", err);
	if (!grown)
		return false;
	s->marks = grown;
	s->marks[s->mark_count++] = *mark;
	s->panels[s->panel_count - 1].marks++;
	return true;
}

static bool read_mark(
	const struct figure_call *call, struct strip *s, const struct db_cursor *c, struct error *err)
{
	struct mark mark = {
		.cycle = cursor_integer(c, COLUMN_CYCLE),
		.until = cursor_integer(c, COLUMN_UNTIL),
		.number = cursor_integer(c, COLUMN_NUMBER),
	};
	if (!find_row(call, s, c, err) ||
		!find_kernel(call, s, cursor_text(c, COLUMN_KERNEL), &mark.kernel, err))
		return false;
	mark.row = s->row_count - 1;
	return add_mark(s, &mark, err);
}

/* Leaves out what is behind the end of every run. */
static void cut_window(struct strip *s)
{
	int64_t end = s->from + 1;
	for (size_t i = 0; i < s->panel_count; i++)
		end = s->panels[i].last > end ? s->panels[i].last : end;
	for (size_t i = 0; i < s->mark_count; i++)
		end = s->marks[i].until > end ? s->marks[i].until : end;
	s->to = end < s->to ? end : s->to;
	for (size_t i = 0; i < s->mark_count; i++)
		s->marks[i].until = s->marks[i].until < s->to ? s->marks[i].until : s->to;
}

static bool read_strip(const struct figure_call *call, struct strip *s, struct error *err)
{
	char nothing[QUERY_LINE_MAX] = "the recording has no instructions of warps",
	     size[CHART_LABEL_MAX] = "";
	int64_t cycles = 0;
	if (!whole_parameter(call, "from", 0, INT64_MAX / 2, &s->from, err) ||
		!whole_parameter(call, "cycles", 1, CYCLES_MOST, &cycles, err))
		return false;
	s->to = s->from + cycles;
	query_header(call->query, "x", s->x, sizeof(s->x));
	query_header(call->query, "y", s->y, sizeof(s->y));
	query_header(call->query, "panel", size, sizeof(size));
	query_header(call->query, "nothing", nothing, sizeof(nothing));
	s->wanted_row = atof(size);
	struct db_cursor *rows = figure_open(call, err);
	bool ok = rows && parameters_bind(&call->parameters, call->query, rows, err), row = true;
	if (ok && cursor_columns(rows) != COLUMNS)
		ok = error_set(
			err, STATUS_IO, "figure %s: a strip has %d columns", call->query->name, COLUMNS);
	while (ok && row)
		ok = cursor_next(rows, &row, err) && (!row || read_mark(call, s, rows, err));
	cursor_close(rows);
	if (ok && s->mark_count == 0)
		return error_set(err, STATUS_NO, "%s", nothing);
	cut_window(s);
	return ok;
}

/* ---- layout ---- */

/* Entries of the legend: one per kernel, the line of a result, a cycle without an issue. */
static const char *legend_name(const struct strip *s, size_t entry)
{
	return entry < s->kernel_count    ? s->kernels[entry]
	       : entry == s->kernel_count ? "until the result"
					  : "no warp is issued";
}

static size_t legend_entries(const struct strip *s)
{
	return s->kernel_count + 2;
}

static struct frame_flow begin_legend(double width)
{
	return (struct frame_flow){.from = 0.12, .at = 0.12, .limit = width};
}

/* The place of the entry's sample. */
static double place_entry(const struct strip *s, size_t entry, struct frame_flow *flow)
{
	return frame_flow(flow, SAMPLE + LETTER * (double)utf8_width(legend_name(s, entry)) + ENTRY_GAP);
}

static bool lay_out(
	const struct figure_call *call, const struct strip *s, struct strip_layout *l, struct error *err)
{
	size_t longest = 0;
	for (size_t i = 0; i < s->row_count; i++)
		longest = utf8_width(s->rows[i]) > longest ? utf8_width(s->rows[i]) : longest;
	l->left = LETTER * (double)longest + 0.2 + (*s->y ? LINE : 0);
	l->right = RIGHT + LETTER / 2 * (double)snprintf(NULL, 0, "%" PRId64, s->to);
	double cycles = (double)(s->to - s->from), most = WIDEST - l->left - l->right;
	double across = CYCLE * cycles < most ? CYCLE * cycles : most;
	across = across < 2.4 ? 2.4 : across;
	if (call->width > 0)
		across = call->width - l->left - l->right;
	l->frame.width = l->left + across + l->right;
	l->cycle = across / cycles;
	struct frame_flow flow = begin_legend(l->frame.width);
	for (size_t i = 0; i < legend_entries(s); i++)
		place_entry(s, i, &flow);
	l->legend_rows = flow.row + 1;
	l->bottom = TICS + (*s->x ? LINE : 0) + LINE * (double)l->legend_rows + 0.06;
	double around = TOP + l->bottom + (double)s->panel_count * (TITLE + GAP) - GAP;
	double fits = ((call->height > 0 ? call->height : HIGHEST) - around) / (double)s->row_count;
	l->row = call->height > 0 ? fits : s->wanted_row > 0 ? s->wanted_row : ROW;
	l->row = l->row < fits ? l->row : fits;
	l->frame.height = around + l->row * (double)s->row_count;
	if (across <= 0 || l->row < ROW_LEAST)
		return too_much(call, "warps", err);
	return true;
}

/* ---- script ---- */

/* Instructions of a kernel in a panel: cycle, row, end of the line, number. */
static size_t add_issues(const struct strip *s, size_t p, size_t kernel, struct text *script)
{
	const struct panel *panel = &s->panels[p];
	size_t count = 0;
	for (size_t i = panel->first_mark; i < panel->first_mark + panel->marks; i++) {
		const struct mark *m = &s->marks[i];
		if (m->kernel != kernel || m->cycle < s->from)
			continue;
		if (count++ == 0) {
			text_printf(script, "$issued%zu_%zu << EOD\n# ", p + 1, kernel + 1);
			script_in_line(script, s->kernels[kernel]);
			text_add(script, ": cycle, row, result, number\n");
		}
		text_printf(script, "%" PRId64 " %zu %" PRId64 " %" PRId64 "\n", m->cycle,
			m->row - panel->first_row, m->until, m->number);
	}
	text_add(script, count ? "EOD\n" : "");
	return count;
}

/* Lines from just behind the issue, or from the left edge, to the result. */
static size_t add_waits(const struct strip *s, size_t p, size_t kernel, struct text *script)
{
	const struct panel *panel = &s->panels[p];
	size_t count = 0;
	for (size_t i = panel->first_mark; i < panel->first_mark + panel->marks; i++) {
		const struct mark *m = &s->marks[i];
		int64_t from = m->cycle < s->from ? s->from : m->cycle + 1;
		if (m->kernel != kernel || m->until <= from)
			continue;
		if (count++ == 0)
			text_printf(script, "$waits%zu_%zu << EOD\n", p + 1, kernel + 1);
		text_printf(
			script, "%" PRId64 " %zu %" PRId64 "\n", from, m->row - panel->first_row, m->until);
	}
	text_add(script, count ? "EOD\n" : "");
	return count;
}

/* Cycles of the run in which nothing is issued, from .. to. */
static size_t add_blanks(const struct strip *s, size_t p, struct text *script)
{
	const struct panel *panel = &s->panels[p];
	int64_t end = panel->last < s->to ? panel->last : s->to, since = -1;
	bool issued[CYCLES_MOST] = {false};
	size_t count = 0;
	for (size_t i = panel->first_mark; i < panel->first_mark + panel->marks; i++)
		if (s->marks[i].cycle >= s->from && s->marks[i].cycle < end)
			issued[s->marks[i].cycle - s->from] = true;
	for (int64_t cycle = s->from; cycle <= end; cycle++) {
		bool blank = cycle < end && !issued[cycle - s->from];
		if (!blank && since >= 0) {
			if (count++ == 0)
				text_printf(script, "$blank%zu << EOD\n", p + 1);
			text_printf(script, "%" PRId64 " %" PRId64 "\n", since, cycle);
		}
		since = blank ? since < 0 ? cycle : since : -1;
	}
	text_add(script, count ? "EOD\n" : "");
	return count;
}

static void add_rectangles(const struct strip_layout *l, size_t p, size_t kernel, struct text *script)
{
	text_printf(script,
		", \\\n\t$issued%zu_%zu using ($1+0.5):2:1:($1+1):($2-%g):($2+%g) with boxxyerror lt -1 lw "
		"0.5 fs solid 1 %s fc rgb '%s'",
		p + 1, kernel + 1, HALF, HALF, l->cycle > 0.05 ? "border lc rgb '#ffffff'" : "noborder",
		script_colour(kernel));
	if (l->cycle >= 2 * LETTER && l->row >= 0.14)
		text_printf(script, ", \\\n\t$issued%zu_%zu using ($1+0.5):2:4 with labels tc rgb '#ffffff'",
			p + 1, kernel + 1);
}

/* Grey comes first, then lines, then rectangles over them. The first element is empty, so that each of the
 * others can begin with a comma. */
static void add_plot(const struct strip *s, const struct strip_layout *l, size_t p, struct text *script)
{
	size_t issues[KERNELS_MOST] = {0}, waits[KERNELS_MOST] = {0};
	for (size_t k = 0; k < s->kernel_count; k++) {
		issues[k] = add_issues(s, p, k, script);
		waits[k] = add_waits(s, p, k, script);
	}
	size_t blanks = add_blanks(s, p, script);
	text_add(script, "plot NaN");
	if (blanks)
		text_printf(script,
			", \\\n\t$blank%zu using (($1+$2)/2):(%g):1:2:(-0.5):(%g) with boxxyerror lt -1 lc "
			"rgb '#dddddd' fs solid 1 noborder",
			p + 1, (double)(s->panels[p].rows - 1) / 2, (double)s->panels[p].rows - 0.5);
	for (size_t k = 0; k < s->kernel_count; k++)
		if (waits[k])
			text_printf(script,
				", \\\n\t$waits%zu_%zu using 1:2:($3-$1):(0) with vectors nohead lt -1 dt 1 "
				"lw 1 lc rgb '%s'",
				p + 1, k + 1, script_colour(k));
	for (size_t k = 0; k < s->kernel_count; k++)
		if (issues[k])
			add_rectangles(l, p, k, script);
	text_add_char(script, '\n');
}

static void add_row_names(
	const struct strip *s, const struct strip_layout *l, const struct panel *panel, struct text *script)
{
	if (l->row < ROW_NAMED) {
		text_add(script, "unset ytics\n");
		return;
	}
	text_add(script, "set ytics scale 0 (");
	for (size_t i = 0; i < panel->rows; i++) {
		text_add(script, i ? ", " : "");
		script_string(script, s->rows[panel->first_row + i]);
		text_printf(script, " %zu", i);
	}
	text_add(script, ")\n");
}

/* The boxes and lines before the names, and the texts below and beside all panels. */
static void add_surroundings(const struct strip *s, const struct strip_layout *l, struct text *script)
{
	double legend = LINE * (double)l->legend_rows;
	struct frame_flow flow = begin_legend(l->frame.width);
	frame_label(&l->frame, 1, s->x, (l->left + l->frame.width - l->right) / 2, legend + 0.06 + LINE / 2,
		"center", script);
	frame_label(
		&l->frame, 2, s->y, 0.1, (l->bottom + l->frame.height) / 2, "center rotate by 90", script);
	for (size_t i = 0; i < legend_entries(s); i++) {
		double left = place_entry(s, i, &flow);
		double y = legend - LINE * ((double)flow.row + 0.5) + 0.02;
		double x1 = left / l->frame.width, x2 = (left + SAMPLE - 0.07) / l->frame.width;
		frame_label(&l->frame, 10 + i, legend_name(s, i), left + SAMPLE, y, "left", script);
		if (i == s->kernel_count)
			text_printf(script,
				"set arrow from screen %.5f,%.5f to screen %.5f,%.5f nohead lw 1 "
				"lc rgb '#444444'\n",
				x1, y / l->frame.height, x2, y / l->frame.height);
		else
			text_printf(script,
				"set object rectangle from screen %.5f,%.5f to screen %.5f,%.5f fc rgb '%s' "
				"fs solid 1 noborder\n",
				x1, (y - 0.05) / l->frame.height, x2, (y + 0.05) / l->frame.height,
				i < s->kernel_count ? script_colour(i) : "#dddddd");
	}
}

/* Cycles between two numbers of the axis: at least 0.3 inches, and never 1. */
static int64_t tic_step(double cycle)
{
	return llround(fmax(frame_step(0.3 / cycle), 2));
}

static void add_panel(
	const struct strip *s, const struct strip_layout *l, size_t p, double *top, struct text *script)
{
	const struct panel *panel = &s->panels[p];
	double bottom = *top - TITLE - l->row * (double)panel->rows;
	bool lowest = p + 1 == s->panel_count;
	frame_edge(&l->frame, 't', *top - TITLE, script);
	frame_edge(&l->frame, 'b', bottom, script);
	text_printf(script, "set yrange [%g:-0.5]\nset format x \"%s\"\nunset label\n",
		(double)panel->rows - 0.5, lowest ? "%.0f" : "");
	add_row_names(s, l, panel, script);
	frame_label(&l->frame, 3, panel->title, l->left, *top - TITLE / 2 + 0.01, "left", script);
	if (lowest)
		add_surroundings(s, l, script);
	add_plot(s, l, p, script);
	*top = bottom - GAP;
}

static void write_strip(const struct strip *s, const struct strip_layout *l, struct text *script)
{
	double top = l->frame.height - TOP;
	frame_edge(&l->frame, 'l', l->left, script);
	frame_edge(&l->frame, 'r', l->frame.width - l->right, script);
	text_printf(script,
		"set xrange [%" PRId64 ":%" PRId64 "]\nset xtics %" PRId64 "\nset grid x noytics\n", s->from,
		s->to, tic_step(l->cycle));
	text_add(script, "set multiplot\n");
	for (size_t p = 0; p < s->panel_count; p++)
		add_panel(s, l, p, &top, script);
	text_add(script, "unset multiplot\n");
}

bool issue_strip_draw(
	const struct figure_call *call, struct text *body, double *width, double *height, struct error *err)
{
	struct strip *s = calloc(1, sizeof(*s));
	struct strip_layout l = {0};
	if (!s)
		return error_memory(err, "drawing a strip of instructions");
	bool ok = read_strip(call, s, err) && lay_out(call, s, &l, err);
	if (ok) {
		write_strip(s, &l, body);
		*width = l.frame.width;
		*height = l.frame.height;
	}
	for (size_t i = 0; i < s->row_count; i++)
		free(s->rows[i]);
	for (size_t i = 0; i < s->kernel_count; i++)
		free(s->kernels[i]);
	free(s->marks);
	free(s);
	return ok;
}
