/* models/warps/adjusting.h - how many blocks of each kernel an SM may have, and whose SM it is, at run
 * time: symmetric allocation and its adjustment (QoS 3.6), and the spatial partition it is compared with
 * (QoS section 4). */
#ifndef CEGSIM_MODELS_WARPS_ADJUSTING_H
#define CEGSIM_MODELS_WARPS_ADJUSTING_H

#include "models/warps/engine.h"

/* Targets, or SMs, at the beginning. */
MUST_CHECK bool adjusting_init(struct warp_simulation *w);

/* At an epoch, after the quotas: kernels below their goal get blocks. */
void adjusting_blocks(struct warp_simulation *w);

/* At an epoch: an SM changes hands. */
void adjusting_spart(struct warp_simulation *w);

#endif
