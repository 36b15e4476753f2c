/* cli/options.h - code for the option parsers of the commands: options that many commands have, values of
 * options, and the printing of errors. A wrong value ends the program like any usage error: one line with the
 * reason, one that refers to --help, and exit code 2. */
#ifndef CEGSIM_CLI_OPTIONS_H
#define CEGSIM_CLI_OPTIONS_H

#include <stdint.h>

/* argp.h brings getopt's struct option; that name is also used for a policy's option (models/params.h). So
 * commands include this file in place of argp.h. */
#define option getopt_option
#include <argp.h>
#undef option

#include "base/error.h"
#include "cli/table/table.h"
#include "db/parameters.h"
#include "db/writer.h"

/* Keys of options without a letter. A command's own ones start at OPTION_KEY_OWN. */
enum option_key {
	OPTION_KEY_FORMAT = 0x100,
	OPTION_KEY_FORCE,
	OPTION_KEY_TIMEOUT,
	OPTION_KEY_BOUNDS,
	OPTION_KEY_WRITER,
	OPTION_KEY_OWN = 0x200,
};

/* Values of the options that many commands have. */
struct given {
	const char *noun; /* names the one file that the command takes; NULL: the command handles its
			     arguments itself */
	const char *file, *output;
	bool force, quiet, verbose;
	enum table_format format;
	enum writer_kind writer; /* zeroed: pages */
};

/* As argp_parse(), but if that fails, which is for memory, it says so and ends the program with STATUS_IO. */
void options_parse_as(const struct argp *argp, int argc, char **argv, unsigned flags, void *input);
/* The same without flags. Every command calls this one, so that completion knows the tables that commands
 * parse with. */
void options_parse(const struct argp *argp, int argc, char **argv, void *input);

/* For completion. options_parse() calls `table` in place of parsing, which does not return; and
 * option_choice() gives its words to `choices` and ends the program. */
struct options_asked {
	void (*table)(const struct argp *argp, void *input);
	void (*choices)(const char *const *choices);
};
void options_ask(const struct options_asked *ask);

/* Rows for the option table of a command; `says` is the help text. */
#define OPTION_OUTPUT(name, says)                                                                            \
	{                                                                                                    \
		"output", 'o', name, 0, says, 0                                                              \
	}
#define OPTION_FORCE(says)                                                                                   \
	{                                                                                                    \
		"force", OPTION_KEY_FORCE, NULL, 0, says, 0                                                  \
	}
#define OPTION_QUIET(says)                                                                                   \
	{                                                                                                    \
		"quiet", 'q', NULL, 0, says, 0                                                               \
	}
#define OPTION_VERBOSE(says)                                                                                 \
	{                                                                                                    \
		"verbose", 'v', NULL, 0, says, 0                                                             \
	}
#define OPTION_FORMAT                                                                                        \
	{                                                                                                    \
		"format", OPTION_KEY_FORMAT, "FORMAT", 0, "print as table, csv or json (default: table)", 0  \
	}

#define OPTION_WRITER                                                                                        \
	{                                                                                                    \
		"writer", OPTION_KEY_WRITER, "WRITER", 0,                                                    \
			"what writes the rows of jobs, intervals and blocks: pages (default), or sqlite, "   \
			"which is slower and leaves the same rows",                                          \
			0                                                                                    \
	}

/* Call it at the end of a command's own parser, for everything that this has not read. With a noun it reads
 * the file: exactly one is needed. */
error_t given_parse(int key, char *arg, struct argp_state *state, struct given *given);

/* Arguments that may be given several times, in their order. */
struct words {
	const char **at;
	uint32_t count;
};
/* Exits if memory runs out. */
void words_add(struct words *words, const char *word);
void words_finish(struct words *words);

/* Each of these reads `arg`, the value of the option (or argument) `name`; on a wrong value it exits. */
enum table_format option_format(struct argp_state *state, const char *arg);
enum table_format option_page_format(struct argp_state *state, const char *arg); /* also accepts markdown */
int64_t option_integer(struct argp_state *state, const char *name, const char *arg, int64_t min, int64_t max);
/* Index into choices, which end with NULL. */
size_t option_choice(struct argp_state *state, const char *name, const char *arg, const char *const *choices);

/* The default of --jobs: one worker per processor, at most `most`. */
uint32_t option_processors(uint32_t most);
/* An instant or a duration with its unit, such as 12ms, in ns. */
int64_t option_time(struct argp_state *state, const char *name, const char *arg);
/* Adds NAME=VALUE, the value of --param. */
void option_param(struct argp_state *state, struct parameters *parameters, const char *arg);

/* Prints "cegsim: error: text" and returns err->status. An error text that has its own place in a file
 * ("file:line:col: error: ...") is printed as it is. An empty text was told already. */
int error_report(const struct error *err);

#endif
