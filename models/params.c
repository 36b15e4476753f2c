/* models/params.c - options and their values; see models/params.h. */
#include "models/params.h"

#include <assert.h>
#include <inttypes.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "base/text.h"
#include "base/units.h"

uint32_t params_find(const struct params *p, const char *name)
{
	for (uint32_t i = 0; i < p->count; i++)
		if (strcmp(p->options[i].name, name) == 0)
			return i;
	return UINT32_MAX;
}

/* ---- texts to values ---- */

/* Index of value in "a|b|c", -1 if it is not there. */
static int choice_index(const char *choices, const char *value)
{
	size_t length = strlen(value);
	int index = 0;
	for (const char *c = choices;; c++, index++) {
		const char *end = strchrnul(c, '|');
		if ((size_t)(end - c) == length && strncmp(c, value, length) == 0)
			return index;
		if (*end == '\0')
			return -1;
		c = end;
	}
}

static bool parse_integer(const char *text, const struct option *o, int64_t *value)
{
	return whole_parse(text, value) == WHOLE_READ && *value >= o->min && *value <= o->max;
}

static const char *skip_spaces(const char *c)
{
	return c + strspn(c, " ");
}

/* "[1, 2]", "1,2" or "1 2" -> "1,2". A list that does not fit sets *too_long. */
static bool canonical_list(const char *text, const struct option *o, char *out, bool *too_long)
{
	size_t used = 0;
	const char *c = skip_spaces(text);
	bool bracket = *c == '[', comma = false;
	out[0] = '\0';
	for (c = skip_spaces(c + bracket); *c != (bracket ? ']' : '\0') || comma; c = skip_spaces(c)) {
		char item[24];
		size_t length = strcspn(c, "[], ");
		int64_t value;
		if (length == 0 || length >= sizeof(item))
			return false;
		memcpy(item, c, length);
		item[length] = '\0';
		if (!parse_integer(item, o, &value))
			return false;
		snprintf(item, sizeof(item), "%s%" PRId64, used ? "," : "", value);
		size_t written = strlen(item);
		*too_long = *too_long || used + written >= PARAM_TEXT_MAX;
		if (!*too_long)
			memcpy(out + used, item, written + 1);
		used += written;
		c = skip_spaces(c + length);
		comma = *c == ',';
		c += comma;
	}
	return *skip_spaces(c + bracket) == '\0';
}

static bool is_ratio(const struct option *o)
{
	return o->kind == OPTION_RATIO || o->kind == OPTION_RATIO_RANGE;
}

static bool parse_quantity(const char *text, const struct option *o, int64_t *value)
{
	struct error ignored;
	return unit_parse(is_ratio(o) ? UNIT_RATIO : UNIT_TIME, text, NULL, value, &ignored) &&
	       *value >= o->min && *value <= o->max;
}

/* "a..b", or "a" for both. */
static bool parse_range(const char *text, const struct option *o, int64_t *low, int64_t *high)
{
	char first[PARAM_TEXT_MAX];
	const char *dots = strstr(text, "..");
	size_t length = dots ? (size_t)(dots - text) : strlen(text);
	if (length >= sizeof(first))
		return false;
	memcpy(first, text, length);
	first[length] = '\0';
	return parse_quantity(first, o, low) && parse_quantity(dots ? dots + 2 : first, o, high) &&
	       *low <= *high;
}

static bool is_range(const struct option *o)
{
	return o->kind == OPTION_RATIO_RANGE || o->kind == OPTION_DURATION_RANGE;
}

/* All kinds of values but lists. */
static bool parse_value(const char *text, const struct option *o, struct param_value *v)
{
	int index;
	bool ok = false;
	*v = (struct param_value){0};
	switch (o->kind) {
	case OPTION_CHOICE:
		index = choice_index(o->choices, text);
		ok = index >= 0 && strlen(text) < PARAM_TEXT_MAX;
		v->low = ok ? index : 0;
		break;
	case OPTION_BOOL:
		v->low = strcmp(text, "true") == 0;
		ok = v->low || strcmp(text, "false") == 0;
		break;
	case OPTION_INTEGER:
		ok = parse_integer(text, o, &v->low);
		break;
	case OPTION_LIST:
		break;
	case OPTION_RATIO:
	case OPTION_DURATION:
		ok = parse_quantity(text, o, &v->low);
		break;
	case OPTION_RATIO_RANGE:
	case OPTION_DURATION_RANGE:
		return parse_range(text, o, &v->low, &v->high);
	}
	v->high = v->low;
	return ok;
}

static int compare_lists(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Each list is stored once per process, so that params are plain data. NULL: out of memory. */
static const char *keep_list(const char *list)
{
	static void *kept;
	char *const *found = tfind(list, &kept, compare_lists);
	if (found)
		return *found;
	char *copy = strdup(list);
	if (copy && tsearch(copy, &kept, compare_lists))
		return copy;
	free(copy);
	return NULL;
}

/* Defaults are values in canonical form, in tables of the tree and in plug-ins that passed the check. */
static void default_value(const struct option *o, struct param_value *v)
{
	if (o->kind != OPTION_LIST)
		parse_value(o->fallback, o, v);
	else
		*v = (struct param_value){.list = o->fallback};
}

void params_default(struct params *p, const struct option *options)
{
	*p = (struct params){.options = options};
	for (const struct option *o = options; o && o->name; o++) {
		assert(p->count < PARAMS_MAX);
		default_value(o, &p->value[p->count++]);
	}
}

static const char *one_of(const char *choices, char *buffer, size_t size)
{
	snprintf(buffer, size, "%s", choices);
	for (char *c = buffer; *c; c++)
		if (*c == '|')
			*c = ' ';
	return buffer;
}

static bool wrong_value(struct error *err, const struct option *o, const char *value)
{
	char buffer[256], low[UNIT_TEXT_MAX], high[UNIT_TEXT_MAX];
	enum unit_kind unit = is_ratio(o) ? UNIT_RATIO : UNIT_TIME;
	const char *noun = "a whole number";
	switch (o->kind) {
	case OPTION_CHOICE:
	case OPTION_BOOL:
		return error_set(err, STATUS_INPUT, "'%s' is \"%s\"; one of: %s", o->name, value,
			one_of(o->kind == OPTION_BOOL ? "true|false" : o->choices, buffer, sizeof(buffer)));
	case OPTION_LIST:
		noun = "a list of whole numbers";
		break;
	case OPTION_INTEGER:
		break;
	case OPTION_RATIO:
	case OPTION_DURATION:
	case OPTION_RATIO_RANGE:
	case OPTION_DURATION_RANGE:
		return error_set(err, STATUS_INPUT, "'%s' wants %s%s from %s to %s, got \"%s\"", o->name,
			is_ratio(o) ? "a ratio such as 0.5 or 50%" : "a duration such as 5ms",
			is_range(o) ? ", or a range a..b," : "", unit_format(unit, o->min, low),
			unit_format(unit, o->max, high), value);
	}
	return error_set(err, STATUS_INPUT, "'%s' wants %s from %" PRId64 " to %" PRId64 ", got \"%s\"",
		o->name, noun, o->min, o->max, value);
}

static bool wrong_length(struct error *err, const struct option *o)
{
	return error_set(err, STATUS_INPUT,
		"'%s' is too long: a list has, without spaces, at most %d characters", o->name,
		PARAM_TEXT_MAX - 1);
}

static bool unknown_option(struct error *err, const struct params *p, const char *name)
{
	struct suggestion near = {.word = name};
	char hint[SUGGESTION_TEXT_MAX];
	for (uint32_t i = 0; i < p->count; i++)
		suggestion_offer(&near, p->options[i].name);
	return error_set(err, STATUS_INPUT, "has no option '%s'%s", name, suggestion_text(&near, hint));
}

static bool parse_list(const char *text, const struct option *o, struct param_value *v, struct error *err)
{
	char list[PARAM_TEXT_MAX];
	bool too_long = false;
	if (!canonical_list(text, o, list, &too_long))
		return wrong_value(err, o, text);
	if (too_long)
		return wrong_length(err, o);
	*v = (struct param_value){.list = keep_list(list)};
	return v->list || error_memory(err, "a list");
}

bool params_set(struct params *p, const char *name, const char *value, struct error *err)
{
	uint32_t i = params_find(p, name);
	struct param_value v;
	if (i == UINT32_MAX)
		return unknown_option(err, p, name);
	const struct option *o = &p->options[i];
	if (o->kind == OPTION_LIST ? !parse_list(value, o, &v, err) : !parse_value(value, o, &v))
		return o->kind == OPTION_LIST ? false : wrong_value(err, o, value);
	p->value[i] = v;
	return true;
}

/* Cuts off the next item, up to a comma outside of brackets; NULL: none. Like strsep(). */
static char *next_item(char **text)
{
	char *item = *text, *c = item;
	if (!item)
		return NULL;
	for (bool list = false; *c && (list || *c != ','); c++)
		list = *c == '[' || (list && *c != ']');
	*text = *c ? c + 1 : NULL;
	*c = '\0';
	return item;
}

bool params_parse(struct params *p, const char *who, char *text, struct error *err)
{
	for (char *item; (item = next_item(&text)) != NULL && *item;) {
		struct error reason;
		item += strspn(item, " ");
		char *equals = strchr(item, '=');
		if (!equals)
			return error_set(err, STATUS_INPUT,
				"%s: an option is name=value, and a list name=[1,2], not '%s'", who, item);
		*equals = '\0';
		if (!params_set(p, item, equals + 1, &reason))
			return error_set(err, reason.status, "%s %s", who, reason.text);
	}
	return true;
}

/* ---- values ---- */

#define KIND(name) (1u << OPTION_##name)

static const struct param_value *value_of(const struct params *p, const char *name, unsigned kinds)
{
	uint32_t i = params_find(p, name);
	if (i != UINT32_MAX && (kinds & 1u << p->options[i].kind))
		return &p->value[i];
	/* An error of the programmer; see models/params.h. */
	say(stderr, "cegsim: a policy asks for option '%s', which is not in its table%s\n", name,
		i == UINT32_MAX ? "" : " as one of that kind");
	abort();
}

uint32_t params_choice(const struct params *p, const char *name)
{
	return (uint32_t)value_of(p, name, KIND(CHOICE))->low;
}

int64_t params_integer(const struct params *p, const char *name)
{
	return value_of(p, name, KIND(INTEGER))->low;
}

bool params_bool(const struct params *p, const char *name)
{
	return value_of(p, name, KIND(BOOL))->low == 1;
}

int64_t params_quantity(const struct params *p, const char *name)
{
	return value_of(p, name, KIND(RATIO) | KIND(DURATION))->low;
}

void params_range(const struct params *p, const char *name, int64_t *low, int64_t *high)
{
	const struct param_value *v =
		value_of(p, name, KIND(RATIO) | KIND(DURATION) | KIND(RATIO_RANGE) | KIND(DURATION_RANGE));
	*low = v->low;
	*high = v->high;
}

size_t params_list(const struct params *p, const char *name, int64_t *values, size_t max)
{
	const char *text = value_of(p, name, KIND(LIST))->list;
	size_t count = 0;
	while (*text && count < max) {
		char *end;
		values[count++] = strtoll(text, &end, 10);
		text = *end ? end + 1 : end;
	}
	return count;
}

/* ---- values to texts ---- */

/* The choice of an index. */
static void choice_text(const char *choices, int64_t index, char text[PARAM_TEXT_MAX])
{
	for (; index > 0; index--)
		choices = strchrnul(choices, '|') + 1;
	snprintf(text, PARAM_TEXT_MAX, "%.*s", (int)strcspn(choices, "|"), choices);
}

/* A quantity has one spelling, whatever the input was: "0.5ms" -> "500us", "0.5" -> "50%". */
static void quantity_text(const struct option *o, const struct param_value *v, char text[PARAM_TEXT_MAX])
{
	char low[UNIT_TEXT_MAX], high[UNIT_TEXT_MAX];
	enum unit_kind unit = is_ratio(o) ? UNIT_RATIO : UNIT_TIME;
	bool two = v->high != v->low;
	snprintf(text, PARAM_TEXT_MAX, "%s%s%s", unit_format(unit, v->low, low), two ? ".." : "",
		two ? unit_format(unit, v->high, high) : "");
}

const char *params_text(const struct params *p, uint32_t index, char text[PARAM_TEXT_MAX])
{
	const struct option *o = &p->options[index];
	const struct param_value *v = &p->value[index];
	if (o->kind == OPTION_CHOICE)
		choice_text(o->choices, v->low, text);
	else if (o->kind == OPTION_BOOL)
		snprintf(text, PARAM_TEXT_MAX, "%s", v->low ? "true" : "false");
	else if (o->kind == OPTION_INTEGER)
		snprintf(text, PARAM_TEXT_MAX, "%" PRId64, v->low);
	else if (o->kind == OPTION_LIST)
		snprintf(text, PARAM_TEXT_MAX, "%s", v->list);
	else
		quantity_text(o, v, text);
	return text;
}

bool param_same(const struct param_value *a, const struct param_value *b)
{
	return a->low == b->low && a->high == b->high &&
	       (a->list && b->list ? strcmp(a->list, b->list) == 0 : a->list == b->list);
}

bool params_same(const struct params *a, const struct params *b)
{
	bool same = a->options == b->options;
	for (uint32_t i = 0; same && i < a->count; i++)
		same = param_same(&a->value[i], &b->value[i]);
	return same;
}

const char *params_changed(
	const char *name, const struct params *p, const struct params_style *style, char *buffer, size_t size)
{
	const char *separator = style->first;
	size_t used = (size_t)snprintf(buffer, size, "%s", name);
	for (uint32_t i = 0; i < p->count && used < size; i++) {
		char text[PARAM_TEXT_MAX];
		struct param_value fallback;
		bool list = p->options[i].kind == OPTION_LIST;
		default_value(&p->options[i], &fallback);
		if (param_same(&p->value[i], &fallback))
			continue;
		used += (size_t)snprintf(buffer + used, size - used, "%s%s%s%s%s%s", separator,
			p->options[i].name, style->equals, list ? "[" : "", params_text(p, i, text),
			list ? "]" : "");
		separator = style->next;
	}
	return buffer;
}

const char *params_label(const char *name, const struct params *p, char label[PARAMS_LABEL_MAX])
{
	static const struct params_style style = {":", "=", ","};
	return params_changed(name, p, &style, label, PARAMS_LABEL_MAX);
}

size_t params_json(const struct params *p, char *buffer, size_t size)
{
	size_t used = 0;
	for (uint32_t i = 0; i <= p->count; i++) {
		char item[PARAM_TEXT_MAX + 64], text[PARAM_TEXT_MAX];
		const struct option *o = i < p->count ? &p->options[i] : NULL;
		const char *separator = i == 0 ? "{" : i == p->count ? "" : ",";
		if (!o)
			snprintf(item, sizeof(item), "%s}", i == 0 ? "{" : "");
		else if (o->kind == OPTION_LIST)
			snprintf(item, sizeof(item), "%s\"%s\":[%s]", separator, o->name,
				params_text(p, i, text));
		else if (o->kind == OPTION_INTEGER || o->kind == OPTION_BOOL)
			snprintf(item, sizeof(item), "%s\"%s\":%s", separator, o->name,
				params_text(p, i, text));
		else
			snprintf(item, sizeof(item), "%s\"%s\":\"%s\"", separator, o->name,
				params_text(p, i, text));
		size_t length = strlen(item);
		if (used + length < size)
			memcpy(buffer + used, item, length + 1);
		used += length;
	}
	return used;
}

const char *params_json_text(const struct params *p, char json[PARAMS_JSON_MAX])
{
	params_json(p, json, PARAMS_JSON_MAX);
	return json;
}
