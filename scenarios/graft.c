/* scenarios/graft.c - see scenarios/graft.h. */
#include "scenarios/graft.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/tables.h"

static struct node *edit(struct graft *g, const struct node *old, const struct binder_shape *shape,
	const char *what, const char *rest);

static struct node *wrong(struct graft *g, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Always returns NULL. */
static struct node *wrong(struct graft *g, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	vsnprintf(g->wrong, sizeof(g->wrong), fmt, args);
	va_end(args);
	return NULL;
}

/* ---- Nodes ---- */

struct node *graft_copy(struct arena *arena, const struct node *from, uint32_t origin)
{
	struct node *copy = arena_new(arena, struct node, 1);
	if (!copy)
		return NULL;
	*copy = *from;
	copy->origin = origin;
	copy->next = copy->first = NULL;
	if (from->text && !(copy->text = arena_strdup(arena, from->text)))
		return NULL;
	struct node **tail = &copy->first;
	for (const struct node *child = from->first; child; child = child->next) {
		if (!(*tail = graft_copy(arena, child, origin)))
			return NULL;
		tail = &(*tail)->next;
	}
	return copy;
}

/* A node of its own that shares its children. */
static struct node *same_node(struct graft *g, const struct node *from)
{
	struct node *copy = arena_new(g->arena, struct node, 1);
	if (copy) {
		*copy = *from;
		copy->next = NULL;
	}
	return copy;
}

/* A key or mapping on the way to the value. */
static struct node *new_node(struct graft *g, enum node_kind kind, const char *text, size_t length)
{
	struct node *node = arena_new(g->arena, struct node, 1);
	char *copy = text ? arena_alloc(g->arena, length + 1, 1) : NULL;
	if (!node || (text && !copy))
		return NULL;
	*node = (struct node){
		.kind = kind,
		.line = g->at->line,
		.column = g->at->column,
		.origin = g->value->origin,
		.text = copy,
		.plain = true,
	};
	if (copy)
		memcpy(copy, text, length);
	return node;
}

/* The node with copies of its own of the children, of which child `at` is `other` (not copied). */
static struct node *with_child(
	struct graft *g, const struct node *from, const struct node *at, struct node *other)
{
	struct node *copy = same_node(g, from);
	if (!copy || !other)
		return NULL;
	struct node **tail = &copy->first;
	for (const struct node *child = from->first; child; child = child->next) {
		if (!(*tail = child == at ? other : same_node(g, child)))
			return NULL;
		tail = &(*tail)->next;
	}
	*tail = NULL;
	return copy;
}

/* The mapping with one more pair. */
static struct node *with_pair(struct graft *g, const struct node *map, struct node *key, struct node *value)
{
	struct node *copy = key && value ? with_child(g, map, NULL, value) : NULL;
	if (!copy)
		return NULL;
	struct node **tail = &copy->first;
	while (*tail)
		tail = &(*tail)->next;
	*tail = key;
	key->next = value;
	copy->count++;
	return copy;
}

/* ---- Steps of the path ---- */

/* Whether the path goes on with this name; then *rest is what follows. Names may have dots in them. */
static bool goes_on_with(const char *path, const char *name, const char **rest)
{
	size_t length = strlen(name);
	if (strncmp(path, name, length) != 0 || (path[length] != '.' && path[length] != '\0'))
		return false;
	*rest = path + length + (path[length] == '.');
	return true;
}

static size_t step_length(const char *path)
{
	return strcspn(path, ".");
}

/* The shape of what a node has in it, for a node of that kind. NULL: the tables do not know. */
static const struct binder_shape *shape_of(const struct binder_shape *shape, enum node_kind kind)
{
	if (!shape || shape->kind != SHAPE_EITHER)
		return shape;
	return kind == NODE_MAP ? shape->map : kind == NODE_LIST ? shape->list : shape->scalar;
}

/* ---- Mappings ---- */

static const struct field *find_field(const struct field *fields, const char *path, const char **rest)
{
	for (const struct field *f = fields; f->key; f++)
		if (goes_on_with(path, f->key, rest))
			return f;
	return NULL;
}

/* The pair of the mapping with which the path goes on: the one with the longest name. */
static const struct node *find_pair(const struct node *map, const char *path, const char **rest)
{
	const struct node *found = NULL;
	for (const struct node *key = map->first; key; key = key->next->next) {
		const char *after;
		if (goes_on_with(path, key->text, &after) &&
			(!found || strlen(key->text) > strlen(found->text))) {
			found = key;
			*rest = after;
		}
	}
	return found;
}

/* Nothing in the mapping, or the tables, has that name. */
static struct node *no_key(struct graft *g, const struct node *map, const struct binder_shape *shape,
	const char *what, const char *path)
{
	char word[NAME_BYTES_MAX + 1], hint[SUGGESTION_TEXT_MAX];
	struct suggestion s = {.word = word};
	snprintf(word, sizeof(word), "%.*s", (int)step_length(path), path);
	for (const struct field *f = shape && shape->fields ? shape->fields : NULL; f && f->key; f++)
		suggestion_offer(&s, f->key);
	for (const struct node *key = map->first; key; key = key->next->next)
		suggestion_offer(&s, key->text);
	return wrong(g, "%s has no '%s'%s", what, word, suggestion_text(&s, hint));
}

static struct node *edit_pair(struct graft *g, const struct node *map, const char *name, size_t length,
	const struct binder_shape *shape, const char *rest)
{
	char what[NAME_BYTES_MAX + 3];
	snprintf(what, sizeof(what), "'%.*s'", (int)length, name);
	for (const struct node *key = map->first; key; key = key->next->next)
		if (strlen(key->text) == length && strncmp(key->text, name, length) == 0)
			return with_child(g, map, key->next, edit(g, key->next, shape, what, rest));
	struct node *value = edit(g, NULL, shape, what, rest);
	return value ? with_pair(g, map, new_node(g, NODE_SCALAR, name, length), value) : NULL;
}

static struct node *edit_map(struct graft *g, const struct node *map, const struct binder_shape *shape,
	const char *what, const char *path)
{
	const char *rest;
	if (shape && shape->kind == SHAPE_MAP) {
		const struct field *f = find_field(shape->fields, path, &rest);
		if (f)
			return edit_pair(g, map, f->key, strlen(f->key), f->shape, rest);
		char word[NAME_BYTES_MAX + 1];
		snprintf(word, sizeof(word), "%.*s", (int)step_length(path), path);
		const struct field *inside = binder_inside(map, shape->fields, word);
		return inside ? edit_pair(g, map, inside->key, strlen(inside->key), inside->shape, path)
			      : no_key(g, map, shape, what, path);
	}
	const struct binder_shape *item = shape && shape->kind == SHAPE_DICT ? shape->item : NULL;
	const struct node *key = find_pair(map, path, &rest);
	if (key)
		return edit_pair(g, map, key->text, strlen(key->text), item, rest);
	size_t length = step_length(path);
	if (path[length])
		return no_key(g, map, shape, what, path);
	return edit_pair(g, map, path, length, item, path + length);
}

/* ---- Lists ---- */

/* What an item of a list is called; NULL: it has no name. */
static const char *item_name(const struct node *item, bool policies)
{
	const struct node *name = node_find(item, "name");
	if (item->kind == NODE_SCALAR)
		return policies ? item->text : NULL;
	return name && name->kind == NODE_SCALAR ? name->text : NULL;
}

static struct node *no_item(
	struct graft *g, const struct node *list, bool policies, const char *what, const char *path)
{
	char word[NAME_BYTES_MAX + 1], hint[SUGGESTION_TEXT_MAX];
	struct suggestion s = {.word = word};
	snprintf(word, sizeof(word), "%.*s", (int)step_length(path), path);
	if (word[0] && !word[strspn(word, "0123456789")])
		return wrong(
			g, "%s has no item %s; it has %" PRIu32 ", counted from 0", what, word, list->count);
	for (const struct node *item = list->first; item; item = item->next)
		if (item_name(item, policies))
			suggestion_offer(&s, item_name(item, policies));
	return wrong(g, "nothing in %s is called '%s'%s", what, word, suggestion_text(&s, hint));
}

/* The item with which the path goes on, by its name (the longest), else by its number. NULL: none, or
 * several. */
static const struct node *find_item(
	struct graft *g, const struct node *list, bool policies, const char *path, const char **rest)
{
	const struct node *found = NULL;
	bool several = false;
	for (const struct node *item = list->first; item; item = item->next) {
		const char *name = item_name(item, policies), *after;
		if (!name || !goes_on_with(path, name, &after))
			continue;
		size_t length = strlen(name), before = found ? strlen(item_name(found, policies)) : 0;
		several = found && length == before;
		if (!found || length > before) {
			found = item;
			*rest = after;
		}
	}
	if (several) {
		wrong(g, "several are called '%s'; say which by its number, counted from 0",
			item_name(found, policies));
		return NULL;
	}
	size_t length = step_length(path);
	if (found || !length || length > 9 || strspn(path, "0123456789") != length)
		return found;
	*rest = path + length + (path[length] == '.');
	return node_item(list, (uint32_t)strtoul(path, NULL, 10));
}

static struct node *edit_list(struct graft *g, const struct node *list, const struct binder_shape *shape,
	const char *what, const char *path)
{
	const char *rest = NULL;
	bool policies = shape == &shape_policies;
	const struct node *item = find_item(g, list, policies, path, &rest);
	char inner[2 * NAME_BYTES_MAX];
	if (!item)
		return g->wrong[0] ? NULL : no_item(g, list, policies, what, path);
	snprintf(inner, sizeof(inner), "'%.*s' of %s", (int)(rest - path - (rest[-1] == '.')), path, what);
	const struct node *old = item;
	if (policies && item->kind == NODE_SCALAR && *rest) { /* rm is {name: rm} */
		struct node *map = same_node(g, item), *name = same_node(g, item);
		if (!map || !name)
			return NULL;
		map->kind = NODE_MAP;
		map->text = NULL;
		old = with_pair(g, map, new_node(g, NODE_SCALAR, "name", 4), name);
		if (!old)
			return NULL;
	}
	return with_child(g, list, item, edit(g, old, shape ? shape->item : NULL, inner, rest));
}

/* ---- The whole ---- */

/* The node `old` (NULL: there is none yet) with the value where `rest` leads; `what` names it in messages. */
static struct node *edit(struct graft *g, const struct node *old, const struct binder_shape *shape,
	const char *what, const char *rest)
{
	if (!*rest)
		return same_node(g, g->value);
	const struct binder_shape *inner = shape_of(shape, NODE_LIST);
	bool known = inner && inner->kind != SHAPE_CUSTOM;
	if (old && old->kind == NODE_LIST && (!known || inner->kind == SHAPE_LIST))
		return edit_list(g, old, known ? inner : NULL, what, rest);
	inner = shape_of(shape, NODE_MAP);
	bool mapping = old && old->kind == NODE_MAP;
	if (!mapping && inner && inner->kind == SHAPE_LIST)
		return wrong(g, "the scenario has no %s", what);
	if (!mapping && (!inner || (inner->kind != SHAPE_MAP && inner->kind != SHAPE_DICT)))
		return wrong(g, "%s is one value, with nothing called '%.*s' in it", what,
			(int)step_length(rest), rest);
	/* In place of a single word, such as `release: periodic`, a mapping begins. */
	const struct node *map = mapping ? old : new_node(g, NODE_MAP, NULL, 0);
	return map ? edit_map(g, map, inner, what, rest) : NULL;
}

struct node *graft_value(struct graft *g, const struct node *root, const struct binder_shape *shape)
{
	size_t length = strlen(g->path);
	g->wrong[0] = '\0';
	if (!length || g->path[length - 1] == '.')
		return wrong(g, "a path such as platform.copy.bandwidth is wanted");
	return edit_map(g, root, shape, "the scenario", g->path);
}
