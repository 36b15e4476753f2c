/* scenarios/tables_options.c - reads options (models/params.h) from a mapping, and prints the JSON Schema of
 * option tables. */
#include <inttypes.h>
#include <string.h>

#include "scenarios/tables.h"

/* One value of an option. A bare number that is a time is in the file's unit. */
static void add_value(struct binder *b, const struct option *option, const char *value, struct text *text)
{
	bool time = option && (option->kind == OPTION_DURATION || option->kind == OPTION_DURATION_RANGE);
	bool bare = *value && !value[strspn(value, "0123456789.")];
	text_printf(text, "%s%s", value, time && bare && b->time_unit ? b->time_unit : "");
}

/* The value in the form that params_set() accepts: "word", "1,2,3", or "1ms..20ms" for [1ms, 20ms]. */
static bool option_text(struct binder *b, const char *name, const struct option *option,
	const struct node *node, struct text *text)
{
	bool range = option && (option->kind == OPTION_RATIO_RANGE || option->kind == OPTION_DURATION_RANGE);
	if (node->kind == NODE_MAP)
		return binder_error(b, node, "'%s' wants a value or a list, got a mapping", name);
	if (range && node->kind == NODE_LIST && node->count != 2)
		return binder_error(
			b, node, "'%s' wants two values [least, most], got %" PRIu32, name, node->count);
	if (node->kind == NODE_SCALAR)
		add_value(b, option, node->text, text);
	for (const struct node *item = node->first; item; item = item->next) {
		if (item->kind != NODE_SCALAR)
			return binder_error(b, item, "'%s' wants plain values", name);
		text_add(text, item == node->first ? "" : range ? ".." : ",");
		add_value(b, option, item->text, text);
	}
	return !text->failed || binder_no_memory(b);
}

bool option_read(struct binder *b, const char *who, const struct node *key, const struct node *value,
	struct params *params)
{
	struct error err;
	struct text text = {0};
	uint32_t index = params_find(params, key->text);
	bool ok =
		option_text(b, key->text, index == UINT32_MAX ? NULL : &params->options[index], value, &text);
	if (ok && !params_set(params, key->text, text_data(&text), &err)) {
		/* The error is a clause about the options as a whole, or a sentence about this option */
		bool unknown = err.text[0] != '\'';
		ok = err.status == STATUS_IO ? binder_no_memory(b)
					     : binder_error(b, unknown ? key : value, "%s%s %s", who,
						       unknown ? "" : ":", err.text);
	}
	text_finish(&text);
	return ok;
}

bool key_is_repeated(const struct node *map, const struct node *key)
{
	for (const struct node *k = map->first; k != key; k = k->next->next) {
		if (strcmp(k->text, key->text) == 0)
			return true;
	}
	return false;
}

bool options_read(struct binder *b, const char *who, const struct node *map, const struct node *name,
	struct params *params)
{
	bool ok = true;
	if (map->count > PARAMS_MAX + 1)
		return binder_error(b, map, "%s has at most %d options", who, PARAMS_MAX);
	for (const struct node *key = map->first; key; key = key->next->next) {
		if (key_is_repeated(map, key))
			ok = binder_error(b, key, "'%s' is given twice", key->text);
		else if (key->next != name)
			ok = option_read(b, who, key, key->next, params) && ok;
	}
	return ok;
}

/* ---- Schema ---- */

static void words(struct text *out, const struct option *o)
{
	text_add(out, "{\"enum\": [\"");
	for (const char *c = o->choices; *c; c++)
		text_add_bytes(out, *c == '|' ? "\", \"" : c, *c == '|' ? 4 : 1);
	text_add(out, "\"]}");
}

/* The values that an option accepts, as a shape. */
static void option_value(struct text *out, const struct option *o)
{
	static const struct binder_shape ratio = {.kind = SHAPE_QUANTITY, .unit = UNIT_RATIO};
	static const struct binder_shape duration = {.kind = SHAPE_QUANTITY, .unit = UNIT_TIME};
	static const struct binder_shape ratios = {.kind = SHAPE_INTERVAL, .unit = UNIT_RATIO};
	static const struct binder_shape durations = {.kind = SHAPE_INTERVAL, .unit = UNIT_TIME};
	const struct binder_shape integer = {.kind = SHAPE_INTEGER, .min = o->min, .max = o->max};
	const struct binder_shape integers = {.kind = SHAPE_LIST, .item = &integer};
	const struct binder_shape *const by_kind[] = {
		[OPTION_INTEGER] = &integer,
		[OPTION_LIST] = &integers,
		[OPTION_RATIO] = &ratio,
		[OPTION_RATIO_RANGE] = &ratios,
		[OPTION_DURATION] = &duration,
		[OPTION_DURATION_RANGE] = &durations,
	};
	if (o->kind == OPTION_CHOICE)
		words(out, o);
	else if (o->kind == OPTION_BOOL)
		text_add(out, "{\"type\": \"boolean\"}");
	else
		schema_value(out, by_kind[o->kind]);
}

void options_schema(struct text *out, const struct option *options)
{
	for (const struct option *o = options; o && o->name; o++) {
		struct text value = {0};
		option_value(&value, o);
		text_add(out, ", ");
		text_add_json(out, o->name);
		text_add(out, ": {\"description\": ");
		text_add_json(out, o->help);
		text_printf(out, ", %s", text_data(&value) + 1);
		out->failed = out->failed || value.failed;
		text_finish(&value);
	}
}
