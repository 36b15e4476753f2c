/* tests/conformance/laws_gate.c - gates that admit one unit at a time: never two, in the gate's order,
 * and never none while one waits (docs/model.md, "Gates"). */
#include <inttypes.h>
#include "tests/conformance/law.h"

/* The unit that an operation belongs to is known by its first operation. */
static bool same_unit(const struct seen *s, const struct op_seen *a, const struct op_seen *b)
{
	return a == b ||
	       (s->plan->unit == GATE_SECTION && a->job == b->job && a->fact->section == b->fact->section);
}

void holds_gate_one_at_a_time(const struct seen *s, struct verdict *v)
{
	for (uint32_t i = 0; i < s->ops_total; i++)
		for (uint32_t j = 0; j < i; j++) {
			const struct op_seen *a = &s->ops[i], *b = &s->ops[j];
			bool both = a->first_start < NEVER && b->first_start < NEVER && seen_gated(s, a) &&
			            seen_gated(s, b);
			if (both && !same_unit(s, a, b) && a->first_start < b->end && b->first_start < a->end)
				law_broken(v, "tasks %u and %u are behind the gate at %" PRId64, a->task,
				        b->task,
				        a->first_start > b->first_start ? a->first_start : b->first_start);
		}
}

/* First operation of the unit, from the job's beginning. */
static const struct op_seen *unit_first(const struct seen *s, const struct op_seen *op)
{
	for (uint32_t g = 0; g < op->segment; g++) {
		const struct op_seen *o = seen_op(s, op->task, op->job->number, g);
		if (o->present && seen_gated(s, o) && same_unit(s, o, op))
			return o;
	}
	return op;
}

/* A unit waits from the instant at which it is ready to its first start, or until its job goes. Behind a
 * serial gate nothing else keeps a section from starting; a kernel may still wait in its stream. */
static bool waits_at(const struct seen *s, const struct op_seen *unit, int64_t now)
{
	return unit->present && seen_gated(s, unit) && unit_first(s, unit) == unit && unit->ready <= now &&
	       unit->cut > now && (unit->issue > now || unit->issue == NEVER);
}

void holds_gate_order(const struct seen *s, struct verdict *v)
{
	for (uint32_t i = 0; i < s->ops_total; i++) {
		const struct op_seen *a = &s->ops[i];
		if (a->first_start == NEVER || !seen_gated(s, a) || unit_first(s, a) != a)
			continue;
		if (a->issue > a->first_start || a->issue == NEVER)
			law_broken(
			        v, "task %u starts at %" PRId64 ", before its turn", a->task, a->first_start);
		if (s->plan->unit == GATE_SECTION && a->issue != a->first_start)
			law_broken(v, "task %u starts at %" PRId64 ", it was its turn at %" PRId64, a->task,
			        a->first_start, a->issue);
		for (uint32_t j = 0; j < s->ops_total; j++) {
			const struct op_seen *b = &s->ops[j];
			if (b != a && waits_at(s, b, a->issue) &&
			        !queues_taken_before(
			                s, s->plan->kernel_order, a, a->ready, b, b->ready, a->issue))
				law_broken(v, "at %" PRId64 " task %u has the gate, task %u is before it",
				        a->issue, a->task, b->task);
		}
	}
}

/* Is a unit admitted at this instant: issued, and its section (or kernel) not over? */
static bool admitted_at(const struct seen *s, int64_t now)
{
	for (uint32_t i = 0; i < s->ops_total; i++) {
		const struct op_seen *op = &s->ops[i];
		if (op->issue <= now && now < op->leave && seen_gated(s, op))
			return true;
	}
	return false;
}

void holds_gate_work_conserving(const struct seen *s, struct verdict *v)
{
	for (uint32_t i = 0; i < s->ops_total; i++) {
		const struct op_seen *op = &s->ops[i];
		if (!op->present || !seen_gated(s, op))
			continue;
		int64_t instants[] = {op->ready, op->leave};
		for (int k = 0; k < 2; k++)
			for (uint32_t j = 0; j < s->ops_total && instants[k] < s->stop_at; j++)
				if (waits_at(s, &s->ops[j], instants[k]) && !admitted_at(s, instants[k]))
					law_broken(v, "at %" PRId64 " task %u waits at an empty gate",
					        instants[k], s->ops[j].task);
	}
}

void holds_gate_closed(const struct seen *s, struct verdict *v)
{
	for (uint32_t i = 0; i < s->ops_total; i++)
		if (s->ops[i].first_start < NEVER && seen_gated(s, &s->ops[i]))
			law_broken(v, "task %u is behind the closed gate at %" PRId64, s->ops[i].task,
			        s->ops[i].first_start);
}
