/* cli/schema.c - `cegsim schema`: prints the JSON Schemas of scenario and campaign files. */
#include <stdio.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/options.h"
#include "cli/verbs.h"
#include "scenarios/campaign_file.h"
#include "scenarios/scenario.h"

enum schema_subject { SCENARIO, CAMPAIGN };

static error_t parse(int key, char *arg, struct argp_state *state)
{
	static const char *const subjects[] = {"scenario", "campaign", NULL};
	enum schema_subject *subject = state->input;
	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	if (state->arg_num > 0)
		argp_error(state, "no further argument is wanted; '%s' is too much", arg);
	*subject = (enum schema_subject)option_choice(state, "subject", arg, subjects);
	return 0;
}

int verb_schema(int argc, char **argv)
{
	static const struct argp argp = {
		.parser = parse,
		.args_doc = "[scenario|campaign]",
		.doc = "Print the JSON Schema (draft 2020-12) of scenario files, or of campaign files."
		       "\vAn editor that knows it completes keys and marks mistakes: save it as "
		       "cegsim.schema.json and begin a scenario with the line\n\n"
		       "  # yaml-language-server: $schema=cegsim.schema.json",
	};
	enum schema_subject subject = SCENARIO;
	if (options_parse(&argp, argc, argv, &subject) != 0)
		return STATUS_IO;
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
