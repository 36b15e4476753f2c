/* models/warps/issue.h - simulates a cycle of a sub-core: its scheduler picks a warp, and the warp's next
 * instruction is issued. */
#ifndef CEGSIM_MODELS_WARPS_ISSUE_H
#define CEGSIM_MODELS_WARPS_ISSUE_H

#include "models/warps/engine.h"

/* Instructions are handed over in portions of this size: the room of w->issues. */
#define ISSUES_GATHERED 4096u

/* Phase 5 of the current cycle, for all sub-cores that are entered for it. */
void issue_cycle(struct warp_simulation *w);

/* Enters all sub-cores of an SM for the earliest cycle that is still possible: this one or, for those that
 * had their turn, the next one. */
void issue_wake(struct warp_simulation *w, const struct engine_sm *sm);

/* Hands the gathered instructions to the observer. */
void issue_flush(struct warp_simulation *w);

#endif
