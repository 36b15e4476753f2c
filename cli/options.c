/* cli/options.c - the options that many commands have, the parsing of option values, and the printing of
 * errors. */
#include "cli/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/list.h"
#include "base/say.h"
#include "base/text.h"
#include "base/units.h"

#define CHOICES_TEXT_MAX 256

static const struct options_asked *asked; /* NULL: commands parse */

void options_ask(const struct options_asked *ask)
{
	asked = ask;
}

void options_parse_as(const struct argp *argp, int argc, char **argv, unsigned flags, void *input)
{
	struct error err;
	error_t failed = argp_parse(argp, argc, argv, flags, NULL, input);
	if (!failed)
		return;
	error_set(&err, STATUS_IO, "cannot read the command line: %s", strerror(failed));
	exit(error_report(&err));
}

void options_parse(const struct argp *argp, int argc, char **argv, void *input)
{
	if (asked)
		asked->table(argp, input);
	options_parse_as(argp, argc, argv, 0, input);
}

/* By enum writer_kind. */
static const char *const writers[] = {[WRITER_PAGES] = "pages", [WRITER_SQLITE] = "sqlite", NULL};

error_t given_parse(int key, char *arg, struct argp_state *state, struct given *given)
{
	switch (key) {
	case 'o':
		if (!*arg)
			argp_error(state, "-o wants the name of a file, and got none");
		given->output = arg;
		return 0;
	case 'q':
		given->quiet = true;
		return 0;
	case 'v':
		given->verbose = true;
		return 0;
	case OPTION_KEY_FORCE:
		given->force = true;
		return 0;
	case OPTION_KEY_FORMAT:
		given->format = option_format(state, arg);
		return 0;
	case OPTION_KEY_WRITER:
		given->writer = (enum writer_kind)option_choice(state, "writer", arg, writers);
		return 0;
	case ARGP_KEY_ARG:
		if (!given->noun)
			return ARGP_ERR_UNKNOWN;
		if (given->file)
			argp_error(state, "one %s at a time; what is '%s'?", given->noun, arg);
		given->file = arg;
		return 0;
	case ARGP_KEY_END:
		if (given->noun && !given->file)
			argp_error(state, "which %s?", given->noun);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

void words_add(struct words *words, const char *word)
{
	struct error err;
	const char **grown = list_room(words->at, words->count, sizeof(*words->at), "the arguments", &err);
	if (!grown)
		exit(error_report(&err));
	words->at = grown;
	words->at[words->count++] = word;
}

void words_finish(struct words *words)
{
	free(words->at);
	*words = (struct words){0};
}

size_t option_choice(struct argp_state *state, const char *name, const char *arg, const char *const *choices)
{
	if (asked) {
		asked->choices(choices);
		exit(STATUS_OK);
	}
	char all[CHOICES_TEXT_MAX] = "";
	struct suggestion near = {.word = arg};
	for (size_t i = 0; choices[i]; i++) {
		if (strcmp(choices[i], arg) == 0)
			return i;
		suggestion_offer(&near, choices[i]);
		size_t used = strlen(all);
		snprintf(all + used, sizeof(all) - used, "%s%s", i ? ", " : "", choices[i]);
	}
	char hint[SUGGESTION_TEXT_MAX];
	argp_error(state, "%s wants one of: %s; got '%s'%s", name, all, arg, suggestion_text(&near, hint));
	exit(STATUS_INPUT); /* only under ARGP_NO_EXIT argp_error() returns */
}

enum table_format option_format(struct argp_state *state, const char *arg)
{
	static const char *const formats[] = {
		[TABLE_TEXT] = "table", [TABLE_CSV] = "csv", [TABLE_JSON] = "json", NULL};
	return (enum table_format)option_choice(state, "--format", arg, formats);
}

enum table_format option_page_format(struct argp_state *state, const char *arg)
{
	static const char *const formats[] = {"table", "csv", "json", "markdown", NULL};
	static const enum table_format by_place[] = {TABLE_TEXT, TABLE_CSV, TABLE_JSON, TABLE_MARKDOWN};
	return by_place[option_choice(state, "--format", arg, formats)];
}

int64_t option_integer(struct argp_state *state, const char *name, const char *arg, int64_t min, int64_t max)
{
	int64_t value = 0;
	if (whole_parse(arg, &value) != WHOLE_READ || value < min || value > max) {
		argp_error(state, "%s wants a whole number from %lld to %lld, got '%s'", name, (long long)min,
			(long long)max, arg);
		exit(STATUS_INPUT);
	}
	return value;
}

uint32_t option_processors(uint32_t most)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	return processors < 1 ? 1 : processors > (long)most ? most : (uint32_t)processors;
}

int64_t option_time(struct argp_state *state, const char *name, const char *arg)
{
	struct error err;
	int64_t ns = 0;
	if (!unit_parse(UNIT_TIME, arg, NULL, &ns, &err))
		argp_error(state, "%s %s", name, err.text);
	return ns;
}

void option_param(struct argp_state *state, struct parameters *parameters, const char *arg)
{
	if (!strchr(arg, '=') || arg[0] == '=')
		argp_error(state, "--param wants NAME=VALUE, got '%s'", arg);
	if (parameters->count == PARAMETERS_MAX)
		argp_error(state, "more than %d --param", PARAMETERS_MAX);
	parameters->given[parameters->count++] = arg;
}

int error_report(const struct error *err)
{
	fflush(stdout); /* output so far comes first */
	if (!err->text[0])
		return (int)err->status;
	bool placed = strstr(err->text, ": error: ") != NULL;
	say(stderr, "%s%s\n", placed ? "" : "cegsim: error: ", err->text);
	return (int)err->status;
}
