/* cli/table/table.h - results as a table to read, as records, as CSV, as JSON, or for a page in Markdown.
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
 *       are cut at TABLE_TEXT_COLUMNS, those of the last column at TABLE_LAST_COLUMNS.
 *       On a terminal, or after table_fit(), the table is made to fit a width instead, see below.
 * records  "column | value" in a line each, and a rule between rows; nothing is cut.
 * csv   fields as in RFC 4180, a line feed ends a line; null is an empty field, an empty
 *       text is "".
 * json  an array of objects, one per line. Numbers are numbers; reals read back exactly.
 *       A column name that occurs again gets ":1", ":2", ... appended.
 * markdown  a pipe table, nothing cut; what its signs would change is escaped.
 *       A column named TABLE_CODE("law") is `code` there.
 *
 * How a table is made to fit: each step is only done if those before it do not suffice; those that lose
 * nothing come first.
 *
 * 1. Columns with the same value in all rows (at least two rows) are said once, above the table.
 *    A single row that does not fit is printed as a record.
 * 2. Names wider than their values are broken at underscores, into two lines, then three.
 * 3. Reals lose digits: the greatest of a column keeps four that count, the least that is not 0 keeps one.
 * 4. Texts, widest first: prose in the last column is broken into lines; long texts of which there are few
 *    become numbers that notes below the table spell out; others are cut to not less than TABLE_CUT_COLUMNS.
 * 5. What still does not fit goes on in a second table below the first, with the columns in front that say
 *    which row it is. Records would take a line for every value, so that rows could no longer be compared,
 *    which is what tables are for; a line that the terminal breaks where it likes can be neither read nor
 *    compared.
 *
 * Times and energies. A command's own table names such a column TABLE_MS("bound"), TABLE_US("max") or
 * TABLE_JOULES("energy"), and fills it with table_time() or table_energy(). People read bound_ms, max_us and
 * energy_j; programs get whole numbers that lose nothing: bound_ns, max_ns, and energy_uj and
 * energy_rest_uwns, of which energy_uj * 10^9 + energy_rest_uwns is the energy in uW*ns, as in a recording.
 *
 * What a step took beyond need is given back. A header carries its column's unit where its name does not
 * (table_unit()). Behind TABLE_BUFFERED rows comes a new table, fitted anew. */
#ifndef CEGSIM_CLI_TABLE_TABLE_H
#define CEGSIM_CLI_TABLE_TABLE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/int128.h"
#include "base/text.h"

enum table_format { TABLE_TEXT, TABLE_CSV, TABLE_JSON, TABLE_RECORDS, TABLE_MARKDOWN };

#define TABLE_BUFFERED 1000
#define TABLE_TEXT_COLUMNS 100
#define TABLE_LAST_COLUMNS 1000 /* nothing is moved by it: whole sentences, such as why a run failed */
#define TABLE_CUT_COLUMNS 12
#define TABLE_WIDTH_MIN 40
#define TABLE_WIDTH_MAX 10000

/* Columns for table_time() and table_energy(), see above: a name, and the unit for people. */
#define TABLE_MS(name) name "\001ms"
#define TABLE_US(name) name "\001us"
#define TABLE_JOULES(name) name "\001j"
/* A name that a user can type: markdown shows it as code. */
#define TABLE_CODE(name) name "\001code"

struct table_column;
struct table_format_calls;
struct table {
	FILE *out;
	const struct table_format_calls *calls;
	struct table_column *columns;
	size_t column_count;
	size_t column;      /* of the next cell */
	size_t rows;        /* number of complete rows */
	size_t width;       /* of the terminal; 0: no limit */
	size_t buffered;    /* fitted: number of complete rows in the buffer */
	size_t names;       /* records: width of the names */
	bool streaming;     /* text: widths are fixed */
	bool failed;        /* out of memory */
	struct text buffer; /* text: cells of the rows that are not printed yet */
};

/* `columns` must have at least one name; they are copied. table_end() reports if memory ran out. */
void table_begin(
	struct table *t, FILE *out, enum table_format format, const char *const *columns, size_t count);

/* Before the first cell: fits the table into `width` columns; 0: no limit. Without this call the terminal's
 * width is used, if `out` is a terminal. Forms for programs ignore it. */
void table_fit(struct table *t, size_t width);

/* Before the first cell: sets the unit of a column whose name does not contain it. Only fitted tables and
 * records show it; it is copied. */
void table_unit(struct table *t, size_t column, const char *unit);

/* The width of the terminal that is `out`, from TABLE_WIDTH_MIN to TABLE_WIDTH_MAX: as it says itself, else
 * from the variable COLUMNS, else 80. 0: `out` is no terminal. */
size_t table_terminal_width(FILE *out);

void table_text(struct table *t, const char *value); /* NULL: null */
/* What has been put together; if an addition to it was lost, table_end() says so. */
void table_built(struct table *t, const struct text *value);
void table_integer(struct table *t, int64_t value);
void table_real(struct table *t, double value); /* not a number: null */
void table_null(struct table *t);               /* for an energy: in both of its columns */
/* Only for columns of this kind. A time that is given in fractions of a nanosecond is rounded. */
void table_time(struct table *t, int64_t ns);
void table_energy(struct table *t, int128 uwns);

/* Prints what is left and frees the table. False: out of memory, or `out` could not be written. The last row
 * must be complete. */
MUST_CHECK bool table_end(struct table *t, struct error *err);

#endif
