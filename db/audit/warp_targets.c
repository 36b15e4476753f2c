/* db/audit/warp_targets.c - how targets change at an epoch: kernels below their goal get blocks of other
 * kernels (docs/warps.md, "Idle warps and blocks"; QoS 3.6), or SMs (`spart`; QoS section 4). */
#include <stdio.h>

#include "db/audit/warp_walk.h"

#define TARGET_MAX 4096

static bool moves_contexts(const struct walk *w, uint32_t sm)
{
	const struct warp_sm *on = &w->sm[sm];
	for (uint32_t i = 0; i < on->blocks; i++) {
		if (on->block[i]->saving || on->block[i]->context_there > w->now)
			return true;
	}
	return false;
}

static bool below_goal(const struct walk *w, uint32_t kernel)
{
	int64_t history = walk_history_ipc(w, kernel);
	return has_goal(w, kernel) && history >= 0 && history < w->d->kernel[kernel].goal;
}

/* By more than the policy's margin. */
static bool far_below_goal(const struct walk *w, uint32_t kernel)
{
	return below_goal(w, kernel) &&
	       (int128)(w->d->kernel[kernel].goal - walk_history_ipc(w, kernel)) * WARP_MILLION >
		       (int128)w->d->kernel[kernel].goal * w->d->adjust_margin_ppm;
}

/* ---- Adjustment of an SM ---- */

/* Idle blocks in the epoch that has just ended. */
static int64_t idle_blocks(const struct walk *w, uint32_t sm, uint32_t kernel)
{
	const struct quota_row *last = &w->sm[sm].kernel[kernel].last;
	if (!last->present || last->samples <= 0)
		return 0;
	return last->idle_sum / (last->samples * walk_part(w, kernel)->warps);
}

/* What all kernels need at their targets. */
static struct audit_need needed_at_targets(const struct walk *w, uint32_t sm)
{
	struct audit_need sum = {0};
	for (uint32_t i = 0; i < w->d->kernels; i++) {
		const struct audit_need *need = &walk_part(w, i)->need;
		int64_t target = w->sm[sm].kernel[i].target;
		sum.threads += target * need->threads;
		sum.blocks += target;
		sum.warps += target * need->warps;
		sum.registers += target * need->registers;
		sum.shared_memory += target * need->shared_memory;
	}
	return sum;
}

/* The least number of a victim's blocks that makes room for one block of kernel k; 0: there is none. */
static int64_t blocks_for(const struct walk *w, uint32_t sm, uint32_t k, uint32_t victim)
{
	struct audit_need sum = needed_at_targets(w, sm);
	const struct audit_need *need = &walk_part(w, victim)->need;
	for (int64_t n = 1; n < w->sm[sm].kernel[victim].target; n++) {
		sum.threads -= need->threads;
		sum.blocks -= 1;
		sum.warps -= need->warps;
		sum.registers -= need->registers;
		sum.shared_memory -= need->shared_memory;
		if (walk_fits(&sum, &walk_part(w, k)->need, &w->d->room))
			return n;
	}
	return 0;
}

enum target_victim { WITHOUT_GOAL, IDLE, FAR_ABOVE, VICTIMS };

static bool is_victim(const struct walk *w, enum target_victim kind, uint32_t sm, uint32_t victim, int64_t n)
{
	int64_t blocks = 0, history = walk_history_ipc(w, victim);
	for (uint32_t i = 0; i < w->d->sms; i++)
		blocks += w->sm[i].kernel[victim].blocks;
	switch (kind) {
	case WITHOUT_GOAL:
		return !has_goal(w, victim);
	case IDLE:
		return idle_blocks(w, sm, victim) >= n + 1;
	case FAR_ABOVE:
		return has_goal(w, victim) && history >= 0 && blocks > 0 &&
		       (int128)history * (blocks - n) / blocks > w->d->kernel[victim].goal;
	case VICTIMS:
		break;
	}
	return false;
}

/* The kernel whose target falls by *n; UINT32_MAX: none. */
static uint32_t find_victim(const struct walk *w, uint32_t sm, uint32_t k, int64_t *n)
{
	for (int kind = 0; kind < VICTIMS; kind++) {
		for (uint32_t i = 0; i < w->d->kernels; i++) {
			*n = i != k ? blocks_for(w, sm, k, i) : 0;
			if (*n > 0 && is_victim(w, (enum target_victim)kind, sm, i, *n))
				return i;
		}
	}
	return UINT32_MAX;
}

static void adjust(struct walk *w, uint32_t sm)
{
	struct on_sm *on = w->sm[sm].kernel;
	uint32_t k = 0, victim;
	int64_t n;
	if (moves_contexts(w, sm))
		return;
	while (k < w->d->kernels && !(far_below_goal(w, k) && on[k].target > 0 &&
					    idle_blocks(w, sm, k) <= 1 && walk_blocks_left(w, k)))
		k++;
	if (k == w->d->kernels)
		return;
	struct audit_need sum = needed_at_targets(w, sm);
	if (walk_fits(&sum, &walk_part(w, k)->need, &w->d->room)) {
		on[k].target++;
		return;
	}
	victim = find_victim(w, sm, k, &n);
	if (victim == UINT32_MAX)
		return;
	on[k].target++;
	on[victim].target -= n;
}

/* ---- Spatial partition ---- */

static int64_t sms_of(const struct walk *w, uint32_t kernel)
{
	int64_t count = 0;
	for (uint32_t i = 0; i < w->d->sms; i++)
		count += w->sm[i].kernel[kernel].target > 0;
	return count;
}

/* How far a kernel is below its goal, in millionths of the goal; 0 or less: it is not below, or has no
 * history. */
static int64_t shortage(const struct walk *w, uint32_t kernel)
{
	int64_t goal = w->d->kernel[kernel].goal;
	return below_goal(w, kernel)
		       ? (int64_t)((int128)WARP_MILLION * (goal - walk_history_ipc(w, kernel)) / goal)
		       : 0;
}

static int64_t margin(const struct walk *w, uint32_t kernel)
{
	int64_t goal = w->d->kernel[kernel].goal, history = walk_history_ipc(w, kernel);
	if (!has_goal(w, kernel) || history < goal)
		return -1;
	int128 above = (int128)WARP_MILLION * (history - goal) / goal;
	return above > COLUMN_BOUND ? COLUMN_BOUND : (int64_t)above;
}

/* Counts the epochs of the climb. Returns whether a kernel is below its goal. */
static bool climb(struct walk *w)
{
	struct hill *hill = &w->hill;
	int64_t sum = 0;
	bool any = false, begins = false;
	for (uint32_t i = 0; i < w->d->kernels; i++) {
		bool is_short = below_goal(w, i);
		sum += shortage(w, i);
		any |= is_short;
		begins |= is_short && !hill->was_short[i];
		hill->was_short[i] = is_short;
	}
	if (begins || (any && sum < hill->least)) {
		hill->stopped = hill->stopped && !begins;
		hill->least = sum;
		hill->above = 0;
	} else if (!any) {
		hill->above = 0;
	} else if (++hill->above >= 3) {
		hill->stopped = true;
	}
	return any;
}

static uint32_t giver_to_short(const struct walk *w)
{
	uint32_t giver = UINT32_MAX;
	int64_t most = 1, largest = -1;
	for (uint32_t i = 0; i < w->d->kernels; i++) {
		if (!has_goal(w, i) && sms_of(w, i) > most) {
			most = sms_of(w, i);
			giver = i;
		}
	}
	for (uint32_t i = 0; i < w->d->kernels && most < 2; i++) {
		if (has_goal(w, i) && sms_of(w, i) >= 2 && margin(w, i) > largest) {
			largest = margin(w, i);
			giver = i;
		}
	}
	return giver;
}

static bool can_spare(const struct walk *w, uint32_t kernel)
{
	int64_t sms = sms_of(w, kernel), history = walk_history_ipc(w, kernel);
	return has_goal(w, kernel) && sms >= 2 && history >= 0 &&
	       (int128)history * (sms - 1) / sms > w->d->kernel[kernel].goal;
}

/* Which kernel gives an SM to which; false: none. */
static bool exchange(const struct walk *w, bool any_short, uint32_t *giver, uint32_t *taker)
{
	int64_t worst = -1, fewest = NEVER;
	*giver = *taker = UINT32_MAX;
	for (uint32_t i = 0; i < w->d->kernels; i++) {
		if (any_short && below_goal(w, i) && shortage(w, i) > worst) {
			worst = shortage(w, i);
			*taker = i;
		}
		if (!any_short && !has_goal(w, i) && sms_of(w, i) < fewest) {
			fewest = sms_of(w, i);
			*taker = i;
		}
		if (!any_short && *giver == UINT32_MAX && can_spare(w, i))
			*giver = i;
	}
	if (any_short)
		*giver = giver_to_short(w);
	return *giver != UINT32_MAX && *taker != UINT32_MAX;
}

static void partition(struct walk *w)
{
	uint32_t giver, taker, sm = w->d->sms;
	bool any_short = climb(w);
	for (uint32_t i = 0; i < w->d->sms; i++) {
		if (moves_contexts(w, i))
			return;
	}
	if (w->hill.stopped || !exchange(w, any_short, &giver, &taker))
		return;
	while (sm-- > 0 && w->sm[sm].kernel[giver].target == 0)
		;
	w->sm[sm].kernel[giver].target = 0;
	w->sm[sm].kernel[taker].target = walk_whole_target(w, taker);
}

/* ---- An epoch ---- */

static bool adjusts(const struct walk *w)
{
	return has_quotas(w->d) && w->d->adjust && !w->d->fill && w->epoch > 0;
}

/* Compares the targets, and goes on with the recorded ones. Blocks beyond a target that fell are swapped
 * out. */
static void follow(struct walk *w, uint32_t sm)
{
	bool may_change = adjusts(w) || (w->d->manager == WITH_SPART && w->epoch > 0);
	for (uint32_t i = 0; i < w->d->kernels; i++) {
		struct on_sm *on = &w->sm[sm].kernel[i];
		char who[160];
		snprintf(who, sizeof(who), "epoch %lld, SM %u, kernel '%.100s'", (long long)w->epoch, sm,
			kernel_name(w, i));
		if (!on->row.present)
			continue;
		bool followed = w->with_blocks || w->d->kernel[i].parts == 1; /* which part it is at */
		if (may_change ? w->with_issues : followed)
			law_equal(w, may_change ? LAW_SHIFTS : LAW_TARGETS, "epoch_quota", who, "target",
				on->row.target == NEVER ? NOT_GIVEN : on->row.target,
				on->target == NEVER ? NOT_GIVEN : on->target);
		/* A damaged row must not make sums overflow. */
		if ((on->row.target == NEVER) == w->d->fill)
			on->target = on->row.target > TARGET_MAX && !w->d->fill ? TARGET_MAX : on->row.target;
		if (w->with_blocks && on->target < on->target_before && on->blocks > on->target)
			walk_swap_out(w, sm, i, on->blocks - (on->target > 0 ? on->target : 0));
	}
}

void walk_targets(struct walk *w)
{
	for (uint32_t sm = 0; sm < w->d->sms; sm++) {
		for (uint32_t i = 0; i < w->d->kernels; i++)
			w->sm[sm].kernel[i].target_before = w->sm[sm].kernel[i].target;
	}
	if (w->d->manager == WITH_SPART && w->epoch > 0 && w->with_issues)
		partition(w);
	for (uint32_t sm = 0; sm < w->d->sms; sm++) {
		if (adjusts(w) && w->with_issues)
			adjust(w, sm);
		follow(w, sm);
	}
}
