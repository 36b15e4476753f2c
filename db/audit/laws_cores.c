/* db/audit/laws_cores.c - owns the laws on who has the cores (docs/model.md, "CPU", "Cores"). */
#include <stdio.h>

#include "db/audit/law.h"
#include "db/audit/sweep.h"

#define TABLE "segment_interval"

static const char *number(struct audit *a, uint32_t core)
{
	static _Thread_local char text[24];
	snprintf(text, sizeof(text), " %u", core);
	return a->r->machine.cores > 1 ? text : "";
}

/* ---- One at a time ---- */

uint64_t law_cpu_exclusive(struct audit *a, const struct moment *m)
{
	const struct sweep *s = m->sweep;
	if (s->on_core + s->interrupted <= 1)
		return 1;
	for (uint32_t i = 0; i < a->r->tasks; i++) {
		struct moment of = *m;
		const struct track *t = of.track = &s->track[i];
		if (!t->on_core)
			continue;
		const struct audit_core *c = &s->core[t->core];
		if (c->interrupted)
			broken(a, TABLE, &of, "at %s it is on the core%s during the interrupt of a release",
				when(a, m->time), number(a, t->core));
		else if (c->holder != t)
			broken(a, TABLE, &of, "at %s it is on the core%s together with task '%s'",
				when(a, m->time), number(a, t->core), c->holder->task->name);
		else
			continue;
		break;
	}
	return 1;
}

/* ---- The first ones ---- */

/* `best` has no core, or needs none (NULL), while `holder` has one that it should have; NULL: it is idle. */
static void accuse(struct audit *a, const struct moment *m, const struct track *best,
	const struct track *holder, uint32_t core)
{
	const struct sweep *s = m->sweep;
	struct moment of = *m;
	bool boosted = best && s->r->promise->waiting == WAITS_BOOSTED && best->in_section;
	of.track = best ? best : holder;
	if (!best)
		broken(a, TABLE, &of, "at %s it has the core%s, though it does not need it then",
			when(a, m->time), number(a, core));
	else if (!holder)
		broken(a, TABLE, &of, "at %s it is ready (since %s), but the core%s is idle",
			when(a, m->time), when(a, best->op.ready), number(a, core));
	else if (s->r->promise->cpu_order == BY_DEADLINE)
		broken(a, TABLE, &of,
			"at %s it is ready (since %s), with its deadline at %s, but task '%s' with its "
			"deadline at %s has the core%s",
			when(a, m->time), when(a, best->op.ready), when(a, best->job.deadline),
			holder->task->name, when(a, holder->job.deadline), number(a, core));
	else
		broken(a, TABLE, &of,
			"at %s it is ready (since %s), of rank %u%s, but task '%s' of rank %u has the core%s",
			when(a, m->time), when(a, best->op.ready), best->rank, boosted ? ", boosted" : "",
			holder->task->name, holder->rank, number(a, core));
}

/* A1: on each core the first of those that have it. */
static void check_own_cores(struct audit *a, const struct moment *m)
{
	const struct sweep *s = m->sweep;
	for (uint32_t i = 0; i < a->r->machine.cores; i++)
		s->core[i].first = NULL;
	for (uint32_t i = 0; i < s->live_count; i++) {
		const struct track *t = s->live[i];
		struct audit_core *c = &s->core[t->task->core];
		if (sweep_wants_core(s, t) && (!c->first || sweep_core_first(s, t, c->first)))
			c->first = t;
	}
	for (uint32_t i = 0; i < a->r->machine.cores; i++) {
		const struct audit_core *c = &s->core[i];
		if (!c->interrupted && c->holder != c->first && !(c->first && c->first->on_core))
			accuse(a, m, c->first, c->holder, i);
	}
}

/* The core of lowest number that nobody has; UINT32_MAX: there is none. */
static uint32_t idle_core(const struct sweep *s)
{
	for (uint32_t i = 0; i < s->r->machine.cores; i++)
		if (!s->core[i].holder && !s->core[i].interrupted)
			return i;
	return UINT32_MAX;
}

/* A2: nobody who waits goes before somebody who runs, or waits beside an idle core. */
static void check_first_of_all(struct audit *a, const struct moment *m)
{
	const struct sweep *s = m->sweep;
	const struct track *best = NULL, *last = NULL;
	uint32_t idle = idle_core(s);
	for (uint32_t i = 0; i < a->r->tasks; i++) {
		const struct track *t = &s->track[i];
		bool wants = sweep_wants_core(s, t);
		if (t->on_core && !wants)
			accuse(a, m, NULL, t, t->core);
		else if (t->on_core && (!last || sweep_core_first(s, last, t)))
			last = t;
		else if (!t->on_core && wants && (!best || sweep_core_first(s, t, best)))
			best = t;
	}
	if (best && idle != UINT32_MAX)
		accuse(a, m, best, NULL, idle);
	else if (best && last && sweep_core_first(s, best, last))
		accuse(a, m, best, last, last->core);
}

uint64_t law_cpu_priority(struct audit *a, const struct moment *m)
{
	const struct sweep *s = m->sweep;
	if (!s->r->promise || s->r->flights || s->interrupted == a->r->machine.cores)
		return 0;
	if (!s->ranked)
		return 0; /* the ranks are damaged, which another law reports */
	if (a->r->machine.global)
		check_first_of_all(a, m);
	else
		check_own_cores(a, m);
	return 1;
}

/* ---- Which core ---- */

/* Since when the job has needed a core for what it does there. */
static int64_t needed_since(const struct track *t)
{
	return t->op.active && computes(&t->op) ? t->op.ready : t->section_since;
}

/* Whether the job had a core up to now, for what it needs one for still, that is not interrupted. */
static bool was_there(const struct sweep *s, const struct track *t)
{
	return t->cut_at == s->now && needed_since(t) < s->now && !s->core[t->cut_on].interrupted;
}

static bool comes(const struct sweep *s, const struct track *t)
{
	return t->on_core && t->on_core_since == s->now && !was_there(s, t);
}

/* How many cores of lower numbers than the one that t came to were idle for it: those that are idle still,
 * and those that somebody behind it came to. */
static uint32_t passed_over(const struct sweep *s, const struct track *t)
{
	for (uint32_t i = 0; i < t->core; i++) {
		const struct audit_core *c = &s->core[i];
		if (c->interrupted)
			continue;
		if (!c->holder || (comes(s, c->holder) && sweep_core_first(s, t, c->holder)))
			return i;
	}
	return UINT32_MAX;
}

uint64_t law_cpu_core(struct audit *a, const struct moment *m)
{
	const struct sweep *s = m->sweep;
	uint64_t checked = 0;
	for (uint32_t i = 0; i < a->r->tasks; i++) {
		struct moment of = *m;
		const struct track *t = of.track = &s->track[i];
		if (!t->on_core || t->on_core_since != m->time || t->rank == UINT32_MAX)
			continue;
		checked++;
		uint32_t lower = comes(s, t) ? passed_over(s, t) : UINT32_MAX;
		if (!comes(s, t) && t->core != t->cut_on)
			broken(a, TABLE, &of, "at %s it goes on on core %u, though it could keep core %u",
				when(a, m->time), t->core, t->cut_on);
		else if (lower != UINT32_MAX)
			broken(a, TABLE, &of, "at %s it comes to core %u, though core %u was idle for it",
				when(a, m->time), t->core, lower);
	}
	return checked;
}
