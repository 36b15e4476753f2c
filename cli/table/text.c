/* cli/table/text.c - prints the plain form of a table, which is the same on every terminal and in every file;
 * and code that the forms for people share. */
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "cli/table/parts.h"

const char *table_readable(double value, int fraction, char text[REAL_TEXT_MAX])
{
	double size = fabs(value);
	if (size >= 1e15 || (size > 0 && size < 1e-6)) {
		snprintf(text, REAL_TEXT_MAX, "%.*g", fraction > 3 ? fraction : 4, value);
		return text;
	}
	snprintf(text, REAL_TEXT_MAX, "%.*f", fraction, value);
	size_t length = strlen(text);
	if (fraction == 0)
		return text;
	while (text[length - 1] == '0')
		text[--length] = '\0';
	if (text[length - 1] == '.')
		text[--length] = '\0';
	return text;
}

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static size_t fraction_digits(const char *number)
{
	const char *point = strchr(number, '.');
	return point ? strlen(point + 1) : 0;
}

bool table_aligns(enum cell_kind kind, const char *number)
{
	return kind == CELL_REAL && !strpbrk(number, "ein"); /* exponent, inf */
}

/* Adds one character of a text in a form that is safe for a terminal; returns its width. */
static size_t add_printable(struct text *out, const char *at, size_t length)
{
	char character[5] = {utf8_instead(at, length)};
	if (!character[0])
		memcpy(character, at, length);
	text_add(out, character);
	return utf8_width(character);
}

void table_add_clean(struct text *out, const char *value, size_t limit)
{
	limit = utf8_width(value) > limit ? limit - 2 : SIZE_MAX;
	size_t columns = 0;
	while (*value && columns < limit) {
		size_t length = utf8_length(value);
		columns += add_printable(out, value, length);
		value += length ? length : 1;
	}
	if (*value)
		text_add(out, "\u2026");
}

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

static void measure(struct table_column *column, enum cell_kind kind, const char *text)
{
	size_t width = smaller(utf8_width(text), TABLE_TEXT_COLUMNS);
	column->has_text |= kind == CELL_TEXT;
	column->has_number |= kind == CELL_INTEGER || kind == CELL_REAL;
	if (!table_aligns(kind, text)) {
		column->width = larger(column->width, width);
		return;
	}
	size_t fraction = fraction_digits(text);
	column->fraction = larger(column->fraction, fraction);
	column->whole = larger(column->whole, width - (fraction ? fraction + 1 : 0));
}

/* A cell in the buffer is its kind (one byte) and a terminated text. */
static void text_cell(struct table *t, const struct table_cell *cell)
{
	char number[REAL_TEXT_MAX];
	text_add_char(&t->buffer, (char)cell->kind);
	size_t start = t->buffer.length;
	bool last = t->column + 1 == t->column_count;
	if (cell->kind == CELL_TEXT)
		table_add_clean(&t->buffer, cell->text, last ? TABLE_LAST_COLUMNS : TABLE_TEXT_COLUMNS);
	else if (cell->kind == CELL_INTEGER)
		text_printf(&t->buffer, "%lld", (long long)cell->integer);
	else
		text_add(&t->buffer,
			cell->kind == CELL_REAL ? table_readable(cell->real, FRACTION_MAX, number) : "-");
	if (!t->buffer.failed && !t->streaming)
		measure(&t->columns[t->column], cell->kind, t->buffer.data + start);
	text_add_bytes(&t->buffer, "", 1);
}

void table_print_repeated(FILE *out, char c, size_t count)
{
	for (; count > 0; count--)
		fputc(c, out);
}

/* Prints the text in its column; zeros fill up missing digits behind the point. */
static void print_padded(struct table *t, size_t index, const char *text, bool zeros)
{
	const struct table_column *column = &t->columns[index];
	size_t fraction = zeros ? fraction_digits(text) : 0;
	size_t missing = zeros && column->fraction > fraction ? column->fraction - fraction : 0;
	size_t width = utf8_width(text) + missing + (missing && fraction == 0);
	size_t blanks = column->width > width ? column->width - width : 0;
	bool right = column->has_number && !column->has_text;
	bool last = index + 1 == t->column_count;

	if (right)
		table_print_repeated(t->out, ' ', blanks);
	fputs(text, t->out);
	if (missing && fraction == 0)
		fputc('.', t->out);
	for (; missing > 0; missing--)
		fputc('0', t->out);
	if (!right && !last)
		table_print_repeated(t->out, ' ', blanks);
	fputs(last ? "\n" : "  ", t->out);
}

/* Fixes the widths and prints the names, underlined. */
static void print_head(struct table *t)
{
	for (size_t i = 0; i < t->column_count; i++) {
		struct table_column *column = &t->columns[i];
		size_t reals = column->whole + column->fraction + (column->fraction > 0);
		column->width = larger(column->width, reals);
		print_padded(t, i, column->name, false);
	}
	for (size_t i = 0; i < t->column_count; i++) {
		table_print_repeated(t->out, '-', t->columns[i].width);
		fputs(i + 1 == t->column_count ? "\n" : "  ", t->out);
	}
}

static void print_buffer(struct table *t)
{
	size_t index = 0;
	if (t->buffer.failed)
		return;
	if (!t->streaming)
		print_head(t);
	for (size_t at = 0; at < t->buffer.length; index = (index + 1) % t->column_count) {
		const char *text = t->buffer.data + at + 1;
		print_padded(t, index, text, table_aligns((enum cell_kind)t->buffer.data[at], text));
		at += 1 + strlen(text) + 1;
	}
	text_clear(&t->buffer);
	t->streaming = true;
}

static void text_begin(struct table *t)
{
	for (size_t i = 0; i < t->column_count; i++)
		t->columns[i].width = utf8_width(t->columns[i].name);
}

static void text_row(struct table *t)
{
	if (t->streaming || t->rows >= TABLE_BUFFERED)
		print_buffer(t);
}

static void text_end(struct table *t)
{
	print_buffer(t);
}

const struct table_format_calls table_plain = {text_begin, text_cell, text_row, text_end};

/* ---- breaking lines ---- */

size_t table_break(const char *text, size_t width, const char *behind, const char **next, bool *torn)
{
	size_t at = 0, columns = 0, good = 0;
	while (text[at]) {
		size_t length = utf8_length(text + at);
		char character[5] = "";
		memcpy(character, text + at, length ? length : 1);
		if (text[at] == ' ' && at > 0)
			good = at;
		columns += utf8_width(character);
		if (columns > width && at > 0)
			break;
		at += length ? length : 1;
		if (strchr(behind, text[at - 1]))
			good = at;
	}
	bool tears = text[at] && good == 0;
	size_t end = text[at] && good > 0 ? good : at;
	*next = text + end;
	while (**next == ' ')
		++*next;
	if (torn)
		*torn |= tears;
	return end;
}

void table_print_broken(FILE *out, const char *text, size_t width, size_t indent, const char *behind)
{
	bool first = true;
	do {
		const char *next;
		size_t length = table_break(text, width, behind, &next, NULL);
		table_print_repeated(out, ' ', first ? 0 : indent);
		fwrite(text, 1, length, out);
		fputc('\n', out);
		text = next;
		first = false;
	} while (*text);
}
