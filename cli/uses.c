/* cli/uses.c - see cli/uses.h. */
#include "cli/uses.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "policies/pipe/pipe.h"
#include "policies/plugin/plugin.h"

/* How long a name is: to its comma; to the colon in front of its options, which may have commas; or to the
 * end of the text. A comma in a path ends it only behind ".so". */
static size_t name_length(const char *name)
{
	size_t length = strcspn(name, ":");
	for (size_t i = 0; i < length; i++)
		if (name[i] == ',' &&
			(!memchr(name, '/', i) || (i > 3 && strncmp(name + i - 3, ".so", 3) == 0)))
			return i;
	return length;
}

const char *uses_last(const char *text, const char **start)
{
	for (;;) {
		*start = text + strspn(text, " ");
		text = *start + name_length(*start);
		if (*text++ != ',')
			return text - 1;
	}
}

/* Adds the names in "rm, fcfs"; the argument is cut into pieces. False: a name is missing. */
static bool add_names(struct words *words, char *arg)
{
	for (bool more = true; more;) {
		char *name = arg + strspn(arg, " "), *end = name + name_length(name);
		more = *end == ',';
		arg = end + 1;
		if (*end == ':')
			end += strlen(end);
		while (end > name && end[-1] == ' ')
			end--;
		*end = '\0';
		if (!*name)
			return false;
		words_add(words, name);
	}
	return true;
}

error_t uses_parse(int key, char *arg, struct argp_state *state, struct uses *uses)
{
	if (key == OPTION_KEY_TIMEOUT) {
		pipe_patience((double)option_time(state, "timeout", arg) * 1e-9);
		return 0;
	}
	if (key != 'p' && key != 'a')
		return ARGP_ERR_UNKNOWN;
	const char *noun = key == 'p' ? "policy" : "analysis";
	if (!add_names(key == 'p' ? &uses->policy_texts : &uses->analysis_texts, arg))
		argp_error(state, "-%c wants the name of a %s, or several with a comma between", key, noun);
	return 0;
}

static uint32_t analyses_there_are(void)
{
	uint32_t count = 0;
	while (analysis_all()[count])
		count++;
	return count;
}

bool uses_policies(struct uses *uses, struct error *err)
{
	uint32_t given = uses->policy_texts.count, named = uses->analysis_texts.count;
	uses->policies = calloc((size_t)given + named + analyses_there_are(), sizeof(*uses->policies));
	if (!uses->policies)
		return error_memory(err, "the policies");
	for (; uses->policy_count < given; uses->policy_count++)
		if (!policy_use_parse(uses->policy_texts.at[uses->policy_count],
			    &uses->policies[uses->policy_count], err))
			return false;
	return true;
}

bool uses_analyses(struct uses *uses, struct error *err)
{
	uses->chosen = uses->analysis_texts.count > 0;
	uint32_t count = uses->chosen ? uses->analysis_texts.count : analyses_there_are();
	uses->analyses = calloc(count, sizeof(*uses->analyses));
	if (!uses->analyses)
		return error_memory(err, "the analyses");
	for (; uses->analysis_count < count; uses->analysis_count++) {
		struct analysis_use *use = &uses->analyses[uses->analysis_count];
		if (!uses->chosen)
			*use = analysis_use_of(analysis_all()[uses->analysis_count]);
		else if (!analysis_use_parse(uses->analysis_texts.at[uses->analysis_count], use, err))
			return false;
	}
	return true;
}

bool uses_plugins(const struct uses *uses, const char *what, struct error *err)
{
	for (uint32_t i = 0; i < uses->policy_texts.count; i++) {
		const char *text = uses->policy_texts.at[i];
		if (!plugin_is_file(text))
			return error_set(err, STATUS_INPUT,
				"%s under their own policies; -p can only bring the plug-in "
				"(./mine.so) of one, not '%s'",
				what, text);
		if (!plugin_load(text, err))
			return false;
	}
	return true;
}

bool uses_own_policies(struct uses *uses, uint32_t *count, struct error *err)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < uses->analysis_count; i++) {
		const struct policy_use own = analysis_own_policy(uses->analyses[i].analysis);
		bool there = !own.policy;
		for (uint32_t k = 0; k < n; k++)
			there = there || uses->policies[k].policy == own.policy;
		if (!there)
			uses->policies[n++] = own;
	}
	*count = n;
	return n > 0 || error_set(err, STATUS_INPUT,
				"the analyses that were named are for any policy: name one with -p");
}

void uses_finish(struct uses *uses)
{
	words_finish(&uses->policy_texts);
	words_finish(&uses->analysis_texts);
	free(uses->policies);
	free(uses->analyses);
}
