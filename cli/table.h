/* cli/table.h - results as a table to read, as CSV, or as JSON.
 *
 *   struct table t;
 *   table_begin(&t, stdout, TABLE_CSV, columns, 2);
 *   for (...) {
 *           table_text(&t, name);          cells from left to right, row by row
 *           table_integer(&t, jobs);
 *   }
 *   if (!table_end(&t, &err)) ...          always to be called
 *
 * text  aligned columns; numbers to the right, reals with the same digits behind the point
 *       in all of a column (at most 6), null as "-". The first TABLE_BUFFERED rows decide
 *       the widths; later rows are printed at once. Control characters are replaced, texts
 *       are cut at TABLE_TEXT_COLUMNS.
 * csv   fields as in RFC 4180, a line feed ends a line; null is an empty field, an empty
 *       text is "".
 * json  an array of objects, one per line. Numbers are numbers; reals read back exactly.
 *       A column name that occurs again gets ":1", ":2", ... appended. */
#ifndef CEGSIM_CLI_TABLE_H
#define CEGSIM_CLI_TABLE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/text.h"

enum table_format { TABLE_TEXT, TABLE_CSV, TABLE_JSON };

#define TABLE_BUFFERED 1000
#define TABLE_TEXT_COLUMNS 100

struct table_column;
struct table_format_calls;
struct table {
	FILE *out;
	const struct table_format_calls *calls;
	struct table_column *columns;
	size_t column_count;
	size_t column;                    /* of the next cell */
	size_t rows;                      /* completed */
	bool streaming;                   /* text: the widths are settled */
	bool failed;                      /* out of memory */
	struct text buffer;               /* text: cells of the rows not yet printed */
};

/* `columns` must have at least one name; they are copied. Running out of memory is reported
 * by table_end(). */
void table_begin(struct table *t, FILE *out, enum table_format format, const char *const *columns,
	size_t count);

void table_text(struct table *t, const char *value);       /* NULL: null */
void table_integer(struct table *t, int64_t value);
void table_real(struct table *t, double value);            /* not a number: null */
void table_null(struct table *t);

/* Prints what is left and frees. False: out of memory, or `out` could not be written. The
 * last row must be complete. */
MUST_CHECK bool table_end(struct table *t, struct error *err);

#endif
