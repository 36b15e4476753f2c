/* report/figures.h - figures with a name (cegsim plot FILE.db NAME, cegsim list figures).
 *
 * Most are a query and the look of a chart (report/figures/): what they show is what SQL answers. Some draw
 * themselves (report/gantt/gantt.h). */
#ifndef CEGSIM_REPORT_FIGURES_H
#define CEGSIM_REPORT_FIGURES_H

#include "base/error.h"
#include "base/text.h"
#include "db/parameters.h"
#include "db/reader.h"
#include "report/charts/chart.h"

/* What is asked for when a figure is drawn. */
struct figure_call {
	struct db_reader *reader;
	const struct named_query *query; /* name, parameters and defaults of the figure */
	struct parameters parameters;
	double width, height; /* inches; 0: the figure's own */
	bool letters;         /* for a terminal: charts without what letters cannot draw */
};

/* Appends the body of a script, and says which size it wants (inches).
 * STATUS_NO: the recording has nothing of what is shown; the message says what would have it. */
typedef bool figure_draw(
	const struct figure_call *call, struct text *body, double *width, double *height, struct error *err);

/* The figure number `index`, from 0; false behind the last one. Title and parameters are in *query; its SQL
 * is used by charts. */
bool figure_at(size_t index, struct named_query *query);
bool figure_find(const char *name, struct named_query *query);
/* Appends the whole SQL of a chart: its own, and what it shares with others. */
void figure_sql(const struct named_query *query, struct text *sql);
/* Its rows; their parameters are not bound. NULL: *err. */
MUST_CHECK struct db_cursor *figure_open(const struct figure_call *call, struct error *err);
/* Draws call->query's figure. */
MUST_CHECK bool figure_make(
	const struct figure_call *call, struct text *body, double *width, double *height, struct error *err);

/* A chart of the user's own: SQL whose columns are those of a kind of chart. Empty labels are the
 * names of columns. */
MUST_CHECK bool figure_of_sql(const struct figure_call *call, const char *sql,
	const struct chart_style *style, struct text *body, double *width, double *height, struct error *err);

#endif
