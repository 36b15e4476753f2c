/* report/charts/names.c - which panel, series or group a row names, and which part of a series it adds to.
 * Rows are many, and so may be names: none is compared with all of them. */
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "report/charts/layout.h"

#define WORK "drawing a chart"

void chart_names_finish(struct chart_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->name[i]);
	free(names->name);
	free(names->by_name);
	*names = (struct chart_names){0};
}

/* A name is one line, also in comments. */
static unsigned char in_line(char c)
{
	return (unsigned char)c < ' ' && c ? ' ' : (unsigned char)c;
}

static int compare(const char *kept, const char *name)
{
	for (; *kept && (unsigned char)*kept == in_line(*name); name++)
		kept++;
	return (unsigned char)*kept - in_line(*name);
}

/* Adds a name that has this place in their order. */
static bool add_name(struct chart_names *names, const char *name, size_t place, struct error *err)
{
	if (names->count == CHART_NAMES_MOST)
		return error_set(err, STATUS_INPUT,
			"too much for a chart: it has at most %d panels, series and groups of each",
			CHART_NAMES_MOST);
	char **grown = list_room(names->name, names->count, sizeof(*grown), WORK, err);
	if (!grown)
		return false;
	names->name = grown;
	size_t *order = list_room(names->by_name, names->count, sizeof(*order), WORK, err);
	if (!order)
		return false;
	names->by_name = order;
	char *copy = strdup(name);
	if (!copy)
		return error_memory(err, WORK);
	for (char *at = copy; *at; at++)
		*at = (char)in_line(*at);
	memmove(order + place + 1, order + place, (names->count - place) * sizeof(*order));
	order[place] = names->count;
	names->name[names->count++] = copy;
	return true;
}

bool chart_name_index(struct chart_names *names, const char *name, size_t *index, struct error *err)
{
	size_t low = 0, high = names->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = compare(names->name[names->by_name[middle]], name);
		names->looks++;
		if (order == 0) {
			*index = names->by_name[middle];
			return true;
		}
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	*index = names->count;
	return add_name(names, name, low, err);
}

void chart_name_drop(struct chart_names *names)
{
	size_t place = 0;
	free(names->name[--names->count]);
	while (names->by_name[place] != names->count)
		place++;
	memmove(names->by_name + place, names->by_name + place + 1,
		(names->count - place) * sizeof(*names->by_name));
}

struct chart_series *chart_series_at(struct chart *c, size_t panel, size_t series, struct error *err)
{
	/* 16 MB; only what a chart uses of it becomes memory */
	if (!c->place)
		c->place = calloc((size_t)CHART_NAMES_MOST * CHART_NAMES_MOST, sizeof(*c->place));
	if (!c->place) {
		error_memory(err, WORK);
		return NULL;
	}
	uint32_t *place = &c->place[panel * CHART_NAMES_MOST + series];
	if (*place > 0)
		return &c->data[*place - 1];
	struct chart_series *grown = list_room(c->data, c->data_count, sizeof(*grown), WORK, err);
	if (!grown)
		return NULL;
	c->data = grown;
	c->data[c->data_count++] = (struct chart_series){.panel = panel, .series = series};
	*place = (uint32_t)c->data_count;
	return &c->data[c->data_count - 1];
}
