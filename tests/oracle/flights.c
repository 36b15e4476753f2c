/* tests/oracle/flights.c - the oracle's operations in flight: what waits for what (docs/model.md, "Operations
 * in flight"). */
#include <string.h>

#include "tests/oracle/oracle_internal.h"

bool oracle_in_flight(const struct operation_state *op)
{
	return op->place == TO_ISSUE || op->place == IN_STREAM;
}

bool oracle_any_in_flight(const struct oracle *o, uint32_t task)
{
	for (uint32_t i = 0; i < o->set->tasks[task].segment_count; i++) {
		if (oracle_in_flight(oracle_op(o, task, i)))
			return true;
	}
	return false;
}

static bool names(const struct segment *s, const char *name)
{
	for (uint32_t i = 0; name && i < s->await_count; i++) {
		if (strcmp(s->awaits[i], name) == 0)
			return true;
	}
	return false;
}

/* A stream that is its task's own is that of the task's number. */
static int32_t number_of(const struct segment *s, uint32_t task)
{
	return s->stream == STREAM_OWN ? (int32_t)task : s->stream;
}

bool oracle_comes_later(const struct oracle *o, const struct operation_state *op)
{
	for (uint32_t i = 0; i < op->segment; i++) {
		const struct operation_state *other = oracle_op(o, op->task, i);
		if (oracle_in_flight(other) && names(oracle_segment(o, op), oracle_segment(o, other)->name))
			return true;
	}
	return false;
}

bool oracle_joins(const struct oracle *o, const struct operation_state *op)
{
	const struct segment *s = oracle_segment(o, op);
	return op->segment > 0 && s->graph && s[-1].graph && strcmp(s->graph, s[-1].graph) == 0;
}

/* The end of the job waits for all. What is not asynchronous is over. */
static bool is_for(
	const struct oracle *o, const struct operation_state *wait, const struct operation_state *op)
{
	const struct segment *s = oracle_segment(o, op);
	if (wait->segment == o->set->tasks[wait->task].segment_count || !s->async)
		return s->async;
	const struct segment *w = oracle_segment(o, wait);
	if (w->await_count > 0)
		return names(w, s->name);
	return w->stream == STREAM_OWN || (w->stream == number_of(s, op->task) && w->gpu == s->gpu);
}

bool oracle_wait_over(const struct oracle *o, const struct operation_state *wait, int64_t *last)
{
	*last = -1;
	for (uint32_t i = 0; i < wait->segment; i++) {
		const struct operation_state *op = oracle_op(o, wait->task, i);
		if (!is_for(o, wait, op))
			continue;
		if (oracle_in_flight(op))
			return false;
		*last = op->ended_at > *last ? op->ended_at : *last;
	}
	return true;
}
