/* cli/table/fit.c - prints a table that fits a width: gathers the rows, lets layout.c lay them out, and
 * prints them in several blocks if the columns do not fit side by side. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "cli/table/layout.h"

#define NOTE_WIDTH_LEAST 10 /* however long the name before it is */

/* ---- gathering ---- */

/* A cell in the buffer is its kind (one byte) and a terminated text; a real is written with %a, which is
 * exact. */
static void buffer_cell(struct table *t, const struct table_cell *cell)
{
	text_add_char(&t->buffer, (char)cell->kind);
	if (cell->kind == CELL_TEXT)
		table_add_clean(&t->buffer, cell->text, SIZE_MAX);
	else if (cell->kind == CELL_INTEGER)
		text_printf(&t->buffer, "%lld", (long long)cell->integer);
	else if (cell->kind == CELL_REAL)
		text_printf(&t->buffer, "%a", cell->real);
	else
		text_add(&t->buffer, "-");
	text_add_bytes(&t->buffer, "", 1);
}

static bool read_cells(const struct table *t, struct table_layout *f)
{
	struct layout_cell *cells = calloc(f->rows * f->count + 1, sizeof(*cells));
	f->cells = cells;
	for (size_t i = 0, at = 0; cells && i < f->rows * f->count; i++) {
		cells[i] = (struct layout_cell){(enum cell_kind)t->buffer.data[at], t->buffer.data + at + 1};
		at += 1 + strlen(cells[i].text) + 1;
	}
	return cells;
}

static bool read_columns(const struct table *t, struct table_layout *f)
{
	f->columns = calloc(f->count, sizeof(*f->columns));
	f->scratch = calloc(f->count + LAYOUT_KEYS, sizeof(*f->scratch));
	for (size_t i = 0; f->columns && i < f->count; i++) {
		struct text head = {0};
		bool number = false, text = false;
		table_add_clean(&head, t->columns[i].name, SIZE_MAX);
		if (t->columns[i].unit)
			text_printf(&head, " (%s)", t->columns[i].unit);
		for (size_t row = 0; row < f->rows; row++) {
			enum cell_kind kind = f->cells[row * f->count + i].kind;
			number |= kind == CELL_INTEGER || kind == CELL_REAL;
			text |= kind == CELL_TEXT;
		}
		f->columns[i].number = number && !text;
		f->columns[i].head = head.length > 0 || head.failed ? text_take(&head) : strdup("");
		if (!f->columns[i].head)
			return false;
	}
	return f->columns && f->scratch;
}

static void layout_finish(struct table_layout *f)
{
	for (size_t i = 0; f->columns && i < f->count; i++)
		free(f->columns[i].head);
	free(f->columns);
	free(f->scratch);
	free((void *)(uintptr_t)f->cells);
}

/* ---- printing ---- */

/* The columns that are side by side in one block. */
struct table_block {
	size_t *columns;
	size_t count;
};

static void add_blanks(struct text *line, size_t count)
{
	for (; count > 0; count--)
		text_add_char(line, ' ');
}

static void add_cell(struct text *line, const struct layout_column *c, const char *text)
{
	size_t width = utf8_width(text), start = line->length;
	add_blanks(line, c->number && c->width > width ? c->width - width : 0);
	if (width > c->width && (c->texts == TEXTS_CUT || c->texts == TEXTS_CUT_INSIDE))
		layout_cut(text, c->width, c->texts == TEXTS_CUT_INSIDE, line);
	else
		text_add(line, text);
	width = line->failed ? c->width : utf8_width(line->data + start);
	add_blanks(line, (c->width > width ? c->width - width : 0) + LAYOUT_GAP);
}

/* Prints the line without blanks at its end, and empties it. */
static void print_line(FILE *out, struct table_layout *f, struct text *line)
{
	size_t length = line->failed ? 0 : line->length;
	f->failed |= line->failed;
	while (length > 0 && line->data[length - 1] == ' ')
		length--;
	fwrite(text_data(line), 1, length, out);
	fputc('\n', out);
	text_clear(line);
}

/* Adds line `line`, of `lines`, of a header; headers are aligned at their bottom. */
static void head_line(const struct layout_column *c, size_t line, size_t lines, struct text *to)
{
	size_t has = 0;
	const char *at, *next;
	for (at = c->head; *at; has++)
		table_break(at, c->width, "_", &at, NULL);
	size_t skip = lines - has;
	text_clear(to);
	at = c->head;
	for (size_t i = skip; i <= line; i++, at = next) {
		size_t length = table_break(at, c->width, "_", &next, NULL);
		if (i == line)
			text_add_bytes(to, at, length);
	}
}

static void print_heads(FILE *out, struct table_layout *f, const struct table_block *b)
{
	struct text part = {0}, all = {0};
	size_t lines = 1;
	for (size_t i = 0; i < b->count; i++) {
		size_t has = 0;
		const struct layout_column *c = &f->columns[b->columns[i]];
		for (const char *at = c->head; *at; has++)
			table_break(at, c->width, "_", &at, NULL);
		lines = has > lines ? has : lines;
	}
	for (size_t line = 0; line < lines; line++) {
		for (size_t i = 0; i < b->count; i++) {
			const struct layout_column *c = &f->columns[b->columns[i]];
			head_line(c, line, lines, &part);
			f->failed |= part.failed;
			add_cell(&all, c, text_data(&part));
		}
		print_line(out, f, &all);
	}
	text_finish(&part);
	text_finish(&all);
	for (size_t i = 0; i < b->count; i++) {
		table_print_repeated(out, '-', f->columns[b->columns[i]].width);
		fputs(i + 1 == b->count ? "\n" : "  ", out);
	}
}

static void print_block(FILE *out, struct table_layout *f, const struct table_block *b)
{
	char number[REAL_TEXT_MAX];
	struct text line = {0};
	print_heads(out, f, b);
	for (size_t row = 0; row < f->rows; row++) {
		bool broken = false; /* only the last column is broken into lines */
		for (size_t i = 0; i < b->count; i++) {
			const struct layout_column *c = &f->columns[b->columns[i]];
			const char *text = layout_text(f, row, b->columns[i], number);
			broken = c->texts == TEXTS_BROKEN;
			if (!broken) {
				add_cell(&line, c, text);
				continue;
			}
			f->failed |= line.failed;
			fputs(text_data(&line), out);
			table_print_broken(out, text, c->width, utf8_width(text_data(&line)), "");
		}
		if (!broken)
			print_line(out, f, &line);
		text_clear(&line);
	}
	text_finish(&line);
}

static void print_blocks(FILE *out, struct table_layout *f)
{
	for (size_t next = 0; next < f->count;) {
		struct table_block b = {.columns = f->scratch};
		fputs(next > 0 ? "\n" : "", out);
		next = layout_block(f, next, b.columns, &b.count);
		print_block(out, f, &b);
	}
}

/* Prints "platform: t400 status: ok", with as many in a line as fit. */
static void print_constants(FILE *out, struct table_layout *f)
{
	size_t used = 0;
	bool any = false;
	struct text item = {0};
	char number[REAL_TEXT_MAX];
	for (size_t i = 0; i < f->count; i++) {
		if (!f->columns[i].constant)
			continue;
		text_clear(&item);
		text_printf(&item, "%s: %s", f->columns[i].head, layout_text(f, 0, i, number));
		f->failed |= item.failed;
		size_t width = utf8_width(text_data(&item));
		if (used > 0)
			fputs(used + 3 + width > f->width ? "\n" : "   ", out);
		used = used > 0 && used + 3 + width <= f->width ? used + 3 + width : width;
		any = true;
		if (used <= f->width) {
			fputs(text_data(&item), out);
			continue;
		}
		table_print_broken(out, text_data(&item), f->width, 0, ",");
		used = 0;
	}
	text_finish(&item);
	fputs(!any ? "" : used > 0 ? "\n\n" : "\n", out);
}

/* Prints "params [1] the text", one below the other. */
static void print_notes(FILE *out, const struct table_layout *f)
{
	for (size_t i = 0; i < f->count; i++) {
		const struct layout_column *c = &f->columns[i];
		if (c->texts != TEXTS_NOTED)
			continue;
		fputc('\n', out);
		for (size_t k = 0; k < c->note_count; k++) {
			int indent = fprintf(
				out, "%s [%zu]%s", c->head, k + 1, k < 9 && c->note_count > 9 ? "   " : "  ");
			size_t used = indent > 0 ? (size_t)indent : 0;
			size_t left = f->width > used + NOTE_WIDTH_LEAST ? f->width - used : NOTE_WIDTH_LEAST;
			table_print_broken(out, c->notes[k], left, used, ",");
		}
	}
}

/* Prints a single row that is too wide for a line. */
static void print_record(const struct table *t, const struct table_layout *f)
{
	char number[REAL_TEXT_MAX];
	size_t widest = 0;
	for (size_t i = 0; i < f->count; i++)
		widest = utf8_width(f->columns[i].head) > widest ? utf8_width(f->columns[i].head) : widest;
	for (size_t i = 0; i < f->count; i++)
		table_print_record(
			t->out, f->columns[i].head, widest, layout_text(f, 0, i, number), t->width);
}

static void print_buffered(struct table *t)
{
	struct table_layout f = {.width = t->width, .rows = t->buffered, .count = t->column_count};
	bool ok = !t->buffer.failed && read_cells(t, &f) && read_columns(t, &f);
	t->failed |= !ok;
	if (ok) {
		fputs(t->streaming ? "\n" : "", t->out);
		layout_choose(&f);
	}
	if (ok && f.rows == 1 && !t->streaming && !layout_fits(&f))
		print_record(t, &f);
	else if (ok)
		print_constants(t->out, &f), print_blocks(t->out, &f), print_notes(t->out, &f);
	t->failed |= f.failed;
	layout_finish(&f);
	text_clear(&t->buffer);
	t->buffered = 0;
	t->streaming = true;
}

/* ---- the form ---- */

static void fitted_begin(struct table *t)
{
	(void)t; /* names and units are read together with the rows */
}

static void fitted_cell(struct table *t, const struct table_cell *cell)
{
	if (t->column == 0 && t->buffered == TABLE_BUFFERED)
		print_buffered(t);
	buffer_cell(t, cell);
}

static void fitted_row(struct table *t)
{
	t->buffered++;
}

static void fitted_end(struct table *t)
{
	print_buffered(t);
}

const struct table_format_calls table_fitted = {fitted_begin, fitted_cell, fitted_row, fitted_end};
