/* tests/unit/test_sm_pool.c - models/sm_pool.c: which SM a block goes to, limit by limit. */
#include "base/random.h"
#include "models/policy.h"
#include "models/sm_pool.h"
#include "tests/support/test.h"

static struct platform platform;
static struct sm_pool pool;
static struct arena arena;
static uint32_t per_sm; /* virtual SMs of the pool */

static int begin(void **state)
{
	platform = platform_default();
	platform.sms = 3;
	platform.threads_per_sm = 128;
	return 0;
}

static int end(void **state)
{
	arena_finish(&arena);
	return 0;
}

EACH_TEST(begin, end);

static void opened(uint32_t virtual_sms)
{
	per_sm = virtual_sms;
	assert_true(sm_pool_init(&pool, &arena, &platform, virtual_sms));
}

/* Of a kernel of so many blocks. */
static struct sm_need need_of(struct block_demand demand, uint32_t blocks)
{
	return sm_pool_need(&demand, blocks, &platform, per_sm);
}

/* The SM that a block goes to, or NO_SM. */
static uint32_t take(struct block_demand demand)
{
	struct sm_need need = need_of(demand, 1);
	uint16_t place = 0;
	return sm_pool_take(&pool, &need, 1, &place, 0, 0) ? pool.sm_at[place] : NO_SM;
}

static void give(uint32_t sm, struct block_demand demand)
{
	struct sm_need need = need_of(demand, 1);
	sm_pool_give(&pool, &need, 1, &pool.place_of[sm], 0, 0);
}

TEST("most free threads then lowest index")
{
	const struct block_demand small = {.threads = 32, .warps = 1}, large = {.threads = 96, .warps = 3};
	opened(1);
	assert_int_equal(take(large), 0);
	assert_int_equal(take(small), 1);
	assert_int_equal(take(small), 2);
	assert_int_equal(take(large), 1);
	assert_int_equal(take(large), 2);
	assert_int_equal(take(large), NO_SM);
	assert_int_equal(take(small), 0);
	assert_int_equal(take(small), NO_SM);
	give(2, large);
	assert_int_equal(take(large), 2);
}

TEST("ties by TPC")
{
	static const uint32_t order_of_7[] = {0, 2, 4, 6, 1, 3, 5}, order_of_4[] = {0, 2, 1, 3};
	const struct block_demand whole = {.threads = 128, .warps = 4};
	platform.sms_per_tpc = 2;
	platform.sms = 7;
	opened(1);
	for (int i = 0; i < 7; i++)
		assert_int_equal(take(whole), order_of_7[i]);
	platform.sms = 4;
	opened(1);
	for (int i = 0; i < 4; i++)
		assert_int_equal(take(whole), order_of_4[i]);
	assert_int_equal(take(whole), NO_SM);
}

/* Exactly `count` blocks of a demand must fit one SM. */
static void fit_one_sm(struct block_demand demand, uint32_t count)
{
	platform.sms = 1;
	opened(2);
	for (uint32_t i = 0; i < count; i++)
		assert_int_equal(take(demand), 0);
	assert_int_equal(take(demand), NO_SM);
	give(0, demand);
	assert_int_equal(take(demand), 0);
}

/* As many blocks as fit, in order; their places go into a ring that wraps round. */
TEST("several at a time")
{
	const struct block_demand half = {.threads = 64, .warps = 2};
	uint16_t ring[8] = {0};
	opened(1);
	struct sm_need need = need_of(half, 2);
	assert_int_equal(sm_pool_take(&pool, &need, 2, ring, 6, 7), 2);
	assert_int_equal(sm_pool_take(&pool, &need, 9, ring, 8, 7), 4);
	for (uint32_t b = 6; b < 12; b++)
		assert_int_equal(pool.sm_at[ring[b & 7]], (b - 6) % 3);
	assert_int_equal(take(half), NO_SM);
	sm_pool_give(&pool, &need, 2, ring, 7, 7); /* those of SMs 1 and 2 */
	assert_int_equal(take(half), 1);
	assert_int_equal(take(half), 2);
	assert_int_equal(take(half), NO_SM);
}

/* Behind an empty GPU, blocks that are only counted, and blocks that are written. */
TEST("as it was when a copy was saved")
{
	const struct block_demand small = {.threads = 32, .warps = 1}, large = {.threads = 96, .warps = 3};
	struct sm_pool_copy copy;
	opened(1);
	assert_true(sm_pool_copy_init(&copy, &arena, &pool));
	for (uint32_t stage = 0; stage < 3; stage++) {
		uint64_t blocks = pool.blocks;
		bool counted = pool.counted;
		sm_pool_save(&pool, &copy);
		while (take(small) != NO_SM) {
		}
		assert_int_equal(take(large), NO_SM);
		sm_pool_restore(&pool, &copy);
		assert_int_equal(pool.blocks, blocks);
		assert_true(pool.counted == counted);
		assert_true(counted == (stage == 1));
		assert_int_equal(take(large), stage);
	}
	assert_int_equal(take(small), 0);
	assert_int_equal(take(small), 1);
	assert_int_equal(take(small), 2);
	assert_int_equal(take(small), NO_SM);
}

/* The first block on an SM divides its memory, and that stays until the last one has left. */
TEST("divisions")
{
	const struct block_demand plain = {.threads = 32, .warps = 1, .division = 0};
	const struct block_demand small = {.threads = 32, .warps = 1, .shared_memory = 8, .division = 16};
	const struct block_demand large = {.threads = 32, .warps = 1, .shared_memory = 40, .division = 96};
	platform.sms = 1;
	platform.shared_memory_per_sm = 96;
	platform.divisions = (struct divisions){3, {0, 16, 96}};
	opened(1);
	assert_int_equal(take(plain), 0);
	assert_int_equal(take(small), NO_SM); /* room for threads and memory, but the division has none */
	give(0, plain);
	assert_int_equal(take(small), 0);
	assert_int_equal(take(plain), 0);
	assert_int_equal(take(large), NO_SM);
	assert_int_equal(take(small), 0);
	assert_int_equal(take(small), NO_SM); /* 16 bytes are in use; its threads would fit */
	give(0, small);
	give(0, small);
	assert_int_equal(take(large), NO_SM); /* a block without memory holds the division */
	give(0, plain);
	assert_int_equal(take(large), 0);
	assert_int_equal(take(small), 0);
	assert_int_equal(take(large), 0);
	assert_int_equal(take(small), 0);
	assert_int_equal(take(plain), NO_SM); /* four blocks of 32 threads */
}

TEST("every limit binds")
{
	fit_one_sm((struct block_demand){.threads = 32, .warps = 1}, 4);
	fit_one_sm((struct block_demand){.virtual_sms = 1}, 2);
	platform.blocks_per_sm = 3;
	fit_one_sm((struct block_demand){.threads = 32, .warps = 1}, 3);
	platform.blocks_per_sm = 0;
	platform.warps_per_sm = 5;
	fit_one_sm((struct block_demand){.threads = 32, .warps = 2}, 2);
	platform.warps_per_sm = 0;
	platform.registers_per_sm = 100;
	fit_one_sm((struct block_demand){.threads = 32, .registers = 50}, 2);
	fit_one_sm((struct block_demand){.threads = 32, .registers = 51}, 1);
	platform.registers_per_sm = 0;
	platform.shared_memory_per_sm = 99;
	fit_one_sm((struct block_demand){.threads = 32, .shared_memory = 33}, 3);
	fit_one_sm((struct block_demand){.threads = 32, .shared_memory = 50}, 1);
}

TEST("limits not given do not bind")
{
	const struct block_demand large = {
		.threads = 1024,
		.warps = 32,
		.registers = INT64_C(1) << 40,
		.shared_memory = INT64_C(1) << 40,
	};
	platform.sms = 2;
	platform.threads_per_sm = 0;
	opened(1);
	for (uint32_t i = 0; i < 10000; i++)
		assert_int_equal(take(large), i % 2);
}

TEST("another limit than threads sends it elsewhere")
{
	const struct block_demand hungry = {.threads = 32, .warps = 1, .shared_memory = 10};
	const struct block_demand plain = {.threads = 64, .warps = 2};
	platform.shared_memory_per_sm = 10;
	opened(1);
	assert_int_equal(take(hungry), 0);
	assert_int_equal(take(plain), 1);
	assert_int_equal(take(plain), 2);
	assert_int_equal(take(hungry), 1); /* SM 0 has 96 threads free, and no memory */
	assert_int_equal(take(hungry), 2);
	assert_int_equal(take(hungry), NO_SM);
}

/* Places up to `count` blocks on granted SMs; checks where each goes. */
static void granted(const struct grant *grant, const struct sm_need *need, uint32_t *on_sm, uint32_t count,
	uint32_t expected, const uint32_t *sms)
{
	uint16_t places[8];
	assert_int_equal(sm_pool_take_granted(&pool, need, grant, on_sm, count, places, 0, 7), expected);
	for (uint32_t i = 0; i < expected; i++)
		assert_int_equal(pool.sm_at[places[i]], sms[i]);
}

TEST("among granted SMs")
{
	uint32_t sms[] = {1, 2}, slots[] = {1, 2}, on_sm[3] = {0}, one[3] = {0};
	const struct grant whole = {.count = 2, .sm = sms};
	const struct grant virtuals = {.count = 2, .sm = sms, .slots = slots, .virtual_sms = 3};
	const struct block_demand slot = {.threads = 32, .warps = 1, .virtual_sms = 1};
	opened(2);
	struct sm_need need = need_of(slot, 3);
	granted(&whole, &need, one, 3, 3, (uint32_t[]){1, 2, 1});
	granted(&whole, &need, one, 3, 1, (uint32_t[]){2}); /* two virtual SMs each */
	assert_int_equal(one[1], 2);
	assert_int_equal(one[2], 2);
	assert_int_equal(take(slot), 0);
	opened(2);
	granted(&virtuals, &need, on_sm, 1, 1, (uint32_t[]){1}); /* SM 1 has one slot for them, SM 2 two */
	granted(&virtuals, &need, on_sm, 5, 2, (uint32_t[]){2, 2});
	granted(&virtuals, &need, on_sm, 5, 0, NULL);
}

/* Blocks taken one by one, or several at a time, go to the same SMs as when all SMs are searched each
 * time. */
TEST("granted one by one or all at once")
{
	uint32_t sms[] = {0, 2, 3, 5, 6, 7}, on_sm[8] = {0}, again[8] = {0};
	const struct grant grant = {.count = 6, .sm = sms};
	const struct block_demand small = {.threads = 32, .warps = 1}, large = {.threads = 64, .warps = 2};
	uint16_t at_once[64], one_by_one[64];
	platform.sms = 8;
	opened(1);
	struct sm_need need = need_of(small, 64);
	take(large); /* SM 0 has less room than the others */
	uint32_t all = sm_pool_take_granted(&pool, &need, &grant, on_sm, 64, at_once, 0, 63), count = 0;
	opened(1);
	take(large);
	while (sm_pool_take_granted(&pool, &need, &grant, again, 1, one_by_one, count, 63) == 1)
		count++;
	assert_true(all > 6);
	assert_int_equal(count, all);
	assert_memory_equal(at_once, one_by_one, all * sizeof(*at_once));
}

/* What is free on each SM, and its key. */
struct contents {
	struct sm_room room[8];
	uint64_t key[8];
};

static struct contents contents(void)
{
	struct contents c = {0};
	if (pool.counted)
		sm_pool_write(&pool);
	memcpy(c.room, pool.room, platform.sms * sizeof(*pool.room));
	memcpy(c.key, pool.tree + pool.leaves, platform.sms * sizeof(*pool.tree));
	return c;
}

static void assert_contents(const struct contents *expected)
{
	struct contents c = contents();
	assert_memory_equal(&c, expected, sizeof(c));
}

/* On an empty GPU blocks are placed at once, as they would be one by one; and when all leave at once, it is
 * as before. */
static void in_rounds(struct block_demand demand, uint32_t want)
{
	uint16_t at_once[256], one_by_one[256];
	opened(4);
	struct sm_need need = need_of(demand, want);
	struct contents empty = contents();
	uint32_t all = sm_pool_take(&pool, &need, want, at_once, 200, 255), count = 0;
	assert_int_equal(pool.blocks, all);
	sm_pool_give(&pool, &need, all, at_once, 200, 255);
	assert_contents(&empty);
	assert_int_equal(sm_pool_take(&pool, &need, want, at_once, 200, 255), all);
	struct contents taken = contents();
	opened(4);
	while (count < want && sm_pool_take(&pool, &need, 1, one_by_one, 200 + count, 255) == 1)
		count++;
	assert_int_equal(count, all);
	for (uint32_t b = 200; b < 200 + all; b++)
		assert_int_equal(at_once[b & 255], one_by_one[b & 255]);
	assert_contents(&taken);
	sm_pool_give(&pool, &need, all, one_by_one, 200, 255);
	assert_contents(&empty);
}

TEST("in rounds or one by one")
{
	static const struct block_demand demands[] = {
		{.threads = 32, .warps = 1},
		{.threads = 64, .warps = 2, .registers = 20000},
		{.threads = 32, .warps = 1, .shared_memory = 9000, .division = 32768},
		{.threads = 32, .warps = 1, .shared_memory = 9000, .division = 65536},
		{.threads = 96, .warps = 3, .virtual_sms = 3},
		{.threads = 0, .virtual_sms = 1},
	};
	platform.sms = 7;
	platform.threads_per_sm = 1024;
	platform.blocks_per_sm = 16;
	platform.registers_per_sm = 65536;
	platform.shared_memory_per_sm = 65536;
	for (int divided = 0; divided < 2; divided++) {
		platform.divisions = (struct divisions){.count = divided ? 2 : 0, .bytes = {32768, 65536}};
		for (size_t i = 0; i < sizeof(demands) / sizeof(*demands); i++)
			for (uint32_t want = 1; want < 140; want++)
				in_rounds(demands[i], want);
	}
}

/* ---- against plain rooms ---- */

static const struct block_demand some_demands[] = {
	{.threads = 32, .warps = 1},
	{.threads = 96, .warps = 3, .registers = 9000},
	{.threads = 160, .warps = 5, .shared_memory = 20000},
	{.threads = 256, .warps = 8, .registers = 16384},
	{.threads = 0, .virtual_sms = 1},
};
#define DEMANDS (sizeof(some_demands) / sizeof(*some_demands))

/* Blocks that were taken together: their places as the pool left them, perhaps in turn, and written. */
struct batch {
	struct sm_need need;
	uint32_t count;
	uint16_t left[64], places[64];
};

static bool fits_plainly(const struct sm_room *room, const struct sm_need *need)
{
	bool fits = true;
	for (enum sm_limit i = 0; i < SM_LIMITS; i++)
		fits &= sm_room_of(room, i) >= sm_room_of(&need->room, i);
	return fits;
}

/* The first of those SMs, counted by place, with the most free threads on which a block fits. */
static uint32_t plain_place(
	const struct sm_room *rooms, const struct sm_need *need, const struct grant *grant)
{
	uint32_t best = NO_SM;
	for (uint32_t i = 0; i < (grant ? grant->count : platform.sms); i++) {
		uint32_t place = grant ? grant->sm[i] : i;
		bool more = best == NO_SM ||
			    sm_room_of(&rooms[place], SM_THREADS) > sm_room_of(&rooms[best], SM_THREADS);
		if (more && fits_plainly(&rooms[place], need))
			best = place;
	}
	return best;
}

static void change_plainly(struct sm_room *room, const struct sm_need *need, int64_t sign)
{
	for (int i = 0; i < SM_LIMITS / 2; i++)
		room->of[i] += need->room.of[i] * sign;
}

/* Whether as many blocks are taken, and go where they would go if all SMs were looked at for each. */
static void take_both(struct sm_room *rooms, struct batch *b, uint32_t want, const struct grant *grant)
{
	uint32_t place = 0;
	b->count = grant ? sm_pool_take_granted(&pool, &b->need, grant, NULL, want, b->left, 0, 63)
			 : sm_pool_take_batch(&pool, &b->need, want, b->left, 0, 63);
	assert_true(b->count <= want);
	memcpy(b->places, b->left, sizeof(b->places));
	sm_pool_places(&pool, b->count, b->places, 0, 63);
	for (uint32_t i = 0; i < b->count; i++) {
		place = plain_place(rooms, &b->need, grant);
		assert_int_equal(b->places[i], place);
		change_plainly(&rooms[place], &b->need, -1);
	}
	if (b->count < want)
		assert_int_equal(plain_place(rooms, &b->need, grant), NO_SM);
}

static uint32_t upto(uint32_t draw, uint32_t bound)
{
	const struct random_key key = {.seed = 8, .job = draw, .purpose = RANDOM_TEST};
	return (uint32_t)random_upto(&key, bound);
}

/* Of a kernel, all blocks or the first of them: often as many for each SM, seldom very many. */
static void draw_batch(struct sm_room *rooms, struct batch *b, uint32_t n, const struct grant *grant)
{
	uint32_t want = 1 + upto(n + 3, upto(n, 4) == 0 ? 59 : 10), more = upto(n + 1, 3) == 0 ? 5 : 0;
	if (want < 7)
		want = 5 * (1 + want % 2);
	b->need = need_of(some_demands[upto(n + 2, DEMANDS - 1)], want + more);
	take_both(rooms, b, want, grant);
}

/* Batches come and go at random, often until the GPU is empty; with `granted` some of them on three SMs. They
 * go all at once, or block by block. Counts how often a batch came to others that were only counted, and went
 * from such; and how often one whose places were never written went from others. */
static void random_batches(bool granted)
{
	static uint32_t three[] = {1, 2, 4};
	const struct grant grant = {.count = 3, .sm = three};
	struct batch batches[4];
	struct sm_room rooms[5];
	uint32_t used = 0, came = 0, went = 0, unwritten = 0;
	opened(3);
	memcpy(rooms, pool.room, sizeof(rooms));
	for (uint32_t n = 0; n < 80000; n += 4) {
		bool takes = used == 0 || (used < 4 && upto(n, 2) == 0);
		struct batch *b = &batches[takes ? used : upto(n + 1, used - 1)];
		if (takes) {
			bool counted = pool.counted, on_three = granted && upto(n + 1, 1) == 0;
			draw_batch(rooms, b, n, on_three ? &grant : NULL);
			came += counted && pool.counted && b->count > 0;
			used++;
			continue;
		}
		bool in_turn = b->count > 0 && b->left[0] != b->places[0];
		unwritten += in_turn && !pool.counted && upto(n + 2, 3) > 0;
		if (upto(n + 2, 3) > 0)
			sm_pool_give_batch(&pool, &b->need, b->count, b->left, 0, 63);
		for (uint32_t i = 0; upto(n + 2, 3) == 0 && i < b->count; i++)
			sm_pool_give(&pool, &b->need, 1, b->places, i, 63);
		for (uint32_t i = 0; i < b->count; i++)
			change_plainly(&rooms[b->places[i]], &b->need, 1);
		went += pool.counted && b->count > 0;
		*b = batches[--used];
	}
	assert_true(came > 100);
	assert_true(went > 20);
	assert_true(unwritten > 20);
}

TEST("random batches")
{
	platform.sms = 5;
	platform.threads_per_sm = 1024;
	platform.blocks_per_sm = 12;
	platform.registers_per_sm = 65536;
	platform.shared_memory_per_sm = 65536;
	random_batches(false);
	random_batches(true);
}
