/* tests/oracle/deciding.c - decisions that take time, in the oracle (docs/model.md, "What a decision takes").
 */
#include "tests/oracle/predict.h"

bool oracle_decides_slowly(const struct oracle *o)
{
	return o->policy->decision_base + o->policy->decision_per_job > 0;
}

bool oracle_is_deciding(const struct oracle *o)
{
	return o->deciding_until > o->now;
}

static void look_at_all(struct oracle *o)
{
	for (uint32_t task = 0; task < o->set->task_count; task++)
		o->tasks[task].looked_at = false;
}

/* It is recorded with the job whose unit is first in the queue. */
static void begin(struct oracle *o)
{
	int64_t length = o->policy->decision_base;
	look_at_all(o);
	int first = oracle_next_waiting(o);
	if (first < 0)
		return;
	for (int next = first; next >= 0; next = oracle_next_waiting(o))
		length += o->policy->decision_per_job;
	o->asked = o->now;
	o->deciding_until = o->now + length;
	if (!o->policy->decision_by_server)
		oracle_record_deciding(o, (uint32_t)first, o->deciding_until);
}

void oracle_decide_slowly(struct oracle *o)
{
	bool was_asked = o->decision[0];
	o->decision[0] = false;
	o->ask_again |= was_asked;
	if (oracle_is_deciding(o))
		return;
	if (o->deciding_until == o->now && o->asked < o->now) {
		for (uint32_t task = 0; task < o->set->task_count; task++)
			if (o->tasks[task].unit == UNIT_WAITING)
				oracle_note_seen(o, task);
		oracle_predict(o);
	}
	if (o->ask_again)
		begin(o);
	o->ask_again = false;
}
