/* base/diagnostics.h - a list of errors in an input, each with its place.
 *
 * Readers report everything they find; the caller prints all of it at once, as
 * "file:line:col: error: text", and ends with exit code 2. */
#ifndef CEGSIM_BASE_DIAGNOSTICS_H
#define CEGSIM_BASE_DIAGNOSTICS_H

#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"

struct diagnostic {
	unsigned line, column; /* from 1; 0: the place is not known */
	unsigned origin;       /* of the place, where an input is made of several texts; 0: the first one */
	char *text;
};

struct diagnostics {
	char *file; /* name printed in front; owned */
	struct diagnostic *items;
	size_t count;
	size_t dropped; /* beyond DIAGNOSTICS_MAX, or out of memory */
};

#define DIAGNOSTICS_MAX 200 /* a file of junk must not print for ever */

/* An error with the same text at the same place is listed once: where an alias is used again, or a value for
 * many tasks. */
void diagnostics_init(struct diagnostics *d, const char *file);
void diagnostics_finish(struct diagnostics *d);
void diagnostics_add(struct diagnostics *d, unsigned line, unsigned column, const char *fmt, ...)
	PRINTF_LIKE(4, 5);
/* The same, for readers with a function of their own. */
void diagnostics_add_list(struct diagnostics *d, unsigned line, unsigned column, const char *fmt,
	va_list args) PRINTF_LIKE(4, 0);
void diagnostics_sort(struct diagnostics *d); /* by line and column */
/* Sorted, one per line; says how many were dropped. */
void diagnostics_print(struct diagnostics *d, FILE *out);

#endif
