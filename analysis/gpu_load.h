/* analysis/gpu_load.h - how much of the GPU surely works while a kernel waits in the primary queue (rules R1
 * and R2, docs/model.md), whatever limits the blocks on an SM: threads, blocks, warps, registers, shared
 * memory, virtual SMs. docs/analyses.md has the proof ("fifo-chains", Lemma 1).
 *
 * A block has a weight: the greatest of its shares of an SM's limits, in units of which an SM has so many
 * that the shares are whole. While the next block of the primary queue fits nowhere, the blocks that run
 * weigh at least `rate`. */
#ifndef CEGSIM_ANALYSIS_GPU_LOAD_H
#define CEGSIM_ANALYSIS_GPU_LOAD_H

#include "base/int128.h"
#include "models/kernel.h"

#define GPU_LOAD_LIMITS 6u

struct gpu_load {
	uint32_t pools;                 /* SMs, or 1: the GPU is one pool of threads (pool: gpu) */
	int64_t limit[GPU_LOAD_LIMITS]; /* of a pool; 0: it does not apply, or another one is always reached
					   first, or together with it */
	int64_t units;                  /* what a whole pool weighs, at most 2^32 */
	int64_t rate;                   /* 0: too little to say so in these units */
};

/* Of `count` kernels on so many virtual SMs per SM; each fits an empty SM. */
struct gpu_load gpu_load_of(const struct platform *platform, uint32_t virtual_sms,
	const struct block_demand *demand, uint32_t count);

/* The weight of a block: 0 .. units. It is 0 if no limit applies; then blocks never wait. */
int64_t gpu_load_weight(const struct gpu_load *load, const struct block_demand *demand);

#endif
