/* models/warps/blocks.h - blocks on SMs: what they take, which SM they go to, how they end, and how they are
 * swapped out and in (QoS 3.6; docs/warps.md, "SMs and blocks" and "Swaps"). */
#ifndef CEGSIM_MODELS_WARPS_BLOCKS_H
#define CEGSIM_MODELS_WARPS_BLOCKS_H

#include "models/warps/engine.h"

#define NO_TARGET UINT32_MAX

struct footprint block_footprint(const struct warp_kernel *k);

/* Blocks of this kernel that fit into the n-th part of an SM. */
uint32_t blocks_fit(const struct platform *p, const struct footprint *f, uint32_t n);

/* Pools of blocks and their warps for what can be on the GPU or swapped out at a time. */
MUST_CHECK bool blocks_init(struct warp_simulation *w);

/* Phase 1: whatever ends in this cycle. */
void blocks_end_instants(struct warp_simulation *w);

/* Phase 3. */
void blocks_dispatch(struct warp_simulation *w);

/* Blocks of the active job that are not on an SM yet, or not any more. */
bool blocks_left(const struct engine_kernel *k);

/* Swaps out the youngest blocks of a kernel on an SM that are beyond its target there. */
void blocks_swap_beyond_target(struct warp_simulation *w, struct engine_sm *sm, uint32_t kernel);

/* A warp of the block has issued its last instruction; its results are all there in cycle `end`. */
void block_warp_ended(struct warp_simulation *w, struct engine_block *b, int64_t end);

/* A counter of the SM has come to 0 or below, or who is there has changed: the manager's rules, and
 * who may issue. */
void blocks_quota_spent(struct warp_simulation *w, struct engine_sm *sm);

/* The run ends: tells of the blocks that are still there. */
void blocks_stop(struct warp_simulation *w);

#endif
