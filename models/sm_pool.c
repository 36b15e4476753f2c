/* models/sm_pool.c - see models/sm_pool.h. */
#include "models/sm_pool.h"

#include <assert.h>
#include <string.h>

#include "base/heap.h"
#include "models/policy.h"

/* Ties go by index; on platforms with two SMs per TPC even SMs come first. */
static uint32_t tie_place(const struct platform *platform, uint32_t sm)
{
	if (platform->sms_per_tpc != 2)
		return sm;
	uint32_t evens = (platform->sms + 1) / 2;
	return sm % 2 ? evens + sm / 2 : sm / 2;
}

/* Writes the key of a place into the tree. */
static inline void set_key(const struct sm_pool *pool, uint32_t place, uint64_t key)
{
	uint64_t *tree = pool->tree;
	uint32_t i = pool->leaves + place;
	tree[i] = key;
	if (!pool->searched)
		return;
	for (; i > 1; i >>= 1) {
		uint64_t sibling = tree[i ^ 1];
		key = sibling < key ? sibling : key;
		tree[i >> 1] = key;
	}
}

/* So many blocks at a time, and no fewer than half of the SMs, are written to the leaves before the inner
 * nodes are renewed. */
#define MANY_BLOCKS 16

/* What a block adds to the key of its SM: free threads are the upper half, negated. */
static inline uint64_t key_of(const struct sm_room *need)
{
	return (uint64_t)sm_room_of(need, SM_THREADS) << 32;
}

/* Free threads must fit half a key. */
#define UNBOUNDED_THREADS (INT64_C(1) << 31)
#define UNBOUNDED (INT64_MAX / 2)

static int64_t limit_of(int64_t given, int64_t unbounded)
{
	return given ? given : unbounded;
}

static struct sm_room empty_sm(const struct platform *p, uint32_t virtual_sms)
{
	sm_pair threads = {
		limit_of(p->threads_per_sm, UNBOUNDED_THREADS), limit_of(p->blocks_per_sm, UNBOUNDED)};
	sm_pair warps = {limit_of(p->warps_per_sm, UNBOUNDED), virtual_sms};
	sm_pair memory = {
		limit_of(p->registers_per_sm, UNBOUNDED), limit_of(p->shared_memory_per_sm, UNBOUNDED)};
	return (struct sm_room){.of = {threads, warps, memory}};
}

static struct sm_room times(const struct sm_room *need, uint32_t blocks)
{
	struct sm_room all;
	for (int i = 0; i < SM_LIMITS / 2; i++)
		all.of[i] = need->of[i] * blocks;
	return all;
}

static inline void set_room(struct sm_pool *pool, uint32_t place, const struct sm_room *room)
{
	pool->room[place] = *room;
	pool->tree[pool->leaves + place] = (uint64_t) ~(uint32_t)sm_room_of(room, SM_THREADS) << 32 | place;
}

/* The inner nodes, from the leaves. */
static void play_all(struct sm_pool *pool)
{
	uint64_t *tree = pool->tree;
	for (uint32_t i = pool->leaves - 1; i > 0; i--)
		tree[i] = tree[2 * i] < tree[2 * i + 1] ? tree[2 * i] : tree[2 * i + 1];
}

static void set_all_empty(struct sm_pool *pool)
{
	for (uint32_t place = 0; place < pool->platform->sms; place++)
		set_room(pool, place, &pool->empty);
	play_all(pool);
}

bool sm_pool_init(
	struct sm_pool *pool, struct arena *arena, const struct platform *platform, uint32_t virtual_sms)
{
	uint32_t sms = platform->sms, leaves = 2;
	while (leaves < sms)
		leaves *= 2;
	*pool = (struct sm_pool){
		.platform = platform,
		.leaves = leaves,
		.free_threads = (int64_t)sms * platform->threads_per_sm,
		.empty = empty_sm(platform, virtual_sms),
		.divided = platform->divisions.count > 0,
	};
	pool->room = arena_new(arena, struct sm_room, sms);
	pool->tree = arena_new(arena, uint64_t, 2 * (size_t)leaves);
	pool->sm_at = arena_new(arena, uint16_t, sms);
	pool->place_of = arena_new(arena, uint16_t, sms);
	pool->heap = arena_new(arena, uint64_t, (size_t)sms + 1);
	pool->slots = arena_new(arena, uint32_t, sms);
	if (!pool->room || !pool->tree || !pool->sm_at || !pool->place_of || !pool->heap || !pool->slots)
		return false;
	memset(pool->tree, 0xff, 2 * (size_t)leaves * sizeof(*pool->tree));
	for (uint32_t sm = 0; sm < sms; sm++) {
		uint32_t place = tie_place(platform, sm);
		pool->place_of[sm] = (uint16_t)place;
		pool->sm_at[place] = (uint16_t)sm;
	}
	set_all_empty(pool);
	return true;
}

/* Each SM of an empty GPU gets a block in turn while there is room. Not if the first block on an SM divides
 * its memory; nor blocks without threads, which all go to the first SM. */
static uint32_t most_in_turn(const struct platform *p, uint32_t virtual_sms, const struct sm_room *need)
{
	struct sm_room room = empty_sm(p, virtual_sms);
	int64_t each = UINT32_MAX;
	if (p->divisions.count > 0 || sm_room_of(need, SM_THREADS) == 0)
		return 0;
	for (enum sm_limit i = 0; i < SM_LIMITS; i++) {
		int64_t needs = sm_room_of(need, i);
		if (needs > 0 && sm_room_of(&room, i) / needs < each)
			each = sm_room_of(&room, i) / needs;
	}
	int64_t most = each * p->sms;
	return most > UINT32_MAX ? UINT32_MAX : (uint32_t)most;
}

struct sm_need sm_pool_need(
	const struct block_demand *d, uint32_t blocks, const struct platform *platform, uint32_t virtual_sms)
{
	const struct sm_room room = {
		.of = {{d->threads, 1}, {d->warps, d->virtual_sms}, {d->registers, d->shared_memory}}};
	struct sm_need need = {
		.room = room,
		.division = d->division,
		.most = most_in_turn(platform, virtual_sms, &room),
	};
	if (blocks <= need.most && blocks % platform->sms == 0) {
		need.whole = blocks;
		need.share = times(&room, blocks / platform->sms);
	}
	return need;
}

/* *left = the room less the need; true if no limit becomes negative: one test for all limits. */
static inline bool remains(const struct sm_room *room, const struct sm_room *need, struct sm_room *left)
{
	sm_pair lack = {0, 0};
	for (int i = 0; i < SM_LIMITS / 2; i++) {
		left->of[i] = room->of[i] - need->of[i];
		lack |= left->of[i];
	}
	return (lack[0] | lack[1]) >= 0;
}

/* ---- divisions of the memory ---- */

static inline int64_t blocks_on(const struct sm_pool *pool, const struct sm_room *room)
{
	return sm_room_of(&pool->empty, SM_BLOCKS) - sm_room_of(room, SM_BLOCKS);
}

/* The first block on an SM divides its memory. */
static inline void divide(const struct sm_pool *pool, struct sm_room *room, const struct sm_need *need)
{
	if (blocks_on(pool, room) == 1)
		room->of[SM_SHARED_MEMORY / 2][SM_SHARED_MEMORY % 2] =
			need->division - sm_room_of(&need->room, SM_SHARED_MEMORY);
}

/* When the last block has left, the memory can be divided anew. */
static inline void unite(const struct sm_pool *pool, struct sm_room *room)
{
	if (blocks_on(pool, room) == 0)
		*room = pool->empty;
}

/* ---- all SMs ---- */

/* The best SM for a block if another limit than threads forbids the SM with the most free threads. */
__attribute__((noinline)) static uint32_t look_at_all(const struct sm_pool *pool, const struct sm_room *need)
{
	struct sm_room left;
	uint64_t best = UINT64_MAX;
	for (uint32_t i = 0; i < pool->platform->sms; i++) {
		uint64_t key = pool->tree[pool->leaves + i];
		if (key < best && remains(&pool->room[i], need, &left))
			best = key;
	}
	return best == UINT64_MAX ? NO_SM : (uint32_t)best;
}

/* How many blocks fit on an SM with so much room. */
__attribute__((noinline)) static uint32_t fit_on_each(const struct sm_room *room, const struct sm_room *need)
{
	int64_t each = UINT32_MAX;
	for (enum sm_limit i = 0; i < SM_LIMITS; i++) {
		int64_t needs = sm_room_of(need, i);
		if (needs > 0 && sm_room_of(room, i) / needs < each)
			each = sm_room_of(room, i) / needs;
	}
	return (uint32_t)each;
}

/* Not all of a kernel's blocks, or not as many for each SM. */
__attribute__((noinline)) static uint32_t take_some(
	struct sm_pool *pool, const struct sm_room *room, const struct sm_need *need, uint32_t count)
{
	uint32_t sms = pool->platform->sms, taken = count < need->most ? count : need->most;
	uint32_t rounds = taken / sms + (taken % sms > 0); /* the last one may end before the last place */
	struct sm_room all = times(&need->room, rounds), left;
	pool->more_need = need->room;
	if (!remains(room, &all, &left)) {
		rounds = fit_on_each(room, &need->room);
		taken = rounds * sms;
		all = times(&need->room, rounds);
	}
	pool->more = taken % sms;
	if (pool->more > 0)
		all = times(&need->room, rounds - 1);
	remains(room, &all, &pool->each);
	return taken;
}

/* In place of the place of a batch's first block: the batch has the places in turn, from the first on. */
#define IN_TURN UINT16_MAX
_Static_assert(PLATFORM_MAX_SMS <= IN_TURN, "no place of an SM");

void sm_pool_places(
	const struct sm_pool *pool, uint32_t count, uint16_t *place_of, uint32_t first, uint32_t mask)
{
	uint32_t sms = pool->platform->sms;
	if (count == 0 || place_of[first & mask] != IN_TURN)
		return;
	for (uint32_t i = 0, place = 0; i < count; i++) {
		place_of[(first + i) & mask] = (uint16_t)place;
		place = place + 1 < sms ? place + 1 : 0;
	}
}

/* The blocks go to SMs that are alike, of which each gets one in turn. They are only counted: mostly they
 * leave together, and the SMs are alike again. */
static inline uint32_t take_in_turn(struct sm_pool *pool, const struct sm_need *need, uint32_t count,
	uint16_t *place_of, uint32_t first, uint32_t mask)
{
	uint32_t taken = count;
	const struct sm_room *room = pool->blocks == 0 ? &pool->empty : &pool->each;
	struct sm_room left;
	pool->more = 0;
	if (count == need->whole && remains(room, &need->share, &left))
		pool->each = left;
	else if (remains(room, &need->room, &left))
		taken = take_some(pool, room, need, count);
	else
		return 0; /* as it mostly is for those who wait */
	pool->blocks += taken;
	pool->counted = pool->blocks > 0;
	place_of[first & mask] = IN_TURN;
	return taken;
}

void sm_pool_write(struct sm_pool *pool)
{
	const struct sm_room *need = &pool->more_need;
	uint32_t sms = pool->platform->sms, more = pool->more;
	struct sm_room less;
	remains(&pool->each, need, &less);
	pool->counted = false;
	if (blocks_on(pool, &pool->each) == 0) {
		for (uint32_t place = 0; place < more; place++) {
			pool->room[place] = less;
			set_key(pool, place, pool->tree[pool->leaves + place] + key_of(need));
		}
		return;
	}
	for (uint32_t place = 0; place < sms; place++)
		set_room(pool, place, place < more ? &less : &pool->each);
	play_all(pool);
}

/* Many blocks go to SMs in sweeps: all SMs with the most free threads get one block each, in the order of
 * places; then those have the most that had less, or have just got a block. Ends where a sweep finds too few,
 * or another limit than threads has a say; what is left is placed one by one. Returns how many blocks have a
 * place. */
__attribute__((noinline)) static uint32_t sweep(struct sm_pool *pool, const struct sm_need *need_in,
	uint32_t count, uint16_t *place_of, uint32_t first, uint32_t mask)
{
	const struct sm_room need = need_in->room;
	struct sm_room left;
	uint64_t *keys = pool->tree + pool->leaves, by = key_of(&need);
	uint32_t sms = pool->platform->sms, taken = 0, before = 0;
	uint32_t level = (uint32_t)(pool->tree[1] >> 32), next = UINT32_MAX;
	for (bool fits = true; fits && taken < count; level = next, next = UINT32_MAX) {
		before = taken;
		for (uint32_t place = 0; place < sms && taken < count; place++) {
			uint32_t at = (uint32_t)(keys[place] >> 32);
			if (at == level && remains(&pool->room[place], &need, &left)) {
				pool->room[place] = left;
				keys[place] += by;
				place_of[(first + taken++) & mask] = (uint16_t)place;
				at = (uint32_t)(keys[place] >> 32);
			} else if (at == level) {
				fits = false;
			}
			next = at < next ? at : next;
		}
		fits = fits && taken - before >= sms / 4;
	}
	play_all(pool);
	return taken;
}

/* To SMs that are not alike. */
__attribute__((noinline)) static uint32_t take_unlike(struct sm_pool *pool, const struct sm_need *need_in,
	uint32_t count, uint16_t *place_of, uint32_t first, uint32_t mask)
{
	const struct sm_room need = need_in->room; /* copied: the stores below cannot change it */
	struct sm_room *room = pool->room, left;
	uint64_t *tree = pool->tree;
	uint32_t leaves = pool->leaves, taken = 0;
	const bool divided = pool->divided;

	if (pool->counted)
		sm_pool_write(pool);
	if (!pool->searched) {
		pool->searched = true;
		play_all(pool);
	}
	if (count >= MANY_BLOCKS && count >= pool->platform->sms / 2 && need_in->most > 0)
		taken = sweep(pool, need_in, count, place_of, first, mask);
	for (; taken < count; taken++) {
		uint32_t place = (uint32_t)tree[1];
		if (!remains(&room[place], &need, &left)) {
			/* No SM has more free threads than the root's. If these are too few, the block fits
			 * nowhere. */
			if (sm_room_of(&left, SM_THREADS) < 0)
				break;
			place = look_at_all(pool, &need);
			if (place == NO_SM)
				break;
			remains(&room[place], &need, &left);
		}
		room[place] = left;
		if (divided)
			divide(pool, &room[place], need_in);
		set_key(pool, place, tree[leaves + place] + key_of(&need));
		place_of[(first + taken) & mask] = (uint16_t)place;
	}
	pool->blocks += taken;
	return taken;
}

uint32_t sm_pool_take_batch(struct sm_pool *pool, const struct sm_need *need, uint32_t count,
	uint16_t *place_of, uint32_t first, uint32_t mask)
{
	if (need->most > 0 && (pool->blocks == 0 || (pool->counted && pool->more == 0)))
		return take_in_turn(pool, need, count, place_of, first, mask);
	return take_unlike(pool, need, count, place_of, first, mask);
}

uint32_t sm_pool_take(struct sm_pool *pool, const struct sm_need *need, uint32_t count, uint16_t *place_of,
	uint32_t first, uint32_t mask)
{
	uint32_t taken = sm_pool_take_batch(pool, need, count, place_of, first, mask);
	sm_pool_places(pool, taken, place_of, first, mask);
	return taken;
}

/* ---- granted SMs ---- */

static bool before(const uint64_t *a, const uint64_t *b)
{
	return *a < *b;
}

HEAP_OF(keys, uint64_t, before);

/* Whether one more block fits a granted SM: its room, and the slots of the grant there. */
static bool may_take(const struct sm_pool *pool, const struct sm_room *need, uint32_t place, uint32_t on_sm)
{
	struct sm_room left;
	return (on_sm + 1) * sm_room_of(need, SM_VIRTUAL) <= pool->slots[place] &&
	       remains(&pool->room[place], need, &left);
}

__attribute__((noinline)) uint32_t sm_pool_take_granted(struct sm_pool *pool, const struct sm_need *need_in,
	const struct grant *grant, uint32_t *on_sm, uint32_t count, uint16_t *place_of, uint32_t first,
	uint32_t mask)
{
	const struct sm_room *need = &need_in->room;
	uint32_t with_room = 0, taken = 0;
	if (pool->counted)
		sm_pool_write(pool);
	for (uint32_t i = 0; i < grant->count; i++) {
		uint32_t place = pool->place_of[grant->sm[i]];
		pool->slots[place] = grant->slots ? grant->slots[i] : UINT32_MAX;
		if (may_take(pool, need, place, on_sm ? on_sm[grant->sm[i]] : 0))
			keys_rise(pool->heap, with_room++, pool->tree[pool->leaves + place]);
	}
	while (taken < count && with_room > 0) {
		uint32_t place = (uint32_t)pool->heap[0], sm = pool->sm_at[place];
		uint64_t key = pool->heap[0] + key_of(need);
		remains(&pool->room[place], need, &pool->room[place]);
		if (pool->divided)
			divide(pool, &pool->room[place], need_in);
		set_key(pool, place, key);
		if (on_sm)
			on_sm[sm]++;
		place_of[(first + taken++) & mask] = (uint16_t)place;
		if (!may_take(pool, need, place, on_sm ? on_sm[sm] : 0))
			key = pool->heap[--with_room];
		keys_sink(pool->heap, with_room, key);
	}
	pool->blocks += taken;
	return taken;
}

void sm_pool_give(struct sm_pool *pool, const struct sm_need *need_in, uint32_t count,
	const uint16_t *place_of, uint32_t first, uint32_t mask)
{
	const struct sm_room need = need_in->room;
	uint64_t *tree = pool->tree;
	uint32_t leaves = pool->leaves;
	const bool divided = pool->divided;

	pool->blocks -= count;
	if (pool->counted) {
		pool->counted = pool->blocks > 0;
		if (!pool->counted)
			return;
		sm_pool_write(pool);
	}
	if (pool->blocks == 0 && count >= pool->platform->sms && !divided) {
		set_all_empty(pool);
		return;
	}
	bool searched = pool->searched, many = count >= MANY_BLOCKS && count >= pool->platform->sms / 2;
	pool->searched = searched && !many;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t place = place_of[(first + i) & mask];
		struct sm_room *room = &pool->room[place];
		for (int j = 0; j < SM_LIMITS / 2; j++)
			room->of[j] += need.of[j];
		if (divided)
			unite(pool, room);
		set_key(pool, place, tree[leaves + place] - key_of(&need));
	}
	pool->searched = searched;
	if (searched && many)
		play_all(pool);
}

/* ---- copies ---- */

static size_t nodes_of(const struct sm_pool *pool)
{
	return 2 * (size_t)pool->leaves;
}

bool sm_pool_copy_init(struct sm_pool_copy *copy, struct arena *arena, const struct sm_pool *pool)
{
	*copy = (struct sm_pool_copy){
		.room = arena_new(arena, struct sm_room, pool->platform->sms),
		.tree = arena_new(arena, uint64_t, nodes_of(pool)),
	};
	return copy->room && copy->tree;
}

void sm_pool_save(const struct sm_pool *pool, struct sm_pool_copy *copy)
{
	copy->pool = *pool;
	memcpy(copy->room, pool->room, pool->platform->sms * sizeof(*copy->room));
	memcpy(copy->tree, pool->tree, nodes_of(pool) * sizeof(*copy->tree));
}

void sm_pool_restore(struct sm_pool *pool, const struct sm_pool_copy *copy)
{
	*pool = copy->pool;
	memcpy(pool->room, copy->room, pool->platform->sms * sizeof(*copy->room));
	memcpy(pool->tree, copy->tree, nodes_of(pool) * sizeof(*copy->tree));
}

void sm_pool_give_batch(struct sm_pool *pool, const struct sm_need *need, uint32_t count, uint16_t *place_of,
	uint32_t first, uint32_t mask)
{
	uint32_t sms = pool->platform->sms;
	if (!pool->counted) {
		sm_pool_places(pool, count, place_of, first, mask);
		sm_pool_give(pool, need, count, place_of, first, mask);
		return;
	}
	pool->blocks -= count;
	pool->counted = pool->blocks > 0;
	if (!pool->counted)
		return;
	const struct sm_room all = count == need->whole ? need->share : times(&need->room, count / sms);
	for (int i = 0; i < SM_LIMITS / 2; i++)
		pool->each.of[i] += all.of[i];
	/* Nothing has come behind the only batch that does not go round all SMs. */
	if (count != need->whole && count % sms > 0)
		pool->more = 0;
}
