/* db/audit/laws_contexts.c - owns the laws on processes that have the GPU in turns (docs/model.md,
 * "Contexts"). */
#include <string.h>

#include "db/audit/law.h"
#include "db/audit/sweep.h"

#define TABLE "context_interval"

static const char *name_of(const struct audit *a, uint32_t process)
{
	return process < a->r->tasks ? a->r->task[process].name : "?";
}

/* ---- The rows ---- */

/* What is wrong with a switch; NULL: nothing. Policies that are not known may give one up. */
static const char *wrong_switch(const struct audit *a, const struct sweep *s)
{
	const struct context_row *c = &s->context;
	const struct audit_machine *m = &a->r->machine;
	int64_t length = c->end - c->start, most = m->contexts.switch_ns;
	bool turns = a->r->promise && a->r->promise->turns;
	if (!turns && m->contexts.reset_ns > most)
		most = m->contexts.reset_ns;
	bool cut = !turns || c->end == a->r->stop_ns;
	if (cut ? length > most : length != most)
		return "a switch takes another time on this platform";
	if (turns && s->context_before.process == c->process)
		return "this process is loaded already";
	if (turns && s->context_before.process == UINT32_MAX)
		return "the first load is free";
	return NULL;
}

static const char *wrong_run(const struct audit *a, const struct sweep *s)
{
	const struct context_row *c = &s->context, *b = &s->context_before;
	bool paid = b->switches && b->process == c->process && b->end == c->start;
	if (b->process == UINT32_MAX || paid)
		return NULL;
	if (b->switches && b->end == c->start && a->r->promise)
		return "the GPU was switched to another process";
	if (b->process == c->process && b->end == c->start && a->r->promise)
		return "it goes on from another row";
	if (a->r->promise && b->process != c->process && a->r->machine.contexts.switch_ns > 0)
		return "the GPU was not switched to it";
	return NULL;
}

uint64_t law_contexts(struct audit *a, const struct moment *m)
{
	const struct sweep *s = m->sweep;
	const struct context_row *c = &s->context;
	if (c->process == UINT32_MAX)
		return 0; /* which another law reports */
	struct moment of = *m;
	of.track = &s->track[c->process];
	const char *what = NULL;
	if (a->r->task[c->process].process != c->process)
		what = "this is not the first task of its process";
	else if (c->end <= c->start || c->end > a->r->stop_ns)
		what = "it does not end behind its start, or behind S";
	else if (c->start < s->context_before.end)
		what = "it begins before the row in front of it ends";
	else
		what = c->switches ? wrong_switch(a, s) : wrong_run(a, s);
	if (what)
		broken(a, TABLE, &of, "%s [%s, %s): %s",
			c->switches ? "the switch to it" : "its time on the GPU", when(a, c->start),
			when(a, c->end), what);
	return 1;
}

/* ---- What runs ---- */

static bool within_context(const struct sweep *s, uint32_t task, int64_t start, int64_t end)
{
	const struct context_row *c = &s->context;
	return c->process == s->r->task[task].process && !c->switches && start >= c->start && end <= c->end;
}

/* Copies belong to contexts where the policy says so; of an unknown policy those that were frozen or lost do.
 */
static bool belongs(const struct recording *r, const struct audit_operation *op, const struct interval *row)
{
	bool cut = row->ended == ENDED_PREEMPTED || row->ended == ENDED_RESET || row->part > 0;
	return op->info->kind == KIND_KERNEL || (r->promise ? !r->promise->compute_only : cut);
}

uint64_t law_holder(struct audit *a, const struct moment *m)
{
	const struct sweep *s = m->sweep;
	const struct track *t = m->track;
	if (!t)
		return 0;
	if (m->at == AT_BLOCK) {
		if (!within_context(s, t->index, m->block->start, m->block->end))
			broken(a, "block_interval", m, "its process does not have the GPU all that time");
		return 1;
	}
	const struct interval *row = m->interval;
	if (!belongs(a->r, &t->op, row))
		return 1;
	bool frozen = row->ended == ENDED_PREEMPTED || row->ended == ENDED_RESET;
	if (!within_context(s, t->index, row->start, row->end))
		broken(a, "segment_interval", m, "its process does not have the GPU all that time");
	else if (frozen && row->end != s->context.end)
		broken(a, "segment_interval", m,
			"it does not run on, though its process has the GPU until %s",
			when(a, s->context.end));
	else if (row->part > 0 && row->start != s->context.start)
		broken(a, "segment_interval", m,
			"it goes on later than its process, which has the GPU since %s",
			when(a, s->context.start));
	return 1;
}

/* ---- tsg-rr: T1 to T5 ---- */

/* A process is active while an operation of it is issued and has not ended: the one issued first is eligible.
 * (The law does not apply where it may not be.) */
static void find_active(struct audit *a, const struct sweep *s)
{
	memset(a->turns.active, 0, a->r->tasks * sizeof(*a->turns.active));
	for (uint32_t i = 0; i < a->r->tasks; i++) {
		const struct track *t = &s->track[i];
		bool issued = t->active && t->op.active && !computes(&t->op);
		if (issued && (t->op.info->kind == KIND_KERNEL || !a->r->promise->compute_only))
			a->turns.active[t->task->process] = true;
	}
}

/* The next active one behind the one that was loaded last; UINT32_MAX: none is active. */
static uint32_t next_active(const struct audit *a)
{
	uint32_t tasks = a->r->tasks, last = a->turns.last;
	for (uint32_t i = 1; i <= tasks; i++)
		if (a->turns.active[(last + i) % tasks])
			return (last + i) % tasks;
	return UINT32_MAX;
}

/* Who was about to have the GPU, or had it, right before this instant. */
static const struct context_row *row_before(const struct sweep *s)
{
	const struct context_row *c = &s->context;
	if (c->process == UINT32_MAX || c->end < s->now)
		return NULL;
	if (c->start < s->now)
		return c;
	c = &s->context_before;
	return c->process != UINT32_MAX && c->end == s->now ? c : NULL;
}

/* Whether another process was active when a slice ended since the last instant at which anything happened. */
static bool ran_on(const struct audit *a, const struct sweep *s, const struct context_row *holder)
{
	int64_t slice = a->r->machine.contexts.timeslice_ns, seen = a->turns.seen;
	if (!a->turns.others || seen < holder->start || s->now - 1 <= seen)
		return false;
	return (s->now - 1 - holder->start) / slice > (seen - holder->start) / slice;
}

/* Who must have the GPU from this instant on, or the switch to him begin. UINT32_MAX: nobody. */
static uint32_t due(const struct audit *a, const struct sweep *s, const struct context_row *b)
{
	int64_t slice = a->r->machine.contexts.timeslice_ns;
	uint32_t next = next_active(a);
	if (!b)
		return next;
	int64_t begin = b->switches ? s->now : b->start;
	bool over = s->now > begin && (s->now - begin) % slice == 0;
	bool others = next != UINT32_MAX && next != b->process;
	return a->turns.active[b->process] && (!over || !others) ? b->process : next;
}

uint64_t law_turns(struct audit *a, const struct moment *m)
{
	const struct sweep *s = m->sweep;
	const struct context_row *c = &s->context, *b = row_before(s);
	if (!a->turns.active || (b && b->process == UINT32_MAX))
		return 0;
	if (b && b->switches && b->end > m->time)
		return 1;
	find_active(a, s);
	struct moment of = *m;
	if (b) {
		of.track = &s->track[b->process];
		a->turns.last = b->process;
		if (!b->switches && ran_on(a, s, b))
			broken(a, TABLE, &of, "its slice was over before %s, and another process was active",
				when(a, m->time));
	}
	uint32_t want = due(a, s, b);
	bool has = c->process != UINT32_MAX && c->start <= m->time && c->end > m->time;
	uint32_t got = has ? c->process : UINT32_MAX;
	if (want != got) {
		of.track = &s->track[want != UINT32_MAX ? want : got];
		broken(a, TABLE, &of, "at %s %s%s%s", when(a, m->time),
			want == UINT32_MAX ? "it has the GPU, but it is not active"
					   : "it is its turn, but the GPU is ",
			want == UINT32_MAX  ? ""
			: got == UINT32_MAX ? "nobody's"
					    : "that of the process of ",
			want == UINT32_MAX || got == UINT32_MAX ? "" : name_of(a, got));
	}
	if (got != UINT32_MAX)
		a->turns.last = got;
	a->turns.seen = m->time;
	uint32_t next = next_active(a);
	a->turns.others = got != UINT32_MAX && next != UINT32_MAX && next != got;
	return 1;
}
