/* report/figures.h - named figures (cegsim plot FILE.db NAME, cegsim list figures).
 *
 * Most are a query with the look of a chart (report/figures/): they show the result of SQL. Some have drawing
 * code of their own (report/gantt/gantt.h). */
#ifndef CEGSIM_REPORT_FIGURES_H
#define CEGSIM_REPORT_FIGURES_H

#include "base/error.h"
#include "base/text.h"
#include "db/parameters.h"
#include "db/reader.h"
#include "report/charts/chart.h"

/* The request for a figure. */
struct figure_call {
	struct db_reader *reader;
	const struct named_query *query; /* name, parameters and defaults of the figure */
	struct parameters parameters;
	double width, height; /* inches; 0: the figure's own */
	const char *series;   /* "NAME,NAME=LABEL": only these, in this order; NULL: all */
	bool letters;         /* for a terminal: charts without what characters cannot show */
};

/* Appends the body of a script, and sets the size that it needs (inches). STATUS_NO: the recording contains
 * nothing to show; the message says which recording would. */
typedef bool figure_draw(
	const struct figure_call *call, struct text *body, double *width, double *height, struct error *err);

/* The figure number `index`, from 0; false: there are no more. Title and parameters are in *query; its SQL is
 * for charts. */
bool figure_at(size_t index, struct named_query *query);
bool figure_find(const char *name, struct named_query *query);
/* Appends the complete SQL of a chart: its own, and common tables that it shares with others. */
void figure_sql(const struct named_query *query, struct text *sql);
/* Opens the rows of a chart; their parameters are not bound yet. NULL: *err. */
MUST_CHECK struct db_cursor *figure_open(const struct figure_call *call, struct error *err);
/* Draws the figure in call->query. */
MUST_CHECK bool figure_make(
	const struct figure_call *call, struct text *body, double *width, double *height, struct error *err);

/* A chart of the user's own: SQL with the columns of a kind of chart. An empty label becomes the name of the
 * column. */
MUST_CHECK bool figure_of_sql(const struct figure_call *call, const char *sql,
	const struct chart_style *style, struct text *body, double *width, double *height, struct error *err);

#endif
