/* report/gantt/draw.c - writes the gnuplot text of a Gantt chart: its data, in columns with a meaning
 * (instants, the row, and the range in the row's height), and the commands that draw them. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/gantt/data.h"
#include "report/gantt/marks.h"
#include "report/script.h"

#define BORDERED_HIGH 0.035 /* inches: lower or narrower rectangles have no border and no hatch */
#define BORDERED_WIDE 0.025

/* ---- bars ---- */

static double height_of(const struct gantt_drawing *d, const struct gantt_bar *bar)
{
	double row = d->rows->row[d->rows->of_lane[bar->lane]].height;
	return row * (double)(bar->high - bar->low) / (double)d->chart->top[bar->lane];
}

static double width_of(const struct gantt_drawing *d, int64_t start, int64_t end)
{
	return d->layout->plot_width * (double)(end - start) / (double)(d->chart->to - d->chart->from);
}

static bool is_big(const struct gantt_drawing *d, const struct gantt_bar *bar)
{
	return height_of(d, bar) >= BORDERED_HIGH && width_of(d, bar->start, bar->end) >= BORDERED_WIDE;
}

static void add_bar(
	struct gantt_drawing *d, int64_t start, int64_t end, size_t row, int64_t low, int64_t high)
{
	gantt_data_row(d);
	gantt_add_time(d, start);
	text_add_char(d->script, ' ');
	gantt_add_time(d, end);
	text_printf(d->script, " %zu %" PRId64 " %" PRId64 "\n", row + 1, low, high);
}

/* Blocks of a kernel that run side by side, and are too low to be told apart, become one rectangle. */
static void add_bars(struct gantt_drawing *d, size_t task, enum gantt_kind kind, bool big)
{
	const struct gantt_bars *bars = &d->chart->bars;
	gantt_begin_data(d,
		kind == GANTT_SPIN       ? "spin"
		: kind == GANTT_BOOST    ? "boost"
		: kind == GANTT_OVERHEAD ? "overhead"
		: big                    ? "task"
					 : "small",
		task);
	for (size_t i = d->chart->first_bar[task]; i < d->chart->first_bar[task + 1]; i++) {
		struct gantt_bar bar = bars->bar[i];
		if (bar.kind != kind || bar.seq == GANTT_NO_JOB || is_big(d, &bar) != big)
			continue;
		while (!big && i + 1 < bars->count && gantt_same_kernel(&bar, &bars->bar[i + 1]) &&
			!is_big(d, &bars->bar[i + 1]))
			bar.high = bars->bar[++i].high;
		add_bar(d, bar.start, bar.end, d->rows->of_lane[bar.lane], bar.low, bar.high);
	}
}

/* ---- sums ---- */

static void add_corner(struct gantt_drawing *d, int64_t instant, size_t row, int64_t level)
{
	gantt_data_row(d);
	gantt_add_time(d, instant);
	text_printf(d->script, " %zu %" PRId64 "\n", row + 1, level);
}

/* A sum is drawn from the lane's bottom to the upper edge of the task's share, with one outline for adjacent
 * bins; the tasks below are drawn over it. */
static void add_outlines(struct gantt_drawing *d, size_t task)
{
	const struct gantt_bars *bars = &d->chart->bars;
	const struct gantt_bar *before = NULL;
	gantt_begin_data(d, "share", task);
	for (size_t i = d->chart->first_bar[task]; i < d->chart->first_bar[task + 1]; i++) {
		const struct gantt_bar *bar = &bars->bar[i];
		if (bar->seq != GANTT_NO_JOB)
			continue;
		size_t row = d->rows->of_lane[bar->lane];
		bool goes_on = before && before->lane == bar->lane && before->end == bar->start;
		if (before && !goes_on) {
			add_corner(d, before->end, d->rows->of_lane[before->lane], 0);
			text_add_char(d->script, '\n');
		}
		if (!goes_on)
			add_corner(d, bar->start, row, 0);
		add_corner(d, bar->start, row, bar->high);
		add_corner(d, bar->end, row, bar->high);
		before = bar;
	}
	if (before)
		add_corner(d, before->end, d->rows->of_lane[before->lane], 0);
}

static void draw_sums(struct gantt_drawing *d, size_t task, const char *fill)
{
	char style[120];
	add_outlines(d, task);
	if (!gantt_end_data(d))
		return;
	snprintf(style, sizeof(style),
		"1:(y($2,$3)) with filledcurves closed fc rgb '%s' fs solid 1 noborder", fill);
	gantt_plot(d, style);
}

/* ---- tasks ---- */

#define BOX "1:(y($3,$4)):1:2:(y($3,$4)):(y($3,$5)) with boxxyerror "

static void plot_boxes(struct gantt_drawing *d, const char *fill, const char *edge, double width)
{
	char style[160];
	snprintf(style, sizeof(style), BOX "fc rgb '%s' fs solid 1 border lc rgb '%s' lw %.2g dt 1", fill,
		edge, width);
	gantt_plot(d, style);
}

static void plot_hatch(struct gantt_drawing *d, const char *colour, int pattern)
{
	char style[160];
	snprintf(style, sizeof(style), BOX "fc rgb '%s' fs transparent pattern %d noborder", colour, pattern);
	gantt_plot(d, style);
}

static void draw_task(struct gantt_drawing *d, size_t task)
{
	struct gantt_paint p = gantt_paint(task, gantt_faded(d->ask, &d->chart->task[task]));
	draw_sums(d, task, p.fill);
	add_bars(d, task, GANTT_RUN, false);
	if (gantt_end_data(d))
		plot_boxes(d, p.fill, p.fill, 0.15);
	add_bars(d, task, GANTT_RUN, true);
	if (gantt_end_data(d)) {
		plot_boxes(d, p.fill, p.edge, 0.35);
		if (p.pattern)
			plot_hatch(d, p.hatch, p.pattern);
	}
	for (enum gantt_kind kind = GANTT_SPIN; kind <= GANTT_OVERHEAD; kind++)
		for (int big = 0; big < 2; big++) {
			add_bars(d, task, kind, big);
			if (!gantt_end_data(d))
				continue;
			plot_boxes(d, p.pale, p.edge, 0.35);
			plot_hatch(d, p.edge, kind == GANTT_OVERHEAD ? 2 : 5);
			if (kind == GANTT_BOOST)
				gantt_plot(d, "1:(y($3,$5)):1:2:(y($3,$5-0.25*($5-$4))):(y($3,$5)) with "
					      "boxxyerror fc rgb '#000000' fs "
					      "solid 1 noborder");
		}
}

/* ---- frame ---- */

/* An empty plot command. */
static void begin_plot(struct gantt_drawing *d)
{
	if (d->plot.failed)
		d->script->failed = true;
	text_clear(&d->plot);
}

static void add_area(const struct gantt_drawing *d, double bottom, double height)
{
	const struct gantt_layout *l = d->layout;
	frame_area(&l->frame, l->left, bottom, l->plot_width, height, d->script);
}

/* A little more than the window, so that marks at its ends are fully visible. */
static void add_time_range(const struct gantt_drawing *d)
{
	double unit = (double)d->layout->unit, from = (double)d->chart->from / unit,
	       to = (double)d->chart->to / unit;
	double room = 0.05 * (to - from) / d->layout->plot_width;
	text_printf(d->script, "set xrange [%.12g:%.12g]\n", from - room, to + room);
}

/* Writes the places of the rows, for y(row, level); their names; and the background that is visible while
 * nothing runs. */
static void add_rows(struct gantt_drawing *d)
{
	const struct gantt_rows *r = d->rows;
	const struct gantt_chart *c = d->chart;
	text_printf(d->script, "array bottom[%zu]\narray level[%zu]\narray height[%zu]\n", r->count, r->count,
		r->count);
	for (size_t i = 0; i < r->count; i++) {
		const struct gantt_row *row = &r->row[i];
		text_printf(d->script, "bottom[%zu] = %.4f; height[%zu] = %.4f; level[%zu] = %.8g\n", i + 1,
			row->bottom, i + 1, row->height, i + 1, row->height / row->levels);
		if (*row->name) {
			text_add(d->script, "set label ");
			script_sized(d->script, row->letters, row->name);
			text_printf(d->script, " at graph %.5f, first %.4f right tc rgb '#222222'\n",
				-0.06 / d->layout->plot_width,
				row->bottom + row->height * (i < c->tasks ? GANTT_JOB_SHARE / 1.2 : 0.5));
		}
		if (i < c->tasks)
			text_printf(d->script,
				"set arrow from graph 0, first %.4f to graph 1, first %.4f nohead back "
				"lc rgb '#999999' lw 0.5\n",
				row->bottom, row->bottom);
		else
			text_printf(d->script,
				"set object rectangle from graph 0, first %.4f to graph 1, first %.4f behind "
				"fc rgb '#f3f3f3' fs solid 1 noborder\n",
				row->bottom, row->bottom + row->height);
	}
}

static void add_title(struct gantt_drawing *d)
{
	const struct gantt_layout *l = d->layout;
	const struct gantt_chart *c = d->chart;
	struct text title = {0};
	double unit = (double)l->unit;
	if (l->charts > 1)
		text_printf(&title, "(%c) ", (int)('a' + d->index));
	text_printf(&title, "%s", c->title);
	if (l->frame.width >= 5)
		text_printf(&title, "%s%s", strcmp(c->platform, "custom") == 0 ? "" : " on ",
			strcmp(c->platform, "custom") == 0 ? "" : c->platform);
	text_printf(&title, ", run %" PRId64, c->run_id);
	if (c->from > 0 || c->to < c->end)
		text_printf(&title, ": %.9g to %.9g of %.7g %s", (double)c->from / unit, (double)c->to / unit,
			(double)c->end / unit, l->unit_name);
	text_add(d->script, "set label ");
	script_sized(d->script, 0.9, text_data(&title));
	text_printf(d->script, " at screen %.5f, screen %.5f left tc rgb '#444444'\n",
		l->left / l->frame.width, d->rows->title / l->frame.height);
	if (title.failed)
		d->script->failed = true;
	text_finish(&title);
}

/* Only the lowest chart has numbers. */
static void add_axis(struct gantt_drawing *d, bool numbers)
{
	const struct gantt_layout *l = d->layout;
	text_printf(d->script,
		"set border 1 lc rgb '#444444' lw 0.6\nset xtics out scale 0.4 %.12g format \"%%.%df\"\n",
		l->step, l->digits);
	if (!numbers) {
		text_add(d->script, "set format x ''\nunset xlabel\n");
		return;
	}
	text_printf(d->script, "set format x \"{/*0.9 %%.%df}\"\nset xtics offset 0,0.35\n", l->digits);
	text_printf(d->script, "set xlabel '{/*0.95 time (%s)}' offset 0,0.75\n", l->unit_name);
}

/* ---- power ---- */

/* Gives the greatest power, in uW. */
static double add_power(struct gantt_drawing *d, const struct gantt_powers *powers)
{
	const struct gantt_chart *c = d->chart;
	double most = 0;
	for (size_t i = 0; i < powers->count; i++) {
		const struct gantt_power *p = &powers->power[i];
		int64_t ends[] = {p->start > c->from ? p->start : c->from, p->end < c->to ? p->end : c->to};
		most = (double)p->uw > most ? (double)p->uw : most;
		for (size_t k = 0; k < 2; k++) {
			gantt_data_row(d);
			gantt_add_time(d, ends[k]);
			text_add_char(d->script, ' ');
			script_number(d->script, (double)p->uw / 1e6);
			text_add_char(d->script, '\n');
		}
	}
	return most;
}

/* The curves of single GPUs over that of all. */
static void plot_gpu_powers(struct gantt_drawing *d)
{
	for (size_t g = 0; g < d->chart->lanes.gpus; g++) {
		char style[80];
		gantt_begin_data(d, "power_of_gpu", g);
		add_power(d, &d->chart->gpu_power[g]);
		if (!gantt_end_data(d))
			continue;
		snprintf(style, sizeof(style), "1:2 with lines lc rgb '#333333' lw 0.8 dt %s",
			gantt_power_dash(g));
		gantt_plot(d, style);
	}
}

static void draw_power(struct gantt_drawing *d, bool numbers)
{
	begin_plot(d);
	gantt_begin_data(d, "power", 0);
	double most = add_power(d, &d->chart->power);
	bool any = gantt_end_data(d);
	if (any) {
		gantt_plot(d, "1:2 with filledcurves y1=0 fc rgb '#dddddd' fs solid 1 noborder");
		gantt_plot(d, "1:2 with lines lc rgb '#333333' lw 0.8 dt 1");
	}
	plot_gpu_powers(d);
	text_add(d->script, "unset object\nunset label\nunset arrow\n");
	add_area(d, d->rows->power_bottom, d->rows->power_height);
	add_axis(d, numbers);
	double step = most > 0 ? pow(10, floor(log10(most / 1e6))) : 1;
	step = most / 1e6 / step > 5 ? 5 * step : most / 1e6 / step > 2 ? 2 * step : step;
	text_printf(d->script,
		"set border 3\nset yrange [0:%.6g]\nset ytics nomirror out scale 0.4 %.6g format '{/*0.8 "
		"%%g}' "
		"offset 0.6,0\nset label '{/*0.9 power (W)}' at screen %.5f, graph 0.5 center rotate tc rgb "
		"'#222222'\n",
		most > 0 ? most * 1.08 / 1e6 : 1, step, 0.1 / d->layout->frame.width);
	text_printf(d->script, "plot %s\nunset ytics\nunset label\n", any ? text_data(&d->plot) : "NaN");
}

/* ---- all of it ---- */

static void draw_chart(struct gantt_drawing *d)
{
	bool power = d->rows->power_height > 0, last = d->index + 1 == d->layout->charts;
	begin_plot(d);
	text_add(d->script, "unset object\nunset label\nunset arrow\nunset ytics\nunset ylabel\n");
	add_area(d, d->rows->bottom, d->rows->height);
	add_time_range(d);
	text_printf(d->script, "set yrange [0:%.4f]\n", d->rows->height);
	add_rows(d);
	add_title(d);
	add_axis(d, last && !power);
	for (size_t task = d->chart->tasks; task-- > 0;)
		draw_task(d, task);
	gantt_draw_measured(d);
	gantt_draw_jobs(d);
	gantt_draw_ways(d);
	if (d->ask->labels)
		gantt_draw_labels(d);
	text_printf(d->script, "plot %s\n", d->plot.length ? text_data(&d->plot) : "NaN");
	if (power)
		draw_power(d, last);
}

static void draw_legend(const struct gantt_ask *ask, const struct gantt_chart *charts,
	const struct gantt_layout *l, struct text *script)
{
	text_printf(script,
		"unset border\nunset tics\nunset xlabel\nunset grid\nunset label\nunset arrow\nunset object\n"
		"set lmargin at screen 0\nset rmargin at screen 1\nset bmargin at screen 0\nset tmargin at "
		"screen %.5f\n"
		"set xrange [0:%.4f]\nset yrange [0:%.4f]\n",
		l->legend_height / l->frame.height, l->frame.width, l->legend_height);
	gantt_legend(ask, charts, l->charts, l->frame.width, l, script);
	text_add(script, "plot NaN\n");
}

void gantt_write(const struct gantt_ask *ask, const struct gantt_chart *charts, const struct gantt_layout *l,
	struct text *script)
{
	struct gantt_drawing d = {.ask = ask, .layout = l, .script = script};
	text_add(script, "# Data: start end row low high (instants on the time axis; threads or jobs), by "
			 "task; rows from the top.\n"
			 "unset grid\nset grid x back lt -1 lc rgb '#dddddd' lw 0.4\n"
			 "y(row, low) = bottom[int(row)] + low * level[int(row)]\n");
	text_add(script, *ask->chain ? GANTT_WAY_FUNCTIONS "set multiplot\n" : "set multiplot\n");
	for (d.index = 0; d.index < l->charts; d.index++) {
		d.chart = &charts[d.index];
		d.rows = &l->rows[d.index];
		draw_chart(&d);
	}
	draw_legend(ask, charts, l, script);
	text_add(script, "unset multiplot\n");
	if (d.plot.failed)
		script->failed = true;
	text_finish(&d.plot);
}
