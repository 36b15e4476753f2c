/* models/sm_pool.c - see models/sm_pool.h. */
#include <assert.h>
#include "models/sm_pool.h"
#include "models/policy.h"

/* Ties go by index; on platforms with two SMs per TPC even SMs come first. */
static uint32_t tie_place(const struct platform *platform, uint32_t sm)
{
	if (platform->sms_per_tpc != 2)
		return sm;
	uint32_t evens = (platform->sms + 1) / 2;
	return sm % 2 ? evens + sm / 2 : sm / 2;
}

bool sm_pool_init(struct sm_pool *pool, struct arena *arena, const struct platform *platform, uint32_t virtual_sms)
{
	uint32_t sms = platform->sms, leaves = 2;
	while (leaves < sms)
		leaves *= 2;
	*pool = (struct sm_pool){ .platform = platform, .virtual_sms = virtual_sms, .leaves = leaves,
		.free_threads = (int64_t)sms * platform->threads_per_sm };
	pool->use = arena_new(arena, struct sm_use, sms);
	pool->tree = arena_new(arena, uint64_t, 2 * (size_t)leaves);
	pool->sm_at = arena_new(arena, uint32_t, sms);
	pool->place_of = arena_new(arena, uint32_t, sms);
	if (!pool->use || !pool->tree || !pool->sm_at || !pool->place_of)
		return false;
	for (uint32_t i = 0; i < leaves; i++)
		pool->tree[leaves + i] = i < sms ? i : UINT64_MAX;
	for (uint32_t i = leaves - 1; i >= 1; i--)
		pool->tree[i] = pool->tree[2 * i] < pool->tree[2 * i + 1] ? pool->tree[2 * i] : pool->tree[2 * i + 1];
	for (uint32_t sm = 0; sm < sms; sm++) {
		pool->place_of[sm] = tie_place(platform, sm);
		pool->sm_at[pool->place_of[sm]] = sm;
	}
	return true;
}

static bool within(int64_t used, int64_t need, int64_t limit)
{
	return limit == 0 || used + need <= limit;
}

static bool fits(const struct sm_pool *pool, uint32_t sm, const struct block_demand *d)
{
	const struct sm_use *use = &pool->use[sm];
	const struct platform *p = pool->platform;
	return within(use->threads, d->threads, p->threads_per_sm) && within(use->blocks, 1, p->blocks_per_sm) &&
		within(use->warps, d->warps, p->warps_per_sm) &&
		within(use->registers, d->registers, p->registers_per_sm) &&
		within(use->shared_memory, d->shared_memory, p->shared_memory_per_sm) &&
		(d->virtual_sms == 0 || use->virtual_sms + d->virtual_sms <= pool->virtual_sms);
}

uint32_t sm_pool_choose(const struct sm_pool *pool, const struct block_demand *demand)
{
	uint32_t place = (uint32_t)pool->tree[1];
	uint32_t sm = pool->sm_at[place];
	if (fits(pool, sm, demand))
		return sm;
	/* No SM has more free threads than the root's: without those, the block fits nowhere. */
	if (!within(pool->use[sm].threads, demand->threads, pool->platform->threads_per_sm))
		return NO_SM;
	uint64_t best = UINT64_MAX;
	for (uint32_t i = 0; i < pool->platform->sms; i++) {
		uint64_t key = pool->tree[pool->leaves + i];
		if (key < best && fits(pool, pool->sm_at[i], demand))
			best = key;
	}
	return best == UINT64_MAX ? NO_SM : pool->sm_at[(uint32_t)best];
}

uint32_t sm_pool_choose_granted(const struct sm_pool *pool, const struct block_demand *demand,
	const struct grant *grant, const uint32_t *on_grant)
{
	uint64_t best = UINT64_MAX;
	uint32_t chosen = NO_SM;
	for (uint32_t i = 0; i < grant->count; i++) {
		uint32_t sm = grant->sm[i];
		uint64_t key = pool->tree[pool->leaves + pool->place_of[sm]];
		bool room = !grant->slots || !demand->virtual_sms ||
			(on_grant[i] + 1) * demand->virtual_sms <= grant->slots[i];
		if (key >= best || !room || !fits(pool, sm, demand))
			continue;
		best = key;
		chosen = i;
	}
	return chosen;
}

static void update(struct sm_pool *pool, uint32_t sm)
{
	uint32_t i = pool->leaves + pool->place_of[sm];
	uint64_t winner = (uint64_t)pool->use[sm].threads << 32 | pool->place_of[sm];
	pool->tree[i] = winner;
	for (; i > 1; i >>= 1) {
		uint64_t sibling = pool->tree[i ^ 1];
		winner = sibling < winner ? sibling : winner;
		pool->tree[i >> 1] = winner;
	}
}

void sm_pool_take(struct sm_pool *pool, uint32_t sm, const struct block_demand *d)
{
	struct sm_use *use = &pool->use[sm];
	assert(fits(pool, sm, d));
	use->threads += d->threads;
	use->blocks++;
	use->warps += d->warps;
	use->virtual_sms += d->virtual_sms;
	use->registers += d->registers;
	use->shared_memory += d->shared_memory;
	update(pool, sm);
}

void sm_pool_give(struct sm_pool *pool, uint32_t sm, const struct block_demand *d)
{
	struct sm_use *use = &pool->use[sm];
	assert(use->blocks > 0 && use->threads >= d->threads);
	use->threads -= d->threads;
	use->blocks--;
	use->warps -= d->warps;
	use->virtual_sms -= d->virtual_sms;
	use->registers -= d->registers;
	use->shared_memory -= d->shared_memory;
	update(pool, sm);
}
