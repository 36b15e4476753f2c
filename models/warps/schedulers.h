/* models/warps/schedulers.h - the warp schedulers: which ready warp of a sub-core is issued
 * (docs/warps.md). */
#ifndef CEGSIM_MODELS_WARPS_SCHEDULERS_H
#define CEGSIM_MODELS_WARPS_SCHEDULERS_H

#include "models/warps/engine.h"

/* The oldest warp of a set, or -1. */
static inline int oldest_of(uint64_t set)
{
	return set ? __builtin_ctzll(set) : -1;
}

/* The next warp of a set behind position `around` in the order of age; after the youngest comes the oldest.
 * -1: the set is empty. */
static inline int next_of(uint64_t set, int around)
{
	uint64_t behind = around < 0 ? set : set & ~((UINT64_C(2) << around) - 1);
	return oldest_of(behind ? behind : set);
}

int pick_lrr(struct warp_simulation *w, struct sub_core *sc, uint64_t ready, int64_t cycle);
int pick_gto(struct warp_simulation *w, struct sub_core *sc, uint64_t ready, int64_t cycle);
int pick_oldest(struct warp_simulation *w, struct sub_core *sc, uint64_t ready, int64_t cycle);
int pick_two_level(struct warp_simulation *w, struct sub_core *sc, uint64_t ready, int64_t cycle);
int pick_qaws(struct warp_simulation *w, struct sub_core *sc, uint64_t ready, int64_t cycle);

/* Makes the groups of kernels with equal budgets, for qaws. */
void qaws_init(struct warp_simulation *w);

#endif
