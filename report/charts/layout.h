/* report/charts/layout.h - the places of everything in a chart, in inches, and the ranges of its axes;
 * private to the chart (chart.h). Widths of texts are those of DejaVu Sans, so that it is known what fits
 * before anything is drawn. */
#ifndef CEGSIM_REPORT_CHART_LAYOUT_H
#define CEGSIM_REPORT_CHART_LAYOUT_H

#include "base/text.h"
#include "report/charts/chart.h"
#include "report/frame.h"

#define CHART_LINE 0.16       /* from one line of text to the next */
#define CHART_DASHED_PALER 65 /* bars of what is dashed elsewhere: how far to white, in percent */
#define CHART_SPAN_WIDTH                                                                                     \
	"0.8" /* of percentiles: the line from least to worst, and that between quartiles                    \
	       */
#define CHART_QUARTILES_WIDTH "4"
#define CHART_MEDIAN "lt -1 lc rgb '#ffffff' pt 7 ps 0.25"
#define CHART_TOP 0.08
#define CHART_TITLE_LINES 3 /* of a panel, at most */
#define CHART_NAME_LINES 3  /* of a group's name, at most */
#define CHART_NAME_MOST 2.2 /* a longer name of a group is cut */

/* Sizes of the legend: a sample before each name, the gap behind it, the distance of lines, and room around.
 */
struct chart_legend {
	double sample, gap, line, pad;
	double letters; /* their size; 1: as elsewhere */
	double most;    /* names are cut to this width; 0: not */
	size_t columns, rows;
};

enum chart_names_turn { NAMES_FLAT, NAMES_SLANTED, NAMES_UPRIGHT };

struct chart_layout {
	size_t columns, rows;
	double panel_width, panel_height;
	double left, right, bottom; /* around all panels, without the legend */
	double title;               /* height above each panel */
	double column_gap, row_gap;
	double numbers; /* width of the widest number at a y axis */
	double x_label; /* height of the x axis's label */
	struct chart_legend legend;
	enum chart_names_turn turn; /* of the names of groups */
	size_t every;               /* only one name for this many groups */
	struct frame frame;
};

/* The range of an axis, and its numbers. */
struct chart_axis {
	double low, high;
	double step;    /* linear axes: from one number to the next */
	bool log, fine; /* log: numbers 1, 2, 5, 10; else every `decades` decades */
	int decades;
	double ends[2]; /* log: if not 0, these are the only numbers */
};

#define CHART_TIC_MAX 32

struct chart_layout chart_lay_out(const struct chart *c);
static inline bool chart_has_groups(const struct chart *c)
{
	return c->style.kind == CHART_BARS || c->style.kind == CHART_STACKS || c->style.kind == CHART_BOXES;
}
/* The lower left corner of a panel's plotted area. */
void chart_panel_place(const struct chart_layout *l, size_t panel, double *left, double *bottom);
/* Whether the panel has numbers at its left; and below it. */
bool chart_has_numbers(const struct chart *c, const struct chart_layout *l, size_t panel, char axis);
/* The greatest length of the label of the y axes. */
double chart_y_room(const struct chart_layout *l);
/* Lists the entries of the legend. */
MUST_CHECK bool chart_list_entries(struct chart *c, struct error *err);
/* Chooses the sizes, columns and rows of the legend. The heights: of all panels, and of what is around them.
 */
void chart_legend_lay_out(const struct chart *c, struct chart_layout *l, double panels, double axes);
void chart_legend_write(const struct chart *c, const struct chart_layout *l, struct text *script);
/* The width of the widest entry. */
double chart_legend_widest(const struct chart *c);
double chart_legend_height(const struct chart_layout *l);
/* The place of legend entry `index` (its left edge, and the middle of its line from below), and the greatest
 * width of its name. */
void chart_legend_place(const struct chart *c, const struct chart_layout *l, size_t index, double *x,
	double *y, double *width);

/* Gives every series its look. */
void chart_set_looks(struct chart *c);

/* The axis 'x' or 'y' of a panel of a settled chart, of this length. */
struct chart_axis chart_axis_of(const struct chart *c, char axis, size_t panel, double length);
/* The axis's number `index`, from 0 at the low end; false: there are no more. */
bool chart_axis_tic(const struct chart_axis *a, size_t index, double *value, char label[CHART_TIC_MAX]);
/* The width of the axis's widest number. */
double chart_axis_numbers(const struct chart_axis *a);
/* Whether both axes have the same range. */
bool chart_is_diagonal(const struct chart *c);

void chart_names_finish(struct chart_names *names);
/* The index of a name, which is added if it is new. */
MUST_CHECK bool chart_name_index(
	struct chart_names *names, const char *name, size_t *index, struct error *err);
/* Takes the last name away. */
void chart_name_drop(struct chart_names *names);
/* The part of a series in this panel, while rows are read; NULL: *err. */
struct chart_series *chart_series_at(struct chart *c, size_t panel, size_t series, struct error *err);
/* Makes room for what belongs to a panel or a series, if there is one more than so many. */
MUST_CHECK bool chart_add_members(struct chart *c, size_t panels, size_t series, struct error *err);

/* The width of a text in the size of labels. */
double chart_text_width(const char *string);
/* The width of the longest word. */
double chart_text_longest(const char *string);
/* Appends the text in at most `most` lines that fit, with '\n' between them; a text that does not fit loses
 * its middle. Returns the number of lines; 0: the text is empty. `out` may be NULL. */
size_t chart_text_wrap(const char *string, double width, size_t most, struct text *out);
/* Appends the text; if it is wider than `width`, without its middle. */
void chart_text_cut(const char *string, size_t length, double width, struct text *out);

#endif
