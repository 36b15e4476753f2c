/* cli/schema.c - `cegsim schema`: prints the JSON Schemas of scenario and campaign files, or their keys as a
 * table. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/options.h"
#include "cli/verbs.h"
#include "scenarios/campaign_file.h"
#include "scenarios/keys.h"
#include "scenarios/scenario.h"

enum schema_subject { SCENARIO, CAMPAIGN };
enum { OPTION_KEY_KEYS = OPTION_KEY_OWN };

struct schema_command {
	enum schema_subject subject;
	bool keys;
	const char *mapping; /* only its keys; NULL: all */
	bool formatted;      /* --format was given */
	enum table_format format;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	static const char *const subjects[] = {"scenario", "campaign", NULL};
	struct schema_command *request = state->input;
	switch (key) {
	case OPTION_KEY_KEYS:
		request->keys = true;
		request->mapping = arg;
		return 0;
	case OPTION_KEY_FORMAT:
		request->formatted = true;
		request->format = option_page_format(state, arg);
		return 0;
	case ARGP_KEY_ARG:
		if (state->arg_num > 0)
			argp_error(state, "no further argument is wanted; '%s' is too much", arg);
		request->subject = (enum schema_subject)option_choice(state, "subject", arg, subjects);
		return 0;
	case ARGP_KEY_END:
		if (request->formatted && !request->keys)
			argp_error(state, "--format is for --keys; without it a JSON Schema is printed");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* ---- The schema ---- */

static int print_schema(enum schema_subject subject)
{
	struct error err;
	struct text schema = {0};
	if (subject == CAMPAIGN)
		campaign_schema(&schema);
	else
		scenario_schema(&schema);
	if (!text_ok(&schema, "printing the schema", &err)) {
		text_finish(&schema);
		return error_report(&err);
	}
	fputs(text_data(&schema), stdout);
	text_finish(&schema);
	return STATUS_OK;
}

/* ---- The keys ---- */

/* Looks for a mapping by its name, and for the one that is nearest. */
struct key_search {
	const char *mapping;
	struct suggestion near;
	char nearest[128]; /* near.best, which does not outlive its row */
	bool found;
};

static bool look_at_key(void *to, const struct key *key, struct error *err)
{
	struct key_search *search = to;
	const char *before = search->near.best;
	(void)err;
	search->found = search->found || strcmp(search->mapping, key->mapping) == 0;
	suggestion_offer(&search->near, key->mapping);
	if (search->near.best != before) {
		snprintf(search->nearest, sizeof(search->nearest), "%s", key->mapping);
		search->near.best = search->nearest;
	}
	return true;
}

struct key_list {
	const char *mapping; /* only its keys; NULL: all */
	struct table table;
};

static bool add_key(void *to, const struct key *key, struct error *err)
{
	struct key_list *list = to;
	(void)err;
	if (list->mapping && strcmp(list->mapping, key->mapping) != 0)
		return true;
	if (!list->mapping)
		table_text(&list->table, key->mapping);
	table_text(&list->table, key->key);
	table_text(&list->table, key->value);
	table_text(&list->table, key->unset);
	table_text(&list->table, key->meaning);
	return true;
}

static bool tell_keys(enum schema_subject subject, key_fn *tell, void *to, struct error *err)
{
	return subject == CAMPAIGN ? campaign_keys(tell, to, err) : scenario_keys(tell, to, err);
}

static int print_keys(const struct schema_command *request)
{
	static const char *const columns[] = {
		TABLE_CODE("mapping"), TABLE_CODE("key"), "value", "default", "meaning"};
	const size_t skipped = request->mapping ? 1 : 0;
	struct key_search search = {.mapping = request->mapping, .near = {.word = request->mapping}};
	struct key_list list = {.mapping = request->mapping};
	struct error err, telling;
	char hint[SUGGESTION_TEXT_MAX];
	if (request->mapping && !tell_keys(request->subject, look_at_key, &search, &err))
		return error_report(&err);
	if (request->mapping && !search.found) {
		error_set(&err, STATUS_INPUT,
			"no mapping is called '%s'%s; 'cegsim schema --keys' shows them", request->mapping,
			suggestion_text(&search.near, hint));
		return error_report(&err);
	}
	table_begin(&list.table, stdout, request->format, columns + skipped,
		sizeof(columns) / sizeof(columns[0]) - skipped);
	bool told = tell_keys(request->subject, add_key, &list, &telling);
	bool printed = table_end(&list.table, &err);
	if (!told)
		return error_report(&telling);
	return printed ? STATUS_OK : error_report(&err);
}

int verb_schema(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{"keys", OPTION_KEY_KEYS, "MAPPING", OPTION_ARG_OPTIONAL,
			"print a table of the keys instead, with values and defaults: of all, or only of "
			"MAPPING, such as tasks.segments; . is the file itself",
			0},
		{"format", OPTION_KEY_FORMAT, "FORMAT", 0,
			"of --keys: table, csv, json or markdown (default: table)", 0},
		{0},
	};
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "[scenario|campaign]",
		.doc = "Print the JSON Schema (draft 2020-12) of scenario files, or of campaign files."
		       "\vAn editor that knows it completes keys and marks mistakes: save it as "
		       "cegsim.schema.json and begin a scenario with the line\n\n"
		       "  # yaml-language-server: $schema=cegsim.schema.json",
	};
	struct schema_command request = {.subject = SCENARIO};
	options_parse(&argp, argc, argv, &request);
	return request.keys ? print_keys(&request) : print_schema(request.subject);
}
