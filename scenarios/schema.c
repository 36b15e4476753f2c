/* scenarios/schema.c - prints the binder's tables as JSON Schema (draft 2020-12), so that editors complete
 * and check scenario files by the same tables that read them. */
#include <inttypes.h>
#include <string.h>

#include "scenarios/binder.h"

#define NUMBER "[0-9]*\\\\.?[0-9]+([eE][-+]?[0-9]+)?\\\\s*"

/* How a quantity is written: as text (a pattern), and as a bare number (a schema). */
static const struct {
	const char *text, *bare;
} quantities[] = {
	[UNIT_TIME] = {NUMBER "(ns|us|ms|s)", "{\"type\": \"number\", \"minimum\": 0}"},
	[UNIT_BYTES] = {NUMBER "(B|kB|MB|GB|KiB|MiB|GiB)", "{\"type\": \"integer\", \"minimum\": 0}"},
	[UNIT_BANDWIDTH] = {NUMBER "(B|kB|MB|GB|KiB|MiB|GiB)/s", NULL},
	[UNIT_POWER] = {NUMBER "(uW|mW|W)", "{\"const\": 0}"},
	[UNIT_RATIO] = {NUMBER "%", "{\"type\": \"number\", \"minimum\": 0}"},
	[UNIT_FREQUENCY] = {NUMBER "(Hz|kHz|MHz|GHz)", NULL},
};

/* A word of the tables as JSON: numbers, null, true and false stay what they are in YAML. */
static void word(struct text *out, const char *text)
{
	static const char *const literals[] = {"null", "true", "false"};
	bool literal = *text && !text[strspn(text, "0123456789")];
	for (size_t i = 0; i < sizeof(literals) / sizeof(literals[0]); i++)
		literal = literal || strcmp(text, literals[i]) == 0;
	if (literal)
		text_add(out, text);
	else
		text_add_json(out, text);
}

static void words(struct text *out, const struct binder_choice *choices)
{
	text_add(out, "{\"enum\": [");
	for (const struct binder_choice *c = choices; c->name; c++) {
		text_add(out, c == choices ? "" : ", ");
		word(out, c->name);
	}
	text_add(out, "]}");
}

static void quantity(struct text *out, const struct binder_shape *shape)
{
	const char *bare = quantities[shape->unit].bare;
	text_printf(out, "{\"anyOf\": [{\"type\": \"string\", \"pattern\": \"^%s$\"}%s%s]}",
		quantities[shape->unit].text, bare ? ", " : "", bare ? bare : "");
}

static void interval(struct text *out, const struct binder_shape *shape)
{
	text_add(out, "{\"anyOf\": [");
	quantity(out, shape);
	text_add(out, ", {\"type\": \"array\", \"minItems\": 2, \"maxItems\": 2, \"items\": ");
	quantity(out, shape);
	text_add(out, "}]}");
}

static void text_value(struct text *out, const struct binder_shape *shape)
{
	text_printf(out, "{\"type\": \"string\", \"minLength\": 1, \"maxLength\": %" PRId64 "}", shape->max);
}

static void integer(struct text *out, const struct binder_shape *shape)
{
	if (shape->choices)
		text_add(out, "{\"anyOf\": [");
	text_printf(out, "{\"type\": \"integer\", \"minimum\": %" PRId64 ", \"maximum\": %" PRId64 "}",
		shape->min, shape->max);
	if (!shape->choices)
		return;
	text_add(out, ", ");
	words(out, shape->choices);
	text_add(out, "]}");
}

static void choice(struct text *out, const struct binder_shape *shape)
{
	words(out, shape->choices);
}

static void length(struct text *out, const struct binder_shape *shape, const char *what)
{
	if (shape->min)
		text_printf(out, ", \"min%s\": %" PRId64, what, shape->min);
	if (shape->max)
		text_printf(out, ", \"max%s\": %" PRId64, what, shape->max);
}

static void list(struct text *out, const struct binder_shape *shape)
{
	text_add(out, "{\"type\": \"array\"");
	length(out, shape, "Items");
	text_add(out, ", \"items\": ");
	schema_value(out, shape->item);
	text_add(out, "}");
}

static void dict(struct text *out, const struct binder_shape *shape)
{
	text_add(out, "{\"type\": \"object\"");
	length(out, shape, "Properties");
	text_add(out, ", \"additionalProperties\": ");
	schema_value(out, shape->item);
	text_add(out, "}");
}

static void either(struct text *out, const struct binder_shape *shape)
{
	const struct binder_shape *const alternatives[] = {shape->scalar, shape->list, shape->map};
	const char *separator = "";
	text_add(out, "{\"anyOf\": [");
	for (size_t i = 0; i < 3; i++) {
		if (!alternatives[i])
			continue;
		text_add(out, separator);
		schema_value(out, alternatives[i]);
		separator = ", ";
	}
	text_add(out, "]}");
}

static void custom(struct text *out, const struct binder_shape *shape)
{
	shape->schema(out);
}

/* ---- Mappings ---- */

/* A key, with its description in front of its shape. */
static void property(struct text *out, const struct field *field)
{
	struct text value = {0};
	schema_value(&value, field->shape);
	struct text description = {0};
	text_add(&description, field->help);
	if (field->unset)
		text_printf(&description, " Default: %s.", field->unset);
	text_add_json(out, field->key);
	text_add(out, ": {\"description\": ");
	text_add_json(out, text_data(&description));
	if (field->fallback) {
		text_add(out, ", \"default\": ");
		word(out, field->fallback);
	}
	text_printf(out, ", %s", text_data(&value) + 1); /* without its opening brace */
	out->failed = out->failed || value.failed || description.failed;
	text_finish(&value);
	text_finish(&description);
}

/* Whether the field is allowed in a mapping with this selector (NULL: the mapping has no selectors). */
static bool belongs(const struct field *field, const struct field *selector)
{
	if (field->need == SELECTOR)
		return field == selector;
	return !field->with || (selector && strcmp(field->with, selector->key) == 0);
}

/* Required keys, and keys of which exactly one is required (ONE_OF). */
static void demands(struct text *out, const struct field *fields, const struct field *selector, bool one_of)
{
	const char *separator = "";
	for (const struct field *f = fields; f->key; f++) {
		bool wanted = one_of ? f->need == ONE_OF : f->need == REQUIRED || f->need == SELECTOR;
		if (!wanted || !belongs(f, selector))
			continue;
		text_add(out, *separator ? separator : one_of ? ", \"oneOf\": [" : ", \"required\": [");
		text_add(out, one_of ? "{\"required\": [" : "");
		text_add_json(out, f->key);
		text_add(out, one_of ? "]}" : "");
		separator = ", ";
	}
	text_add(out, *separator ? "]" : "");
}

static void object(struct text *out, const struct field *fields, const struct field *selector)
{
	const char *separator = "";
	text_add(out, "{\"type\": \"object\", \"properties\": {");
	for (const struct field *f = fields; f->key; f++) {
		if (!belongs(f, selector))
			continue;
		text_add(out, separator);
		property(out, f);
		separator = ", ";
	}
	text_add(out, "}");
	demands(out, fields, selector, false);
	demands(out, fields, selector, true);
	text_add(out, ", \"additionalProperties\": false}");
}

/* One object, or one for each selector. */
static void map(struct text *out, const struct binder_shape *shape)
{
	const char *separator = "{\"oneOf\": [";
	for (const struct field *f = shape->fields; f->key; f++) {
		if (f->need != SELECTOR)
			continue;
		text_add(out, separator);
		object(out, shape->fields, f);
		separator = ", ";
	}
	if (*separator == '{')
		object(out, shape->fields, NULL);
	else
		text_add(out, "]}");
}

/* ---- Printing ---- */

typedef void print_fn(struct text *out, const struct binder_shape *shape);
static print_fn *const print_by_kind[SHAPE_KINDS] = {
	[SHAPE_TEXT] = text_value,
	[SHAPE_INTEGER] = integer,
	[SHAPE_QUANTITY] = quantity,
	[SHAPE_INTERVAL] = interval,
	[SHAPE_CHOICE] = choice,
	[SHAPE_MAP] = map,
	[SHAPE_LIST] = list,
	[SHAPE_DICT] = dict,
	[SHAPE_EITHER] = either,
	[SHAPE_CUSTOM] = custom,
};

void schema_value(struct text *out, const struct binder_shape *shape)
{
	if (shape->reference)
		text_printf(out, "{\"$ref\": \"#/$defs/%s\"}", shape->reference);
	else
		print_by_kind[shape->kind](out, shape);
}

static void definitions(struct text *out, const struct binder_shape *const *shapes)
{
	const char *separator = "\"$defs\": {";
	for (; shapes && *shapes; shapes++) {
		text_printf(out, "%s\"%s\": ", separator, (*shapes)->reference);
		print_by_kind[(*shapes)->kind](out, *shapes);
		separator = ", ";
	}
	text_add(out, *separator == ',' ? "}, " : "");
}

static void new_line(struct text *out, unsigned depth)
{
	text_add_char(out, '\n');
	while (depth-- > 0)
		text_add(out, "  ");
}

/* Breaks JSON on one line into lines; a short object or list stays on its line. */
static void indent(struct text *out, const char *json)
{
	unsigned depth = 0, flat = 0;
	bool quoted = false;
	for (const char *c = json; *c; c++) {
		if (quoted || *c == '"') {
			if (*c == '\\')
				text_add_char(out, *c++);
			else if (*c == '"')
				quoted = !quoted;
			text_add_char(out, *c);
			continue;
		}
		bool opens = *c == '{' || *c == '[', closes = *c == '}' || *c == ']';
		if (opens && (flat || !memchr(c + 1, '{', strcspn(c, "}]"))))
			flat++;
		else if (opens)
			depth++;
		if (closes && !flat)
			new_line(out, --depth);
		if (*c != ' ' || flat || c[-1] == ':')
			text_add_char(out, *c);
		if (closes && flat)
			flat--;
		else if (!flat && (opens || *c == ','))
			new_line(out, depth);
	}
	text_add_char(out, '\n');
}

void schema_print(struct text *out, const struct binder_shape *root, const char *title)
{
	struct text json = {0}, value = {0};
	schema_value(&value, root);
	text_add(&json, "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\", \"title\": ");
	text_add_json(&json, title);
	text_add(&json, ", ");
	definitions(&json, root->definitions);
	text_add(&json, text_data(&value) + 1);
	indent(out, text_data(&json));
	out->failed = out->failed || json.failed || value.failed;
	text_finish(&value);
	text_finish(&json);
}
