/* scenarios/keys.c - says in words what the binder's tables say: which keys there are, their values and
 * defaults. */
#include "scenarios/keys.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "scenarios/tables.h"
#include "scenarios/tables_campaign.h"

/* ---- Values ---- */

static const struct {
	const char *one, *many;
} unit_names[] = {
	[UNIT_TIME] = {"time", "times"},
	[UNIT_BYTES] = {"size", "sizes"},
	[UNIT_BANDWIDTH] = {"bandwidth", "bandwidths"},
	[UNIT_POWER] = {"power", "powers"},
	[UNIT_RATIO] = {"ratio", "ratios"},
	[UNIT_FREQUENCY] = {"frequency", "frequencies"},
};

/* The greatest value that a reader need not be told: no one reaches it. */
static int64_t beyond_reach(const struct binder_shape *shape)
{
	switch (shape->kind) {
	case SHAPE_INTEGER:
		return INT32_MAX;
	case SHAPE_QUANTITY:
		return shape->unit == UNIT_RATIO ? INT64_MAX : INT64_C(1000000000000);
	default:
		return TIME_MAX_NS;
	}
}

static void number(struct text *out, const struct binder_shape *shape)
{
	if (shape->max >= beyond_reach(shape))
		text_printf(out, "%" PRId64 " or more", shape->min);
	else
		text_printf(out, "%" PRId64 " to %" PRId64, shape->min, shape->max);
	for (const struct binder_choice *c = shape->choices; c && c->name; c++)
		text_printf(out, " | %s", c->name);
}

/* The bounds of a quantity, behind its name. */
static void bounds(struct text *out, const struct binder_shape *shape)
{
	char limit[UNIT_TEXT_MAX];
	if (shape->min == 1)
		text_add(out, " above 0");
	else if (shape->min > 1)
		text_printf(out, " from %s", unit_format(shape->unit, shape->min, limit));
	if (shape->max < beyond_reach(shape))
		text_printf(out, " up to %s", unit_format(shape->unit, shape->max, limit));
}

static void words(struct text *out, const struct binder_choice *choices)
{
	for (const struct binder_choice *c = choices; c->name; c++)
		text_printf(out, "%s%s", c == choices ? "" : " | ", c->name);
}

static void value(struct text *out, const struct binder_shape *shape);

/* Items of a list, values of a dictionary, behind "list" or "mapping of names". */
static void items(struct text *out, const struct binder_shape *shape, const char *of)
{
	if (shape->kind == SHAPE_QUANTITY) {
		text_printf(out, " %s %s", of, unit_names[shape->unit].many);
		bounds(out, shape);
	} else if (shape->kind == SHAPE_MAP) {
		text_printf(out, " %s mappings", of);
	} else if (shape->kind == SHAPE_INTEGER) {
		text_printf(out, " %s numbers, ", of);
		number(out, shape);
	} else {
		text_add(out, ": ");
		value(out, shape);
	}
}

static void list(struct text *out, const struct binder_shape *shape)
{
	char of[32] = "of";
	if (shape->wants) {
		text_add(out, shape->wants);
		return;
	}
	/* Greater limits are there to protect the program, not to be reached */
	if (shape->max && shape->max < 100)
		snprintf(of, sizeof(of), "of up to %" PRId64, shape->max);
	text_add(out, "list");
	items(out, shape->item, of);
}

static void either(struct text *out, const struct binder_shape *shape)
{
	assert(shape->wants);
	text_add(out, shape->wants);
}

static void value(struct text *out, const struct binder_shape *shape)
{
	switch (shape->kind) {
	case SHAPE_TEXT:
		text_add(out, shape->wants ? shape->wants : "a text");
		break;
	case SHAPE_INTEGER:
		number(out, shape);
		break;
	case SHAPE_QUANTITY:
		text_add(out, unit_names[shape->unit].one);
		bounds(out, shape);
		break;
	case SHAPE_INTERVAL:
		text_add(out, "interval");
		bounds(out, shape);
		break;
	case SHAPE_CHOICE:
		words(out, shape->choices);
		break;
	case SHAPE_MAP:
		text_add(out, "mapping");
		break;
	case SHAPE_LIST:
		list(out, shape);
		break;
	case SHAPE_DICT:
		text_add(out, "mapping of names");
		items(out, shape->item, "to");
		break;
	default:
		either(out, shape);
		break;
	}
}

/* ---- Keys ---- */

#define RIVALS_MAX 4 /* more are not told one by one */

static bool same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* The keys of which exactly one is wanted, this one included. */
static void rivals(struct text *out, const struct field *fields, const struct field *field)
{
	size_t count = 0;
	for (const struct field *f = fields; f->key; f++) {
		if (f->need == field->need && same(f->with, field->with))
			text_printf(out, "%s%s", count++ ? ", " : "one of: ", f->key);
	}
	if (count == 1 || count > RIVALS_MAX) {
		text_clear(out);
		text_add(out, count == 1 ? "required" : "one of these keys");
	}
}

static void unset(struct text *out, const struct field *fields, const struct field *field)
{
	if (field->need == REQUIRED)
		text_add(out, "required");
	else if (field->need == SELECTOR || field->need == ONE_OF)
		rivals(out, fields, field);
	else
		text_add(out, field->fallback ? field->fallback : field->unset ? field->unset : "");
	const char *beside = field->needs ? field->needs : field->with;
	if (beside)
		text_printf(out, out->length ? " (with %s)" : "only with %s", beside);
}

static bool tell_field(key_fn *tell, void *to, const char *mapping, const struct field *fields,
	const struct field *field, struct error *err)
{
	struct text form = {0}, missing = {0};
	value(&form, field->shape);
	unset(&missing, fields, field);
	bool ok = text_ok(&form, "listing the keys", err) && text_ok(&missing, "listing the keys", err);
	if (ok)
		ok = tell(to,
			&(struct key){mapping, field->key, text_data(&form),
				missing.length ? text_data(&missing) : NULL, field->help},
			err);
	text_finish(&form);
	text_finish(&missing);
	return ok;
}

/* ---- Mappings ---- */

#define MAPPINGS_MAX 64
#define PATH_MAX_BYTES 120

/* The mappings found so far, in the order in which they are told. */
struct mappings {
	struct {
		const struct field *fields;
		char path[PATH_MAX_BYTES];
	} at[MAPPINGS_MAX];
	size_t count;
};

static void find_mappings(struct mappings *found, const struct binder_shape *shape, const char *path)
{
	if (!shape)
		return;
	find_mappings(found, shape->item, path);
	find_mappings(found, shape->scalar, path);
	find_mappings(found, shape->list, path);
	find_mappings(found, shape->map, path);
	for (size_t i = 0; i < found->count; i++)
		if (found->at[i].fields == shape->fields)
			return;
	if (shape->kind != SHAPE_MAP || !shape->fields->key)
		return;
	assert(found->count < MAPPINGS_MAX);
	found->at[found->count].fields = shape->fields;
	snprintf(found->at[found->count++].path, PATH_MAX_BYTES, "%s", path);
}

bool keys_tell(const struct binder_shape *root, key_fn *tell, void *to, struct error *err)
{
	struct mappings found = {.count = 0};
	char path[PATH_MAX_BYTES];
	find_mappings(&found, root, ".");
	for (size_t i = 0; i < found.count; i++) {
		const struct field *fields = found.at[i].fields;
		for (const struct field *f = fields; f->key; f++) {
			if (!tell_field(tell, to, found.at[i].path, fields, f, err))
				return false;
			int length = i == 0 ? snprintf(path, sizeof(path), "%s", f->key)
					    : snprintf(path, sizeof(path), "%s.%s", found.at[i].path, f->key);
			assert(length > 0 && (size_t)length < sizeof(path));
			(void)length;
			find_mappings(&found, f->shape, path);
		}
	}
	return true;
}

bool scenario_keys(key_fn *tell, void *to, struct error *err)
{
	return keys_tell(&shape_scenario, tell, to, err);
}

bool campaign_keys(key_fn *tell, void *to, struct error *err)
{
	return keys_tell(&shape_campaign, tell, to, err);
}
