/* cli/table/parts.h - what the printed forms of a table share (cli/table/table.h is for everybody else). */
#ifndef CEGSIM_CLI_TABLE_PARTS_H
#define CEGSIM_CLI_TABLE_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/table/table.h"

#define REAL_TEXT_MAX 64
#define FRACTION_MAX 6 /* a nanosecond in milliseconds */

enum cell_kind { CELL_NULL, CELL_TEXT, CELL_INTEGER, CELL_REAL };

struct table_cell {
	enum cell_kind kind;
	const char *text;
	int64_t integer;
	double real;
};

/* What a column holds; of an energy programs get two columns, its uJ and the rest behind them. */
enum table_quantity { QUANTITY_PLAIN, QUANTITY_TIME, QUANTITY_ENERGY, QUANTITY_REST };

struct table_column {
	char *name;
	enum table_quantity quantity;
	double per_unit; /* for people: ns in the unit of a time, uW*ns in a joule */
	char *unit;      /* NULL: none, or its name says so */
	/* text: widest cell (the name is one) that is no real; the most columns before and
	 * digits behind the point of a real. */
	size_t width, whole, fraction;
	bool has_number, has_text;
	bool code; /* markdown */
};

/* One form. cell() is called for each cell in order, t->column being its own; row() behind the
 * last cell of a row; end() behind the last row. */
struct table_format_calls {
	void (*begin)(struct table *t);
	void (*cell)(struct table *t, const struct table_cell *cell);
	void (*row)(struct table *t);
	void (*end)(struct table *t);
};

extern const struct table_format_calls table_plain, table_fitted, table_records, table_markdown;

/* A number as people read it: at most `fraction` digits behind the point, none of them a needless zero; very
 * large and very small ones with an exponent and as many digits. Returns text. */
const char *table_readable(double value, int fraction, char text[REAL_TEXT_MAX]);

/* Whether such a number, a real, gets zeros behind the point, so that the points of a column align. */
bool table_aligns(enum cell_kind kind, const char *number);

/* Adds a text as it may reach a terminal: control characters are replaced. Of one that is wider than `limit`
 * the first limit - 2 columns are added, and an ellipsis. */
void table_add_clean(struct text *out, const char *value, size_t limit);

/* The end of the line that begins at `text` when it is broken at `width`: behind the last blank, or character
 * of `behind`, that fits, or within a word wider than the line, which *torn (NULL: nobody asks) tells. At
 * least one character; blanks at the break belong to neither line: *next is where the next one begins. */
size_t table_break(const char *text, size_t width, const char *behind, const char **next, bool *torn);

/* Prints `text` broken at `width`; from the second line on `indent` blanks stand in front. */
void table_print_broken(FILE *out, const char *text, size_t width, size_t indent, const char *behind);

/* A line of a record: "name | value", the name filled up to `names` columns; a value that does not fit the
 * width (0: no matter) goes on below itself. */
void table_print_record(FILE *out, const char *name, size_t names, const char *value, size_t width);

void table_print_repeated(FILE *out, char c, size_t count);

#endif
