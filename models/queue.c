/* models/queue.c - a sorted array of waiting tasks; see models/queue.h. */
#include <string.h>
#include "models/queue.h"

static const struct queue_entry before_all = { .key = INT64_MIN, .who = 0 };

bool queue_init(struct queue *q, struct arena *arena, uint32_t tasks)
{
	*q = (struct queue){ .first = 1, .end = 1, .room = 2 * tasks + 1 };
	q->entries = arena_new(arena, struct queue_entry, (size_t)q->room + 1);
	if (!q->entries)
		return false;
	q->entries[0] = before_all;
	q->entries[1].who = QUEUE_NOBODY;
	return true;
}

/* Half of the room is free: this happens once in as many entries as there are tasks. */
void queue_compact(struct queue *q)
{
	uint32_t count = queue_length(q);
	assert(2 * count < q->room);
	memmove(q->entries + 1, q->entries + q->first, count * sizeof *q->entries);
	q->first = 1;
	q->end = 1 + count;
}

/* Those in front of the entry move up: the first is taken most often. */
static uint32_t take_at(struct queue *q, uint32_t i)
{
	uint32_t task = (uint32_t)q->entries[i].who;
	memmove(q->entries + q->first + 1, q->entries + q->first, (i - q->first) * sizeof *q->entries);
	q->entries[q->first++] = before_all;
	return task;
}

bool queue_remove(struct queue *q, uint32_t task)
{
	for (uint32_t i = q->first; i < q->end; i++) {
		if ((uint32_t)q->entries[i].who != task)
			continue;
		take_at(q, i);
		return true;
	}
	return false;
}

uint32_t queue_pop_lower_first(struct queue *q, int64_t now)
{
	assert(queue_length(q) > 0);
	for (uint32_t i = q->first; i < q->end; i++)
		if (q->entries[i].entered < now)
			return take_at(q, i);
	return take_at(q, q->end - 1);
}
