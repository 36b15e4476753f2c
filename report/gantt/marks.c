/* report/gantt/marks.c - draws the marks in the rows of the tasks: releases, deadlines, jobs and misses. */
#include "report/gantt/marks.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define HEADED 0.055 /* inches along the axis that a mark with a head needs */

static bool is_missed(const struct gantt_job *job)
{
	return job->outcome >= 4;
}

static bool is_removed(const struct gantt_job *job)
{
	return (job->outcome & 3) == 1 || (job->outcome & 3) == 2;
}

static bool in_window(const struct gantt_chart *c, int64_t instant)
{
	return instant >= c->from && instant <= c->to;
}

/* ---- jobs ---- */

static void add_span(struct gantt_drawing *d, const struct gantt_bar *bar, int64_t start)
{
	const struct gantt_chart *c = d->chart;
	start = start > c->from ? start : c->from;
	int64_t end = bar->end < c->to ? bar->end : c->to;
	if (start >= end)
		return;
	gantt_data_row(d);
	gantt_add_time(d, start);
	text_add_char(d->script, ' ');
	gantt_add_time(d, end);
	text_printf(d->script, " %zu %" PRId64 " %" PRId64 "\n", bar->task + 1, bar->low, bar->high);
}

#define SUMS "1:(y($3,$4)):1:2:(y($3,$4)):(y($3,$5)) with boxxyerror "
#define SPAN "1:(y($3,$4)):1:2:(y($3,$4+0.12*($5-$4))):(y($3,$5)) with boxxyerror "

/* *at is where the task's bars begin; then where the next task's begin. */
static void draw_spans(struct gantt_drawing *d, size_t task, size_t *at)
{
	char style[160];
	const struct gantt_bars *bars = &d->chart->job_bars;
	struct gantt_paint p = gantt_paint(task, gantt_faded(d->ask, &d->chart->task[task]));
	gantt_begin_data(d, "jobs", task);
	for (; *at < bars->count && bars->bar[*at].task == task; ++*at)
		if (!d->chart->jobs_summed || bars->bar[*at].block == 0)
			add_span(d, &bars->bar[*at], bars->bar[*at].start);
	if (!gantt_end_data(d))
		return;
	if (d->chart->jobs_summed) {
		snprintf(style, sizeof(style), SUMS "fc rgb '%s' fs solid 1 noborder", p.fill);
		gantt_plot(d, style);
		return;
	}
	snprintf(style, sizeof(style), SPAN "fc rgb '%s' fs solid 1 border lc rgb '%s' lw 0.35 dt 1", p.fill,
		p.edge);
	gantt_plot(d, style);
	if (!p.pattern)
		return;
	snprintf(style, sizeof(style), SPAN "fc rgb '%s' fs transparent pattern %d noborder", p.hatch,
		p.pattern);
	gantt_plot(d, style);
}

static void draw_tails(struct gantt_drawing *d)
{
	const struct gantt_chart *c = d->chart;
	gantt_begin_data(d, "late", 0);
	for (size_t i = 0; i < c->job_bars.count; i++) {
		const struct gantt_bar *bar = &c->job_bars.bar[i];
		if (c->jobs_summed && bar->block == 1)
			add_span(d, bar, bar->start);
		else if (!c->jobs_summed && is_missed(&c->job[bar->block]))
			add_span(d, bar, c->job[bar->block].deadline);
	}
	if (gantt_end_data(d))
		gantt_plot(d, c->jobs_summed ? SUMS "fc rgb '#dd0000' fs solid 1 noborder"
					     : SPAN
				      "fc rgb '#dd0000' fs solid 1 border lc rgb '#880000' lw 0.35 dt 1");
}

double gantt_distance(const struct gantt_chart *c, double width, enum gantt_mark mark)
{
	return width / (double)(c->most[mark] > 1 ? c->most[mark] : 1);
}

static void draw_arrows(struct gantt_drawing *d, bool deadlines)
{
	const struct gantt_chart *c = d->chart;
	char style[200];
	double apart = gantt_distance(c, d->layout->plot_width, deadlines ? GANTT_DEADLINES : GANTT_RELEASES);
	if (apart < GANTT_NOT_MARKED)
		return;
	gantt_begin_data(d, deadlines ? "deadlines" : "releases", 0);
	for (size_t i = 0; i < c->jobs; i++) {
		int64_t instant = deadlines ? c->job[i].deadline : c->job[i].release;
		if (!in_window(c, instant))
			continue;
		gantt_data_row(d);
		gantt_add_time(d, instant);
		text_printf(d->script, " %zu %" PRId64 "\n", c->job[i].task + 1, c->job[i].seq);
	}
	if (!gantt_end_data(d))
		return;
	double length = 0.04 * d->rows->row[0].height / 0.21;
	length = length > 0.045 ? 0.045 : length < 0.02 ? 0.02 : length;
	snprintf(style, sizeof(style), "1:(bottom[$2]%s):(0):(%sheight[$2]) with vectors ",
		deadlines ? "+height[$2]" : "", deadlines ? "-" : "");
	if (apart >= HEADED)
		snprintf(style + strlen(style), sizeof(style) - strlen(style),
			"size screen %.5f,25,90 filled fixed lc rgb '#222222' lw 0.6 dt 1",
			length / d->layout->frame.width);
	else
		snprintf(style + strlen(style), sizeof(style) - strlen(style),
			"nohead lc rgb '%s' lw 0.35 dt 1", deadlines ? "#999999" : "#222222");
	gantt_plot(d, style);
}

/* A cross or, where there are many, a stroke; with a circle if the job was removed. */
static void draw_misses(struct gantt_drawing *d, bool removed)
{
	const struct gantt_chart *c = d->chart;
	gantt_begin_data(d, removed ? "removed" : "missed", 0);
	for (size_t i = 0; i < c->jobs; i++) {
		const struct gantt_job *job = &c->job[i];
		if (!is_missed(job) || !in_window(c, job->deadline) || is_removed(job) != removed)
			continue;
		gantt_data_row(d);
		gantt_add_time(d, job->deadline);
		text_printf(d->script, " %zu %" PRId64 "\n", job->task + 1, job->seq);
	}
	if (!gantt_end_data(d))
		return;
	if (gantt_distance(c, d->layout->plot_width, GANTT_MISSES) < HEADED) {
		gantt_plot(d, "1:(bottom[$2]+0.55*height[$2]):(0):(0.45*height[$2]) with vectors nohead lc "
			      "rgb '#dd0000' lw 0.8 dt 1");
		return;
	}
	gantt_plot(d, "1:(bottom[$2]+0.72*height[$2]) with points pt 2 ps 0.75 lc rgb '#cc0000' lw 1.6");
	if (removed)
		gantt_plot(d, "1:(bottom[$2]+0.72*height[$2]) with points pt 6 ps 1.1 lc rgb '#cc0000' lw 1");
}

void gantt_draw_jobs(struct gantt_drawing *d)
{
	if (d->chart->tasks == 0)
		return;
	for (size_t task = 0, at = 0; task < d->chart->tasks; task++)
		draw_spans(d, task, &at);
	draw_tails(d);
	draw_arrows(d, false);
	draw_arrows(d, true);
	draw_misses(d, false);
	draw_misses(d, true);
}
