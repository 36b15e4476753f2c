/* models/warps/spart.h - gives each SM to one kernel, and moves SMs between kernels by hill climbing (QoS
 * section 4, after Aguilera, Morrow and Kim, "QoS-aware dynamic resource allocation for spatial-multitasking
 * GPUs", ASP-DAC 2014). */
#ifndef CEGSIM_MODELS_WARPS_SPART_H
#define CEGSIM_MODELS_WARPS_SPART_H

#include "models/warps/engine.h"

MUST_CHECK bool spart_init(struct warp_simulation *w);

/* The kernel has other blocks than before: its targets on its SMs are what fits of these. */
void spart_part(struct warp_simulation *w, uint32_t kernel);

#endif
