/* cli/table/layout.h - lays rows out to fit a width (cli/table/table.h lists the steps). */
#ifndef CEGSIM_CLI_TABLE_LAYOUT_H
#define CEGSIM_CLI_TABLE_LAYOUT_H

#include "cli/table/parts.h"

#define LAYOUT_GAP 2    /* blanks between two columns of the table */
#define LAYOUT_NOTES 12 /* most texts of a column that become notes */
#define LAYOUT_HEAD_LINES 3
#define LAYOUT_KEYS 3 /* most columns that identify a row */

struct layout_cell {
	enum cell_kind kind;
	const char *text; /* as shown; for a real the exact number (%a) */
};

/* How the texts of a column are shown. */
enum layout_texts { TEXTS_WHOLE, TEXTS_CUT, TEXTS_CUT_INSIDE, TEXTS_BROKEN, TEXTS_NOTED };

struct layout_column {
	char *head;    /* the name, with its unit */
	bool constant; /* said above the table; not a column of it */
	bool number;   /* aligned right */
	enum layout_texts texts;
	int fraction; /* digits behind the point for its reals */
	size_t width;
	const char *notes[LAYOUT_NOTES];
	size_t note_count;
};

struct table_layout {
	size_t width;       /* the width to fit */
	size_t rows, count; /* number of rows and columns of cells */
	const struct layout_cell *cells;
	struct layout_column *columns;
	size_t keys[LAYOUT_KEYS]; /* the columns that identify a row */
	size_t key_count;
	size_t *scratch;   /* room for the columns of a block, LAYOUT_KEYS more than there are */
	size_t head_lines; /* most lines of a header */
	int digits;        /* significant digits that the greatest real of a column keeps; 0: all */
	bool failed;       /* out of memory: something is not printed, or not as it should be */
};

/* Chooses how every column is shown. heads, cells and scratch must be set. Columns that still do not fit go
 * into further blocks. */
void layout_choose(struct table_layout *f);

/* Adds as much of a text as fits, with an ellipsis for the rest: at the end, or inside. If only half of a
 * wide character would fit, the result is one column narrower. */
void layout_cut(const char *text, size_t width, bool inside, struct text *out);

/* Whether all columns fit side by side. */
bool layout_fits(const struct table_layout *f);

/* The block that begins with the column `first`: writes the indices of its columns, from left to right. All
 * blocks but the first begin with the columns that identify a row. Returns the first column of the next
 * block; f->count: this is the last one. `columns` is as large as f->scratch. */
size_t layout_block(const struct table_layout *f, size_t first, size_t *columns, size_t *count);

/* A cell as it is shown; if its column is cut or broken, the whole text. Valid as long as `number`. */
const char *layout_text(const struct table_layout *f, size_t row, size_t column, char number[REAL_TEXT_MAX]);

#endif
