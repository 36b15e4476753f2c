/* runs/load_rows.c - rows of a recording that may be anybody's: what a column holds has its type, and fits
 * its place in a struct, or the table, the row and the column are named. What the values must be together is
 * not said here: the judge of inputs is the same as for scenarios (models/judge.h). */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "runs/load_private.h"

#define SUBJECT_MAX 64
static const char *subject(const struct loading *l, char text[SUBJECT_MAX])
{
	bool run = l->run->run_id > 0;
	snprintf(text, SUBJECT_MAX, "%s %" PRId64, run ? "run" : "task set",
		run ? l->run->run_id : l->taskset_id);
	return text;
}

bool load_no_memory(struct loading *l)
{
	l->bad = true;
	return error_memory(l->err, "a recorded run");
}

bool load_missing(struct loading *l, const char *what)
{
	char who[SUBJECT_MAX];
	l->bad = true;
	return error_set(l->err, STATUS_INPUT, "%s: its %s is not in the recording", subject(l, who), what);
}

/* ", table segment, task_idx 3, segment_idx 0"; empty: the query says of no row which it is. */
#define PLACE_MAX 256
static const char *place(const struct loading *l, char text[PLACE_MAX])
{
	int at = 0;
	text[0] = '\0';
	if (l->table)
		at = snprintf(text, PLACE_MAX, ", table %s", l->table);
	for (int i = 0; l->table && i < l->keys && at < PLACE_MAX; i++) {
		const char *value = cursor_text(l->row, i);
		at += snprintf(text + at, PLACE_MAX - (size_t)at, ", %s %.40s", cursor_column_name(l->row, i),
			value ? value : "NULL");
	}
	return text;
}

bool load_damaged(struct loading *l, const char *what)
{
	char who[SUBJECT_MAX], where[PLACE_MAX];
	if (l->bad)
		return false; /* the first defect has been reported */
	l->bad = true;
	return error_set(l->err, STATUS_INPUT, "%s: the recording is damaged%s: %s", subject(l, who),
		place(l, where), what);
}

bool load_defect(struct loading *l, const char *row, const char *text)
{
	char who[SUBJECT_MAX];
	if (l->bad)
		return false;
	l->bad = true;
	return error_set(l->err, STATUS_INPUT, "%s, %s: %s", subject(l, who), row, text);
}

bool load_refused(struct loading *l, const char *clause)
{
	char who[SUBJECT_MAX];
	l->bad = true;
	return error_set(l->err, STATUS_INPUT, "%s %s", subject(l, who), clause);
}

struct arena *load_arena(struct loading *l)
{
	return &l->run->set.arena;
}

int64_t load_each(struct loading *l, const char *sql, int64_t first, int64_t second, row_fn *fn)
{
	struct rows q = rows_open(l->reader, sql, l->err);
	struct db_cursor *outer = l->row;
	const char *table = l->table;
	int64_t rows = 0;
	int keys = l->keys;
	rows_bind(&q, 1, first);
	if (q.ok && cursor_parameters(q.c) > 1)
		rows_bind(&q, 2, second);
	for (; rows_next(&q); rows++) {
		load_row(l, q.c, NULL, 0);
		q.ok = fn(l, q.c) && !l->bad;
	}
	load_row(l, outer, table, keys);
	bool ok = rows_close(&q);
	if (!ok && !l->bad &&
		l->err->status ==
			STATUS_INPUT) { /* SQLite's: JSON that is none, a column that is not there */
		struct error reason = *l->err;
		load_damaged(l, reason.text);
	}
	return ok ? rows : -1;
}

bool load_one(struct loading *l, const char *what, const char *sql, int64_t id, row_fn *fn)
{
	int64_t rows = load_each(l, sql, id, 0, fn);
	return rows > 0 ||
	       (rows == 0 &&
		       load_missing(l, what)); /* keys need not hold in a file that others have changed */
}

void load_row(struct loading *l, struct db_cursor *c, const char *table, int keys)
{
	l->row = c;
	l->table = table;
	l->keys = keys;
}

/* Says what stands in the column, which should be `wanted`. */
static void wrong(struct loading *l, int column, const char *wanted)
{
	static const char *const kinds[] = {[VALUE_NULL] = "NULL",
		[VALUE_INTEGER] = "a number",
		[VALUE_REAL] = "a fraction",
		[VALUE_TEXT] = "a text"};
	char what[256];
	const char *value = cursor_text(l->row, column);
	if (cursor_kind(l->row, column) == VALUE_INTEGER)
		snprintf(what, sizeof(what), "%s is %.40s; it must be %s", cursor_column_name(l->row, column),
			value ? value : "too long", wanted);
	else
		snprintf(what, sizeof(what), "%s is %s; it must be %s", cursor_column_name(l->row, column),
			kinds[cursor_kind(l->row, column)], wanted);
	load_damaged(l, what);
}

int64_t load_number(struct loading *l, int column, int64_t least, int64_t most)
{
	int64_t value = cursor_integer(l->row, column);
	if (cursor_kind(l->row, column) == VALUE_INTEGER && value >= least && value <= most)
		return value;
	char wanted[80] = "a whole number";
	if (least != INT64_MIN || most != INT64_MAX)
		snprintf(wanted, sizeof(wanted), "%" PRId64 " to %" PRId64, least, most);
	wrong(l, column, wanted);
	return least > 0 || most < 0 ? least : 0;
}

int64_t load_number_or(struct loading *l, int column, int64_t fallback, int64_t least, int64_t most)
{
	return cursor_kind(l->row, column) == VALUE_NULL ? fallback : load_number(l, column, least, most);
}

const char *load_text(struct loading *l, int column)
{
	const char *text = cursor_kind(l->row, column) == VALUE_TEXT ? cursor_text(l->row, column) : NULL;
	if (!text)
		wrong(l, column, "a text");
	return text ? text : "";
}

char *load_name(struct loading *l, int column)
{
	char *name = arena_strdup(load_arena(l), load_text(l, column));
	if (!name)
		load_no_memory(l);
	return name;
}

int load_word(struct loading *l, int column, int (*named)(const char *word))
{
	if (cursor_kind(l->row, column) == VALUE_NULL)
		return 0;
	int value = named(load_text(l, column));
	if (value < 0)
		wrong(l, column, "one of the words of its kind");
	return value < 0 ? 0 : value;
}

int load_needed_word(struct loading *l, int column, int (*named)(const char *word))
{
	if (cursor_kind(l->row, column) == VALUE_NULL)
		wrong(l, column, "one of the words of its kind");
	return load_word(l, column, named);
}

void *load_room(struct loading *l, void *items, uint32_t count, size_t size)
{
	if (items && (count == 0 || (count & (count - 1)) != 0))
		return items; /* as large as the next power of two */
	void *larger = count <= UINT32_MAX / 2
			       ? arena_alloc(load_arena(l), count ? (size_t)count * 2 : 1, size)
			       : NULL;
	if (!larger)
		load_no_memory(l);
	else if (count > 0)
		memcpy(larger, items, count * size);
	return larger;
}

uint32_t load_next(struct loading *l, int column, uint32_t count)
{
	if (load_number(l, column, 0, UINT32_MAX) != count && !l->bad) {
		char what[96];
		snprintf(what, sizeof(what), "%s is not %" PRIu32 ": they are numbered from 0, without gaps",
			cursor_column_name(l->row, column), count);
		load_damaged(l, what);
	}
	return count;
}

struct task *load_task_of(struct loading *l)
{
	const struct taskset *set = &l->run->set;
	int64_t task = load_number(l, 0, 0, INT64_MAX);
	if (task < set->task_count && !l->bad)
		return &set->tasks[task];
	load_damaged(l, "its tasks are not numbered from 0");
	return NULL;
}

struct segment *load_segment_of(struct loading *l)
{
	const struct taskset *set = &l->run->set;
	int64_t task = load_number(l, 0, 0, INT64_MAX), segment = load_number(l, 1, 0, INT64_MAX);
	if (!l->bad && task < set->task_count && segment < set->tasks[task].segment_count)
		return &set->tasks[task].segments[segment];
	load_damaged(l, "its rows name a segment that is not there");
	return NULL;
}
