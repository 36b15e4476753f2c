/* scenarios/release_trace.c - reads release traces (CSV). */
#include "scenarios/release_trace.h"

#include <inttypes.h>
#include <stdlib.h>

#include "scenarios/task_csv.h"

struct trace_row {
	uint32_t task, seq, line;
	int32_t segment; /* -1: the row gives no length */
	int64_t release, duration;
};

#define COLUMNS 5
static const char *const columns[COLUMNS] = {"task", "seq", "release", "segment", "duration"};

/* A length is of what takes time by itself. Tasks with errors of their own say nothing. */
static bool check_length(struct task_csv *r, uint32_t task, int64_t segment)
{
	const struct task_entry *e = &r->description->tasks[task];
	return !e->sound || e->task.segments[segment].kind != SEGMENT_WAIT ||
	       task_csv_wrong(r, r->csv.line, r->csv.cells[3].column,
		       "segment %" PRId64 " of '%s' waits, and has no time of its own", segment,
		       e->task.name);
}

static bool read_row(struct task_csv *r, struct trace_row *row)
{
	const struct csv_cell *c = r->csv.cells;
	int64_t seq = 0, segment = -1;
	*row = (struct trace_row){.line = r->csv.line, .segment = -1};
	bool known = task_csv_task(r, 0, &row->task), ok = known;
	ok = task_csv_index(r, 1, "seq", TRACE_ROWS_MAX, &seq) && ok;
	ok = task_csv_time(r, 2, "release", &row->release) && ok;
	if (r->csv.count == COLUMNS && (*c[3].text || *c[4].text)) {
		bool there = task_csv_segment(r, 3, known, row->task, &segment) && known;
		ok = there && check_length(r, row->task, segment) && ok;
		ok = task_csv_time(r, 4, "duration", &row->duration) && ok;
	}
	row->seq = (uint32_t)seq;
	row->segment = (int32_t)segment;
	return ok;
}

static void add_row(struct task_csv *r, struct release_trace *t, const struct trace_row *row)
{
	struct trace_row *rows = task_csv_room(r, t->rows, t->count, sizeof(*rows));
	if (!rows)
		return;
	t->rows = rows;
	t->rows[t->count++] = *row;
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
static bool check_pair(struct task_csv *r, const struct trace_row *before, const struct trace_row *row)
{
	const char *task = r->description->tasks[row->task].task.name;
	uint32_t expected = before ? before->seq + 1 : 0;
	if (before && before->seq == row->seq) {
		if (before->release != row->release)
			return task_csv_wrong(r, row->line, 1,
				"job %" PRIu32 " of '%s' has another release in line %" PRIu32, row->seq,
				task, before->line);
		if (before->segment == row->segment)
			return task_csv_wrong(r, row->line, 1,
				"job %" PRIu32 " of '%s' is given twice; the first is in line %" PRIu32,
				row->seq, task, before->line);
		return true;
	}
	if (row->seq != expected)
		return task_csv_wrong(r, row->line, 1,
			"job %" PRIu32 " of '%s' is missing before job %" PRIu32, expected, task, row->seq);
	if (before && row->release < before->release)
		return task_csv_wrong(r, row->line, 1,
			"job %" PRIu32 " of '%s' is released before job %" PRIu32, row->seq, task,
			before->seq);
	return true;
}

static void check_order(struct task_csv *r, struct release_trace *t)
{
	const struct trace_row *rows = t->rows;
	if (t->count)
		qsort(t->rows, t->count, sizeof(*rows), compare_rows);
	for (uint32_t i = 0; i < t->count && r->errors < TASK_CSV_ERRORS_MAX; i++) {
		bool same_task = i > 0 && rows[i - 1].task == rows[i].task;
		(void)check_pair(r, same_task ? &rows[i - 1] : NULL, &rows[i]);
	}
}

bool release_trace_read(struct release_trace *t, struct binder *b, const struct node *at, const char *path,
	const struct description *d)
{
	struct task_csv r = {
		.binder = b,
		.at = at,
		.path = path,
		.description = d,
		.wants = "task, seq, release or task, seq, release, segment, duration",
	};
	struct trace_row row;
	*t = (struct release_trace){0};
	bool open = task_csv_open(&r, columns, COLUMNS);
	while (open && task_csv_next(&r, 3))
		if (read_row(&r, &row))
			add_row(&r, t, &row);
	task_csv_close(&r);
	if (r.ok)
		check_order(&r, t);
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
