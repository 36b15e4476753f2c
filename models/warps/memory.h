/* models/warps/memory.h - where accesses to global memory are served, and the server of the bandwidth that
 * all SMs share. */
#ifndef CEGSIM_MODELS_WARPS_MEMORY_H
#define CEGSIM_MODELS_WARPS_MEMORY_H

#include "models/warps/engine.h"

/* A global access of a warp in this cycle: its level, and when its result is there. Loads the
 * server, and counts. */
enum warp_level memory_access(struct warp_simulation *w, struct engine_kernel *k, struct warp *v,
	const struct decoded *step, uint32_t threads, int64_t cycle, int64_t *there);

/* A context passes the server: the cycle in which it is through. With free swaps: at once. */
int64_t memory_context(struct warp_simulation *w, struct engine_kernel *k, int64_t cycle);

#endif
