/* models/warps/issue.h - a cycle of a sub-core: its scheduler picks a warp, and the warp's next
 * instruction is issued. */
#ifndef CEGSIM_MODELS_WARPS_ISSUE_H
#define CEGSIM_MODELS_WARPS_ISSUE_H

#include "models/warps/engine.h"

/* Instructions that are handed over at a time: the size of w->issues. */
#define ISSUES_GATHERED 4096u

/* Phase 5 of the current cycle, for all sub-cores that are entered for it. */
void issue_cycle(struct warp_simulation *w);

/* All sub-cores of an SM look around as soon as they still can: in this cycle or, if their turn is over, in
 * the next one. */
void issue_wake(struct warp_simulation *w, const struct engine_sm *sm);

/* Hands the gathered instructions over. */
void issue_flush(struct warp_simulation *w);

#endif
