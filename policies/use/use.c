/* policies/use/use.c - see policies/use/use.h. */
#include "policies/use/use.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/text.h"
#include "policies/pipe/pipe.h"
#include "policies/plugin/plugin.h"
#include "policies/registry.h"

struct policy_use policy_use_of(const struct policy *policy)
{
	struct policy_use use = {.policy = policy};
	params_default(&use.params, policy->options);
	return use;
}

struct analysis_use analysis_use_of(const struct analysis *analysis)
{
	struct analysis_use use = {.analysis = analysis};
	params_default(&use.params, analysis->options);
	return use;
}

/* ---- text to use ---- */

static bool find_policy(const char *name, struct policy_use *use, struct error *err)
{
	char hint[SUGGESTION_TEXT_MAX];
	const struct policy *policy = plugin_is_file(name) ? plugin_load(name, err) : policy_find(name);
	if (policy)
		*use = policy_use_of(policy);
	if (policy || plugin_is_file(name))
		return policy != NULL;
	struct suggestion near = {.word = name};
	for (const struct policy *const *p = policy_all(); *p; p++)
		suggestion_offer(&near, (*p)->name);
	return error_set(err, STATUS_INPUT, "there is no policy '%s'%s", name,
		near.best ? suggestion_text(&near, hint) : "; `cegsim list policies' names them");
}

static bool find_analysis(const char *name, struct analysis_use *use, struct error *err)
{
	char hint[SUGGESTION_TEXT_MAX];
	const struct analysis *analysis =
		plugin_is_file(name) ? plugin_load_analysis(name, err) : analysis_find(name);
	if (analysis)
		*use = analysis_use_of(analysis);
	if (analysis || plugin_is_file(name))
		return analysis != NULL;
	struct suggestion near = {.word = name};
	for (const struct analysis *const *a = analysis_all(); *a; a++)
		suggestion_offer(&near, (*a)->name);
	return error_set(err, STATUS_INPUT, "there is no analysis '%s'%s", name,
		near.best ? suggestion_text(&near, hint) : "; `cegsim list analyses' names them");
}

/* Finds the colon in front of the options, or the end. Folders in a plug-in's path may contain colons,
 * too. */
static char *end_of_name(char *text)
{
	char *slash = memrchr(text, '/', strcspn(text, "="));
	return strchrnul(slash ? slash : text, ':');
}

/* Copies the text and cuts it in two: the name, and its options. NULL: out of memory. */
static char *cut(const char *text, char **options)
{
	char *copy = strdup(text);
	if (!copy)
		return NULL;
	char *end = end_of_name(copy);
	*options = *end ? end + 1 : end;
	*end = '\0';
	return copy;
}

static bool parse_options(
	const char *noun, const char *name, struct params *params, char *options, struct error *err)
{
	char who[128];
	snprintf(who, sizeof(who), "%s %s", noun, name);
	return params_parse(params, who, options, err);
}

/* The last of comma-separated options, if it may be the name of another policy or analysis; "": it is not. */
static const char *last_name(const char *options)
{
	const char *comma = strrchr(options, ',');
	return comma ? comma + 1 : "";
}

static bool refuse_second(const char *noun, const char *name, const char *second, char key, struct error *err)
{
	return error_set(err, STATUS_INPUT,
		"%s %s: '%s' is another %s, not an option; give it a -%c of its own", noun, name, second,
		noun, key);
}

/* Whether its options go together. */
static bool fit(const struct policy_use *use, struct error *err)
{
	struct error why;
	return !use->policy->check || use->policy->check(&use->params, &why) ||
	       error_set(err, why.status, "policy '%s': %s", use->policy->name, why.text);
}

bool policy_use_parse(const char *text, struct policy_use *use, struct error *err)
{
	char *options, *name = cut(text, &options);
	if (!name)
		return error_memory(err, "the policies");
	bool ok = find_policy(name, use, err);
	const char *second = last_name(options);
	if (ok && policy_find(second))
		ok = refuse_second("policy", name, second, 'p', err);
	ok = ok && parse_options("policy", use->policy->name, &use->params, options, err) && fit(use, err);
	free(name);
	return ok;
}

static bool parse_pipe(const char *text, struct analysis_use *use, struct error *err)
{
	const struct analysis *analysis = pipe_parse(text, err);
	if (analysis)
		*use = analysis_use_of(analysis);
	return analysis != NULL;
}

bool analysis_use_parse(const char *text, struct analysis_use *use, struct error *err)
{
	if (pipe_is(text))
		return parse_pipe(text, use, err);
	char *options, *name = cut(text, &options);
	if (!name)
		return error_memory(err, "the analyses");
	bool ok = find_analysis(name, use, err);
	const char *second = last_name(options);
	if (ok && analysis_find(second))
		ok = refuse_second("analysis", name, second, 'a', err);
	ok = ok && parse_options("analysis", use->analysis->name, &use->params, options, err);
	free(name);
	return ok;
}

/* ---- use to text ---- */

bool policy_use_same(const struct policy_use *a, const struct policy_use *b)
{
	return a->policy == b->policy && params_same(&a->params, &b->params);
}

bool analysis_use_same(const struct analysis_use *a, const struct analysis_use *b)
{
	return a->analysis == b->analysis && params_same(&a->params, &b->params);
}

const char *policy_use_label(const struct policy_use *use, char label[PARAMS_LABEL_MAX])
{
	return params_label(use->policy->name, &use->params, label);
}

const char *analysis_use_label(const struct analysis_use *use, char label[PARAMS_LABEL_MAX])
{
	if (use->analysis->label)
		snprintf(label, PARAMS_LABEL_MAX, "%s", use->analysis->label);
	else
		params_label(use->analysis->name, &use->params, label);
	size_t used = strlen(label);
	snprintf(label + used, PARAMS_LABEL_MAX - used, "%s%s", use->mark,
		analysis_use_unsafe(use) ? " (unsafe)" : "");
	return label;
}

const char *analysis_use_typed(const struct analysis_use *use, char text[PARAMS_LABEL_MAX])
{
	const struct analysis *a = use->analysis;
	const char *file = plugin_analysis_file(a);
	if (!pipe_is(a->name))
		return params_label(file ? file : a->name, &use->params, text);
	snprintf(text, PARAMS_LABEL_MAX, PIPE_PREFIX "%s%s", analysis_use_unsafe(use) ? "safety=unsafe:" : "",
		a->source);
	return text;
}

/* plugin: the digest of the shared object; NULL: it is of none. */
static const char *json_of(const struct params *params, const char *plugin, char json[PARAMS_JSON_MAX])
{
	size_t length = params_json(params, json, PARAMS_JSON_MAX);
	if (plugin)
		snprintf(json + length - 1, PARAMS_JSON_MAX - length + 1, "%s\"" PLUGIN_OPTION "\":\"%s\"}",
			params->count ? "," : "", plugin);
	return json;
}

const char *policy_json(const struct policy *policy, const struct params *params, char json[PARAMS_JSON_MAX])
{
	return json_of(params, plugin_digest(policy), json);
}

/* ---- analyses ---- */

const char *analysis_use_json(const struct analysis_use *use, char json[PARAMS_JSON_MAX])
{
	if (!use->analysis->json)
		return json_of(&use->params, plugin_analysis_digest(use->analysis), json);
	snprintf(json, PARAMS_JSON_MAX, "%s", use->analysis->json);
	return json;
}

const char *analysis_mark(const char *json, char mark[USE_MARK_MAX])
{
	/* Inside of a text the quotes have backslashes. */
	static const char *const keys[] = {"\"files\":\"", "\"" PLUGIN_OPTION "\":\""};
	mark[0] = '\0';
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		const char *found = strstr(json, keys[i]);
		if (found)
			snprintf(mark, USE_MARK_MAX, " #%.8s", found + strlen(keys[i]));
	}
	return mark;
}

static bool same_label(const struct analysis_use *a, const struct analysis_use *b)
{
	char x[PARAMS_LABEL_MAX], y[PARAMS_LABEL_MAX];
	return strcmp(analysis_use_label(a, x), analysis_use_label(b, y)) == 0;
}

void analysis_uses_mark(struct analysis_use *uses, uint32_t count)
{
	char json[PARAMS_JSON_MAX];
	for (uint32_t i = 0; i < count; i++) {
		bool doubled = false;
		for (uint32_t k = i + 1; k < count; k++) {
			if (analysis_use_same(&uses[i], &uses[k]) || !same_label(&uses[i], &uses[k]))
				continue;
			analysis_mark(analysis_use_json(&uses[k], json), uses[k].mark);
			doubled = true;
		}
		if (doubled)
			analysis_mark(analysis_use_json(&uses[i], json), uses[i].mark);
	}
}

bool analysis_is_own(const struct analysis *analysis)
{
	return analysis_find(analysis->name) != analysis;
}

bool analysis_use_bound(const struct analysis_use *use, const struct plan *plan, struct arena *arena,
	struct analysis_result *result, struct error *err)
{
	const struct analysis *a = use->analysis;
	return a->ask ? a->ask(a, plan, &use->params, arena, result, err)
		      : analysis_bound(a, plan, &use->params, arena, result, err);
}

bool analysis_use_unsafe(const struct analysis_use *use)
{
	return use->analysis->unsafe && use->analysis->unsafe(&use->params);
}

struct policy_use analysis_own_policy(const struct analysis *analysis)
{
	char name[64];
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(analysis->policies, "|"), analysis->policies);
	const struct policy *policy = policy_find(name);
	if (!policy)
		policy = plugin_find(name);
	return policy ? policy_use_of(policy) : (struct policy_use){0};
}
