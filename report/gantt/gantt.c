/* report/gantt/gantt.c - the steps to a Gantt chart: parameters, runs, the part of them that is shown, and
 * drawing. */
#include "report/gantt/gantt.h"

#include <stdio.h>

#include "report/gantt/private.h"

static bool check_level(struct db_reader *r, const struct gantt_ask *ask, int64_t run_id, struct error *err)
{
	char what[QUERY_WORD_MAX + 8];
	snprintf(what, sizeof(what), "figure %s", ask->figure);
	return level_check_run(r, what, ask->level.level, run_id, err);
}

static bool read_charts(
	struct db_reader *r, const struct gantt_ask *ask, struct gantt_chart *charts, struct error *err)
{
	for (size_t i = 0; i < ask->runs; i++)
		if (!check_level(r, ask, ask->run[i], err) ||
			!gantt_read_run(r, ask->run[i], &charts[i], err) ||
			!gantt_read_ways(r, ask, &charts[i], err))
			return false;
	if (!gantt_find_window(r, ask, charts, ask->runs, err))
		return false;
	for (size_t i = 0; i < ask->runs; i++)
		if (!gantt_read(r, ask, &charts[i], err))
			return false;
	return true;
}

bool gantt_draw(
	const struct figure_call *call, struct text *body, double *width, double *height, struct error *err)
{
	struct gantt_ask ask;
	struct gantt_chart charts[GANTT_RUNS] = {0};
	struct gantt_layout layout = {0};
	bool ok = gantt_ask(call, &ask, err) && gantt_find_runs(call->reader, &ask, err) &&
		  read_charts(call->reader, &ask, charts, err) &&
		  gantt_lay_out(call, &ask, charts, ask.runs, &layout, err);
	if (ok) {
		*width = layout.frame.width;
		*height = layout.frame.height;
		gantt_write(&ask, charts, &layout, body);
	}
	gantt_layout_finish(&layout);
	for (size_t i = 0; i < GANTT_RUNS; i++)
		gantt_chart_finish(&charts[i]);
	return ok;
}
