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

/* Free threads are the upper half of a key, negated: `more` threads in use make it greater by that. */
static void move_key(struct sm_pool *pool, uint32_t place, int64_t more)
{
	uint32_t i = pool->leaves + place;
	uint64_t winner = pool->tree[i] + ((uint64_t)more << 32);
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
	pool->sm_at = arena_new(arena, uint16_t, sms);
	pool->place_of = arena_new(arena, uint16_t, sms);
	if (!pool->room || !pool->tree || !pool->sm_at || !pool->place_of)
		return false;
	memset(pool->tree, 0xff, 2 * (size_t)leaves * sizeof *pool->tree);
	for (uint32_t sm = 0; sm < sms; sm++) {
		uint32_t place = tie_place(platform, sm);
		pool->place_of[sm] = (uint16_t)place;
		pool->sm_at[place] = (uint16_t)sm;
		pool->room[place] = empty_sm(platform, virtual_sms);
		pool->tree[leaves + place] = (uint64_t)~(uint32_t)pool->room[place].threads << 32 | place;
		move_key(pool, place, 0);
	}
	return true;
}

struct sm_room sm_pool_need(const struct block_demand *d)
{
	return (struct sm_room){ .threads = d->threads, .blocks = 1, .warps = d->warps, .virtual_sms = d->virtual_sms,
		.registers = d->registers, .shared_memory = d->shared_memory };
}

/* One test for all limits: what a limit lacks is negative. */
static inline bool fits(const struct sm_room *room, const struct sm_room *need)
{
	return ((room->threads - need->threads) | (room->blocks - need->blocks) | (room->warps - need->warps) |
		(room->virtual_sms - need->virtual_sms) | (room->registers - need->registers) |
		(room->shared_memory - need->shared_memory)) >= 0;
}

uint32_t sm_pool_choose(const struct sm_pool *pool, const struct sm_room *need)
{
	uint32_t place = (uint32_t)pool->tree[1];
	if (fits(&pool->room[place], need))
		return place;
	/* No SM has more free threads than the root's: without those, the block fits nowhere. */
	if (need->threads > pool->room[place].threads)
		return NO_SM;
	uint64_t best = UINT64_MAX;
	for (uint32_t i = 0; i < pool->platform->sms; i++) {
		uint64_t key = pool->tree[pool->leaves + i];
		if (key < best && fits(&pool->room[i], need))
			best = key;
	}
	return best == UINT64_MAX ? NO_SM : (uint32_t)best;
}

uint32_t sm_pool_choose_granted(const struct sm_pool *pool, const struct sm_room *need,
	const struct grant *grant, const uint32_t *on_grant)
{
	uint64_t best = UINT64_MAX;
	uint32_t chosen = NO_SM;
	for (uint32_t i = 0; i < grant->count; i++) {
		uint32_t place = pool->place_of[grant->sm[i]];
		uint64_t key = pool->tree[pool->leaves + place];
		bool room = !grant->slots || !need->virtual_sms ||
			(on_grant[i] + 1) * need->virtual_sms <= grant->slots[i];
		if (key >= best || !room || !fits(&pool->room[place], need))
			continue;
		best = key;
		chosen = i;
	}
	return chosen;
}

void sm_pool_take(struct sm_pool *pool, uint32_t place, const struct sm_room *need)
{
	struct sm_room *room = &pool->room[place];
	assert(fits(room, need));
	room->threads -= need->threads;
	room->blocks -= need->blocks;
	room->warps -= need->warps;
	room->virtual_sms -= need->virtual_sms;
	room->registers -= need->registers;
	room->shared_memory -= need->shared_memory;
	move_key(pool, place, need->threads);
}

void sm_pool_give(struct sm_pool *pool, uint32_t place, const struct sm_room *need)
{
	struct sm_room *room = &pool->room[place];
	room->threads += need->threads;
	room->blocks += need->blocks;
	room->warps += need->warps;
	room->virtual_sms += need->virtual_sms;
	room->registers += need->registers;
	room->shared_memory += need->shared_memory;
	move_key(pool, place, -need->threads);
}
