/* models/queue.c - a sorted array of waiting tasks; see models/queue.h. */
#include "models/queue.h"

#include <string.h>

static const struct queue_entry before_all = {.key = INT64_MIN, .who = 0};

static bool init(struct queue *q, struct arena *arena, uint32_t tasks, struct queue_note *notes)
{
	*q = (struct queue){.notes = notes};
	q->entries = arena_new(arena, struct queue_entry, 2 * (size_t)tasks + 2);
	if (!q->entries || !q->notes)
		return false;
	q->first = q->end = q->entries + 1;
	q->limit = q->first + 2 * (size_t)tasks;
	q->entries[0] = before_all;
	q->end->who = QUEUE_NOBODY;
	return true;
}

bool queue_init(struct queue *q, struct arena *arena, uint32_t tasks)
{
	return init(q, arena, tasks, arena_new(arena, struct queue_note, tasks));
}

bool queue_init_part(struct queue *q, struct arena *arena, uint32_t tasks, const struct queue *all)
{
	return init(q, arena, tasks, all->notes);
}

/* Moves the entries when the end of the room is reached: to its middle, or to its beginning if they are few,
 * as nothing is then put in front of them. At least half of the room is free, so this happens once in half as
 * many entries as there are tasks, or in as many. */
void queue_compact(struct queue *q)
{
	uint32_t count = queue_length(q);
	size_t room = (size_t)(q->limit - q->entries) - 1;
	assert(count <= room / 2);
	size_t below = count > QUEUE_SHORT ? (room - count) / 2 : 0;
	q->first = memmove(q->entries + 1 + below, q->first, count * sizeof(*q->entries));
	q->end = q->first + count;
	q->end->who = QUEUE_NOBODY;
}

/* [first, at) moves down by one place, if there is one. */
static void open_below(struct queue *q, const struct queue_entry *at)
{
	memmove(q->first - 1, q->first, (size_t)(at - q->first) * sizeof(*at));
	q->first--;
}

static void open_above(struct queue *q, struct queue_entry *at)
{
	memmove(at + 1, at, (size_t)(q->end - at) * sizeof(*at));
	q->end++;
	q->end->who = QUEUE_NOBODY;
}

/* The first entry that comes behind (key, who). */
static struct queue_entry *find(const struct queue *q, int64_t key, uint64_t who)
{
	struct queue_entry *low = q->first, *high = q->end;
	while (low < high) {
		struct queue_entry *middle = low + (high - low) / 2;
		if (queue_before(key, who, middle))
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Makes room for an entry that does not belong near the end, and returns its place. */
static struct queue_entry *insert(struct queue *q, int64_t key, uint64_t who)
{
	struct queue_entry *low = find(q, key, who);
	bool below = q->first - q->entries > 1;
	if (!below || low - q->first > q->end - low) {
		open_above(q, low);
		return low;
	}
	open_below(q, low);
	return low - 1;
}

void queue_push_long(struct queue *q, int64_t key, uint64_t who, int64_t entered)
{
	struct queue_entry *at = q->end;
	if (queue_before(key, who, at - QUEUE_NEAR)) {
		at = insert(q, key, who);
	} else {
		q->end++;
		at[1].who = QUEUE_NOBODY;
		for (; queue_before(key, who, at - 1); at--)
			*at = at[-1];
	}
	*at = (struct queue_entry){.key = key, .who = who, .entered = entered};
	q->notes[(uint32_t)who] = (struct queue_note){.key = key, .who = who};
}

/* The entries in front of the taken one move up by one place, mostly none, or those behind it down. */
static uint32_t take(struct queue *q, struct queue_entry *entry)
{
	uint32_t task = (uint32_t)entry->who;
	size_t in_front = (size_t)(entry - q->first), behind = (size_t)(q->end - entry) - 1;
	if (in_front <= behind) {
		memmove(q->first + 1, q->first, in_front * sizeof(*entry));
		*q->first++ = before_all;
	} else {
		memmove(entry, entry + 1, behind * sizeof(*entry));
		q->end--;
		q->end->who = QUEUE_NOBODY;
	}
	return task;
}

bool queue_remove(struct queue *q, uint32_t task)
{
	const struct queue_note *note = &q->notes[task];
	struct queue_entry *e = q->first;
	if (queue_length(q) > QUEUE_SHORT)
		e = find(q, note->key, note->who) - 1;
	if (e < q->first || (uint32_t)e->who != task)
		for (e = q->first; e < q->end && (uint32_t)e->who != task;)
			e++;
	if (e == q->end)
		return false;
	take(q, e);
	return true;
}

void queue_delay(struct queue *q, int64_t by)
{
	for (struct queue_entry *e = q->first; e < q->end; e++) {
		e->key += by;
		q->notes[(uint32_t)e->who].key += by;
	}
}

uint32_t queue_pop_lower_first(struct queue *q, int64_t now)
{
	assert(!queue_empty(q));
	for (struct queue_entry *e = q->first; e < q->end; e++)
		if (e->entered < now)
			return take(q, e);
	return take(q, q->end - 1);
}
