/* runs/bounds/bounds_csv.c - see runs/bounds/bounds_csv.h. */
#include "runs/bounds/bounds_csv.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/sha256.h"
#include "base/text.h"
#include "base/units.h"
#include "base/words.h"
#include "runs/bounds/recorded_label.h"

#define ERRORS_MAX 20
#define DIGEST_DIGITS 16

enum { SET, TASK, BOUND, POLICY, PLATFORM, ANALYSIS, COLUMNS };
static const char *const columns[] = {"set", "task", "bound_ns", "policy", "platform", "analysis", NULL};
#define NEEDED POLICY /* the columns before this one */

struct bounds_reader {
	const struct bounds_csv *file;
	const struct roster *roster;
	struct known_list *list;
	uint32_t first; /* of the list: the first analysis of this file */
	struct diagnostics *diagnostics;
	struct error *err;
	unsigned errors;
	bool failed; /* memory: *err */
	struct csv csv;
	uint32_t cells;          /* that a line has */
	uint32_t place[COLUMNS]; /* the cell of a column, from 1; 0: the file does not have it */
	bool *sets, *tasks;      /* [set_count], [task_count] of the roster: there is a row */
	char digest[SHA256_TEXT];
};

struct bounds_csv bounds_csv_of(const char *text)
{
	static const char sound[] = "safety=sound:", not_sound[] = "safety=unsafe:";
	bool unsafe = strncmp(text, not_sound, strlen(not_sound)) == 0;
	if (unsafe)
		text += strlen(not_sound);
	else if (strncmp(text, sound, strlen(sound)) == 0)
		text += strlen(sound);
	const char *slash = strrchr(text, '/');
	return (struct bounds_csv){.path = text, .name = slash ? slash + 1 : text, .unsafe = unsafe};
}

static bool PRINTF_LIKE(4, 5)
	wrong(struct bounds_reader *r, unsigned line, unsigned column, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	diagnostics_add_list(r->diagnostics, line, column, fmt, args);
	va_end(args);
	r->errors++;
	return false;
}

/* ---- The first line ---- */

static void read_name(struct bounds_reader *r, uint32_t cell)
{
	char hint[SUGGESTION_TEXT_MAX];
	const struct csv_cell *c = &r->csv.cells[cell];
	int column = word_find(columns, c->text);
	struct suggestion near = {.word = c->text};
	for (const char *const *name = columns; *name; name++)
		suggestion_offer(&near, *name);
	if (column < 0)
		wrong(r, r->csv.line, c->column, "no column is called \"%.60s\"%s", c->text,
			near.best ? suggestion_text(&near, hint)
				  : "; there are set, task, bound_ns, policy, platform and analysis");
	else if (r->place[column])
		wrong(r, r->csv.line, c->column, "column '%s' is given twice", columns[column]);
	else
		r->place[column] = cell + 1;
}

static bool line_is_sound(struct bounds_reader *r)
{
	const struct csv *c = &r->csv;
	if (c->fault == CSV_QUOTE)
		return wrong(r, c->line, c->fault_column, "a cell with a quote that does not fit");
	return c->fault == CSV_FINE ||
	       wrong(r, c->line, c->fault_column, "more cells than there are columns");
}

/* Without the columns nothing else can be read. */
static bool read_header(struct bounds_reader *r)
{
	if (!csv_next(&r->csv))
		return wrong(r, 1, 1, "there are no bounds in it");
	if (!line_is_sound(r))
		return false;
	for (uint32_t i = 0; i < r->csv.count; i++)
		read_name(r, i);
	for (int i = 0; i < NEEDED; i++)
		if (!r->place[i])
			wrong(r, r->csv.line, 1,
				"column '%s' is missing; the first line names the columns, such as "
				"set,task,bound_ns",
				columns[i]);
	r->cells = r->csv.count;
	return r->errors == 0;
}

/* ---- Cells ---- */

static const struct csv_cell *cell_of(const struct bounds_reader *r, int column)
{
	return r->place[column] ? &r->csv.cells[r->place[column] - 1] : NULL;
}

static bool unknown_set(struct bounds_reader *r, const struct csv_cell *c)
{
	char hint[SUGGESTION_TEXT_MAX];
	const struct roster *o = r->roster;
	struct suggestion near = {.word = c->text};
	for (uint32_t i = 0; i < o->set_count; i++)
		suggestion_offer(&near, o->sets[i].name);
	return wrong(r, r->csv.line, c->column, "no set is called \"%.60s\", or has that number%s", c->text,
		suggestion_text(&near, hint));
}

/* By name, or by number; *set must be the only one. */
static bool read_set(struct bounds_reader *r, const struct roster_set **set)
{
	const struct csv_cell *c = cell_of(r, SET);
	int64_t number;
	uint32_t count;
	const struct roster_set *const *named = roster_named(r->roster, c->text, &count);
	const struct roster_set *numbered =
		whole_parse(c->text, &number) == WHOLE_READ ? roster_numbered(r->roster, number) : NULL;
	if (count > 1)
		return wrong(r, r->csv.line, c->column,
			"%" PRIu32
			" sets are called \"%.60s\"; give the number (taskset_id) of the one you mean",
			count, c->text);
	if (named && numbered && *named != numbered)
		return wrong(r, r->csv.line, c->column,
			"\"%.60s\" is the name of set %" PRId64 " and the number of another", c->text,
			(*named)->taskset_id);
	*set = named ? *named : numbered;
	return *set || unknown_set(r, c);
}

static bool read_task(struct bounds_reader *r, const struct roster_set *set, uint32_t *task)
{
	char hint[SUGGESTION_TEXT_MAX];
	const struct csv_cell *c = cell_of(r, TASK);
	struct suggestion near = {.word = c->text};
	for (*task = 0; *task < set->task_count; ++*task) {
		if (strcmp(set->tasks[*task], c->text) == 0)
			return true;
		suggestion_offer(&near, set->tasks[*task]);
	}
	return wrong(r, r->csv.line, c->column, "set '%.60s' has no task \"%.60s\"%s", set->name, c->text,
		suggestion_text(&near, hint));
}

static bool read_bound(struct bounds_reader *r, int64_t *bound_ns)
{
	const struct csv_cell *c = cell_of(r, BOUND);
	*bound_ns = NO_BOUND;
	if (!*c->text)
		return true;
	enum whole_reading reading = whole_parse(c->text, bound_ns);
	if (reading == WHOLE_NOT || *bound_ns < 0)
		return wrong(r, r->csv.line, c->column,
			"'bound_ns' wants a whole number of ns, or nothing, got \"%.60s\"", c->text);
	return (reading == WHOLE_READ && *bound_ns < NO_BOUND) ||
	       wrong(r, r->csv.line, c->column, "'bound_ns' is %.40s; at most %" PRId64, c->text,
		       NO_BOUND - 1);
}

/* The column is not there, or the cell is empty: *name is NULL. */
static bool read_choice(
	struct bounds_reader *r, int column, const char *const *names, uint32_t count, const char **name)
{
	char hint[SUGGESTION_TEXT_MAX];
	const struct csv_cell *c = cell_of(r, column);
	struct suggestion near = {.word = c ? c->text : ""};
	*name = NULL;
	if (!c || !*c->text)
		return true;
	for (uint32_t i = 0; i < count; i++) {
		if (strcmp(names[i], c->text) == 0) {
			*name = names[i];
			return true;
		}
		suggestion_offer(&near, names[i]);
	}
	return wrong(r, r->csv.line, c->column, "the recording has no %s \"%.60s\"%s", columns[column],
		c->text, suggestion_text(&near, hint));
}

/* ---- Analyses ---- */

static struct known *find(const struct bounds_reader *r, const char *name)
{
	for (uint32_t i = r->first; i < r->list->count; i++)
		if (strcmp(r->list->items[i]->name, name) == 0)
			return r->list->items[i];
	return NULL;
}

static struct known *make(struct bounds_reader *r, const char *name)
{
	struct text json = {0};
	text_add(&json, "{\"file\":");
	text_add_json(&json, r->file->name);
	text_printf(&json, ",\"safety\":\"%s\",\"files\":\"%.*s\"}", r->file->unsafe ? "unsafe" : "sound",
		DIGEST_DIGITS, r->digest);
	const struct known_texts texts = {
		.name = name,
		.label = name,
		.json = text_data(&json),
		.summary = "a table of the user's own",
		.source = r->file->path,
		.where = r->file->name,
		.version = 1,
		.unsafe = r->file->unsafe,
	};
	struct known *k =
		text_ok(&json, "reading bounds", r->err) ? known_add(r->list, &texts, r->err) : NULL;
	text_finish(&json);
	if (k)
		k->plain = true;
	r->failed = !k;
	return k;
}

/* NULL: memory failed. */
static struct known *analysis_of_row(struct bounds_reader *r)
{
	const struct csv_cell *c = cell_of(r, ANALYSIS);
	const char *called = c ? c->text : "";
	if (label_is_csv(called))
		called += strlen(CSV_PREFIX);
	if (!*called)
		called = r->file->name;
	struct text name = {0};
	text_printf(&name, CSV_PREFIX "%s", called);
	struct known *k = NULL;
	if (!text_ok(&name, "reading bounds", r->err))
		r->failed = true;
	else if (!(k = find(r, text_data(&name))))
		k = make(r, text_data(&name));
	text_finish(&name);
	return k;
}

/* ---- Rows ---- */

static void read_row(struct bounds_reader *r)
{
	const struct roster *o = r->roster;
	const struct roster_set *set = NULL;
	struct known_row row = {.line = r->csv.line};
	bool ok = read_set(r, &set) && read_task(r, set, &row.task);
	ok = read_bound(r, &row.bound_ns) && ok;
	ok = read_choice(r, POLICY, o->policies, o->policy_count, &row.policy) && ok;
	ok = read_choice(r, PLATFORM, o->platforms, o->platform_count, &row.platform) && ok;
	struct known *k = ok ? analysis_of_row(r) : NULL;
	if (!k)
		return;
	row.of.taskset_id = set->taskset_id;
	r->sets[set - o->sets] = true;
	r->tasks[set->first_task + row.task] = true;
	r->failed = !known_add_row(k, &row, r->err);
}

static void read_lines(struct bounds_reader *r)
{
	while (r->errors < ERRORS_MAX && !r->failed && csv_next(&r->csv)) {
		if (!line_is_sound(r))
			continue;
		if (r->csv.count == r->cells)
			read_row(r);
		else
			wrong(r, r->csv.line, 1, "has %" PRIu32 " cell%s; the first line has %" PRIu32,
				r->csv.count, plural(r->csv.count), r->cells);
	}
}

/* ---- Doubled rows ---- */

static int compare_rows(const void *a, const void *b)
{
	const struct known_row *x = a, *y = b;
	if (x->of.taskset_id != y->of.taskset_id)
		return x->of.taskset_id < y->of.taskset_id ? -1 : 1;
	if (x->task != y->task)
		return x->task < y->task ? -1 : 1;
	return (x->line > y->line) - (x->line < y->line);
}

/* Names of the roster: the same name is the same text. */
static bool overlap(const char *a, const char *b)
{
	return !a || !b || a == b;
}

static void check_doubled(struct bounds_reader *r, struct known *k)
{
	if (k->row_count > 1)
		qsort(k->rows, k->row_count, sizeof(*k->rows), compare_rows);
	for (size_t i = 1, first = 0; i < k->row_count && r->errors < ERRORS_MAX; i++) {
		const struct known_row *row = &k->rows[i];
		if (row->of.taskset_id != k->rows[first].of.taskset_id || row->task != k->rows[first].task)
			first = i;
		for (size_t j = first; j < i; j++) {
			const struct known_row *before = &k->rows[j];
			if (!overlap(row->policy, before->policy) ||
				!overlap(row->platform, before->platform))
				continue;
			wrong(r, row->line, 1, "line %u has a bound of this task already", before->line);
			break;
		}
	}
}

/* ---- The file ---- */

static void count_missing(const struct bounds_reader *r, struct bounds_missing *m)
{
	*m = (struct bounds_missing){0};
	for (uint32_t i = 0; i < r->roster->set_count; i++) {
		const struct roster_set *s = &r->roster->sets[i];
		m->sets += !r->sets[i];
		m->tasks_of += r->sets[i] ? s->task_count : 0;
		for (uint32_t k = 0; k < s->task_count && r->sets[i]; k++)
			m->tasks += !r->tasks[s->first_task + k];
	}
}

static void read_all(struct bounds_reader *r, size_t length, const char *text)
{
	if (strlen(text) != length)
		wrong(r, 1, 1, "this is not a text file: it holds a NUL character");
	else if (read_header(r))
		read_lines(r);
	for (uint32_t i = r->first; i < r->list->count && !r->failed; i++)
		check_doubled(r, r->list->items[i]);
	if (r->errors == 0 && !r->failed && r->list->count == r->first)
		wrong(r, 1, 1, "there are no bounds in it");
}

bool bounds_csv_read(struct bounds_csv *csv, char *text, size_t length, const struct roster *roster,
	struct known_list *list, struct diagnostics *d, struct error *err)
{
	struct bounds_reader r = {
		.file = csv,
		.roster = roster,
		.list = list,
		.first = list->count,
		.diagnostics = d,
		.err = err,
		.csv = csv_of(text, columns, COLUMNS),
		.sets = calloc((size_t)roster->set_count + 1, sizeof(bool)),
		.tasks = calloc((size_t)roster->task_count + 1, sizeof(bool)),
	};
	sha256(text, length, r.digest);
	r.failed = !r.sets || !r.tasks;
	if (r.failed)
		error_memory(err, "reading bounds");
	else
		read_all(&r, length, text);
	if (!r.failed)
		count_missing(&r, &csv->missing);
	free(r.sets);
	free(r.tasks);
	return !r.failed && (r.errors == 0 || error_set(err, STATUS_INPUT, "the bounds cannot be read"));
}
