/* cli/table.c - owns the three printed forms of a result (cli/table.h). */
#include "cli/table.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REAL_TEXT_MAX 64
#define FRACTION_MAX 6            /* a nanosecond in milliseconds */

enum cell_kind { CELL_NULL, CELL_TEXT, CELL_INTEGER, CELL_REAL };

struct cell {
	enum cell_kind kind;
	const char *text;
	int64_t integer;
	double real;
};

struct table_column {
	char *name;
	/* text: widest cell (the name is one) that is no real; the most columns before and
	 * digits behind the point of a real. */
	size_t width, whole, fraction;
	bool has_number, has_text;
};

/* One form. cell() is called for each cell in order, t->column being its own; row() behind the
 * last cell of a row; end() behind the last row. */
struct table_format_calls {
	void (*begin)(struct table *t);
	void (*cell)(struct table *t, const struct cell *cell);
	void (*row)(struct table *t);
	void (*end)(struct table *t);
};

/* The shortest text that reads back as the same number. */
static const char *exact_real(double value, char text[REAL_TEXT_MAX])
{
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, REAL_TEXT_MAX, "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	return text;
}

/* --- text ------------------------------------------------------------------------- */

/* At most FRACTION_MAX digits behind the point, none of them a needless zero; very large
 * and very small numbers with an exponent. */
static const char *readable_real(double value, char text[REAL_TEXT_MAX])
{
	double size = fabs(value);
	if (size >= 1e15 || (size > 0 && size < 1e-6)) {
		snprintf(text, REAL_TEXT_MAX, "%.6g", value);
		return text;
	}
	snprintf(text, REAL_TEXT_MAX, "%.*f", FRACTION_MAX, value);
	size_t length = strlen(text);
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

/* Whether a number gets zeros behind the point, so that the points of a column align. */
static bool aligns(enum cell_kind kind, const char *number)
{
	return kind == CELL_REAL && !strpbrk(number, "ein");     /* exponent, inf */
}

/* Adds one character of a text as it may reach a terminal; returns its columns. */
static size_t add_printable(struct text *out, const char *at, size_t length)
{
	char character[5] = "";
	memcpy(character, at, length ? length : 1);
	bool control = (unsigned char)at[0] < 0x20 || at[0] == 0x7f ||
		       (length == 2 && (unsigned char)at[0] == 0xc2 && (unsigned char)at[1] < 0xa0);
	if (length == 0 || control)
		strcpy(character, at[0] == '\n' || at[0] == '\t' ? " " : "?");
	text_add(out, character);
	return text_width(character);
}

static void add_clean(struct text *out, const char *value)
{
	size_t limit = text_width(value) > TABLE_TEXT_COLUMNS ? TABLE_TEXT_COLUMNS - 2 : SIZE_MAX;
	size_t columns = 0;
	while (*value && columns < limit) {
		size_t length = text_utf8_length(value);
		columns += add_printable(out, value, length);
		value += length ? length : 1;
	}
	if (*value)
		text_add(out, "\u2026");
}

static void measure(struct table_column *column, enum cell_kind kind, const char *text)
{
	size_t width = text_width(text);
	column->has_text |= kind == CELL_TEXT;
	column->has_number |= kind == CELL_INTEGER || kind == CELL_REAL;
	if (!aligns(kind, text)) {
		column->width = larger(column->width, width);
		return;
	}
	size_t fraction = fraction_digits(text);
	column->fraction = larger(column->fraction, fraction);
	column->whole = larger(column->whole, width - (fraction ? fraction + 1 : 0));
}

/* A cell waits in the buffer as its kind (one byte) and a terminated text. */
static void text_cell(struct table *t, const struct cell *cell)
{
	char number[REAL_TEXT_MAX];
	text_add_char(&t->buffer, (char)cell->kind);
	size_t start = t->buffer.length;
	if (cell->kind == CELL_TEXT)
		add_clean(&t->buffer, cell->text);
	else if (cell->kind == CELL_INTEGER)
		text_printf(&t->buffer, "%lld", (long long)cell->integer);
	else
		text_add(&t->buffer, cell->kind == CELL_REAL ? readable_real(cell->real, number) : "-");
	if (!t->buffer.failed && !t->streaming)
		measure(&t->columns[t->column], cell->kind, t->buffer.data + start);
	text_add_bytes(&t->buffer, "", 1);
}

static void print_blanks(FILE *out, size_t count)
{
	for (; count > 0; count--)
		fputc(' ', out);
}

/* Prints the text in its column; zeros make up for digits behind the point. */
static void print_padded(struct table *t, size_t index, const char *text, bool zeros)
{
	const struct table_column *column = &t->columns[index];
	size_t fraction = zeros ? fraction_digits(text) : 0;
	size_t missing = zeros && column->fraction > fraction ? column->fraction - fraction : 0;
	size_t width = text_width(text) + missing + (missing && fraction == 0);
	size_t blanks = column->width > width ? column->width - width : 0;
	bool right = column->has_number && !column->has_text;
	bool last = index + 1 == t->column_count;

	if (right)
		print_blanks(t->out, blanks);
	fputs(text, t->out);
	if (missing && fraction == 0)
		fputc('.', t->out);
	for (; missing > 0; missing--)
		fputc('0', t->out);
	if (!right && !last)
		print_blanks(t->out, blanks);
	fputs(last ? "\n" : "  ", t->out);
}

/* Settles the widths and prints the names, underlined. */
static void print_head(struct table *t)
{
	for (size_t i = 0; i < t->column_count; i++) {
		struct table_column *column = &t->columns[i];
		size_t reals = column->whole + column->fraction + (column->fraction > 0);
		column->width = larger(column->width, reals);
		print_padded(t, i, column->name, false);
	}
	for (size_t i = 0; i < t->column_count; i++) {
		for (size_t k = 0; k < t->columns[i].width; k++)
			fputc('-', t->out);
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
		print_padded(t, index, text, aligns((enum cell_kind)t->buffer.data[at], text));
		at += 1 + strlen(text) + 1;
	}
	text_clear(&t->buffer);
	t->streaming = true;
}

static void text_begin(struct table *t)
{
	for (size_t i = 0; i < t->column_count; i++)
		t->columns[i].width = text_width(t->columns[i].name);
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

/* --- CSV (RFC 4180) ------------------------------------------------------------------ */

static void print_csv(FILE *out, const char *value)
{
	if (*value && !strpbrk(value, ",\"\r\n")) {
		fputs(value, out);
		return;
	}
	fputc('"', out);
	for (; *value; value++) {
		if (*value == '"')
			fputc('"', out);
		fputc(*value, out);
	}
	fputc('"', out);
}

static void csv_begin(struct table *t)
{
	for (size_t i = 0; i < t->column_count; i++) {
		print_csv(t->out, t->columns[i].name);
		fputc(i + 1 == t->column_count ? '\n' : ',', t->out);
	}
}

static void csv_cell(struct table *t, const struct cell *cell)
{
	char number[REAL_TEXT_MAX];
	if (t->column > 0)
		fputc(',', t->out);
	if (cell->kind == CELL_TEXT)
		print_csv(t->out, cell->text);
	else if (cell->kind == CELL_INTEGER)
		fprintf(t->out, "%lld", (long long)cell->integer);
	else if (cell->kind == CELL_REAL)
		fputs(exact_real(cell->real, number), t->out);
}

static void csv_row(struct table *t)
{
	fputc('\n', t->out);
}

static void csv_end(struct table *t)
{
	(void)t;                          /* every row has been written */
}

/* --- JSON ---------------------------------------------------------------------------- */

/* How often the column's name has occurred to its left. */
static size_t occurrence(const struct table *t, size_t index)
{
	size_t count = 0;
	for (size_t i = 0; i < index; i++)
		count += strcmp(t->columns[i].name, t->columns[index].name) == 0;
	return count;
}

static void json_begin(struct table *t)
{
	struct text key = {0};
	/* From the right, because occurrence() compares with the plain names to the left. */
	for (size_t i = t->column_count; i-- > 0;) {
		struct table_column *column = &t->columns[i];
		text_clear(&key);
		text_add(&key, column->name);
		if (occurrence(t, i) > 0)
			text_printf(&key, ":%zu", occurrence(t, i));
		struct text quoted = {0};
		text_add_json(&quoted, text_data(&key));
		char *name = text_take(&quoted);
		t->failed |= !name || key.failed;
		if (name) {
			free(column->name);
			column->name = name;
		}
	}
	text_finish(&key);
	fputc('[', t->out);
}

static void json_cell(struct table *t, const struct cell *cell)
{
	char number[REAL_TEXT_MAX];
	if (t->column == 0)
		fputs(t->rows > 0 ? ",\n{" : "\n{", t->out);
	else
		fputs(", ", t->out);
	text_clear(&t->buffer);
	if (cell->kind == CELL_TEXT)
		text_add_json(&t->buffer, cell->text);
	else if (cell->kind == CELL_INTEGER)
		text_printf(&t->buffer, "%lld", (long long)cell->integer);
	else
		text_add(&t->buffer, cell->kind == CELL_REAL && isfinite(cell->real) ?
					     exact_real(cell->real, number) : "null");
	t->failed |= t->buffer.failed;
	fprintf(t->out, "%s: %s", t->columns[t->column].name, text_data(&t->buffer));
}

static void json_row(struct table *t)
{
	fputc('}', t->out);
}

static void json_end(struct table *t)
{
	fputs(t->rows > 0 ? "\n]\n" : "]\n", t->out);
}

/* --- the interface ------------------------------------------------------------------- */

static const struct table_format_calls formats[] = {
	[TABLE_TEXT] = {text_begin, text_cell, text_row, text_end},
	[TABLE_CSV] = {csv_begin, csv_cell, csv_row, csv_end},
	[TABLE_JSON] = {json_begin, json_cell, json_row, json_end},
};

void table_begin(struct table *t, FILE *out, enum table_format format, const char *const *columns,
	size_t count)
{
	assert(count > 0);
	*t = (struct table){.out = out, .calls = &formats[format], .column_count = count};
	t->columns = calloc(count, sizeof(*t->columns));
	t->failed = !t->columns;
	for (size_t i = 0; i < count && !t->failed; i++) {
		t->columns[i].name = strdup(columns[i]);
		t->failed = !t->columns[i].name;
	}
	if (!t->failed)
		t->calls->begin(t);
}

static void add_cell(struct table *t, const struct cell *cell)
{
	if (t->failed)
		return;
	t->calls->cell(t, cell);
	if (++t->column < t->column_count)
		return;
	t->column = 0;
	t->rows++;
	t->calls->row(t);
}

void table_text(struct table *t, const char *value)
{
	add_cell(t, &(struct cell){.kind = value ? CELL_TEXT : CELL_NULL, .text = value});
}

void table_integer(struct table *t, int64_t value)
{
	add_cell(t, &(struct cell){.kind = CELL_INTEGER, .integer = value});
}

void table_real(struct table *t, double value)
{
	add_cell(t, &(struct cell){.kind = isnan(value) ? CELL_NULL : CELL_REAL, .real = value});
}

void table_null(struct table *t)
{
	add_cell(t, &(struct cell){.kind = CELL_NULL});
}

bool table_end(struct table *t, struct error *err)
{
	assert(t->failed || t->column == 0);
	if (!t->failed)
		t->calls->end(t);
	bool memory = !t->failed && !t->buffer.failed;
	for (size_t i = 0; t->columns && i < t->column_count; i++)
		free(t->columns[i].name);
	free(t->columns);
	text_finish(&t->buffer);
	if (!memory)
		return error_memory(err, "printing a table");
	const char *trouble = NULL;
	if (fflush(t->out) != 0)
		trouble = strerror(errno);
	else if (ferror(t->out))
		trouble = "an earlier write failed";
	return trouble ? error_set(err, STATUS_IO, "cannot write the table: %s", trouble) : true;
}
