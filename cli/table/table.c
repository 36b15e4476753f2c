/* cli/table/table.c - the functions of a table (cli/table/table.h), and the forms for programs: CSV and JSON.
 * The forms for people are in text.c, fit.c and records.c, that for pages in markdown.c. */
#include "cli/table/table.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/table/parts.h"

#define WIDTH_UNKNOWN 80       /* of a terminal that does not tell */
#define UWNS_PER_UJ 1000000000 /* uW*ns in a microjoule */

/* ---- CSV (RFC 4180) ---- */

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

static void csv_cell(struct table *t, const struct table_cell *cell)
{
	char number[TEXT_REAL_MAX];
	if (t->column > 0)
		fputc(',', t->out);
	if (cell->kind == CELL_TEXT)
		print_csv(t->out, cell->text);
	else if (cell->kind == CELL_INTEGER)
		fprintf(t->out, "%lld", (long long)cell->integer);
	else if (cell->kind == CELL_REAL)
		fputs(text_real(cell->real, number), t->out);
}

static void csv_row(struct table *t)
{
	fputc('\n', t->out);
}

static void csv_end(struct table *t)
{
	(void)t; /* every row has been printed already */
}

/* ---- JSON ---- */

/* How many times the column's name occurs to its left. */
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
	/* From the right, because occurrence() compares with the unchanged names to the left */
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

static void json_cell(struct table *t, const struct table_cell *cell)
{
	char number[TEXT_REAL_MAX];
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
		text_add(&t->buffer, cell->kind == CELL_REAL && isfinite(cell->real)
					     ? text_real(cell->real, number)
					     : "null");
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

/* ---- the interface ---- */

static const struct table_format_calls table_csv = {csv_begin, csv_cell, csv_row, csv_end};
static const struct table_format_calls table_json = {json_begin, json_cell, json_row, json_end};
static const struct table_format_calls *const formats[] = {
	[TABLE_TEXT] = &table_plain,
	[TABLE_CSV] = &table_csv,
	[TABLE_JSON] = &table_json,
	[TABLE_MARKDOWN] = &table_markdown,
	[TABLE_RECORDS] = &table_records,
};

size_t table_terminal_width(FILE *out)
{
	struct winsize size = {0};
	int fd = fileno(out);
	if (fd < 0 || !isatty(fd))
		return 0;
	long width = 0;
	const char *columns = getenv("COLUMNS");
	if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		width = size.ws_col;
	else if (columns)
		width = strtol(columns, NULL, 10);
	if (width <= 0 || width > TABLE_WIDTH_MAX)
		return WIDTH_UNKNOWN;
	return width > TABLE_WIDTH_MIN ? (size_t)width : TABLE_WIDTH_MIN;
}

/* ---- times and energies ---- */

static const struct {
	const char *mark; /* suffix of a column's name */
	enum table_quantity quantity;
	double per_unit;
	const char *people, *programs, *rest;
} quantities[] = {
	{"\001ms", QUANTITY_TIME, 1e6, "_ms", "_ns", NULL},
	{"\001us", QUANTITY_TIME, 1e3, "_us", "_ns", NULL},
	{"\001j", QUANTITY_ENERGY, 1e15, "_j", "_uj", "_rest_uwns"},
};

static bool for_people(const struct table *t)
{
	return t->calls != &table_csv && t->calls != &table_json;
}

static void add_column(struct table *t, const char *name, size_t length, const char *ending,
	enum table_quantity quantity, double per_unit)
{
	struct text whole = {0};
	text_add_bytes(&whole, name, length);
	text_add(&whole, ending);
	char *taken = text_take(&whole);
	t->failed |= !taken;
	if (taken)
		t->columns[t->column_count++] =
			(struct table_column){.name = taken, .quantity = quantity, .per_unit = per_unit};
}

static void add_columns(struct table *t, const char *name)
{
	const char *mark = strchr(name, '\001');
	bool people = for_people(t);
	size_t length = mark ? (size_t)(mark - name) : strlen(name);
	for (size_t i = 0; mark && i < sizeof(quantities) / sizeof(quantities[0]); i++) {
		if (strcmp(quantities[i].mark, mark) != 0)
			continue;
		add_column(t, name, length, people ? quantities[i].people : quantities[i].programs,
			quantities[i].quantity, quantities[i].per_unit);
		if (!people && quantities[i].rest)
			add_column(t, name, length, quantities[i].rest, QUANTITY_REST, 1);
		return;
	}
	add_column(t, name, length, "", QUANTITY_PLAIN, 1);
	if (t->column_count > 0)
		t->columns[t->column_count - 1].code = mark != NULL;
}

void table_begin(
	struct table *t, FILE *out, enum table_format format, const char *const *columns, size_t count)
{
	assert(count > 0);
	*t = (struct table){.out = out, .calls = formats[format]};
	t->columns = calloc(2 * count, sizeof(*t->columns));
	t->failed = !t->columns;
	for (size_t i = 0; i < count && !t->failed; i++)
		add_columns(t, columns[i]);
	table_fit(t, table_terminal_width(out));
	if (!t->failed)
		t->calls->begin(t);
}

void table_fit(struct table *t, size_t width)
{
	assert(t->rows == 0 && t->column == 0);
	t->width = width;
	if (t->calls == &table_plain || t->calls == &table_fitted)
		t->calls = width > 0 ? &table_fitted : &table_plain;
}

void table_unit(struct table *t, size_t column, const char *unit)
{
	assert(column < t->column_count && t->rows == 0 && t->column == 0);
	if (t->failed)
		return;
	free(t->columns[column].unit);
	struct text shown = {0};
	table_add_clean(&shown, unit, SIZE_MAX);
	t->columns[column].unit = text_take(&shown);
	t->failed |= !t->columns[column].unit;
}

static void add_cell(struct table *t, const struct table_cell *cell)
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
	add_cell(t, &(struct table_cell){.kind = value ? CELL_TEXT : CELL_NULL, .text = value});
}

void table_built(struct table *t, const struct text *value)
{
	t->failed = t->failed || value->failed;
	table_text(t, text_data(value));
}

void table_integer(struct table *t, int64_t value)
{
	add_cell(t, &(struct table_cell){.kind = CELL_INTEGER, .integer = value});
}

void table_real(struct table *t, double value)
{
	add_cell(t, &(struct table_cell){.kind = isnan(value) ? CELL_NULL : CELL_REAL, .real = value});
}

void table_null(struct table *t)
{
	add_cell(t, &(struct table_cell){.kind = CELL_NULL});
	if (!t->failed && t->column > 0 && t->columns[t->column].quantity == QUANTITY_REST)
		add_cell(t, &(struct table_cell){.kind = CELL_NULL});
}

void table_time(struct table *t, int64_t ns)
{
	if (t->failed)
		return;
	const struct table_column *column = &t->columns[t->column];
	assert(column->quantity == QUANTITY_TIME);
	if (for_people(t))
		table_real(t, (double)ns / column->per_unit);
	else
		table_integer(t, ns);
}

void table_energy(struct table *t, int128 uwns)
{
	if (t->failed)
		return;
	const struct table_column *column = &t->columns[t->column];
	assert(column->quantity == QUANTITY_ENERGY);
	if (for_people(t)) {
		table_real(t, (double)uwns / column->per_unit);
		return;
	}
	table_integer(t, (int64_t)(uwns / UWNS_PER_UJ));
	table_integer(t, (int64_t)(uwns % UWNS_PER_UJ));
}

bool table_end(struct table *t, struct error *err)
{
	assert(t->failed || t->column == 0);
	if (!t->failed)
		t->calls->end(t);
	bool memory = !t->failed && !t->buffer.failed;
	for (size_t i = 0; t->columns && i < t->column_count; i++)
		free(t->columns[i].name), free(t->columns[i].unit);
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
