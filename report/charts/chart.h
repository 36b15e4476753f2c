/* report/charts/chart.h - a chart: it is read from the rows of a query, and written as a gnuplot script. It
 * has panels side by side that share their axes and one legend; each panel has series of points.
 *
 * The names of the query's columns say what they are. Each kind of chart has its own columns:
 *
 *   curves  [panel] [series] x y [low high]                   lines with marks; low..high is a band around
 *   steps   [panel] [series] x y                              the value y holds from x to the next x
 *   points  [panel] [series] x y                              marks alone
 *   bars    [panel] [series] group y [low high]               bars side by side; low..high is an error bar
 *   stacks  [panel] [series] group y                          bars on top of each other
 *   boxes   [panel] [series] group least q1 median q3 greatest [p99]   box from q1 to q3, whiskers to
 *           the extremes; where most boxes would be flat and p99 is there: percentiles, on a logarithmic axis
 *
 * All kinds may have [policy] [dashed]: a series has the colour of its policy (without the column: it is one
 * itself), and dashes if `dashed` is not 0. Curves, steps and points may have [mark]: a vertical line at this
 * x in the panel.
 *
 * Panels, series and groups are in the order of their first rows. A row without y (NULL) leaves a gap. */
#ifndef CEGSIM_REPORT_CHART_H
#define CEGSIM_REPORT_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "db/reader.h"

enum chart_kind { CHART_CURVES, CHART_STEPS, CHART_POINTS, CHART_BARS, CHART_STACKS, CHART_BOXES };
#define CHART_KINDS (CHART_BOXES + 1)

/* More could not be seen; gnuplot would take minutes. */
#define CHART_POINTS_MOST 1000000
#define CHART_NAMES_MOST 2000 /* panels, series, groups: of each */

#define CHART_LABEL_MAX 96
/* The look of a chart. Sizes are inches on paper. */
struct chart_style {
	enum chart_kind kind;
	char x[CHART_LABEL_MAX], y[CHART_LABEL_MAX]; /* labels of the axes, with their unit */
	char y_range[CHART_LABEL_MAX]; /* gnuplot's range, such as 0:1.02; "": from the data, with 0 */
	char x_range[CHART_LABEL_MAX];
	char line[CHART_LABEL_MAX]; /* a thin line at this y; "diagonal"; "": none */
	bool x_log, y_log;
	bool x_free, y_free;              /* every panel has a range of its own */
	bool panel_each;                  /* every series has a panel of its own, with its name */
	bool choose_groups;               /* policies are the groups, so these are chosen from */
	bool letters;                     /* for a terminal: no bands, no grid */
	int columns;                      /* most panels in a row; 0: chosen */
	double panel_width, panel_height; /* of the plotted area; 0: chosen by the kind of chart */
	double width, height;             /* of the whole figure; 0: as the panels need */
};

/* The values of one row; the kind of chart says which are used. A missing one is NAN. */
struct chart_values {
	double x, y, low, high, q1, median, q3, p99;
};

struct chart_point {
	size_t group; /* kinds with groups: which */
	double base;  /* stacks: the end of what is below it; positive and negative values stack separately */
	struct chart_values v;
};

/* The part of a series that is in one panel. */
struct chart_series {
	size_t panel, series;
	struct chart_point *points;
	size_t count;
	bool band; /* some point has low and high */
};

/* A list of different names, in the order of their first rows. */
struct chart_names {
	char **name;
	size_t count;
	size_t *by_name; /* [count] places in the order of names, while rows are read */
	uint64_t looks;  /* at names: what finding them costs */
};

/* What the values of some points span. */
struct chart_range {
	double low, high;
	bool whole; /* all values are whole numbers */
};

struct chart_panel {
	struct chart_range x, y;
	size_t first, count; /* its data, in the chart's order */
};

#define CHART_COLOUR_MAX 8 /* "#rrggbb" */
/* How a series is drawn. */
struct chart_look {
	char line[CHART_COLOUR_MAX], fill[CHART_COLOUR_MAX]; /* colours */
	int dash, mark;                                      /* gnuplot's numbers */
};

/* What belongs to a series besides its points. */
struct chart_trait {
	char *policy; /* whose colour it has; NULL: the name of the series says it */
	bool dashed;
	size_t model, known; /* for its look: the series whose colour it has, and its policy's colour */
	struct chart_look look;
};

/* What an entry of the legend is a sample of: a series, all analyses, or a part of the percentiles. */
enum chart_sample { SAMPLE_SERIES, SAMPLE_ANALYSIS, SAMPLE_MIDDLE, SAMPLE_P99, SAMPLE_SPAN };

struct chart_entry {
	enum chart_sample sample;
	size_t series;    /* SAMPLE_SERIES: which */
	const char *name; /* belongs to the chart's names, or is constant */
	double width;     /* of the name, in the size of labels */
};

struct chart {
	struct chart_style style;
	struct chart_names panels, series, groups;
	struct chart_trait *traits; /* of series */
	double *marks;              /* of panels: x of the vertical line; NAN: none */
	struct chart_entry *entries;
	size_t entry_count;
	bool percentiles; /* boxes are drawn as percentiles */
	struct chart_series *data;
	size_t data_count;
	uint32_t *place; /* [panel * CHART_NAMES_MOST + series] 1 + index in data; while rows are read */
	size_t points;

	/* Of a chart that is settled. */
	size_t *order;             /* [data_count] indices in data, by panel, then series */
	struct chart_panel *panel; /* [panels.count + 1] the last: all of them */
	uint64_t looks;            /* at points: what settling costs */
};

void chart_begin(struct chart *c, const struct chart_style *style);
void chart_finish(struct chart *c);

/* Reads all rows. STATUS_INPUT: a column is missing, or unknown to this kind of chart. */
MUST_CHECK bool chart_read(struct chart *c, struct db_cursor *rows, struct error *err);
bool chart_any_number(const struct chart *c); /* not only NULL in the columns to draw */
/* Keeps only the series in "NAME,NAME=LABEL", in this order, with their new names (choose_groups: the
 * groups). They keep their colours. STATUS_INPUT: one is unknown; the message names those that there are. */
MUST_CHECK bool chart_choose(struct chart *c, const char *wanted, struct error *err);
/* Decides by the data what is in the legend and how boxes are drawn; called once, before the chart is
 * measured or written. */
MUST_CHECK bool chart_settle(struct chart *c, struct error *err);

/* The size of the figure in inches, for the terminal of gnuplot. The chart must have at least one point.
 * STATUS_INPUT: the size in the style is too small. */
MUST_CHECK bool chart_size(const struct chart *c, double *width, double *height, struct error *err);
/* Appends the commands and data of the chart to a script (report/script.h) that begins with a prelude. */
void chart_write(const struct chart *c, struct text *script);

/* The kind of that name; false: there is none. */
bool chart_kind_find(const char *name, enum chart_kind *kind);
const char *chart_kind_name(enum chart_kind kind);

#endif
