/* scenarios/tables_analyses.c - owns the key `analyses`: names, or mappings of a name, options, and the
 * policy whose plans are bounded. A name may be the file of a plug-in. `pipe` is a command of the user's own,
 * with `command` and `safety` in place of options. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policies/pipe/pipe.h"
#include "policies/plugin/plugin.h"
#include "scenarios/tables_campaign.h"

#define PIPE_NAME "pipe"

/* A shared object is looked for beside the file. */
static bool load_analysis(struct binder *b, const struct node *name, struct analysis_use *use)
{
	const struct description *d = b->context;
	struct error err;
	char *file = document_beside(d->file, name->text);
	if (!file)
		return binder_no_memory(b);
	const struct analysis *analysis = plugin_load_analysis(file, &err);
	free(file);
	if (analysis) {
		*use = analysis_use_of(analysis);
		return true;
	}
	b->io_failed = b->io_failed || err.status == STATUS_IO;
	return binder_error(b, name, "%s", err.text);
}

static bool find_analysis(struct binder *b, const struct node *name, struct analysis_use *use)
{
	char quote[NODE_QUOTE_MAX], hint[SUGGESTION_TEXT_MAX];
	const struct analysis *analysis = name->kind == NODE_SCALAR ? analysis_find(name->text) : NULL;
	if (analysis) {
		*use = analysis_use_of(analysis);
		return true;
	}
	struct suggestion s = {.word = name->kind == NODE_SCALAR ? name->text : ""};
	for (const struct analysis *const *a = analysis_all(); *a; a++)
		suggestion_offer(&s, (*a)->name);
	suggestion_offer(&s, PIPE_NAME);
	return binder_error(b, name, "no analysis is called %s%s", node_quote(name, quote),
		s.best ? suggestion_text(&s, hint) : "; 'cegsim list analyses' shows them");
}

/* A plug-in in a recording is not loaded: it may not be here. So its options are not known. */
static bool settle_analysis(struct binder *b, const struct node *name, struct analysis_use *use)
{
	const struct description *d = b->context;
	bool plugin = name->kind == NODE_SCALAR && plugin_is_file(name->text);
	if (plugin && d->stored) {
		*use = (struct analysis_use){0};
		return true;
	}
	return plugin ? load_analysis(b, name, use) : find_analysis(b, name, use);
}

/* Of a key that every analysis has. *own: it is another one, to be read by the caller. */
static bool read_common_key(struct binder *b, const struct node *map, const struct node *key,
	struct campaign_analysis *given, bool *own)
{
	*own = false;
	if (key_is_repeated(map, key))
		return binder_error(b, key, "'%s' is given twice", key->text);
	if (strcmp(key->text, "name") == 0)
		return true;
	if (strcmp(key->text, "policy") == 0)
		return binder_read(b, "policy", key->next, shape_policies.item, &given->policy, NULL);
	*own = true;
	return true;
}

static bool read_key(struct binder *b, const struct node *map, const struct node *key, const char *who,
	struct campaign_analysis *given)
{
	bool own, ok = read_common_key(b, map, key, given, &own);
	if (!own || !given->use.analysis)
		return ok;
	return option_read(b, who, key, key->next, &given->use.params);
}

/* ---- A command of the user's own ---- */

static const struct binder_shape command_word = {.kind = SHAPE_TEXT, .max = 4096};
static const struct binder_shape command_words = {
	.kind = SHAPE_LIST, .item = &command_word, .size = sizeof(char *), .min = 1, .max = 1000};
static const struct binder_choice safeties[] = {{"sound", false}, {"unsafe", true}, {NULL}};
static const struct binder_shape safety = {.kind = SHAPE_CHOICE, .choices = safeties};

struct pipe_entry {
	char **words;
	uint32_t count;
	int unsafe;
};

static bool read_pipe_key(struct binder *b, const struct node *map, const struct node *key,
	struct pipe_entry *entry, struct campaign_analysis *given)
{
	bool own, ok = read_common_key(b, map, key, given, &own);
	if (!own)
		return ok;
	if (strcmp(key->text, "command") == 0)
		return binder_read(b, "command", key->next, &command_words, &entry->words, &entry->count);
	if (strcmp(key->text, "safety") == 0)
		return binder_read(b, "safety", key->next, &safety, &entry->unsafe, NULL);
	char hint[SUGGESTION_TEXT_MAX];
	struct suggestion s = {.word = key->text};
	suggestion_offer(&s, "command");
	suggestion_offer(&s, "safety");
	suggestion_offer(&s, "policy");
	return binder_error(b, key, "analysis 'pipe' has no option '%s'%s", key->text,
		s.best ? suggestion_text(&s, hint) : "; it has command, safety and policy");
}

/* It runs in the folder of the file. A command in a recording is not looked for: it may not be here. */
static bool make_pipe(struct binder *b, const struct node *at, const struct pipe_entry *entry,
	struct campaign_analysis *given)
{
	const struct description *d = b->context;
	struct error err;
	if (d->stored)
		return true;
	char *folder = document_beside(d->file, ".");
	if (!folder)
		return binder_no_memory(b);
	const struct analysis *made =
		pipe_make((const char *const *)entry->words, entry->count, folder, entry->unsafe != 0, &err);
	free(folder);
	if (made) {
		given->use = analysis_use_of(made);
		return true;
	}
	b->io_failed = b->io_failed || err.status == STATUS_IO;
	return binder_error(b, at, "%s", err.text);
}

/* {name: pipe, command: [python3, mine.py], safety: unsafe}. */
static bool bind_pipe(struct binder *b, const struct node *node, struct campaign_analysis *given)
{
	struct pipe_entry entry = {0};
	const struct node *command = node->kind == NODE_MAP ? node_find(node, "command") : NULL;
	bool ok = command || binder_error(b, node,
				     "analysis 'pipe' wants a command: "
				     "{name: pipe, command: [python3, mine.py]}");
	if (node->kind == NODE_MAP)
		for (const struct node *key = node->first; key; key = key->next->next)
			ok = read_pipe_key(b, node, key, &entry, given) && ok;
	return ok && make_pipe(b, command, &entry, given);
}

static bool is_pipe(const struct node *name)
{
	return name->kind == NODE_SCALAR && strcmp(name->text, PIPE_NAME) == 0;
}

/* ---- An analysis ---- */

/* rtgpu, or {name: rtgpu, form: start-time, policy: {name: rtgpu, search: grid}}. */
static bool bind_analysis(
	struct binder *b, const char *what, const struct node *node, void *out, uint32_t *count)
{
	struct campaign_analysis *given = out;
	char who[NAME_BYTES_MAX];
	(void)count;
	if (node->kind == NODE_LIST)
		return binder_error(
			b, node, "'%s' wants names or {name: rtgpu, form: start-time}, got a list", what);
	const struct node *name = node->kind == NODE_SCALAR ? node : node_find(node, "name");
	if (!name)
		return binder_error(b, node, "'name' is missing here");
	if (is_pipe(name))
		return bind_pipe(b, node, given);
	if (node->kind == NODE_SCALAR)
		return settle_analysis(b, node, &given->use);
	if (!settle_analysis(b, name, &given->use))
		return false;
	snprintf(who, sizeof(who), "analysis '%s'", given->use.analysis ? given->use.analysis->name : "");
	bool ok = true;
	for (const struct node *key = node->first; key; key = key->next->next)
		ok = read_key(b, node, key, who, given) && ok;
	return ok;
}

static void analysis_schema(struct text *out)
{
	text_add(out, "{\"anyOf\": [{\"enum\": [");
	for (const struct analysis *const *a = analysis_all(); *a; a++) {
		text_add(out, a == analysis_all() ? "" : ", ");
		text_add_json(out, (*a)->name);
	}
	text_add(out, "]}");
	for (const struct analysis *const *a = analysis_all(); *a; a++) {
		text_add(out, ", {\"type\": \"object\", \"description\": ");
		text_add_json(out, (*a)->summary);
		text_add(out, ", \"properties\": {\"name\": {\"const\": ");
		text_add_json(out, (*a)->name);
		text_add(out, "}, \"policy\": ");
		schema_value(out, shape_policies.item);
		options_schema(out, (*a)->options);
		text_add(out, "}, \"required\": [\"name\"], \"additionalProperties\": false}");
	}
	text_add(out, ", {\"type\": \"object\", \"description\": \"a program of your own\", \"properties\": "
		      "{\"name\": {\"const\": \"" PIPE_NAME "\"}, \"command\": ");
	schema_value(out, &command_words);
	text_add(out, ", \"safety\": ");
	schema_value(out, &safety);
	text_add(out, ", \"policy\": ");
	schema_value(out, shape_policies.item);
	text_add(out, "}, \"required\": [\"name\", \"command\"], \"additionalProperties\": false}");
	/* A plug-in; the schema does not know its options. */
	static const char plugin[] =
		"{\"type\": \"string\", \"pattern\": \"/|[.]so$\", \"description\": "
		"\"An analysis from outside the tree: its shared object, looked for beside this file.\"}";
	text_printf(out, ", %s, {\"type\": \"object\", \"properties\": {\"name\": %s, \"policy\": ", plugin,
		plugin);
	schema_value(out, shape_policies.item);
	text_add(out, "}, \"required\": [\"name\"]}]}");
}

static const struct binder_shape analysis = {.kind = SHAPE_CUSTOM,
	.wants = "an analysis's name, or {name: rtgpu, form: start-time}",
	.bind = bind_analysis,
	.schema = analysis_schema};

static bool check_analyses(struct binder *b, const struct node *node, void *out)
{
	const struct campaign_analysis *uses;
	memcpy(&uses, out, sizeof(uses));
	for (uint32_t i = 1; i < node->count; i++) {
		for (uint32_t j = 0; j < i; j++) {
			/* A command or a plug-in in a recording is none. */
			if (uses[i].use.analysis && analysis_use_same(&uses[i].use, &uses[j].use) &&
				policy_use_same(&uses[i].policy, &uses[j].policy))
				return binder_error(b, node_item(node, i),
					"'%s' is listed twice with the same options and policy",
					uses[i].use.analysis->name);
		}
	}
	return true;
}

const struct binder_shape shape_analyses = {
	.kind = SHAPE_LIST,
	.item = &analysis,
	.size = sizeof(struct campaign_analysis),
	.min = 1,
	.max = 1000,
	.check = check_analyses,
};

bool campaign_analysis_any(const struct campaign_analysis *a)
{
	return a->use.analysis && !a->policy.policy && !analysis_own_policy(a->use.analysis).policy;
}
