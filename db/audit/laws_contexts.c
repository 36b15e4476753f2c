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

/* What is wrong with a switch; NULL: nothing. Policies that are not known may give one up, and name a price
 * of their own. Where tasks own the GPU, it depends on calls: law_owner(). */
static const char *wrong_switch(const struct audit *a, const struct sweep *s)
{
	const struct context_row *c = &s->context;
	const struct audit_machine *m = &a->r->machine;
	int64_t length = c->end - c->start, most = m->contexts.switch_ns;
	bool turns = a->r->promise && a->r->promise->turns && !a->r->promise->owned;
	bool cut = c->end == a->r->stop_ns;
	if (turns && (cut ? length > most : length != most))
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
	bool free = a->r->promise && a->r->promise->owned && !a->r->calls;
	if (b->process == UINT32_MAX || paid || free)
		return NULL;
	bool unpaid = a->r->promise && a->r->promise->owned && a->r->machine.contexts.switch_ns == 0;
	if (b->switches && b->end == c->start && a->r->promise && !unpaid)
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

/* ---- Copies ---- */

/* Whether two copies wait for the same engine: each process has engines of its own, or all have them
 * together.
 */
static bool same_engine(const struct audit *a, const struct track *x, uint32_t process, uint32_t engine)
{
	return x->active && x->op.active && x->op.info->kind == KIND_COPY && x->op.info->engine == engine &&
	       (a->r->promise->compute_only || x->task->process == process);
}

/* It is issued, and was on no engine yet. (The law does not apply where it may not be eligible.) */
static bool waits_for_engine(const struct track *t)
{
	return !computes(&t->op) && !t->op.running && t->op.at == 0;
}

static uint64_t copy_starts(struct audit *a, const struct moment *m)
{
	const struct sweep *s = m->sweep;
	const struct track *t = m->track;
	if (!t || t->op.info->kind != KIND_COPY || m->interval->part > 0 || a->r->machine.engines == 0)
		return 0;
	for (uint32_t i = 0; i < a->r->tasks; i++) {
		const struct track *other = &s->track[i];
		int64_t since = other->op.launched, mine = t->op.launched;
		if (other == t || !same_engine(a, other, t->task->process, t->op.info->engine) ||
			!waits_for_engine(other) || since > mine ||
			(since == mine && !by_arrival_first(s, i, t->index)))
			continue;
		broken(a, "segment_interval", m,
			"it started although the copy of task '%s', issued at %s, goes first",
			other->task->name, when(a, since));
		break;
	}
	return 1;
}

/* The copies of the process that has the GPU, or, where those of all share the engines, of anybody. */
uint64_t law_context_copies(struct audit *a, const struct moment *m)
{
	const struct sweep *s = m->sweep;
	const struct context_row *c = &s->context;
	if (m->at == AT_START)
		return copy_starts(a, m);
	bool has = c->process != UINT32_MAX && !c->switches && c->start <= m->time && c->end > m->time;
	if ((!has && !a->r->promise->compute_only) || m->time >= a->r->stop_ns)
		return 0;
	for (uint32_t e = 0; e < 2; e++) {
		const struct track *waits = NULL;
		bool busy = false;
		for (uint32_t i = 0; i < a->r->tasks; i++) {
			const struct track *t = &s->track[i];
			if (!same_engine(a, t, c->process, e) || computes(&t->op))
				continue;
			waits = waits_for_engine(t) && !waits ? t : waits;
			busy |= !waits_for_engine(t) && a->r->machine.engines > 0;
		}
		struct moment of = *m;
		of.track = waits;
		if (waits && !busy)
			broken(a, "segment_interval", &of,
				"at %s its copy waits (since %s) though engine %u is idle", when(a, m->time),
				when(a, waits->op.launched), e);
	}
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

/* When the first of its slices began: with its time, or with that of an owner of its process. */
static int64_t first_slice(const struct audit *a, const struct context_row *holder)
{
	return holder->start > a->turns.since ? holder->start : a->turns.since;
}

/* Whether another process was active when a slice ended since the last instant at which anything happened. */
static bool ran_on(const struct audit *a, const struct sweep *s, const struct context_row *holder)
{
	int64_t slice = a->r->machine.contexts.timeslice_ns, seen = a->turns.seen;
	int64_t begin = first_slice(a, holder);
	if (!a->turns.others || seen < begin || s->now - 1 <= seen)
		return false;
	return (s->now - 1 - begin) / slice > (seen - begin) / slice;
}

/* Who must have the GPU from this instant on, or the switch to him begin. UINT32_MAX: nobody. */
static uint32_t due(const struct audit *a, const struct sweep *s, const struct context_row *b)
{
	int64_t slice = a->r->machine.contexts.timeslice_ns;
	uint32_t next = next_active(a);
	if (!b)
		return next;
	int64_t begin = b->switches ? s->now : first_slice(a, b);
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
	if (s->has != UINT32_MAX || sweep_call_changes(s)) {
		a->turns.owned = true;
		a->turns.last = b ? b->process : a->turns.last;
		if (c->process != UINT32_MAX && c->start <= m->time && c->end > m->time)
			a->turns.last = c->process;
		a->turns.seen = m->time;
		return 0;
	}
	/* The slice of the one that was given the GPU behind the owner begins. */
	bool owned = a->turns.owned;
	a->turns.owned = false;
	a->turns.since = owned ? m->time : a->turns.since;
	if (b && owned && !b->switches) {
		a->turns.last = b->process;
		b = NULL;
	}
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

/* ---- gcaps: G1 to G5 ---- */

uint64_t law_calls(struct audit *a, const struct moment *m)
{
	const struct sweep *s = m->sweep;
	const struct audit_operation *op = &m->track->op;
	struct moment of = *m;
	of.job = &m->track->job;
	of.interval = &op->part[0];
	if (s->in_call)
		broken(a, "segment_interval", &of, "its call begins at %s, while that of task '%s' goes on",
			when(a, m->time), s->in_call->task->name);
	const struct promise *p = a->r->promise;
	if (!p || !p->owned)
		return 1;
	int64_t sum = 0, expected = s->has != s->had ? p->update_ns : p->call_ns;
	for (uint32_t i = 0; i < op->parts; i++)
		if (__builtin_add_overflow(sum, op->part[i].end - op->part[i].start, &sum))
			sum = INT64_MAX;
	bool stopped = op->part[op->parts - 1].ended != ENDED_DONE; /* or interrupted, up to S */
	if (stopped ? sum >= expected : sum != expected)
		broken(a, "segment_interval", &of, "the call took %s, expected %s%s: it %s who owns the GPU",
			when(a, sum), stopped ? "less than " : "", when(a, expected),
			s->has != s->had ? "changes" : "does not change");
	return 1;
}

/* Who must be about to have the GPU behind the call that changes its owner, as the call begins: the owner's
 * process, else the next active one. */
static uint32_t due_behind(struct audit *a, const struct sweep *s)
{
	if (s->has != UINT32_MAX)
		return s->has;
	const struct context_row *before = row_before(s);
	if (before)
		a->turns.last = before->process;
	find_active(a, s);
	return next_active(a);
}

/* What is wrong with who has the GPU during a call that changes its owner; NULL: nothing. */
static const char *wrong_in_call(struct audit *a, const struct sweep *s, const struct context_row *c)
{
	if (c && !c->switches)
		return "it has the GPU during the call that takes it";
	if (c && (c->start != s->call_began || c->end != s->call_ends))
		return "the switch to it does not begin and end with the call";
	if (s->call_began != s->now)
		return NULL;
	const struct audit_machine *m = &a->r->machine;
	uint32_t due = due_behind(a, s);
	bool known = s->has != UINT32_MAX || (m->takes.latency_ns == 0 && m->takes.gap_ns == 0);
	return known && (c ? c->process : UINT32_MAX) != due ? "another process is to have the GPU" : NULL;
}

/* The same while no such call goes on. A switch between best-effort tasks may be cut by a call. */
static const char *wrong_outside(const struct audit *a, const struct sweep *s, const struct context_row *c)
{
	/* Without calls a switch to it that goes on is gone through with. */
	bool has = c && c->process == s->has && (!c->switches || !a->r->calls);
	if (s->has != UINT32_MAX)
		return has ? NULL : "the GPU is not its owner's";
	if (c && c->switches && c->end - c->start > a->r->machine.contexts.switch_ns)
		return "a switch takes another time on this platform";
	return NULL;
}

uint64_t law_owner(struct audit *a, const struct moment *m)
{
	const struct sweep *s = m->sweep;
	const struct context_row *c = &s->context;
	if (c->process == UINT32_MAX || c->start > m->time || c->end <= m->time)
		c = NULL;
	bool changes = sweep_call_changes(s);
	if (!changes && s->has == UINT32_MAX && !c)
		return 0;
	const char *what = changes ? wrong_in_call(a, s, c) : wrong_outside(a, s, c);
	struct moment of = *m;
	of.track = c ? &s->track[c->process] : s->has != UINT32_MAX ? &s->track[s->has] : s->in_call;
	if (what)
		broken(a, TABLE, &of, "at %s %s", when(a, m->time), what);
	const struct context_row *b = &s->context;
	bool over = b->process != UINT32_MAX && b->switches && b->end == m->time && m->time < a->r->stop_ns;
	bool by_call = b->start == s->call_began && b->end == s->call_ends;
	of.track = over ? &s->track[b->process] : NULL;
	if (over && !by_call && b->end - b->start < a->r->machine.contexts.switch_ns &&
		!(changes && s->call_began == m->time))
		broken(a, TABLE, &of, "the switch to it is over at %s, too soon, and no call cuts it",
			when(a, m->time));
	return 1;
}
