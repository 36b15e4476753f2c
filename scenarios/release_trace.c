/* scenarios/release_trace.c - reads release traces (CSV). */
#include "scenarios/release_trace.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/list.h"

struct trace_row {
	uint32_t task, seq, line;
	int32_t segment; /* -1: the row gives no length */
	int64_t release, duration;
};

#define COLUMNS 5
static const char *const columns[COLUMNS] = {"task", "seq", "release", "segment", "duration"};

struct trace_reading {
	struct release_trace *trace;
	struct binder *binder;
	const struct node *at;
	const char *path;
	const struct description *description;
	const struct task_entry **by_name; /* sorted */
	uint32_t named;
	bool ok;
	struct csv csv;
};

/* Reports an error in the file. Always returns false. */
static bool wrong(struct trace_reading *r, unsigned line, unsigned column, const char *fmt, ...)
	PRINTF_LIKE(4, 5);

static bool wrong(struct trace_reading *r, unsigned line, unsigned column, const char *fmt, ...)
{
	char text[400];
	va_list args;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	r->ok = false;
	return binder_error(r->binder, r->at, "%s:%u:%u: %s", r->path, line, column, text);
}

/* Whether the line has as many cells as a row needs. */
static bool check_line(struct trace_reading *r)
{
	const struct csv *c = &r->csv;
	if (c->fault == CSV_MORE)
		return wrong(
			r, c->line, c->fault_column, "more cells than task, seq, release, segment, duration");
	if (c->fault == CSV_QUOTE)
		return wrong(r, c->line, c->fault_column, "a cell with a quote that does not fit");
	return c->count == 3 || c->count == COLUMNS ||
	       wrong(r, c->line, 1,
		       "wants task, seq, release or task, seq, release, segment, duration; got %" PRIu32
		       " cells",
		       c->count);
}

/* ---- Values ---- */

static int compare_names(const void *a, const void *b)
{
	const struct task_entry *const *x = a, *const *y = b;
	return strcmp((*x)->task.name, (*y)->task.name);
}

static bool sort_names(struct trace_reading *r)
{
	const struct description *d = r->description;
	r->by_name = calloc(d->task_count + (size_t)1, sizeof(const struct task_entry *));
	if (!r->by_name) {
		r->ok = false;
		return binder_no_memory(r->binder);
	}
	for (uint32_t i = 0; i < d->task_count; i++) {
		if (d->tasks[i].task.name)
			r->by_name[r->named++] = &d->tasks[i];
	}
	qsort(r->by_name, r->named, sizeof(const struct task_entry *), compare_names);
	return true;
}

static bool read_task(struct trace_reading *r, const struct csv_cell *cell, uint32_t *task)
{
	char hint[SUGGESTION_TEXT_MAX];
	const struct task_entry wanted = {.task = {.name = cell->text}}, *key = &wanted;
	const struct task_entry **found = bsearch(&key, r->by_name, r->named, sizeof(key), compare_names);
	if (found) {
		*task = (uint32_t)(*found - r->description->tasks);
		return true;
	}
	struct suggestion s = {.word = cell->text};
	for (uint32_t i = 0; i < r->named; i++)
		suggestion_offer(&s, r->by_name[i]->task.name);
	return wrong(r, r->csv.line, cell->column, "no task is called \"%.60s\"%s", cell->text,
		suggestion_text(&s, hint));
}

static bool read_index(
	struct trace_reading *r, const struct csv_cell *cell, const char *what, int64_t max, int64_t *value)
{
	enum whole_reading reading = whole_parse(cell->text, value);
	if (reading == WHOLE_NOT || *value < 0)
		return wrong(r, r->csv.line, cell->column, "'%s' wants a whole number, got \"%.60s\"", what,
			cell->text);
	if (reading == WHOLE_TOO_LARGE || *value > max)
		return wrong(r, r->csv.line, cell->column, "'%s' is %.40s; at most %" PRId64, what,
			cell->text, max);
	return true;
}

static bool read_time(struct trace_reading *r, const struct csv_cell *cell, const char *what, int64_t *value)
{
	struct error err;
	if (!unit_parse(UNIT_TIME, cell->text, r->binder->time_unit, value, &err))
		return wrong(r, r->csv.line, cell->column, "'%s' %s", what, err.text);
	if (*value <= TIME_MAX_NS)
		return true;
	char is[UNIT_TEXT_MAX], limit[UNIT_TEXT_MAX];
	unit_format_alike(UNIT_TIME, (int64_t[]){*value, TIME_MAX_NS}, is, limit);
	return wrong(r, r->csv.line, cell->column, "'%s' is %s; it must be at most %s", what, is, limit);
}

static bool read_row(struct trace_reading *r, struct trace_row *row)
{
	const struct csv_cell *c = r->csv.cells;
	int64_t seq = 0, segment = -1;
	*row = (struct trace_row){.line = r->csv.line, .segment = -1};
	bool ok = read_task(r, &c[0], &row->task);
	int64_t last = ok && r->description->tasks[row->task].segment_count
			       ? (int64_t)r->description->tasks[row->task].segment_count - 1
			       : UINT16_MAX;
	ok = read_index(r, &c[1], "seq", TRACE_ROWS_MAX, &seq) && ok;
	ok = read_time(r, &c[2], "release", &row->release) && ok;
	if (r->csv.count == COLUMNS && (*c[3].text || *c[4].text)) {
		ok = read_index(r, &c[3], "segment", last, &segment) && ok;
		ok = read_time(r, &c[4], "duration", &row->duration) && ok;
	}
	row->seq = (uint32_t)seq;
	row->segment = (int32_t)segment;
	return ok;
}

static bool add_row(struct trace_reading *r, const struct trace_row *row)
{
	struct release_trace *t = r->trace;
	if (t->count == TRACE_ROWS_MAX)
		return wrong(r, r->csv.line, 1, "more than %u rows", TRACE_ROWS_MAX);
	struct trace_row *rows = list_room(t->rows, t->count, sizeof(*rows), "reading a release trace", NULL);
	if (!rows) {
		r->ok = false;
		return binder_no_memory(r->binder);
	}
	t->rows = rows;
	t->rows[t->count++] = *row;
	return true;
}

/* Reads all lines, but stops after 20 errors. */
static void read_lines(struct trace_reading *r)
{
	unsigned errors = 0;
	while (errors < 20 && !r->binder->no_memory && csv_next(&r->csv)) {
		struct trace_row row;
		bool ok = check_line(r);
		if (ok && !csv_is_header(&r->csv))
			ok = read_row(r, &row) && add_row(r, &row);
		errors += !ok;
	}
}

/* ---- Order ---- */

static int compare_rows(const void *a, const void *b)
{
	const struct trace_row *x = a, *y = b;
	if (x->task != y->task)
		return x->task < y->task ? -1 : 1;
	if (x->seq != y->seq)
		return x->seq < y->seq ? -1 : 1;
	if (x->segment != y->segment)
		return x->segment < y->segment ? -1 : 1;
	return (x->line > y->line) - (x->line < y->line);
}

/* Checks a row against the row before it, of the same task. */
static bool check_pair(struct trace_reading *r, const struct trace_row *before, const struct trace_row *row)
{
	const char *task = r->description->tasks[row->task].task.name;
	uint32_t expected = before ? before->seq + 1 : 0;
	if (before && before->seq == row->seq) {
		if (before->release != row->release)
			return wrong(r, row->line, 1,
				"job %" PRIu32 " of '%s' has another release in line %" PRIu32, row->seq,
				task, before->line);
		if (before->segment == row->segment)
			return wrong(r, row->line, 1,
				"job %" PRIu32 " of '%s' is given twice; the first is in line %" PRIu32,
				row->seq, task, before->line);
		return true;
	}
	if (row->seq != expected)
		return wrong(r, row->line, 1, "job %" PRIu32 " of '%s' is missing before job %" PRIu32,
			expected, task, row->seq);
	if (before && row->release < before->release)
		return wrong(r, row->line, 1, "job %" PRIu32 " of '%s' is released before job %" PRIu32,
			row->seq, task, before->seq);
	return true;
}

static void check_order(struct trace_reading *r)
{
	const struct trace_row *rows = r->trace->rows;
	uint32_t errors = 0;
	if (r->trace->count)
		qsort(r->trace->rows, r->trace->count, sizeof(*rows), compare_rows);
	for (uint32_t i = 0; i < r->trace->count && errors < 20; i++) {
		bool same_task = i > 0 && rows[i - 1].task == rows[i].task;
		errors += !check_pair(r, same_task ? &rows[i - 1] : NULL, &rows[i]);
	}
}

bool release_trace_read(struct release_trace *t, struct binder *b, const struct node *at, const char *path,
	const struct description *d)
{
	struct error err;
	size_t length;
	struct trace_reading r = {
		.trace = t, .binder = b, .at = at, .path = path, .description = d, .ok = true};
	*t = (struct release_trace){0};
	char *text = document_slurp(path, &length, &err);
	if (!text) {
		b->io_failed = b->io_failed || err.status == STATUS_IO;
		return binder_error(b, at, "'%s' %s", path, err.text);
	}
	if (strlen(text) != length)
		wrong(&r, 1, 1, "this is not a text file: it holds a NUL character");
	else if (sort_names(&r)) {
		r.csv = csv_of(text, columns, COLUMNS);
		read_lines(&r);
	}
	free(text);
	free(r.by_name);
	if (r.ok)
		check_order(&r);
	return r.ok;
}

void release_trace_finish(struct release_trace *t)
{
	free(t->rows);
	*t = (struct release_trace){0};
}

/* ---- Rules ---- */

/* The first row of this task or of a later one. */
static uint32_t find_task(const struct release_trace *t, uint32_t task)
{
	uint32_t low = 0, high = t->count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (t->rows[middle].task < task)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool release_trace_rule(
	const struct release_trace *t, struct binder *b, uint32_t task, struct release_rule *rule)
{
	uint32_t first = find_task(t, task), end = find_task(t, task + 1);
	*rule = (struct release_rule){.kind = RELEASE_TRACE};
	rule->trace_ns = arena_new(b->arena, int64_t, end - first);
	rule->durations = arena_new(b->arena, struct trace_duration, end - first);
	if (!rule->trace_ns || !rule->durations)
		return binder_no_memory(b);
	for (uint32_t i = first; i < end; i++) {
		const struct trace_row *row = &t->rows[i];
		if (i == first || row->seq != row[-1].seq)
			rule->trace_ns[rule->trace_count++] = row->release;
		if (row->segment >= 0)
			rule->durations[rule->duration_count++] = (struct trace_duration){
				.job = row->seq,
				.segment = (uint32_t)row->segment,
				.duration_ns = row->duration,
			};
	}
	return true;
}
