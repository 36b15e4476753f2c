/* cli/uses.c - see cli/uses.h. */
#include "cli/uses.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/list.h"
#include "base/say.h"
#include "policies/pipe/pipe.h"
#include "policies/plugin/plugin.h"
#include "scenarios/document.h"

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
	if (key == OPTION_KEY_BOUNDS) {
		words_add(&uses->bounds_texts, arg);
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
	uses->policies = calloc(
		(size_t)given + named + analyses_there_are() + uses->analysis_count, sizeof(*uses->policies));
	if (!uses->policies)
		return error_memory(err, "the policies");
	for (; uses->policy_count < given; uses->policy_count++)
		if (!policy_use_parse(uses->policy_texts.at[uses->policy_count],
			    &uses->policies[uses->policy_count], err))
			return false;
	return true;
}

/* Makes room for one more, sets it, and counts it. */
static bool add_analysis(struct uses *uses, const struct analysis_use *use, struct error *err)
{
	struct analysis_use *grown =
		list_room(uses->analyses, uses->analysis_count, sizeof(*grown), "the analyses", err);
	if (!grown)
		return false;
	uses->analyses = grown;
	uses->analyses[uses->analysis_count++] = *use;
	return true;
}

/* Adds those of the list from number `first` on. */
static bool add_known(struct uses *uses, uint32_t first, struct error *err)
{
	for (uint32_t i = first; i < uses->known.count; i++) {
		const struct analysis_use use = analysis_use_of(&uses->known.items[i]->analysis);
		if (!add_analysis(uses, &use, err))
			return false;
	}
	return true;
}

/* A command with blanks is a program; a name of our own is ours. */
static bool may_be_stored(const char *text)
{
	char name[64];
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(text, ":"), text);
	return !strpbrk(text, " \t\n") && !analysis_find(name);
}

/* *found: the recording has bounds of that name. */
static bool add_stored(
	struct uses *uses, const char *recording, const char *text, bool *found, struct error *err)
{
	uint32_t first = uses->known.count;
	struct db_reader *reader = reader_open(recording, err);
	bool ok = reader && known_stored(&uses->known, reader, recording, text, err);
	reader_close(reader);
	*found = ok && uses->known.count > first;
	return ok && add_known(uses, first, err);
}

static bool add_named(struct uses *uses, const char *recording, const char *text, struct error *err)
{
	struct analysis_use use;
	bool found = false;
	if (recording && may_be_stored(text) && !add_stored(uses, recording, text, &found, err))
		return false;
	return found || (analysis_use_parse(text, &use, err) && add_analysis(uses, &use, err));
}

bool uses_analyses(struct uses *uses, const char *recording, struct error *err)
{
	uses->chosen = uses->analysis_texts.count > 0 || uses->bounds_texts.count > 0;
	for (uint32_t i = 0; i < uses->analysis_texts.count; i++)
		if (!add_named(uses, recording, uses->analysis_texts.at[i], err))
			return false;
	for (const struct analysis *const *a = analysis_all(); *a && !uses->chosen; a++) {
		const struct analysis_use use = analysis_use_of(*a);
		if (!(*a)->over_others && !add_analysis(uses, &use, err))
			return false;
	}
	analysis_uses_mark(uses->analyses, uses->analysis_count);
	return true;
}

/* Whose plans an analysis of the scenario bounds; .policy NULL: those of all its policies. */
static bool settle_only(const struct uses *uses, const struct scenario *s, const struct campaign_analysis *a,
	struct policy_use *only, struct error *err)
{
	*only = a->policy;
	if (only->policy || s->policy_count > 0 || uses->policy_texts.count > 0)
		return true;
	*only = analysis_own_policy(a->use.analysis);
	return only->policy || error_set(err, STATUS_INPUT,
				       "%s is for any policy, and the scenario has none: name one with -p",
				       a->use.analysis->name);
}

bool uses_of_scenario(struct uses *uses, const struct scenario *s, struct error *err)
{
	if (uses->chosen || s->analysis_count == 0)
		return true;
	uses->chosen = true;
	uses->analysis_count = 0;
	uses->only = calloc(s->analysis_count, sizeof(*uses->only));
	if (!uses->only)
		return error_memory(err, "the analyses");
	for (uint32_t i = 0; i < s->analysis_count; i++)
		if (!settle_only(uses, s, &s->analyses[i], &uses->only[i], err) ||
			!add_analysis(uses, &s->analyses[i].use, err))
			return false;
	analysis_uses_mark(uses->analyses, uses->analysis_count);
	return true;
}

/* ---- bounds in files ---- */

static bool read_table(
	struct uses *uses, struct bounds_csv *table, const struct roster *roster, struct error *err)
{
	struct diagnostics d;
	size_t length;
	uint32_t first = uses->known.count;
	diagnostics_init(&d, table->path);
	char *text = document_slurp(table->path, &length, err);
	bool ok = text && bounds_csv_read(table, text, length, roster, &uses->known, &d, err);
	if (!text)
		diagnostics_add(&d, 0, 0, "%s", err->text);
	if (d.count > 0) {
		diagnostics_print(&d, stderr);
		err->text[0] = '\0';
	}
	diagnostics_finish(&d);
	free(text);
	return ok && add_known(uses, first, err);
}

/* The names that the files may use: those of the recording, and the policies of -p. */
static bool read_roster(
	const struct uses *uses, const char *recording, struct roster *roster, struct error *err)
{
	char(*labels)[PARAMS_LABEL_MAX] = calloc((size_t)uses->policy_count + 1, sizeof(*labels));
	const char **more = calloc((size_t)uses->policy_count + 1, sizeof(*more));
	bool ok = (labels && more) || error_memory(err, "the policies");
	for (uint32_t i = 0; ok && i < uses->policy_count; i++)
		more[i] = policy_use_label(&uses->policies[i], labels[i]);
	struct db_reader *reader = ok ? reader_open(recording, err) : NULL;
	ok = reader && roster_read(roster, reader, more, uses->policy_count, err);
	reader_close(reader);
	free(more);
	free(labels);
	return ok;
}

bool uses_bounds(struct uses *uses, const char *recording, struct error *err)
{
	struct roster roster = {0};
	uint32_t count = uses->bounds_texts.count;
	if (count == 0)
		return true;
	uses->tables = calloc(count, sizeof(*uses->tables));
	bool ok = (uses->tables || error_memory(err, "the bounds")) &&
		  read_roster(uses, recording, &roster, err);
	/* Whatever is wrong with the first: the others are read, too. */
	for (uint32_t i = 0, read = ok; read && i < count; i++) {
		uses->tables[i] = bounds_csv_of(uses->bounds_texts.at[i]);
		ok = read_table(uses, &uses->tables[i], &roster, err) && ok;
	}
	uses->roster = roster;
	analysis_uses_mark(uses->analyses, uses->analysis_count);
	return ok;
}

bool uses_can_shrink(const struct uses *uses, const char *recording, struct error *err)
{
	return uses->known.count == 0 ||
	       error_set(err, STATUS_INPUT,
		       "--shrink asks about sets that are not in %s, and of %s only the bounds are known; "
		       "give its command",
		       recording, uses->known.items[0]->name);
}

void uses_note_missing(const struct uses *uses, const char *recording)
{
	for (uint32_t i = 0; i < uses->bounds_texts.count; i++) {
		const struct bounds_csv *table = &uses->tables[i];
		const struct bounds_missing *m = &table->missing;
		if (m->sets > 0)
			say(stderr,
				"cegsim: note: %" PRIu32 " of %" PRIu32 " sets of %s have no bound in %s\n",
				m->sets, uses->roster.set_count, recording, table->name);
		if (m->tasks > 0)
			say(stderr,
				"cegsim: note: %" PRIu32 " of %" PRIu32
				" tasks of %s%s have no bound in %s\n",
				m->tasks, m->tasks_of, m->sets > 0 ? "the other sets of " : "", recording,
				table->name);
	}
}

/* ---- */

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
	words_finish(&uses->bounds_texts);
	free(uses->policies);
	free(uses->analyses);
	free(uses->tables);
	free(uses->only);
	known_finish(&uses->known);
	roster_finish(&uses->roster);
}
