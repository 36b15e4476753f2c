/* models/warps/adjusting.h - decides at run time how many blocks of each kernel an SM may have (symmetric
 * allocation and its adjustment: QoS 3.6), or which kernel has an SM (the spatial partition that it is
 * compared with: QoS section 4). */
#ifndef CEGSIM_MODELS_WARPS_ADJUSTING_H
#define CEGSIM_MODELS_WARPS_ADJUSTING_H

#include "models/warps/engine.h"

/* Sets the targets, or the owners of SMs, at the beginning. */
MUST_CHECK bool adjusting_init(struct warp_simulation *w);

/* The kernel is at a part whose blocks are others than those of `before`, perhaps: its targets are made anew
 * then. */
void adjusting_part(struct warp_simulation *w, uint32_t kernel, const struct footprint *before);

/* At an epoch, after the quotas: kernels below their goal get more blocks. */
void adjusting_blocks(struct warp_simulation *w);

/* At an epoch: an SM may go from one kernel to another. */
void adjusting_spart(struct warp_simulation *w);

#endif
