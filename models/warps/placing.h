/* models/warps/placing.h - puts a block onto an SM and takes it off: resources, its warps in the sub-cores,
 * and the records for observers. */
#ifndef CEGSIM_MODELS_WARPS_PLACING_H
#define CEGSIM_MODELS_WARPS_PLACING_H

#include "models/warps/engine.h"

/* Sets the block's next instant (blocks.c); an earlier one is no longer valid. */
void blocks_at(struct warp_simulation *w, struct engine_block *b, int64_t cycle);

/* The next block of the kernel begins on the SM: one that was swapped out, or number next_block. */
void placing_place(struct warp_simulation *w, uint32_t kernel, struct engine_sm *sm);
/* The block has ended: removes its warps and frees its resources. */
void placing_leave(struct warp_simulation *w, struct engine_block *b, enum span_end how);
/* Removes the block's warps; its resources are freed when its context is saved. */
void placing_swap_out(struct warp_simulation *w, struct engine_block *b);
/* Frees the block's resources. */
void placing_free(struct warp_simulation *w, struct engine_block *b);
/* The context of a block that was swapped in has been loaded. */
void placing_context_there(struct warp_simulation *w, struct engine_block *b);
/* Tells observers that the block leaves the SM. */
void placing_tell_end(struct warp_simulation *w, const struct engine_block *b, enum span_end how);

#endif
