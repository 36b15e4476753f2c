/* tests/conformance/queues.c - orders, and when operations were issued to their streams and entered the queue
 * of their resource (docs/model.md, "Streams"), as closed forms of what was seen to end. */
#include <stdlib.h>

#include "tests/conformance/seen.h"

/* ---- orders ---- */

static int64_t key_of(const struct seen *s, order_fn *order, const struct op_seen *op, int64_t entered)
{
	if (order == order_by_priority)
		return s->plan->rank[op->task];
	if (order == order_by_arrival)
		return entered;
	if (order == order_by_release)
		return op->job->release;
	if (order == order_by_deadline)
		return op->job->deadline;
	if (order == order_by_stream_priority)
		return op->fact->stream_high ? entered - (INT64_C(1) << 61) : entered;
	const struct operation seen = {
		.task = op->task,
		.job = op->job->number,
		.segment = op->segment,
		.rank = s->plan->rank[op->task],
		.stream_high = op->fact->stream_high,
		.now = entered,
		.release = op->job->release,
		.deadline = op->job->deadline,
		.section_deadline = op->job->deadline - op->fact->behind_ns,
	};
	return order(&seen);
}

static bool first_come(order_fn *order)
{
	return order == order_by_arrival || order == order_by_release || order == order_by_stream_priority;
}

bool queues_before(const struct seen *s, order_fn *order, const struct op_seen *a, int64_t a_entered,
	const struct op_seen *b, int64_t b_entered)
{
	int64_t ka = key_of(s, order, a, a_entered), kb = key_of(s, order, b, b_entered);
	bool descending = s->setup->ties == TIES_LOWER_FIRST && first_come(order);
	if (ka != kb)
		return ka < kb;
	return descending ? a->task > b->task : a->task < b->task;
}

bool queues_taken_before(const struct seen *s, order_fn *order, const struct op_seen *a, int64_t a_entered,
	const struct op_seen *b, int64_t b_entered, int64_t now)
{
	bool better = queues_before(s, order, a, a_entered, b, b_entered);
	if (s->setup->ties != TIES_LOWER_FIRST || first_come(order))
		return better;
	bool a_waited = a_entered < now, b_waited = b_entered < now;
	if (a_waited != b_waited)
		return a_waited;
	return a_waited ? better : !better;
}

/* ---- streams ---- */

/* When it is ready and, if its unit must be admitted before, that is. */
static int64_t issued_at(const struct op_seen *op)
{
	if (!op->present || op->fact->kind == SEGMENT_CPU)
		return NEVER;
	return op->unit && !op->ahead && op->unit->admitted > op->ready ? op->unit->admitted : op->ready;
}

static void issue_all(struct seen *s)
{
	for (uint32_t i = 0; i < s->ops_total; i++) {
		struct op_seen *op = &s->ops[i];
		op->issue = issued_at(op);
		if (op->issue >= op->cut || op->issue >= s->stop_at)
			op->issue = NEVER;
	}
}

static int by_issue(const void *a, const void *b)
{
	const struct op_seen *x = *(struct op_seen *const *)a, *y = *(struct op_seen *const *)b;
	if (x->issue != y->issue)
		return x->issue < y->issue ? -1 : 1;
	return x->task < y->task ? -1 : x->task > y->task;
}

/* An operation is an eligible head when all that were issued before it to its queue or to the NULL
 * stream have left; of the NULL stream, when all that were issued before it to any queue have. */
void queues_derive(struct seen *s)
{
	struct op_seen **issued = seen_alloc(s, s->ops_total, sizeof(*issued));
	uint32_t count = 0, null = s->platform->work_queues;
	int64_t *left = seen_alloc(s, (size_t)null + 1, sizeof(*left)), all_left = 0;
	issue_all(s);
	for (uint32_t i = 0; i < s->ops_total; i++)
		if (s->ops[i].issue < NEVER)
			issued[count++] = &s->ops[i];
	qsort(issued, count, sizeof(struct op_seen *), by_issue);
	for (uint32_t i = 0; i < count; i++) {
		struct op_seen *op = issued[i];
		uint32_t q = op->fact->queue;
		int64_t from = q == null ? all_left : left[q] > left[null] ? left[q] : left[null];
		op->enter = from > op->issue ? from : op->issue;
		if (op->enter >= op->cut || op->enter >= s->stop_at)
			op->enter = NEVER;
		left[q] = op->leave > left[q] ? op->leave : left[q];
		all_left = op->leave > all_left ? op->leave : all_left;
	}
}
