/* models/warps/ahead.h - SMs run ahead one by one, through several cycles before the others: a run is
 * the same with and without it. ahead.c says when and why. */
#ifndef CEGSIM_MODELS_WARPS_AHEAD_H
#define CEGSIM_MODELS_WARPS_AHEAD_H

#include "models/warps/engine.h"

MUST_CHECK bool ahead_init(struct warp_simulation *w);

/* After phase 4 of the current cycle: the SMs may run ahead up to, and without, this cycle. It is the next
 * one if they may not. */
int64_t ahead_until(struct warp_simulation *w);

/* Phase 5 of the current cycle and of all others before `until`, of which the last is then the current one.
 */
void ahead_run(struct warp_simulation *w, int64_t until);

#endif
