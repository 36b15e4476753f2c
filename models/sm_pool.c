/* models/sm_pool.c - see models/sm_pool.h. */
#include <assert.h>
#include <string.h>
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

static void update(struct sm_pool *pool, uint32_t sm)
{
	uint32_t i = pool->leaves + pool->place_of[sm];
	uint64_t winner = (uint64_t)~pool->room[sm].threads << 32 | pool->place_of[sm];
	pool->tree[i] = winner;
	for (; i > 1; i >>= 1) {
		uint64_t sibling = pool->tree[i ^ 1];
		winner = sibling < winner ? sibling : winner;
		pool->tree[i >> 1] = winner;
	}
}

static struct sm_room empty_sm(const struct platform *p, uint32_t virtual_sms)
{
	return (struct sm_room){
		.threads = p->threads_per_sm ? p->threads_per_sm : SM_UNBOUNDED,
		.blocks = p->blocks_per_sm ? p->blocks_per_sm : SM_UNBOUNDED,
		.warps = p->warps_per_sm ? p->warps_per_sm : SM_UNBOUNDED,
		.virtual_sms = virtual_sms,
		.registers = p->registers_per_sm ? p->registers_per_sm : INT64_MAX / 2,
		.shared_memory = p->shared_memory_per_sm ? p->shared_memory_per_sm : INT64_MAX / 2,
	};
}

bool sm_pool_init(struct sm_pool *pool, struct arena *arena, const struct platform *platform, uint32_t virtual_sms)
{
	uint32_t sms = platform->sms, leaves = 2;
	while (leaves < sms)
		leaves *= 2;
	*pool = (struct sm_pool){ .platform = platform, .leaves = leaves,
		.free_threads = (int64_t)sms * platform->threads_per_sm };
	pool->room = arena_new(arena, struct sm_room, sms);
	pool->tree = arena_new(arena, uint64_t, 2 * (size_t)leaves);
	pool->sm_at = arena_new(arena, uint32_t, sms);
	pool->place_of = arena_new(arena, uint32_t, sms);
	if (!pool->room || !pool->tree || !pool->sm_at || !pool->place_of)
		return false;
	memset(pool->tree, 0xff, 2 * (size_t)leaves * sizeof *pool->tree);
	for (uint32_t sm = 0; sm < sms; sm++) {
		pool->place_of[sm] = tie_place(platform, sm);
		pool->sm_at[pool->place_of[sm]] = sm;
		pool->room[sm] = empty_sm(platform, virtual_sms);
		update(pool, sm);
	}
	return true;
}

static bool fits(const struct sm_pool *pool, uint32_t sm, const struct block_demand *d)
{
	const struct sm_room *room = &pool->room[sm];
	return d->threads <= room->threads && room->blocks > 0 && d->warps <= room->warps &&
		d->registers <= room->registers && d->shared_memory <= room->shared_memory &&
		d->virtual_sms <= room->virtual_sms;
}

uint32_t sm_pool_choose(const struct sm_pool *pool, const struct block_demand *demand)
{
	uint32_t place = (uint32_t)pool->tree[1];
	uint32_t sm = pool->sm_at[place];
	if (fits(pool, sm, demand))
		return sm;
	/* No SM has more free threads than the root's: without those, the block fits nowhere. */
	if (demand->threads > pool->room[sm].threads)
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

void sm_pool_take(struct sm_pool *pool, uint32_t sm, const struct block_demand *d)
{
	struct sm_room *room = &pool->room[sm];
	assert(fits(pool, sm, d));
	room->threads -= d->threads;
	room->blocks--;
	room->warps -= d->warps;
	room->virtual_sms -= d->virtual_sms;
	room->registers -= d->registers;
	room->shared_memory -= d->shared_memory;
	update(pool, sm);
}

void sm_pool_give(struct sm_pool *pool, uint32_t sm, const struct block_demand *d)
{
	struct sm_room *room = &pool->room[sm];
	room->threads += d->threads;
	room->blocks++;
	room->warps += d->warps;
	room->virtual_sms += d->virtual_sms;
	room->registers += d->registers;
	room->shared_memory += d->shared_memory;
	update(pool, sm);
}
