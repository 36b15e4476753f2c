/* models/queue.c - a binary heap of waiting tasks; see models/queue.h. */
#include "models/queue.h"

static bool before(const struct queue_entry *a, const struct queue_entry *b)
{
	return a->key != b->key ? a->key < b->key : a->who < b->who;
}

bool queue_init(struct queue *q, struct arena *arena, uint32_t tasks)
{
	*q = (struct queue){ .capacity = tasks };
	q->heap = arena_new(arena, struct queue_entry, tasks);
	return q->heap != NULL;
}

void queue_sift_up(struct queue *q, uint32_t i, struct queue_entry entry)
{
	for (; i > 0 && before(&entry, &q->heap[(i - 1) / 2]); i = (i - 1) / 2)
		q->heap[i] = q->heap[(i - 1) / 2];
	q->heap[i] = entry;
}

static void sift_down(struct queue *q, uint32_t i, struct queue_entry entry)
{
	for (;;) {
		uint32_t child = 2 * i + 1;
		if (child >= q->count)
			break;
		if (child + 1 < q->count && before(&q->heap[child + 1], &q->heap[child]))
			child++;
		if (!before(&q->heap[child], &entry))
			break;
		q->heap[i] = q->heap[child];
		i = child;
	}
	q->heap[i] = entry;
}

struct queue_entry queue_take_at(struct queue *q, uint32_t i)
{
	struct queue_entry taken = q->heap[i], last = q->heap[--q->count];
	if (i < q->count) {
		if (i > 0 && before(&last, &q->heap[(i - 1) / 2]))
			queue_sift_up(q, i, last);
		else
			sift_down(q, i, last);
	}
	return taken;
}

bool queue_remove(struct queue *q, uint32_t task)
{
	for (uint32_t i = 0; i < q->count; i++) {
		if (queue_task(&q->heap[i]) != task)
			continue;
		queue_take_at(q, i);
		return true;
	}
	return false;
}

struct queue_entry queue_pop_lower_first(struct queue *q, int64_t now)
{
	assert(q->count > 0);
	uint32_t waited = UINT32_MAX, worst = 0;
	for (uint32_t i = 0; i < q->count; i++) {
		const struct queue_entry *e = &q->heap[i];
		if (e->entered < now && (waited == UINT32_MAX || before(e, &q->heap[waited])))
			waited = i;
		if (before(&q->heap[worst], e))
			worst = i;
	}
	return queue_take_at(q, waited != UINT32_MAX ? waited : worst);
}
