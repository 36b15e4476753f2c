/* tests/oracle/gate.c - the oracle's gate: phase 4 of an instant (docs/model.md, "Gates", "stgm"). What
 * sbeet admits is in predict.c. */
#include "tests/oracle/predict.h"

static uint32_t unit_gpu(const struct oracle *o, uint32_t task)
{
	return oracle_gate(o, o->named->tasks[task].segments[o->tasks[task].unit_first].gpu);
}

static bool waits_unseen(const struct oracle *o, const struct operation_state *op, uint32_t which)
{
	const struct task_state *t = &o->tasks[op->task];
	(void)which;
	return op->segment == t->at && t->unit == UNIT_WAITING && !t->looked_at &&
	       unit_gpu(o, op->task) == o->deciding;
}

static int64_t since_waiting(const struct oracle *o, const struct operation_state *op)
{
	return o->tasks[op->task].unit_since;
}

int oracle_next_waiting(struct oracle *o)
{
	const struct operation_state *next =
		oracle_first(o, waits_unseen, 0, o->policy->gate, since_waiting, true);
	if (next)
		o->tasks[next->task].looked_at = true;
	return next ? (int)next->task : -1;
}

uint32_t oracle_admitted(const struct oracle *o)
{
	uint32_t count = 0;
	for (uint32_t task = 0; task < o->set->task_count; task++)
		count += o->tasks[task].unit == UNIT_ADMITTED && unit_gpu(o, task) == o->deciding;
	return count;
}

static int64_t at_least_1(int64_t length)
{
	return length > 0 ? length : 1;
}

void oracle_admit(struct oracle *o, uint32_t task, const struct oracle_grant *grant)
{
	struct task_state *t = &o->tasks[task];
	struct operation_state *op = oracle_at(o, task);
	if (o->planning)
		oracle_note_planned(o, task, grant);
	t->unit = UNIT_ADMITTED;
	if (grant)
		t->chosen = *grant;
	if (op->place != AT_GATE)
		return; /* a copy before the first kernel is running */
	op->place = TO_ISSUE;
	if (oracle_segment(o, op)->kind == SEGMENT_KERNEL)
		oracle_shape_kernel(o, op);
	else if (oracle_chooses(o))
		op->length = at_least_1(oracle_length(o, task, t->jobs[t->current].seq, op->segment));
}

static void admit_one(struct oracle *o)
{
	int next = oracle_admitted(o) ? -1 : oracle_next_waiting(o);
	if (next >= 0)
		oracle_admit(o, (uint32_t)next, NULL);
}

static void admit_all(struct oracle *o)
{
	for (int next = oracle_next_waiting(o); next >= 0; next = oracle_next_waiting(o))
		oracle_admit(o, (uint32_t)next, NULL);
}

static bool overlap(const struct oracle_grant *a, const struct oracle_grant *b)
{
	for (uint32_t i = 0; i < a->count; i++) {
		for (uint32_t j = 0; j < b->count; j++) {
			if (a->sm[i] == b->sm[j])
				return true;
		}
	}
	return false;
}

/* Are the SMs of the task's kernel free and not reserved? A unit that was refused reserves its SMs against
 * tasks of lower rank only. */
static bool finds_its_sms(const struct oracle *o, uint32_t task, const bool refused[])
{
	const struct oracle_grant *own = oracle_static_grant(o, task);
	for (uint32_t other = 0; other < o->set->task_count; other++) {
		const struct oracle_grant *its = oracle_static_grant(o, other);
		bool holds = o->tasks[other].unit == UNIT_ADMITTED;
		bool keeps = refused[other] && o->tasks[other].rank < o->tasks[task].rank;
		if ((holds || keeps) && own && its && overlap(own, its))
			return false;
	}
	return true;
}

/* Goes through the units in order and admits each whose SMs are free. */
static void admit_reserving(struct oracle *o)
{
	bool refused[ORACLE_TASKS] = {false};
	for (int next = oracle_next_waiting(o); next >= 0; next = oracle_next_waiting(o)) {
		if (finds_its_sms(o, (uint32_t)next, refused))
			oracle_admit(o, (uint32_t)next, NULL);
		else
			refused[next] = true;
	}
}

void oracle_note_seen(struct oracle *o, uint32_t task)
{
	struct task_state *t = &o->tasks[task];
	t->seen = true;
	t->seen_job = t->jobs[t->current].seq;
	t->seen_segment = t->unit_first;
}

/* Units that became ready at this instant and still exist arrive at the gate. */
static void come_to_gate(struct oracle *o)
{
	for (uint32_t task = 0; task < o->set->task_count; task++) {
		struct task_state *t = &o->tasks[task];
		t->looked_at = false;
		if (t->unit != UNIT_WAITING || t->unit_since != o->now)
			continue;
		if (!oracle_decides_slowly(o) &&
			(!oracle_chooses(o) || oracle_waiting_unit(o, task).section.kernels))
			oracle_note_seen(o, task);
		o->decision[unit_gpu(o, task)] = true;
	}
}

static void decide(struct oracle *o)
{
	if (o->policy->admits == ORACLE_AS_PLANNED)
		o->decision[0] = true; /* the policy asks to be woken at the instants of its plan */
	if (oracle_decides_slowly(o)) {
		oracle_decide_slowly(o);
		return;
	}
	if (!o->decision[o->deciding])
		return;
	o->decision[o->deciding] = false;
	o->contexts.asked = true;
	switch (o->policy->admits) {
	case ORACLE_ONE_AT_A_TIME:
		admit_one(o);
		return;
	case ORACLE_ALL:
		admit_all(o);
		return;
	case ORACLE_RESERVING:
		admit_reserving(o);
		return;
	case ORACLE_PREDICTING:
		oracle_predict(o);
		return;
	case ORACLE_AS_PLANNED:
		oracle_admit_planned(o);
		return;
	case ORACLE_CHOOSING:
		oracle_choose(o);
		return;
	}
}

void oracle_decide(struct oracle *o)
{
	come_to_gate(o);
	for (o->deciding = 0; o->deciding < platform_gpus(o->platform); o->deciding++)
		decide(o);
	o->deciding = 0;
}
