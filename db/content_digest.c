/* db/content_digest.c - computes the digest of a recording's content: the sum of the digests of all rows, so
 * that their order does not matter. An id is replaced by the digest of the thing that it identifies. */
#include "db/content_digest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "db/row_types.h"

/* Tables that define ids, in an order in which each table only needs those before it. */
enum key {
	KEY_SCENARIO,
	KEY_PLATFORM,
	KEY_POLICY,
	KEY_TRACE,
	KEY_QUESTION,
	KEY_TASKSET,
	KEY_TASK,
	KEY_RUN,
	KEY_ANALYSIS,
	KEYS
};

#define NO_KEY KEYS

struct keyed_table {
	const char *table;
	enum key key;         /* the kind of its first column, its own id; NO_KEY: none */
	const char *identity; /* columns from which the key is computed */
};

static const struct keyed_table tables[] = {
	{"scenario", KEY_SCENARIO, "digest"},
	{"platform", KEY_PLATFORM, "digest"},
	{"policy", KEY_POLICY, "digest"},
	{"release_trace", KEY_TRACE, "digest"},
	{"question", KEY_QUESTION, "policy_id, analysis, params"},
	{"taskset", KEY_TASKSET, "digest"},
	{"task", KEY_TASK, "taskset_id, task_idx"},
	{"run", KEY_RUN, "taskset_id, platform_id, policy_id, replication, setup_digest"},
	{"analysis_run", KEY_ANALYSIS, "taskset_id, platform_id, policy_id, analysis, params"},
	{"trace_release", NO_KEY, NULL},
	{"trace_duration", NO_KEY, NULL},
	{"segment", NO_KEY, NULL},
	{"segment_block", NO_KEY, NULL},
	{"segment_sample", NO_KEY, NULL},
	{"profile", NO_KEY, NULL},
	{"task_after", NO_KEY, NULL},
	{"chain", NO_KEY, NULL},
	{"chain_task", NO_KEY, NULL},
	{"chain_run", NO_KEY, NULL},
	{"run_gpu", NO_KEY, NULL},
	{"chain_bound", NO_KEY, NULL},
	{"run_task", NO_KEY, NULL},
	{"run_task_hist", NO_KEY, NULL},
	{"job", NO_KEY, NULL},
	{"segment_interval", NO_KEY, NULL},
	{"block_interval", NO_KEY, NULL},
	{"power_interval", NO_KEY, NULL},
	{"decision", NO_KEY, NULL},
	{"measured", NO_KEY, NULL},
	{"context_interval", NO_KEY, NULL},
	{"bound", NO_KEY, NULL},
	{"bound_part", NO_KEY, NULL},
	{"failed_unit", NO_KEY, NULL},
	{"grid_point", NO_KEY, NULL},
	{"verdict", NO_KEY, NULL},
	{"warp_machine", NO_KEY, NULL},
	{"warp_unit", NO_KEY, NULL},
	{"warp_kernel", NO_KEY, NULL},
	{"warp_step", NO_KEY, NULL},
	{"run_warp_kernel", NO_KEY, NULL},
	{"run_sub_core", NO_KEY, NULL},
	{"epoch", NO_KEY, NULL},
	{"epoch_sm", NO_KEY, NULL},
	{"epoch_quota", NO_KEY, NULL},
	{"warp_issue", NO_KEY, NULL},
};

/* Task ids are known by the kind of their column, not by its name. */
static const struct {
	const char *column;
	enum key key;
} id_columns[] = {
	{"scenario_id", KEY_SCENARIO},
	{"platform_id", KEY_PLATFORM},
	{"policy_id", KEY_POLICY},
	{"trace_id", KEY_TRACE},
	{"question_id", KEY_QUESTION},
	{"taskset_id", KEY_TASKSET},
	{"run_id", KEY_RUN},
	{"analysis_run_id", KEY_ANALYSIS},
};

/* The digest of the thing with an id. */
struct digest_key {
	int64_t id;
	uint64_t key;
};

/* By their ids, which may be any: nothing here grows with their size. */
struct digest_keys {
	struct digest_key *of;
	size_t count;
	bool mixed; /* while they are read: some id is not greater than the one before it */
};

struct summing {
	struct db_reader *reader;
	struct digest_keys keys[KEYS];
	uint64_t low, high; /* sums of two digests of every row */
	uint64_t rows;
};

static enum key key_of_column(const char *table, const char *name)
{
	if (row_holds_task(table, name))
		return KEY_TASK;
	for (size_t i = 0; i < sizeof(id_columns) / sizeof(id_columns[0]); i++)
		if (strcmp(id_columns[i].column, name) == 0)
			return id_columns[i].key;
	return NO_KEY;
}

static int compare_keys(const void *x, const void *y)
{
	const struct digest_key *a = x, *b = y;
	return (a->id > b->id) - (a->id < b->id);
}

/* NULL: nothing has this id. */
static const struct digest_key *key_of(const struct digest_keys *k, int64_t id)
{
	const struct digest_key wanted = {.id = id};
	if (k->count == 0 || id < k->of[0].id)
		return NULL;
	/* Ids nearly always follow each other. */
	uint64_t guess = (uint64_t)id - (uint64_t)k->of[0].id;
	if (guess < k->count && k->of[guess].id == id)
		return &k->of[guess];
	return bsearch(&wanted, k->of, k->count, sizeof(*k->of), compare_keys);
}

static void add_id(const struct summing *s, struct digest *d, enum key key, int64_t id)
{
	const struct digest_key *found = key_of(&s->keys[key], id);
	/* An id without a thing still counts, in a way of its own */
	digest_integer(d, found ? (int64_t)found->key : ~id);
}

static void add_value(
	const struct summing *s, struct digest *d, const struct db_cursor *c, int column, enum key key)
{
	switch (cursor_kind(c, column)) {
	case VALUE_NULL:
		digest_string(d, NULL);
		return;
	case VALUE_INTEGER:
		if (key == NO_KEY)
			digest_integer(d, cursor_integer(c, column));
		else
			add_id(s, d, key, cursor_integer(c, column));
		return;
	case VALUE_REAL:
	case VALUE_TEXT:
		digest_string(d, cursor_text(c, column));
		return;
	}
}

static bool add_key(
	struct summing *s, const struct keyed_table *t, int64_t id, const struct digest *d, struct error *err)
{
	struct digest_keys *k = &s->keys[t->key];
	if (id < 0 || id > INT32_MAX)
		return error_set(err, STATUS_INPUT,
			"%s: the recording is damaged, table %s: an id is %" PRId64, reader_file(s->reader),
			t->table, id);
	struct digest_key *grown = list_room(k->of, k->count, sizeof(*grown), "reading a recording", err);
	if (!grown)
		return false;
	k->of = grown;
	k->mixed |= k->count > 0 && id <= k->of[k->count - 1].id;
	k->of[k->count++] = (struct digest_key){id, d->state};
	return true;
}

/* Computes the keys of a table's rows. */
static bool read_keys(struct summing *s, const struct keyed_table *t, struct error *err)
{
	char sql[200];
	snprintf(sql, sizeof(sql), "SELECT %s, %s_id FROM %s", t->identity,
		t->key == KEY_TRACE ? "trace" : t->table, t->table);
	struct digest_keys *k = &s->keys[t->key];
	struct rows q = rows_open(s->reader, sql, err);
	while (rows_next(&q)) {
		struct digest d;
		int last = cursor_columns(q.c) - 1;
		digest_init(&d);
		for (int i = 0; i < last; i++)
			add_value(s, &d, q.c, i, key_of_column(t->table, cursor_column_name(q.c, i)));
		q.ok = add_key(s, t, cursor_integer(q.c, last), &d, err);
	}
	if (k->mixed)
		qsort(k->of, k->count, sizeof(*k->of), compare_keys);
	return rows_close(&q);
}

static bool too_many_columns(const struct summing *s, const struct keyed_table *t, struct error *err)
{
	return error_set(err, STATUS_INPUT, "%s: the recording is damaged, table %s: it has too many columns",
		reader_file(s->reader), t->table);
}

/* The columns of a row, without its own id, generated columns, and the time that a run took. */
static bool column_list(
	struct summing *s, const struct keyed_table *t, char *list, size_t size, struct error *err)
{
	size_t used = 0;
	char sql[80];
	snprintf(sql, sizeof(sql), "SELECT name FROM pragma_table_info('%s', 'main') ORDER BY cid", t->table);
	struct rows q = rows_open(s->reader, sql, err);
	list[0] = '\0';
	for (int i = 0; rows_next(&q); i++) {
		const char *name = cursor_text(q.c, 0);
		if (!name || strcmp(name, "wall_us") == 0 || (i == 0 && t->key != NO_KEY))
			continue;
		int length = snprintf(list + used, size - used, "%s%s", used ? ", " : "", name);
		used += (size_t)length;
		if (used >= size)
			q.ok = too_many_columns(s, t, err);
	}
	return rows_close(&q);
}

static bool sum_rows(struct summing *s, const struct keyed_table *t, struct error *err)
{
	char list[2000], sql[2100];
	enum key key[ROW_COLUMNS_MAX];
	if (!column_list(s, t, list, sizeof(list), err))
		return false;
	if (!list[0])
		return true; /* a recording of an earlier version, without the table */
	snprintf(sql, sizeof(sql), "SELECT %s FROM %s", list, t->table);
	struct rows q = rows_open(s->reader, sql, err);
	int columns = q.ok ? cursor_columns(q.c) : 0;
	if (columns > ROW_COLUMNS_MAX)
		q.ok = too_many_columns(s, t, err);
	for (int i = 0; q.ok && i < columns; i++)
		key[i] = key_of_column(t->table, cursor_column_name(q.c, i));
	while (rows_next(&q)) {
		struct digest d;
		digest_init(&d);
		digest_string(&d, t->table);
		for (int i = 0; i < columns; i++)
			add_value(s, &d, q.c, i, key[i]);
		s->low += d.state;
		digest_integer(&d, 0);
		s->high += d.state;
		s->rows++;
	}
	return rows_close(&q);
}

bool content_digest(struct db_reader *r, struct content_digest *digest, struct error *err)
{
	struct summing s = {.reader = r};
	bool ok = true;
	for (size_t i = 0; ok && i < sizeof(tables) / sizeof(tables[0]); i++)
		ok = tables[i].key == NO_KEY || read_keys(&s, &tables[i], err);
	for (size_t i = 0; ok && i < sizeof(tables) / sizeof(tables[0]); i++)
		ok = sum_rows(&s, &tables[i], err);
	for (int i = 0; i < KEYS; i++)
		free(s.keys[i].of);
	digest->rows = s.rows;
	snprintf(digest->text, sizeof(digest->text), "%016" PRIx64 "%016" PRIx64, s.high, s.low);
	return ok;
}
