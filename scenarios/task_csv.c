/* scenarios/task_csv.c - see scenarios/task_csv.h. */
#include "scenarios/task_csv.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "scenarios/task_names.h"

bool task_csv_wrong(struct task_csv *r, unsigned line, unsigned column, const char *fmt, ...)
{
	char text[400];
	va_list args;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	r->ok = false;
	r->errors++;
	return binder_error(r->binder, r->at, "%s:%u:%u: %s", r->path, line, column, text);
}

/* ---- The file ---- */

bool task_csv_open(struct task_csv *r, const char *const *columns, uint32_t count)
{
	struct error err;
	size_t length;
	r->ok = true;
	r->text = document_slurp(r->path, &length, &err);
	if (!r->text) {
		r->ok = false;
		r->binder->io_failed = r->binder->io_failed || err.status == STATUS_IO;
		return binder_error(r->binder, r->at, "'%s' %s", r->path, err.text);
	}
	if (strlen(r->text) != length)
		return task_csv_wrong(r, 1, 1, "this is not a text file: it holds a NUL character");
	r->csv = csv_of(r->text, columns, count);
	return true;
}

void task_csv_close(struct task_csv *r)
{
	free(r->text);
	r->text = NULL;
}

/* Whether the line has as many cells as a row needs. */
static bool check_line(struct task_csv *r, uint32_t fewer)
{
	const struct csv *c = &r->csv;
	if (c->fault == CSV_MORE) {
		char names[100] = "";
		for (uint32_t i = 0; i < c->most; i++)
			snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s%s", i ? ", " : "",
				c->columns[i]);
		return task_csv_wrong(r, c->line, c->fault_column, "more cells than %s", names);
	}
	if (c->fault == CSV_QUOTE)
		return task_csv_wrong(r, c->line, c->fault_column, "a cell with a quote that does not fit");
	return c->count == fewer || c->count == c->most ||
	       task_csv_wrong(r, c->line, 1, "wants %s; got %" PRIu32 " cells", r->wants, c->count);
}

bool task_csv_next(struct task_csv *r, uint32_t fewer)
{
	while (r->errors < TASK_CSV_ERRORS_MAX && !r->binder->no_memory && csv_next(&r->csv))
		if (check_line(r, fewer) && !csv_is_header(&r->csv))
			return true;
	return false;
}

/* ---- Cells ---- */

bool task_csv_task(struct task_csv *r, uint32_t cell, uint32_t *task)
{
	char hint[SUGGESTION_TEXT_MAX];
	const struct csv_cell *c = &r->csv.cells[cell];
	struct task_names *names = r->description->names;
	*task = task_names_find(names, c->text);
	return *task != UINT32_MAX ||
	       task_csv_wrong(r, r->csv.line, c->column, "no task is called \"%.60s\"%s", c->text,
		       task_names_hint(names, c->text, hint));
}

bool task_csv_index(struct task_csv *r, uint32_t cell, const char *what, int64_t max, int64_t *value)
{
	const struct csv_cell *c = &r->csv.cells[cell];
	enum whole_reading reading = whole_parse(c->text, value);
	if (reading == WHOLE_NOT || *value < 0)
		return task_csv_wrong(
			r, r->csv.line, c->column, "'%s' wants a whole number, got \"%.60s\"", what, c->text);
	if (reading == WHOLE_TOO_LARGE || *value > max)
		return task_csv_wrong(
			r, r->csv.line, c->column, "'%s' is %.40s; at most %" PRId64, what, c->text, max);
	return true;
}

bool task_csv_segment(struct task_csv *r, uint32_t cell, bool task_known, uint32_t task, int64_t *segment)
{
	uint32_t count = task_known ? r->description->tasks[task].segment_count : 0;
	return task_csv_index(r, cell, "segment", count ? (int64_t)count - 1 : UINT16_MAX, segment);
}

bool task_csv_time(struct task_csv *r, uint32_t cell, const char *what, int64_t *value)
{
	struct error err;
	const struct csv_cell *c = &r->csv.cells[cell];
	if (!unit_parse(UNIT_TIME, c->text, r->binder->time_unit, value, &err))
		return task_csv_wrong(r, r->csv.line, c->column, "'%s' %s", what, err.text);
	if (*value <= TIME_MAX_NS)
		return true;
	char is[UNIT_TEXT_MAX], limit[UNIT_TEXT_MAX];
	unit_format_alike(UNIT_TIME, (int64_t[]){*value, TIME_MAX_NS}, is, limit);
	return task_csv_wrong(
		r, r->csv.line, c->column, "'%s' is %s; it must be at most %s", what, is, limit);
}

void *task_csv_room(struct task_csv *r, void *rows, uint32_t count, size_t size)
{
	if (count == TASK_CSV_ROWS_MAX) {
		task_csv_wrong(r, r->csv.line, 1, "more than %u rows", TASK_CSV_ROWS_MAX);
		return NULL;
	}
	void *room = list_room(rows, count, size, "reading a CSV file", NULL);
	if (!room) {
		r->ok = false;
		binder_no_memory(r->binder);
	}
	return room;
}
