/* scenarios/binder.c - reads a tree of nodes by tables of shapes, and words all messages about wrong
 * values. */
#include "scenarios/binder.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Reporting ---- */

static void PRINTF_LIKE(3, 0) report(struct binder *b, const struct node *at, const char *fmt, va_list args)
{
	size_t before = b->diagnostics->count;
	diagnostics_add_list(b->diagnostics, at->line, at->column, fmt, args);
	if (b->diagnostics->count > before)
		b->diagnostics->items[before].origin = at->origin;
}

bool binder_error(struct binder *b, const struct node *at, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	report(b, at, fmt, args);
	va_end(args);
	return false;
}

bool binder_error_at(struct binder *b, const struct node *map, const char *key, const char *fmt, ...)
{
	const struct node *value = node_find(map, key);
	va_list args;
	va_start(args, fmt);
	report(b, value ? value : map, fmt, args);
	va_end(args);
	return false;
}

bool binder_error_name(struct binder *b, const struct node *map, const struct node *earlier, const char *what,
	const char *name)
{
	return binder_error_at(
		b, map, "name", "another %s is called '%s'; it begins in line %u", what, name, earlier->line);
}

bool binder_no_memory(struct binder *b)
{
	if (!b->no_memory)
		diagnostics_add(b->diagnostics, 0, 0, "out of memory while reading the file");
	b->no_memory = true;
	return false;
}

static const char *const kind_wants[SHAPE_KINDS] = {
	[SHAPE_TEXT] = "a text",
	[SHAPE_INTEGER] = "a whole number",
	[SHAPE_CHOICE] = "a single word",
	[SHAPE_MAP] = "a mapping (key: value)",
	[SHAPE_LIST] = "a list",
	[SHAPE_DICT] = "a mapping (name: value)",
	[SHAPE_EITHER] = "something else",
	[SHAPE_CUSTOM] = "something else",
};

const char *shape_wants(const struct binder_shape *shape, char buffer[SHAPE_WANTS_MAX])
{
	if (shape->wants)
		return shape->wants;
	if (shape->kind == SHAPE_QUANTITY)
		return unit_wants(shape->unit);
	if (shape->kind != SHAPE_INTERVAL)
		return kind_wants[shape->kind];
	snprintf(buffer, SHAPE_WANTS_MAX, "%s, or [best, worst]", unit_wants(shape->unit));
	return buffer;
}

static bool wants_other(
	struct binder *b, const char *what, const struct node *node, const struct binder_shape *shape)
{
	char buffer[SHAPE_WANTS_MAX], quote[NODE_QUOTE_MAX];
	return binder_error(
		b, node, "'%s' wants %s, got %s", what, shape_wants(shape, buffer), node_quote(node, quote));
}

/* ---- Scalars ---- */

typedef bool bind_fn(struct binder *b, const char *what, const struct node *node,
	const struct binder_shape *shape, void *out, uint32_t *count);

static bool is_nothing(const struct node *node)
{
	return node->kind == NODE_SCALAR && node->plain && !*node->text;
}

static bool bind_text(struct binder *b, const char *what, const struct node *node,
	const struct binder_shape *shape, void *out, uint32_t *count)
{
	(void)count;
	if (node->kind != NODE_SCALAR || !*node->text)
		return wants_other(b, what, node, shape);
	size_t length = strlen(node->text);
	if (length > (size_t)shape->max)
		return binder_error(
			b, node, "'%s' is %zu bytes long; at most %" PRId64, what, length, shape->max);
	for (const char *c = node->text; *c; c++) {
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			return binder_error(b, node, "'%s' holds a control character", what);
	}
	char *copy = arena_strdup(b->arena, node->text);
	if (!copy)
		return binder_no_memory(b);
	memcpy(out, &copy, sizeof(copy));
	return true;
}

static const struct binder_choice *find_choice(const struct binder_choice *choices, const char *text)
{
	for (; choices && choices->name; choices++) {
		if (strcmp(choices->name, text) == 0)
			return choices;
	}
	return NULL;
}

/* Stores a value that fits into an integer or bool of `size` bytes. */
static void store(void *out, int64_t value, size_t size)
{
	int32_t narrow = (int32_t)value;
	bool flag = value != 0;
	if (size == sizeof(flag))
		memcpy(out, &flag, sizeof(flag));
	else if (size == sizeof(narrow))
		memcpy(out, &narrow, sizeof(narrow));
	else
		memcpy(out, &value, sizeof(value));
}

static bool bind_integer(struct binder *b, const char *what, const struct node *node,
	const struct binder_shape *shape, void *out, uint32_t *count)
{
	(void)count;
	if (node->kind != NODE_SCALAR)
		return wants_other(b, what, node, shape);
	const struct binder_choice *word = find_choice(shape->choices, node->text);
	int64_t value = word ? word->value : 0;
	enum whole_reading reading = word ? WHOLE_READ : whole_parse(node->text, &value);
	if (reading == WHOLE_NOT)
		return wants_other(b, what, node, shape);
	if (!word && (reading == WHOLE_TOO_LARGE || value < shape->min || value > shape->max))
		return binder_error(b, node, "'%s' is %.40s; it must be %" PRId64 " to %" PRId64, what,
			node->text, shape->min, shape->max);
	store(out, value, shape->size);
	return true;
}

/* The first time without a unit is also told of the key that allows it. */
static const char *hint_unit(struct binder *b, const struct node *node, const struct binder_shape *shape)
{
	bool bare = !node->text[strspn(node->text, "0123456789.")];
	if (shape->unit != UNIT_TIME || b->time_unit || b->unit_hinted || !bare)
		return "";
	b->unit_hinted = true;
	return "; or set time_unit: ms, for all times of the file";
}

static bool read_quantity(struct binder *b, const char *what, const struct node *node,
	const struct binder_shape *shape, int64_t *value)
{
	struct error err;
	if (node->kind != NODE_SCALAR || is_nothing(node))
		return wants_other(b, what, node, shape);
	const char *unit = shape->unit == UNIT_TIME ? b->time_unit : NULL;
	if (!unit_parse(shape->unit, node->text, unit, value, &err))
		return binder_error(b, node, "'%s' %s%s", what, err.text, hint_unit(b, node, shape));
	if (*value >= shape->min && *value <= shape->max)
		return true;
	bool low = *value < shape->min;
	const int64_t both[] = {*value, low ? shape->min : shape->max};
	char is[UNIT_TEXT_MAX], limit[UNIT_TEXT_MAX];
	unit_format_alike(shape->unit, both, is, limit);
	return binder_error(
		b, node, "'%s' is %s; it must be at %s %s", what, is, low ? "least" : "most", limit);
}

static bool bind_quantity(struct binder *b, const char *what, const struct node *node,
	const struct binder_shape *shape, void *out, uint32_t *count)
{
	int64_t value;
	(void)count;
	if (!read_quantity(b, what, node, shape, &value))
		return false;
	memcpy(out, &value, sizeof(value));
	return true;
}

static bool bind_interval(struct binder *b, const char *what, const struct node *node,
	const struct binder_shape *shape, void *out, uint32_t *count)
{
	int64_t ends[2];
	(void)count;
	if (node->kind == NODE_LIST && node->count == 2) {
		bool best = read_quantity(b, what, node->first, shape, &ends[0]);
		if (!read_quantity(b, what, node->first->next, shape, &ends[1]) || !best)
			return false;
		if (ends[0] > ends[1])
			return binder_error(b, node,
				"'%s' is [%.40s, %.40s]: the best is longer than the worst", what,
				node->first->text, node->first->next->text);
	} else if (node->kind == NODE_LIST) {
		return binder_error(
			b, node, "'%s' wants two values [best, worst], got %" PRIu32, what, node->count);
	} else if (!read_quantity(b, what, node, shape, &ends[0])) {
		return false;
	} else {
		ends[1] = ends[0];
	}
	memcpy(out, ends, sizeof(ends));
	return true;
}

static bool bind_choice(struct binder *b, const char *what, const struct node *node,
	const struct binder_shape *shape, void *out, uint32_t *count)
{
	(void)count;
	char list[256] = "", quote[NODE_QUOTE_MAX];
	const struct binder_choice *found =
		node->kind == NODE_SCALAR ? find_choice(shape->choices, node->text) : NULL;
	if (found) {
		store(out, found->value, sizeof(found->value));
		return true;
	}
	if (shape->wants)
		return wants_other(b, what, node, shape);
	for (const struct binder_choice *c = shape->choices; c->name; c++) {
		size_t used = strlen(list);
		snprintf(list + used, sizeof(list) - used, "%s%s", used ? ", " : "", c->name);
	}
	return binder_error(b, node, "'%s' is %s; one of: %s", what, node_quote(node, quote), list);
}

/* ---- Mappings ---- */

/* A mapping inside of others. */
struct binder_scope {
	const struct field *fields;
	const char *key; /* whose value is being read */
	const struct binder_scope *outer;
};

/* The keys of a mapping, in the order of the table. */
struct binder_keys {
	const struct node *map;
	const struct field *fields;
	const struct node *key[FIELDS_MAX], *value[FIELDS_MAX];
	const struct field *selected; /* the selector that is given, if exactly one is */
	bool ambiguous;               /* none or several are given: keys cannot be checked against one */
};

const struct field *binder_inside(const struct node *map, const struct field *fields, const char *name)
{
	for (const struct field *f = fields; f->key; f++) {
		if (f->shape->kind != SHAPE_MAP || !node_has(map, f->key))
			continue;
		for (const struct field *inner = f->shape->fields; inner->key; inner++)
			if (strcmp(inner->key, name) == 0)
				return f;
	}
	return NULL;
}

/* The key beside which `name` is a key of a mapping further out: "tasks" for "execution". NULL: there is
 * none. */
static const char *goes_beside(const struct binder *b, const char *name)
{
	for (const struct binder_scope *s = b->scope; s; s = s->outer)
		for (const struct field *f = s->fields; f->key; f++)
			if (strcmp(f->key, name) == 0)
				return s->key;
	return NULL;
}

static bool unknown_key(
	struct binder *b, const struct node *map, const struct node *key, const struct field *fields)
{
	char buffer[SUGGESTION_TEXT_MAX], quote[NODE_QUOTE_MAX];
	struct suggestion s = {.word = key->text};
	const struct field *inside = binder_inside(map, fields, key->text);
	if (inside)
		return binder_error(b, key, "'%s' goes inside of '%s': %s: {%s: ...}", key->text, inside->key,
			inside->key, key->text);
	const char *beside = goes_beside(b, key->text);
	if (beside)
		return binder_error(b, key, "'%s' goes beside '%s', not inside of it", key->text, beside);
	for (const struct field *f = fields; f->key; f++)
		suggestion_offer(&s, f->key);
	return binder_error(b, key, "unknown key %s%s", node_quote(key, quote), suggestion_text(&s, buffer));
}

/* Finds each key in the table; reports unknown and repeated ones. */
static bool sort_keys(struct binder *b, struct binder_keys *k)
{
	bool ok = true;
	for (const struct node *key = k->map->first; key; key = key->next->next) {
		size_t i = 0;
		while (k->fields[i].key && strcmp(k->fields[i].key, key->text) != 0)
			i++;
		if (!k->fields[i].key) {
			ok = unknown_key(b, k->map, key, k->fields);
		} else if (k->key[i]) {
			ok = binder_error(b, key, "'%s' is given twice; the first is in line %u", key->text,
				k->key[i]->line);
		} else {
			k->key[i] = key;
			k->value[i] = key->next;
		}
	}
	return ok;
}

static bool same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* Lists the keys of one kind, as "cpu, copy or kernel". */
static void list_keys(
	const struct field *fields, enum binder_need need, const char *with, char *list, size_t size)
{
	const struct field *last = NULL;
	list[0] = '\0';
	for (const struct field *f = fields; f->key; f++) {
		if (f->need == need && same(f->with, with))
			last = f;
	}
	for (const struct field *f = fields; f->key; f++) {
		if (f->need != need || !same(f->with, with))
			continue;
		size_t used = strlen(list);
		snprintf(list + used, size - used, "%s%s", !used ? "" : f == last ? " or " : ", ", f->key);
	}
}

/* Checks that exactly one of the keys of this kind is given, and stores it in *given. */
static bool exactly_one(struct binder *b, struct binder_keys *k, enum binder_need need, const char *with,
	const struct field **given)
{
	char list[256];
	bool any = false;
	*given = NULL;
	list_keys(k->fields, need, with, list, sizeof(list));
	for (size_t i = 0; k->fields[i].key; i++) {
		const struct field *f = &k->fields[i];
		if (f->need != need || !same(f->with, with))
			continue;
		any = true;
		if (!k->key[i])
			continue;
		if (*given)
			return binder_error(b, k->key[i],
				"'%s' and '%s' do not go together; one of %s is wanted", (*given)->key,
				f->key, list);
		*given = f;
	}
	if (!any || *given)
		return true;
	for (size_t i = 0; k->fields[i].key; i++) {
		const struct field *f = &k->fields[i];
		if (f->needs && k->key[i] && same(f->with, with))
			return binder_error(b, k->key[i], "'%s' needs '%s' beside it", f->key, f->needs);
	}
	return binder_error(b, k->map, "%s is missing here", list);
}

/* Checks the selectors, then the keys that need, or exclude, the selector that is given. */
static bool check_keys(struct binder *b, struct binder_keys *k)
{
	const struct field *given;
	bool ok = exactly_one(b, k, SELECTOR, NULL, &k->selected);
	k->ambiguous = !ok;
	const char *selected = k->selected ? k->selected->key : NULL;
	for (size_t i = 0; k->fields[i].key && !k->ambiguous; i++) {
		const struct field *f = &k->fields[i];
		bool applies = !f->with || (selected && strcmp(f->with, selected) == 0);
		bool first = f->need == ONE_OF && applies;
		for (size_t j = 0; j < i && first; j++)
			first = k->fields[j].need != ONE_OF || !same(k->fields[j].with, f->with);
		if (first)
			ok = exactly_one(b, k, ONE_OF, f->with, &given) && ok;
		const struct field *inside =
			applies || !k->key[i] ? NULL : binder_inside(k->map, k->fields, f->key);
		if (inside)
			ok = binder_error(b, k->key[i], "'%s' goes inside of '%s': %s: {%s: ...}", f->key,
				inside->key, inside->key, f->key);
		else if (!applies && k->key[i])
			ok = binder_error(b, k->key[i], "'%s' goes with '%s', not with '%s'", f->key, f->with,
				selected);
		if (applies && f->need == REQUIRED && !k->key[i])
			ok = binder_error(b, k->map,
				f->with ? "'%s' is missing here; it goes with '%s'" : "'%s' is missing here",
				f->key, f->with);
	}
	return ok;
}

static bool bind_field(struct binder *b, const struct field *f, const struct node *value, char *out)
{
	uint32_t *count = NULL;
	if (f->count_offset)
		count = (uint32_t *)(void *)(out + f->count_offset);
	return binder_read(b, f->key, value, f->shape, out + f->offset, count);
}

static bool bind_fields(struct binder *b, const struct binder_keys *k, char *out)
{
	bool ok = true;
	struct binder_scope scope = {.fields = k->fields, .outer = b->scope};
	b->scope = &scope;
	for (size_t i = 0; k->fields[i].key; i++) {
		const struct field *f = &k->fields[i];
		struct node fallback = {
			.kind = NODE_SCALAR,
			.line = k->map->line,
			.column = k->map->column,
			.text = f->fallback,
			.plain = true,
		};
		bool applies = !f->with || (k->selected && strcmp(f->with, k->selected->key) == 0);
		const struct node *value = k->value[i] || !f->fallback || !applies ? k->value[i] : &fallback;
		scope.key = f->key;
		if (value && (applies || k->ambiguous) && !bind_field(b, f, value, out))
			ok = false;
	}
	b->scope = scope.outer;
	return ok;
}

static bool bind_map(struct binder *b, const char *what, const struct node *node,
	const struct binder_shape *shape, void *out, uint32_t *count)
{
	(void)count;
	if (node->kind != NODE_MAP)
		return wants_other(b, what, node, shape);
	if (shape->init)
		shape->init(out);
	struct binder_keys k = {.map = node, .fields = shape->fields};
	bool ok = sort_keys(b, &k);
	ok = check_keys(b, &k) && ok;
	if (k.selected && !k.ambiguous)
		memcpy((char *)out + shape->tag_offset, &k.selected->tag, sizeof(int));
	return bind_fields(b, &k, out) && ok;
}

/* ---- Lists and dictionaries ---- */

static bool check_length(
	struct binder *b, const char *what, const struct node *node, const struct binder_shape *shape)
{
	if (node->count < shape->min)
		return binder_error(b, node, "'%s' is empty", what);
	if (shape->max && node->count > shape->max)
		return binder_error(b, node, "'%s' has %" PRIu32 " entries; at most %" PRId64, what,
			node->count, shape->max);
	return true;
}

/* Room for the node's entries. *out points to it while it is still being filled, so that functions called for
 * one entry can see the entries before it. */
static char *entries(struct binder *b, const struct node *node, const struct binder_shape *shape, void *out,
	uint32_t *count)
{
	char *items = arena_alloc(b->arena, node->count, shape->size);
	if (!items) {
		binder_no_memory(b);
		return NULL;
	}
	memcpy(out, &items, sizeof(items));
	*count = 0;
	return items;
}

static bool bind_list(struct binder *b, const char *what, const struct node *node,
	const struct binder_shape *shape, void *out, uint32_t *count)
{
	if (node->kind != NODE_LIST)
		return wants_other(b, what, node, shape);
	bool ok = check_length(b, what, node, shape);
	char *items = ok ? entries(b, node, shape, out, count) : NULL;
	if (!items)
		return false;
	for (const struct node *item = node->first; item && !b->no_memory; item = item->next, ++*count)
		ok = binder_read(b, what, item, shape->item, items + *count * shape->size, NULL) && ok;
	return ok;
}

static int compare_keys(const void *a, const void *b)
{
	const struct node *const *x = a, *const *y = b;
	int order = strcmp((*x)->text, (*y)->text);
	if (order)
		return order;
	return (*x)->line != (*y)->line ? ((*x)->line > (*y)->line) - ((*x)->line < (*y)->line)
					: ((*x)->column > (*y)->column) - ((*x)->column < (*y)->column);
}

/* Sorts free keys to find repeated ones without comparing all pairs. */
static bool keys_are_distinct(struct binder *b, const struct node *map)
{
	bool ok = true;
	const struct node **keys = calloc(map->count + (size_t)1, sizeof(const struct node *));
	if (!keys)
		return binder_no_memory(b);
	uint32_t n = 0;
	for (const struct node *key = map->first; key; key = key->next->next)
		keys[n++] = key;
	qsort(keys, n, sizeof(const struct node *), compare_keys);
	for (uint32_t i = 1; i < n; i++) {
		if (strcmp(keys[i]->text, keys[i - 1]->text) == 0)
			ok = binder_error(b, keys[i], "'%.60s' is given twice; the first is in line %u",
				keys[i]->text, keys[i - 1]->line);
	}
	free(keys);
	return ok;
}

static bool bind_dict(struct binder *b, const char *what, const struct node *node,
	const struct binder_shape *shape, void *out, uint32_t *count)
{
	if (node->kind != NODE_MAP)
		return wants_other(b, what, node, shape);
	bool ok = check_length(b, what, node, shape) && keys_are_distinct(b, node);
	char *items = ok ? entries(b, node, shape, out, count) : NULL;
	if (!items)
		return false;
	for (const struct node *key = node->first; key && !b->no_memory; key = key->next->next, ++*count) {
		char *item = items + *count * shape->size;
		ok = binder_read(b, what, key, shape->key, item + shape->key_offset, NULL) && ok;
		ok = binder_read(b, key->text, key->next, shape->item, item + shape->value_offset, NULL) &&
		     ok;
	}
	return ok;
}

#define KEYS_SHOWN 4 /* `wants` shows all keys of so few */

/* Neither one of the keys nor like one: the user has another form in mind, and `wants` shows which there
 * are. */
static bool is_strange(const struct node *key, const struct field *fields)
{
	struct suggestion s = {.word = key->text};
	size_t count = 0;
	for (; fields[count].key; count++)
		suggestion_offer(&s, fields[count].key);
	return !s.best && count <= KEYS_SHOWN;
}

static bool bind_either(struct binder *b, const char *what, const struct node *node,
	const struct binder_shape *shape, void *out, uint32_t *count)
{
	const struct binder_shape *const by_kind[] = {
		[NODE_SCALAR] = shape->scalar, [NODE_LIST] = shape->list, [NODE_MAP] = shape->map};
	const struct binder_shape *chosen = by_kind[node->kind];
	if (!chosen || is_nothing(node))
		return wants_other(b, what, node, shape);
	if (node->kind == NODE_MAP && node->first && is_strange(node->first, chosen->fields))
		return binder_error(
			b, node, "'%s' wants %s, got {%.60s: ...}", what, shape->wants, node->first->text);
	return binder_read(b, what, node, chosen, out, count);
}

static bool bind_custom(struct binder *b, const char *what, const struct node *node,
	const struct binder_shape *shape, void *out, uint32_t *count)
{
	return shape->bind(b, what, node, out, count);
}

static bind_fn *const bind_by_kind[SHAPE_KINDS] = {
	[SHAPE_TEXT] = bind_text,
	[SHAPE_INTEGER] = bind_integer,
	[SHAPE_QUANTITY] = bind_quantity,
	[SHAPE_INTERVAL] = bind_interval,
	[SHAPE_CHOICE] = bind_choice,
	[SHAPE_MAP] = bind_map,
	[SHAPE_LIST] = bind_list,
	[SHAPE_DICT] = bind_dict,
	[SHAPE_EITHER] = bind_either,
	[SHAPE_CUSTOM] = bind_custom,
};

bool binder_read(struct binder *b, const char *what, const struct node *node,
	const struct binder_shape *shape, void *out, uint32_t *count)
{
	if (!bind_by_kind[shape->kind](b, what, node, shape, out, count))
		return false;
	return !shape->check || shape->check(b, node, out);
}
