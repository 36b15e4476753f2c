/* models/warps/epochs.h - goals, epochs, adjusted goals, and the quotas that follow (QoS 3.4 and 3.5;
 * docs/warps.md). */
#ifndef CEGSIM_MODELS_WARPS_EPOCHS_H
#define CEGSIM_MODELS_WARPS_EPOCHS_H

#include "models/warps/engine.h"

/* Computes the goals of the kernels, in millionths. False: a goal is a share and the IPC alone is not known,
 * or a size is too large. */
MUST_CHECK bool epochs_init(struct warp_simulation *w, const int64_t *alone, struct error *err);

/* Phase 4: an epoch begins in this cycle. */
void epochs_begin(struct warp_simulation *w);

/* Phase 6: idle warps are counted. */
void epochs_sample(struct warp_simulation *w);

/* The run ends: reports the epoch that has begun. */
void epochs_stop(struct warp_simulation *w);

/* floor(10^6 * instructions / cycles); cycles > 0. */
int64_t ipc_of(int64_t instructions, int64_t cycles);

/* Instructions of a kernel on all SMs so far. */
struct engine_tally epochs_total(const struct warp_simulation *w, uint32_t kernel);

/* Is the kernel's history IPC, its IPC so far, below its goal? */
static inline bool below_goal(const struct engine_kernel *k)
{
	return k->goal >= 0 && k->history_ipc >= 0 && k->history_ipc < k->goal;
}

#endif
