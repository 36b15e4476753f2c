/* report/gantt/layout.c - finds the places of the rows of a Gantt chart, in inches, and the numbers of its
 * time axis. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "report/gantt/marks.h"

#define WIDTH 7.0
#define RIGHT 0.14
#define TITLE 0.2
#define AXIS 0.43      /* height of numbers and label of the time axis */
#define BELOW 0.16     /* between two charts: height of the axis's marks */
#define GROUP_GAP 0.08 /* between tasks, CPU, copies, GPU */
#define POWER 0.55
#define POWER_GAP 0.1
#define TALLEST 9.0     /* the most height, unless a size is asked for */
#define NAME_HIGH 0.115 /* height of a row's name */
#define ROWS_LEAST 0.3  /* the least height of all rows of a chart together */

void gantt_layout_finish(struct gantt_layout *l)
{
	for (size_t i = 0; i < l->charts; i++) {
		free(l->rows[i].row);
		free(l->rows[i].of_lane);
		free(l->rows[i].of_measured);
	}
	*l = (struct gantt_layout){0};
}

/* ---- time ---- */

/* Chooses a unit such that the window has at least two of them; a larger one if numbers would get long. */
static void choose_unit(struct gantt_layout *l, int64_t from, int64_t to)
{
	static const struct {
		int64_t ns;
		const char *name;
	} units[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "µs"}, {1, "ns"}};
	size_t i = 0;
	while (i < 3 && to - from < 2 * units[i].ns)
		i++;
	if (i > 0 && to / units[i].ns >= 20000 && (to - from) / 50 * 1000 >= units[i - 1].ns)
		i--;
	l->unit = units[i].ns;
	l->unit_name = units[i].name;
}

/* 1, 2 or 5 times a power of ten, such that numbers are at least half an inch apart. */
static void choose_step(struct gantt_layout *l, int64_t from, int64_t to)
{
	double window = (double)(to - from) / (double)l->unit;
	double digits = log10((double)to / (double)l->unit + 1);
	double least = window * (0.3 + 0.06 * digits) / l->plot_width;
	l->step = frame_step(least * 0.999);
	double behind = -floor(log10(l->step) + 1e-9);
	l->digits = behind > 0 ? (int)behind : 0;
}

/* ---- rows ---- */

static double task_height(size_t tasks)
{
	return tasks <= 6 ? 0.21 : tasks <= 12 ? 0.16 : 0.1;
}

static double lane_height(const struct gantt_chart *c, size_t lane, size_t sms)
{
	double top = (double)c->top[lane];
	switch (c->lanes.lane[lane].kind) {
	case LANE_CPU:
	case LANE_COPY:
	case LANE_CONTEXT:
		return 0.2;
	case LANE_STREAM:
		return c->lanes.streams <= 8 ? 0.16 : 0.11;
	case LANE_GPU:
		return top <= 1 || top >= DETAIL_FULL ? 0.5 : top > 10 ? 1.4 : 0.14 * top;
	case LANE_POOL:
		return 1.5;
	case LANE_SM:
		break;
	}
	return sms == 1    ? 1.0
	       : sms <= 2  ? 0.75
	       : sms <= 4  ? 0.46
	       : sms <= 8  ? 0.3
	       : sms <= 16 ? 0.19
	       : sms <= 32 ? 0.11
			   : 3.6 / (double)sms;
}

static double measured_height(const struct gantt_chart *c, size_t lane)
{
	double top = (double)c->measured_top[lane];
	return top <= 1 ? 0.13 : top > 10 ? 0.8 : 0.09 * top;
}

static double gap_above(const struct gantt_chart *c, size_t lane, size_t before, size_t sms)
{
	if (before == SIZE_MAX || c->lanes.lane[before].kind != c->lanes.lane[lane].kind)
		return GROUP_GAP;
	if (c->lanes.lane[lane].kind != LANE_SM)
		return 0.04;
	if (lane_gpu(&c->lanes.lane[lane]) != lane_gpu(&c->lanes.lane[before]))
		return GROUP_GAP;
	return sms <= 8 ? 0.04 : sms <= 16 ? 0.025 : sms <= 32 ? 0.012 : 0;
}

static size_t count_sms(const struct gantt_chart *c)
{
	size_t sms = 0;
	for (size_t i = 0; i < c->lanes.sms; i++)
		sms += c->shown[c->lanes.first_sm + i];
	return sms;
}

static void name_lane(const struct gantt_chart *c, size_t lane, char *name, size_t size)
{
	const struct lane *is = &c->lanes.lane[lane];
	size_t sms = is->kind == LANE_SM ? gantt_sms_of(c, lane) : 0;
	int64_t number = lane_number(is);
	char gpu[16] = "";
	if (c->lanes.gpus > 1)
		snprintf(gpu, sizeof(gpu), "GPU %zu ", lane_gpu(is) % GPUS_MOST);
	if (sms > 1)
		snprintf(name, size, "%sSM %" PRId64 "–%" PRId64, gpu, number, number + (int64_t)sms - 1);
	else if (is->kind == LANE_SM)
		snprintf(name, size, "%sSM %" PRId64, gpu, number);
	else if (is->kind == LANE_COPY && c->lanes.copies == 1)
		snprintf(name, size, "copy");
	else if (is->kind == LANE_POOL && c->lanes.gpus == 1)
		snprintf(name, size, "GPU");
	else
		snprintf(name, size, "%s", is->name);
}

static void add_measured(const struct gantt_chart *c, struct gantt_rows *r, size_t lane, double *down)
{
	struct gantt_row *row = &r->row[r->count];
	*down += 0.015;
	row->height = measured_height(c, lane);
	row->levels = (double)c->measured_top[lane];
	row->bottom = *down;
	row->measured = true;
	snprintf(row->name, sizeof(row->name), "measured");
	*down += row->height;
	r->of_measured[lane] = r->count++;
}

/* `bottom` first holds the distance from the top down. Returns the height of all rows. */
static double stack_rows(const struct gantt_chart *c, struct gantt_rows *r, size_t letters)
{
	double down = 0.02, thin = 0;
	size_t before = SIZE_MAX, sms = count_sms(c);
	for (size_t i = 0; i < c->tasks; i++) {
		struct gantt_row *row = &r->row[r->count++];
		row->height = task_height(c->tasks);
		row->levels = (double)c->task_top[i] / GANTT_JOB_SHARE;
		row->bottom = down;
		down += row->height + 0.05;
		gantt_cut_name(row->name, sizeof(row->name), c->task[i].name, letters);
	}
	for (size_t lane = 0; lane < c->lanes.count; lane++) {
		r->of_lane[lane] = r->of_measured[lane] = SIZE_MAX;
		if (!c->shown[lane] && !c->measured_top[lane])
			continue;
		if (!c->shown[lane]) {
			down += GROUP_GAP;
			add_measured(c, r, lane, &down);
			continue;
		}
		struct gantt_row *row = &r->row[r->count];
		down += gap_above(c, lane, before, sms);
		row->height = lane_height(c, lane, sms);
		row->bottom = down;
		name_lane(c, lane, row->name, sizeof(row->name));
		thin = c->lanes.lane[lane].kind == LANE_SM ? row->height + gap_above(c, lane, lane, sms)
							   : thin;
		row->levels = (double)c->top[lane];
		down += row->height;
		r->of_lane[lane] = r->count++;
		before = lane;
		if (c->measured_top[lane])
			add_measured(c, r, lane, &down);
	}
	return down + (thin > 0 && thin < 0.1 ? 0.04 : 0.03);
}

/* Of several GPUs: whether the next SM is one of another. */
static bool is_last_of_gpu(const struct gantt_chart *c, size_t lane)
{
	size_t gpu = lane_gpu(&c->lanes.lane[lane]);
	return c->lanes.gpus > 1 &&
	       lane + gantt_sms_of(c, lane) == c->lanes.of_gpu[gpu].first_sm + c->lanes.of_gpu[gpu].sms;
}

/* If SMs are thin, only some of them are named. */
static void thin_sms(const struct gantt_chart *c, struct gantt_rows *r)
{
	static const int64_t steps[] = {1, 2, 5, 10, 20, 50, 100};
	double last = 1e9;
	for (size_t i = c->lanes.first_sm; i < c->lanes.first_sm + c->lanes.sms; i++) {
		if (r->of_lane[i] == SIZE_MAX)
			continue;
		struct gantt_row *row = &r->row[r->of_lane[i]];
		double pitch = row->height;
		if (r->of_lane[i] + 1 < r->count && !is_last_of_gpu(c, i))
			pitch = row->bottom - row[1].bottom;
		else if (last < 1e8)
			pitch = last - row->bottom;
		size_t k = 0;
		while (k < 6 && (double)steps[k] * pitch < NAME_HIGH)
			k++;
		if (pitch < NAME_HIGH &&
			(lane_number(&c->lanes.lane[i]) % steps[k] != 0 || last - row->bottom < 0.11))
			row->name[0] = '\0';
		else
			last = row->bottom;
	}
}

/* With many tasks names are smaller, as long as they can be read; then only some tasks are named. */
static void thin_tasks(const struct gantt_chart *c, struct gantt_rows *r)
{
	double last = 1e9;
	for (size_t i = 0; c->tasks > 1 && i < c->tasks; i++) {
		double fit = (r->row[0].bottom - r->row[1].bottom) / NAME_HIGH;
		r->row[i].letters *= fit > 1 ? 1 : fit < 0.55 ? 0.55 : fit;
		if (last - r->row[i].bottom < 0.5 * NAME_HIGH)
			r->row[i].name[0] = '\0';
		else
			last = r->row[i].bottom;
	}
}

/* Converts distances from the top to heights above the bottom, scaled. */
static void settle_rows(const struct gantt_chart *c, struct gantt_rows *r, double scale)
{
	r->height *= scale;
	for (size_t i = 0; i < r->count; i++) {
		struct gantt_row *row = &r->row[i];
		row->height *= scale;
		row->bottom = r->height - row->bottom * scale - row->height;
		row->letters = row->measured ? 0.7 : 0.9;
	}
	thin_sms(c, r);
	thin_tasks(c, r);
}

/* ---- the figure ---- */

static size_t lane_letters(const struct lane *lane, size_t least)
{
	size_t letters = strlen(lane->name);
	return letters > least ? letters : least;
}

static size_t longest_name(const struct gantt_chart *charts, size_t count)
{
	size_t longest = 6;
	for (size_t i = 0; i < count; i++) {
		size_t lane = charts[i].sms_in_lane > 1 ? 9 : 6; /* "SM 12–15", "GPU 1 copy 0" */
		for (size_t k = 0; k < charts[i].lanes.count; k++)
			if (charts[i].shown[k] && charts[i].lanes.lane[k].kind == LANE_STREAM)
				longest = lane_letters(&charts[i].lanes.lane[k], longest);
		if (charts[i].lanes.gpus > 1)
			lane = charts[i].sms_in_lane > 1 ? 14 : 12;
		longest = lane > longest ? lane : longest;
		for (size_t k = 0; k < charts[i].tasks; k++) {
			size_t width = utf8_width(charts[i].task[k].name);
			longest = width > longest ? width : longest;
		}
	}
	return longest;
}

static bool stack_charts(
	const struct gantt_chart *charts, struct gantt_layout *l, size_t letters, struct error *err)
{
	for (size_t i = 0; i < l->charts; i++) {
		struct gantt_rows *r = &l->rows[i];
		r->row = calloc(charts[i].tasks + 2 * charts[i].lanes.count + 1, sizeof(*r->row));
		r->of_lane = calloc(charts[i].lanes.count + 1, sizeof(*r->of_lane));
		r->of_measured = calloc(charts[i].lanes.count + 1, sizeof(*r->of_measured));
		if (!r->row || !r->of_lane || !r->of_measured)
			return error_memory(err, "drawing a schedule");
		r->height = stack_rows(&charts[i], r, letters);
		if (!gantt_check_rows(&charts[i], r->count, err))
			return false;
		r->power_height = charts[i].power.count ? POWER : 0;
	}
	return true;
}

/* The height of rows and power curves together, and that of the rest. */
static void add_heights(const struct gantt_layout *l, double *rows, double *rest)
{
	*rows = 0;
	*rest = AXIS + l->legend_height + 0.04;
	for (size_t i = 0; i < l->charts; i++) {
		const struct gantt_rows *r = &l->rows[i];
		*rows += r->height + r->power_height;
		*rest += TITLE + (r->power_height > 0 ? POWER_GAP : 0) + (i > 0 ? BELOW : 0);
	}
}

static void settle_charts(const struct gantt_chart *charts, struct gantt_layout *l, double wanted)
{
	double rows, rest, up;
	add_heights(l, &rows, &rest);
	double least = ROWS_LEAST * (double)l->charts;
	double given = wanted > 0 ? wanted - rest : rows + rest > TALLEST ? TALLEST - rest : rows;
	double scale = (given < least ? least : given) / rows;
	l->frame.height = wanted > 0 ? wanted : rest + rows * scale;
	up = l->legend_height + AXIS;
	for (size_t i = l->charts; i-- > 0;) {
		struct gantt_rows *r = &l->rows[i];
		r->power_height *= scale;
		r->power_bottom = up;
		r->bottom = up + (r->power_height > 0 ? r->power_height + POWER_GAP : 0);
		settle_rows(&charts[i], r, scale);
		r->title = r->bottom + r->height + TITLE / 2;
		up = r->bottom + r->height + TITLE + BELOW;
	}
}

bool gantt_lay_out(const struct figure_call *call, const struct gantt_ask *ask,
	const struct gantt_chart *charts, size_t count, struct gantt_layout *l, struct error *err)
{
	*l = (struct gantt_layout){.charts = count, .frame.width = call->width > 0 ? call->width : WIDTH};
	size_t letters = longest_name(charts, count);
	double widest = 0.24 * l->frame.width;
	l->left = GANTT_LETTER * (double)letters + 0.14;
	if (l->left > widest) {
		letters = (size_t)((widest - 0.14) / GANTT_WIDE_LETTER);
		l->left = widest;
	}
	l->left = l->left < 0.5 ? 0.5 : l->left;
	l->plot_width = l->frame.width - l->left - RIGHT;
	choose_unit(l, charts[0].from, charts[0].to);
	choose_step(l, charts[0].from, charts[0].to);
	if (!stack_charts(charts, l, letters, err))
		return false;
	l->legend_height = gantt_legend(ask, charts, count, l->frame.width, l, NULL);
	settle_charts(charts, l, call->height);
	return true;
}
