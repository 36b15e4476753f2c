/* models/queue.h - a queue of tasks that wait for a resource, ordered by a key.
 *
 * A task has at most one operation in the whole platform at a time (its jobs and
 * their segments run one after the other), so a queue never holds more entries than
 * there are tasks and never allocates. Smaller (key, who) goes first.
 *
 * It is a sorted array: queues are short; with first come, first served, tasks enter at the end; and the
 * first is taken without moving the others. Where an entry does not belong near the end of a long queue, its
 * place is found by halves, and what lies on the shorter side of it is moved at once. What leaves from
 * anywhere is found by halves, too: who enters a long queue leaves a note of his key. Without a note are only
 * those who came while it was short, never many. */
#ifndef CEGSIM_MODELS_QUEUE_H
#define CEGSIM_MODELS_QUEUE_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

#define QUEUE_NOBODY UINT32_MAX

struct queue_entry {
	int64_t key;     /* the order's key; smaller goes first */
	uint64_t who;    /* tie << 32 | task: among equal keys the smaller goes first */
	int64_t entered; /* instant of entering */
};

/* By which a task's entry is found again. */
struct queue_note {
	int64_t key;
	uint64_t who;
};

struct queue {
	/* The waiting entries are [first, end). All in front of `first` are less than any of them, and the
	 * entry at `end` has the task QUEUE_NOBODY: with these sentinels the loops need no check for an empty
	 * queue. */
	struct queue_entry *first, *end;
	struct queue_entry *entries, *limit; /* room for twice as many as there are tasks */
	struct queue_note *notes;            /* the last one of each task; [tasks], or those of `all` */
};

MUST_CHECK bool queue_init(struct queue *q, struct arena *arena, uint32_t tasks);
/* A queue of so many of the tasks of `all`. Other parts of it have other tasks: so they share its notes. */
MUST_CHECK bool queue_init_part(
	struct queue *q, struct arena *arena, uint32_t tasks, const struct queue *all);

/* For queue_push(): makes room at the end; and enters a long queue. */
__attribute__((noinline)) void queue_compact(struct queue *q);
__attribute__((noinline)) void queue_push_long(struct queue *q, int64_t key, uint64_t who, int64_t entered);
#define QUEUE_SHORT 32 /* entries up to which all are compared one by one */
#define QUEUE_NEAR 8   /* so many from the end, in a longer queue */

static inline uint32_t queue_length(const struct queue *q)
{
	return (uint32_t)(q->end - q->first);
}

static inline bool queue_empty(const struct queue *q)
{
	return q->first == q->end;
}

/* The first task, or QUEUE_NOBODY if the queue is empty. */
static inline uint32_t queue_first(const struct queue *q)
{
	return (uint32_t)q->first->who;
}

static inline bool queue_before(int64_t key, uint64_t who, const struct queue_entry *e)
{
	return key < e->key || (key == e->key && who < e->who);
}

static inline void queue_push(struct queue *q, int64_t key, uint64_t who, int64_t entered)
{
	if (__builtin_expect(q->end == q->limit, 0))
		queue_compact(q);
	struct queue_entry *at = q->end;
	if (__builtin_expect(at - q->first > QUEUE_SHORT, 0)) {
		queue_push_long(q, key, who, entered);
		return;
	}
	q->end++;
	at[1].who = QUEUE_NOBODY;
	for (; queue_before(key, who, at - 1); at--)
		*at = at[-1];
	at->key = key;
	at->who = who;
	at->entered = entered;
}

/* Takes the first out of a queue that is not empty. */
static inline uint32_t queue_pop(struct queue *q)
{
	assert(!queue_empty(q));
	struct queue_entry *first = q->first++;
	uint32_t task = (uint32_t)first->who;
	first->key = INT64_MIN;
	first->who = 0;
	return task;
}

/* Removes the task's entry; false if it is not in the queue. */
__attribute__((noinline)) bool queue_remove(struct queue *q, uint32_t task);
/* All keys become later by so much. */
__attribute__((noinline)) void queue_delay(struct queue *q, int64_t by);
/* `ties: lower-first` (docs/model.md): entries of before `now` go first, best key first;
 * if all entered at `now`, the worst key wins. Returns the task. */
__attribute__((noinline)) uint32_t queue_pop_lower_first(struct queue *q, int64_t now);

#endif
