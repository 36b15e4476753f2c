/* tests/conformance/laws_gate.c - laws about what the gate shows to a policy, and about doing what the policy
 * tells it (docs/model.md, "Gates"). Units and their admission are in units.c. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tests/conformance/law.h"

static const struct unit_seen *end_of(const struct seen *s)
{
	return s->units + s->unit_count;
}

/* ---- when the policy is asked ---- */

/* The policy is asked when a unit arrives, when a unit leaves without having been admitted, when a kernel of
 * an admitted unit ends, and when an admitted unit is over. */
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
		if (s->subject->gate == GATE_CLOCKED && u->admitted < NEVER)
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

/* ---- what may start ---- */

static void closed(const struct seen *s, struct verdict *v)
{
	for (const struct unit_seen *u = s->units; u < end_of(s); u++)
		if (u->begin < NEVER)
			law_broken(v, "task %u is behind the closed gate at %" PRId64, u->task, u->begin);
}

/* At most `workers` units at a time: units of which a kernel has begun, and units that are admitted. */
static void few_at_a_time(const struct seen *s, struct verdict *v)
{
	for (const struct unit_seen *u = s->units; u < end_of(s); u++) {
		uint32_t begun = 0, admitted = 0;
		for (const struct unit_seen *o = s->units; u->begin < NEVER && o < end_of(s); o++) {
			begun += o->begin <= u->begin && u->begin < o->over;
			admitted += units_inside(o, u->begin);
		}
		if (begun > s->subject->workers || admitted > s->subject->workers)
			law_broken(v, "at %" PRId64 " %u units are at the GPU, %u are admitted", u->begin,
				begun, admitted);
	}
}

/* Does no hardware queue serve two tasks? */
static bool streams_apart(const struct seen *s)
{
	bool apart = s->set->task_count <= s->platform->work_queues;
	for (uint32_t i = 0; i < s->set->task_count; i++)
		for (uint32_t j = 0; j < s->set->tasks[i].segment_count; j++)
			apart &= s->set->tasks[i].segments[j].stream == STREAM_OWN;
	return apart;
}

/* Units are admitted at multiples of an interval only. */
static void clock_kept(const struct seen *s, struct verdict *v)
{
	for (const struct unit_seen *u = s->units; u < end_of(s); u++) {
		if (u->begin < u->admitted)
			law_broken(v, "task %u starts at %" PRId64 ", not admitted before %" PRId64, u->task,
				u->begin, u->admitted);
		/* A copy of a task with streams and engines to itself starts when it is admitted, if nothing
		 * delays it. */
		const struct overheads *o = &s->platform->overheads;
		if (o->latency_ns == 0 && o->gap_ns == 0 && s->plan->unit == GATE_SECTION &&
			s->platform->engines == ENGINES_UNLIMITED && u->first->fact->kind == SEGMENT_COPY &&
			streams_apart(s) && u->admitted < NEVER && u->begin != u->admitted)
			law_broken(v, "task %u is admitted at %" PRId64 " and does not start", u->task,
				u->admitted);
	}
}

/* ---- decisions as recorded ---- */

/* How many persistent blocks a kernel must have placed: one for each virtual SM that it has. 0: it has a
 * grid, or did not run to its end. */
static uint32_t blocks_due(const struct seen *s, const struct op_seen *op, uint32_t sms)
{
	uint32_t of_each = sms && s->subject->slots ? (s->plan->virtual_sms + 1) / 2 : s->plan->virtual_sms;
	bool persistent = s->set->tasks[op->task].segments[op->segment].form == KERNEL_WORK;
	return persistent && op->done ? of_each * (sms ? sms : s->platform->sms) : 0;
}

/* The kernel must run on the SMs that were chosen for its unit. */
static void check_kernel(const struct seen *s, const struct op_seen *op, uint32_t chosen, struct verdict *v)
{
	uint32_t due = blocks_due(s, op, chosen);
	if (op->m != (chosen ? chosen : s->platform->sms) || (op->granted > 0) != (chosen > 0))
		law_broken(v, "task %u segment %u runs on %u SMs, chosen were %u", op->task, op->segment,
			op->m, chosen);
	if (due && op->placed != due)
		law_broken(v, "task %u segment %u places %u blocks, not %u", op->task, op->segment,
			op->placed, due);
}

static void told(const struct seen *s, struct verdict *v)
{
	if (s->untold)
		law_broken(v, "at %" PRId64 " task %u is chosen, and does not wait", s->untold->time,
			s->untold->task);
	for (const struct unit_seen *u = s->units; u < end_of(s); u++) {
		if (u->tells > 1)
			law_broken(v, "task %u job %u is chosen %u times", u->task, u->job->number, u->tells);
		if (u->begin < u->admitted)
			law_broken(v, "task %u starts at %" PRId64 " and is not admitted", u->task, u->begin);
		for (const struct op_seen *op = u->first; u->told && op <= u->last; op++)
			if (op->unit == u && op->placed)
				check_kernel(s, op, u->told->m, v);
	}
}

/* The unit that a record shows. Policies made for the tests record what the gate shows at a decision: place,
 * waiting since, section deadline. */
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

static void shown(const struct seen *s, struct verdict *v)
{
	bool others = s->subject->gate == GATE_CLOCKED; /* this policy also asks to be woken */
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

/* ---- the table ---- */

static bool is_closed(const struct seen *s)
{
	return s->subject->gate == GATE_CLOSED;
}

static bool is_clocked(const struct seen *s)
{
	return s->subject->gate == GATE_CLOCKED;
}

static bool has_workers(const struct seen *s)
{
	return s->subject->workers > 0;
}

static bool tells(const struct seen *s)
{
	return s->subject->tells;
}

static bool shows_all(const struct seen *s)
{
	return s->subject->shows;
}

const struct law gate_laws[] = {
	{"gate: closed", closed, is_closed},
	{"gate: clock", clock_kept, is_clocked},
	{"gate: so many at a time", few_at_a_time, has_workers},
	{"gate: told", told, tells},
	{"gate: shows", shown, shows_all},
	{NULL, NULL, NULL},
};

void law_broken(struct verdict *v, const char *fmt, ...)
{
	va_list args;
	if (v->broken)
		return;
	v->broken = true;
	va_start(args, fmt);
	vsnprintf(v->text, sizeof(v->text), fmt, args);
	va_end(args);
}

const char *laws_check(const struct seen *s, const char *only, struct verdict *v)
{
	for (const struct law *law = gate_laws; law->name; law++) {
		*v = (struct verdict){0};
		if (law->holds_for(s) && (!only || strcmp(law->name, only) == 0))
			law->check(s, v);
		if (v->broken)
			return law->name;
	}
	return NULL;
}
