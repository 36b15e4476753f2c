/* db/audit/gate_in_time.c - the gate over time: which units wait, which the policy admits when, and on which
 * SMs (docs/model.md, "Gates"). Admissions are derived from the policy's promises. Only for a policy that
 * predicts (sbeet) they are taken from its recorded decisions, and compared with the schedule. */
#include <string.h>

#include "db/audit/law.h"
#include "db/audit/sweep.h"

static void tell_decision(struct sweep *s, const struct track *t, const struct decision *first, size_t count)
{
	if (audit_hears(s->audit, AT_DECISION))
		audit_tell(s->audit, &(struct moment){
					     .at = AT_DECISION,
					     .time = s->now,
					     .sweep = s,
					     .track = t,
					     .decision = first,
					     .decisions = count,
				     });
}

/* Calls the laws when all waiting units are known and none has been admitted yet. */
static void tell_deciding(struct sweep *s)
{
	if (audit_hears(s->audit, AT_DECIDING))
		audit_tell(s->audit, &(struct moment){
					     .at = AT_DECIDING,
					     .time = s->now,
					     .sweep = s,
					     .decision = s->decision,
					     .decisions = s->decisions,
				     });
}

/* ---- Units that come to the gate ---- */

static void wait_at_gate(struct sweep *s, struct track *t)
{
	(void)line_remove(&s->gate, t->index); /* if its operation went on without being admitted */
	t->unit.state = UNIT_WAITS;
	t->unit.gpu = s->shown;
	t->unit.since = s->now;
	t->unit.sms = NOT_GIVEN;
	t->unit.held = NULL;
	line_add(&s->gate, t->index);
	s->gate_stirs = true;
}

/* Finds the kernels of the section that begins with this operation, also those that will be skipped with
 * length zero. False: there are none. */
static bool find_kernels(struct track *t)
{
	bool any = false;
	for (uint32_t k = t->segment; k < t->task->segments && t->task->segment[k].kind != KIND_CPU &&
				      t->task->segment[k].named == t->task->segment[t->segment].named;
		k++) {
		if (t->task->segment[k].kind != KIND_KERNEL)
			continue;
		if (!any)
			t->unit.first = k;
		t->unit.last = k;
		any = true;
	}
	return any;
}

/* The unit of a section waits from the section's first operation on, whatever kind that has. */
static void open_section(struct sweep *s, struct track *t)
{
	if (t->unit.state != UNIT_NONE)
		return;
	if (find_kernels(t))
		wait_at_gate(s, t);
	else
		t->unit.state = UNIT_OVER;
}

void sweep_gate_arrive(struct sweep *s, struct track *t)
{
	bool passes = true;
	(void)sweep_show(s, t->op.info->gpu);
	switch (s->promise->gate) {
	case GATE_NONE:
		break;
	case GATE_KERNELS:
		passes = t->op.info->kind != KIND_KERNEL;
		if (!passes)
			wait_at_gate(s, t);
		break;
	case GATE_SECTIONS:
		passes = t->unit.state == UNIT_ADMITTED;
		if (!passes)
			wait_at_gate(s, t);
		break;
	case GATE_SECTION_KERNELS:
		open_section(s, t);
		passes = t->unit.state != UNIT_WAITS || t->op.segment < t->unit.first;
		break;
	}
	t->op.entered = s->now;
	if (passes)
		line_add(&s->admitted, t->index);
}

void sweep_gate_over(struct sweep *s, struct track *t)
{
	uint32_t was = sweep_show(s, t->unit.gpu);
	if (t->unit.state == UNIT_WAITS)
		(void)line_remove(&s->gate, t->index);
	if (t->unit.state == UNIT_ADMITTED)
		s->units_admitted--;
	if (t->unit.state == UNIT_WAITS || t->unit.state == UNIT_ADMITTED)
		s->gate_stirs = true;
	t->unit.state = UNIT_NONE;
	t->unit.held = NULL;
	(void)sweep_show(s, was);
}

/* A waiting unit is over; an admitted one holds its SMs until its job ends. */
void sweep_gate_withdraw(struct sweep *s, struct track *t)
{
	if (t->unit.state != UNIT_WAITS)
		return;
	sweep_gate_over(s, t);
	t->unit.state = UNIT_OVER;
}

/* After its last kernel the unit is over, although the section is not. */
void sweep_gate_passed(struct sweep *s, struct track *t)
{
	bool has_unit = t->unit.state == UNIT_WAITS || t->unit.state == UNIT_ADMITTED;
	if (!s->promise || s->promise->gate != GATE_SECTION_KERNELS || !has_unit ||
		t->segment <= t->unit.last)
		return;
	sweep_gate_over(s, t);
	t->unit.state = UNIT_OVER;
}

/* ---- Admissions ---- */

bool sweep_outranks(const struct sweep *s, enum order order, const struct track *a, const struct track *b)
{
	int64_t x = a->job.deadline, y = b->job.deadline;
	if (order == BY_PRIORITY)
		return a->rank < b->rank;
	if (order == BY_RELEASE && a->job.release == b->job.release)
		return by_arrival_first(s, a->index, b->index);
	if (order == BY_RELEASE)
		return a->job.release < b->job.release;
	if (order == BY_SECTION_DEADLINE) {
		x -= a->task->segment[a->segment].behind_ns;
		y -= b->task->segment[b->segment].behind_ns;
	}
	return x != y ? x < y : a->index < b->index;
}

static struct track *first_waiting(struct sweep *s, const struct track *behind)
{
	struct track *first = NULL;
	for (uint32_t i = 0; i < s->gate.count; i++) {
		struct track *t = &s->track[s->gate.task[i]];
		if (behind && (t == behind || !sweep_unit_before(s, behind, t)))
			continue;
		if (!first || sweep_unit_before(s, t, first))
			first = t;
	}
	return first;
}

static void admit(struct sweep *s, struct track *t)
{
	(void)line_remove(&s->gate, t->index);
	t->unit.state = UNIT_ADMITTED;
	t->unit.admitted = s->now;
	s->units_admitted++;
	if (!t->op.active || t->op.place != PLACE_GATE)
		return;
	(void)line_remove(
		&s->admitted, t->index); /* a copy before the first kernel may be in the list already */
	line_add(&s->admitted, t->index);
}

static void add_set(const struct sweep *s, uint64_t *to, const uint64_t *set)
{
	for (uint32_t i = 0; set && i < set_words(s->r); i++)
		to[i] |= set[i];
}

/* Collects the SMs of admitted units. */
static void collect_held(struct sweep *s)
{
	memset(s->held, 0, set_words(s->r) * sizeof(*s->held));
	for (uint32_t i = 0; i < s->r->tasks; i++) {
		if (s->track[i].unit.state == UNIT_ADMITTED && s->track[i].unit.gpu == s->shown)
			add_set(s, s->held, s->track[i].unit.held);
	}
}

const struct track *sweep_gate_kept_by(const struct sweep *s, const struct track *t)
{
	const uint64_t *set = t->task->figures.sm_set;
	const struct track *first = NULL;
	for (uint32_t i = 0; set && i < s->gate.count; i++) {
		const struct track *other = &s->track[s->gate.task[i]];
		const uint64_t *theirs = other->task->figures.sm_set;
		if (other == t || !theirs || !sets_meet(s->r, set, theirs) ||
			!sweep_outranks(s, BY_PRIORITY, other, t) || !sweep_unit_before(s, other, t))
			continue;
		if (!first || sweep_unit_before(s, other, first))
			first = other;
	}
	return first;
}

/* Admits units in order, each whose SMs are neither held nor reserved for a unit that was refused before. */
static void admit_fitting(struct sweep *s)
{
	collect_held(s);
	for (struct track *t = first_waiting(s, NULL), *next; t; t = next) {
		const uint64_t *set = t->task->figures.sm_set;
		next = first_waiting(s, t);
		if (set && (sets_meet(s->r, set, s->held) || sweep_gate_kept_by(s, t)))
			continue;
		admit(s, t);
		t->unit.held = set;
		add_set(s, s->held, set);
	}
}

/* Gives the unit the free SMs of lowest index. */
static void hold_lowest(struct sweep *s, struct track *t, int64_t count)
{
	collect_held(s);
	memset(t->chosen, 0, set_words(s->r) * sizeof(*t->chosen));
	for (uint32_t sm = 0; sm < s->r->machine.sms && count > 0; sm++) {
		if (set_has(s->held, sm))
			continue;
		t->chosen[sm / 64] |= (uint64_t)1 << (sm % 64);
		count--;
	}
	t->unit.held = t->chosen;
}

/* Admits the units that decisions chose. The rows of one decision follow each other. */
static void admit_decided(struct sweep *s)
{
	size_t count;
	for (size_t i = 0; i < s->decisions; i += count) {
		const struct decision *d = &s->decision[i];
		struct track *t = d->task == UINT32_MAX ? NULL : &s->track[d->task];
		for (count = 1;
			i + count < s->decisions && d[count].task == d->task && d[count].seq == d->seq;)
			count++;
		tell_decision(s, t, d, count);
		for (size_t k = 0; k < count && t; k++) {
			if (!d[k].chosen || !t->active || t->job.seq != d->seq || t->unit.state != UNIT_WAITS)
				continue;
			hold_lowest(s, t, d[k].sms);
			t->unit.sms = d[k].sms;
			admit(s, t);
		}
	}
}

/* ---- Decisions that take time (docs/model.md, "What a decision takes") ---- */

static void begin_deciding(struct sweep *s)
{
	const struct track *first = first_waiting(s, NULL);
	struct audit_deciding *d = &s->deciding;
	d->again = false;
	if (!first)
		return;
	d->asked = s->now;
	d->until = s->now + s->promise->decision_base_ns + s->promise->decision_unit_ns * s->gate.count;
	d->task = first->index;
	d->seq = first->job.seq;
	if (d->until < s->r->stop_ns)
		sweep_push(s, d->until, EVENT_DECIDED, 0, 0);
}

static void decide_slowly(struct sweep *s)
{
	struct audit_deciding *d = &s->deciding;
	bool stirs = s->gate_stirs || d->again;
	/* At the instant at which it is taken, and only then, the gate stirs for the laws. */
	s->gate_stirs = sweep_deciding_over(s);
	if (s->gate_stirs || s->decisions)
		tell_deciding(s);
	admit_decided(s);
	s->gate_stirs = false;
	d->again = stirs;
	if (stirs && d->until <= s->now)
		begin_deciding(s);
}

void sweep_gate_decide(struct sweep *s)
{
	switch (s->promise->admits) {
	case ADMITS_ONE:
		if (s->gate.count && s->units_admitted == 0)
			admit(s, first_waiting(s, NULL));
		return;
	case ADMITS_FITTING:
		if (s->gate.count && s->gate_stirs)
			admit_fitting(s);
		s->gate_stirs = false;
		return;
	case ADMITS_DECIDED:
		if (promise_decides_slowly(s->promise)) {
			decide_slowly(s);
			return;
		}
		if (s->gate_stirs || s->decisions)
			tell_deciding(s);
		admit_decided(s);
		s->gate_stirs = false;
		return;
	case ADMITS_UNSEEN:
		return;
	}
}

void sweep_gate_place(struct sweep *s)
{
	bool stirs = false;
	if (!s->promise->places)
		return;
	for (uint32_t g = 0; g < s->r->gpus; g++) {
		(void)sweep_show(s, g);
		stirs |= s->gate_stirs;
		s->gate_stirs = false;
	}
	(void)sweep_show(s, 0);
	s->gate_stirs = stirs;
	if (stirs || s->decisions)
		tell_deciding(s);
	s->gate_stirs = false;
}

void sweep_gate_closed(struct sweep *s)
{
	s->gate_stirs = false;
	if (s->decisions && s->shown == 0)
		tell_deciding(s);
}

void sweep_gate_starts(struct sweep *s, struct track *t)
{
	struct unit *unit = &t->unit;
	if (!s->promise || s->promise->admits != ADMITS_UNSEEN)
		return;
	if (unit->state == UNIT_WAITS && t->op.place == PLACE_GATE) {
		memset(t->chosen, 0, set_words(s->r) * sizeof(*t->chosen));
		admit(s, t);
		unit->held = t->chosen;
		sweep_queues_issue(s);
		/* A copy may have been in its engine's queue since it became ready; the recording does not
		 * say. */
		t->op.entered = t->op.launched;
	}
	if (unit->state == UNIT_ADMITTED && unit->sms == NOT_GIVEN && t->op.info->kind == KIND_KERNEL)
		unit->sms = t->op.part[t->op.at].granted;
}

const uint64_t *sweep_own_sms(const struct track *t)
{
	if (t->task->figures.sm_set)
		return t->task->figures.sm_set;
	return t->unit.state == UNIT_ADMITTED ? t->unit.held : NULL;
}
