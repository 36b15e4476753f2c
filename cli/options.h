/* cli/options.h - what the commands' option parsers share: values of options, and the
 * way errors are printed. A wrong value ends the program like any usage error: one line
 * with the reason, one that points at --help, exit code 2. */
#ifndef CEGSIM_CLI_OPTIONS_H
#define CEGSIM_CLI_OPTIONS_H

#include <stdint.h>

/* argp.h brings getopt's struct option along; the name is that of a policy's option
 * (models/params.h). Commands include this file instead of argp.h. */
#define option getopt_option
#include <argp.h>
#undef option

#include "base/error.h"
#include "cli/table/table.h"
#include "db/parameters.h"

/* Keys of options without a letter. A command's own ones start at OPTION_KEY_OWN. */
enum option_key {
	OPTION_KEY_FORMAT = 0x100,
	OPTION_KEY_OWN = 0x200,
};

/* Row of an option table for --format; option_format() reads its value. */
#define OPTION_FORMAT                                                                                        \
	{                                                                                                    \
		"format", OPTION_KEY_FORMAT, "FORMAT", 0, "print as table, csv or json (default: table)", 0  \
	}

/* Each reads `arg`, the value of the option (or argument) `name`, and does not return if
 * it is wrong. */
enum table_format option_format(struct argp_state *state, const char *arg);
int64_t option_integer(struct argp_state *state, const char *name, const char *arg, int64_t min, int64_t max);
/* Index into choices, which end with NULL. */
size_t option_choice(struct argp_state *state, const char *name, const char *arg, const char *const *choices);

/* An instant or a duration with its unit, such as 12ms, in ns. */
int64_t option_time(struct argp_state *state, const char *name, const char *arg);
/* Adds NAME=VALUE, the value of --param. */
void option_param(struct argp_state *state, struct parameters *parameters, const char *arg);

/* Prints "cegsim: error: text" and returns err->status. The text of an error that knows its place
 * in a file ("file:line:col: error: ...") is printed as it is. */
int error_report(const struct error *err);

#endif
