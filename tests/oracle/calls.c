/* tests/oracle/calls.c - the oracle's calls around GPU sections, the update lock, and who owns the GPU by
 * them (docs/model.md, "Calls", "gcaps"). */
#include "tests/oracle/oracle_internal.h"

bool oracle_has_calls(const struct oracle *o)
{
	return o->policy->takes == ORACLE_BY_CALLS;
}

bool oracle_calls_are_free(const struct oracle *o)
{
	return o->policy->update == 0 && o->policy->call == 0;
}

/* ---- the lock ---- */

bool oracle_waits_for_lock(const struct oracle *o, uint32_t task)
{
	return o->tasks[task].requested && o->lock != (int)task;
}

void oracle_request_lock(struct oracle *o, uint32_t task)
{
	o->tasks[task].requested = true;
	o->tasks[task].requested_at = o->now;
}

/* Does a get the lock before b? */
static bool goes_before(const struct oracle *o, uint32_t a, uint32_t b)
{
	bool lower_first = o->setup->ties == TIES_LOWER_FIRST;
	bool new_a = o->tasks[a].requested_at == o->now, new_b = o->tasks[b].requested_at == o->now;
	bool low_a = o->set->tasks[a].best_effort, low_b = o->set->tasks[b].best_effort;
	bool higher = low_a != low_b ? low_b : oracle_higher_on_gpu(o, a, b);
	if (!lower_first)
		return higher;
	if (new_a != new_b)
		return new_b;
	return new_a ? !higher : higher;
}

void oracle_give_lock(struct oracle *o)
{
	int first = NOBODY;
	for (uint32_t task = 0; task < o->set->task_count; task++) {
		if (o->tasks[task].requested && (first == NOBODY || goes_before(o, task, (uint32_t)first)))
			first = (int)task;
	}
	if (o->lock == NOBODY)
		o->lock = first;
}

/* ---- the owner ---- */

/* The highest real-time task that is inside, but for this one. */
static int highest_inside(const struct oracle *o, uint32_t but)
{
	int best = NOBODY;
	for (uint32_t task = 0; task < o->set->task_count; task++) {
		if (task != but && o->tasks[task].inside && !o->set->tasks[task].best_effort &&
			(best == NOBODY || oracle_higher_on_gpu(o, task, (uint32_t)best)))
			best = (int)task;
	}
	return best;
}

/* Who owns the GPU behind the task's call. */
static int owner_behind(const struct oracle *o, uint32_t task)
{
	int owner = o->contexts.owner;
	if (o->set->tasks[task].best_effort)
		return owner;
	if (o->tasks[task].inside)
		return owner == (int)task ? highest_inside(o, task) : owner;
	return owner == NOBODY || oracle_higher_on_gpu(o, task, (uint32_t)owner) ? (int)task : owner;
}

static int process_of(const struct oracle *o, int task)
{
	return task == NOBODY ? NOBODY : (int)o->tasks[task].process;
}

void oracle_begin_call(struct oracle *o, uint32_t task)
{
	struct contexts *c = &o->contexts;
	struct operation_state *op = oracle_at(o, task);
	c->next_owner = owner_behind(o, task);
	int before = process_of(o, c->owner), behind = process_of(o, c->next_owner);
	o->tasks[task].call_begun = true;
	op->remaining = before != behind ? o->policy->update : o->policy->call;
	if (before != behind)
		oracle_begin_change_by_call(o, behind == NOBODY ? oracle_next_in_ring(o) : behind);
}

static void leave_lock(struct oracle *o, uint32_t task)
{
	struct task_state *t = &o->tasks[task];
	if (o->lock == (int)task)
		o->lock = NOBODY;
	t->requested = t->call_begun = false;
}

void oracle_end_call(struct oracle *o, uint32_t task)
{
	struct contexts *c = &o->contexts;
	bool free = oracle_calls_are_free(o);
	if (free)
		c->next_owner = owner_behind(o, task);
	else if (process_of(o, c->owner) != process_of(o, c->next_owner))
		oracle_end_change_by_call(o);
	c->owner = c->next_owner;
	c->asked = true;
	o->tasks[task].inside = !o->tasks[task].inside;
	leave_lock(o, task);
}

void oracle_forget_call(struct oracle *o, uint32_t task)
{
	leave_lock(o, task);
	if (o->tasks[task].inside)
		oracle_end_call(o, task);
}
