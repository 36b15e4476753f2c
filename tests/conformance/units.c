/* tests/conformance/units.c - what waits at the gate, and when it must be admitted: by the rules of the
 * subject's gate, worked out from when units were seen to come and to be over, or as the policy recorded
 * (docs/model.md, "Gates"). */
#include <stdlib.h>

#include "tests/conformance/seen.h"

/* ---- units ---- */

static bool same_unit(const struct seen *s, const struct unit_seen *u, const struct op_seen *op)
{
	return s->plan->unit != GATE_KERNEL && u->job == op->job &&
	       u->last->fact->section == op->fact->section;
}

/* A copy with no kernel between the first operation of the unit and it. */
static bool goes_ahead(const struct seen *s, const struct unit_seen *u, const struct op_seen *op)
{
	const struct task *t = &s->set->tasks[op->task];
	if (s->plan->unit != GATE_SECTION_KERNELS)
		return false;
	for (uint32_t g = u->first->segment; g <= op->segment; g++)
		if (t->segments[g].kind == SEGMENT_KERNEL)
			return false;
	return true;
}

static void add_op(const struct seen *s, struct unit_seen *u, struct op_seen *op)
{
	u->last = op;
	u->over = op->leave;
	op->unit = u;
	op->ahead = goes_ahead(s, u, op);
	if (op->ahead)
		return;
	if (op->first_start < u->begin)
		u->begin = op->first_start;
	if (op->end > u->end)
		u->end = op->end;
}

static void collect(struct seen *s)
{
	s->units = seen_alloc(s, s->ops_total, sizeof(*s->units));
	s->unit_count = 0;
	for (uint32_t i = 0; i < s->ops_total; i++) {
		struct op_seen *op = &s->ops[i];
		if (!op->present || !op->fact->gated)
			continue;
		struct unit_seen *before = s->unit_count ? &s->units[s->unit_count - 1] : NULL;
		if (!before || !same_unit(s, before, op)) {
			before = &s->units[s->unit_count++];
			*before = (struct unit_seen){
				.task = op->task,
				.job = op->job,
				.first = op,
				.ready = op->ready,
				.cut = op->cut,
				.admitted = NEVER,
				.begin = NEVER,
				.end = -1,
			};
		}
		add_op(s, before, op);
	}
}

bool units_waits(const struct unit_seen *u, int64_t now)
{
	return u->ready <= now && now < u->cut && now < u->over && now <= u->admitted;
}

bool units_inside(const struct unit_seen *u, int64_t now)
{
	return u->admitted <= now && now < u->over;
}

int64_t units_left(const struct unit_seen *u)
{
	int64_t left = u->cut < u->over ? u->cut : u->over;
	return u->ready < left && u->admitted >= left ? left : NEVER;
}

bool units_before(const struct seen *s, const struct unit_seen *a, const struct unit_seen *b, int64_t now)
{
	return queues_taken_before(s, s->plan->kernel_order, a->first, a->ready, b->first, b->ready, now);
}

bool units_meet(const struct grant *a, const struct grant *b)
{
	for (uint32_t i = 0; i < a->count; i++)
		for (uint32_t j = 0; j < b->count; j++)
			if (a->sm[i] == b->sm[j])
				return true;
	return false;
}

/* ---- when they are admitted ---- */

/* The next instant after `after` at which the policy is asked: a unit comes, one leaves that was not
 * admitted, or an admitted one is over. */
static int64_t next_decision(const struct seen *s, int64_t after)
{
	int64_t next = NEVER;
	for (uint32_t i = 0; i < s->unit_count; i++) {
		const struct unit_seen *u = &s->units[i];
		if (u->ready > after && u->ready < u->cut && u->ready < next)
			next = u->ready;
		int64_t gone = u->admitted < NEVER ? u->over : units_left(u);
		if (gone > after && gone < next)
			next = gone;
	}
	return next;
}

/* The unit, not looked at yet, that the gate shows next; NULL: none waits. */
static struct unit_seen *next_waiting(const struct seen *s, const bool *looked_at, int64_t now)
{
	struct unit_seen *next = NULL;
	for (uint32_t i = 0; i < s->unit_count; i++) {
		struct unit_seen *u = &s->units[i];
		if (!looked_at[i] && u->admitted == NEVER && units_waits(u, now) &&
			(!next || units_before(s, u, next, now)))
			next = u;
	}
	return next;
}

/* May it go, those being decided upon that are looked at? */
typedef bool admits_fn(const struct seen *s, const struct unit_seen *u, const bool *looked_at, int64_t now);

/* One unit at a time, the first. */
static bool admits_one(const struct seen *s, const struct unit_seen *u, const bool *looked_at, int64_t now)
{
	(void)u;
	(void)looked_at;
	for (uint32_t i = 0; i < s->unit_count; i++)
		if (units_inside(&s->units[i], now))
			return false;
	return true;
}

/* No SM of its set is held, nor needed by a unit of higher rank that was refused. */
static bool admits_free(const struct seen *s, const struct unit_seen *u, const bool *looked_at, int64_t now)
{
	for (uint32_t i = 0; i < s->unit_count; i++) {
		const struct unit_seen *o = &s->units[i];
		bool refused = looked_at[i] && o->admitted == NEVER &&
			       s->plan->rank[o->task] < s->plan->rank[u->task];
		if (o != u && (refused || units_inside(o, now)) &&
			units_meet(&s->plan->grants[o->task], &s->plan->grants[u->task]))
			return false;
	}
	return true;
}

static void admit_by(struct seen *s, admits_fn *admits)
{
	bool *looked_at = seen_alloc(s, (size_t)s->unit_count + 1, sizeof(*looked_at));
	for (int64_t now = next_decision(s, -1); now < s->stop_at; now = next_decision(s, now)) {
		struct unit_seen *u;
		for (uint32_t i = 0; i < s->unit_count; i++)
			looked_at[i] = false;
		while ((u = next_waiting(s, looked_at, now))) {
			if (admits(s, u, looked_at, now))
				u->admitted = now;
			looked_at[u - s->units] = true;
		}
	}
}

static void admit_by_clock(struct seen *s)
{
	for (uint32_t i = 0; i < s->unit_count; i++) {
		struct unit_seen *u = &s->units[i];
		int64_t at = (u->ready + GATE_CLOCK_NS - 1) / GATE_CLOCK_NS * GATE_CLOCK_NS;
		if (units_waits(u, at) && at < s->stop_at)
			u->admitted = at;
	}
}

/* ---- as the policy recorded ---- */

static struct unit_seen *waiting_unit(const struct seen *s, const struct trace_record *r)
{
	for (uint32_t i = 0; i < s->unit_count; i++) {
		struct unit_seen *u = &s->units[i];
		if (u->task == r->task && u->job->number == r->job && units_waits(u, r->time))
			return u;
	}
	return NULL;
}

static void note_told(struct seen *s)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct trace_record *r = &s->records[i];
		if (r->kind != TRACE_DECISION || !(r->how & 2))
			continue;
		struct unit_seen *u = waiting_unit(s, r);
		if (!u) {
			s->untold = r;
			continue;
		}
		u->tells++;
		u->told = r;
		if (s->gate == GATE_TOLD)
			u->admitted = r->time;
	}
}

/* The free SMs of lowest index. */
static void give_lowest_free(struct seen *s, struct unit_seen *u)
{
	struct grant *grant = seen_alloc(s, 1, sizeof(*grant));
	grant->sm = seen_alloc(s, s->platform->sms, sizeof(*grant->sm));
	for (uint32_t sm = 0; sm < s->platform->sms && grant->count < u->told->m; sm++) {
		struct grant one = {.count = 1, .sm = &sm};
		bool taken = false;
		for (uint32_t i = 0; i < s->unit_count; i++)
			taken |= s->units[i].grant && units_inside(&s->units[i], u->admitted) &&
				 units_meet(s->units[i].grant, &one);
		if (!taken)
			grant->sm[grant->count++] = sm;
	}
	u->grant = grant;
}

static struct unit_seen *next_told(const struct seen *s, const struct trace_record *after)
{
	struct unit_seen *next = NULL;
	for (uint32_t i = 0; i < s->unit_count; i++) {
		struct unit_seen *u = &s->units[i];
		if (u->told && u->told->m > 0 && (!after || u->told > after) &&
			(!next || u->told < next->told))
			next = u;
	}
	return next;
}

static void give_sms(struct seen *s)
{
	struct unit_seen *u = next_told(s, NULL);
	for (; u; u = next_told(s, u->told)) {
		give_lowest_free(s, u);
		for (struct op_seen *op = u->first; op <= u->last; op++)
			if (op->unit == u && op->grant)
				op->grant = u->grant;
	}
}

void units_make(struct seen *s)
{
	s->untold = NULL;
	collect(s);
	switch (s->gate) {
	case GATE_SERIAL:
		admit_by(s, admits_one);
		break;
	case GATE_SETS:
		admit_by(s, admits_free);
		break;
	case GATE_CLOCKED:
		admit_by_clock(s);
		break;
	case GATE_TOLD:
	case GATE_UNKNOWN:
	case GATE_CLOSED:
		break;
	}
	if (s->subject->tells)
		note_told(s);
	if (s->subject->lowest_free)
		give_sms(s);
}
