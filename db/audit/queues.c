/* db/audit/queues.c - the queues between being ready and getting a resource: the gate, the streams and
 * hardware queues with the NULL stream, the copy engines' queues and the primary queue (docs/model.md,
 * "Streams", "GPU", "Gates"). Who is in them is derived from the instants at which operations became ready
 * and ended, and then compared with what started. */
#include <stdlib.h>
#include <string.h>

#include "db/audit/law.h"
#include "db/audit/sweep.h"

bool line_remove(struct audit_line *l, uint32_t task)
{
	for (uint32_t i = 0; i < l->count; i++) {
		if (l->task[i] != task)
			continue;
		memmove(&l->task[i], &l->task[i + 1], (l->count - i - 1) * sizeof(*l->task));
		l->count--;
		return true;
	}
	return false;
}

/* Operations of one instant enter in task order. (`ties: lower-first` only concerns the choice.) */
static void line_sort(struct audit_line *l)
{
	for (uint32_t i = 1; i < l->count; i++) {
		uint32_t task = l->task[i], at = i;
		for (; at > 0 && task < l->task[at - 1]; at--)
			l->task[at] = l->task[at - 1];
		l->task[at] = task;
	}
}

/* The order of two operations in a queue, which entered at these instants. */
static bool before(const struct sweep *s, enum order order, const struct track *a, int64_t since_a,
	const struct track *b, int64_t since_b)
{
	const struct audit_operation *x = &a->op, *y = &b->op;
	bool new_x = since_a == s->now, new_y = since_b == s->now;
	switch (order) {
	case BY_PRIORITY:
	case BY_DEADLINE:
	case BY_SECTION_DEADLINE:
		if (!s->r->lower_first || (!new_x && !new_y))
			return sweep_outranks(s, order, a, b);
		return new_x != new_y ? new_y : sweep_outranks(s, order, b, a);
	case BY_RELEASE:
		return sweep_outranks(s, order, a, b);
	case BY_STREAM:
		if (x->info->high_stream != y->info->high_stream)
			return x->info->high_stream;
		break;
	case BY_ARRIVAL:
		break;
	}
	if (since_a != since_b)
		return since_a < since_b;
	return by_arrival_first(s, a->index, b->index);
}

bool sweep_before(const struct sweep *s, enum order order, const struct track *a, const struct track *b)
{
	return before(s, order, a, a->op.entered, b, b->op.entered);
}

bool sweep_unit_before(const struct sweep *s, const struct track *a, const struct track *b)
{
	return before(s, s->promise->gate_order, a, a->unit.since, b, b->unit.since);
}

static struct audit_line *stream_of(struct sweep *s, const struct track *t)
{
	return t->op.info->null_stream ? &s->null_queue : &s->queue[t->op.info->queue];
}

void sweep_queues_arrive(struct sweep *s, struct track *t)
{
	if (!s->promise)
		return;
	t->op.place = PLACE_GATE;
	line_add(&s->newly, t->index);
}

static void stop_waiting_for_engine(struct sweep *s, struct audit_operation *op)
{
	if (op->waits_for_engine)
		s->copies_waiting[op->info->engine]--;
	op->waits_for_engine = false;
}

void sweep_queues_start(struct sweep *s, struct track *t)
{
	if (t->op.info->kind != KIND_COPY)
		return;
	stop_waiting_for_engine(s, &t->op);
	s->copying[t->op.info->engine]++;
}

void sweep_queues_pause(struct sweep *s, struct track *t)
{
	if (t->op.info->kind == KIND_COPY)
		s->copying[t->op.info->engine]--;
}

void sweep_queues_leave(struct sweep *s, struct track *t)
{
	struct audit_operation *op = &t->op;
	sweep_note_end(s, t);
	if (op->info->kind == KIND_COPY && op->running)
		s->copying[op->info->engine]--;
	if (op->info->kind == KIND_KERNEL) {
		s->gpu_changed = true;
		s->gate_stirs |= t->unit.state == UNIT_ADMITTED;
	}
	if (!s->promise)
		return;
	stop_waiting_for_engine(s, op);
	if (!line_remove(&s->newly, t->index) && line_remove(stream_of(s, t), t->index))
		s->streams_changed = true;
	if (s->promise->gate == GATE_KERNELS && op->info->kind == KIND_KERNEL)
		sweep_gate_over(s, t);
}

void sweep_queues_leave_section(struct sweep *s, struct track *t)
{
	if (s->promise)
		sweep_gate_over(s, t);
}

/* ---- Phase 5, up to the resources ---- */

static void issue(struct sweep *s, uint32_t task)
{
	struct track *t = &s->track[task];
	(void)sweep_show(s, t->op.info->gpu);
	struct audit_line *stream = stream_of(s, t);
	if (!stream->task) {
		stream->task = calloc(s->r->tasks, sizeof(*stream->task));
		if (!stream->task) {
			sweep_fail_memory(s);
			return;
		}
	}
	if (!t->op.info->null_stream && t->op.info->queue >= s->queues_used)
		s->queues_used = t->op.info->queue + 1;
	t->op.place = PLACE_STREAM;
	t->op.entered = s->now;
	t->op.issue = ++s->issued;
	line_add(stream, task);
	s->streams_changed = true;
}

static const struct audit_operation *head_of(const struct sweep *s, const struct audit_line *l)
{
	return l->count ? &s->track[l->task[0]].op : NULL;
}

/* A head that may go on does so now, or when its distances are over. */
static void collect_head(struct sweep *s, uint32_t task)
{
	const struct track *t = &s->track[task];
	/* Where nobody saw the admission, this is the least. */
	bool unseen = s->promise->admits == ADMITS_UNSEEN;
	int64_t from = sweep_eligible_from(s, t, unseen ? t->op.launched : t->op.entered);
	if (from <= s->now)
		line_add(&s->admitted, task);
	else
		sweep_push(s, from, EVENT_STREAM_STIRS, task, 0);
}

/* Collects heads that have just become eligible into `admitted`, which is empty by now. */
static void collect_heads(struct sweep *s)
{
	const struct audit_operation *null_head = head_of(s, &s->null_queue);
	bool null_first = null_head != NULL;
	for (uint32_t q = 0; q < s->queues_used; q++) {
		const struct audit_operation *head = head_of(s, &s->queue[q]);
		if (!head)
			continue;
		if (null_head && head->issue < null_head->issue)
			null_first = false;
		if (head->place == PLACE_STREAM && (!null_head || head->issue < null_head->issue))
			collect_head(s, s->queue[q].task[0]);
	}
	if (null_first && null_head->place == PLACE_STREAM)
		collect_head(s, s->null_queue.task[0]);
}

static void enter_resources(struct sweep *s)
{
	collect_heads(s);
	line_sort(&s->admitted);
	for (uint32_t i = 0; i < s->admitted.count; i++) {
		struct audit_operation *op = &s->track[s->admitted.task[i]].op;
		bool granted = op->info->kind == KIND_KERNEL &&
			       (s->promise->grants != GRANTS_NONE || (op->parts && op->part[0].granted > 0));
		op->place = granted ? PLACE_GRANTED : PLACE_QUEUE;
		op->entered = s->now;
		if (op->info->kind == KIND_KERNEL) {
			s->gpu_changed = true;
			continue;
		}
		op->waits_for_engine = true;
		s->copies_waiting[op->info->engine]++;
	}
	s->admitted.count = 0;
}

void sweep_queues_settle(struct sweep *s)
{
	line_sort(&s->newly);
	for (uint32_t i = 0; i < s->newly.count; i++)
		sweep_gate_arrive(s, &s->track[s->newly.task[i]]);
	s->newly.count = 0;
	for (uint32_t g = 0; g < s->r->gpus; g++) {
		(void)sweep_show(s, g);
		sweep_gate_decide(s);
	}
	sweep_gate_place(s);
	sweep_queues_issue(s);
}

void sweep_queues_issue(struct sweep *s)
{
	line_sort(&s->admitted);
	for (uint32_t i = 0; i < s->admitted.count && !s->failed; i++)
		issue(s, s->admitted.task[i]);
	s->admitted.count = 0;
	for (uint32_t g = 0; g < s->r->gpus; g++) {
		(void)sweep_show(s, g);
		if (s->streams_changed && !s->failed)
			enter_resources(s);
		s->streams_changed = false;
	}
}
