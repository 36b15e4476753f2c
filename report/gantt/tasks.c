/* report/gantt/tasks.c - reads a run's tasks for a Gantt chart, and finds their short names. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/utf8.h"
#include "report/gantt/private.h"

#define BRIEF_LETTERS 7 /* most bytes of a short form before its number */

/* The first letters of a name (whole characters) and its number: "tau12" -> "t12" with one letter. */
static void abbreviate(const char *name, size_t letters, char brief[12])
{
	size_t length = strlen(name), digits = length, at = 0;
	while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9')
		digits--;
	for (size_t i = 0; i < letters && at < digits; i++) {
		size_t bytes = utf8_length(&name[at]);
		bytes = bytes ? bytes : 1;
		if (at + bytes > BRIEF_LETTERS)
			break;
		at += bytes;
	}
	at = at < digits ? at : digits;
	size_t rest = length - digits;
	rest = rest > 4 ? 4 : rest;
	memcpy(brief, name, at);
	memcpy(brief + at, name + digits, rest);
	brief[at + rest] = '\0';
}

static bool briefs_differ(const struct gantt_chart *c)
{
	for (size_t i = 0; i < c->tasks; i++)
		for (size_t k = 0; k < i; k++)
			if (strcmp(c->task[i].brief, c->task[k].brief) == 0)
				return false;
	return true;
}

/* Tries one letter, then two, then three. If that does not distinguish the tasks, none has a short form. */
static void find_briefs(struct gantt_chart *c)
{
	for (size_t letters = 1; letters <= 4; letters++) {
		for (size_t i = 0; i < c->tasks; i++) {
			c->task[i].brief[0] = '\0';
			if (letters < 4)
				abbreviate(c->task[i].name, letters, c->task[i].brief);
		}
		if (letters < 4 && briefs_differ(c))
			return;
	}
}

void gantt_cut_name(char *to, size_t size, const char *name, size_t letters)
{
	size_t at = 0, taken = 0;
	while (name[at]) {
		size_t bytes = utf8_length(&name[at]);
		bytes = bytes ? bytes : 1;
		char character[5] = "";
		memcpy(character, &name[at], bytes);
		size_t wide = utf8_width(character);
		bool last = name[at + bytes] == '\0';
		if (taken + wide + !last > letters || at + bytes + 4 > size) {
			memcpy(to + at, "…", sizeof("…"));
			return;
		}
		memcpy(to + at, &name[at], bytes);
		at += bytes;
		taken += wide;
	}
	to[at] = '\0';
}

/* What differs from operation to operation is only the segment: its own name says enough. */
static bool add_name(struct gantt_chart *c, const struct db_cursor *row, struct error *err)
{
	struct gantt_bar bar = {.segment = (uint32_t)cursor_integer(row, 1)};
	struct gantt_name n, *grown;
	if (!gantt_find_bar(c, cursor_integer(row, 0), &bar))
		return true;
	n = (struct gantt_name){.task = bar.task, .segment = bar.segment};
	grown = list_room(c->name, c->names, sizeof(*grown), "drawing a schedule", err);
	if (!grown)
		return false;
	c->name = grown;
	const char *own = cursor_text(row, 2);
	if (asprintf(&n.text, "%s%s%s", c->member ? "" : c->task[n.task].name, c->member ? "" : ": ", own) <
		0)
		return error_memory(err, "drawing a schedule");
	c->name[c->names++] = n;
	return true;
}

/* Of a set of operations each has a name, in their order. */
size_t gantt_find_name(const struct gantt_chart *c, size_t task, int64_t segment)
{
	if (c->member && segment >= 0 && (size_t)segment < c->names && c->name[segment].segment == segment)
		return (size_t)segment;
	for (size_t i = 0; i < c->names; i++)
		if (c->name[i].task == task && c->name[i].segment == segment)
			return i;
	return SIZE_MAX;
}

static bool read_names(struct db_reader *r, struct gantt_chart *c, struct error *err)
{
	struct db_cursor *rows = gantt_query(r,
		"SELECT task_id, segment_idx, name FROM v_segment WHERE taskset_id = ?1 AND name IS NOT NULL"
		" ORDER BY task_id, segment_idx",
		&c->taskset_id, 1, err);
	bool row = true, ok = rows != NULL;
	while (ok && row) {
		ok = cursor_next(rows, &row, err);
		if (ok && row)
			ok = add_name(c, rows, err);
	}
	cursor_close(rows);
	return ok;
}

/* "stream 7 #12" is number 12 of "stream 7". */
static bool is_operation(const char *name, size_t *length, int64_t *number)
{
	const char *mark = strrchr(name, '#');
	if (!mark || mark < name + 2 || mark[-1] != ' ' || mark[1] < '1' || mark[1] > '9' ||
		strspn(mark + 1, "0123456789") != strlen(mark + 1) || strlen(mark) > 18)
		return false;
	*length = (size_t)(mark - 1 - name);
	*number = strtoll(mark + 1, NULL, 10);
	return true;
}

/* The task whose name is the first `length` bytes, among the first `before`; `before`: there is none. */
static size_t task_named(struct gantt_chart *c, size_t before, const struct gantt_task *from, size_t length)
{
	for (size_t i = before; i > 0; i--)
		if (strncmp(c->task[i - 1].name, from->name, length) == 0 && !c->task[i - 1].name[length])
			return i - 1;
	return before;
}

/* Draws tasks of one name and different numbers as one, if all tasks are such. */
static bool gather(struct gantt_chart *c, struct error *err)
{
	size_t length, made = 0;
	int64_t number;
	for (size_t i = 0; i < c->tasks; i++)
		if (!is_operation(c->task[i].name, &length, &number))
			return true;
	c->member = calloc(c->tasks + 1, sizeof(*c->member));
	if (!c->member)
		return error_memory(err, "drawing a schedule");
	for (size_t i = 0; i < c->tasks; i++) {
		struct gantt_task own = c->task[i];
		(void)is_operation(own.name, &length, &number);
		size_t at = task_named(c, made, &own, length);
		c->member[i] = (struct gantt_member){own.id, number, at};
		if (at < made) {
			c->task[at].jobs += own.jobs;
			free(own.name);
			continue;
		}
		own.name[length] = '\0';
		c->task[made++] = own;
	}
	c->members = c->tasks;
	c->tasks = made;
	return true;
}

bool gantt_check_rows(const struct gantt_chart *c, size_t rows, struct error *err)
{
	return rows <= GANTT_ROWS_MOST ||
	       error_set(err, STATUS_INPUT,
		       "run %" PRId64 ": too much for a chart: %zu tasks and lanes; it has at most %d",
		       c->run_id, rows, GANTT_ROWS_MOST);
}

bool gantt_read_tasks(struct db_reader *r, struct gantt_chart *c, struct error *err)
{
	int64_t values[] = {c->taskset_id, c->run_id};
	struct db_cursor *rows = gantt_query(r,
		"SELECT t.task_id, t.name, coalesce(a.jobs, 0), count(*) OVER () FROM task t"
		" LEFT JOIN run_task a ON a.run_id = ?2 AND a.task_id = t.task_id WHERE t.taskset_id = ?1 "
		"ORDER BY t.task_idx",
		values, 2, err);
	bool row = true, ok = rows != NULL;
	while (ok && row) {
		ok = cursor_next(rows, &row, err);
		if (!ok || !row)
			break;
		if (!c->task) {
			c->task = calloc((size_t)cursor_integer(rows, 3), sizeof(*c->task));
			c->task_top = calloc((size_t)cursor_integer(rows, 3), sizeof(*c->task_top));
		}
		if (!c->task || !c->task_top)
			ok = error_memory(err, "drawing a schedule");
		else {
			struct gantt_task *task = &c->task[c->tasks++];
			task->id = cursor_integer(rows, 0);
			task->name = strdup(cursor_text(rows, 1));
			task->jobs = cursor_integer(rows, 2);
			ok = task->name || error_memory(err, "drawing a schedule");
		}
	}
	cursor_close(rows);
	ok = ok && gather(c, err) && gantt_check_rows(c, c->tasks, err);
	if (ok)
		find_briefs(c);
	return ok && read_names(r, c, err);
}

/* Ids of the tasks in a set nearly always follow each other. */
static bool find_member(const struct gantt_chart *c, int64_t id, size_t *member)
{
	int64_t guess = c->members ? id - c->member[0].id : -1;
	*member = guess >= 0 && guess < (int64_t)c->members ? (size_t)guess : 0;
	if (c->members && c->member[*member].id == id)
		return true;
	for (*member = 0; *member < c->members; ++*member)
		if (c->member[*member].id == id)
			return true;
	return false;
}

bool gantt_find_task(const struct gantt_chart *c, int64_t id, size_t *task, int64_t *seq)
{
	size_t member;
	if (c->member) {
		if (!find_member(c, id, &member))
			return false;
		*task = c->member[member].task;
		*seq = c->member[member].number;
		return true;
	}
	int64_t guess = c->tasks ? id - c->task[0].id : -1;
	if (guess >= 0 && guess < (int64_t)c->tasks && c->task[guess].id == id) {
		*task = (size_t)guess;
		return true;
	}
	for (*task = 0; *task < c->tasks; ++*task)
		if (c->task[*task].id == id)
			return true;
	return false;
}

bool gantt_find_bar(const struct gantt_chart *c, int64_t id, struct gantt_bar *bar)
{
	size_t member;
	if (c->member && find_member(c, id, &member))
		bar->segment = (uint32_t)member;
	return gantt_find_task(c, id, &bar->task, &bar->seq);
}

bool gantt_check_task(const struct gantt_ask *ask, const struct gantt_chart *c, struct error *err)
{
	struct text names = {0};
	for (size_t i = 0; i < c->tasks; i++) {
		if (!gantt_faded(ask, &c->task[i])) {
			text_finish(&names);
			return true;
		}
		text_printf(&names, "%s%s", i ? ", " : "", c->task[i].name);
	}
	error_set(err, STATUS_INPUT, "task: there is none of the name '%s'; the set has: %.400s", ask->task,
		text_data(&names));
	text_finish(&names);
	return false;
}
