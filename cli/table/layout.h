/* cli/table/layout.h - how rows are laid out to fit a width (cli/table/table.h says in which steps). */
#ifndef CEGSIM_CLI_TABLE_LAYOUT_H
#define CEGSIM_CLI_TABLE_LAYOUT_H

#include "cli/table/parts.h"

#define LAYOUT_GAP 2    /* columns between two of the table's */
#define LAYOUT_NOTES 12 /* at most so many texts of a column become notes */
#define LAYOUT_HEAD_LINES 3
#define LAYOUT_KEYS 3 /* columns that say which row it is, at most */

struct layout_cell {
	enum cell_kind kind;
	const char *text; /* as it is shown; of a real the number, exactly (%a) */
};

/* What becomes of a column's texts. */
enum layout_texts { TEXTS_WHOLE, TEXTS_CUT, TEXTS_CUT_INSIDE, TEXTS_BROKEN, TEXTS_NOTED };

struct layout_column {
	char *head;    /* the name, with its unit */
	bool constant; /* said above the table, no column of it */
	bool number;   /* stands to the right */
	enum layout_texts texts;
	int fraction; /* digits behind the point of its reals */
	size_t width;
	const char *notes[LAYOUT_NOTES];
	size_t note_count;
};

struct table_layout {
	size_t width;       /* to fit */
	size_t rows, count; /* rows and columns of cells */
	const struct layout_cell *cells;
	struct layout_column *columns;
	size_t keys[LAYOUT_KEYS]; /* the columns that tell rows apart */
	size_t key_count;
	size_t *scratch;   /* room for the columns of a block, LAYOUT_KEYS more than there are */
	size_t head_lines; /* a header may take so many */
	int digits;        /* that the greatest real of a column keeps; 0: all */
};

/* Chooses how every column is shown; heads, cells and scratch are given. What does not fit then is for
 * further blocks. */
void layout_choose(struct table_layout *f);

/* Adds as much of a text as fits, with an ellipsis in place of the rest: at its end, or inside. Of a wide
 * character only half may fit: then it is one column less. */
void layout_cut(const char *text, size_t width, bool inside, struct text *out);

/* Whether all columns stand side by side in the width. */
bool layout_fits(const struct table_layout *f);

/* The block that begins with the column `first`: writes the numbers of its columns, from left to right, of
 * which all but the first block have those in front that say which row it is. Returns where the next block
 * begins; f->count: this is the last. `columns` is like f->scratch. */
size_t layout_block(const struct table_layout *f, size_t first, size_t *columns, size_t *count);

/* A cell as it is shown, but whole where its column is cut or broken. Valid until `number` goes. */
const char *layout_text(const struct table_layout *f, size_t row, size_t column, char number[REAL_TEXT_MAX]);

#endif
