/* captures/running.c - reads the CSV file of threads on CPUs. A thread is on one CPU at a time, and a CPU has
 * one thread: rows that say otherwise are errors, as they come of a mistake in making the file. */
#include "captures/running.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/list.h"
#include "base/text.h"
#include "base/units.h"
#include "captures/build.h"
#include "captures/file.h"
#include "captures/numbers.h"

enum { START, END, CPU, TID, STATE, COLUMNS };
enum { ERRORS_MAX = 20 };
#define READING "reading times on CPUs"
#define TIME_MAX (INT64_C(1) << 61)
static const char *const columns[COLUMNS] = {"start_ns", "end_ns", "cpu", "tid", "state"};

struct row {
	struct capture_running running; /* thread: an index, or CAPTURE_NONE: not of the capture */
	int64_t tid;
	unsigned line;
};

struct running_reader {
	struct capture *c;
	struct diagnostics *diagnostics;
	struct error *err;
	struct csv csv;
	struct numbers *threads; /* by tid alone */
	struct row *rows;
	size_t count;
	unsigned errors;
	bool no_memory;
};

static bool PRINTF_LIKE(4, 5)
	wrong(struct running_reader *r, unsigned line, unsigned column, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	diagnostics_add_list(r->diagnostics, line, column, fmt, args);
	va_end(args);
	r->errors++;
	return false;
}

/* ---- cells ---- */

static bool read_number(struct running_reader *r, int column, int64_t least, int64_t most, int64_t *value)
{
	const struct csv_cell *cell = &r->csv.cells[column];
	if (whole_parse(cell->text, value) == WHOLE_READ && *value >= least && *value <= most)
		return true;
	return wrong(r, r->csv.line, cell->column, "'%s' wants a whole number from %lld to %lld, got '%.60s'",
		columns[column], (long long)least, (long long)most, cell->text);
}

/* As the kernel prints states: R, R+ (could go on), S, D, T, t, X, Z, P, I, and several of them. */
static bool read_state(struct running_reader *r, bool *preempted)
{
	const struct csv_cell *cell = &r->csv.cells[STATE];
	size_t letters = strspn(cell->text, "RSDTtXZPIxKWN|+");
	if (letters == 0 || cell->text[letters])
		return wrong(r, r->csv.line, cell->column,
			"'state' wants the state in which the thread left its CPU: R or R+ if it could "
			"have gone "
			"on, else S, D or another letter of the kernel's; got '%.60s'",
			cell->text);
	*preempted = cell->text[0] == 'R';
	return true;
}

static void add_row(struct running_reader *r, const struct row *row)
{
	struct row *rows = list_room(r->rows, r->count, sizeof(*rows), READING, r->err);
	r->no_memory = !rows;
	if (!rows)
		return;
	r->rows = rows;
	rows[r->count++] = *row;
}

static void read_row(struct running_reader *r)
{
	struct row row = {.line = r->csv.line};
	struct capture_running *on = &row.running;
	int64_t cpu = 0;
	bool starts = read_number(r, START, -TIME_MAX, TIME_MAX, &on->start_ns);
	bool ok = read_number(r, END, -TIME_MAX, TIME_MAX, &on->end_ns) && starts;
	if (ok && on->end_ns < on->start_ns)
		ok = wrong(r, row.line, r->csv.cells[END].column, "'end_ns' is before 'start_ns'");
	ok = read_number(r, CPU, 0, INT32_MAX, &cpu) && ok;
	ok = read_number(r, TID, 0, INT64_MAX, &row.tid) && ok;
	if (!read_state(r, &on->preempted) || !ok)
		return;
	on->cpu = (int32_t)cpu;
	on->thread = numbers_find(r->threads, &(struct number){.kind = NUMBERED_THREAD, .number = row.tid});
	add_row(r, &row);
}

static void read_lines(struct running_reader *r)
{
	while (r->errors < ERRORS_MAX && !r->no_memory && csv_next(&r->csv)) {
		if (r->csv.fault == CSV_QUOTE)
			wrong(r, r->csv.line, r->csv.fault_column, "a cell with a quote that does not fit");
		else if (r->csv.count != COLUMNS)
			wrong(r, r->csv.line, 1, "wants start_ns, end_ns, cpu, tid, state; got %u cell%s",
				r->csv.count, plural(r->csv.count));
		else if (!csv_is_header(&r->csv))
			read_row(r);
	}
}

/* ---- all rows ---- */

static int compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int in_time(const struct row *x, const struct row *y)
{
	int order = compare(x->running.start_ns, y->running.start_ns);
	if (order == 0)
		order = compare(x->running.end_ns, y->running.end_ns);
	return order ? order : compare(x->line, y->line);
}

static int by_thread(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int order = compare(x->tid, y->tid);
	return order ? order : in_time(x, y);
}

static int by_cpu(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int order = compare(x->running.cpu, y->running.cpu);
	return order ? order : in_time(x, y);
}

/* Thread 0 is the idle thread of every CPU. */
static void check_overlaps(struct running_reader *r)
{
	if (r->count < 2)
		return;
	qsort(r->rows, r->count, sizeof(*r->rows), by_thread);
	for (size_t i = 1; i < r->count && r->errors < ERRORS_MAX; i++) {
		const struct row *x = &r->rows[i - 1], *y = &r->rows[i];
		if (x->tid == y->tid && y->tid != 0 && y->running.start_ns < x->running.end_ns)
			wrong(r, y->line, 1, "thread %lld runs twice at a time: line %u is not over yet",
				(long long)y->tid, x->line);
	}
	qsort(r->rows, r->count, sizeof(*r->rows), by_cpu);
	for (size_t i = 1; i < r->count && r->errors < ERRORS_MAX; i++) {
		const struct row *x = &r->rows[i - 1], *y = &r->rows[i];
		if (x->running.cpu == y->running.cpu && x->tid != y->tid &&
			y->running.start_ns < x->running.end_ns)
			wrong(r, y->line, 1, "CPU %d has two threads at a time: line %u is not over yet",
				(int)y->running.cpu, x->line);
	}
}

/* A file of another clock, or of other threads, would leave everything as it was without a word. */
static bool check_match(struct running_reader *r)
{
	int64_t first = r->c->start_ns, last = first;
	uint32_t threads = 0, within = 0;
	for (uint32_t i = 0; i < r->c->operation_count; i++)
		if (r->c->operations[i].end_ns + first > last)
			last = r->c->operations[i].end_ns + first;
	for (size_t i = 0; i < r->count; i++) {
		const struct capture_running *on = &r->rows[i].running;
		threads += on->thread != CAPTURE_NONE;
		within += on->thread != CAPTURE_NONE && on->end_ns >= first && on->start_ns <= last;
	}
	if (threads == 0)
		return wrong(r, 0, 0,
			"no row is of a thread of the capture, such as %lld: are these the kernel's "
			"numbers of "
			"threads?",
			(long long)(r->c->thread_count ? r->c->threads[0].tid : 0));
	return within > 0 ||
	       wrong(r, 0, 0,
		       "no thread of the capture runs within it, from %lld to %lld ns: is this the "
		       "clock of the capture?",
		       (long long)first, (long long)last);
}

/* Without memory, err says so. */
static bool index_threads(struct running_reader *r)
{
	for (uint32_t i = 0; i < r->c->thread_count; i++) {
		const struct number tid = {.kind = NUMBERED_THREAD, .number = r->c->threads[i].tid};
		if (numbers_find(r->threads, &tid) == CAPTURE_NONE &&
			!numbers_add(&r->threads, &tid, i, r->err))
			return false;
	}
	return true;
}

static bool take_rows(struct running_reader *r)
{
	struct capture *c = r->c;
	free(c->running);
	c->running = NULL;
	c->running_count = 0;
	for (size_t i = 0; i < r->count; i++) {
		if (r->rows[i].running.thread == CAPTURE_NONE)
			continue;
		struct capture_running *on = build_running(c, r->err);
		if (!on)
			return false;
		*on = r->rows[i].running;
		on->start_ns -= c->start_ns;
		on->end_ns -= c->start_ns;
	}
	build_sort_running(c);
	return true;
}

bool running_parse(struct capture *c, char *text, struct diagnostics *diagnostics, struct error *err)
{
	struct running_reader r = {
		.c = c, .diagnostics = diagnostics, .err = err, .csv = csv_of(text, columns, COLUMNS)};
	bool ok = index_threads(&r);
	if (ok) {
		read_lines(&r);
		if (!r.no_memory && r.errors == 0)
			check_overlaps(&r);
		if (!r.no_memory && r.errors == 0 && check_match(&r))
			ok = take_rows(&r);
	}
	if (r.errors > 0)
		ok = error_set(err, STATUS_INPUT, "the times on CPUs cannot be read");
	numbers_destroy(r.threads);
	free(r.rows);
	return ok && !r.no_memory;
}

/* ---- the file ---- */

static char *slurp(const char *path, struct error *err)
{
	struct text text = {0};
	char bytes[1 << 16];
	size_t count;
	if (!file_is_one(path, err))
		return NULL;
	errno = 0;
	FILE *file = fopen(path, "rb");
	if (!file) {
		file_unopened(path, err);
		return NULL;
	}
	while ((count = fread(bytes, 1, sizeof(bytes), file)) > 0)
		text_add_bytes(&text, bytes, count);
	bool ok = !ferror(file) || error_set(err, STATUS_IO, "%s: cannot read the file", path);
	fclose(file);
	if (ok && strlen(text_data(&text)) != text.length)
		ok = error_set(
			err, STATUS_INPUT, "%s: this is not a text file: it holds a NUL character", path);
	if (ok && text_ok(&text, READING, err))
		return text_take(&text);
	text_finish(&text);
	return NULL;
}

bool running_read(struct capture *c, const char *path, struct diagnostics *diagnostics, struct error *err)
{
	char *text = slurp(path, err);
	bool ok = text && running_parse(c, text, diagnostics, err);
	free(text);
	return ok;
}
