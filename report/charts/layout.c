/* report/charts/layout.c - finds the places of panels, their titles and the legend. The sizes depend on each
 * other: numbers at an axis take room, and the room decides which numbers there are. So they are found in a
 * few rounds. */
#include "report/charts/layout.h"

#include <math.h>
#include <stdint.h>

/* Inches. */
#define EDGE 0.08
#define NUMBER_OFFSET 0.1 /* from an axis to its numbers */
#define GAP 0.16          /* between panels if no numbers are between them */
#define SINE 0.643        /* of the angle of slanted names of groups */
#define COSINE 0.766
#define NAME_ROOM 0.08 /* between names side by side */
#define TEXT_WIDTH 6.9 /* of a page */
#define SHAPE 1.4      /* width / height of a panel, preferably */
#define ROUNDS 5

static double widest_name(const struct chart_names *names)
{
	double widest = 0;
	for (size_t i = 0; i < names->count; i++)
		widest = fmax(widest, chart_text_width(names->name[i]));
	return widest;
}

/* ---- panels ---- */

void chart_panel_place(const struct chart_layout *l, size_t panel, double *left, double *bottom)
{
	size_t row = panel / l->columns, column = panel % l->columns;
	*left = l->left + (double)column * (l->panel_width + l->column_gap);
	*bottom = l->frame.height - CHART_TOP - (double)row * (l->panel_height + l->title + l->row_gap) -
		  l->title - l->panel_height;
}

bool chart_has_numbers(const struct chart *c, const struct chart_layout *l, size_t panel, char axis)
{
	if (axis == 'x')
		return c->style.x_free || panel + l->columns >= c->panels.count;
	return c->style.y_free || panel % l->columns == 0;
}

static double natural_width(const struct chart *c)
{
	if (c->style.panel_width > 0)
		return c->style.panel_width;
	if (!chart_has_groups(c) && c->panels.count > 1)
		return 1.9;
	if (!chart_has_groups(c)) /* wide enough for a long legend in two columns */
		return c->entry_count > 4 ? fmin(fmax(2 * chart_legend_widest(c) - 0.6, 2.6), 4.4) : 2.6;
	double bars = (double)(c->groups.count * (c->style.kind == CHART_STACKS ? 1 : c->series.count));
	double width = fmax(0.11 * bars + 0.1 * (double)c->groups.count, 2.0);
	double flat = (NAME_ROOM + widest_name(&c->groups)) * (double)c->groups.count;
	return fmin(flat < 3.6 ? fmax(width, flat) : width, 6.2);
}

/* For panels of a given size: the number of columns that gives the best shape. */
static size_t fitting_columns(const struct chart *c, double panel_width)
{
	double fit = (c->style.width - 0.5) / (chart_has_groups(c) ? panel_width : 1.15), best = INFINITY;
	size_t most = fit < 1 ? 1 : (size_t)fit, columns = most;
	for (size_t n = most; c->style.height > 0 && n > 0; n--) {
		size_t rows = (c->panels.count + n - 1) / n;
		double width = (c->style.width - 0.7) / (double)n,
		       height = fmax((c->style.height - 0.8) / (double)rows - 0.35, 0.1);
		double off = fabs(log(width / height / SHAPE));
		if (off < best - 1e-9) {
			best = off;
			columns = n;
		}
	}
	return columns;
}

static struct chart_layout first_guess(const struct chart *c)
{
	struct chart_layout l = {.panel_width = natural_width(c), .right = 0.12};
	size_t wanted = c->style.columns > 0  ? (size_t)c->style.columns
			: l.panel_width > 3.2 ? 1
			: l.panel_width > 2.3 ? 2
					      : 3;
	if (c->style.width > 0 && c->style.columns == 0)
		wanted = fitting_columns(c, l.panel_width);
	l.columns = c->panels.count < wanted ? c->panels.count : wanted;
	l.rows = (c->panels.count + l.columns - 1) / l.columns;
	l.panel_height = c->style.panel_height > 0 ? c->style.panel_height : c->panels.count > 1 ? 1.4 : 1.7;
	return l;
}

/* Measures the widest numbers at the y axes; at the x axes half a number may stick out at the right. */
static void measure_numbers(const struct chart *c, struct chart_layout *l)
{
	double value;
	char label[CHART_TIC_MAX];
	l->numbers = 0;
	l->right = 0.12;
	for (size_t panel = 0; panel < c->panels.count; panel++) {
		struct chart_axis y = chart_axis_of(c, 'y', panel, l->panel_height);
		l->numbers = fmax(l->numbers, chart_axis_numbers(&y));
		if (chart_has_groups(c))
			continue;
		struct chart_axis x = chart_axis_of(c, 'x', panel, l->panel_width);
		l->right = fmax(l->right, chart_axis_numbers(&x) / 2 + 0.04);
		if (!chart_axis_tic(&x, 0, &value, label))
			l->right = 0.12;
	}
}

/* The number of lines that the names of groups need side by side; 0: they do not fit. */
static size_t lines_of_names(const struct chart *c, double width)
{
	size_t most = 0;
	for (size_t i = 0; i < c->groups.count; i++) {
		size_t lines = chart_text_wrap(c->groups.name[i], width, CHART_NAME_LINES + 1, NULL);
		most = lines > most ? lines : most;
		if (chart_text_longest(c->groups.name[i]) > width)
			return 0;
	}
	return most > CHART_NAME_LINES ? 0 : most ? most : 1;
}

/* Chooses how the names of groups are turned; returns their height. */
static double turn_names(const struct chart *c, struct chart_layout *l)
{
	double widest = fmin(widest_name(&c->groups), CHART_NAME_MOST),
	       room = l->panel_width / (double)c->groups.count;
	l->every = 1;
	l->turn = NAMES_FLAT;
	size_t lines = lines_of_names(c, room - NAME_ROOM);
	if (lines > 0)
		return NUMBER_OFFSET - 0.04 + (double)lines * CHART_LINE;
	l->turn = room * SINE >= CHART_LINE * 0.8 ? NAMES_SLANTED : NAMES_UPRIGHT;
	while ((double)l->every * room < CHART_LINE * 0.8)
		l->every++;
	if (l->turn == NAMES_UPRIGHT)
		return NUMBER_OFFSET + widest;
	double reach = COSINE * widest - room / 2;
	l->left = fmax(l->left, reach + EDGE);
	return NUMBER_OFFSET + SINE * widest + CHART_LINE / 3;
}

static double title_height(const struct chart *c, const struct chart_layout *l)
{
	size_t lines = 0;
	double width = l->panel_width + l->column_gap - 0.06;
	for (size_t i = 0; i < c->panels.count; i++) {
		size_t own = chart_text_wrap(c->panels.name[i], width, CHART_TITLE_LINES, NULL);
		lines = own > lines ? own : lines;
	}
	return lines ? (double)lines * CHART_LINE + 0.05 : 0;
}

/* The greatest length of the label of the y axes. */
double chart_y_room(const struct chart_layout *l)
{
	return fmax(l->frame.height - chart_legend_height(l) - 0.1, 1.0);
}

static void refine_across(const struct chart *c, struct chart_layout *l)
{
	double label = *c->style.y ? EDGE + CHART_LINE * (double)chart_text_wrap(
								 c->style.y, chart_y_room(l), 2, NULL)
				   : EDGE;
	measure_numbers(c, l);
	l->left = label + l->numbers + NUMBER_OFFSET;
	l->column_gap = fmax(GAP, l->right);
	if (c->style.y_free)
		l->column_gap = l->numbers + NUMBER_OFFSET + GAP / 2;
	double names = chart_has_groups(c) ? turn_names(c, l) : NUMBER_OFFSET + CHART_LINE - 0.04;
	double around = l->left + l->right + (double)(l->columns - 1) * l->column_gap;
	if (c->style.width > 0)
		l->panel_width = (c->style.width - around) / (double)l->columns;
	else if (l->columns > 1 &&
		 c->style.panel_width <= 0) /* several panels side by side use the full width of the page */
		l->panel_width = fmin(l->panel_width, (TEXT_WIDTH - around) / (double)l->columns);
	l->panel_width = fmax(l->panel_width, 0.3);
	l->frame.width = around + (double)l->columns * l->panel_width;
	l->x_label = CHART_LINE * (double)chart_text_wrap(c->style.x, l->frame.width - 2 * EDGE, 2, NULL);
	l->bottom = names + l->x_label + (c->style.letters ? 0.06 : 0.03);
	l->row_gap = c->style.x_free ? names + 0.06 : 0.14;
	if (c->panels.count % l->columns) /* names are below the panels above the gap, too */
		l->row_gap = fmax(l->row_gap, 0.14);
}

static void refine(const struct chart *c, struct chart_layout *l)
{
	refine_across(c, l);
	l->title = title_height(c, l);
	double around =
		CHART_TOP + l->bottom + (double)l->rows * l->title + (double)(l->rows - 1) * l->row_gap;
	chart_legend_lay_out(c, l, (double)l->rows * l->panel_height, around);
	around += chart_legend_height(l);
	if (c->style.height > 0)
		l->panel_height = fmax((c->style.height - around) / (double)l->rows, 0.2);
	l->frame.height = around + (double)l->rows * l->panel_height;
}

struct chart_layout chart_lay_out(const struct chart *c)
{
	struct chart_layout l = first_guess(c);
	for (int round = 0; round < ROUNDS; round++)
		refine(c, &l);
	return l;
}
