/* tests/conformance/warp_choice.c - which warp the scheduler of a sub-core must issue, from the warps that
 * are there and what was issued before (docs/warps.md, "Ready, and what a scheduler is asked"); and that qaws
 * lets nobody starve. */
#include <inttypes.h>

#include "tests/conformance/warp_replay.h"

static int64_t budget_of(const struct replay *r, const struct there *t)
{
	return r->s->scene->options.budget[t->life->kernel];
}

struct there *warp_oldest_ready(struct replay *r, uint32_t sm, uint32_t core, int64_t budget)
{
	for (size_t i = 0; i < r->count[sm]; i++) {
		struct there *t = &r->warps[sm][i];
		if (t->core == core && (!budget || budget_of(r, t) == budget) &&
			warp_condition(r, t) == READY)
			return t;
	}
	return NULL;
}

/* The one issued last, if it is ready. */
static struct there *last_ready(struct replay *r, uint32_t sm, uint32_t core)
{
	for (size_t i = 0; i < r->count[sm]; i++) {
		struct there *t = &r->warps[sm][i];
		if (t->core == core && t->age == r->cores[core].last_age && warp_condition(r, t) == READY)
			return t;
	}
	return NULL;
}

/* The next ready one behind the one issued last, by age, around; with `active`, of the active set. */
static struct there *next_ready(struct replay *r, uint32_t sm, uint32_t core, bool active)
{
	uint64_t last = r->cores[core].last_age;
	struct there *around = NULL;
	for (size_t i = 0; i < r->count[sm]; i++) {
		struct there *t = &r->warps[sm][i];
		if (t->core != core || warp_condition(r, t) != READY || (active && !t->active))
			continue;
		if (last == UINT64_MAX || t->age > last)
			return t;
		around = around ? around : t;
	}
	return around;
}

static const struct there *lrr(struct replay *r, uint32_t sm, uint32_t core)
{
	bool goes_on = !r->s->scene->options.rotate_cycle && r->cores[core].last_cycle == r->now - 1;
	const struct there *last = goes_on ? last_ready(r, sm, core) : NULL;
	return last ? last : next_ready(r, sm, core, false);
}

static const struct there *gto(struct replay *r, uint32_t sm, uint32_t core)
{
	const struct there *last = last_ready(r, sm, core);
	return last ? last : warp_oldest_ready(r, sm, core, 0);
}

/* ---- two-level ---- */

static bool is_fit(const struct replay *r, const struct there *t)
{
	enum condition c = warp_condition(r, t);
	return c == READY || c == HELD || c == NO_UNIT;
}

/* The first of the queue that may enter, or NULL. */
static struct there *first_fit(struct replay *r, uint32_t sm, uint32_t core)
{
	struct there *first = NULL;
	for (size_t i = 0; i < r->count[sm]; i++) {
		struct there *t = &r->warps[sm][i];
		if (t->core == core && !t->active && is_fit(r, t) && (!first || t->ticket < first->ticket))
			first = t;
	}
	return first;
}

static const struct there *two_level(struct replay *r, uint32_t sm, uint32_t core)
{
	uint32_t active = 0;
	struct there *first;
	for (size_t i = 0; i < r->count[sm]; i++) {
		struct there *t = &r->warps[sm][i];
		if (t->core != core || !t->active)
			continue;
		enum condition c = warp_condition(r, t);
		t->active = c != ON_MEMORY && c != AT_BARRIER;
		if (!t->active)
			t->ticket = r->cores[core].tickets++;
		active += t->active;
	}
	for (; active < r->s->scene->options.active && (first = first_fit(r, sm, core)); active++)
		first->active = true;
	return next_ready(r, sm, core, true);
}

/* ---- qaws ---- */

static bool has_warps(const struct replay *r, uint32_t sm, uint32_t core, int64_t budget)
{
	for (size_t i = 0; i < r->count[sm]; i++)
		if (r->warps[sm][i].core == core && budget_of(r, &r->warps[sm][i]) == budget)
			return true;
	return false;
}

/* The group with warps behind that of this budget: the next smaller one, else the greatest. 0: nobody is
 * there. */
static int64_t next_group(const struct replay *r, uint32_t sm, uint32_t core, int64_t budget)
{
	int64_t behind = 0, greatest = 0;
	for (uint32_t k = 0; k < r->s->scene->warps.kernel_count; k++) {
		int64_t b = r->s->scene->options.budget[k];
		if (!has_warps(r, sm, core, b))
			continue;
		greatest = b > greatest ? b : greatest;
		behind = b < budget && b > behind ? b : behind;
	}
	return behind ? behind : greatest;
}

static void prefer_next(struct replay *r, uint32_t sm, uint32_t core)
{
	struct core *c = &r->cores[core];
	c->group = next_group(r, sm, core, c->group);
	c->switches = 0;
	c->group_waits = true;
}

/* The oldest ready one of the group that is preferred, else the others fill. */
static const struct there *own_or_fill(struct replay *r, uint32_t sm, uint32_t core, bool *own)
{
	const struct there *t = warp_oldest_ready(r, sm, core, r->cores[core].group);
	*own = t != NULL;
	return t ? t : warp_oldest_ready(r, sm, core, 0);
}

static const struct there *qaws(struct replay *r, uint32_t sm, uint32_t core)
{
	struct core *c = &r->cores[core];
	int64_t one = next_group(r, sm, core, 0);
	bool own;
	if (one == 0)
		return NULL;
	if (next_group(r, sm, core, one) == one) {
		c->group = one;
		c->switches = 0;
		c->group_waits = false;
		return gto(r, sm, core);
	}
	if (!c->group || !has_warps(r, sm, core, c->group))
		prefer_next(r, sm, core);
	bool of_group = !c->group_waits && c->last_group == c->group;
	const struct there *last = of_group ? last_ready(r, sm, core) : NULL;
	if (last)
		return last;
	if (of_group && c->switches == c->group)
		prefer_next(r, sm, core);
	bool counts = of_group && !c->group_waits;
	const struct there *t = own_or_fill(r, sm, core, &own);
	c->switches += counts && own;
	c->group_waits = c->group_waits && !own;
	return t;
}

const struct there *warp_must_issue(struct replay *r, uint32_t sm, uint32_t core)
{
	switch (r->s->scene->options.scheduler) {
	case SCHEDULE_LRR:
		return lrr(r, sm, core);
	case SCHEDULE_GTO:
		return gto(r, sm, core);
	case SCHEDULE_TWO_LEVEL:
		return two_level(r, sm, core);
	case SCHEDULE_QAWS:
		return qaws(r, sm, core);
	default:
		return warp_oldest_ready(r, sm, core, 0);
	}
}

/* ---- turns ---- */

static uint32_t group_count(const struct replay *r)
{
	uint32_t count = 0;
	for (uint32_t k = 0; k < r->s->scene->warps.kernel_count; k++) {
		bool first = true;
		for (uint32_t i = 0; i < k; i++)
			first = first && r->s->scene->options.budget[i] != r->s->scene->options.budget[k];
		count += first;
	}
	return count;
}

/* With two groups: whoever has a ready warp in every cycle gets its turn after as many switches as the
 * other's budget. */
void warp_count_turns(struct replay *r, uint32_t sm, uint32_t core, const struct there *picked)
{
	struct core *c = &r->cores[core];
	if (r->s->scene->options.scheduler != SCHEDULE_QAWS || group_count(r) != 2)
		return;
	for (uint32_t k = 0; k < r->s->scene->warps.kernel_count; k++) {
		int64_t budget = r->s->scene->options.budget[k];
		bool waits =
			picked && budget_of(r, picked) != budget && warp_oldest_ready(r, sm, core, budget);
		if (!waits)
			c->runs[k] = 0;
		else if (c->runs[k] == 0 || c->last_index != picked->index)
			c->runs[k]++;
		if (waits && c->runs[k] > budget_of(r, picked) + 1)
			warp_broken(&r->verdict[FINDING_TURNS],
				"sub-core %u at %" PRId64 ": kernel %u waits for a turn through %" PRId64
				" runs of others",
				core, r->now, k, c->runs[k]);
	}
	c->last_index = picked ? picked->index : c->last_index;
}
