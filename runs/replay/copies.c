/* runs/replay/copies.c - reads the CSV file that describes copies. */
#include "runs/replay/copies.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/csv.h"
#include "base/list.h"
#include "base/text.h"
#include "base/units.h"
#include "scenarios/document.h"

#define COLUMNS 4
#define ERRORS_MAX 20
static const char *const columns[COLUMNS] = {"log", "kernel", "direction", "amount"};

struct copies_reader {
	const struct copy_bandwidth *bandwidth;
	const struct log *logs;
	uint32_t log_count;
	struct diagnostics *diagnostics;
	unsigned errors;
	bool no_memory;
	struct csv csv;
	struct recorded_copy *copies;
	uint32_t count;
};

static bool PRINTF_LIKE(3, 4) wrong(struct copies_reader *r, const struct csv_cell *at, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	diagnostics_add_list(r->diagnostics, r->csv.line, at ? at->column : 1, fmt, args);
	va_end(args);
	r->errors++;
	return false;
}

/* Whether the line has as many cells as a row needs. */
static bool check_line(struct copies_reader *r)
{
	const struct csv *c = &r->csv;
	if (c->fault == CSV_QUOTE)
		return wrong(r, &(struct csv_cell){.column = c->fault_column},
			"a cell with a quote that does not fit");
	return c->count == COLUMNS ||
	       wrong(r, NULL, "wants log, kernel, direction, amount; got %" PRIu32 " cells", c->count);
}

/* ---- Rows ---- */

static const struct log *find_log(struct copies_reader *r, const struct csv_cell *cell)
{
	const struct log *found = NULL;
	struct suggestion near = {.word = cell->text};
	char hint[SUGGESTION_TEXT_MAX];
	for (uint32_t i = 0; i < r->log_count; i++) {
		const char *slash = strrchr(r->logs[i].file, '/');
		suggestion_offer(&near, slash ? slash + 1 : r->logs[i].file);
		if (!log_is_named(&r->logs[i], cell->text))
			continue;
		if (found) {
			wrong(r, cell, "two logs are called '%.60s'; name the one you mean with its folders",
				cell->text);
			return NULL;
		}
		found = &r->logs[i];
	}
	if (!found)
		wrong(r, cell, "no log is called '%.60s'%s", cell->text, suggestion_text(&near, hint));
	return found;
}

static bool read_direction(struct copies_reader *r, enum copy_direction *direction)
{
	const struct csv_cell *cell = &r->csv.cells[2];
	int named = copy_direction_named(cell->text);
	if (named != COPY_TO_GPU && named != COPY_TO_CPU)
		return wrong(r, cell, "'direction' is %s or %s, not '%.60s'",
			copy_direction_name(COPY_TO_GPU), copy_direction_name(COPY_TO_CPU), cell->text);
	*direction = (enum copy_direction)named;
	return true;
}

static bool read_amount(struct copies_reader *r, enum copy_direction direction, int64_t *length_ns)
{
	const struct csv_cell *cell = &r->csv.cells[3];
	int64_t bytes, rate = direction == COPY_TO_GPU ? r->bandwidth->to_gpu : r->bandwidth->to_cpu;
	struct error err;
	if (unit_parse(UNIT_TIME, cell->text, NULL, length_ns, &err))
		return true;
	if (!unit_parse(UNIT_BYTES, cell->text, NULL, &bytes, &err))
		return wrong(r, cell,
			"'amount' wants bytes such as 256MiB or a time such as 21.3ms, got '%.60s'",
			cell->text);
	if (rate == 0)
		return wrong(r, cell, "an amount of bytes needs --bandwidth");
	return checked_mul_ceil_div(bytes, INT64_C(1000000000), rate, length_ns) ||
	       wrong(r, cell, "this copy takes longer than 64 bits of nanoseconds");
}

static bool add(struct copies_reader *r, const struct recorded_copy *copy)
{
	struct recorded_copy *copies =
		list_room(r->copies, r->count, sizeof(*copies), "reading copies", NULL);
	r->no_memory = !copies;
	if (!copies)
		return false;
	r->copies = copies;
	r->copies[r->count++] = *copy;
	return true;
}

/* Adds the copy to every kernel that the row names. */
static void add_to_kernels(struct copies_reader *r, const struct log *log, struct recorded_copy *copy)
{
	const struct csv_cell *cell = &r->csv.cells[1];
	bool numbered = cell->text[0] == '#' && cell->text[1] &&
			!cell->text[1 + strspn(cell->text + 1, "0123456789")];
	unsigned long number = numbered ? strtoul(cell->text + 1, NULL, 10) : 0;
	bool found = false;
	for (uint32_t k = 0; k < log->kernel_count; k++) {
		if (numbered ? k != number : strcmp(log->kernels[k].name, cell->text) != 0)
			continue;
		copy->kernel = k;
		found = true;
		if (!add(r, copy))
			return;
	}
	if (!found)
		wrong(r, cell, "'%s' has no kernel '%.60s'", log->file, cell->text);
}

static void read_row(struct copies_reader *r)
{
	struct recorded_copy copy = {.line = r->csv.line};
	const struct log *log = find_log(r, &r->csv.cells[0]);
	bool ok = read_direction(r, &copy.direction) && read_amount(r, copy.direction, &copy.length_ns);
	if (!log || !ok)
		return;
	copy.log = (uint32_t)(log - r->logs);
	add_to_kernels(r, log, &copy);
}

static void read_lines(struct copies_reader *r)
{
	while (r->errors < ERRORS_MAX && !r->no_memory && csv_next(&r->csv))
		if (check_line(r) && !csv_is_header(&r->csv))
			read_row(r);
}

static int compare_copies(const void *a, const void *b)
{
	const struct recorded_copy *x = a, *y = b;
	if (x->log != y->log)
		return x->log < y->log ? -1 : 1;
	if (x->kernel != y->kernel)
		return x->kernel < y->kernel ? -1 : 1;
	return (x->line > y->line) - (x->line < y->line);
}

bool copies_parse(struct recorded_copies *copies, struct arena *arena, char *text,
	const struct copy_bandwidth *bandwidth, const struct log *logs, uint32_t log_count,
	struct diagnostics *diagnostics, struct error *err)
{
	struct copies_reader r = {
		.bandwidth = bandwidth,
		.logs = logs,
		.log_count = log_count,
		.diagnostics = diagnostics,
		.csv = csv_of(text, columns, COLUMNS),
	};
	*copies = (struct recorded_copies){0};
	read_lines(&r);
	if (!r.no_memory && r.errors == 0) {
		copies->copies = arena_new(arena, struct recorded_copy, r.count);
		r.no_memory = !copies->copies;
	}
	if (!r.no_memory && r.errors == 0 && r.count > 0) {
		qsort(r.copies, r.count, sizeof(*r.copies), compare_copies);
		memcpy(copies->copies, r.copies, r.count * sizeof(*r.copies));
		copies->count = r.count;
	}
	free(r.copies);
	if (r.no_memory)
		return error_memory(err, "reading copies");
	return r.errors == 0 || error_set(err, STATUS_INPUT, "the copies cannot be read");
}

bool copies_read(struct recorded_copies *copies, struct arena *arena, const char *path,
	const struct copy_bandwidth *bandwidth, const struct log *logs, uint32_t log_count,
	struct diagnostics *diagnostics, struct error *err)
{
	size_t length;
	bool ok = false;
	char *text = document_slurp(path, &length, err);
	if (!text) {
		diagnostics_add(diagnostics, 0, 0, "%s", err->text);
		return false;
	}
	if (strlen(text) != length) {
		diagnostics_add(diagnostics, 1, 1, "this is not a text file: it holds a NUL character");
		error_set(err, STATUS_INPUT, "the copies cannot be read");
	} else {
		ok = copies_parse(copies, arena, text, bandwidth, logs, log_count, diagnostics, err);
	}
	free(text);
	return ok;
}
