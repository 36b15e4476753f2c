/* report/gantt/ways.c - the way of data to the greatest age and the longest reaction of a chain, read
 * (db/queries.sql, chain-path) and drawn above the jobs: along each job from its read to its write, and with
 * an arrow to the read of the next stage, as papers on end-to-end latency draw it (Günzel et al., RTSS
 * 2021, ECRTS 2023). */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/text.h"
#include "report/gantt/marks.h"

/* Why there is no way of the chain in this run. Returns false. */
static bool no_way(struct db_reader *r, const char *name, int64_t run_id, struct error *err)
{
	static const char sql[] = "SELECT n.name FROM chain n JOIN run USING (taskset_id) WHERE run_id = ?1"
				  " ORDER BY chain_idx";
	struct text names = {0};
	bool row = true, is_there = false;
	struct db_cursor *c = gantt_query(r, sql, &run_id, 1, err);
	bool ok = c != NULL;
	while (ok && row) {
		ok = cursor_next(c, &row, err);
		if (ok && row) {
			is_there = is_there || strcmp(cursor_text(c, 0), name) == 0;
			text_printf(&names, "%s%s", names.length ? ", " : "", cursor_text(c, 0));
		}
	}
	cursor_close(c);
	if (!ok || !text_ok(&names, "drawing a schedule", err)) {
		text_finish(&names);
		return false;
	}
	if (is_there)
		error_set(err, STATUS_NO, "chain '%s' has no age and no reaction in run %" PRId64, name,
			run_id);
	else if (names.length)
		error_set(err, STATUS_INPUT, "run %" PRId64 " has no chain '%s'; it has: %s", run_id, name,
			text_data(&names));
	else
		error_set(err, STATUS_INPUT, "run %" PRId64 " has no chains", run_id);
	text_finish(&names);
	return false;
}

static int64_t instant(const struct db_cursor *row, int column)
{
	return (int64_t)llround(cursor_real(row, column) * 1e6);
}

/* Columns: ..., figure (3), amount, stage, task (6), seq, read (8), write, from (10), to. */
static bool take_step(struct gantt_chart *c, const struct db_cursor *row, struct error *err)
{
	enum gantt_figure figure = strcmp(cursor_text(row, 3), "age") == 0 ? GANTT_AGE : GANTT_REACTION;
	struct gantt_way *way = &c->way[figure];
	struct gantt_step *grown =
		list_room(way->step, way->steps, sizeof(*grown), "drawing a schedule", err);
	if (!grown)
		return false;
	way->step = grown;
	way->from = instant(row, 10);
	way->to = instant(row, 11);
	grown[way->steps++] = (struct gantt_step){
		.name = strdup(cursor_text(row, 6)), .read = instant(row, 8), .write = instant(row, 9)};
	return grown[way->steps - 1].name || error_memory(err, "drawing a schedule");
}

bool gantt_read_ways(
	struct db_reader *r, const struct gantt_ask *ask, struct gantt_chart *c, struct error *err)
{
	struct named_query query;
	bool row = true, has = false;
	if (!*ask->chain)
		return true;
	if (!reader_has(r, "chain_run", NULL, &has, err))
		return false;
	if (!has || !query_find("chain-path", &query))
		return error_set(err, STATUS_INPUT, "run %" PRId64 " has no chains", c->run_id);
	struct db_cursor *rows = cursor_open_bytes(r, query.sql, query.sql_length, err);
	/* The run is the first parameter of that query, the chain the second. */
	bool ok = rows && cursor_bind_integer(rows, 1, c->run_id, err) &&
		  cursor_bind_text(rows, 2, ask->chain, err);
	while (ok && row) {
		ok = cursor_next(rows, &row, err);
		if (ok && row)
			ok = take_step(c, rows, err);
	}
	cursor_close(rows);
	return ok && (c->way[GANTT_AGE].steps + c->way[GANTT_REACTION].steps > 0 ||
			     no_way(r, ask->chain, c->run_id, err));
}

void gantt_ways_finish(struct gantt_chart *c)
{
	for (size_t i = 0; i < GANTT_FIGURES; i++) {
		for (size_t k = 0; k < c->way[i].steps; k++)
			free(c->way[i].step[k].name);
		free(c->way[i].step);
	}
}

bool gantt_way_is_seen(const struct gantt_chart *c, enum gantt_figure figure)
{
	const struct gantt_way *way = &c->way[figure];
	return way->steps > 0 && way->from < c->to && way->to > c->from;
}

/* ---- drawing ---- */

static size_t row_of(const struct gantt_chart *c, const struct gantt_step *step)
{
	for (size_t i = 0; i < c->tasks; i++)
		if (strcmp(c->task[i].name, step->name) == 0)
			return i;
	return SIZE_MAX;
}

static void add_line(struct gantt_drawing *d, int64_t from, size_t row, int64_t to, size_t to_row)
{
	if (row == SIZE_MAX || to_row == SIZE_MAX || (from == to && row == to_row) || to < d->chart->from ||
		from > d->chart->to)
		return;
	gantt_data_row(d);
	gantt_add_time(d, from);
	text_printf(d->script, " %zu ", row + 1);
	gantt_add_time(d, to);
	text_printf(d->script, " %zu\n", to_row + 1);
}

/* What is measured begins on the first row, at its first instant, and ends on the last one. */
static void add_stays(struct gantt_drawing *d, const struct gantt_way *way)
{
	const struct gantt_step *last = &way->step[way->steps - 1];
	if (way->from < way->step->read)
		add_line(d, way->from, row_of(d->chart, way->step), way->step->read,
			row_of(d->chart, way->step));
	for (size_t i = 0; i < way->steps; i++)
		add_line(d, way->step[i].read, row_of(d->chart, &way->step[i]), way->step[i].write,
			row_of(d->chart, &way->step[i]));
	if (last->write < way->to)
		add_line(d, last->write, row_of(d->chart, last), way->to, row_of(d->chart, last));
}

/* What is behind `left_out` of the length, 0 to 1. at(row, part) and between(a, b, part):
 * GANTT_WAY_FUNCTIONS. */
static void plot_lines(struct gantt_drawing *d, enum gantt_figure figure, double left_out, const char *how)
{
	static const double places[] = {0.82, 0.64}; /* of the row's height, above the jobs */
	char style[320];
	double y = places[figure], rest = 1 - left_out;
	snprintf(style, sizeof(style),
		"(between($1,$3,%.2f)):(between(at($2,%.2f),at($4,%.2f),%.2f)):(%.2f*($3-$1)):"
		"(%.2f*(at($4,%.2f)-at($2,%.2f))) with vectors %s",
		left_out, y, y, left_out, rest, rest, y, y, how);
	gantt_plot(d, style);
}

static void plot_way(struct gantt_drawing *d, enum gantt_figure figure)
{
	static const char *const looks[] = {"nohead lc rgb '" GANTT_AGE_COLOUR "' lw 1.8 dt 1",
		"nohead lc rgb '" GANTT_REACTION_COLOUR "' lw 1.8 dt (6,3)"};
	plot_lines(d, figure, 0, "nohead lc rgb '#ffffff' lw 3.2 dt 1");
	plot_lines(d, figure, 0, looks[figure]);
}

/* Heads are not dashed, so they have lines of their own, which are short. */
static void draw_way(struct gantt_drawing *d, enum gantt_figure figure)
{
	static const char *const kinds[] = {"age", "reaction"}, *const hops[] = {"agehop", "reactionhop"};
	static const char *const colours[] = {GANTT_AGE_COLOUR, GANTT_REACTION_COLOUR};
	char head[120];
	const struct gantt_way *way = &d->chart->way[figure];
	gantt_begin_data(d, kinds[figure], 0);
	add_stays(d, way);
	if (gantt_end_data(d))
		plot_way(d, figure);
	gantt_begin_data(d, hops[figure], 0);
	for (size_t i = 0; i + 1 < way->steps; i++)
		add_line(d, way->step[i].write, row_of(d->chart, &way->step[i]), way->step[i + 1].read,
			row_of(d->chart, &way->step[i + 1]));
	if (!gantt_end_data(d))
		return;
	plot_way(d, figure);
	snprintf(head, sizeof(head), "size screen %.5f,20,90 filled fixed lc rgb '%s' lw 1 dt 1",
		0.06 / d->layout->frame.width, colours[figure]);
	plot_lines(d, figure, 0.98, head);
}

void gantt_draw_ways(struct gantt_drawing *d)
{
	for (enum gantt_figure i = GANTT_AGE; i < GANTT_FIGURES; i++)
		if (gantt_way_is_seen(d->chart, i))
			draw_way(d, i);
}
