/* analysis/fifo.h - kernels that share the GPU under rules R1 and R2 (Yang and Anderson, "Response-Time
 * Bounds for Concurrent GPU Scheduling"): bounds on responses, which their theorems leave open. They are
 * ours.
 *
 * For sporadic tasks that are one kernel each, of blocks for which threads alone decide whether they fit. */
#ifndef CEGSIM_ANALYSIS_FIFO_H
#define CEGSIM_ANALYSIS_FIFO_H

#include "analysis/verdict.h"
#include "base/arena.h"
#include "base/int128.h"
#include "models/policy.h"

struct fifo_kernel {
	int64_t period, deadline;
	int64_t block_ns; /* e: the worst case of its longest block */
	int64_t last_ns;  /* l: worst case of the block to whose end the bound counts; where blocks are alike
			     it is e */
	uint32_t threads; /* b: of a block, as they are taken */
	int128 work;      /* C: threads * the worst cases of all blocks, thread-ns, below FIFO_MOST_WORK */
};

#define FIFO_MOST_WORK ((int128)1 << 90)

struct fifo_gpu {
	struct fifo_kernel *kernel; /* [count] by task index */
	uint32_t count;
	uint32_t pools;   /* number of SMs that blocks are placed on, or 1: the whole GPU (pool: gpu) */
	uint64_t threads; /* of each pool */
	uint32_t largest; /* b_max */
	uint64_t step;    /* q: greatest common divisor of all b and `threads` */
	/* mu = pools * (threads - b_max + q): at least this many threads work while a kernel is in the
	 * primary queue. */
	int128 working;
	int128 work; /* the sum of all C */
};

/* *refused: some task is not one kernel with a grid, or other limits than threads can be reached first, or
 * tasks share a hardware queue, or kernels have different stream priorities; *v says which. False: out of
 * memory. */
MUST_CHECK bool fifo_build(const struct plan *plan, struct arena *arena, struct fifo_gpu *gpu, bool *refused,
	struct verdict *v, struct error *err);

/* K: the most work of blocks that can be running at one instant, thread-ns. False: out of memory. */
MUST_CHECK bool fifo_carried(
	const struct fifo_gpu *gpu, struct arena *arena, int128 *carried, struct error *err);

/* ceil((carried + all work - b l) / mu) + l of one kernel; NO_BOUND: beyond int64. With carried = 0 it is X
 * of theorem E1: from becoming head of its stream to its end. With K it is E2's bound. */
int64_t fifo_bound(const struct fifo_gpu *gpu, uint32_t task, int128 carried);

/* The bound of fifo_bound in parts: for each task `by`, the time in which threads work for it (for the task
 * itself: for its own blocks but the last). With `carried` and l these add up to the bound. */
struct fifo_shares {
	int64_t own; /* its own earlier blocks */
	int64_t carried;
	int64_t *other; /* [count]; 0 for the task itself */
};
void fifo_share(const struct fifo_gpu *gpu, uint32_t task, int128 carried, struct fifo_shares *shares);

/* Whether U_sum, the sum of C / T, is at most this many threads; exact. False: out of memory. */
MUST_CHECK bool fifo_utilisation_fits(
	const struct fifo_gpu *gpu, int128 threads, struct arena *arena, bool *fits, struct error *err);

#endif
