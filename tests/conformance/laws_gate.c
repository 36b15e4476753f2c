/* tests/conformance/laws_gate.c - gates: what is admitted, in which order, and never less than the policy
 * would admit (docs/model.md, "Gates"). Units and their admission: units.c. */
#include <inttypes.h>

#include "tests/conformance/law.h"

static const struct unit_seen *end_of(const struct seen *s)
{
	return s->units + s->unit_count;
}

/* ---- one at a time ---- */

static bool overlap(const struct unit_seen *a, const struct unit_seen *b)
{
	return a->begin < NEVER && b->begin < NEVER && a->begin < b->end && b->begin < a->end;
}

void holds_gate_one_at_a_time(const struct seen *s, struct verdict *v)
{
	for (const struct unit_seen *a = s->units; a < end_of(s); a++)
		for (const struct unit_seen *b = s->units; b < a; b++)
			if (overlap(a, b))
				law_broken(v, "tasks %u and %u are behind the gate at %" PRId64, a->task,
					b->task, a->begin > b->begin ? a->begin : b->begin);
}

void holds_gate_order(const struct seen *s, struct verdict *v)
{
	for (const struct unit_seen *a = s->units; a < end_of(s); a++) {
		if (a->begin == NEVER)
			continue;
		if (a->admitted > a->begin)
			law_broken(v, "task %u starts at %" PRId64 ", before its turn", a->task, a->begin);
		/* Behind a serial gate nothing keeps a section from starting; a kernel may wait in its
		 * stream. */
		if (s->plan->unit == GATE_SECTION && a->admitted != a->begin)
			law_broken(v, "task %u starts at %" PRId64 ", it was its turn at %" PRId64, a->task,
				a->begin, a->admitted);
		for (const struct unit_seen *b = s->units; b < end_of(s); b++)
			if (b != a && b->admitted > a->admitted && units_waits(b, a->admitted) &&
				!units_before(s, a, b, a->admitted))
				law_broken(v, "at %" PRId64 " task %u has the gate, task %u is before it",
					a->admitted, a->task, b->task);
	}
}

/* The policy is asked when a unit comes, when one leaves that was not admitted, when a kernel of an admitted
 * one ends, and when that is over. */
static bool asks_on_coming(const struct seen *s, const struct unit_seen *u)
{
	return u->ready < u->cut && u->ready < s->stop_at;
}

static bool asks_on_leaving(const struct seen *s, const struct unit_seen *u)
{
	return units_left(u) < s->stop_at;
}

static bool asks_on_ending(const struct seen *s, const struct unit_seen *u, const struct op_seen *op)
{
	return u->admitted < NEVER && op->unit == u && op->leave < s->stop_at &&
	       (op == u->last || op->fact->kind == SEGMENT_KERNEL);
}

typedef void instant_fn(const struct seen *s, int64_t now, struct verdict *v);

static void each_decision(const struct seen *s, instant_fn *check, struct verdict *v)
{
	for (const struct unit_seen *u = s->units; u < end_of(s); u++) {
		if (asks_on_coming(s, u))
			check(s, u->ready, v);
		if (asks_on_leaving(s, u))
			check(s, units_left(u), v);
		if (s->gate == GATE_CLOCKED && u->admitted < NEVER)
			check(s, u->admitted, v);
		for (const struct op_seen *op = u->first; op <= u->last; op++)
			if (asks_on_ending(s, u, op))
				check(s, op->leave, v);
	}
}

static bool is_decision(const struct seen *s, int64_t now)
{
	for (const struct unit_seen *u = s->units; u < end_of(s); u++) {
		if ((u->ready == now && asks_on_coming(s, u)) ||
			(units_left(u) == now && asks_on_leaving(s, u)))
			return true;
		for (const struct op_seen *op = u->first; op <= u->last; op++)
			if (op->leave == now && asks_on_ending(s, u, op))
				return true;
	}
	return false;
}

static void not_empty(const struct seen *s, int64_t now, struct verdict *v)
{
	const struct unit_seen *waits = NULL;
	for (const struct unit_seen *u = s->units; u < end_of(s); u++) {
		if (units_inside(u, now))
			return;
		if (units_waits(u, now))
			waits = u;
	}
	if (waits)
		law_broken(v, "at %" PRId64 " task %u waits at an empty gate", now, waits->task);
}

void holds_gate_work_conserving(const struct seen *s, struct verdict *v)
{
	each_decision(s, not_empty, v);
}

void holds_gate_closed(const struct seen *s, struct verdict *v)
{
	for (const struct unit_seen *u = s->units; u < end_of(s); u++)
		if (u->begin < NEVER)
			law_broken(v, "task %u is behind the closed gate at %" PRId64, u->task, u->begin);
}

/* ---- static sets (stgm) ---- */

static bool sets_meet(const struct seen *s, const struct unit_seen *a, const struct unit_seen *b)
{
	return units_meet(&s->plan->grants[a->task], &s->plan->grants[b->task]);
}

static bool outranks(const struct seen *s, const struct unit_seen *a, const struct unit_seen *b)
{
	return s->plan->rank[a->task] < s->plan->rank[b->task];
}

/* Somebody holds an SM that the unit needs, or is higher, waits and needs one too. */
static bool kept_from(const struct seen *s, const struct unit_seen *u, int64_t now)
{
	for (const struct unit_seen *o = s->units; o < end_of(s); o++) {
		bool higher = o != u && units_waits(o, now) && outranks(s, o, u);
		if ((higher || (o != u && units_inside(o, now))) && sets_meet(s, o, u))
			return true;
	}
	return false;
}

static void nobody_waits_for_nothing(const struct seen *s, int64_t now, struct verdict *v)
{
	for (const struct unit_seen *u = s->units; u < end_of(s); u++)
		if (units_waits(u, now) && u->begin > now && u->admitted != now && !kept_from(s, u, now))
			law_broken(v, "at %" PRId64 " task %u waits, and its SMs are free", now, u->task);
}

void holds_static_sets(const struct seen *s, struct verdict *v)
{
	for (const struct unit_seen *a = s->units; a < end_of(s); a++) {
		for (const struct unit_seen *b = s->units; b < a; b++)
			if (overlap(a, b) && sets_meet(s, a, b))
				law_broken(v, "tasks %u and %u are on an SM of both at %" PRId64, a->task,
					b->task, a->begin > b->begin ? a->begin : b->begin);
		if (a->begin < a->admitted)
			law_broken(v, "at %" PRId64 " task %u starts, and its SMs are not free for it",
				a->begin, a->task);
		/* Who is head of its stream then has its SMs to itself. */
		if (a->first->enter < NEVER && a->begin != a->first->enter)
			law_broken(v, "at %" PRId64 " task %u does not start, and its SMs are free",
				a->first->enter, a->task);
		for (const struct unit_seen *b = s->units; b < end_of(s); b++)
			if (b != a && b->admitted > a->admitted && units_waits(b, a->admitted) &&
				sets_meet(s, a, b) && outranks(s, b, a) && units_before(s, b, a, a->admitted))
				law_broken(v, "at %" PRId64 " task %u starts on an SM that task %u waits for",
					a->admitted, a->task, b->task);
	}
	each_decision(s, nobody_waits_for_nothing, v);
}

/* ---- at multiples of an instant ---- */

void holds_gate_clock(const struct seen *s, struct verdict *v)
{
	for (const struct unit_seen *u = s->units; u < end_of(s); u++) {
		if (u->begin < u->admitted)
			law_broken(v, "task %u starts at %" PRId64 ", not admitted before %" PRId64, u->task,
				u->begin, u->admitted);
		/* A section without rivals in its stream starts when it is admitted. */
		if (s->plan->unit == GATE_SECTION && s->platform->engines == ENGINES_UNLIMITED &&
			u->first->fact->kind == SEGMENT_COPY && u->first->enter == u->admitted &&
			u->admitted < NEVER && u->begin != u->admitted)
			law_broken(v, "task %u is admitted at %" PRId64 " and does not start", u->task,
				u->admitted);
	}
}

/* ---- all kernels of a section as one ---- */

static void few_at_a_time(const struct seen *s, const struct unit_seen *u, struct verdict *v)
{
	uint32_t begun = 0, admitted = 0;
	for (const struct unit_seen *o = s->units; o < end_of(s); o++) {
		begun += o->begin <= u->begin && u->begin < o->end;
		admitted += units_inside(o, u->begin);
	}
	if (begun > s->subject->workers)
		law_broken(v, "at %" PRId64 " kernels of %u sections are going on", u->begin, begun);
	if (admitted > s->subject->workers)
		law_broken(v, "at %" PRId64 " %u sections are admitted", u->begin, admitted);
}

/* The same SMs for all kernels of a unit. */
static void same_sms(const struct seen *s, const struct unit_seen *u, struct verdict *v)
{
	const struct op_seen *known = NULL;
	(void)s;
	for (const struct op_seen *op = u->first; op <= u->last; op++) {
		if (op->unit != u || op->placed == 0)
			continue;
		if (known && (known->m != op->m || (known->granted == 0) != (op->granted == 0)))
			law_broken(v, "task %u job %u: segments %u and %u run on %u and on %u SMs", u->task,
				u->job->number, known->segment, op->segment, known->m, op->m);
		known = op;
	}
}

static bool sms_meet(const struct unit_seen *a, const struct unit_seen *b)
{
	for (const struct op_seen *x = a->first; x <= a->last; x++)
		for (const struct op_seen *y = b->first; y <= b->last; y++)
			if (x->unit == a && y->unit == b && x->used && y->used &&
				units_meet(x->used, y->used))
				return true;
	return false;
}

void holds_section_kernels(const struct seen *s, struct verdict *v)
{
	for (const struct unit_seen *a = s->units; a < end_of(s); a++) {
		if (a->begin == NEVER)
			continue;
		same_sms(s, a, v);
		if (s->subject->workers)
			few_at_a_time(s, a, v);
		if (s->gate != GATE_UNKNOWN && a->begin < a->admitted)
			law_broken(v, "task %u: a kernel starts at %" PRId64 ", its section is not admitted",
				a->task, a->begin);
		for (const struct unit_seen *b = s->units; s->platform->pool == POOL_SM && b < a; b++)
			if (overlap(a, b) && sms_meet(a, b))
				law_broken(v, "tasks %u and %u share an SM at %" PRId64, a->task, b->task,
					a->begin > b->begin ? a->begin : b->begin);
	}
}

/* ---- decisions as recorded ---- */

void holds_gate_told(const struct seen *s, struct verdict *v)
{
	if (s->untold)
		law_broken(v, "at %" PRId64 " task %u is chosen, and does not wait", s->untold->time,
			s->untold->task);
	for (const struct unit_seen *u = s->units; u < end_of(s); u++) {
		if (u->tells > 1)
			law_broken(v, "task %u job %u is chosen %u times", u->task, u->job->number, u->tells);
		if (u->begin < u->admitted)
			law_broken(v, "task %u starts at %" PRId64 " and is not admitted", u->task, u->begin);
		if (u->admitted < NEVER && (!u->told || u->told->time != u->admitted))
			law_broken(v, "at %" PRId64 " task %u is admitted, and was not chosen then",
				u->admitted, u->task);
		for (const struct op_seen *op = u->first; u->told && op <= u->last; op++)
			if (op->unit == u && op->placed &&
				(op->m != (u->told->m ? u->told->m : s->platform->sms) ||
					(op->granted > 0) != (u->told->m > 0)))
				law_broken(v, "task %u segment %u runs on %u SMs, chosen were %u", u->task,
					op->segment, op->m, u->told->m);
	}
}

/* What the gate shows at a decision, recorded by policies made for the tests: place, instant of waiting
 * since, section deadline. */
static const struct unit_seen *shown_unit(const struct seen *s, const struct trace_record *r)
{
	for (const struct unit_seen *u = s->units; u < end_of(s); u++)
		if (u->task == r->task && u->job->number == r->job && units_waits(u, r->time))
			return u;
	return NULL;
}

static bool shows(const struct trace_record *r)
{
	return r->kind == TRACE_DECISION && !(r->how & 2);
}

static void check_shown(const struct seen *s, const struct trace_record *r, struct verdict *v)
{
	const struct unit_seen *u = shown_unit(s, r);
	uint32_t place = 0;
	if (!u) {
		law_broken(v, "at %" PRId64 " the gate shows task %u, which does not wait", r->time, r->task);
		return;
	}
	for (const struct unit_seen *o = s->units; o < end_of(s); o++)
		place += o != u && units_waits(o, r->time) && units_before(s, o, u, r->time);
	if (r->m != place)
		law_broken(v, "at %" PRId64 " the gate shows task %u in place %u, not %u", r->time, r->task,
			r->m, place);
	if (r->start != u->ready || r->value != u->job->deadline - u->first->fact->behind_ns)
		law_broken(v,
			"at %" PRId64 " the gate shows task %u since %" PRId64 ", deadline %" PRId64
			", not %" PRId64 ", %" PRId64,
			r->time, r->task, r->start, r->value, u->ready,
			u->job->deadline - u->first->fact->behind_ns);
}

static void all_shown(const struct seen *s, int64_t now, struct verdict *v)
{
	uint32_t waiting = 0, shown = 0;
	for (const struct unit_seen *u = s->units; u < end_of(s); u++)
		waiting += units_waits(u, now);
	for (size_t i = 0; i < s->count; i++)
		shown += shows(&s->records[i]) && s->records[i].time == now;
	if (waiting != shown)
		law_broken(v, "at %" PRId64 " %u units wait, the gate shows %u", now, waiting, shown);
}

void holds_gate_shows(const struct seen *s, struct verdict *v)
{
	bool others = s->gate == GATE_CLOCKED; /* asks for instants of its own */
	for (size_t i = 0; i < s->count; i++) {
		const struct trace_record *r = &s->records[i];
		if (!shows(r))
			continue;
		check_shown(s, r, v);
		if (!others && !is_decision(s, r->time))
			law_broken(v, "at %" PRId64 " the policy is asked for no reason", r->time);
	}
	each_decision(s, all_shown, v);
}
