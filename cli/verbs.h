/* cli/verbs.h - the commands of the program, one file each (cli/<verb>.c).
 *
 * A command gets the arguments behind `cegsim`, its own name first (argv[0] is
 * "cegsim run", for messages), parses them with argp, writes results to standard output
 * and errors to standard error, and returns the exit code (enum status). */
#ifndef CEGSIM_CLI_VERBS_H
#define CEGSIM_CLI_VERBS_H

#include <stddef.h>

struct verb {
	const char *name, *summary; /* the summary is one line of `cegsim --help`; NULL: it is not in there */
	int (*run)(int argc, char **argv);
};

/* The command number `i`, from 0, in the order of `cegsim --help`; NULL: there are no more. */
const struct verb *verb_at(size_t i);

int verb_analyze(int argc, char **argv);
int verb_audit(int argc, char **argv);
int verb_calibrate(int argc, char **argv);
int verb_complete(int argc, char **argv);
int verb_gen(int argc, char **argv);
int verb_import(int argc, char **argv);
int verb_list(int argc, char **argv);
int verb_merge(int argc, char **argv);
int verb_plot(int argc, char **argv);
int verb_query(int argc, char **argv);
int verb_replay(int argc, char **argv);
int verb_run(int argc, char **argv);
int verb_schema(int argc, char **argv);
int verb_search(int argc, char **argv);
int verb_sweep(int argc, char **argv);
int verb_trace(int argc, char **argv);
int verb_validate(int argc, char **argv);
int verb_view(int argc, char **argv);

#endif
