/* models/queue.h - who is next: tasks that wait for a resource, ordered by a key.
 *
 * A task has at most one operation in the whole platform at a time (its jobs and
 * their segments run one after the other), so a queue never holds more entries than
 * there are tasks and never allocates. Smaller (key, tie) goes first. A binary heap. */
#ifndef CEGSIM_MODELS_QUEUE_H
#define CEGSIM_MODELS_QUEUE_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include "base/arena.h"

struct queue_entry {
	int64_t key;              /* the order's key; smaller goes first */
	uint64_t who;             /* tie << 32 | task: among equal keys the smaller goes first */
	int64_t entered;          /* instant of entering */
};

static inline uint32_t queue_task(const struct queue_entry *e)
{
	return (uint32_t)e->who;
}

struct queue {
	struct queue_entry *heap;
	uint32_t count, capacity;
};

MUST_CHECK bool queue_init(struct queue *q, struct arena *arena, uint32_t tasks);
/* Sifting, for the two below. */
void queue_sift_up(struct queue *q, uint32_t i, struct queue_entry entry);
struct queue_entry queue_take_at(struct queue *q, uint32_t i);

static inline const struct queue_entry *queue_first(const struct queue *q)
{
	return q->count ? &q->heap[0] : NULL;
}

static inline void queue_push(struct queue *q, struct queue_entry entry)
{
	assert(q->count < q->capacity);
	if (q->count++ == 0)
		q->heap[0] = entry;
	else
		queue_sift_up(q, q->count - 1, entry);
}

/* Not of an empty queue. */
static inline struct queue_entry queue_pop(struct queue *q)
{
	assert(q->count > 0);
	if (q->count > 1)
		return queue_take_at(q, 0);
	q->count = 0;
	return q->heap[0];
}

/* Takes the task's entry out; false if it is not in the queue. */
bool queue_remove(struct queue *q, uint32_t task);
/* `ties: lower-first` (docs/model.md): entries of before `now` go first, best key first;
 * if all entered at `now`, the worst key wins. */
struct queue_entry queue_pop_lower_first(struct queue *q, int64_t now);

#endif
