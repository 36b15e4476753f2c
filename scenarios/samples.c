/* scenarios/samples.c - reads samples of execution times (CSV); see scenarios/samples.h. */
#include "scenarios/samples.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/task_csv.h"

struct sample_row {
	uint32_t task, segment, line;
	int64_t value;
};

struct sample_list {
	struct sample_row *rows;
	uint32_t count;
};

#define COLUMNS 3
static const char *const columns[COLUMNS] = {"task", "segment", "value"};

/* Why a segment cannot have samples; NULL: it can. */
static const char *unfit(const struct segment *s)
{
	if (s->kind == SEGMENT_WAIT)
		return "waits, and has no time of its own";
	if (s->kind == SEGMENT_COPY && s->bytes >= 0)
		return "is a copy given in bytes, whose time follows from the platform";
	if (s->kind == SEGMENT_KERNEL && s->form != KERNEL_GRID)
		return "is a kernel whose time follows from its SMs";
	if (s->kind == SEGMENT_KERNEL && s->times && s->times->own_draws)
		return "is a kernel with 'block_times': each block has a draw of its own";
	return NULL;
}

/* Checks the row with what its task says of the segment. Tasks with errors of their own say nothing. */
static bool check_row(struct task_csv *r, const struct sample_row *row)
{
	const struct task_entry *e = &r->description->tasks[row->task];
	const struct csv_cell *c = r->csv.cells;
	char value[UNIT_TEXT_MAX], best[UNIT_TEXT_MAX], worst[UNIT_TEXT_MAX];
	if (!e->sound || row->segment >= e->task.segment_count)
		return true;
	const struct segment *s = &e->task.segments[row->segment];
	const char *why = unfit(s);
	if (why)
		return task_csv_wrong(r, row->line, c[1].column, "segment %" PRIu32 " of '%s' %s",
			row->segment, e->task.name, why);
	return (row->value >= s->best_ns && row->value <= s->worst_ns) ||
	       task_csv_wrong(r, row->line, c[2].column,
		       "'value' is %s; segment %" PRIu32 " of '%s' takes [%s, %s]: give it this range as "
		       "[best, worst]",
		       unit_format(UNIT_TIME, row->value, value), row->segment, e->task.name,
		       unit_format(UNIT_TIME, s->best_ns, best), unit_format(UNIT_TIME, s->worst_ns, worst));
}

static bool read_row(struct task_csv *r, struct sample_row *row)
{
	int64_t segment = 0;
	*row = (struct sample_row){.line = r->csv.line};
	bool known = task_csv_task(r, 0, &row->task);
	bool ok = task_csv_segment(r, 1, known, row->task, &segment) && known;
	ok = task_csv_time(r, 2, "value", &row->value) && ok;
	row->segment = (uint32_t)segment;
	return ok && check_row(r, row);
}

static void add_row(struct task_csv *r, struct sample_list *l, const struct sample_row *row)
{
	struct sample_row *rows = task_csv_room(r, l->rows, l->count, sizeof(*rows));
	if (!rows)
		return;
	l->rows = rows;
	l->rows[l->count++] = *row;
}

static int compare_rows(const void *a, const void *b)
{
	const struct sample_row *x = a, *y = b;
	if (x->task != y->task)
		return x->task < y->task ? -1 : 1;
	if (x->segment != y->segment)
		return x->segment < y->segment ? -1 : 1;
	return (x->line > y->line) - (x->line < y->line);
}

/* The rows of one segment begin at `from`: where they end. */
static uint32_t end_of(const struct sample_list *l, uint32_t from)
{
	uint32_t to = from;
	while (to < l->count && l->rows[to].task == l->rows[from].task &&
		l->rows[to].segment == l->rows[from].segment)
		to++;
	return to;
}

/* Rows that were measured together are as many for each segment of a task. */
static void check_together(struct task_csv *r, const struct sample_list *l)
{
	uint32_t first = 0, count = 0;
	for (uint32_t from = 0, to; from < l->count; from = to) {
		const struct sample_row *row = &l->rows[from];
		to = end_of(l, from);
		if (from == 0 || row->task != l->rows[first].task) {
			first = from;
			count = to - from;
		} else if (to - from != count && r->errors < TASK_CSV_ERRORS_MAX) {
			task_csv_wrong(r, row->line, 1,
				"segment %" PRIu32 " of '%s' has %" PRIu32 " rows and its segment %" PRIu32
				" has %" PRIu32 ": together they are as many",
				row->segment, r->description->tasks[row->task].task.name, to - from,
				l->rows[first].segment, count);
		}
	}
}

static void read_list(struct task_csv *r, bool together, struct sample_list *l)
{
	struct sample_row row;
	bool open = task_csv_open(r, columns, COLUMNS);
	while (open && task_csv_next(r, COLUMNS))
		if (read_row(r, &row))
			add_row(r, l, &row);
	task_csv_close(r);
	if (r->ok && !l->count)
		task_csv_wrong(r, 1, 1, "there are no samples in it");
	if (!r->ok)
		return;
	qsort(l->rows, l->count, sizeof(*l->rows), compare_rows);
	if (together)
		check_together(r, l);
}

/* ---- Segments ---- */

static bool give(struct binder *b, struct segment *s, uint32_t count)
{
	s->samples = arena_new(b->arena, int64_t, count);
	if (!s->samples)
		return binder_no_memory(b);
	s->sample_count = count;
	return true;
}

static bool take_rows(struct binder *b, struct description *d, const struct sample_list *l)
{
	for (uint32_t from = 0, to; from < l->count; from = to) {
		struct task_entry *e = &d->tasks[l->rows[from].task];
		to = end_of(l, from);
		if (!e->sound)
			continue;
		struct segment *s = &e->task.segments[l->rows[from].segment];
		if (!give(b, s, to - from))
			return false;
		for (uint32_t i = from; i < to; i++)
			s->samples[i - from] = l->rows[i].value;
	}
	return true;
}

static bool copy_samples(struct binder *b, const struct task *from, struct task *to)
{
	for (uint32_t k = 0; k < to->segment_count && k < from->segment_count; k++) {
		const struct segment *stored = &from->segments[k];
		struct segment *s = &to->segments[k];
		if (!stored->samples)
			continue;
		if (!give(b, s, stored->sample_count))
			return false;
		memcpy(s->samples, stored->samples, stored->sample_count * sizeof(*s->samples));
	}
	return true;
}

static bool take_stored(struct binder *b, struct description *d)
{
	const struct taskset *set = d->stored->set;
	for (uint32_t i = 0; set && i < d->task_count && i < set->task_count; i++)
		if (d->tasks[i].sound && !copy_samples(b, &set->tasks[i], &d->tasks[i].task))
			return false;
	return true;
}

bool settle_samples(struct binder *b, const char *name, struct description *d)
{
	const struct execution_entry *e = &d->execution;
	if (!e->samples || !e->at)
		return true;
	if (d->stored)
		return take_stored(b, d);
	char *path = document_beside(name, e->samples);
	if (!path)
		return binder_no_memory(b);
	struct sample_list list = {0};
	struct task_csv r = {
		.binder = b, .at = e->at, .path = path, .description = d, .wants = "task, segment, value"};
	read_list(&r, e->kind == EXECUTION_TOGETHER, &list);
	bool ok = r.ok && take_rows(b, d, &list);
	free(list.rows);
	free(path);
	return ok;
}
