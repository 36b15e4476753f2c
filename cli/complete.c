/* cli/complete.c - `cegsim complete -- WORD...`: what may follow on a command line, for the shells
 * (contrib/completion/). The words are those behind `cegsim`; the last one is what the user has typed of a
 * word, maybe nothing. Each line is a candidate that begins with it, a tab and what it means; the line
 * ":files" says that names of files fit, too.
 *
 * Nothing is listed here that is listed elsewhere. The commands are those of `cegsim --help`. Options come
 * from the table that a command parses with, the values of an option from its parser (option_choice()), and
 * names from the tables of policies, analyses, presets, recipes, queries and figures. What is here is how the
 * help calls a value (POLICY, FILE.db, N) and what fits there; a new word of that kind is reported (status
 * 2). */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/say.h"
#include "cli/options.h"
#include "cli/query_parts.h"
#include "cli/uses.h"
#include "cli/verbs.h"
#include "db/queries.h"
#include "policies/registry.h"
#include "report/figures.h"
#include "scenarios/keys.h"
#include "scenarios/presets.h"
#include "scenarios/workload/recipe.h"

#define ARGS_MAX 64      /* arguments of a command that are looked at */
#define SUMMARY_WIDTH 72 /* bytes; what is longer is cut at a blank */
#define NAME_SIZE 64
#define MAPPING_SIZE 128 /* of a name with dots */

/* What is to be completed. */
static struct {
	const struct verb *verb;
	char **words; /* behind the command, without the current one */
	int count;
	const char *current; /* the word that is typed */
	const char *typed;   /* its end, which candidates replace; what is in front of it is kept */
	const struct argp *argp;
	void *input;                /* of the command's parser */
	const char *args[ARGS_MAX]; /* those of the words that are no options */
	int arg_count;
} asked;

/* ---- Printing ---- */

static void print_summary(const char *summary)
{
	size_t length = summary ? strcspn(summary, "\t\n") : 0;
	bool cut = length > SUMMARY_WIDTH;
	if (cut)
		for (length = SUMMARY_WIDTH; length > 0 && summary[length] != ' '; length--)
			;
	if (length > 0)
		say(stdout, "\t%.*s%s", (int)length, summary, cut ? " ..." : "");
	putchar('\n');
}

/* Prints the candidate `mark` `name` `end` if it begins with what is typed. */
static void offer_marked(
	const char *mark, const char *name, size_t length, const char *end, const char *summary)
{
	char word[2 * NAME_SIZE];
	snprintf(word, sizeof(word), "%s%.*s%s", mark, (int)length, name, end);
	if (strncmp(word, asked.typed, strlen(asked.typed)) != 0)
		return;
	say(stdout, "%.*s%s", (int)(asked.typed - asked.current), asked.current, word);
	print_summary(summary);
}

static void offer(const char *name, const char *summary)
{
	offer_marked("", name, strlen(name), "", summary);
}

static void offer_choices(const char *const *choices)
{
	for (; *choices; choices++)
		offer(*choices, NULL);
}

static void offer_files(void)
{
	puts(":files");
}

static void offer_nothing(void)
{
}

/* ---- Names ---- */

/* The value of an option: "a|b|c", true or false. */
static void offer_values(const struct option *option)
{
	const char *choices = option->kind == OPTION_BOOL     ? "true|false"
			      : option->kind == OPTION_CHOICE ? option->choices
							      : "";
	for (const char *p = choices; *p; p += p[strcspn(p, "|")] != '\0') {
		offer_marked("", p, strcspn(p, "|"), "", NULL);
		p += strcspn(p, "|");
	}
}

/* NAME=VALUE of one of the options; what is typed begins there. */
static void offer_assignment(const struct option *options)
{
	const char *equals = strchr(asked.typed, '=');
	for (const struct option *o = options; o && o->name; o++) {
		size_t length = strlen(o->name);
		if (!equals) {
			offer_marked("", o->name, length, "=", o->help);
		} else if (length == (size_t)(equals - asked.typed) &&
			   strncmp(o->name, asked.typed, length) == 0) {
			asked.typed = equals + 1;
			offer_values(o);
			return;
		}
	}
}

/* Behind "policy:" there are assignments with commas between; those in [1,2] are no end. */
static void offer_assignments(const char *start, const struct option *options)
{
	int depth = 0;
	asked.typed = start;
	for (const char *p = start; *p; p++) {
		depth += (*p == '[') - (*p == ']');
		if (*p == ',' && depth == 0)
			asked.typed = p + 1;
	}
	offer_assignment(options);
}

/* What is typed, up to `end`, as a name; "" if it is too long. */
static const char *typed_name(const char *end, char name[NAME_SIZE])
{
	size_t length = (size_t)(end - asked.typed);
	snprintf(name, NAME_SIZE, "%.*s", length < NAME_SIZE ? (int)length : 0, asked.typed);
	return name;
}

/* The i-th policy or analysis; false: there are no more. */
struct used {
	const char *name, *summary;
	const struct option *options;
};
typedef bool used_fn(size_t i, struct used *used);

static bool policy_at(size_t i, struct used *used)
{
	const struct policy *policy = policy_all()[i];
	if (policy)
		*used = (struct used){policy->name, policy->summary, policy->options};
	return policy != NULL;
}

static bool analysis_at(size_t i, struct used *used)
{
	const struct analysis *analysis = analysis_all()[i];
	if (analysis)
		*used = (struct used){analysis->name, analysis->summary, analysis->options};
	return analysis != NULL;
}

static void offer_names(used_fn *at)
{
	struct used used;
	for (size_t i = 0; at(i, &used); i++)
		offer(used.name, used.summary);
}

/* Names, with commas between (cli/uses.h); behind a colon the options of the last one. */
static void offer_uses(used_fn *at)
{
	char name[NAME_SIZE];
	const char *start, *end = uses_last(asked.typed, &start);
	asked.typed = start;
	if (*end != ':') {
		offer_names(at);
		return;
	}
	struct used used, found = {0};
	typed_name(end, name);
	for (size_t i = 0; at(i, &used); i++)
		if (strcmp(used.name, name) == 0)
			found = used;
	offer_assignments(end + 1, found.options);
}

static void offer_policies(void)
{
	const char *word = asked.typed;
	offer_uses(policy_at);
	if (!strchr(word, ':'))
		offer_files(); /* ./mine.so */
}

static void offer_analyses(void)
{
	const char *word = asked.typed;
	offer_uses(analysis_at);
	if (!strchr(word, ':'))
		offer_files(); /* ./mine.so */
}

/* Series of figures are mostly policies and their analyses. */
static void offer_series(void)
{
	const char *comma = strrchr(asked.typed, ',');
	asked.typed = comma ? comma + 1 : asked.typed;
	offer_names(policy_at);
	offer_names(analysis_at);
}

static void offer_presets(void)
{
	size_t count;
	const struct preset *presets = preset_all(&count);
	for (size_t i = 0; i < count; i++)
		offer(presets[i].name, NULL);
}

static void offer_recipes(void)
{
	for (const struct recipe *const *r = recipe_all(); *r; r++)
		offer((*r)->name, (*r)->summary);
}

static void offer_queries(const char *mark)
{
	struct named_query query;
	for (size_t i = 0; query_at(i, &query); i++)
		offer_marked(mark, query.name, strlen(query.name), "", query.title);
}

static void offer_marked_queries(void)
{
	offer_queries("@");
}

static void offer_figures(void)
{
	struct named_query figure;
	for (size_t i = 0; figure_at(i, &figure); i++)
		offer(figure.name, figure.title);
}

static void offer_commands(void)
{
	const struct verb *verb;
	for (size_t i = 0; (verb = verb_at(i)) != NULL; i++)
		if (verb->summary)
			offer(verb->name, verb->summary);
}

static void offer_tables(void)
{
	const char *name, *what;
	for (size_t i = 0; query_table_at(i, &name, &what); i++)
		offer(name, what);
}

/* Behind `list policies`: one of them. */
static void offer_listed(void)
{
	const char *of = asked.args[0];
	if (strcmp(of, "policies") == 0)
		offer_names(policy_at);
	else if (strcmp(of, "analyses") == 0)
		offer_names(analysis_at);
	else if (strcmp(of, "recipes") == 0)
		offer_recipes();
	else if (strcmp(of, "figures") == 0)
		offer_figures();
	else if (strcmp(of, "queries") == 0)
		offer_queries("");
	else if (strcmp(of, "columns") == 0)
		offer_tables();
}

/* The parameters of the query or figure among the arguments, or the options of the recipe. */
static void offer_parameters(void)
{
	struct named_query query;
	for (int i = 0; i < asked.arg_count; i++) {
		const char *name = asked.args[i];
		const struct recipe *recipe = recipe_find(name);
		if (recipe) {
			offer_assignment(recipe->options);
			return;
		}
		if (name[0] == '@' ? query_find(name + 1, &query) : figure_find(name, &query)) {
			for (size_t k = 0; k < query.param_count; k++)
				offer_marked("", query.params[k].name, strlen(query.params[k].name), "=",
					query.params[k].help);
			return;
		}
	}
}

/* A mapping comes with each of its keys. */
static bool offer_mapping(void *to, const struct key *key, struct error *err)
{
	char *last = to;
	(void)err;
	if (strcmp(last, key->mapping) != 0)
		offer(key->mapping, NULL);
	snprintf(last, MAPPING_SIZE, "%s", key->mapping);
	return true;
}

static void offer_mappings(void)
{
	char last[MAPPING_SIZE] = "";
	struct error err;
	bool campaign = asked.arg_count > 0 && strcmp(asked.args[0], "campaign") == 0;
	if (!(campaign ? campaign_keys(offer_mapping, last, &err) : scenario_keys(offer_mapping, last, &err)))
		exit(STATUS_IO);
}

/* ---- What fits where ---- */

/* The words of the help for values and arguments. Others are choices, or have FILE or the ending of a file in
 * them. */
static const struct {
	const char *word;
	void (*offer)(void);
} kinds[] = {
	{"@NAME", offer_marked_queries},
	{"ANALYSIS", offer_analyses},
	{"COLUMNS", offer_nothing},
	{"COMMAND", offer_commands},
	{"DURATION", offer_nothing},
	{"FIGURE", offer_figures},
	{"I/N", offer_nothing},
	{"INDEX", offer_nothing},
	{"K", offer_nothing},
	{"LIST", offer_nothing},
	{"LOG", offer_files},
	{"MAPPING", offer_mappings},
	{"N", offer_nothing},
	{"N[-M]", offer_nothing},
	{"NAME", offer_listed},
	{"NAME=VALUE", offer_parameters},
	{"NAME[=LABEL],...", offer_series},
	{"PID", offer_nothing},
	{"PLUGIN", offer_files},
	{"POLICY", offer_policies},
	{"PRESET", offer_presets},
	{"RATE[,RATE]", offer_nothing},
	{"RECIPE", offer_recipes},
	{"ROWS", offer_nothing},
	{"SCENARIO", offer_files},
	{"SIZE", offer_nothing},
	{"T", offer_nothing},
	{"TASK[.SEGMENT]", offer_nothing},
	{"TEXT", offer_nothing},
	{"TID", offer_nothing},
	{"TIME", offer_nothing},
	{"TIME|fit", offer_nothing},
	{"WHERE", offer_nothing},
	{"WxH", offer_nothing},
};

/* False: it is none of the words. */
static bool offer_kind(const char *word)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i].word, word) == 0) {
			kinds[i].offer();
			return true;
		}
	const char *dot = strchr(word, '.');
	bool file = strstr(word, "FILE") || (dot && islower((unsigned char)dot[1]));
	if (file)
		offer_files();
	return file;
}

/* The parser says what it accepts: it calls option_choice(), which ends the program. */
static void offer_parsed(int key, const char *what)
{
	struct argp_state state = {.root_argp = asked.argp,
		.flags = ARGP_NO_ERRS,
		.input = asked.input,
		.arg_num = (unsigned)asked.arg_count};
	char empty[] = "";
	asked.argp->parser(key, empty, &state);
	say(stderr, "cegsim complete: %s: %s is a kind of value that cli/complete.c does not know\n",
		asked.verb->name, what);
	exit(STATUS_INPUT);
}

static void offer_value(const struct argp_option *option)
{
	if (!offer_kind(option->arg))
		offer_parsed(option->key, option->arg);
}

/* The word for argument number `index` in a line of the usage: of "FILE.db [@NAME | SQL]", "FILE.db" and
 * "@NAME". The last one with dots stands for all that follow. False: no such argument. */
static bool argument_word(const char *line, int index, char word[NAME_SIZE])
{
	int at = 0;
	for (const char *p = line; *p && *p != '\n' && *p != '-';) {
		size_t length = strcspn(p, " \n");
		const char *start = p[0] == '[' ? p + 1 : p;
		snprintf(word, NAME_SIZE, "%.*s", (int)(p + length - start), start);
		word[strcspn(word, "]")] = '\0';
		char *dots = strstr(word, "...");
		if (dots)
			*dots = '\0';
		if (at++ == index || dots)
			return true;
		p += length + (p[length] == ' ');
	}
	return false;
}

static void offer_argument(void)
{
	char word[NAME_SIZE];
	const char *line = asked.argp->args_doc;
	while (line && !argument_word(line, asked.arg_count, word)) {
		line = strchr(line, '\n'); /* another usage may have more arguments */
		line = line ? line + 1 : NULL;
	}
	if (!line)
		return;
	if (!offer_kind(word) && islower((unsigned char)word[0]))
		offer_parsed(ARGP_KEY_ARG, word);
}

static void offer_options(const struct argp_option *options)
{
	for (const struct argp_option *o = options; o && (o->name || o->doc); o++)
		if (o->name && !(o->flags & OPTION_HIDDEN))
			offer_marked("--", o->name, strlen(o->name), "", o->doc);
	offer("--help", "explain it");
	offer("--usage", "explain it in short");
	offer("--version", "print the version of the program");
}

/* ---- Where the words lead ---- */

static const struct argp_option *option_long(const char *name, size_t length)
{
	for (const struct argp_option *o = asked.argp->options; o && (o->name || o->doc); o++)
		if (o->name && strlen(o->name) == length && strncmp(o->name, name, length) == 0)
			return o;
	return NULL;
}

/* In "-qprm" the option p; *value is what is behind its letter. NULL: no letter wants a value. */
static const struct argp_option *option_short(const char *word, const char **value)
{
	for (const char *letter = word + 1; *letter; letter++)
		for (const struct argp_option *o = asked.argp->options; o && (o->name || o->doc); o++)
			if (o->key == *letter && o->arg) {
				*value = letter + 1;
				return o;
			}
	return NULL;
}

/* The option whose value is the next word; NULL: the word needs none behind it. */
static const struct argp_option *option_open(const char *word)
{
	const char *value;
	if (strncmp(word, "--", 2) == 0) {
		const struct argp_option *o = option_long(word + 2, strlen(word + 2));
		return o && o->arg && !(o->flags & OPTION_ARG_OPTIONAL) ? o : NULL;
	}
	const struct argp_option *o = option_short(word, &value);
	return o && !*value ? o : NULL;
}

/* Completes the current word. `open`: the option before it, whose value it is. */
static void show_current(const struct argp_option *open, bool options_ended)
{
	const char *equals = strchr(asked.typed, '='), *value;
	bool is_option = !open && !options_ended && asked.typed[0] == '-';
	bool is_long = is_option && asked.typed[1] == '-';
	if (is_long && equals) {
		open = option_long(asked.typed + 2, (size_t)(equals - asked.typed) - 2);
		asked.typed = equals + 1;
		if (open && open->arg)
			offer_value(open);
	} else if (is_option && !is_long && (open = option_short(asked.typed, &value)) != NULL) {
		asked.typed = value;
		offer_value(open);
	} else if (is_option) {
		offer_options(asked.argp->options);
	} else if (open) {
		offer_value(open);
	} else {
		offer_argument();
	}
}

/* Goes through the words with the table of the command. */
static void show(const struct argp *argp, void *input)
{
	asked.argp = argp;
	asked.input = input;
	const struct argp_option *open = NULL;
	bool options_ended = false;
	for (int i = 0; i < asked.count; i++) {
		const char *word = asked.words[i];
		if (open)
			open = NULL; /* its value */
		else if (!options_ended && strcmp(word, "--") == 0)
			options_ended = true;
		else if (!options_ended && word[0] == '-' && word[1])
			open = option_open(word);
		else if (asked.arg_count < ARGS_MAX)
			asked.args[asked.arg_count++] = word;
	}
	show_current(open, options_ended);
	exit(STATUS_OK);
}

/* The command that the words begin with, behind options of the program itself; NULL: none yet, or no such
 * one. */
static const struct verb *find_verb(char **words, int count, int *behind)
{
	const struct verb *verb;
	*behind = 0;
	while (*behind < count && words[*behind][0] == '-')
		++*behind;
	if (*behind == count)
		return NULL;
	const char *name = words[(*behind)++];
	for (size_t i = 0; (verb = verb_at(i)) != NULL; i++)
		if (strcmp(verb->name, name) == 0 && verb->summary)
			return verb;
	*behind = count + 1;
	return NULL;
}

int verb_complete(int argc, char **argv)
{
	static const struct options_asked ask = {show, offer_choices};
	char **words = argv + 1;
	int count = argc - 1, behind;
	if (count > 0 && strcmp(words[0], "--") == 0) {
		words++;
		count--;
	}
	if (count == 0)
		return STATUS_OK;
	asked.current = asked.typed = words[count - 1];
	asked.verb = find_verb(words, count - 1, &behind);
	if (!asked.verb) {
		if (behind == count - 1 && asked.current[0] == '-')
			offer_options(NULL);
		else if (behind == count - 1)
			offer_commands();
		return STATUS_OK;
	}
	asked.words = words + behind;
	asked.count = count - 1 - behind;
	options_ask(&ask);
	char *own[] = {argv[0], NULL};
	return asked.verb->run(1, own);
}
