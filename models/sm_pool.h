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

/* What is free on an SM, or what a block needs of one. A limit that is not given starts at SM_UNBOUNDED,
 * which no sum of demands uses up. Signed, so that what does not fit shows as a sign. */
#define SM_UNBOUNDED (INT64_C(1) << 31)
struct sm_room {
	int64_t threads, blocks, warps, virtual_sms, registers, shared_memory;
};

/* SMs are known here by their place in the order of ties: place 0 first. */
struct sm_pool {
	const struct platform *platform;
	struct sm_room *room;     /* [sms] by place */
	uint64_t *tree;           /* ~free threads << 32 | place; tree[1] wins; the leaf of a place is
	                             tree[leaves + place] */
	uint32_t leaves;
	uint16_t *sm_at;          /* SM of a place, and back */
	uint16_t *place_of;
	int64_t free_threads;     /* pool gpu */
};

MUST_CHECK bool sm_pool_init(struct sm_pool *pool, struct arena *arena, const struct platform *platform,
	uint32_t virtual_sms);

struct sm_room sm_pool_need(const struct block_demand *demand);

/* The place for one block, NO_SM if it fits nowhere. Pool sm. */
uint32_t sm_pool_choose(const struct sm_pool *pool, const struct sm_room *need);
/* The same among the SMs of a grant; on_grant: blocks of the kernel on each of them. The result
 * is an index into the grant. */
uint32_t sm_pool_choose_granted(const struct sm_pool *pool, const struct sm_room *need,
	const struct grant *grant, const uint32_t *on_grant);

void sm_pool_take(struct sm_pool *pool, uint32_t place, const struct sm_room *need);
void sm_pool_give(struct sm_pool *pool, uint32_t place, const struct sm_room *need);

#endif
