/* models/warps/placing.h - a block onto an SM and off it: resources, its warps in the sub-cores, and what
 * observers see. */
#ifndef CEGSIM_MODELS_WARPS_PLACING_H
#define CEGSIM_MODELS_WARPS_PLACING_H

#include "models/warps/engine.h"

/* The block's next instant (blocks.c); one that it waited for before is given up. */
void blocks_at(struct warp_simulation *w, struct engine_block *b, int64_t cycle);

/* It has ended: its warps and its resources are gone. */
void placing_leave(struct warp_simulation *w, struct engine_block *b, enum span_end how);
/* Its warps go, its resources stay until its context is saved. */
void placing_swap_out(struct warp_simulation *w, struct engine_block *b);
/* Its resources go. */
void placing_free(struct warp_simulation *w, struct engine_block *b);
/* The context of a block that was swapped in is there. */
void placing_context_there(struct warp_simulation *w, struct engine_block *b);
/* It leaves the SM, as far as observers are concerned. */
void placing_tell_end(struct warp_simulation *w, const struct engine_block *b, enum span_end how);

#endif
