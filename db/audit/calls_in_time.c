/* db/audit/calls_in_time.c - calls around GPU sections over time: who asks for the lock, who has it, and
 * whose process the GPU belongs to behind the call that goes on (docs/model.md, "Calls"). And who stands in
 * the CPU queues, which depends on it. */
#include "db/audit/law.h"
#include "db/audit/sweep.h"

/* ---- Whose the GPU is ---- */

static bool goes_first(const struct recording *r, uint32_t i, uint32_t j)
{
	const struct member *x = &r->task[i], *y = &r->task[j];
	if (x->best_effort != y->best_effort)
		return y->best_effort;
	int64_t kx = x->gpu_priority, ky = y->gpu_priority;
	if (kx == NOT_GIVEN || ky == NOT_GIVEN) {
		kx = x->figures.rank;
		ky = y->figures.rank;
	}
	return kx != ky ? kx < ky : i < j;
}

/* The process of the real-time task inside of a section that goes first. */
static uint32_t owners_process(const struct sweep *s)
{
	uint32_t owner = UINT32_MAX;
	for (uint32_t i = 0; i < s->r->tasks; i++)
		if (s->track[i].caller.inside && !s->r->task[i].best_effort &&
			(owner == UINT32_MAX || goes_first(s->r, i, owner)))
			owner = i;
	return owner == UINT32_MAX ? UINT32_MAX : s->r->task[owner].process;
}

void sweep_call_passes(struct sweep *s, struct track *t, bool inside)
{
	t->caller.inside = inside;
	s->had = s->has;
	s->has = owners_process(s);
}

void sweep_call_begins(struct sweep *s, struct track *t)
{
	const struct interval *last = &t->op.part[t->op.parts - 1];
	sweep_call_passes(s, t, t->caller.stage == CALL_BEGIN);
	t->caller.begun = true;
	if (audit_hears(s->audit, AT_CALL))
		audit_tell(s->audit, &(struct moment){.at = AT_CALL, .time = s->now, .sweep = s, .track = t});
	s->in_call = t;
	s->call_began = s->now;
	s->call_ends = last->ended == ENDED_DONE ? last->end : s->r->stop_ns;
}

void sweep_call_ends(struct sweep *s, struct track *t)
{
	struct caller *c = &t->caller;
	if (s->in_call == t)
		s->in_call = NULL;
	if (s->lock == t)
		s->lock = NULL;
	if (c->stage == CALL_BEGIN || c->stage == CALL_END)
		c->stage = c->stage == CALL_BEGIN && c->begun ? CALL_IN : CALL_NONE;
	c->begun = c->asked = false;
}

/* ---- The CPU queues ---- */

bool sweep_wants_core(const struct sweep *s, const struct track *t)
{
	if (!t->active)
		return false;
	if (t->op.active && t->op.calling)
		return !t->caller.asked || s->lock == t;
	bool waits = t->in_section && s->r->promise->waiting != WAITS_SUSPENDED;
	return waits || (t->op.active && computes(&t->op));
}

static bool is_boosted(const struct sweep *s, const struct track *t)
{
	return s->r->promise->waiting == WAITS_BOOSTED && t->in_section;
}

/* Who has the lock of calls goes first, then those that are boosted, by task index. */
bool sweep_core_first(const struct sweep *s, const struct track *a, const struct track *b)
{
	bool boosted = is_boosted(s, a);
	if (s->lock == a || s->lock == b)
		return s->lock == a;
	if (boosted != is_boosted(s, b))
		return boosted;
	return boosted ? a->index < b->index : sweep_outranks(s, s->r->promise->cpu_order, a, b);
}

/* ---- The lock ---- */

/* Whether nothing is left of a switch of the core to the task's job. */
static bool is_switched(const struct sweep *s, const struct track *t)
{
	const struct audit_core *c = &s->core[t->task->core];
	if (s->r->machine.takes.switch_ns == 0)
		return true;
	int64_t since = c->switching_since == NOT_GIVEN ? s->now : c->switching_since;
	return c->had == t && c->had_seq == t->job.seq && c->switch_left <= s->now - since;
}

/* Whether the task's job has a core for its call, or would get one now. */
static bool has_core(const struct sweep *s, const struct track *t)
{
	bool global = s->r->machine.global;
	uint32_t in_front = 0, cores = global ? s->r->machine.cores - s->interrupted : 1;
	if (!global && s->core[t->task->core].interrupted)
		return false;
	for (uint32_t i = 0; i < s->r->tasks; i++) {
		const struct track *other = &s->track[i];
		bool same = global || other->task->core == t->task->core;
		in_front += other != t && same && sweep_wants_core(s, other) && sweep_core_first(s, other, t);
	}
	return in_front < cores && is_switched(s, t);
}

static uint32_t ask(struct sweep *s)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < s->r->tasks; i++) {
		struct track *t = &s->track[i];
		t->caller.asks =
			t->active && t->op.active && t->op.calling && !t->caller.asked && has_core(s, t);
		count += t->caller.asks;
	}
	for (uint32_t i = 0; i < s->r->tasks; i++) {
		struct caller *c = &s->track[i].caller;
		if (!c->asks)
			continue;
		c->asked = true;
		c->asked_at = s->now;
	}
	return count;
}

/* Which of two goes first that wait for the lock. */
static bool lock_first(const struct sweep *s, const struct track *a, const struct track *b)
{
	bool new_a = a->caller.asked_at == s->now, new_b = b->caller.asked_at == s->now;
	if (!s->r->lower_first || (!new_a && !new_b))
		return goes_first(s->r, a->index, b->index);
	return new_a != new_b ? new_b : goes_first(s->r, b->index, a->index);
}

static bool give_lock(struct sweep *s)
{
	const struct track *first = NULL;
	for (uint32_t i = 0; i < s->r->tasks; i++) {
		const struct track *t = &s->track[i];
		if (t->op.active && t->op.calling && t->caller.asked && (!first || lock_first(s, t, first)))
			first = t;
	}
	s->lock = first;
	return first != NULL;
}

/* All jobs that have a core for a call ask for the lock; then it is given; then the others leave their cores,
 * and those behind them may ask. */
void sweep_calls_settle(struct sweep *s)
{
	uint32_t asked;
	do
		asked = ask(s);
	while ((!s->lock && give_lock(s)) || asked > 0);
}
