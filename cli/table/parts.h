/* cli/table/parts.h - shared by the printed forms of a table (other code uses cli/table/table.h). */
#ifndef CEGSIM_CLI_TABLE_PARTS_H
#define CEGSIM_CLI_TABLE_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/table/table.h"

#define REAL_TEXT_MAX 64
#define FRACTION_MAX 6 /* enough for nanoseconds in milliseconds */

enum cell_kind { CELL_NULL, CELL_TEXT, CELL_INTEGER, CELL_REAL };

struct table_cell {
	enum cell_kind kind;
	const char *text;
	int64_t integer;
	double real;
};

/* The quantity in a column. For programs an energy has two columns: uJ, and the rest. */
enum table_quantity { QUANTITY_PLAIN, QUANTITY_TIME, QUANTITY_ENERGY, QUANTITY_REST };

struct table_column {
	char *name;
	enum table_quantity quantity;
	double per_unit; /* for people: ns per unit of a time; uW*ns per joule */
	char *unit;      /* NULL: none, or it is in the name */
	/* text form: width of the widest cell that is no real, or of the name; most columns before, and most
	 * digits behind, the point of a real */
	size_t width, whole, fraction;
	bool has_number, has_text;
	bool code; /* for markdown */
};

/* One form of table. cell() is called for each cell in order, with t->column; row() after the last cell of a
 * row; end() after the last row. */
struct table_format_calls {
	void (*begin)(struct table *t);
	void (*cell)(struct table *t, const struct table_cell *cell);
	void (*row)(struct table *t);
	void (*end)(struct table *t);
};

extern const struct table_format_calls table_plain, table_fitted, table_records, table_markdown;

/* A number for people: at most `fraction` digits behind the point, without trailing zeros; very large and
 * very small ones with an exponent and as many digits. Returns text. */
const char *table_readable(double value, int fraction, char text[REAL_TEXT_MAX]);

/* Whether this number, of a real, is padded with zeros behind the point, so that the points of a column
 * align. */
bool table_aligns(enum cell_kind kind, const char *number);

/* Adds a text that is safe for a terminal: control characters are replaced. If it is wider than `limit`, the
 * first limit - 2 columns are added, and an ellipsis. */
void table_add_clean(struct text *out, const char *value, size_t limit);

/* Finds the end of the line that begins at `text`, if it is broken at `width`: after the last blank, or the
 * last character of `behind`, that fits; else inside a word that is wider than the line, and then *torn (may
 * be NULL) is true. A line has at least one character. Blanks at the break belong to neither line: *next is
 * where the next line begins. */
size_t table_break(const char *text, size_t width, const char *behind, const char **next, bool *torn);

/* Prints `text` broken at `width`; from the second line on it is indented by `indent` blanks. */
void table_print_broken(FILE *out, const char *text, size_t width, size_t indent, const char *behind);

/* Prints a line of a record: "name | value", with the name padded to `names` columns. A value that does not
 * fit the width (0: no limit) is continued below itself. */
void table_print_record(FILE *out, const char *name, size_t names, const char *value, size_t width);

void table_print_repeated(FILE *out, char c, size_t count);

#endif
