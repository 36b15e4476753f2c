/* models/warps/quotas.h - quotas of kernels on one SM, in thread instructions (QoS 3.4;
 * docs/warps.md, "Managers").
 *
 * Each kernel has a counter. An epoch fills it, every warp instruction lowers it, and the rules of the
 * manager fill it again in between. This file knows nothing of warps. */
#ifndef CEGSIM_MODELS_WARPS_QUOTAS_H
#define CEGSIM_MODELS_WARPS_QUOTAS_H

#include "models/warps/options.h"

struct quotas {
	int64_t counter[WARP_KERNELS_MAX]; /* C */
	int64_t quota[WARP_KERNELS_MAX];   /* of this epoch, >= 1 */
	int64_t start[WARP_KERNELS_MAX];   /* C once the epoch had begun */
	int64_t added[WARP_KERNELS_MAX];   /* added during this epoch, after its beginning */
	uint32_t here;                     /* set of kernels with blocks on the SM */
	uint32_t blocked;                  /* set of kernels that may not issue */
};

/* An epoch begins for `count` kernels; q->quota has been set. `goals` is the set of kernels with a goal. */
void quotas_begin(struct quotas *q, enum warp_manager manager, uint32_t goals, uint32_t count);

/* Applies the manager's rules within an epoch: after a counter has come to 0 or below, and after q->here has
 * changed. */
void quotas_settle(struct quotas *q, enum warp_manager manager, uint32_t goals, uint32_t count);

/* A warp instruction of that many threads was issued. True: quotas_settle() must be called. */
static inline bool quotas_spend(struct quotas *q, uint32_t kernel, int64_t threads)
{
	q->counter[kernel] -= threads;
	return q->counter[kernel] <= 0;
}

#endif
