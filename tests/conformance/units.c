/* tests/conformance/units.c - what waits at the gate, in which order, and when it must be admitted: by the
 * clock, or as the policy recorded (docs/model.md, "Gates"). */
#include "tests/conformance/seen.h"

/* ---- units ---- */

static bool same_unit(const struct seen *s, const struct unit_seen *u, const struct op_seen *op)
{
	return s->plan->unit != GATE_KERNEL && u->job == op->job &&
	       u->last->fact->section == op->fact->section;
}

/* A copy before the unit's first kernel: it does not wait. */
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
	if (!goes_ahead(s, u, op) && op->first_start < u->begin)
		u->begin = op->first_start;
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

/* ---- their order ---- */

static int64_t key_of(const struct seen *s, const struct unit_seen *u)
{
	const struct operation seen = {
		.task = u->task,
		.job = u->job->number,
		.segment = u->first->segment,
		.rank = s->plan->rank[u->task],
		.now = u->ready,
		.release = u->job->release,
		.deadline = u->job->deadline,
		.section_deadline = u->job->deadline - u->first->fact->behind_ns,
	};
	return s->plan->kernel_order(&seen);
}

/* Under `ties: lower-first`, units that waited before go first, in their order. Units that arrive now follow
 * in reverse order. First-come orders only reverse their ties. */
bool units_before(const struct seen *s, const struct unit_seen *a, const struct unit_seen *b, int64_t now)
{
	bool lower_first = s->setup->ties == TIES_LOWER_FIRST;
	bool first_come = s->plan->kernel_order == order_by_arrival;
	int64_t ka = key_of(s, a), kb = key_of(s, b);
	bool task_first = lower_first && first_come ? a->task > b->task : a->task < b->task;
	bool better = ka != kb ? ka < kb : task_first;
	bool a_waited = a->ready < now, b_waited = b->ready < now;
	if (!lower_first || first_come)
		return better;
	return a_waited != b_waited ? a_waited : a_waited ? better : !better;
}

/* ---- when they are admitted ---- */

static void admit_by_clock(struct seen *s)
{
	for (uint32_t i = 0; i < s->unit_count; i++) {
		struct unit_seen *u = &s->units[i];
		if (u->ready >= s->stop_at)
			continue;
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
		u->admitted = r->time;
	}
}

void units_make(struct seen *s)
{
	s->untold = NULL;
	collect(s);
	if (s->subject->gate == GATE_CLOCKED)
		admit_by_clock(s);
	if (s->subject->tells)
		note_told(s);
}
