/* models/streams.c - streams and hardware queues: copies and kernels of a queue run in the order in
 * which they were issued; only a head may enter the copy queue or the primary queue (Yang &
 * Anderson, rule R2). The NULL stream orders itself against all others (docs/model.md, "Streams"). */
#include <assert.h>

#include "models/machine.h"

/* Each context has null + 1 queues, and each GPU. */
static bool is_null(const struct streams *s, uint32_t queue)
{
	return queue % (s->null + 1) == s->null;
}

/* While the streams are made: notes that a task uses a queue. The heads serve as marks. */
static void claim_queue(struct streams *s, uint32_t task, uint32_t queue)
{
	struct hardware_queue *q = &s->queues[queue];
	s->null_used |= is_null(s, queue);
	s->direct &= !is_null(s, queue) && (q->head == NO_TASK || q->head == task);
	q->head = task;
}

static void claim_step(struct machine *m, uint32_t task, const struct step *step)
{
	struct streams *s = &m->streams;
	bool own = step->run == NO_TASK || step->run == task; /* not one of a task's operations in flight */
	if (step->kind == SEGMENT_CPU || step->kind == SEGMENT_WAIT || !own)
		return;
	claim_queue(s, task, step->queue);
	s->holds |= step->await_count > 0;
	s->direct &= !s->holds;
}

bool streams_init(struct machine *m)
{
	struct streams *s = &m->streams;
	s->null = m->devices.queues;
	s->count = (s->null + 1) * (m->contexts.count > 0         ? m->contexts.count
					   : m->devices.count > 0 ? m->devices.count
								  : 1);
	s->queues = arena_new(&m->arena, struct hardware_queue, s->count);
	s->next = arena_new(&m->arena, uint32_t, m->run_count);
	s->issued = arena_new(&m->arena, uint64_t, m->run_count);
	s->entered = arena_new(&m->arena, bool, m->run_count);
	s->due = arena_new(&m->arena, int64_t, m->run_count);
	s->early = arena_new(&m->arena, bool, m->run_count);
	s->held = arena_new(&m->arena, bool, m->run_count);
	if (!s->queues || !s->next || !s->issued || !s->entered || !s->due || !s->early || !s->held)
		return false;
	for (uint32_t q = 0; q < s->count; q++)
		s->queues[q].head = s->queues[q].tail = NO_TASK;
	s->delayed = m->platform->overheads.latency_ns > 0 || m->platform->overheads.gap_ns > 0;
	s->direct = !s->delayed && m->contexts.count == 0 && m->devices.count == 0;
	for (uint32_t i = 0; i < m->run_count; i++)
		for (uint32_t j = 0; j < m->tasks[i].step_count; j++)
			claim_step(m, i, &m->tasks[i].steps[j]);
	for (uint32_t q = 0; q < s->count; q++)
		s->queues[q].head = NO_TASK;
	return true;
}

static struct hardware_queue *queue_of(struct machine *m, uint32_t task)
{
	const struct task_run *t = &m->tasks[task];
	return &m->streams.queues[t->step->queue];
}

/* Whether the head of a queue is not to go on before a later instant. */
RARE static bool is_early(struct machine *m, uint32_t task)
{
	struct streams *s = &m->streams;
	int64_t free_at = queue_of(m, task)->free_at;
	int64_t at = s->due[task] > free_at ? s->due[task] : free_at;
	s->early[task] = at > m->sim.now;
	if (s->early[task])
		sim_arm(&m->sim, m->slot_delay + task, at);
	return s->early[task];
}

/* A task became head of its queue. */
static void new_head(struct machine *m, uint32_t task)
{
	if (m->streams.holds && (m->streams.held[task] = flights_hold(m, task)))
		return;
	if (m->streams.delayed && is_early(m, task))
		return;
	if (m->streams.null_used)
		m->streams.changed = true;
	else
		list_add(&m->eligible, task);
}

void streams_let_go(struct machine *m, uint32_t task)
{
	m->streams.held[task] = false;
	new_head(m, task);
}

void streams_due(struct machine *m, uint32_t task)
{
	sim_disarm(&m->sim, m->slot_delay + task);
	sim_mix(&m->sim, task);
	m->streams.early[task] = false;
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
	s->due[task] = m->sim.now + m->platform->overheads.latency_ns;
	if (q->head == NO_TASK) {
		q->head = q->tail = task;
		new_head(m, task);
	} else {
		s->next[q->tail] = task;
		q->tail = task;
	}
}

/* An operation that had started holds the next one up; one that had not is no longer waited for. */
RARE static void leave_delayed(struct machine *m, uint32_t task, struct hardware_queue *q)
{
	if (m->tasks[task].place == PLACE_RUNNING)
		q->free_at = m->sim.now + m->platform->overheads.gap_ns;
	if (m->streams.early[task])
		sim_disarm(&m->sim, m->slot_delay + task);
	m->streams.early[task] = false;
}

void streams_leave(struct machine *m, uint32_t task)
{
	struct streams *s = &m->streams;
	if (s->direct)
		return;
	struct hardware_queue *q = queue_of(m, task);
	s->changed = s->null_used;
	if (m->contexts.count > 0)
		contexts_leave(m, task);
	s->held[task] = false;
	if (s->delayed)
		leave_delayed(m, task, q);
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
	uint32_t first = q - q % (s->null + 1), null = first + s->null; /* of its context or GPU */
	if (q != null)
		return s->queues[null].head == NO_TASK || s->issued[s->queues[null].head] > mine;
	for (uint32_t other = first; other < null; other++)
		if (s->queues[other].head != NO_TASK && s->issued[s->queues[other].head] < mine)
			return false;
	return true;
}

void streams_settle(struct machine *m)
{
	struct streams *s = &m->streams;
	s->changed = false;
	for (uint32_t q = 0; q < s->count; q++) {
		uint32_t head = s->queues[q].head;
		if (head == NO_TASK || s->entered[head] || s->early[head] || s->held[head] ||
			!may_enter(s, q))
			continue;
		s->entered[head] = true;
		list_add(&m->eligible, head);
	}
}
