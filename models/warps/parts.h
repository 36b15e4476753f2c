/* models/warps/parts.h - the parts of a kernel: what its jobs run, one after the other (docs/warps.md,
 * "Applications"; QoS section 4.1). A kernel that is no application has one. */
#ifndef CEGSIM_MODELS_WARPS_PARTS_H
#define CEGSIM_MODELS_WARPS_PARTS_H

#include "models/warps/engine.h"

/* Decodes the programs of all parts. (The kernel is at the first when these have their blocks:
 * blocks_init().) */
MUST_CHECK bool parts_make(struct warp_simulation *w, struct engine_kernel *k);

/* Phase 1, after the ends: kernels whose part is over go to the next one, or back to the first if that was
 * the job's last. */
void parts_go_on(struct warp_simulation *w);

#endif
