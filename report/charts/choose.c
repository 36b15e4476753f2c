/* report/charts/choose.c - keeps the series that the user names, in his order and with his names (--series).
 */
#include <stdlib.h>
#include <string.h>

#include "report/charts/chart.h"

#define DROPPED SIZE_MAX
#define WORK "drawing a chart"

/* What the user wants of one list of names. */
struct choice {
	struct chart_names *names;
	size_t *place; /* of each name in the new order; DROPPED: not wanted */
	char **label;  /* of each name: its new name, or NULL */
	size_t count;
};

/* The name that the text begins with, up to a comma, '=' or the end: the longest, as names contain these,
 * too. DROPPED: it is none of them. */
static size_t name_at(const struct chart_names *names, const char *text)
{
	size_t found = DROPPED, longest = 0;
	for (size_t i = 0; i < names->count; i++) {
		size_t length = strlen(names->name[i]);
		if (length > longest && strncmp(text, names->name[i], length) == 0 &&
			strchr(",=", text[length])) {
			found = i;
			longest = length;
		}
	}
	return found;
}

static bool unknown_name(const struct chart_names *names, const char *text, struct error *err)
{
	char hint[SUGGESTION_TEXT_MAX];
	struct text word = {0}, all = {0};
	text_add_bytes(&word, text, strcspn(text, ",="));
	struct suggestion near = {.word = text_data(&word)};
	for (size_t i = 0; i < names->count; i++) {
		suggestion_offer(&near, names->name[i]);
		text_printf(&all, "%s'%s'", i ? ", " : "", names->name[i]);
	}
	error_set(err, STATUS_INPUT, "--series: this figure has no series '%s'%s (it has %s)",
		text_data(&word), suggestion_text(&near, hint), text_data(&all));
	text_finish(&word);
	text_finish(&all);
	return false;
}

/* Takes one NAME or NAME=LABEL; *text is then behind it. */
static bool take_one(struct choice *c, const char **text, struct error *err)
{
	size_t i = name_at(c->names, *text);
	if (i == DROPPED)
		return unknown_name(c->names, *text, err);
	const char *name = c->names->name[i];
	if (c->place[i] != DROPPED)
		return error_set(err, STATUS_INPUT, "--series: '%s' is there twice", name);
	c->place[i] = c->count++;
	*text += strlen(name);
	if (**text == '=') {
		size_t length = strcspn(++*text, ",");
		if (length == 0)
			return error_set(
				err, STATUS_INPUT, "--series: a new name is missing behind '%s='", name);
		c->label[i] = strndup(*text, length);
		if (!c->label[i])
			return error_memory(err, WORK);
		*text += length;
	}
	return true;
}

static bool parse(struct choice *c, const char *text, struct error *err)
{
	for (;;) {
		if (!take_one(c, &text, err))
			return false;
		if (!*text)
			return true;
		text++; /* a comma; a series must follow */
	}
}

/* Puts names, and what belongs to each series, in the new order. */
static bool order_names(struct choice *c, struct chart_trait *traits, struct error *err)
{
	char **name = calloc(c->count, sizeof(*name));
	struct chart_trait *kept = calloc(c->count, sizeof(*kept));
	if (!name || !kept) {
		free(name);
		free(kept);
		return error_memory(err, WORK);
	}
	for (size_t i = 0; i < c->names->count; i++) {
		char **unused = c->place[i] == DROPPED || c->label[i] ? &c->names->name[i] : &c->label[i];
		if (c->place[i] != DROPPED) {
			name[c->place[i]] = c->label[i] ? c->label[i] : c->names->name[i];
			c->label[i] = NULL;
		}
		free(*unused);
		if (traits && c->place[i] != DROPPED)
			kept[c->place[i]] = traits[i];
		else if (traits)
			free(traits[i].policy);
	}
	memcpy(c->names->name, name, c->count * sizeof(*name));
	if (traits)
		memcpy(traits, kept, c->count * sizeof(*kept));
	c->names->count = c->count;
	free(name);
	free(kept);
	return true;
}

/* Removes the points of dropped series or groups. */
static void order_data(struct chart *c, const size_t *place, bool groups)
{
	size_t left = 0;
	c->points = 0;
	for (size_t i = 0; i < c->data_count; i++) {
		struct chart_series *s = &c->data[i];
		size_t points = 0;
		for (size_t k = 0; k < s->count; k++) {
			size_t to = place[groups ? s->points[k].group : s->series];
			if (to == DROPPED)
				continue;
			s->points[points] = s->points[k];
			s->points[points++].group = groups ? to : s->points[k].group;
		}
		s->count = points;
		c->points += points;
		if (points == 0) {
			free(s->points);
			continue;
		}
		s->series = groups ? s->series : place[s->series];
		c->data[left++] = *s;
	}
	c->data_count = left;
}

bool chart_choose(struct chart *c, const char *wanted, struct error *err)
{
	bool groups = c->style.choose_groups;
	struct choice choice = {.names = groups ? &c->groups : &c->series};
	size_t count = choice.names->count;
	if (count == 0 || (count == 1 && !*choice.names->name[0]))
		return error_set(err, STATUS_INPUT, "--series: this figure has no series with a name");
	choice.place = malloc(count * sizeof(*choice.place));
	choice.label = calloc(count, sizeof(*choice.label));
	for (size_t i = 0; choice.place && i < count; i++)
		choice.place[i] = DROPPED;
	bool ok = (choice.place && choice.label) || error_memory(err, WORK);
	ok = ok && parse(&choice, wanted, err) && order_names(&choice, groups ? NULL : c->traits, err);
	if (ok)
		order_data(c, choice.place, groups);
	for (size_t i = 0; choice.label && i < count; i++)
		free(choice.label[i]);
	free(choice.place);
	free(choice.label);
	return ok;
}
