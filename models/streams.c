/* models/streams.c - streams and hardware queues: copies and kernels of a queue run in the order in
 * which they were issued; only a head may enter the copy queue or the primary queue (Yang &
 * Anderson, rule R2). The NULL stream orders itself against all others (docs/model.md, "Streams"). */
#include <assert.h>

#include "models/machine.h"

/* While the streams are made: notes that a task uses a queue. The heads serve as marks. */
static void claim_queue(struct streams *s, uint32_t task, uint32_t queue)
{
	struct hardware_queue *q = &s->queues[queue];
	s->null_used |= queue == s->null;
	s->direct &= queue != s->null && (q->head == NO_TASK || q->head == task);
	q->head = task;
}

bool streams_init(struct machine *m)
{
	struct streams *s = &m->streams;
	s->null = m->platform->work_queues;
	s->queues = arena_new(&m->arena, struct hardware_queue, (size_t)s->null + 1);
	s->next = arena_new(&m->arena, uint32_t, m->task_count);
	s->issued = arena_new(&m->arena, uint64_t, m->task_count);
	s->entered = arena_new(&m->arena, bool, m->task_count);
	if (!s->queues || !s->next || !s->issued || !s->entered)
		return false;
	for (uint32_t q = 0; q <= s->null; q++)
		s->queues[q].head = s->queues[q].tail = NO_TASK;
	s->direct = true;
	for (uint32_t i = 0; i < m->task_count; i++)
		for (uint32_t j = 0; j < m->tasks[i].step_count; j++)
			if (m->tasks[i].steps[j].kind != SEGMENT_CPU)
				claim_queue(s, i, m->tasks[i].steps[j].queue);
	for (uint32_t q = 0; q <= s->null; q++)
		s->queues[q].head = NO_TASK;
	return true;
}

static struct hardware_queue *queue_of(struct machine *m, uint32_t task)
{
	const struct task_run *t = &m->tasks[task];
	return &m->streams.queues[t->step->queue];
}

/* A task became head of its queue. */
static void new_head(struct machine *m, uint32_t task)
{
	if (m->streams.null_used)
		m->streams.changed = true;
	else
		list_add(&m->eligible, task);
}

void streams_enter(struct machine *m, uint32_t task)
{
	const struct task_run *t = &m->tasks[task];
	if (t->step->kind == SEGMENT_COPY)
		copies_enter(m, task);
	else
		gpu_enter(m, task);
}

void streams_issue(struct machine *m, uint32_t task)
{
	struct streams *s = &m->streams;
	if (s->direct) {
		streams_enter(m, task);
		return;
	}
	struct hardware_queue *q = queue_of(m, task);
	m->tasks[task].place = PLACE_STREAM;
	s->issued[task] = ++s->counter;
	s->next[task] = NO_TASK;
	s->entered[task] = false;
	if (q->head == NO_TASK) {
		q->head = q->tail = task;
		new_head(m, task);
	} else {
		s->next[q->tail] = task;
		q->tail = task;
	}
}

void streams_leave(struct machine *m, uint32_t task)
{
	struct streams *s = &m->streams;
	if (s->direct)
		return;
	struct hardware_queue *q = queue_of(m, task);
	s->changed = s->null_used;
	if (q->head == task) {
		q->head = s->next[task];
		if (q->head != NO_TASK)
			new_head(m, q->head);
		else
			q->tail = NO_TASK;
		list_remove(&m->eligible, task);
		return;
	}
	uint32_t before = q->head;
	while (s->next[before] != task)
		before = s->next[before];
	s->next[before] = s->next[task];
	if (q->tail == task)
		q->tail = before;
}

/* Whether the head of queue q may go to its resource. A head of the NULL stream waits for every head that was
 * issued before it; the others wait for its head if that was issued before them. */
static bool may_enter(const struct streams *s, uint32_t q)
{
	uint64_t mine = s->issued[s->queues[q].head];
	if (q != s->null)
		return s->queues[s->null].head == NO_TASK || s->issued[s->queues[s->null].head] > mine;
	for (uint32_t other = 0; other < s->null; other++)
		if (s->queues[other].head != NO_TASK && s->issued[s->queues[other].head] < mine)
			return false;
	return true;
}

void streams_settle(struct machine *m)
{
	struct streams *s = &m->streams;
	s->changed = false;
	for (uint32_t q = 0; q <= s->null; q++) {
		uint32_t head = s->queues[q].head;
		if (head == NO_TASK || s->entered[head] || !may_enter(s, q))
			continue;
		s->entered[head] = true;
		list_add(&m->eligible, head);
	}
}
