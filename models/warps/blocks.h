/* models/warps/blocks.h - blocks on SMs: what they need, which SM they go to, how they end, and how they are
 * swapped out and in (QoS 3.6; docs/warps.md, "SMs and blocks" and "Swaps"). */
#ifndef CEGSIM_MODELS_WARPS_BLOCKS_H
#define CEGSIM_MODELS_WARPS_BLOCKS_H

#include "models/warps/engine.h"

#define NO_TARGET UINT32_MAX

struct footprint block_footprint(const struct warp_kernel *k);

/* Blocks of this kernel that fit into the n-th part of an SM. */
uint32_t blocks_fit(const struct platform *p, const struct footprint *f, uint32_t n);

/* Allocates blocks and their warps: as many as can be on the GPU or swapped out at a time. */
MUST_CHECK bool blocks_init(struct warp_simulation *w);

/* Phase 1: whatever ends in this cycle. */
void blocks_end_instants(struct warp_simulation *w);

/* Phase 3. */
void blocks_dispatch(struct warp_simulation *w);

/* Whether the active job has blocks that are not on an SM: never placed, or swapped out. */
bool blocks_left(const struct engine_kernel *k);

/* Swaps out the youngest blocks of a kernel on an SM, as many as are beyond its target there. */
void blocks_swap_beyond_target(struct warp_simulation *w, struct engine_sm *sm, uint32_t kernel);

/* A warp of the block has issued its last instruction; all its results are there in cycle `end`. */
void block_warp_ended(struct warp_simulation *w, struct engine_block *b, int64_t end);

/* A counter of the SM has come to 0 or below, or the set of kernels with blocks there has changed. Applies
 * the manager's rules, which decide who may issue. */
void blocks_quota_spent(struct warp_simulation *w, struct engine_sm *sm);

/* The run ends: reports the blocks that are still on SMs. */
void blocks_stop(struct warp_simulation *w);

#endif
