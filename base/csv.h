/* base/csv.h - reading a CSV file that people write: cells between commas, without the blanks around them. A
 * cell may be in double quotes; a quote inside it is doubled. Lines that are empty or begin with # are
 * skipped, and the first of the others may name the columns.
 *
 *   struct csv csv = csv_of(text, columns, 4);
 *   while (csv_next(&csv))
 *           ... csv.fault, csv_is_header(&csv), csv.cells[0 .. csv.count - 1] */
#ifndef CEGSIM_BASE_CSV_H
#define CEGSIM_BASE_CSV_H

#include <stdbool.h>
#include <stdint.h>

#define CSV_COLUMNS_MAX 8

enum csv_fault {
	CSV_FINE,
	CSV_QUOTE, /* a quote without its partner, or with something behind it */
	CSV_MORE   /* more cells than columns; `count` has their number, only the first `most` are stored */
};

struct csv_cell {
	char *text;
	unsigned column; /* in the line, from 1 */
};

struct csv {
	char *rest;                 /* what is left of the text; NULL: no more lines */
	const char *const *columns; /* their names, [most] */
	uint32_t most;
	unsigned line; /* from 1 */
	uint32_t row;  /* of the lines that were not skipped, from 1 */
	enum csv_fault fault;
	unsigned fault_column; /* the column at which the wrong cell begins */
	uint32_t count;
	struct csv_cell cells[CSV_COLUMNS_MAX];
};

/* `text` ends with a NUL, is written into, and must outlive the cells. */
struct csv csv_of(char *text, const char *const *columns, uint32_t most);
/* Cuts the next line; false: there is none. */
bool csv_next(struct csv *c);
/* Whether this is the first row and its cells are names of columns, in their order. */
bool csv_is_header(const struct csv *c);

#endif
