/* report/gantt/measured.c - what a real machine did (the table `measured`): below each lane a lower row with
 * the recorded intervals, in the colours of their tasks. An interval that began later or earlier than the
 * simulated one, by more than a tolerance, has a strip above it. The two colours of the strips differ in hue
 * for all kinds of colour-blind readers (ColorBrewer's red to blue), and in brightness on paper. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "report/gantt/data.h"

/* The resource of a segment that never ran in the simulation is that of its kind, its engine the first. */
static const char rows_sql[] =
	"SELECT m.task_id, m.seq, m.segment_idx, m.start_ns, m.end_ns, coalesce(i.code & 3, CASE s.kind"
	" WHEN 'cpu' THEN 0 WHEN 'copy' THEN 1 ELSE 2 END), coalesce(i.unit, 0), m.start_ns - "
	"min(i.start_ns), coalesce(i.gpu, s.gpu, 0)"
	" FROM measured m LEFT JOIN segment s ON s.task_id = m.task_id AND s.segment_idx = m.segment_idx"
	" LEFT JOIN segment_interval i ON i.run_id = m.run_id AND i.task_id = m.task_id AND i.seq = m.seq"
	" AND i.segment_idx = m.segment_idx AND i.code & 12 = 0"
	" WHERE m.run_id = ?1 AND m.end_ns > ?2 AND m.start_ns < ?3"
	" GROUP BY m.task_id, m.seq, m.segment_idx ORDER BY m.start_ns, m.task_id, m.seq, m.segment_idx";

static bool take_row(struct gantt_chart *c, const struct db_cursor *row, struct error *err)
{
	struct gantt_bar bar = {
		.seq = cursor_integer(row, 1),
		.segment = (uint32_t)cursor_integer(row, 2),
		.high = 1,
		.start = cursor_integer(row, 3),
		.end = cursor_integer(row, 4),
		.lane = lanes_of_segment(
			&c->lanes, cursor_integer(row, 8), cursor_integer(row, 5), cursor_integer(row, 6)),
		.block = cursor_kind(row, 7) == VALUE_NULL ? 0 : cursor_integer(row, 7),
	};
	if (bar.lane == LANE_NONE || !gantt_find_bar(c, cursor_integer(row, 0), &bar))
		return true;
	bar.start = bar.start > c->from ? bar.start : c->from;
	bar.end = bar.end < c->to ? bar.end : c->to;
	if (bar.start >= bar.end)
		return true;
	c->measured_top[bar.lane] = 1;
	return gantt_bars_add(&c->measured, &bar, err);
}

/* Too many to be told apart: the row would say nothing. */
static void leave_out(struct gantt_chart *c)
{
	gantt_bars_finish(&c->measured);
	for (size_t i = 0; i < c->lanes.count; i++)
		c->measured_top[i] = 0;
	c->measured_left_out = true;
}

bool gantt_read_measured(
	struct db_reader *r, const struct gantt_ask *ask, struct gantt_chart *c, struct error *err)
{
	int64_t values[] = {c->run_id, c->from, c->to};
	bool row = true;
	c->measured_top = calloc(c->lanes.count + 1, sizeof(*c->measured_top));
	int64_t *ceilings = calloc(c->lanes.count + 1, sizeof(*ceilings));
	struct db_cursor *rows = NULL;
	bool ok = c->measured_top && ceilings ? true : error_memory(err, "drawing a schedule");
	if (ok && ask->measured) {
		rows = gantt_query(r, rows_sql, values, 3, err);
		ok = rows != NULL;
	}
	while (ok && rows && row) {
		ok = cursor_next(rows, &row, err);
		if (ok && row)
			ok = take_row(c, rows, err);
	}
	cursor_close(rows);
	if (c->measured.count > GANTT_EXACT)
		leave_out(c);
	for (size_t i = 0; ok && i < c->lanes.count; i++)
		ceilings[i] = 1;
	ok = ok && gantt_place(&c->measured, ceilings, c->measured_top, err);
	free(ceilings);
	return ok;
}

/* ---- drawing ---- */

#define BAR "1:(y($3,$4)):1:2:(y($3,$4)):(y($3,$5)) with boxxyerror "
#define STRIP "1:(y($3,$5)):1:2:(y($3,$5-0.38*($5-$4))):(y($3,$5)) with boxxyerror "

static void add_bar(struct gantt_drawing *d, const struct gantt_bar *bar)
{
	gantt_data_row(d);
	gantt_add_time(d, bar->start);
	text_add_char(d->script, ' ');
	gantt_add_time(d, bar->end);
	text_printf(d->script, " %zu %" PRId64 " %" PRId64 "\n", d->rows->of_measured[bar->lane] + 1,
		bar->low, bar->high);
}

int gantt_deviates(const struct gantt_ask *ask, const struct gantt_bar *bar)
{
	return (bar->block > ask->tolerance) - (bar->block < -ask->tolerance);
}

static void draw_task(struct gantt_drawing *d, size_t task)
{
	const struct gantt_bars *bars = &d->chart->measured;
	struct gantt_paint p = gantt_paint(task, gantt_faded(d->ask, &d->chart->task[task]));
	char style[160];
	gantt_begin_data(d, "measured", task);
	for (size_t i = 0; i < bars->count; i++)
		if (bars->bar[i].task == task)
			add_bar(d, &bars->bar[i]);
	if (!gantt_end_data(d))
		return;
	snprintf(style, sizeof(style), BAR "fc rgb '%s' fs solid 1 border lc rgb '%s' lw 0.2 dt 1", p.fill,
		p.edge);
	gantt_plot(d, style);
	if (!p.pattern)
		return;
	snprintf(style, sizeof(style), BAR "fc rgb '%s' fs transparent pattern %d noborder", p.hatch,
		p.pattern);
	gantt_plot(d, style);
}

static void draw_strips(
	struct gantt_drawing *d, int side, const char *name, const char *fill, const char *edge)
{
	const struct gantt_bars *bars = &d->chart->measured;
	char style[160];
	gantt_begin_data(d, name, 0);
	for (size_t i = 0; i < bars->count; i++)
		if (gantt_deviates(d->ask, &bars->bar[i]) == side)
			add_bar(d, &bars->bar[i]);
	if (!gantt_end_data(d))
		return;
	snprintf(style, sizeof(style), STRIP "fc rgb '%s' fs solid 1 border lc rgb '%s' lw 0.3 dt 1", fill,
		edge);
	gantt_plot(d, style);
}

void gantt_draw_measured(struct gantt_drawing *d)
{
	for (size_t task = 0; task < d->chart->tasks && d->chart->measured.count > 0; task++)
		draw_task(d, task);
	draw_strips(d, 1, "later", GANTT_LATER, "#67001f");
	draw_strips(d, -1, "earlier", GANTT_EARLIER, "#053061");
}
