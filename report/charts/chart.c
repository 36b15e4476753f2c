/* report/charts/chart.c - reads a query's rows into panels, series and points (report/charts/chart.h). */
#include "report/charts/chart.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "report/charts/layout.h"

enum role {
	ROLE_PANEL,
	ROLE_SERIES,
	ROLE_GROUP,
	ROLE_X,
	ROLE_Y,
	ROLE_LOW,
	ROLE_HIGH,
	ROLE_Q1,
	ROLE_MEDIAN,
	ROLE_Q3,
	ROLE_P99,
	ROLE_POLICY,
	ROLE_DASHED,
	ROLE_MARK,
	ROLES
};

/* Names of columns. A box goes from its least to its greatest value, so these have the roles low and high. */
static const struct {
	const char *name;
	enum role role;
} role_names[] = {
	{"panel", ROLE_PANEL},
	{"series", ROLE_SERIES},
	{"group", ROLE_GROUP},
	{"x", ROLE_X},
	{"y", ROLE_Y},
	{"low", ROLE_LOW},
	{"high", ROLE_HIGH},
	{"least", ROLE_LOW},
	{"greatest", ROLE_HIGH},
	{"q1", ROLE_Q1},
	{"median", ROLE_MEDIAN},
	{"q3", ROLE_Q3},
	{"p99", ROLE_P99},
	{"policy", ROLE_POLICY},
	{"dashed", ROLE_DASHED},
	{"mark", ROLE_MARK},
};

static const struct {
	const char *name, *wants; /* `wants`: for messages */
	unsigned needs, allows;   /* bits of roles */
} kinds[] = {
#define BIT(role) (1u << (role))
#define NAMES (BIT(ROLE_PANEL) | BIT(ROLE_SERIES) | BIT(ROLE_POLICY) | BIT(ROLE_DASHED))
	[CHART_CURVES] = {"curves", "[panel] [series] x y [low high] [mark] [policy] [dashed]",
		BIT(ROLE_X) | BIT(ROLE_Y), NAMES | BIT(ROLE_MARK) | BIT(ROLE_LOW) | BIT(ROLE_HIGH)},
	[CHART_STEPS] = {"steps", "[panel] [series] x y [mark] [policy] [dashed]", BIT(ROLE_X) | BIT(ROLE_Y),
		NAMES | BIT(ROLE_MARK)},
	[CHART_POINTS] = {"points", "[panel] [series] x y [mark] [policy] [dashed]",
		BIT(ROLE_X) | BIT(ROLE_Y), NAMES | BIT(ROLE_MARK)},
	[CHART_BARS] = {"bars", "[panel] [series] group y [low high] [policy] [dashed]",
		BIT(ROLE_GROUP) | BIT(ROLE_Y), NAMES | BIT(ROLE_LOW) | BIT(ROLE_HIGH)},
	[CHART_STACKS] = {"stacks", "[panel] [series] group y [policy] [dashed]",
		BIT(ROLE_GROUP) | BIT(ROLE_Y), NAMES},
	[CHART_BOXES] = {"boxes",
		"[panel] [series] group least q1 median q3 greatest [p99] [policy] [dashed]",
		BIT(ROLE_GROUP) | BIT(ROLE_LOW) | BIT(ROLE_Q1) | BIT(ROLE_MEDIAN) | BIT(ROLE_Q3) |
			BIT(ROLE_HIGH),
		NAMES | BIT(ROLE_P99)},
#undef NAMES
};

bool chart_kind_find(const char *name, enum chart_kind *kind)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i].name, name) == 0) {
			*kind = (enum chart_kind)i;
			return true;
		}
	return false;
}

const char *chart_kind_name(enum chart_kind kind)
{
	return kinds[kind].name;
}

void chart_begin(struct chart *c, const struct chart_style *style)
{
	*c = (struct chart){.style = *style};
}

void chart_finish(struct chart *c)
{
	for (size_t i = 0; i < c->data_count; i++)
		free(c->data[i].points);
	free(c->data);
	free(c->place);
	free(c->order);
	free(c->panel);
	for (size_t i = 0; c->traits && i < c->series.count; i++)
		free(c->traits[i].policy);
	free(c->traits);
	free(c->marks);
	free(c->entries);
	chart_names_finish(&c->panels);
	chart_names_finish(&c->series);
	chart_names_finish(&c->groups);
	*c = (struct chart){0};
}

static bool add_point(
	struct chart *c, size_t panel, size_t series, const struct chart_point *point, struct error *err)
{
	if (c->points == CHART_POINTS_MOST)
		return error_set(err, STATUS_INPUT, "too much for a chart: it has at most %d points",
			CHART_POINTS_MOST);
	struct chart_series *s = chart_series_at(c, panel, series, err);
	struct chart_point *grown =
		s ? list_room(s->points, s->count, sizeof(*grown), "drawing a chart", err) : NULL;
	if (!grown)
		return false;
	s->points = grown;
	s->points[s->count++] = *point;
	c->points++;
	return true;
}

/* Finds the column of each role; -1: none. */
static bool find_roles(
	const struct chart *c, const struct db_cursor *rows, int column[ROLES], struct error *err)
{
	unsigned found = 0, needs = kinds[c->style.kind].needs, allows = needs | kinds[c->style.kind].allows;
	for (int role = 0; role < ROLES; role++)
		column[role] = -1;
	for (int i = 0; i < cursor_columns(rows); i++) {
		const char *name = cursor_column_name(rows, i);
		size_t k = 0, count = sizeof(role_names) / sizeof(role_names[0]);
		while (k < count && (!name || strcmp(role_names[k].name, name) != 0))
			k++;
		if (k == count || !(allows & BIT(role_names[k].role)))
			return error_set(err, STATUS_INPUT,
				"column '%s' means nothing to a chart of %s, which has: %s",
				name ? name : "?", kinds[c->style.kind].name, kinds[c->style.kind].wants);
		column[role_names[k].role] = i;
		found |= BIT(role_names[k].role);
	}
	if ((found & needs) != needs)
		return error_set(err, STATUS_INPUT, "a chart of %s wants the columns %s",
			kinds[c->style.kind].name, kinds[c->style.kind].wants);
	return true;
}

static double real_at(const struct db_cursor *rows, int column)
{
	if (column < 0 || cursor_kind(rows, column) == VALUE_NULL)
		return NAN;
	return cursor_real(rows, column);
}

static bool name_at(
	const struct db_cursor *rows, int column, struct chart_names *names, size_t *index, struct error *err)
{
	const char *name = column < 0 ? NULL : cursor_text(rows, column);
	return chart_name_index(names, name ? name : "", index, err);
}

bool chart_add_members(struct chart *c, size_t panels, size_t series, struct error *err)
{
	if (c->panels.count > panels) {
		double *marks = list_room(c->marks, panels, sizeof(*marks), "drawing a chart", err);
		if (!marks)
			return false;
		c->marks = marks;
		c->marks[panels] = NAN;
	}
	if (c->series.count > series) {
		struct chart_trait *traits =
			list_room(c->traits, series, sizeof(*traits), "drawing a chart", err);
		if (!traits)
			return false;
		c->traits = traits;
		c->traits[series] = (struct chart_trait){0};
	}
	return true;
}

/* Reads what the row says of its series and its panel: the first row that says it counts. */
static bool read_members(struct chart *c, const struct db_cursor *rows, const int column[ROLES], size_t panel,
	size_t series, struct error *err)
{
	struct chart_trait *t = &c->traits[series];
	const char *policy = column[ROLE_POLICY] < 0 ? NULL : cursor_text(rows, column[ROLE_POLICY]);
	double dashed = real_at(rows, column[ROLE_DASHED]), mark = real_at(rows, column[ROLE_MARK]);
	t->dashed |= isfinite(dashed) && dashed != 0;
	if (!isfinite(c->marks[panel]))
		c->marks[panel] = mark;
	if (!t->policy && policy) {
		t->policy = strdup(policy);
		return t->policy || error_memory(err, "drawing a chart");
	}
	return true;
}

/* The numbers of panels and series. */
static bool read_names(struct chart *c, const struct db_cursor *rows, const int column[ROLES], size_t *panel,
	size_t *series, struct error *err)
{
	size_t panels = c->panels.count, count = c->series.count;
	bool ok = name_at(rows, column[ROLE_PANEL], &c->panels, panel, err) &&
		  name_at(rows, column[ROLE_SERIES], &c->series, series, err);
	if (ok && chart_add_members(c, panels, count, err))
		return read_members(c, rows, column, *panel, *series, err);
	if (c->series.count > count) /* no name without its trait */
		chart_name_drop(&c->series);
	return false;
}

static bool read_row(
	struct chart *c, const struct db_cursor *rows, const int column[ROLES], struct error *err)
{
	size_t panel, series;
	struct chart_point point = {
		.v =
			{
				.x = real_at(rows, column[ROLE_X]),
				.y = real_at(rows, column[ROLE_Y]),
				.low = real_at(rows, column[ROLE_LOW]),
				.high = real_at(rows, column[ROLE_HIGH]),
				.q1 = real_at(rows, column[ROLE_Q1]),
				.median = real_at(rows, column[ROLE_MEDIAN]),
				.q3 = real_at(rows, column[ROLE_Q3]),
				.p99 = real_at(rows, column[ROLE_P99]),
			},
	};
	if (!read_names(c, rows, column, &panel, &series, err))
		return false;
	if (column[ROLE_GROUP] >= 0 && !name_at(rows, column[ROLE_GROUP], &c->groups, &point.group, err))
		return false;
	return add_point(c, panel, series, &point, err);
}

bool chart_read(struct chart *c, struct db_cursor *rows, struct error *err)
{
	int column[ROLES];
	bool row = true;
	if (!find_roles(c, rows, column, err))
		return false;
	while (row) {
		if (!cursor_next(rows, &row, err) || (row && !read_row(c, rows, column, err)))
			return false;
	}
	chart_set_looks(c);
	return true;
}

bool chart_any_number(const struct chart *c)
{
	for (size_t i = 0; i < c->data_count; i++)
		for (size_t k = 0; k < c->data[i].count; k++) {
			const struct chart_values *v = &c->data[i].points[k].v;
			if (isfinite(v->y) || isfinite(v->low) || isfinite(v->q1) || isfinite(v->median))
				return true;
		}
	return false;
}
