/* policies/pipe/command.h - for policies/pipe/pipe.c: a command that users give as text, its words, and the
 * files among them. */
#ifndef CEGSIM_POLICIES_PIPE_COMMAND_H
#define CEGSIM_POLICIES_PIPE_COMMAND_H

#include <stddef.h>

#include "base/error.h"

#define COMMAND_DIGEST_DIGITS 16

struct command {
	char **words; /* [count], then NULL: as for execvp(3) */
	size_t count;
	char *folder; /* it runs there; NULL: in the current one */
	/* The words in one line, quoted where need be. */
	char *line;
	/* Of the first file among the words behind the program; if there is none, of the program: its name
	 * without folders. */
	char *name;
	/* The first digits of the SHA-256 of all files among the words, one behind the other; if there are
	 * none, of the program's file. */
	char digest[COMMAND_DIGEST_DIGITS + 1];
};

/* Cuts a text at its blanks. Those between quotes (' or "), or behind a backslash, are kept. Nothing is
 * expanded: no shell sees the text. free() each word and the list. False: *err is a clause, such as a quote
 * is not closed */
MUST_CHECK bool command_split(const char *text, char ***words, size_t *count, struct error *err);
void command_free_words(char **words, size_t count); /* accepts NULL */

/* Finds and reads the files. The words are copied; `folder` NULL: the current one. False: *err is a clause,
 * such as there is no program 'pyhton3' Call command_finish() either way. */
MUST_CHECK bool command_init(
	struct command *c, const char *const *words, size_t count, const char *folder, struct error *err);
void command_finish(struct command *c); /* accepts a zeroed one */

#endif
