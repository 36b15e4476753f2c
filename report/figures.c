/* report/figures.c - the list of figures: charts, from their files (report/figures/, compiled into the
 * program), and figures with drawing code of their own. */
#include "report/figures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/levels.h"
#include "report/drawn.h"

extern const char _binary_figures_sql_start[], _binary_figures_sql_end[];
extern const char _binary_common_sql_start[], _binary_common_sql_end[];

bool figure_at(size_t index, struct named_query *query)
{
	return query_file_at(
		(struct query_file){_binary_figures_sql_start, _binary_figures_sql_end}, index, query);
}

void figure_sql(const struct named_query *query, struct text *sql)
{
	query_compose(query, (struct query_file){_binary_common_sql_start, _binary_common_sql_end}, sql);
}

bool figure_find(const char *name, struct named_query *query)
{
	for (size_t i = 0; figure_at(i, query); i++)
		if (strcmp(query->name, name) == 0)
			return true;
	return false;
}

struct db_cursor *figure_open(const struct figure_call *call, struct error *err)
{
	struct text sql = {0};
	figure_sql(call->query, &sql);
	struct db_cursor *rows = text_ok(&sql, "drawing a figure", err)
					 ? cursor_open(call->reader, text_data(&sql), err)
					 : NULL;
	text_finish(&sql);
	return rows;
}

/* If the header does not have the line, the text does not change. */
static void header(const struct named_query *query, const char *key, char text[CHART_LABEL_MAX])
{
	query_header(query, key, text, CHART_LABEL_MAX);
}

static void read_style(const struct named_query *query, struct chart_style *style)
{
	char log[CHART_LABEL_MAX] = "", free_axes[CHART_LABEL_MAX] = "", word[CHART_LABEL_MAX];
	char columns[CHART_LABEL_MAX] = "", panel[CHART_LABEL_MAX] = "";
	header(query, "x", style->x);
	header(query, "y", style->y);
	header(query, "x-range", style->x_range);
	header(query, "y-range", style->y_range);
	header(query, "line", style->line);
	header(query, "log", log);
	header(query, "free", free_axes);
	header(query, "columns", columns);
	header(query, "panel", panel);
	style->x_log = strchr(log, 'x') != NULL;
	style->y_log = strchr(log, 'y') != NULL;
	style->x_free = strchr(free_axes, 'x') != NULL;
	style->y_free = strchr(free_axes, 'y') != NULL;
	style->panel_each = query_header(query, "panels", word, sizeof(word));
	style->choose_groups = query_header(query, "choose", word, sizeof(word));
	style->columns = atoi(columns);
	if (*panel && sscanf(panel, "%lf x %lf", &style->panel_width, &style->panel_height) != 2)
		style->panel_width = style->panel_height = 0;
}

/* Whether runs came to their end, and none has energy, since no power was given. */
static bool lacks_energy(struct db_reader *r, bool *lacks, struct error *err)
{
	static const char sql[] = "SELECT count(*), count(energy_uj) FROM run WHERE stop_ns IS NOT NULL";
	struct db_cursor *c = cursor_open(r, sql, err);
	bool row = false, ok = c && cursor_next(c, &row, err);
	*lacks = ok && row && cursor_integer(c, 0) > 0 && cursor_integer(c, 1) == 0;
	cursor_close(c);
	return ok;
}

#define NO_ENERGY                                                                                            \
	"no run of the recording has energy, as no power is given (keys platform.power, and power or "       \
	"total_power of kernels)"

/* Figures of energy and power have a line "-- power: needed" in their header. */
static bool check_power(const struct figure_call *call, struct error *err)
{
	char needed[QUERY_WORD_MAX];
	bool lacks;
	if (!query_header(call->query, "power", needed, sizeof(needed)))
		return true;
	if (!lacks_energy(call->reader, &lacks, err))
		return false;
	return !lacks || error_set(err, STATUS_INPUT, "figure %s: " NO_ENERGY, call->query->name);
}

/* The rows of a user's query may have NULL in all columns of numbers: often it asks for an energy. */
static bool lack_of_numbers(const struct figure_call *call, const struct db_cursor *rows, struct error *err)
{
	bool lacks = false;
	if ((cursor_reads(rows, "run") || cursor_reads(rows, "run_task")) &&
		!lacks_energy(call->reader, &lacks, err))
		return false;
	return error_set(err, lacks ? STATUS_INPUT : STATUS_NO, "the query's rows have no numbers to draw%s",
		lacks ? "; " NO_ENERGY : "");
}

static bool draw_rows(const struct figure_call *call, struct db_cursor *rows, const struct chart_style *style,
	bool own, const char *nothing, struct text *body, double *width, double *height, struct error *err)
{
	struct chart chart;
	chart_begin(&chart, style);
	chart.style.width = call->width;
	chart.style.height = call->height;
	chart.style.letters = call->letters;
	bool ok = chart_read(&chart, rows, err);
	if (ok && chart.points == 0)
		ok = error_set(err, STATUS_NO, "%s", nothing);
	if (ok && own && !chart_any_number(&chart))
		ok = lack_of_numbers(call, rows, err);
	ok = ok && (!call->series || chart_choose(&chart, call->series, err)) && chart_settle(&chart, err);
	ok = ok && chart_size(&chart, width, height, err);
	if (ok)
		chart_write(&chart, body);
	chart_finish(&chart);
	return ok;
}

static bool draw_chart(const struct figure_call *call, const char *kind, struct text *body, double *width,
	double *height, struct error *err)
{
	struct chart_style style = {0};
	char nothing[QUERY_LINE_MAX] = "the recording has nothing of what this figure shows";
	if (!chart_kind_find(kind, &style.kind))
		return error_set(
			err, STATUS_IO, "figure %s: there is no kind of chart '%s'", call->query->name, kind);
	read_style(call->query, &style);
	query_header(call->query, "nothing", nothing, sizeof(nothing));
	struct db_cursor *rows = check_power(call, err) ? figure_open(call, err) : NULL;
	bool ok = rows && parameters_bind(&call->parameters, call->query, rows, err) &&
		  draw_rows(call, rows, &style, false, nothing, body, width, height, err);
	cursor_close(rows);
	return ok;
}

bool figure_make(
	const struct figure_call *call, struct text *body, double *width, double *height, struct error *err)
{
	char kind[QUERY_WORD_MAX], drawn[QUERY_WORD_MAX];
	if (query_header(call->query, "drawn", drawn, sizeof(drawn))) {
		if (call->series)
			return error_set(
				err, STATUS_INPUT, "--series: figure %s has no series", call->query->name);
		figure_draw *draw = drawn_find(drawn);
		return draw ? draw(call, body, width, height, err)
			    : error_set(err, STATUS_IO, "figure %s: nothing draws '%s'", call->query->name,
				      drawn);
	}
	if (!query_header(call->query, "chart", kind, sizeof(kind)))
		return error_set(err, STATUS_IO, "figure %s has no kind of chart", call->query->name);
	return draw_chart(call, kind, body, width, height, err);
}

/* Says why there may be no rows. */
static bool lack_of_rows(
	const struct figure_call *call, const struct db_cursor *rows, struct text *nothing, struct error *err)
{
	struct text lack = {0};
	bool ok = level_check_tables(call->reader, rows, true, &lack, err);
	if (lack.length > 0)
		text_printf(nothing, "; %s", text_data(&lack));
	text_finish(&lack);
	return ok && text_ok(nothing, "drawing a figure", err);
}

bool figure_of_sql(const struct figure_call *call, const char *sql, const struct chart_style *style,
	struct text *body, double *width, double *height, struct error *err)
{
	struct db_cursor *rows = cursor_open(call->reader, sql, err);
	struct text nothing = {0};
	text_add(&nothing, "the query has no rows");
	bool ok = rows && parameters_bind(&call->parameters, NULL, rows, err) &&
		  lack_of_rows(call, rows, &nothing, err) &&
		  draw_rows(call, rows, style, true, text_data(&nothing), body, width, height, err);
	cursor_close(rows);
	text_finish(&nothing);
	return ok;
}
