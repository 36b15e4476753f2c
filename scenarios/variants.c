/* scenarios/variants.c - see scenarios/variants.h. */
#include "scenarios/variants.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policies/plugin/plugin.h"
#include "scenarios/graft.h"
#include "scenarios/tables.h"

#define SCENARIO_RECIPE_VERSION 1
#define ORIGIN_POLICIES UINT32_MAX

/* ---- Values as text ---- */

/* A value in YAML's short form. */
static void show(const struct node *node, struct text *out)
{
	if (node->kind == NODE_SCALAR) {
		text_add(out, node->text);
		return;
	}
	bool map = node->kind == NODE_MAP;
	text_add_char(out, map ? '{' : '[');
	for (const struct node *child = node->first; child; child = child->next) {
		show(child, out);
		if (map) {
			child = child->next;
			text_add(out, ": ");
			show(child, out);
		}
		if (child->next)
			text_add(out, ", ");
	}
	text_add_char(out, map ? '}' : ']');
}

/* Whether JSON can have the text as it is: a whole number, true or false. */
static bool is_literal(const struct node *node)
{
	const char *digits = node->text + (*node->text == '-');
	if (!node->plain)
		return false;
	if (strcmp(node->text, "true") == 0 || strcmp(node->text, "false") == 0)
		return true;
	size_t length = strlen(digits);
	return length > 0 && length <= 18 && strspn(digits, "0123456789") == length &&
	       (*digits != '0' || length == 1);
}

void variants_text(const struct variants *v, const uint32_t *choice, bool all, struct text *out)
{
	const char *blank = "";
	for (uint32_t i = 0; i < v->axis_count; i++) {
		const struct variants_axis *axis = &v->axes[i];
		if (choice[i] == VARIANTS_OWN || (!all && axis->count == 1))
			continue;
		text_printf(out, "%s%s=%s", blank, axis->path, axis->texts[choice[i]]);
		blank = " ";
	}
}

void variants_origin(const struct variants *v, const uint32_t *choice, uint64_t seed, struct text *json)
{
	const char *comma = "";
	text_printf(json, "{\"recipe\":\"scenario\",\"version\":%d,\"seed\":%" PRIu64 ",\"options\":{",
		SCENARIO_RECIPE_VERSION, seed);
	if (v->text) {
		text_add(json, "\"file\":");
		text_add_json(json, v->name);
		comma = ",";
	}
	for (uint32_t i = 0; i < v->axis_count; i++) {
		const struct variants_axis *axis = &v->axes[i];
		const struct node *value = axis->values[choice[i]];
		text_add(json, comma);
		text_add_json(json, axis->path);
		text_add(json, ":");
		comma = ",";
		if (value->kind == NODE_SCALAR && is_literal(value))
			text_add(json, value->text);
		else
			text_add_json(json, axis->texts[choice[i]]);
	}
	text_add(json, "}}");
}

/* ---- What the campaign says ---- */

/* Keys of the scenario that are not set here, since a campaign has a place for them, or none. */
static const struct {
	const char *path, *instead;
} elsewhere[] = {
	{"policies",
		"the campaign lists them, in 'policies'; an option of one is policies.NAME.OPTION, such as "
		"policies.fifo-cke.order"},
	{"record", "the campaign says it, in 'record'"},
	{"seed", "the campaign says it, in 'seed' and 'replications'"},
	{"cegsim", "it is the version of the file"},
	{"name", "it is that of the scenario"},
	{"time_unit", "write the times with their unit, such as 5ms"},
};

static bool check_path(struct binder *b, const struct node *set, const struct node *key)
{
	if (key_is_repeated(set, key))
		return binder_error(b, key, "'%s' is given twice", key->text);
	for (size_t i = 0; i < sizeof(elsewhere) / sizeof(elsewhere[0]); i++)
		if (strcmp(key->text, elsewhere[i].path) == 0)
			return binder_error(
				b, key, "'%s' is not set here: %s", key->text, elsewhere[i].instead);
	return true;
}

static const char *text_of(struct variants *v, const struct node *node)
{
	struct text text = {0};
	show(node, &text);
	const char *copy = text.failed ? NULL : arena_strdup(&v->arena, text_data(&text));
	text_finish(&text);
	return copy;
}

static bool add_value(struct binder *b, struct variants *v, struct variants_axis *axis, uint32_t origin,
	const struct node *value)
{
	struct node *copy = graft_copy(&v->arena, value, origin);
	const char *text = text_of(v, value);
	if (!copy || !text)
		return binder_no_memory(b);
	for (uint32_t i = 0; i < axis->count; i++)
		if (strcmp(axis->texts[i], text) == 0)
			return binder_error(b, value, "'%s' has the value %.200s twice", axis->path, text);
	axis->values[axis->count] = copy;
	axis->texts[axis->count++] = text;
	return true;
}

/* A list of values spans the grid; anything else is the value. */
static bool read_axis(struct binder *b, struct variants *v, const struct node *set, const struct node *key)
{
	const struct node *value = key->next;
	bool list = value->kind == NODE_LIST, ok = true;
	struct variants_axis *axis = &v->axes[v->axis_count];
	uint32_t origin = v->axis_count + 1;
	if (!check_path(b, set, key))
		return false;
	if (list && value->count == 0)
		return binder_error(b, value, "'%s' is an empty list", key->text);
	size_t most = list ? value->count : 1;
	*axis = (struct variants_axis){.path = arena_strdup(&v->arena, key->text)};
	axis->key = graft_copy(&v->arena, key, origin);
	axis->values = arena_new(&v->arena, struct node *, most);
	axis->texts = arena_new(&v->arena, const char *, most);
	if (!axis->path || !axis->key || !axis->values || !axis->texts)
		return binder_no_memory(b);
	if (!list)
		ok = add_value(b, v, axis, origin, value) && ok;
	for (const struct node *item = list ? value->first : NULL; item; item = item->next)
		ok = add_value(b, v, axis, origin, item) && ok;
	v->axis_count += axis->count > 0;
	return ok;
}

static bool read_set(struct binder *b, struct variants *v, const struct node *set)
{
	char quote[NODE_QUOTE_MAX];
	bool ok = true;
	if (!set)
		return true;
	if (set->kind != NODE_MAP)
		return binder_error(b, set,
			"'set' wants {platform.copy.bandwidth: [5GB/s, 10GB/s], ...}, got %s",
			node_quote(set, quote));
	if (set->count > VARIANTS_AXES_MAX)
		return binder_error(
			b, set, "'set' has %" PRIu32 " entries; at most %d", set->count, VARIANTS_AXES_MAX);
	v->axes = arena_new(&v->arena, struct variants_axis, set->count);
	if (!v->axes)
		return binder_no_memory(b);
	for (const struct node *key = set->first; key; key = key->next->next)
		ok = read_axis(b, v, set, key) && ok;
	return ok;
}

/* A plug-in is looked for beside the campaign that names it: the scenario's reader gets its whole path. */
static bool place_plugin(struct variants *v, const char *campaign, struct node *policy)
{
	struct node *name = policy->kind == NODE_SCALAR ? policy : NULL;
	for (struct node *key = policy->kind == NODE_MAP ? policy->first : NULL; key; key = key->next->next)
		if (strcmp(key->text, "name") == 0)
			name = key->next;
	if (!name || name->kind != NODE_SCALAR || !plugin_is_file(name->text))
		return true;
	char *beside = document_beside(campaign, name->text);
	char *whole = beside ? realpath(beside, NULL) : NULL;
	if (whole)
		name->text = arena_strdup(&v->arena, whole);
	bool ok = beside && name->text;
	free(whole);
	free(beside);
	return ok;
}

static bool take_policies(
	struct binder *b, struct variants *v, const char *campaign, const struct node *policies, bool stored)
{
	struct node *copy = policies ? graft_copy(&v->arena, policies, ORIGIN_POLICIES) : NULL;
	if (policies && !copy)
		return binder_no_memory(b);
	for (struct node *p = copy ? copy->first : NULL; p && !stored; p = p->next)
		if (!place_plugin(v, campaign, p))
			return binder_no_memory(b);
	v->policies = copy;
	return true;
}

/* ---- The scenario ---- */

static bool load_text(struct binder *b, struct variants *v, const char *campaign, const struct node *file,
	const struct stored_files *stored)
{
	struct error err;
	const char *slash = strrchr(file->text, '/');
	char *path = document_beside(campaign, file->text);
	v->file = path ? arena_strdup(&v->arena, path) : NULL;
	v->name = arena_strdup(&v->arena, slash ? slash + 1 : file->text);
	free(path);
	if (!v->file || !v->name)
		return binder_no_memory(b);
	if (stored && !stored->scenario)
		return binder_error(b, file, "the recording does not hold the scenario '%s'", v->name);
	if (stored) {
		v->text = strdup(stored->scenario);
		v->text_length = strlen(stored->scenario);
		return v->text || binder_no_memory(b);
	}
	v->text = document_slurp(v->file, &v->text_length, &err);
	if (v->text)
		return true;
	b->io_failed = b->io_failed || err.status == STATUS_IO;
	return binder_error(b, file, "%s %s", v->file, err.text);
}

/* Keys of a scenario for which a campaign has a place of its own. */
static bool check_inside(struct binder *b, const struct node *scenario)
{
	static const char *const not_here[] = {"policies", "record", "seed"};
	bool ok = true;
	for (const struct node *key = scenario->first; key; key = key->next->next)
		for (size_t i = 0; i < sizeof(not_here) / sizeof(not_here[0]); i++)
			if (strcmp(key->text, not_here[i]) == 0)
				ok = binder_error(b, key,
					"'%s' is not given inside of 'scenario': the campaign has it",
					key->text);
	return ok;
}

/* Puts "cegsim: 1" in front, which the reader of scenarios wants: here the campaign says what the file is. */
static bool add_version(struct variants *v, struct node *scenario)
{
	struct node *key = arena_new(&v->arena, struct node, 1),
		    *value = arena_new(&v->arena, struct node, 1);
	if (!key || !value)
		return false;
	*key = (struct node){
		.kind = NODE_SCALAR, .line = scenario->line, .column = scenario->column, .plain = true};
	*value = *key;
	key->text = arena_strdup(&v->arena, "cegsim");
	value->text = arena_strdup(&v->arena, "1");
	key->next = value;
	value->next = scenario->first;
	scenario->first = key;
	scenario->count++;
	return key->text && value->text;
}

/* The scenario that stands in the campaign. */
static bool take_inside(
	struct binder *b, struct variants *v, const char *campaign, const struct node *scenario, bool *sound)
{
	char quote[NODE_QUOTE_MAX];
	const char *slash = strrchr(campaign, '/');
	if (scenario->kind != NODE_MAP)
		return binder_error(b, scenario,
			"'scenario' wants a scenario, such as {horizon: 1s, platform: ..., tasks: ...}, got "
			"%s; the name of a file goes into 'file'",
			node_quote(scenario, quote));
	*sound = check_inside(b, scenario) && *sound;
	struct node *root = graft_copy(&v->arena, scenario, 0);
	v->file = arena_strdup(&v->arena, campaign);
	v->name = arena_strdup(&v->arena, slash ? slash + 1 : campaign);
	v->root = root;
	if (!root || !v->file || !v->name || (!node_has(root, "cegsim") && !add_version(v, root)))
		return binder_no_memory(b);
	return true;
}

/* "../av.yaml:12:5: error text", at the place where the campaign names the file. What is wrong with a
 * scenario that stands in the campaign is told where it is. */
static void report_own(struct binder *b, const struct variants *v, const struct node *at, const char *with,
	const struct diagnostic *item)
{
	char text[1500], place[32] = "";
	if (!v->text && !*with) {
		uint32_t line = item->line ? item->line : at->line;
		diagnostics_add(
			b->diagnostics, line, item->line ? item->column : at->column, "%s", item->text);
		return;
	}
	if (item->line)
		snprintf(place, sizeof(place), ":%u:%u", item->line, item->column);
	snprintf(text, sizeof(text), "%s%s%s: %s", with, v->file, place, item->text);
	diagnostics_add(b->diagnostics, at->line, at->column, "%s", text);
}

/* The scenario by itself. */
static bool check_own(struct binder *b, struct variants *v, const struct stored_files *stored)
{
	struct scenario s = {0};
	struct diagnostics d;
	bool no_memory = false;
	diagnostics_init(&d, v->file);
	if (v->text)
		v->root = document_parse(&v->arena, v->text, v->text_length, &d, &no_memory);
	bool ok = v->root && scenario_read_tree(v->file, v->root, stored, &s, &d);
	b->no_memory = b->no_memory || no_memory;
	b->io_failed = b->io_failed || (v->root && !ok && s.status == STATUS_IO);
	diagnostics_sort(&d);
	for (size_t i = 0; i < d.count; i++)
		report_own(b, v, v->at, "", &d.items[i]);
	scenario_finish(&s);
	diagnostics_finish(&d);
	return ok;
}

static bool read_all(struct binder *b, struct variants *v, const char *campaign, const struct node *generate,
	const struct node *policies, const struct stored_files *stored, bool *sound)
{
	char quote[NODE_QUOTE_MAX];
	const struct node *file = node_find(generate, "file"), *set = node_find(generate, "set");
	const struct node *inside = node_find(generate, "scenario");
	if (!file && !inside)
		return binder_error(b, generate,
			"'file' is missing here: the scenario, such as av.yaml; or 'scenario': the "
			"scenario itself");
	if (file && inside)
		return binder_error(b, generate, "'file' and 'scenario' are both given: one is enough");
	if (file && (file->kind != NODE_SCALAR || !*file->text))
		return binder_error(b, file, "'file' wants the name of a scenario's file, got %s",
			node_quote(file, quote));
	v->at = graft_copy(&v->arena, file ? file : inside, 0);
	v->set_at = graft_copy(&v->arena, set ? set : generate, 0);
	if (!v->at || !v->set_at)
		return binder_no_memory(b);
	*sound = read_set(b, v, set);
	bool ok = take_policies(b, v, campaign, policies, stored);
	return (file ? load_text(b, v, campaign, file, stored)
		     : take_inside(b, v, campaign, inside, sound)) &&
	       check_own(b, v, stored) && ok && !b->no_memory;
}

struct variants *variants_create(struct binder *b, const char *campaign, const struct node *generate,
	const struct node *policies, const struct stored_files *stored, bool *sound)
{
	struct variants *v = calloc(1, sizeof(*v));
	if (!v)
		binder_no_memory(b);
	if (v && read_all(b, v, campaign, generate, policies, stored, sound))
		return v;
	variants_destroy(v);
	return NULL;
}

void variants_destroy(struct variants *v)
{
	if (!v)
		return;
	arena_finish(&v->arena);
	free(v->text);
	free(v);
}

/* ---- Variants ---- */

/* Notes in `seen` which axes have nodes in the tree. Keys do not count. */
static void look_for(const struct node *node, bool seen[VARIANTS_AXES_MAX + 1])
{
	if (node->origin <= VARIANTS_AXES_MAX)
		seen[node->origin] = true;
	for (const struct node *child = node->first; child; child = child->next) {
		if (node->kind == NODE_MAP)
			child = child->next;
		look_for(child, seen);
	}
}

static bool add_at(struct diagnostics *d, const struct variants_axis *axis, const char *text)
{
	size_t before = d->count;
	diagnostics_add(d, axis->key->line, axis->key->column, "%s", text);
	if (d->count > before)
		d->items[before].origin = axis->key->origin;
	return false;
}

/* What one axis sets may be replaced by a later one, such as tasks.0.period by tasks.radar.period. */
static bool all_count(const struct variants *v, const bool there[VARIANTS_AXES_MAX], const struct node *root,
	struct diagnostics *d)
{
	bool seen[VARIANTS_AXES_MAX + 1] = {false}, ok = true;
	look_for(root, seen);
	for (uint32_t i = 0; i < v->axis_count; i++)
		if (there[i] && !seen[i + 1])
			ok = add_at(d, &v->axes[i], "another path that is set below replaces this value");
	return ok;
}

/* The tree with all values whose path leads somewhere. *lost: not all do, and *d says which. NULL: out of
 * memory. */
static const struct node *grow(const struct variants *v, const uint32_t *choice, struct arena *arena,
	struct diagnostics *d, bool *lost)
{
	const struct node *root = v->root;
	bool there[VARIANTS_AXES_MAX] = {false};
	*lost = false;
	if (v->policies) {
		struct graft g = {
			.arena = arena, .path = "policies", .value = v->policies, .at = v->policies};
		root = graft_value(&g, root, &shape_scenario);
	}
	for (uint32_t i = 0; root && i < v->axis_count; i++) {
		const struct variants_axis *axis = &v->axes[i];
		if (choice[i] == VARIANTS_OWN)
			continue;
		struct graft g = {.arena = arena,
			.path = axis->path,
			.value = axis->values[choice[i]],
			.at = axis->key};
		const struct node *grown = graft_value(&g, root, &shape_scenario);
		if (!grown && !g.wrong[0])
			return NULL;
		there[i] = grown != NULL;
		if (grown)
			root = grown;
		else
			*lost = !add_at(d, axis, g.wrong);
	}
	if (root && !all_count(v, there, root, d))
		*lost = true;
	return root;
}

/* *lost: a path leads nowhere. Then errors of the scenario (origin 0) may come from that. */
static bool read_variant(const struct variants *v, const uint32_t *choice, const struct stored_files *stored,
	struct scenario *s, struct diagnostics *d, bool *lost)
{
	struct arena arena = {0};
	*s = (struct scenario){0};
	const struct node *root = grow(v, choice, &arena, d, lost);
	bool ok = root && scenario_read_tree(v->file, root, stored, s, d);
	if (!root) {
		s->status = STATUS_IO;
		diagnostics_add(d, 0, 0, "out of memory while reading the file");
	}
	if (ok && *lost) {
		scenario_finish(s);
		s->status = STATUS_INPUT;
		ok = false;
	}
	arena_finish(&arena);
	return ok;
}

bool variants_read(const struct variants *v, const uint32_t *choice, const struct stored_files *stored,
	struct scenario *s, struct diagnostics *d)
{
	bool lost;
	return read_variant(v, choice, stored, s, d, &lost);
}

/* ---- Whose fault ---- */

/* Whether the scenario has this error without the value of axis `without`, too. */
static bool has_error(const struct variants *v, const uint32_t *choice, uint32_t without,
	const struct stored_files *stored, const struct diagnostic *error)
{
	uint32_t other[VARIANTS_AXES_MAX];
	struct scenario s;
	struct diagnostics d;
	memcpy(other, choice, v->axis_count * sizeof(*other));
	other[without] = VARIANTS_OWN;
	diagnostics_init(&d, v->file);
	bool lost, found = false, ok = read_variant(v, other, stored, &s, &d, &lost);
	for (size_t i = 0; !ok && i < d.count; i++) {
		const struct diagnostic *item = &d.items[i];
		found = found ||
			(item->origin == 0 && item->line == error->line && item->column == error->column &&
				strcmp(item->text, error->text) == 0);
	}
	scenario_finish(&s);
	diagnostics_finish(&d);
	return found || lost;
}

/* Reports an error at a place of the scenario, which is sound without the values. */
static void blame(const struct variants *v, const uint32_t *choice, const struct stored_files *stored,
	const struct diagnostic *error, struct binder *b)
{
	struct text with = {0};
	uint32_t guilty = 0;
	while (guilty < v->axis_count && has_error(v, choice, guilty, stored, error))
		guilty++;
	if (guilty < v->axis_count) {
		const struct variants_axis *axis = &v->axes[guilty];
		text_printf(&with, "with %s=%.200s, ", axis->path, axis->texts[choice[guilty]]);
		report_own(b, v, axis->values[choice[guilty]], text_data(&with), error);
	} else {
		text_add(&with, "with ");
		variants_text(v, choice, true, &with);
		text_add(&with, ", ");
		report_own(b, v, v->set_at, v->axis_count ? text_data(&with) : "", error);
	}
	text_finish(&with);
}

bool variants_check(const struct variants *v, const uint32_t *choice, const struct stored_files *stored,
	struct scenario *s, struct binder *b)
{
	struct diagnostics d;
	char text[1500];
	diagnostics_init(&d, v->file);
	bool lost, ok = read_variant(v, choice, stored, s, &d, &lost);
	if (!ok && s->status == STATUS_IO)
		b->io_failed = true;
	for (size_t i = 0; !ok && i < d.count; i++) {
		const struct diagnostic *item = &d.items[i];
		if (item->origin == 0 && !lost) {
			blame(v, choice, stored, item, b);
		} else if (item->origin > v->axis_count) {
			diagnostics_add(b->diagnostics, item->line, item->column, "%s", item->text);
		} else if (item->origin > 0) {
			snprintf(text, sizeof(text), "%s: %s", v->axes[item->origin - 1].path, item->text);
			diagnostics_add(b->diagnostics, item->line, item->column, "%s", text);
		}
	}
	diagnostics_finish(&d);
	return ok;
}
