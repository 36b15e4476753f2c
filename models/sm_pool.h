/* models/sm_pool.h - what is free on the SMs, and which SM a block goes to.
 *
 * The block scheduler puts a block on the SM with the most free threads on which it fits (docs/model.md;
 * Gilman et al., SIGMETRICS PER 2020, and the recordings that `cegsim replay` reads). The root of a winner
 * tree over the SMs is that SM. Only if another limit forbids it are all SMs compared. In pool gpu there is a
 * single number of free threads. */
#ifndef CEGSIM_MODELS_SM_POOL_H
#define CEGSIM_MODELS_SM_POOL_H

#include "models/kernel.h"

#define NO_SM UINT32_MAX

/* What is free on an SM, or what a block needs of one. A limit that is not given starts at a value that no
 * sum of demands uses up. Signed: a negative rest means that the block does not fit. */
enum sm_limit { SM_THREADS, SM_BLOCKS, SM_WARPS, SM_VIRTUAL, SM_REGISTERS, SM_SHARED_MEMORY, SM_LIMITS };
typedef int64_t sm_pair __attribute__((vector_size(16)));
struct sm_room {
	sm_pair of[SM_LIMITS / 2]; /* all limits of an SM, added and compared two by two */
};

/* What a block needs of an SM, and the division that it makes of an empty one. */
struct sm_need {
	struct sm_room room;
	int64_t division;
	uint32_t most;  /* blocks on an empty GPU that has them in turn on its SMs; 0: it has not */
	uint32_t whole; /* so many come at a time, and each SM gets as many, which need: */
	struct sm_room share;
};

static inline int64_t sm_room_of(const struct sm_room *room, enum sm_limit limit)
{
	return room->of[limit / 2][limit % 2];
}

/* An SM has a place in the order of ties, and is known by it here: place 0 comes first. */
struct sm_pool {
	const struct platform *platform;
	struct sm_room *room; /* [sms] by place */
	struct sm_room empty; /* of an SM without blocks */
	uint64_t blocks;      /* on all SMs */
	/* While all blocks there are went round the SMs in turn, they are counted. `room` and `tree` are
	 * those of the empty GPU then (sm_pool_write()), and `each` is what is free on an SM. But the first
	 * `more` places have one block more: the last to come, each of which needs so much. */
	bool counted;
	uint32_t more;
	struct sm_room each, more_need;
	bool divided;   /* the memory of SMs has divisions */
	uint64_t *tree; /* ~free threads << 32 | place; tree[1] wins; the leaf of a place is
			   tree[leaves + place] */
	bool searched;  /* the inner nodes are right: a block was placed among all SMs, not only among
			   granted ones */
	uint32_t leaves;
	uint16_t *sm_at; /* SM of a place, and back */
	uint16_t *place_of;
	int64_t free_threads; /* pool gpu */
	/* For sm_pool_take_granted(): a heap of the keys of SMs with room, and the granted slots by place. */
	uint64_t *heap;
	uint32_t *slots;
};

MUST_CHECK bool sm_pool_init(
	struct sm_pool *pool, struct arena *arena, const struct platform *platform, uint32_t virtual_sms);

/* Of blocks that mostly come so many at a time, a kernel's, on the SMs of this platform. */
struct sm_need sm_pool_need(const struct block_demand *demand, uint32_t blocks,
	const struct platform *platform, uint32_t virtual_sms);

/* Takes room for up to `count` blocks, one after the other, and returns for how many there was room. The
 * place of block i of them is place_of[(first + i) & mask]. Pool sm. */
uint32_t sm_pool_take(struct sm_pool *pool, const struct sm_need *need, uint32_t count, uint16_t *place_of,
	uint32_t first, uint32_t mask);
/* The same of a batch, whose places are read by sm_pool_give_batch() only, or behind sm_pool_places(): where
 * they go round the SMs in turn, the first of them says so in place of all. */
uint32_t sm_pool_take_batch(struct sm_pool *pool, const struct sm_need *need, uint32_t count,
	uint16_t *place_of, uint32_t first, uint32_t mask);
/* Writes the places of a batch of so many. */
void sm_pool_places(
	const struct sm_pool *pool, uint32_t count, uint16_t *place_of, uint32_t first, uint32_t mask);
/* The same on the SMs of a grant only. on_sm[SM] counts the blocks of the kernel on each and is updated;
 * NULL: the grant has whole SMs, and nobody counts. */
uint32_t sm_pool_take_granted(struct sm_pool *pool, const struct sm_need *need, const struct grant *grant,
	uint32_t *on_sm, uint32_t count, uint16_t *place_of, uint32_t first, uint32_t mask);

/* Writes what is counted into `room` and `tree`, before blocks come or go that do not fit in. */
void sm_pool_write(struct sm_pool *pool);

/* A copy of what is free, for blocks that are only tried. */
struct sm_pool_copy {
	struct sm_pool pool;
	struct sm_room *room;
	uint64_t *tree;
};
/* Memory for copies of this pool. */
MUST_CHECK bool sm_pool_copy_init(struct sm_pool_copy *copy, struct arena *arena, const struct sm_pool *pool);
void sm_pool_save(const struct sm_pool *pool, struct sm_pool_copy *copy);
/* The pool is as it was when the copy of it was saved. */
void sm_pool_restore(struct sm_pool *pool, const struct sm_pool_copy *copy);

/* Gives the room of such blocks back: of any, or of all for which one call found room. */
void sm_pool_give(struct sm_pool *pool, const struct sm_need *need, uint32_t count, const uint16_t *place_of,
	uint32_t first, uint32_t mask);
void sm_pool_give_batch(struct sm_pool *pool, const struct sm_need *need, uint32_t count, uint16_t *place_of,
	uint32_t first, uint32_t mask);

#endif
