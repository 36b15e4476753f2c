/* models/params.c - options and their values; see models/params.h. */
#include "models/params.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"

void params_default(struct params *p, const struct option *options)
{
	*p = (struct params){.options = options};
	for (const struct option *o = options; o && o->name; o++) {
		assert(p->count < PARAMS_MAX);
		snprintf(p->text[p->count++], PARAM_TEXT_MAX, "%s", o->fallback);
	}
}

static uint32_t find(const struct params *p, const char *name)
{
	for (uint32_t i = 0; i < p->count; i++)
		if (strcmp(p->options[i].name, name) == 0)
			return i;
	return UINT32_MAX;
}

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
	char *end;
	errno = 0;
	*value = strtoll(text, &end, 10);
	return end != text && *end == '\0' && errno == 0 && *value >= o->min && *value <= o->max;
}

static const char *skip_spaces(const char *c)
{
	return c + strspn(c, " ");
}

/* "[1, 2]", "1,2" or "1 2" -> "1,2". Only *too_long is wrong with a list that does not fit. */
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

/* Units are spelt out the same way whatever the input: "0.5ms" -> "500us", "50%" -> "0.5". */
static bool canonical_quantity(const char *text, const struct option *o, char *out)
{
	char a[UNIT_TEXT_MAX], b[UNIT_TEXT_MAX];
	bool range = o->kind == OPTION_RATIO_RANGE || o->kind == OPTION_DURATION_RANGE;
	enum unit_kind unit = is_ratio(o) ? UNIT_RATIO : UNIT_TIME;
	int64_t low, high;
	if (range ? !parse_range(text, o, &low, &high) : !parse_quantity(text, o, &low))
		return false;
	unit_format(unit, low, a);
	if (range && high != low)
		snprintf(out, PARAM_TEXT_MAX, "%s..%s", a, unit_format(unit, high, b));
	else
		snprintf(out, PARAM_TEXT_MAX, "%s", a);
	return true;
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
			o->kind == OPTION_RATIO_RANGE || o->kind == OPTION_DURATION_RANGE
				? ", or a range a..b,"
				: "",
			unit_format(unit, o->min, low), unit_format(unit, o->max, high), value);
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

bool params_set(struct params *p, const char *name, const char *value, struct error *err)
{
	uint32_t i = find(p, name);
	if (i == UINT32_MAX)
		return unknown_option(err, p, name);
	const struct option *o = &p->options[i];
	char text[PARAM_TEXT_MAX];
	int64_t integer = 0;
	bool ok = false, too_long = false;
	switch (o->kind) {
	case OPTION_CHOICE:
		ok = choice_index(o->choices, value) >= 0 && strlen(value) < sizeof(text);
		break;
	case OPTION_BOOL:
		ok = choice_index("true|false", value) >= 0;
		break;
	case OPTION_INTEGER:
		ok = parse_integer(value, o, &integer);
		break;
	case OPTION_LIST:
		ok = canonical_list(value, o, text, &too_long);
		break;
	case OPTION_RATIO:
	case OPTION_RATIO_RANGE:
	case OPTION_DURATION:
	case OPTION_DURATION_RANGE:
		ok = canonical_quantity(value, o, text);
		break;
	}
	if (!ok)
		return wrong_value(err, o, value);
	if (too_long)
		return wrong_length(err, o);
	if (o->kind == OPTION_INTEGER)
		snprintf(text, sizeof(text), "%" PRId64, integer);
	else if (o->kind == OPTION_CHOICE || o->kind == OPTION_BOOL)
		snprintf(text, sizeof(text), "%s", value);
	memcpy(p->text[i], text, sizeof(text));
	return true;
}

static const char *text_of(const struct params *p, const char *name, const struct option **option)
{
	uint32_t i = find(p, name);
	if (i >= PARAMS_MAX) { /* a programmer error, as models/params.h says */
		fprintf(stderr, "cegsim: a policy asks for option '%s', which is not in its table\n", name);
		abort();
	}
	*option = &p->options[i];
	return p->text[i];
}

uint32_t params_choice(const struct params *p, const char *name)
{
	const struct option *o;
	const char *text = text_of(p, name, &o);
	return (uint32_t)choice_index(o->choices, text);
}

int64_t params_integer(const struct params *p, const char *name)
{
	const struct option *o;
	return strtoll(text_of(p, name, &o), NULL, 10);
}

bool params_bool(const struct params *p, const char *name)
{
	const struct option *o;
	return strcmp(text_of(p, name, &o), "true") == 0;
}

int64_t params_quantity(const struct params *p, const char *name)
{
	const struct option *o;
	const char *text = text_of(p, name, &o);
	int64_t value;
	bool ok = parse_quantity(text, o, &value);
	assert(ok);
	return ok ? value : 0;
}

void params_range(const struct params *p, const char *name, int64_t *low, int64_t *high)
{
	const struct option *o;
	const char *text = text_of(p, name, &o);
	bool ok = parse_range(text, o, low, high);
	assert(ok);
	(void)ok;
}

size_t params_list(const struct params *p, const char *name, int64_t *values, size_t max)
{
	const struct option *o;
	const char *text = text_of(p, name, &o);
	size_t count = 0;
	while (*text && count < max) {
		char *end;
		values[count++] = strtoll(text, &end, 10);
		text = *end ? end + 1 : end;
	}
	return count;
}

size_t params_json(const struct params *p, char *buffer, size_t size)
{
	size_t used = 0;
	for (uint32_t i = 0; i <= p->count; i++) {
		char item[PARAM_TEXT_MAX + 64];
		const struct option *o = i < p->count ? &p->options[i] : NULL;
		const char *separator = i == 0 ? "{" : i == p->count ? "" : ",";
		if (!o)
			snprintf(item, sizeof(item), "%s}", i == 0 ? "{" : "");
		else if (o->kind != OPTION_INTEGER && o->kind != OPTION_BOOL && o->kind != OPTION_LIST)
			snprintf(item, sizeof(item), "%s\"%s\":\"%s\"", separator, o->name, p->text[i]);
		else if (o->kind == OPTION_LIST)
			snprintf(item, sizeof(item), "%s\"%s\":[%s]", separator, o->name, p->text[i]);
		else
			snprintf(item, sizeof(item), "%s\"%s\":%s", separator, o->name, p->text[i]);
		size_t length = strlen(item);
		if (used + length < size)
			memcpy(buffer + used, item, length + 1);
		used += length;
	}
	return used;
}
