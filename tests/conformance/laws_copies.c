/* tests/conformance/laws_copies.c - copy engines: one copy at a time, to its end, in the order of the
 * queue, and no engine idle while a copy waits for it (docs/model.md, "Copies"). */
#include <inttypes.h>

#include "tests/conformance/law.h"

static bool is_copy(const struct op_seen *op)
{
	return op->present && op->fact->kind == SEGMENT_COPY;
}

void holds_copies_one_at_a_time(const struct seen *s, struct verdict *v)
{
	int64_t free_from[2] = {0, 0};
	for (size_t i = 0; i < s->count; i++) {
		const struct trace_record *r = &s->records[i];
		if (r->kind != TRACE_SPAN || r->resource != RESOURCE_COPY)
			continue;
		const struct op_seen *op = seen_op(s, r->task, r->job, r->segment);
		if (r->index >= s->platform->engines || !op || op->fact->engine != r->index) {
			law_broken(v, "task %u copies on engine %u", r->task, r->index);
			return;
		}
		if (r->start < free_from[r->index])
			law_broken(v, "task %u copies on engine %u from %" PRId64 ", taken until %" PRId64,
				r->task, r->index, r->start, free_from[r->index]);
		free_from[r->index] = r->time;
	}
}

void holds_copies_not_preempted(const struct seen *s, struct verdict *v)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct trace_record *r = &s->records[i];
		if (r->kind != TRACE_SPAN || r->resource != RESOURCE_COPY)
			continue;
		const struct op_seen *op = seen_op(s, r->task, r->job, r->segment);
		bool stopped = r->how == SPAN_STOPPED && r->time == s->outcome.end_ns &&
			       r->time - r->start < op->length;
		bool done = r->how == SPAN_DONE && r->time - r->start == op->length;
		if (op->spans != 1 || (!done && !stopped))
			law_broken(v,
				"task %u job %u segment %u: a copy of %" PRId64 " runs in [%" PRId64
				", %" PRId64 ")",
				r->task, r->job, r->segment, op->length, r->start, r->time);
	}
}

/* Does b wait on the same engine at the instant at which a starts? */
static bool waits_beside(const struct op_seen *a, const struct op_seen *b)
{
	int64_t now = a->first_start;
	return is_copy(b) && b != a && b->fact->engine == a->fact->engine && b->enter <= now &&
	       b->cut > now && b->first_start > now;
}

void holds_copies_order(const struct seen *s, struct verdict *v)
{
	for (uint32_t i = 0; i < s->ops_total; i++) {
		const struct op_seen *a = &s->ops[i];
		if (!is_copy(a) || a->first_start == NEVER)
			continue;
		if (a->first_start < a->enter)
			law_broken(v,
				"task %u job %u segment %u copies at %" PRId64 ", not yet head of its stream",
				a->task, a->job->number, a->segment, a->first_start);
		for (uint32_t j = 0; j < s->ops_total; j++) {
			const struct op_seen *b = &s->ops[j];
			if (waits_beside(a, b) && !queues_taken_before(s, s->plan->copy_order, a, a->enter, b,
							  b->enter, a->first_start))
				law_broken(v, "at %" PRId64 " task %u copies, task %u is before it",
					a->first_start, a->task, b->task);
		}
	}
}

static bool engine_busy(const struct seen *s, uint32_t engine, int64_t now)
{
	for (uint32_t i = 0; i < s->ops_total; i++) {
		const struct op_seen *op = &s->ops[i];
		if (is_copy(op) && op->fact->engine == engine && op->first_start <= now && now < op->end)
			return true;
	}
	return false;
}

void holds_copies_work_conserving(const struct seen *s, struct verdict *v)
{
	for (uint32_t i = 0; i < s->ops_total; i++) {
		const struct op_seen *op = &s->ops[i];
		if (!is_copy(op) || op->enter == NEVER)
			continue;
		int64_t to = op->first_start < op->cut ? op->first_start : op->cut;
		to = to < s->outcome.end_ns ? to : s->outcome.end_ns;
		if (s->platform->engines == ENGINES_UNLIMITED && op->first_start != op->enter)
			law_broken(v, "task %u: a copy waits although engines are unlimited", op->task);
		/* The engine could take it when it enters, and whenever a copy ends while it waits. */
		for (uint32_t j = 0; j <= s->ops_total; j++) {
			const struct op_seen *other = j < s->ops_total ? &s->ops[j] : NULL;
			int64_t at = other ? other->end : op->enter;
			if ((other && (!is_copy(other) || other->fact->engine != op->fact->engine)) ||
				at < op->enter || at >= to)
				continue;
			if (!engine_busy(s, op->fact->engine, at))
				law_broken(v, "at %" PRId64 " engine %u is idle while task %u waits for it",
					at, op->fact->engine, op->task);
		}
	}
}
