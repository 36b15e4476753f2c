/* db/audit/digest.c - see db/audit/digest.h. */
#include "db/audit/digest.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const uint64_t multiplier = UINT64_C(0x9e3779b97f4a7c15);

enum { WORD_NUMBER = 1, WORD_TEXT, WORD_NO_TEXT };

static uint64_t finalise(uint64_t z)
{
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static void take(struct hash *h, uint64_t word)
{
	h->state = finalise(h->state * multiplier + word);
}

struct hash hash_begin(void)
{
	return (struct hash){multiplier};
}

void hash_number(struct hash *h, int64_t value)
{
	take(h, WORD_NUMBER);
	take(h, (uint64_t)value);
}

void hash_text(struct hash *h, const char *text)
{
	if (!text) {
		take(h, WORD_NO_TEXT);
		return;
	}
	size_t length = strlen(text);
	uint64_t word = 0;
	take(h, WORD_TEXT);
	take(h, length);
	for (size_t i = 0; i < length; i++) {
		word |= (uint64_t)(unsigned char)text[i] << 8 * (i % 8);
		if (i % 8 == 7 || i + 1 == length) {
			take(h, word);
			word = 0;
		}
	}
}

uint64_t hash_end(const struct hash *h)
{
	return finalise(h->state);
}

void hash_print(uint64_t value, char text[HASH_TEXT])
{
	snprintf(text, HASH_TEXT, "%016" PRIx64, value);
}

/* ---- Columns ---- */

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), behind = strlen(end);
	return length >= behind && strcmp(text + length - behind, end) == 0;
}

/* A task id counts as the task's index in its set. Other ids, and the digest of the row itself, do not
 * count. */
static bool is_task(const char *column)
{
	return strcmp(column, "task_id") == 0 || ends_with(column, "_task_id");
}

static bool is_content(const char *column, bool ranged)
{
	if (is_task(column))
		return true;
	if (strcmp(column, "gpu_active_ns") == 0 || strcmp(column, "sm_active_ns") == 0)
		return false; /* not recorded at every level */
	return !ends_with(column, "_id") && strcmp(column, "task_idx") != 0 &&
	       (ranged || strcmp(column, "digest") != 0);
}

/* False: there is no room for it. */
static bool add_column(struct hashed *columns, const char *name, const char *type, const char *owner)
{
	size_t used = strlen(columns->sql), room = sizeof(columns->sql) - used;
	if (columns->count == HASHED_MAX)
		return false;
	bool owned = owner && strcmp(name, "task_id") == 0;
	int length = snprintf(columns->sql + used, room,
		owned           ? "%s%s.task_idx"
		: is_task(name) ? "%s(SELECT x.task_idx FROM task x WHERE x.task_id = t.%s)"
				: "%st.%s",
		columns->count ? ", " : "", owned ? owner : name);
	columns->is_text[columns->count++] = strcmp(type, "TEXT") == 0;
	return length >= 0 && (size_t)length < room;
}

bool hashed_columns(struct db_reader *r, const char *table, const char *first, const char *last,
	const char *owner, struct hashed *columns, struct error *err)
{
	char sql[240];
	bool within = !first;
	*columns = (struct hashed){0};
	/* What a view computes has no type; the table in front of the view has (db/segment_table.h). */
	snprintf(sql, sizeof(sql),
		"SELECT name, coalesce(nullif(type, ''), (SELECT o.type FROM pragma_table_info('%s') o"
		" WHERE o.name = m.name)) FROM pragma_table_info('%s', 'main') m ORDER BY cid",
		table, table);
	struct rows q = rows_open(r, sql, err);
	while (rows_next(&q)) {
		const char *name = cursor_text(q.c, 0);
		within = within || strcmp(name, first) == 0;
		if (within && is_content(name, first != NULL) &&
			!add_column(columns, name, cursor_text(q.c, 1), owner))
			q.ok = error_set(err, STATUS_IO,
				"the recording is damaged: table %s has too many columns", table);
		if (last && strcmp(name, last) == 0)
			break;
	}
	return rows_close(&q);
}

void hash_row(struct hash *h, const struct hashed *columns, const struct db_cursor *c, int at)
{
	for (int i = 0; i < columns->count; i++, at++) {
		if (columns->is_text[i])
			hash_text(h, cursor_text(c, at));
		else
			hash_number(h, cursor_kind(c, at) == VALUE_NULL ? INT64_MIN : cursor_integer(c, at));
	}
}

/* ---- Jobs ---- */

uint64_t hash_job(const struct hashed_job *j)
{
	uint64_t who = ((uint64_t)j->task << 32) + (uint64_t)j->seq;
	uint64_t sum = (uint64_t)j->release * UINT64_C(0x9e3779b97f4a7c15);
	sum += (uint64_t)j->deadline * UINT64_C(0xd1342543de82ef95);
	sum += (uint64_t)j->first_start * UINT64_C(0xaef17502108ef2d9);
	sum += (uint64_t)j->finish * UINT64_C(0xf1357aea2e62a9c5);
	sum += (8 * who + (uint64_t)j->outcome) * UINT64_C(0xd6e8feb86659fd93);
	return finalise(sum);
}

uint64_t hash_schedule(uint64_t events, uint64_t jobs)
{
	return finalise(events * multiplier + jobs);
}
