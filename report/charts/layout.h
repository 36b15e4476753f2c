/* report/charts/layout.h - where everything of a chart stands, in inches, and what its axes go from and to:
 * private to the chart (chart.h). Widths of texts are those of DejaVu Sans, so that nothing has to be drawn
 * to know what fits. */
#ifndef CEGSIM_REPORT_CHART_LAYOUT_H
#define CEGSIM_REPORT_CHART_LAYOUT_H

#include "base/text.h"
#include "report/charts/chart.h"
#include "report/frame.h"

#define CHART_LINE 0.16   /* from one line of text to the next */
#define CHART_SAMPLE 0.38 /* a piece of line, or a box, before its name in the legend */
#define CHART_TOP 0.08
#define CHART_TITLE_LINES 3 /* of a panel, at most */
#define CHART_NAME_LINES 3  /* of a group's name, at most */
#define CHART_NAME_MOST 2.2 /* a longer name of a group is cut */
#define CHART_ALL_PANELS SIZE_MAX

enum chart_names_turn { NAMES_FLAT, NAMES_SLANTED, NAMES_UPRIGHT };

struct chart_layout {
	size_t columns, rows;
	double panel_width, panel_height;
	double left, right, bottom; /* around all panels, the legend not among it */
	double title;               /* above each panel */
	double column_gap, row_gap;
	double numbers; /* width of the widest number at a y axis */
	double x_label; /* height of the x axis's label */
	size_t legend_columns, legend_rows;
	enum chart_names_turn turn; /* of the names of groups */
	size_t every;               /* so many groups have one name */
	struct frame frame;
};

/* What an axis goes from and to, and its numbers. */
struct chart_axis {
	double low, high;
	double step;    /* linear: between numbers */
	bool log, fine; /* log: numbers 1, 2, 5, 10; else every `decades` decades */
	int decades;
};

#define CHART_TIC_MAX 32

struct chart_layout chart_lay_out(const struct chart *c);
bool chart_has_groups(const struct chart *c);
/* The lower left corner of a panel's plotted area. */
void chart_panel_place(const struct chart_layout *l, size_t panel, double *left, double *bottom);
/* Whether numbers stand at the panel's left, and below it. */
bool chart_has_numbers(const struct chart *c, const struct chart_layout *l, size_t panel, char axis);
/* How long the label of the y axes may be. */
double chart_y_room(const struct chart_layout *l);
double chart_legend_height(const struct chart_layout *l);
/* Where entry `index` stands (its left edge, and the middle of its line from below), and how wide
 * its name may be. */
void chart_legend_place(const struct chart *c, const struct chart_layout *l, size_t index, double *x,
	double *y, double *width);

/* The axis 'x' or 'y' of a panel (or CHART_ALL_PANELS) that is so long. */
struct chart_axis chart_axis_of(const struct chart *c, char axis, size_t panel, double length);
/* Its number `index`, from 0 at the low end; false: there are no more. */
bool chart_axis_tic(const struct chart_axis *a, size_t index, double *value, char label[CHART_TIC_MAX]);
/* The widest of its numbers. */
double chart_axis_numbers(const struct chart_axis *a);
/* The height of the series below `below` on each other, at that group of a panel; values of one
 * sign stack up. */
double chart_stack(const struct chart *c, size_t panel, size_t group, size_t below, bool negative);

/* The width of a text of the size that labels have. */
double chart_text_width(const char *string);
/* The width of its longest word. */
double chart_text_longest(const char *string);
/* Appends the text as at most `most` lines that fit, '\n' between them; what does not fit loses its middle.
 * Returns the number of lines; 0: the text is empty. `out` may be NULL. */
size_t chart_text_wrap(const char *string, double width, size_t most, struct text *out);
/* Appends the text, without its middle if it is wider. */
void chart_text_cut(const char *string, size_t length, double width, struct text *out);

#endif
