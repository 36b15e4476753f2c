/* runs/bounds/roster.c - see runs/bounds/roster.h. */
#include "runs/bounds/roster.h"

#include <stdlib.h>
#include <string.h>

#include "policies/plugin/plugin.h"
#include "policies/registry.h"
#include "runs/bounds/recorded_label.h"

static bool count_of(struct db_reader *reader, const char *sql, uint32_t *count, struct error *err)
{
	bool row = false;
	struct db_cursor *c = cursor_open(reader, sql, err);
	bool ok = c && cursor_next(c, &row, err);
	*count = ok && row ? (uint32_t)cursor_integer(c, 0) : 0;
	cursor_close(c);
	return ok;
}

/* ---- sets ---- */

static bool read_sets(struct roster *r, struct db_reader *reader, struct error *err)
{
	struct db_cursor *c = cursor_open(reader,
		"SELECT taskset_id, name, (SELECT count(*) FROM task t WHERE t.taskset_id = s.taskset_id)"
		" FROM taskset s ORDER BY 1",
		err);
	bool row, ok = c != NULL;
	uint32_t i = 0;
	while (ok && i < r->set_count && (ok = cursor_next(c, &row, err)) && row) {
		struct roster_set *s = &r->sets[i++];
		s->taskset_id = cursor_integer(c, 0);
		s->task_count = (uint32_t)cursor_integer(c, 2);
		s->first_task = r->task_count;
		s->name = arena_strdup(&r->arena, cursor_text(c, 1));
		s->tasks = arena_new(&r->arena, const char *, s->task_count);
		r->task_count += s->task_count;
		ok = (s->name && s->tasks) || error_memory(err, "the names of a recording");
	}
	cursor_close(c);
	return ok;
}

static bool read_tasks(struct roster *r, struct db_reader *reader, struct error *err)
{
	struct db_cursor *c = cursor_open(
		reader, "SELECT taskset_id, task_idx, name FROM task ORDER BY taskset_id, task_idx", err);
	bool row, ok = c != NULL;
	struct roster_set *s = r->sets;
	while (ok && (ok = cursor_next(c, &row, err)) && row) {
		while (s < r->sets + r->set_count && s->taskset_id < cursor_integer(c, 0))
			s++;
		uint32_t task = (uint32_t)cursor_integer(c, 1);
		if (s == r->sets + r->set_count || task >= s->task_count)
			continue;
		s->tasks[task] = arena_strdup(&r->arena, cursor_text(c, 2));
		ok = s->tasks[task] || error_memory(err, "the names of a recording");
	}
	cursor_close(c);
	return ok;
}

static int compare_names(const void *a, const void *b)
{
	const struct roster_set *const *x = a, *const *y = b;
	int order = strcmp((*x)->name, (*y)->name);
	return order ? order : (*x > *y) - (*x < *y);
}

bool roster_sort(struct roster *r, struct error *err)
{
	r->by_name = arena_new(&r->arena, const struct roster_set *, r->set_count);
	if (!r->by_name)
		return error_memory(err, "the names of a recording");
	for (uint32_t i = 0; i < r->set_count; i++)
		r->by_name[i] = &r->sets[i];
	qsort(r->by_name, r->set_count, sizeof(*r->by_name), compare_names);
	return true;
}

const struct roster_set *const *roster_named(const struct roster *r, const char *name, uint32_t *count)
{
	uint32_t low = 0, high = r->set_count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (strcmp(r->by_name[middle]->name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (*count = 0; low + *count < r->set_count && strcmp(r->by_name[low + *count]->name, name) == 0;)
		++*count;
	return *count ? r->by_name + low : NULL;
}

const struct roster_set *roster_numbered(const struct roster *r, int64_t taskset_id)
{
	uint32_t low = 0, high = r->set_count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (r->sets[middle].taskset_id < taskset_id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < r->set_count && r->sets[low].taskset_id == taskset_id ? &r->sets[low] : NULL;
}

/* ---- policies and platforms ---- */

static bool add_name(
	struct roster *r, const char **list, uint32_t *count, const char *name, struct error *err)
{
	for (uint32_t i = 0; i < *count; i++)
		if (strcmp(list[i], name) == 0)
			return true;
	list[*count] = arena_strdup(&r->arena, name);
	return list[(*count)++] || error_memory(err, "the names of a recording");
}

static bool read_policies(struct roster *r, struct db_reader *reader, struct error *err)
{
	char label[PARAMS_LABEL_MAX];
	struct db_cursor *c = cursor_open(reader, "SELECT name, params FROM policy ORDER BY policy_id", err);
	bool row, ok = c != NULL;
	while (ok && (ok = cursor_next(c, &row, err)) && row) {
		const struct policy *policy = policy_find(cursor_text(c, 0));
		if (!policy)
			policy = plugin_find(cursor_text(c, 0));
		ok = recorded_label(reader, cursor_text(c, 0), cursor_text(c, 1),
			     policy ? policy->options : NULL, label, err) &&
		     add_name(r, r->policies, &r->policy_count, label, err);
	}
	cursor_close(c);
	return ok;
}

static bool read_platforms(struct roster *r, struct db_reader *reader, struct error *err)
{
	struct db_cursor *c = cursor_open(reader, "SELECT name FROM platform ORDER BY platform_id", err);
	bool row, ok = c != NULL;
	while (ok && (ok = cursor_next(c, &row, err)) && row)
		ok = add_name(r, r->platforms, &r->platform_count, cursor_text(c, 0), err);
	cursor_close(c);
	return ok;
}

bool roster_read(struct roster *r, struct db_reader *reader, const char *const *more, uint32_t more_count,
	struct error *err)
{
	uint32_t policies, platforms;
	*r = (struct roster){0};
	if (!count_of(reader, "SELECT count(*) FROM taskset", &r->set_count, err) ||
		!count_of(reader, "SELECT count(*) FROM policy", &policies, err) ||
		!count_of(reader, "SELECT count(*) FROM platform", &platforms, err))
		return false;
	r->sets = arena_new(&r->arena, struct roster_set, r->set_count);
	r->policies = arena_new(&r->arena, const char *, (size_t)policies + more_count);
	r->platforms = arena_new(&r->arena, const char *, platforms);
	if (!r->sets || !r->policies || !r->platforms)
		return error_memory(err, "the names of a recording");
	bool ok = read_sets(r, reader, err) && read_tasks(r, reader, err) && read_policies(r, reader, err) &&
		  read_platforms(r, reader, err) && roster_sort(r, err);
	for (uint32_t i = 0; ok && i < more_count; i++)
		ok = add_name(r, r->policies, &r->policy_count, more[i], err);
	return ok;
}

void roster_finish(struct roster *r)
{
	arena_finish(&r->arena);
	*r = (struct roster){0};
}
