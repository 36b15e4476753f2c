/* policies/plugin/check.c - see policies/plugin/check.h. */
#include "policies/plugin/check.h"

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

static bool option(const struct policy *policy, const struct option *o, struct error *err)
{
	if (!is_name(o->name, option_bytes))
		return error_set(err, STATUS_INPUT,
			"option '%.80s': a name has 1 to %d of the characters a-z, 0-9, '-', '_'", o->name,
			NAME_BYTES_MAX);
	if (strcmp(o->name, "name") == 0 || strcmp(o->name, PLUGIN_OPTION) == 0)
		return error_set(err, STATUS_INPUT, "option '%s': the name has another meaning", o->name);
	for (const struct option *before = policy->options; before < o; before++)
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
static bool defaults(const struct policy *policy, struct error *err)
{
	struct params p;
	struct error reason;
	char text[PARAM_TEXT_MAX];
	params_default(&p, policy->options);
	for (uint32_t i = 0; i < p.count; i++) {
		const struct option *o = &policy->options[i];
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

static bool options(const struct policy *policy, struct error *err)
{
	uint32_t count = 0;
	for (const struct option *o = policy->options; o && o->name; o++) {
		if (count++ == PARAMS_MAX)
			return error_set(err, STATUS_INPUT,
				"there are more than %d options; does the table end with {0}?", PARAMS_MAX);
		if (!option(policy, o, err))
			return false;
	}
	return defaults(policy, err);
}

/* ---- the policy ---- */

bool plugin_check(const struct policy *policy, struct error *err)
{
	if (!policy->name)
		return error_set(err, STATUS_INPUT, "name is NULL");
	if (!is_name(policy->name, lower))
		return error_set(err, STATUS_INPUT,
			"name is \"%.80s\"; it has 1 to %d of the characters a-z, 0-9, '-'", policy->name,
			NAME_BYTES_MAX);
	if (!policy->summary || !policy->summary[0] || strchr(policy->summary, '\n'))
		return error_set(err, STATUS_INPUT, "summary is not a line of text");
	if (policy->version < 1)
		return error_set(err, STATUS_INPUT, "version is 0; versions begin with 1");
	if (!policy->plan)
		return error_set(err, STATUS_INPUT, "plan is NULL");
	return options(policy, err);
}
