/* cli/schema.c - owns `cegsim schema`: the JSON Schema of scenario files. */
#include <stdio.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/options.h"
#include "cli/verbs.h"
#include "scenarios/scenario.h"

static error_t parse(int key, char *arg, struct argp_state *state)
{
	if (key == ARGP_KEY_ARG)
		argp_error(state, "no argument is wanted; '%s' is too much", arg);
	return ARGP_ERR_UNKNOWN;
}

int verb_schema(int argc, char **argv)
{
	static const struct argp argp = {
		.parser = parse,
		.doc = "Print the JSON Schema (draft 2020-12) of scenario files."
		       "\vAn editor that knows it completes keys and marks mistakes: save it as cegsim.schema.json "
		       "and begin a scenario with the line\n\n"
		       "  # yaml-language-server: $schema=cegsim.schema.json",
	};
	if (argp_parse(&argp, argc, argv, 0, NULL, NULL) != 0)
		return STATUS_IO;
	struct error err;
	struct text schema = {0};
	scenario_schema(&schema);
	if (!text_ok(&schema, "printing the schema", &err)) {
		text_finish(&schema);
		return error_report(&err);
	}
	fputs(text_data(&schema), stdout);
	text_finish(&schema);
	return STATUS_OK;
}
