/* models/queue.c - a sorted array of waiting tasks; see models/queue.h. */
#include "models/queue.h"

#include <string.h>

static const struct queue_entry before_all = {.key = INT64_MIN, .who = 0};

bool queue_init(struct queue *q, struct arena *arena, uint32_t tasks)
{
	*q = (struct queue){0};
	q->entries = arena_new(arena, struct queue_entry, 2 * (size_t)tasks + 2);
	if (!q->entries)
		return false;
	q->first = q->end = q->entries + 1;
	q->limit = q->first + 2 * (size_t)tasks;
	q->entries[0] = before_all;
	q->end->who = QUEUE_NOBODY;
	return true;
}

/* Moves the entries to the front of the room when its end is reached. At least half of the room is free then,
 * so this happens once in as many entries as there are tasks. */
void queue_compact(struct queue *q)
{
	uint32_t count = queue_length(q);
	assert(q->first - q->entries > count);
	q->first = memmove(q->entries + 1, q->first, count * sizeof(*q->entries));
	q->end = q->first + count;
}

/* The entries in front of the taken one move up by one place: mostly the first is taken. */
static uint32_t take(struct queue *q, struct queue_entry *entry)
{
	uint32_t task = (uint32_t)entry->who;
	memmove(q->first + 1, q->first, (size_t)(entry - q->first) * sizeof(*entry));
	*q->first++ = before_all;
	return task;
}

bool queue_remove(struct queue *q, uint32_t task)
{
	for (struct queue_entry *e = q->first; e < q->end; e++) {
		if ((uint32_t)e->who != task)
			continue;
		take(q, e);
		return true;
	}
	return false;
}

uint32_t queue_pop_lower_first(struct queue *q, int64_t now)
{
	assert(!queue_empty(q));
	for (struct queue_entry *e = q->first; e < q->end; e++)
		if (e->entered < now)
			return take(q, e);
	return take(q, q->end - 1);
}
