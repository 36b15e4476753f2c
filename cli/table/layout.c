/* cli/table/layout.c - the steps that make a table fit a width (cli/table/table.h): what is said once, how
 * headers are broken, how many digits reals keep, and how long texts are shortened. */
#include "cli/table/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

#define DIGITS_MOST 8 /* most digits that reals have in the first step, and at the end */
#define DIGITS_LEAST 4
#define DIGITS_BACK 6  /* at most this many are given back */
#define NOTE_LONG 24   /* texts up to this length are cut rather than made notes */
#define PROSE_WIDTH 24 /* prose is broken into lines of at least this width */

static const struct layout_cell *cell_at(const struct table_layout *f, size_t row, size_t column)
{
	return &f->cells[row * f->count + column];
}

const char *layout_text(const struct table_layout *f, size_t row, size_t column, char number[REAL_TEXT_MAX])
{
	const struct layout_cell *cell = cell_at(f, row, column);
	const struct layout_column *c = &f->columns[column];
	if (cell->kind == CELL_REAL) {
		double value = strtod(cell->text, NULL);
		table_readable(value, c->fraction, number);
		if (table_aligns(CELL_REAL, number))
			snprintf(number, REAL_TEXT_MAX, "%.*f", c->fraction, value);
		return number;
	}
	for (size_t i = 0; cell->kind == CELL_TEXT && c->texts == TEXTS_NOTED && i < c->note_count; i++) {
		if (strcmp(c->notes[i], cell->text) == 0) {
			snprintf(number, REAL_TEXT_MAX, "[%zu]", i + 1);
			return number;
		}
	}
	return cell->text;
}

/* ---- widths ---- */

/* The least width at which the header takes no more lines than allowed, and no word is broken. */
static size_t head_width(const struct table_layout *f, const char *head)
{
	size_t whole = utf8_width(head);
	for (size_t width = 1; width < whole && f->head_lines > 1; width++) {
		size_t lines = 0;
		bool torn = false;
		for (const char *at = head; *at && !torn; lines++)
			table_break(at, width, "_", &at, &torn);
		if (!torn && lines <= f->head_lines)
			return width;
	}
	return whole;
}

/* Digits behind the point such that the greatest real keeps `digits` significant ones, and the least that is
 * not 0 keeps one: what is not 0 must not look like 0. */
static int fraction_limit(const struct table_layout *f, size_t column)
{
	double greatest = 0, least = INFINITY;
	for (size_t row = 0; row < f->rows; row++) {
		const struct layout_cell *cell = cell_at(f, row, column);
		double size = cell->kind == CELL_REAL ? fabs(strtod(cell->text, NULL)) : 0;
		if (size < 1e-6 || size >= 1e15)
			continue;
		greatest = fmax(greatest, size);
		least = fmin(least, size);
	}
	if (f->digits == 0 || greatest == 0 || f->columns[column].constant)
		return FRACTION_MAX;
	int kept = f->digits - 1 - (int)floor(log10(greatest)), seen = -(int)floor(log10(least));
	int limit = kept > seen ? kept : seen;
	return limit < 0 ? 0 : limit > FRACTION_MAX ? FRACTION_MAX : limit;
}

static void measure_fraction(struct table_layout *f, size_t column)
{
	char number[REAL_TEXT_MAX];
	int limit = fraction_limit(f, column), needed = 0;
	for (size_t row = 0; row < f->rows; row++) {
		const struct layout_cell *cell = cell_at(f, row, column);
		if (cell->kind != CELL_REAL)
			continue;
		table_readable(strtod(cell->text, NULL), limit, number);
		const char *point = table_aligns(CELL_REAL, number) ? strchr(number, '.') : NULL;
		int has = point ? (int)strlen(point + 1) : 0;
		needed = has > needed ? has : needed;
	}
	f->columns[column].fraction = needed;
}

static size_t values_width(const struct table_layout *f, size_t column)
{
	char number[REAL_TEXT_MAX];
	size_t widest = 0;
	for (size_t row = 0; row < f->rows; row++) {
		size_t width = utf8_width(layout_text(f, row, column, number));
		widest = width > widest ? width : widest;
	}
	return widest;
}

static void measure(struct table_layout *f)
{
	for (size_t i = 0; i < f->count; i++) {
		struct layout_column *c = &f->columns[i];
		measure_fraction(f, i);
		size_t values = values_width(f, i), head = head_width(f, c->head);
		c->width = values > head ? values : head;
	}
}

/* The width of all columns side by side. */
static size_t total_width(const struct table_layout *f)
{
	size_t width = 0;
	for (size_t i = 0; i < f->count; i++)
		width += f->columns[i].constant ? 0 : f->columns[i].width + LAYOUT_GAP;
	return width > 0 ? width - LAYOUT_GAP : 0;
}

bool layout_fits(const struct table_layout *f)
{
	return total_width(f) <= f->width;
}

/* ---- what is said once ---- */

static bool same_everywhere(const struct table_layout *f, size_t column)
{
	const struct layout_cell *first = cell_at(f, 0, column);
	for (size_t row = 1; row < f->rows; row++) {
		const struct layout_cell *cell = cell_at(f, row, column);
		if (cell->kind != first->kind || strcmp(cell->text, first->text) != 0)
			return false;
	}
	return true;
}

/* Takes columns with one value out of the table; at least one column stays. */
static void take_out_constants(struct table_layout *f)
{
	size_t left = f->count;
	for (size_t i = f->count; i-- > 0 && f->rows >= 2;) {
		if (left == 1 || !same_everywhere(f, i))
			continue;
		f->columns[i].constant = true;
		left--;
	}
}

/* ---- blocks ---- */

static bool rows_differ(const struct table_layout *f, size_t a, size_t b, const size_t *columns, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(cell_at(f, a, columns[i])->text, cell_at(f, b, columns[i])->text) != 0)
			return true;
	return false;
}

static bool rows_are_told_apart(const struct table_layout *f, const size_t *columns, size_t count)
{
	for (size_t a = 0; a < f->rows; a++)
		for (size_t b = a + 1; b < f->rows; b++)
			if (!rows_differ(f, a, b, columns, count))
				return false;
	return true;
}

/* The fewest leading columns that distinguish all rows; at most LAYOUT_KEYS, which may not be enough. */
static void choose_keys(struct table_layout *f)
{
	for (size_t i = 0; i < f->count && f->key_count < LAYOUT_KEYS; i++) {
		if (f->columns[i].constant)
			continue;
		f->keys[f->key_count++] = i;
		if (rows_are_told_apart(f, f->keys, f->key_count))
			return;
	}
}

/* Writes the columns that each further block repeats, as many as fit half of the width; returns their
 * number. */
static size_t key_columns(const struct table_layout *f, size_t *columns)
{
	size_t count = 0, width = 0;
	for (; count < f->key_count; count++) {
		width += f->columns[f->keys[count]].width + LAYOUT_GAP;
		if (width > f->width / 2)
			break;
		columns[count] = f->keys[count];
	}
	return count;
}

size_t layout_block(const struct table_layout *f, size_t first, size_t *columns, size_t *count)
{
	size_t keys = first > 0 ? key_columns(f, columns) : 0, used = 0, next = first;
	for (size_t i = 0; i < keys; i++)
		used += f->columns[columns[i]].width + LAYOUT_GAP;
	*count = keys;
	for (; next < f->count; next++) {
		const struct layout_column *c = &f->columns[next];
		if (c->constant)
			continue;
		if (*count > keys && used + c->width > f->width)
			break;
		used += c->width + LAYOUT_GAP;
		columns[(*count)++] = next;
	}
	return next;
}

static size_t count_blocks(const struct table_layout *f)
{
	size_t blocks = 0, count;
	for (size_t next = 0; next < f->count; blocks++)
		next = layout_block(f, next, f->scratch, &count);
	return blocks;
}

/* ---- long texts ---- */

static bool has_blanks(const struct table_layout *f, size_t column)
{
	for (size_t row = 0; row < f->rows; row++) {
		const struct layout_cell *cell = cell_at(f, row, column);
		if (cell->kind == CELL_TEXT && strchr(cell->text, ' '))
			return true;
	}
	return false;
}

/* Whether a text is JSON, which must not be broken like prose. */
static bool is_data(const struct table_layout *f, size_t column)
{
	for (size_t row = 0; row < f->rows; row++) {
		const struct layout_cell *cell = cell_at(f, row, column);
		if (cell->kind == CELL_TEXT && (cell->text[0] == '{' || cell->text[0] == '['))
			return true;
	}
	return false;
}

static bool is_last(const struct table_layout *f, size_t column)
{
	while (++column < f->count)
		if (!f->columns[column].constant)
			return false;
	return true;
}

/* Collects the different texts of a column; false: there are too many for notes. */
static bool collect_notes(struct table_layout *f, size_t column)
{
	struct layout_column *c = &f->columns[column];
	c->note_count = 0;
	for (size_t row = 0; row < f->rows; row++) {
		const struct layout_cell *cell = cell_at(f, row, column);
		size_t i = 0;
		while (i < c->note_count && strcmp(c->notes[i], cell->text) != 0)
			i++;
		if (cell->kind != CELL_TEXT || i < c->note_count)
			continue;
		if (c->note_count == LAYOUT_NOTES)
			return false;
		c->notes[c->note_count++] = cell->text;
	}
	return true;
}

/* The widest column of texts that has not been changed yet and can become narrower. */
static struct layout_column *widest_texts(struct table_layout *f)
{
	struct layout_column *widest = NULL;
	for (size_t i = 0; i < f->count; i++) {
		struct layout_column *c = &f->columns[i];
		if (!c->number && !c->constant && c->texts == TEXTS_WHOLE && c->width > TABLE_CUT_COLUMNS &&
			c->width > head_width(f, c->head) && (!widest || c->width > widest->width))
			widest = c;
	}
	return widest;
}

void layout_cut(const char *text, size_t width, bool inside, struct text *out)
{
	size_t front = inside ? width / 2 : width - 1, back = width - 1 - front, skip = 0, used = 0;
	const char *at = text;
	while (*at) { /* as many columns as fit from the front on */
		size_t length = utf8_length(at);
		char character[5] = "";
		memcpy(character, at, length ? length : 1);
		if (used + utf8_width(character) > front)
			break;
		used += utf8_width(character);
		text_add(out, character);
		at += length ? length : 1;
	}
	text_add(out, "\u2026");
	for (size_t rest = utf8_width(at); rest > back; at += skip) {
		skip = utf8_length(at);
		skip = skip ? skip : 1;
		char character[5] = "";
		memcpy(character, at, skip);
		rest -= utf8_width(character);
	}
	text_add(out, at);
}

/* Whether two consecutive rows differ, but would look the same with their texts cut. */
static bool cut_hides(struct table_layout *f, size_t column, bool inside)
{
	struct text one = {0}, other = {0};
	bool hides = false;
	for (size_t row = 1; row < f->rows && !hides; row++) {
		const char *a = cell_at(f, row - 1, column)->text, *b = cell_at(f, row, column)->text;
		size_t width = f->columns[column].width;
		if (strcmp(a, b) == 0 || utf8_width(a) <= width || utf8_width(b) <= width)
			continue;
		text_clear(&one), text_clear(&other);
		layout_cut(a, width, inside, &one);
		layout_cut(b, width, inside, &other);
		f->failed |= one.failed || other.failed;
		hides = strcmp(text_data(&one), text_data(&other)) == 0;
	}
	text_finish(&one);
	text_finish(&other);
	return hides;
}

static void make_notes(struct table_layout *f, size_t column, size_t head)
{
	struct layout_column *c = &f->columns[column];
	c->texts = TEXTS_NOTED;
	size_t values = values_width(f, column);
	c->width = values > head ? values : head;
}

static void shorten(struct table_layout *f, struct layout_column *c)
{
	size_t column = (size_t)(c - f->columns), over = total_width(f) - f->width;
	size_t head = head_width(f, c->head), least = head > TABLE_CUT_COLUMNS ? head : TABLE_CUT_COLUMNS;
	bool few = collect_notes(f, column), data = is_data(f, column);
	if (is_last(f, column) && !data && c->width >= over + PROSE_WIDTH) {
		c->texts = TEXTS_BROKEN;
		c->width -= over;
		return;
	}
	if (few && c->width > NOTE_LONG && (data || has_blanks(f, column))) {
		make_notes(f, column, head);
		return;
	}
	c->width = c->width >= over + least ? c->width - over : least;
	c->texts = cut_hides(f, column, false) ? TEXTS_CUT_INSIDE : TEXTS_CUT;
	if (few && c->texts == TEXTS_CUT_INSIDE && cut_hides(f, column, true))
		make_notes(f, column, head);
}

/* ---- giving back ---- */

/* A step shortens all columns alike, and may do more than necessary. What follows restores as much as
 * possible without a further block: texts that were cut, digits, headers in fewer lines. */

static void give_back_texts(struct table_layout *f, size_t blocks)
{
	for (size_t i = 0; i < f->count; i++) {
		struct layout_column *c = &f->columns[i];
		struct layout_column was = *c;
		if (c->texts != TEXTS_CUT && c->texts != TEXTS_CUT_INSIDE)
			continue;
		c->texts = TEXTS_WHOLE;
		c->width = values_width(f, i);
		if (c->width > f->width || count_blocks(f) > blocks)
			*c = was;
	}
}

/* All columns of reals are treated alike, so that those with the same unit can be compared. */
static void show_digits(struct table_layout *f, int digits)
{
	f->digits = digits;
	for (size_t i = 0; i < f->count; i++) {
		struct layout_column *c = &f->columns[i];
		if (!c->number || c->constant)
			continue;
		measure_fraction(f, i);
		size_t values = values_width(f, i), head = head_width(f, c->head);
		c->width = values > head ? values : head;
	}
}

static void give_back_digits(struct table_layout *f, size_t blocks)
{
	int kept = f->digits;
	for (int digits = DIGITS_BACK; kept > 0 && digits > kept; digits--) {
		show_digits(f, digits);
		if (count_blocks(f) <= blocks)
			return;
	}
	if (kept > 0)
		show_digits(f, kept);
}

static void give_back_heads(struct table_layout *f, size_t blocks)
{
	for (size_t lines = f->head_lines; lines > 0; lines--) {
		f->head_lines = lines;
		for (size_t i = 0; i < f->count; i++) {
			struct layout_column *c = &f->columns[i];
			size_t was = c->width, head = head_width(f, c->head);
			c->width = head > was ? head : was;
			if (count_blocks(f) > blocks)
				c->width = was;
		}
	}
}

/* ---- all steps ---- */

void layout_choose(struct table_layout *f)
{
	f->head_lines = 1;
	f->digits = 0;
	measure(f);
	if (layout_fits(f) || f->rows == 1)
		return; /* a single row is printed as a record */
	take_out_constants(f);
	choose_keys(f);
	while (!layout_fits(f) && f->head_lines < LAYOUT_HEAD_LINES) {
		f->head_lines++;
		measure(f);
	}
	for (int digits = DIGITS_MOST; digits >= DIGITS_LEAST && !layout_fits(f); digits--) {
		f->digits = digits;
		measure(f);
	}
	struct layout_column *c;
	while (!layout_fits(f) && (c = widest_texts(f)))
		shorten(f, c);
	size_t blocks = count_blocks(f);
	give_back_texts(f, blocks);
	give_back_digits(f, blocks);
	give_back_heads(f, blocks);
}
