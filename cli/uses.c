/* cli/uses.c - see cli/uses.h. */
#include "cli/uses.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "policies/plugin/plugin.h"
#include "policies/registry.h"

static bool find_policy(const char *name, const struct policy **policy, struct error *err)
{
	char hint[SUGGESTION_TEXT_MAX];
	*policy = plugin_is_file(name) ? plugin_load(name, err) : policy_find(name);
	if (*policy || plugin_is_file(name))
		return *policy != NULL;
	struct suggestion near = {.word = name};
	for (const struct policy *const *p = policy_all(); *p; p++)
		suggestion_offer(&near, (*p)->name);
	return error_set(err, STATUS_INPUT, "there is no policy '%s'%s", name, suggestion_text(&near, hint));
}

static bool find_analysis(const char *name, const struct analysis **analysis, struct error *err)
{
	char hint[SUGGESTION_TEXT_MAX];
	struct suggestion near = {.word = name};
	*analysis = analysis_find(name);
	for (const struct analysis *const *a = analysis_all(); *a; a++)
		suggestion_offer(&near, (*a)->name);
	return *analysis || error_set(err, STATUS_INPUT, "there is no analysis '%s'%s", name,
				    suggestion_text(&near, hint));
}

/* The next item up to a comma outside of brackets, which is cut off; NULL: none. As strsep(). */
static char *next_item(char **text)
{
	char *item = *text, *c = item;
	if (!item)
		return NULL;
	for (bool list = false; *c && (list || *c != ','); c++)
		list = *c == '[' || (list && *c != ']');
	*text = *c ? c + 1 : NULL;
	*c = '\0';
	return item;
}

/* "option=value,option=[1,2]" */
static bool parse_options(
	const char *noun, const char *name, char *text, struct params *params, struct error *err)
{
	for (char *item; (item = next_item(&text)) != NULL && *item;) {
		struct error reason;
		char *equals = strchr(item, '=');
		if (!equals)
			return error_set(err, STATUS_INPUT,
				"%s %s: an option is name=value, and a list name=[1,2], not '%s'", noun, name,
				item);
		*equals = '\0';
		if (!params_set(params, item, equals + 1, &reason))
			return error_set(err, STATUS_INPUT, "%s %s %s", noun, name, reason.text);
	}
	return true;
}

/* The colon in front of the options, or the end. A plug-in's folders may have colons, too. */
static char *end_of_name(char *text)
{
	char *slash = memrchr(text, '/', strcspn(text, "="));
	return strchrnul(slash ? slash : text, ':');
}

/* Cuts the copy in two; its options are returned. */
static char *cut(char *copy)
{
	char *end = end_of_name(copy), *options = *end ? end + 1 : end;
	*end = '\0';
	return options;
}

bool use_policy(const char *text, struct policy_use *use, struct error *err)
{
	char *copy = strdup(text);
	if (!copy)
		return error_memory(err, "the policies");
	char *options = cut(copy);
	bool ok = find_policy(copy, &use->policy, err);
	if (ok) {
		params_default(&use->params, use->policy->options);
		ok = parse_options("policy", use->policy->name, options, &use->params, err);
	}
	free(copy);
	return ok;
}

bool use_analysis(const char *text, struct analysis_use *use, struct error *err)
{
	char *copy = strdup(text);
	if (!copy)
		return error_memory(err, "the analyses");
	char *options = cut(copy);
	bool ok = find_analysis(copy, &use->analysis, err);
	if (ok) {
		params_default(&use->params, use->analysis->options);
		ok = parse_options("analysis", use->analysis->name, options, &use->params, err);
	}
	free(copy);
	return ok;
}

const char *use_label(const char *name, const struct params *params, char label[USE_LABEL_MAX])
{
	struct params fallback;
	size_t used = (size_t)snprintf(label, USE_LABEL_MAX, "%s", name);
	params_default(&fallback, params->options);
	const char *separator = ":";
	for (uint32_t i = 0; i < params->count && used < USE_LABEL_MAX; i++) {
		if (strcmp(params->text[i], fallback.text[i]) == 0)
			continue;
		bool list = params->options[i].kind == OPTION_LIST;
		used += (size_t)snprintf(label + used, USE_LABEL_MAX - used, "%s%s=%s%s%s", separator,
			params->options[i].name, list ? "[" : "", params->text[i], list ? "]" : "");
		separator = ",";
	}
	return label;
}

const char *use_policy_label(const struct policy_use *use, char label[USE_LABEL_MAX])
{
	return use_label(use->policy->name, &use->params, label);
}

const char *use_analysis_label(const struct analysis_use *use, char label[USE_LABEL_MAX])
{
	use_label(use->analysis->name, &use->params, label);
	size_t used = strlen(label);
	if (bounding_unsafe(use))
		snprintf(label + used, USE_LABEL_MAX - used, " (unsafe)");
	return label;
}

const char *use_json(const struct params *params, char json[USE_JSON_MAX])
{
	params_json(params, json, USE_JSON_MAX);
	return json;
}
