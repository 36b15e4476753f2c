/* models/sm_pool.h - what is free on the SMs, and which SM a block goes to.
 *
 * The block scheduler puts a block on the SM with the most free threads on which it fits
 * (docs/model.md; Gilman et al., SIGMETRICS PER 2020, and the recordings that `cegsim replay`
 * reads). A winner tree over the SMs has that SM at its root; only if another limit forbids it
 * are all SMs looked at. In pool gpu there is one store of threads. */
#ifndef CEGSIM_MODELS_SM_POOL_H
#define CEGSIM_MODELS_SM_POOL_H

#include "models/kernel.h"

#define NO_SM UINT32_MAX

/* What is free on an SM. A limit that is not given starts at SM_UNBOUNDED, which no sum of demands
 * uses up. */
#define SM_UNBOUNDED (UINT32_C(1) << 31)
struct sm_room {
	uint32_t threads, blocks, warps, virtual_sms;
	int64_t registers, shared_memory;
};

struct sm_pool {
	const struct platform *platform;
	struct sm_room *room;     /* [sms] */
	uint64_t *tree;           /* ~free threads << 32 | order of ties; tree[1] wins */
	uint32_t leaves;
	uint32_t *sm_at;          /* SM of a place in the order of ties, and back */
	uint32_t *place_of;
	int64_t free_threads;     /* pool gpu */
};

MUST_CHECK bool sm_pool_init(struct sm_pool *pool, struct arena *arena, const struct platform *platform,
	uint32_t virtual_sms);

/* The SM for one block, NO_SM if it fits nowhere. Pool sm. */
uint32_t sm_pool_choose(const struct sm_pool *pool, const struct block_demand *demand);
/* The same among the SMs of a grant; on_grant: blocks of the kernel on each of them. The result
 * is an index into the grant. */
uint32_t sm_pool_choose_granted(const struct sm_pool *pool, const struct block_demand *demand,
	const struct grant *grant, const uint32_t *on_grant);

void sm_pool_take(struct sm_pool *pool, uint32_t sm, const struct block_demand *demand);
void sm_pool_give(struct sm_pool *pool, uint32_t sm, const struct block_demand *demand);

#endif
