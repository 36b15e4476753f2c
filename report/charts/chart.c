/* report/charts/chart.c - reads a query's rows into panels, series and points (report/charts/chart.h). */
#include "report/charts/chart.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"

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
};

static const struct {
	const char *name, *wants; /* `wants`: for messages */
	unsigned needs, allows;   /* bits of roles */
} kinds[] = {
#define BIT(role) (1u << (role))
#define NAMES (BIT(ROLE_PANEL) | BIT(ROLE_SERIES))
	[CHART_CURVES] = {"curves", "[panel] [series] x y [low high]", BIT(ROLE_X) | BIT(ROLE_Y),
		NAMES | BIT(ROLE_LOW) | BIT(ROLE_HIGH)},
	[CHART_STEPS] = {"steps", "[panel] [series] x y", BIT(ROLE_X) | BIT(ROLE_Y), NAMES},
	[CHART_POINTS] = {"points", "[panel] [series] x y", BIT(ROLE_X) | BIT(ROLE_Y), NAMES},
	[CHART_BARS] = {"bars", "[panel] [series] group y [low high]", BIT(ROLE_GROUP) | BIT(ROLE_Y),
		NAMES | BIT(ROLE_LOW) | BIT(ROLE_HIGH)},
	[CHART_STACKS] = {"stacks", "[panel] [series] group y", BIT(ROLE_GROUP) | BIT(ROLE_Y), NAMES},
	[CHART_BOXES] = {"boxes", "[panel] [series] group least q1 median q3 greatest",
		BIT(ROLE_GROUP) | BIT(ROLE_LOW) | BIT(ROLE_Q1) | BIT(ROLE_MEDIAN) | BIT(ROLE_Q3) |
			BIT(ROLE_HIGH),
		NAMES},
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

static void names_finish(struct chart_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->name[i]);
	free(names->name);
}

void chart_finish(struct chart *c)
{
	for (size_t i = 0; i < c->data_count; i++)
		free(c->data[i].points);
	free(c->data);
	names_finish(&c->panels);
	names_finish(&c->series);
	names_finish(&c->groups);
	*c = (struct chart){0};
}

static bool name_index(struct chart_names *names, const char *name, size_t *index, struct error *err)
{
	for (size_t i = names->count; i-- > 0;)
		if (strcmp(names->name[i], name) == 0) {
			*index = i;
			return true;
		}
	char **grown = list_room(names->name, names->count, sizeof(*grown), "drawing a chart", err);
	if (!grown)
		return false;
	names->name = grown;
	char *copy = strdup(name);
	if (!copy)
		return error_memory(err, "drawing a chart");
	for (char *at = copy; *at; at++) /* a name is one line, also in comments */
		if ((unsigned char)*at < ' ')
			*at = ' ';
	names->name[names->count] = copy;
	*index = names->count++;
	return true;
}

/* The series in this panel; NULL: *err. */
static struct chart_series *series_at(struct chart *c, size_t panel, size_t series, struct error *err)
{
	if (c->data_count > 0 && c->data[c->last].panel == panel && c->data[c->last].series == series)
		return &c->data[c->last];
	for (size_t i = 0; i < c->data_count; i++)
		if (c->data[i].panel == panel && c->data[i].series == series) {
			c->last = i;
			return &c->data[i];
		}
	struct chart_series *grown =
		list_room(c->data, c->data_count, sizeof(*grown), "drawing a chart", err);
	if (!grown)
		return NULL;
	c->data = grown;
	c->last = c->data_count++;
	c->data[c->last] = (struct chart_series){.panel = panel, .series = series};
	return &c->data[c->last];
}

static bool add_point(
	struct chart *c, size_t panel, size_t series, const struct chart_point *point, struct error *err)
{
	struct chart_series *s = series_at(c, panel, series, err);
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
	return name_index(names, name ? name : "", index, err);
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
			},
	};
	if (!name_at(rows, column[ROLE_PANEL], &c->panels, &panel, err) ||
		!name_at(rows, column[ROLE_SERIES], &c->series, &series, err))
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
	return true;
}
