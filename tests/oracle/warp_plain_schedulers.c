/* tests/oracle/warp_plain_schedulers.c - which ready warp of a sub-core issues next (docs/warps.md, Ready,
 * and what a scheduler is asked). Views are sorted by age. */
#include <assert.h>

#include "tests/oracle/warp_plain_internal.h"

static int oldest(const struct plain_view *views, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (views[i].ready)
			return (int)i;
	}
	return NOBODY;
}

/* The warp that issued last, if it is ready. */
static int same(const struct plain_sub_core *core, const struct plain_view *views, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (views[i].ready && views[i].warp->age == core->last_age)
			return (int)i;
	}
	return NOBODY;
}

/* The next ready warp after the one that issued last, going round; that one is the last choice. */
static int behind(const struct plain_sub_core *core, const struct plain_view *views, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (views[i].ready && views[i].warp->age > core->last_age)
			return (int)i;
	}
	return oldest(views, count);
}

static int lrr(struct plain *p, struct plain_sub_core *core, const struct plain_view *views, uint32_t count)
{
	int last = same(core, views, count);
	bool just_before = core->last_cycle >= 0 && core->last_cycle == p->c - 1;
	if (!p->options->rotate_cycle && just_before && last != NOBODY)
		return last;
	return behind(core, views, count);
}

static int gto(struct plain *p, struct plain_sub_core *core, const struct plain_view *views, uint32_t count)
{
	(void)p;
	int last = same(core, views, count);
	return last != NOBODY ? last : oldest(views, count);
}

static int always_oldest(
	struct plain *p, struct plain_sub_core *core, const struct plain_view *views, uint32_t count)
{
	(void)p;
	(void)core;
	return oldest(views, count);
}

/* ---- two-level ---- */

static const struct plain_view *of_age(const struct plain_view *views, uint32_t count, int64_t age)
{
	for (uint32_t i = 0; i < count; i++) {
		if (views[i].warp->age == age)
			return &views[i];
	}
	return NULL;
}

static bool is_among(const int64_t *ages, uint32_t count, int64_t age)
{
	for (uint32_t i = 0; i < count; i++) {
		if (ages[i] == age)
			return true;
	}
	return false;
}

static void take_out(int64_t *ages, uint32_t *count, int64_t age)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < *count; i++) {
		if (ages[i] != age)
			ages[kept++] = ages[i];
	}
	*count = kept;
}

bool plain_in_active_set(const struct plain_sub_core *core, int64_t age)
{
	return is_among(core->active, core->actives, age);
}

static void forget_gone(int64_t *ages, uint32_t *count, const struct plain_view *views, uint32_t views_count)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < *count; i++) {
		if (of_age(views, views_count, ages[i]))
			ages[kept++] = ages[i];
	}
	*count = kept;
}

static void renew_active_set(
	struct plain *p, struct plain_sub_core *core, const struct plain_view *views, uint32_t count)
{
	forget_gone(core->active, &core->actives, views, count);
	forget_gone(core->queue, &core->queued, views, count);
	/* Arrivals first: they came in phase 3, before those that leave now. */
	for (uint32_t i = 0; i < count; i++) {
		int64_t age = views[i].warp->age;
		if (!plain_in_active_set(core, age) && !is_among(core->queue, core->queued, age))
			core->queue[core->queued++] = age;
	}
	for (uint32_t i = 0; i < count; i++) {
		int64_t age = views[i].warp->age;
		if (!plain_in_active_set(core, age))
			continue;
		if (!plain_waits_for_load(p, &views[i]) && !views[i].warp->at_barrier)
			continue;
		take_out(core->active, &core->actives, age);
		core->queue[core->queued++] = age;
	}
	uint32_t i = 0;
	while (i < core->queued && core->actives < p->options->active) {
		int64_t age = core->queue[i];
		const struct plain_view *v = of_age(views, count, age);
		if (!plain_operand_there(p, v) || v->warp->at_barrier || v->block->place != PLACE_ON) {
			i++;
			continue;
		}
		take_out(core->queue, &core->queued, age);
		assert(core->actives < WARPS_PER_SM_MAX);
		core->active[core->actives++] = age;
	}
}

static int two_level(
	struct plain *p, struct plain_sub_core *core, const struct plain_view *views, uint32_t count)
{
	struct plain_view seen[WARPS_PER_SM_MAX];
	renew_active_set(p, core, views, count);
	for (uint32_t i = 0; i < count; i++) {
		seen[i] = views[i];
		seen[i].ready = views[i].ready && plain_in_active_set(core, views[i].warp->age);
	}
	return p->options->inner_gto ? gto(p, core, seen, count) : behind(core, seen, count);
}

/* ---- qaws ---- */

static int64_t budget(const struct plain *p, uint32_t kernel)
{
	return p->options->budget[kernel];
}

/* Kernels of equal budget form a group; group 0 has the highest budget. */
void plain_groups(struct plain *p)
{
	if (p->options->scheduler != SCHEDULE_QAWS)
		return;
	for (uint32_t k = 0; k < p->kernels; k++) {
		int higher = 0;
		for (uint32_t a = 0; a < p->kernels; a++) {
			bool first = budget(p, a) > budget(p, k);
			for (uint32_t b = 0; b < a; b++)
				first = first && budget(p, b) != budget(p, a);
			higher += first;
		}
		p->kernel[k].group = higher;
		if (higher + 1 > p->groups)
			p->groups = higher + 1;
	}
}

static bool group_is_here(const struct plain *p, int group, const struct plain_view *views, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (p->kernel[views[i].kernel].group == group)
			return true;
	}
	return false;
}

static int next_group(const struct plain *p, int group, const struct plain_view *views, uint32_t count)
{
	for (int i = 1; i <= p->groups; i++) {
		int next = (group + i) % p->groups;
		if (group_is_here(p, next, views, count))
			return next;
	}
	return NOBODY;
}

static int64_t budget_of_group(const struct plain *p, int group)
{
	for (uint32_t k = 0; k < p->kernels; k++) {
		if (p->kernel[k].group == group)
			return budget(p, k);
	}
	assert(false);
	return 0;
}

/* The oldest ready warp of the group, or of the other groups. */
static int oldest_of(
	const struct plain *p, int group, bool others, const struct plain_view *views, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (views[i].ready && (p->kernel[views[i].kernel].group == group) != others)
			return (int)i;
	}
	return NOBODY;
}

static int own_or_fill(const struct plain *p, int group, const struct plain_view *views, uint32_t count)
{
	int own = oldest_of(p, group, false, views, count);
	return own != NOBODY ? own : oldest_of(p, group, true, views, count);
}

static void prefer(struct plain *p, struct plain_sub_core *core, int group)
{
	p->out->counts.groups_changed += core->preferred != NOBODY;
	core->preferred = group;
	core->switches = 0;
	core->waiting = true;
}

static int preferring(
	struct plain *p, struct plain_sub_core *core, const struct plain_view *views, uint32_t count)
{
	if (core->preferred == NOBODY || !group_is_here(p, core->preferred, views, count))
		prefer(p, core, next_group(p, core->preferred, views, count));
	bool last_is_own = core->last_age >= 0 && !core->waiting &&
			   p->kernel[core->last_kernel].group == core->preferred;
	if (!last_is_own)
		return own_or_fill(p, core->preferred, views, count);
	int last = same(core, views, count);
	if (last != NOBODY)
		return last;
	if (core->switches == budget_of_group(p, core->preferred)) {
		prefer(p, core, next_group(p, core->preferred, views, count));
		return own_or_fill(p, core->preferred, views, count);
	}
	int another = oldest_of(p, core->preferred, false, views, count);
	if (another == NOBODY)
		return oldest_of(p, core->preferred, true, views, count);
	core->switches++;
	return another;
}

static int qaws(struct plain *p, struct plain_sub_core *core, const struct plain_view *views, uint32_t count)
{
	int here = 0, picked;
	for (int g = 0; g < p->groups; g++)
		here += group_is_here(p, g, views, count);
	if (here == 0)
		return NOBODY;
	if (here == 1) {
		core->preferred = p->kernel[views[0].kernel].group;
		core->switches = 0;
		core->waiting = false;
		return gto(p, core, views, count);
	}
	picked = preferring(p, core, views, count);
	if (picked != NOBODY)
		core->waiting = p->kernel[views[picked].kernel].group != core->preferred;
	return picked;
}

int plain_pick(struct plain *p, struct plain_sub_core *core, const struct plain_view *views, uint32_t count)
{
	static int (*const pick[WARP_SCHEDULERS])(
		struct plain *, struct plain_sub_core *, const struct plain_view *, uint32_t) = {
		[SCHEDULE_LRR] = lrr,
		[SCHEDULE_GTO] = gto,
		[SCHEDULE_OLDEST] = always_oldest,
		[SCHEDULE_TWO_LEVEL] = two_level,
		[SCHEDULE_QAWS] = qaws,
	};
	return pick[p->options->scheduler](p, core, views, count);
}
