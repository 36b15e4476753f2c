/* cli/table/records.c - prints a table with one line per value: "column | value", and a rule between rows. */
#include <string.h>

#include "base/utf8.h"
#include "cli/table/parts.h"

#define VALUE_WIDTH_LEAST 10 /* on a terminal that is too narrow for names and values */
#define RULE_WIDTH 20

void table_print_record(FILE *out, const char *name, size_t names, const char *value, size_t width)
{
	size_t front = names + strlen(" | "), left = SIZE_MAX;
	if (width > 0)
		left = width > front + VALUE_WIDTH_LEAST ? width - front : VALUE_WIDTH_LEAST;
	do {
		const char *next;
		size_t length = table_break(value, left, ",", &next, NULL);
		fputs(name, out);
		table_print_repeated(out, ' ', names - utf8_width(name));
		fputs(" | ", out);
		fwrite(value, 1, length, out);
		fputc('\n', out);
		value = next;
		name = ""; /* only the first line has it */
	} while (*value);
}

/* The name of a column with its unit. */
static void head(const struct table_column *column, struct text *to)
{
	text_clear(to);
	table_add_clean(to, column->name, SIZE_MAX);
	if (column->unit)
		text_printf(to, " (%s)", column->unit);
}

static void records_begin(struct table *t)
{
	(void)t; /* units may still be set */
}

static size_t names_width(struct table *t)
{
	struct text name = {0};
	size_t widest = 0;
	for (size_t i = 0; i < t->column_count; i++) {
		head(&t->columns[i], &name);
		t->failed |= name.failed;
		size_t width = utf8_width(text_data(&name));
		widest = width > widest ? width : widest;
	}
	text_finish(&name);
	return widest;
}

/* A text of several lines keeps its lines. */
static void print_lines(struct table *t, const char *name, size_t names, const char *value)
{
	const char *end;
	struct text line = {0};
	do {
		end = strchrnul(value, '\n');
		text_clear(&line);
		text_add_bytes(&line, value, (size_t)(end - value));
		text_clear(&t->buffer);
		table_add_clean(&t->buffer, text_data(&line), SIZE_MAX);
		table_print_record(t->out, name, names, text_data(&t->buffer), t->width);
		t->failed |= line.failed || t->buffer.failed;
		value = end + 1;
		name = "";
	} while (*end && *value);
	text_finish(&line);
}

static void records_cell(struct table *t, const struct table_cell *cell)
{
	char number[REAL_TEXT_MAX] = "-";
	struct text name = {0};
	if (t->column == 0 && t->rows == 0)
		t->names = names_width(t);
	if (t->column == 0 && t->rows > 0) {
		table_print_repeated(t->out, '-', t->names + 1);
		fputc('+', t->out);
		table_print_repeated(t->out, '-', RULE_WIDTH);
		fputc('\n', t->out);
	}
	if (cell->kind == CELL_INTEGER)
		snprintf(number, sizeof(number), "%lld", (long long)cell->integer);
	else if (cell->kind == CELL_REAL)
		table_readable(cell->real, FRACTION_MAX, number);
	head(&t->columns[t->column], &name);
	t->failed |= name.failed;
	print_lines(t, text_data(&name), t->names, cell->kind == CELL_TEXT ? cell->text : number);
	text_finish(&name);
}

static void records_row(struct table *t)
{
	(void)t; /* the rule is printed with the next row, if there is one */
}

static void records_end(struct table *t)
{
	(void)t;
}

const struct table_format_calls table_records = {records_begin, records_cell, records_row, records_end};
