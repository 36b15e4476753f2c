/* base/say.h - sentences for people. What their arguments bring comes from options, files and recordings, and
 * may be anything; the format is the program's own. So that no stranger's text reaches a terminal as a
 * control code, or begins a line that looks like one of ours, what is not printable is replaced.
 *
 * All that the program prints goes through here or through a table (cli/table/table.h), or is for other
 * programs (CSV, JSON, YAML): the test `printing` looks for printf(). */
#ifndef CEGSIM_BASE_SAY_H
#define CEGSIM_BASE_SAY_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

/* As fprintf(), but line feeds and tabs must be in the format: those of an argument become blanks. If memory
 * runs out, a long sentence is cut. */
void say(FILE *out, const char *fmt, ...) PRINTF_LIKE(2, 3);
void say_list(FILE *out, const char *fmt, va_list args) PRINTF_LIKE(2, 0);

/* The same into a buffer of at least 4 bytes: what does not fit is cut between two characters, and ends with
 * "...".
 */
void say_into(char *buffer, size_t size, const char *fmt, va_list args) PRINTF_LIKE(3, 0);

#endif
