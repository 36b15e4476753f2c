/* scenarios/tables_analyses.c - owns the key `analyses` of campaign files: names, or mappings of a name,
 * options, and the policy whose plans are bounded. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "scenarios/tables_campaign.h"

static bool settle_analysis(struct binder *b, const struct node *name, struct analysis_use *use)
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
	return binder_error(b, name, "no analysis is called %s%s", node_quote(name, quote),
		s.best ? suggestion_text(&s, hint) : "; 'cegsim list analyses' shows them");
}

static bool read_key(struct binder *b, const struct node *map, const struct node *key, const char *who,
	struct campaign_analysis *given)
{
	if (key_is_repeated(map, key))
		return binder_error(b, key, "'%s' is given twice", key->text);
	if (strcmp(key->text, "name") == 0)
		return true;
	if (strcmp(key->text, "policy") == 0)
		return binder_read(b, "policy", key->next, shape_policies.item, &given->policy, NULL);
	return option_read(b, who, key, key->next, &given->use.params);
}

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
	if (node->kind == NODE_SCALAR)
		return settle_analysis(b, node, &given->use);
	const struct node *name = node_find(node, "name");
	if (!name)
		return binder_error(b, node, "'name' is missing here");
	if (!settle_analysis(b, name, &given->use))
		return false;
	snprintf(who, sizeof(who), "analysis '%s'", given->use.analysis->name);
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
	text_add(out, "]}");
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
			if (analysis_use_same(&uses[i].use, &uses[j].use) &&
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
