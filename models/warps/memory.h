/* models/warps/memory.h - decides where accesses to global memory are served; the server of the memory
 * bandwidth that all SMs share. */
#ifndef CEGSIM_MODELS_WARPS_MEMORY_H
#define CEGSIM_MODELS_WARPS_MEMORY_H

#include "models/warps/engine.h"

/* A global access of a warp in this cycle. Finds its level, and when its result is there; loads the server,
 * and counts the access. While SMs run ahead, the cycle of a result from DRAM is NEVER. */
enum warp_level memory_access(struct warp_simulation *w, struct engine_kernel *k, struct warp *v,
	const struct decoded *step, uint32_t threads, int64_t cycle, int64_t *there);

/* DRAM's server takes a request. Returns the cycle in which its result is there. */
int64_t memory_serve(struct warp_simulation *w, int64_t bytes, int64_t cycle);

/* Moves a context through the server. Returns the cycle in which it is through. With free swaps: at once. */
int64_t memory_context(struct warp_simulation *w, struct engine_kernel *k, int64_t cycle);

#endif
