/* report/charts/settle.c - what the points of a chart decide: how boxes are drawn, where bars that are
 * stacked begin, and the ranges of axes. All of it is found once, in one walk through the points, since there
 * may be very many, and the layout asks for ranges again and again. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/charts/layout.h"

/* Boxes lower than this part of the axis are flat; if most of them are, percentiles are drawn. */
#define FLAT 0.03
/* From which ratio of greatest to least on the axis of percentiles is logarithmic. */
#define WIDE 5
#define MARK_REACH 3 /* a mark farther out than so many times the data does not widen the axis */

/* Whether most boxes would be flat black bars: then percentiles say more. All of them need their p99. */
static bool boxes_collapse(const struct chart *c)
{
	double low = 0, high = 0;
	size_t flat = 0, boxes = 0;
	for (int round = 0; round < 2; round++) /* the range of the axis, then the heights of the boxes */
		for (size_t i = 0; i < c->data_count; i++)
			for (size_t k = 0; k < c->data[i].count; k++) {
				const struct chart_values *v = &c->data[i].points[k].v;
				if (!isfinite(v->p99) || !isfinite(v->low) || !isfinite(v->high))
					return false;
				low = fmin(low, v->low);
				high = fmax(high, v->high);
				flat += round && v->q3 - v->q1 < FLAT * (high - low);
				boxes += (size_t)round;
			}
	return 2 * flat > boxes;
}

static bool is_wide(const struct chart *c)
{
	double least = INFINITY, greatest = 0;
	for (size_t i = 0; i < c->data_count; i++)
		for (size_t k = 0; k < c->data[i].count; k++) {
			least = fmin(least, c->data[i].points[k].v.low);
			greatest = fmax(greatest, c->data[i].points[k].v.high);
		}
	return least > 0 && greatest >= WIDE * least;
}

/* Gives every series a panel with its name. */
static bool spread_panels(struct chart *c, struct error *err)
{
	size_t index;
	chart_names_finish(&c->panels);
	for (size_t i = 0; i < c->series.count; i++) {
		size_t panels = c->panels.count;
		if (!chart_name_index(&c->panels, c->series.name[i], &index, err) ||
			!chart_add_members(c, panels, c->series.count, err))
			return false;
	}
	for (size_t k = 0; k < c->data_count; k++) {
		struct chart_series *s = &c->data[k];
		if (!chart_name_index(&c->panels, c->series.name[s->series], &s->panel, err))
			return false;
	}
	return true;
}

/* ---- ranges ---- */

static void widen(struct chart_range *r, double value, bool log)
{
	if (!isfinite(value) || (log && value <= 0))
		return;
	r->low = isfinite(r->low) && r->low <= value ? r->low : value;
	r->high = isfinite(r->high) && r->high >= value ? r->high : value;
	r->whole = r->whole && value == floor(value);
}

static void widen_to(struct chart_range *r, const struct chart_range *other)
{
	bool whole = r->whole && other->whole;
	widen(r, other->low, false);
	widen(r, other->high, false);
	r->whole = whole;
}

bool chart_is_diagonal(const struct chart *c)
{
	return strcmp(c->style.line, "diagonal") == 0 && c->style.x_log == c->style.y_log;
}

/* The heights of a panel's stacks so far, of each group: of positive values, and of negative ones. */
struct heights {
	double *of;
	size_t groups;
};

static double *height_at(const struct heights *h, const struct chart_point *p)
{
	return &h->of[2 * p->group + (p->v.y < 0)];
}

/* Puts the series onto what is below it. */
static void stack(struct chart *c, struct chart_series *s, const struct heights *h, struct chart_range *y)
{
	for (size_t k = 0; k < s->count; k++)
		s->points[k].base = *height_at(h, &s->points[k]);
	for (size_t k = 0; k < s->count; k++) {
		double *height = height_at(h, &s->points[k]);
		*height += isfinite(s->points[k].v.y) ? s->points[k].v.y : 0;
		widen(y, *height, c->style.y_log);
	}
	c->looks += 2 * s->count;
}

static void look_at_series(
	struct chart *c, struct chart_series *s, struct chart_panel *panel, const struct heights *h)
{
	for (size_t k = 0; k < s->count; k++) {
		const struct chart_values *v = &s->points[k].v;
		const double of_y[] = {v->y, v->low, v->high, v->q1, v->median, v->q3};
		s->band |= isfinite(v->low) && isfinite(v->high);
		widen(&panel->x, v->x, c->style.x_log);
		for (size_t n = 0; n < sizeof(of_y) / sizeof(of_y[0]); n++)
			widen(&panel->y, of_y[n], c->style.y_log);
	}
	c->looks += s->count;
	if (c->style.kind == CHART_STACKS)
		stack(c, s, h, &panel->y);
}

static int by_panel(const void *x, const void *y, void *chart)
{
	const struct chart *c = chart;
	const struct chart_series *a = &c->data[*(const size_t *)x], *b = &c->data[*(const size_t *)y];
	if (a->panel != b->panel)
		return a->panel < b->panel ? -1 : 1;
	return (a->series > b->series) - (a->series < b->series);
}

/* Both axes have one range if a diagonal is drawn. */
static void complete_ranges(struct chart *c)
{
	struct chart_panel *all = &c->panel[c->panels.count];
	for (struct chart_panel *p = c->panel; p < all; p++) {
		if (chart_is_diagonal(c)) {
			widen_to(&p->x, &p->y);
			p->y = p->x;
		}
		widen_to(&all->x, &p->x);
		widen_to(&all->y, &p->y);
	}
	for (size_t i = 0; c->marks && i < c->panels.count; i++) {
		struct chart_range *const of[] = {&c->panel[i].x, &all->x};
		for (size_t n = 0; n < sizeof(of) / sizeof(of[0]); n++)
			if (c->marks[i] <= MARK_REACH * of[n]->high)
				widen(of[n], c->marks[i], c->style.x_log);
	}
}

static bool look_at_points(struct chart *c, struct error *err)
{
	const struct chart_range none = {NAN, NAN, true};
	struct heights h = {.groups = 2 * c->groups.count * (c->style.kind == CHART_STACKS)};
	c->panel = calloc(c->panels.count + 1, sizeof(*c->panel));
	c->order = calloc(c->data_count + 1, sizeof(*c->order));
	h.of = calloc(h.groups + 1, sizeof(*h.of));
	if (!c->panel || !c->order || !h.of) {
		free(h.of);
		return error_memory(err, "drawing a chart");
	}
	for (size_t i = 0; i <= c->panels.count; i++)
		c->panel[i].x = c->panel[i].y = none;
	for (size_t i = 0; i < c->data_count; i++)
		c->order[i] = i;
	qsort_r(c->order, c->data_count, sizeof(*c->order), by_panel, c);
	for (size_t i = 0; i < c->data_count; i++) {
		struct chart_series *s = &c->data[c->order[i]];
		struct chart_panel *panel = &c->panel[s->panel];
		if (panel->count++ == 0) {
			panel->first = i;
			memset(h.of, 0, h.groups * sizeof(*h.of));
		}
		look_at_series(c, s, panel, &h);
	}
	free(h.of);
	complete_ranges(c);
	return true;
}

bool chart_settle(struct chart *c, struct error *err)
{
	if (c->style.panel_each)
		return spread_panels(c, err) && look_at_points(c, err);
	c->percentiles = c->style.kind == CHART_BOXES && c->points > 0 && boxes_collapse(c);
	c->style.y_log |= c->percentiles && is_wide(c);
	return look_at_points(c, err) && chart_list_entries(c, err);
}
