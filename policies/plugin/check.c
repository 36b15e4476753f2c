/* policies/plugin/check.c - see policies/plugin/check.h. */
#include "policies/plugin/check.h"

#include <stdio.h>
#include <string.h>

#include "policies/plugin/plugin.h"

#define NAME_BYTES_MAX 63

static const char lower[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
static const char option_bytes[] = "abcdefghijklmnopqrstuvwxyz0123456789-_";

static bool is_name(const char *text, const char *bytes)
{
	size_t length = strlen(text);
	return length > 0 && length <= NAME_BYTES_MAX && strspn(text, bytes) == length;
}

/* ---- options ---- */

/* Choices are written into recordings and command lines as they are, so not every character is allowed. */
static bool choices(const struct option *o, struct error *err)
{
	if (!o->choices)
		return error_set(err, STATUS_INPUT, "option '%s': choices is NULL", o->name);
	for (const char *c = o->choices;; c++) {
		size_t length = strcspn(c, "|");
		if (length == 0)
			return error_set(err, STATUS_INPUT, "option '%s': one of the choices \"%s\" is empty",
				o->name, o->choices);
		for (size_t i = 0; i < length; i++)
			if ((unsigned char)c[i] <= ' ' || strchr("\"\\,:=\x7f", c[i]))
				return error_set(err, STATUS_INPUT,
					"option '%s': a choice has none of the characters "
					"\" \\ , : = and no spaces",
					o->name);
		c += length;
		if (*c == '\0')
			return true;
	}
}

static bool kind(const struct option *o, struct error *err)
{
	switch (o->kind) {
	case OPTION_CHOICE:
		return choices(o, err);
	case OPTION_BOOL:
		return true;
	case OPTION_INTEGER:
	case OPTION_LIST:
	case OPTION_RATIO:
	case OPTION_RATIO_RANGE:
	case OPTION_DURATION:
	case OPTION_DURATION_RANGE:
		return o->min <= o->max ||
		       error_set(err, STATUS_INPUT, "option '%s': min is greater than max", o->name);
	}
	return error_set(err, STATUS_INPUT, "option '%s': kind is %d, which is none of enum option_kind",
		o->name, (int)o->kind);
}

/* Keys that campaigns have besides the options. */
static const char *const keys_of_policies[] = {"name", PLUGIN_OPTION, NULL};
static const char *const keys_of_analyses[] = {"name", "policy", PLUGIN_OPTION, NULL};

static bool option(
	const struct option *table, const char *const *keys, const struct option *o, struct error *err)
{
	if (!is_name(o->name, option_bytes))
		return error_set(err, STATUS_INPUT,
			"option '%.80s': a name has 1 to %d of the characters a-z, 0-9, '-', '_'", o->name,
			NAME_BYTES_MAX);
	if (word_find(keys, o->name) >= 0)
		return error_set(err, STATUS_INPUT, "option '%s': the name has another meaning", o->name);
	for (const struct option *before = table; before < o; before++)
		if (strcmp(before->name, o->name) == 0)
			return error_set(err, STATUS_INPUT, "option '%s' is there twice", o->name);
	if (!o->help || !o->fallback)
		return error_set(
			err, STATUS_INPUT, "option '%s': %s is NULL", o->name, o->help ? "fallback" : "help");
	if (strlen(o->fallback) >= PARAM_TEXT_MAX)
		return error_set(err, STATUS_INPUT, "option '%s': the fallback is longer than %d bytes",
			o->name, PARAM_TEXT_MAX - 1);
	return kind(o, err);
}

/* Defaults must be valid values, spelled as params_text() writes them. */
static bool defaults(const struct option *table, struct error *err)
{
	struct params p;
	struct error reason;
	char text[PARAM_TEXT_MAX];
	params_default(&p, table);
	for (uint32_t i = 0; i < p.count; i++) {
		const struct option *o = &table[i];
		if (!params_set(&p, o->name, o->fallback, &reason))
			return error_set(err, reason.status,
				"the fallback of an option is none of its values: %s", reason.text);
		if (strcmp(params_text(&p, i, text), o->fallback) != 0)
			return error_set(err, STATUS_INPUT,
				"option '%s': write the fallback \"%s\" as \"%s\"", o->name, o->fallback,
				text);
	}
	return true;
}

static bool options(const struct option *table, const char *const *keys, struct error *err)
{
	uint32_t count = 0;
	for (const struct option *o = table; o && o->name; o++) {
		if (count++ == PARAMS_MAX)
			return error_set(err, STATUS_INPUT,
				"there are more than %d options; does the table end with {0}?", PARAMS_MAX);
		if (!option(table, keys, o, err))
			return false;
	}
	return defaults(table, err);
}

/* ---- what both have ---- */

static bool is_line(const char *text)
{
	return text && text[0] && !strchr(text, '\n');
}

static bool head(const char *name, const char *summary, unsigned version, struct error *err)
{
	if (!name)
		return error_set(err, STATUS_INPUT, "name is NULL");
	if (!is_name(name, lower))
		return error_set(err, STATUS_INPUT,
			"name is \"%.80s\"; it has 1 to %d of the characters a-z, 0-9, '-'", name,
			NAME_BYTES_MAX);
	if (!is_line(summary))
		return error_set(err, STATUS_INPUT, "summary is not a line of text");
	return version >= 1 || error_set(err, STATUS_INPUT, "version is 0; versions begin with 1");
}

/* ---- the policy ---- */

bool plugin_check(const struct policy *policy, struct error *err)
{
	if (!head(policy->name, policy->summary, policy->version, err))
		return false;
	if (!policy->plan)
		return error_set(err, STATUS_INPUT, "plan is NULL");
	return options(policy->options, keys_of_policies, err);
}

/* ---- the analysis ---- */

/* "rm|mpcp", or ANALYSIS_ANY_POLICY. */
static bool are_policies(const char *names)
{
	char name[NAME_BYTES_MAX + 1];
	if (!names || strcmp(names, ANALYSIS_ANY_POLICY) == 0)
		return names != NULL;
	for (const char *n = names;; n++) {
		size_t length = strcspn(n, "|");
		snprintf(name, sizeof(name), "%.*s", (int)length, n);
		if (length > NAME_BYTES_MAX || !is_name(name, lower))
			return false;
		n += length;
		if (*n == '\0')
			return true;
	}
}

bool plugin_check_analysis(const struct analysis *analysis, struct error *err)
{
	if (!head(analysis->name, analysis->summary, analysis->version, err))
		return false;
	if (strcmp(analysis->name, "pipe") == 0)
		return error_set(err, STATUS_INPUT, "the name \"pipe\" has another meaning");
	if (!is_line(analysis->source))
		return error_set(err, STATUS_INPUT, "source is not a line of text: the paper, or \"ours\"");
	if (!is_line(analysis->assumptions))
		return error_set(err, STATUS_INPUT, "assumptions is not a line of text");
	if (!are_policies(analysis->policies))
		return error_set(err, STATUS_INPUT,
			"policies are names with '|' between, such as \"rm|mpcp\", or ANALYSIS_ANY_POLICY");
	if (!analysis->bound)
		return error_set(err, STATUS_INPUT, "bound is NULL");
	if (analysis->ask || analysis->label || analysis->json)
		return error_set(err, STATUS_INPUT, "%s is cegsim's own: leave it out",
			analysis->ask     ? "ask"
			: analysis->label ? "label"
					  : "json");
	return options(analysis->options, keys_of_analyses, err);
}
