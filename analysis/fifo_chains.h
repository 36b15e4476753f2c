/* analysis/fifo_chains.h - response times of chains of CPU segments, copies and kernels where the GPU has no
 * gate and kernels no SMs of their own: rules R1 and R2, copy engines, a core by fixed priority. Ours;
 * docs/analyses.md ("fifo-chains") has the theorem and its proof, with the names used here. Engines and SMs
 * are those of the task's GPU. */
#ifndef CEGSIM_ANALYSIS_FIFO_CHAINS_H
#define CEGSIM_ANALYSIS_FIFO_CHAINS_H

#include "analysis/verdict.h"
#include "analysis/window.h"
#include "base/arena.h"
#include "models/policy.h"

/* What is waited for; nobody waits for engines without a queue (FIFO_FREE). */
enum fifo_resource { FIFO_ENGINE_0, FIFO_ENGINE_1, FIFO_GPU, FIFO_WAITED, FIFO_CPU = FIFO_WAITED, FIFO_FREE };
#define FIFO_RESOURCES 4u

/* How the launches of another task are counted that a job waits for. */
enum fifo_count {
	FIFO_BOTH,     /* the less of the two below */
	FIFO_REQUESTS, /* at most one for each request of the job's own */
	FIFO_WINDOWS,  /* those that the periods allow in the time in which the job can wait */
};

/* An operation of a task. */
struct fifo_operation {
	enum fifo_resource on;
	bool high;              /* its stream's priority */
	int64_t best, worst;    /* alone; worst > 0. A kernel's worst: l, that of its last block */
	int128 work;            /* worst; of a kernel the work of all blocks, in weight times ns */
	int128 rest;            /* work less that of the last block; 0 but for kernels */
	int64_t before, behind; /* best cases of the job's operations in front of it, and behind it */
};

struct fifo_chain {
	const struct task *task;
	uint32_t core;                    /* of its CPU segments */
	uint32_t gpu;                     /* of its copies and kernels; 0 if it has none */
	struct fifo_operation *operation; /* [count] */
	uint32_t count;
	uint32_t *most[FIFO_RESOURCES]; /* [uses] its operations on a resource, by falling work */
	uint32_t uses[FIFO_RESOURCES];
	int64_t from[FIFO_RESOURCES];  /* the least time from its release to its first request there */
	int64_t until[FIFO_RESOURCES]; /* the least time from its last end there to the job's end */
	bool low[FIFO_RESOURCES], high[FIFO_RESOURCES]; /* whether some operation there is low, or high */
	int64_t own_ns, copy_ns, gpu_ns;                /* the sums of worst; together below FIFO_LONGEST */
	struct window window;                           /* what it executes on the core */
	int64_t *length, *inner;
	int64_t wraps;  /* least time from its last end on the core to its end, and from its release to its
			   first request of the core */
	int64_t *alone; /* [uses of the core] responses of its CPU segments by themselves; NO_BOUND: none */
	int64_t claim;  /* what is used of it: a response that no job of it exceeds; NO_BOUND: nothing */
	bool settled;   /* the claim is final */
	/* The answer. */
	int64_t response; /* NO_BOUND: none */
	uint32_t assumes; /* it rests on so many of the set's `failed` tasks keeping their deadlines */
	int64_t own_rest; /* of the response: what its own blocks but the last take */
	int64_t *by;      /* [tasks] of the response: what other tasks take */
};

#define FIFO_LONGEST (INT64_MAX / 8)

struct fifo_chains {
	struct fifo_chain *chain; /* [count] by task index */
	uint32_t count;
	const uint32_t *rank;
	const uint32_t *order; /* task indices, the highest priority first */
	int64_t rate[PLATFORM_MAX_GPUS][FIFO_WAITED];
	bool one_each[FIFO_WAITED]; /* requests overtake none that came first, unless by stream priority */
	bool by_stream[FIFO_WAITED];
	enum fifo_count count_by;
	const struct window **above; /* [count] scratch */
	uint32_t *failed; /* [failed_count] tasks without a bound on which others rest, by priority */
	uint32_t failed_count;
};

/* *refused: the analysis does not hold for the plan; *v says why. False: out of memory. */
MUST_CHECK bool fifo_chains_build(const struct plan *plan, struct arena *arena, struct fifo_chains *chains,
	bool *refused, struct verdict *v, struct error *err);

/* Fills in the answers, and `failed`. */
void fifo_chains_solve(struct fifo_chains *chains);

#endif
