/* db/audit/warp_choice.c - which of the ready warps of a sub-core its scheduler must issue (docs/warps.md,
 * "Ready, and what a scheduler is asked"; QAWS = Singh et al., DATE 2022, Algorithm 1; two-level: Narasiman
 * et al., MICRO 2011). */
#include "db/audit/warp_walk.h"

static bool is_ready(const struct walk *w, const struct warp_sm *sm, const struct audit_sub_core *core,
	const struct audit_warp *warp)
{
	return walk_warp_state(w, sm, core, warp) == SLOT_ISSUED;
}

static struct audit_warp *last_one(const struct audit_sub_core *core)
{
	for (uint32_t i = 0; i < core->warps && core->last_age; i++) {
		if (core->warp[i]->age == core->last_age)
			return core->warp[i];
	}
	return NULL;
}

/* If asked, only active ones. */
static struct audit_warp *oldest(
	const struct walk *w, const struct warp_sm *sm, const struct audit_sub_core *core, bool only_active)
{
	for (uint32_t i = 0; i < core->warps; i++) {
		struct audit_warp *warp = core->warp[i];
		if ((!only_active || warp->in_active) && is_ready(w, sm, core, warp))
			return warp;
	}
	return NULL;
}

/* The next ready warp by age after the one issued last; after the youngest comes the oldest. If asked, only
 * active ones. */
static struct audit_warp *next_around(
	const struct walk *w, const struct warp_sm *sm, const struct audit_sub_core *core, bool only_active)
{
	uint32_t from = 0;
	while (from < core->warps && core->warp[from]->age <= core->last_age)
		from++;
	for (uint32_t i = 0; i < core->warps; i++) {
		struct audit_warp *warp = core->warp[(from + i) % core->warps];
		if ((!only_active || warp->in_active) && is_ready(w, sm, core, warp))
			return warp;
	}
	return NULL;
}

static struct audit_warp *lrr(struct walk *w, const struct warp_sm *sm, struct audit_sub_core *core)
{
	struct audit_warp *last = last_one(core);
	if (!w->d->rotate_cycle && last && core->last_cycle == w->now - 1 && is_ready(w, sm, core, last))
		return last;
	return next_around(w, sm, core, false);
}

/* If asked, only active ones. */
static struct audit_warp *gto(
	const struct walk *w, const struct warp_sm *sm, const struct audit_sub_core *core, bool only_active)
{
	struct audit_warp *last = last_one(core);
	bool same = last && (!only_active || last->in_active) && is_ready(w, sm, core, last);
	return same ? last : oldest(w, sm, core, only_active);
}

/* ---- Two levels ---- */

static bool must_leave(const struct walk *w, const struct audit_warp *warp)
{
	bool memory;
	if (warp->at.over)
		return false;
	return warp->open > w->now || (!walk_operand_there(w, warp, &memory) && memory);
}

static bool may_enter(const struct walk *w, const struct audit_warp *warp)
{
	bool memory;
	return !warp->at.over && warp->open <= w->now && warp->block->context_there <= w->now &&
	       walk_operand_there(w, warp, &memory);
}

static struct audit_warp *two_level(struct walk *w, const struct warp_sm *sm, struct audit_sub_core *core)
{
	int64_t active = 0;
	for (uint32_t i = 0; i < core->warps; i++) {
		struct audit_warp *warp = core->warp[i];
		if (warp->in_active && must_leave(w, warp)) {
			warp->in_active = false;
			warp->queued = ++core->queued;
		}
		active += warp->in_active;
	}
	for (; active < w->d->active; active++) {
		struct audit_warp *first = NULL;
		for (uint32_t i = 0; i < core->warps; i++) {
			struct audit_warp *warp = core->warp[i];
			if (!warp->in_active && may_enter(w, warp) &&
				(!first || warp->queued < first->queued))
				first = warp;
		}
		if (!first)
			break;
		first->in_active = true;
	}
	return w->d->inner_gto ? gto(w, sm, core, true) : next_around(w, sm, core, true);
}

/* ---- QAWS ---- */

static int64_t group_of(const struct walk *w, uint32_t kernel)
{
	return w->d->budget[kernel];
}

static bool group_is_here(const struct walk *w, const struct audit_sub_core *core, int64_t group)
{
	for (uint32_t i = 0; i < core->warps; i++) {
		if (group_of(w, core->warp[i]->block->kernel) == group)
			return true;
	}
	return false;
}

/* The next group with warps here, in descending order of budget; after the last comes the first; the group
 * itself comes last. 0: there is none. */
static int64_t next_group(const struct walk *w, const struct audit_sub_core *core, int64_t group)
{
	int64_t below = 0, greatest = 0;
	for (uint32_t i = 0; i < core->warps; i++) {
		int64_t other = group_of(w, core->warp[i]->block->kernel);
		greatest = other > greatest ? other : greatest;
		below = other < group && other > below ? other : below;
	}
	return below > 0 ? below : greatest;
}

/* The oldest ready warp of the group, or of any other group. */
static struct audit_warp *oldest_of(const struct walk *w, const struct warp_sm *sm,
	const struct audit_sub_core *core, int64_t group, bool of_it)
{
	for (uint32_t i = 0; i < core->warps; i++) {
		struct audit_warp *warp = core->warp[i];
		if ((group_of(w, warp->block->kernel) == group) == of_it && is_ready(w, sm, core, warp))
			return warp;
	}
	return NULL;
}

static struct audit_warp *of_group_or_fill(
	const struct walk *w, const struct warp_sm *sm, const struct audit_sub_core *core, int64_t group)
{
	struct audit_warp *warp = oldest_of(w, sm, core, group, true);
	return warp ? warp : oldest_of(w, sm, core, group, false);
}

static struct audit_warp *qaws(struct walk *w, const struct warp_sm *sm, struct audit_sub_core *core)
{
	if (core->warps == 0)
		return NULL;
	int64_t first = next_group(w, core, 0);
	if (next_group(w, core, first) == first) {
		core->preferred = first;
		core->switches = 0;
		core->waiting = false;
		return gto(w, sm, core, false);
	}
	if (core->preferred == 0 || !group_is_here(w, core, core->preferred)) {
		core->preferred = next_group(w, core, core->preferred);
		core->switches = 0;
		core->waiting = true;
	}
	bool of_group =
		core->last_age > 0 && group_of(w, core->last_kernel) == core->preferred && !core->waiting;
	if (!of_group) {
		struct audit_warp *warp = of_group_or_fill(w, sm, core, core->preferred);
		if (warp && group_of(w, warp->block->kernel) == core->preferred)
			core->waiting = false;
		return warp;
	}
	struct audit_warp *last = last_one(core), *other;
	if (last && is_ready(w, sm, core, last))
		return last;
	if (core->switches >= core->preferred) {
		core->switches = 0;
		core->preferred = next_group(w, core, core->preferred);
		other = of_group_or_fill(w, sm, core, core->preferred);
		core->waiting = !other || group_of(w, other->block->kernel) != core->preferred;
		return other;
	}
	other = oldest_of(w, sm, core, core->preferred, true);
	if (!other)
		return oldest_of(w, sm, core, core->preferred, false);
	core->switches++;
	return other;
}

struct audit_warp *walk_choose(struct walk *w, const struct warp_sm *sm, struct audit_sub_core *core)
{
	switch (w->d->scheduler) {
	case BY_LRR:
		return lrr(w, sm, core);
	case BY_GTO:
		return gto(w, sm, core, false);
	case BY_OLDEST:
		return oldest(w, sm, core, false);
	case BY_TWO_LEVEL:
		return two_level(w, sm, core);
	case BY_QAWS:
		return qaws(w, sm, core);
	case BY_UNKNOWN:
		break;
	}
	return NULL;
}
