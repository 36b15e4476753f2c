/* analysis/chain.h - a task as the chain CPU, copy, kernel, ... of segments that RTGPU (section 5.1)
 * analyses: m CPU segments and between each two of them a copy, a kernel, and a copy (two-copy model) or
 * a copy of both directions and a kernel (one-copy model).
 *
 * The lemmas only need that one segment follows the other, so they also hold for other chains: a task may
 * begin or end on the GPU, leave out a copy, have several kernels or copies or CPU segments in a row. CPU
 * segments and copies with a worst case of 0 take no time (docs/model.md) and are left out. Chains for which
 * it is not known who waits for whom are refused (chains_check). */
#ifndef CEGSIM_ANALYSIS_CHAIN_H
#define CEGSIM_ANALYSIS_CHAIN_H

#include "analysis/verdict.h"
#include "base/arena.h"
#include "models/platform.h"
#include "models/taskset.h"

enum chain_shape {
	CHAIN_CPU,      /* one CPU segment */
	CHAIN_TWO_COPY, /* CL ML G ML CL ... CL */
	CHAIN_ONE_COPY, /* CL ML G CL ... CL */
	CHAIN_OTHER,
};

/* What tasks wait for: the core, and copy engines 0 and 1 of each GPU (chain_engine). With unlimited copy
 * engines no task waits for a copy, nor for a kernel. */
enum chain_resource {
	CHAIN_ON_CPU,
	CHAIN_ON_ENGINE_0,
	CHAIN_ON_ENGINE_1,
	CHAIN_ALONE = CHAIN_ON_ENGINE_0 + 2 * PLATFORM_MAX_GPUS
};

static inline enum chain_resource chain_engine(uint32_t gpu, uint32_t engine)
{
	return (enum chain_resource)(CHAIN_ON_ENGINE_0 + 2 * gpu + engine);
}

struct chain_segment {
	const struct segment *segment;
	uint32_t index; /* in the task */
	enum chain_resource on;
};

struct chain {
	const struct task *task;
	uint32_t core; /* of its CPU segments */
	enum chain_shape shape;
	struct chain_segment *segments; /* may be none */
	uint32_t count;
	uint32_t kernels;
	uint32_t gpu; /* of its kernels; without kernels 0 */
	bool apart;   /* its kernels are on several GPUs: gpu is that of the first */
};

struct chains {
	struct chain *chain; /* [count], by task index */
	uint32_t *order;     /* [count] task indices, the highest priority first */
	uint32_t count;
	uint32_t gpus;      /* of the platform */
	uint32_t resources; /* the core, and two engines for each GPU: all below CHAIN_ALONE that there are */
	uint32_t with_kernels; /* number of tasks with kernels */
	uint32_t sharing[2];   /* two tasks found that share a hardware queue; equal: none */
};

/* rank: a permutation (taskset_ranks). False: out of memory. */
CEGSIM_API MUST_CHECK bool chains_build(const struct platform *platform, const struct taskset *set,
	const uint32_t *rank, struct arena *arena, struct chains *chains, struct error *err);

/* That no two tasks share a stream or hardware queue of a GPU, and none uses the NULL stream beside others,
 * as one would wait for the other. False with the reason; else *v stays as it is. */
CEGSIM_API MUST_CHECK bool chains_apart(const struct chains *chains, struct verdict *v);

/* The assumptions of every analysis of chains: blocks stay on SMs (`pool: sm`, if there are kernels), and
 * chains_apart(). False with the reason. */
CEGSIM_API MUST_CHECK bool chains_check(
	const struct platform *platform, const struct chains *chains, struct verdict *v);

#endif
