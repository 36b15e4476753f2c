/* tests/unit/test_warp_sub_core.c - models/warps/sub_core.c: the sets of a sub-core's warps while warps come,
 * wait and go; and closing the gaps between warps when all positions have been used. */
#include "models/warps/sub_core.h"
#include "tests/support/test.h"

#define WARPS 200

static struct warp warps[WARPS];
static struct sub_core sc;

static int begin(void **state)
{
	sc = (struct sub_core){
		.next_wake = NEVER,
		.next_far = NEVER,
		.last_cycle = -1,
		.last = -1,
		.around = -1,
		.last_kernel = -1,
		.group = -1,
	};
	for (uint32_t i = 0; i < WARPS; i++)
		warps[i] = (struct warp){.accesses = i};
	return 0;
}

EACH_TEST(begin, NULL);

/* Warp i of a kernel arrives, and its operand is ready. */
static uint32_t come(uint32_t i, uint32_t kernel, uint32_t unit)
{
	sub_core_add(&sc, &warps[i], kernel, unit, 0, 0);
	sc.operand |= bit(warps[i].position);
	return warps[i].position;
}

static void fill(uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		assert_int_equal(come(i, i % 3, i % WARP_UNITS), i);
}

/* Every warp must be where its position says, older ones at lower positions. */
static void in_order(const uint32_t expected[], uint32_t count)
{
	uint32_t n = 0;
	for (uint32_t p = 0; p < WARPS_PER_SM_MAX; p++) {
		if (!(sc.present & bit(p)))
			continue;
		assert_true(n < count);
		assert_ptr_equal(sc.warp[p], &warps[expected[n++]]);
		assert_int_equal(sc.warp[p]->position, p);
	}
	assert_int_equal(n, count);
}

/* ---- coming and going ---- */

TEST("positions are ages")
{
	fill(5);
	sub_core_remove(&sc, 1);
	sub_core_remove(&sc, 4);
	come(5, 0, WARP_FP);
	in_order((const uint32_t[]){0, 2, 3, 5}, 4);
	assert_int_equal(sc.present, 1 | 4 | 8 | 32);
	assert_int_equal(sc.operand, sc.present);
	assert_int_equal(sc.of_kernel[0], 1 | 8 | 32);
	assert_int_equal(sc.of_kernel[1], 0);
	assert_int_equal(sc.of_kernel[2], 4);
	assert_int_equal(sc.wants[WARP_FP], 32);
	assert_int_equal(sub_core_of_kernels(&sc, 1 | 4, 3), sc.present);
	assert_int_equal(sub_core_of_kernels(&sc, 4, 3), 4);
}

/* A removed warp is in no set any more. */
TEST("gone from every set")
{
	fill(2);
	sc.operand = sc.waiting = sc.on_memory = sc.ending = sc.barrier = sc.absent = sc.active = 3;
	sc.last = 1;
	sub_core_remove(&sc, 1);
	const uint64_t sets[] = {sc.present, sc.operand, sc.waiting, sc.on_memory, sc.ending, sc.barrier,
		sc.absent, sc.active};
	for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++)
		assert_int_equal(sets[i], 1);
	assert_int_equal(sc.last, -1);
	assert_int_equal(sc.queued, 1);
	assert_int_equal(sc.queue[0], 0);
	assert_int_equal(sc.of_kernel[1], 0);
	assert_int_equal(sc.wants[1], 0);
}

/* The warp that issued last is remembered while it exists. When it has ended, round-robin goes on from its
 * place. */
TEST("last and around")
{
	fill(4);
	sc.last = sc.around = 2;
	sub_core_remove(&sc, 1);
	assert_int_equal(sc.last, 2);
	sub_core_remove(&sc, 2);
	assert_int_equal(sc.last, -1);
	assert_int_equal(sc.around, 2);
}

/* ---- waiting ---- */

TEST("waits until its cycle")
{
	fill(3);
	sub_core_wait(&sc, 0, 20, true);
	sub_core_wait(&sc, 2, 12, false);
	assert_int_equal(sc.next_wake, 12);
	assert_int_equal(sc.operand, 2);
	assert_int_equal(sc.on_memory, 1);
	sub_core_settle(&sc, 11);
	assert_int_equal(sc.waiting, 1 | 4);
	sub_core_settle(&sc, 12);
	assert_int_equal(sc.operand, 2 | 4);
	assert_int_equal(sc.next_wake, 20);
	sub_core_settle(&sc, 25);
	assert_int_equal(sc.operand, 7);
	assert_int_equal(sc.on_memory, 0);
	assert_int_equal(sc.waiting, 0);
	assert_int_equal(sc.next_wake, NEVER);
}

/* Warps wait for cycles near and far, also for one that is said later, are removed, and move together. They
 * wake when a plain array says so. */
TEST("any number of waits")
{
	int64_t wakes[WARPS] = {0}, now = 0;
	uint32_t came = 0;
	uint64_t dice = 1;
	for (int step = 0; step < 20000; step++) {
		dice = dice * UINT64_C(6364136223846793005) + 1442695040888963407;
		uint32_t roll = (uint32_t)(dice >> 33);
		int64_t until = now + 1 + (int64_t)(roll >> 8) % (roll & 1 ? 8 : roll & 2 ? 70 : 900);
		bool later = (roll >> 4) % 8 == 0;
		if (__builtin_popcountll(sc.present) < 12) {
			uint32_t i = came++ % WARPS;
			wakes[i] = NEVER;
			sub_core_add(&sc, &warps[i], 0, WARP_INT, 0, now);
			sc.operand |= bit(warps[i].position);
		}
		if (sc.operand) {
			uint32_t p = (uint32_t)__builtin_ctzll(sc.operand);
			sub_core_wait(&sc, p, later ? NEVER : until, roll & 64);
			wakes[sc.warp[p] - warps] = until;
			if (later)
				sub_core_known(&sc, p, until);
		}
		if (roll % 97 == 0)
			sub_core_remove(&sc, (uint32_t)__builtin_ctzll(sc.present));
		now += roll % 5 == 0 ? (int64_t)(roll >> 20) % 3 : 1;
		if (sc.next_wake <= now)
			sub_core_settle(&sc, now);
		else
			sc.near_from = now;
		for (uint64_t set = sc.waiting; set; set &= set - 1) {
			ptrdiff_t i = sc.warp[__builtin_ctzll(set)] - warps;
			assert_true(wakes[i] > now && sc.next_wake <= wakes[i]);
		}
		for (uint64_t set = sc.operand; set; set &= set - 1)
			assert_true(wakes[sc.warp[__builtin_ctzll(set)] - warps] <= now ||
				    wakes[sc.warp[__builtin_ctzll(set)] - warps] == NEVER);
	}
	assert_true(came > 150);
}

TEST("ends in its cycle")
{
	fill(3);
	sub_core_wait(&sc, 1, 9, false);
	sc.ending |= bit(1);
	sub_core_settle(&sc, 8);
	assert_int_equal(sc.present, 7);
	sub_core_settle(&sc, 9);
	assert_int_equal(sc.present, 5);
	assert_int_equal(sc.operand, 5);
	assert_int_equal(sc.waiting | sc.ending, 0);
	assert_int_equal(sc.queued, 2);
}

/* ---- closing ranks ---- */

/* Beside five warps that stay, others come and go one after the other: all positions are used several
 * times. */
TEST("many come and go")
{
	uint32_t expected[6];
	for (uint32_t i = 0; i < 5; i++)
		expected[i] = i;
	fill(5);
	for (uint32_t i = 5; i < WARPS; i++) {
		come(i, i % 3, WARP_INT);
		expected[5] = i;
		in_order(expected, 6);
		assert_int_equal(sc.queued, 6);
		assert_int_equal(sc.queue[5], warps[i].position);
		sub_core_remove(&sc, warps[i].position);
	}
	assert_int_equal(sc.next_position <= WARPS_PER_SM_MAX, true);
}

/* All 64 are used; 0, 3, 6, ... 60 end; then warp 64 arrives, and the remaining warps move together. */
static void make_gaps(void)
{
	fill(WARPS_PER_SM_MAX);
	sc.last = sc.around = 31;
	sub_core_wait(&sc, 1, 500, true);
	sub_core_wait(&sc, 2, 600, false);
	sc.operand &= ~bit(4);
	sc.barrier |= bit(4);
	sc.operand &= ~bit(5);
	sc.absent |= bit(5);
	sub_core_wait(&sc, 7, 700, false);
	sc.ending |= bit(7);
	sc.active = bit(62) | bit(8);
	for (uint32_t p = 0; p < 61; p += 3)
		sub_core_remove(&sc, p);
}

/* Where position p is after the gaps are closed: after the remaining warps of lower positions. */
static uint32_t now_at(uint32_t p)
{
	uint32_t gone = p > 60 ? 21 : (p + 2) / 3;
	return p - gone;
}

TEST("ranks are closed")
{
	uint32_t expected[44], n = 0;
	make_gaps();
	for (uint32_t i = 0; i < WARPS_PER_SM_MAX; i++)
		if (i % 3 != 0 || i == 63)
			expected[n++] = i;
	assert_int_equal(n, 43);
	expected[n] = 64;
	assert_int_equal(come(64, 0, WARP_SFU), 43);
	in_order(expected, 44);
	assert_int_equal(sc.on_memory, bit(now_at(1)));
	assert_int_equal(sc.waiting, bit(now_at(1)) | bit(now_at(2)) | bit(now_at(7)));
	assert_int_equal(sc.wake[now_at(1)], 500);
	assert_int_equal(sc.wake[now_at(2)], 600);
	assert_int_equal(sc.wake[now_at(7)], 700);
	assert_int_equal(sc.barrier, bit(now_at(4)));
	assert_int_equal(sc.absent, bit(now_at(5)));
	assert_int_equal(sc.ending, bit(now_at(7)));
	assert_int_equal(sc.active, bit(now_at(8)) | bit(now_at(62)));
	assert_int_equal(sc.last, now_at(31));
	assert_int_equal(sc.around, now_at(31));
	assert_int_equal(sc.next_position, 44);
}

TEST("sets by kernel and unit")
{
	make_gaps();
	come(64, 7, WARP_UNITS);
	for (uint32_t p = 0; p < 44; p++) {
		uint32_t i = sc.warp[p]->accesses;
		uint32_t kernel = i == 64 ? 7 : i % 3, unit = i == 64 ? WARP_UNITS : i % WARP_UNITS;
		for (uint32_t k = 0; k < WARP_KERNELS_MAX; k++)
			assert_int_equal(sc.of_kernel[k] >> p & 1, k == kernel);
		for (uint32_t u = 0; u <= WARP_UNITS; u++)
			assert_int_equal(sc.wants[u] >> p & 1, u == unit);
		assert_int_equal(sc.queue[p], p);
	}
}

/* The queue of two-level need not be sorted by age: it keeps its own order. */
TEST("queue keeps its order")
{
	fill(WARPS_PER_SM_MAX);
	for (uint32_t p = 0; p < 60; p++)
		sub_core_remove(&sc, p);
	assert_int_equal(sc.queued, 4);
	sc.queue[0] = 63;
	sc.queue[1] = 60;
	sc.queue[2] = 62;
	sc.queue[3] = 61;
	come(64, 0, WARP_INT);
	const uint8_t expected[] = {3, 0, 2, 1, 4};
	assert_int_equal(sc.queued, 5);
	assert_memory_equal(sc.queue, expected, 5);
}

/* Round-robin goes on after the place of a warp that has ended: with the next younger one, or from the
 * beginning. */
TEST("around where somebody was")
{
	static const struct {
		int8_t around;
		int8_t expected;
	} rows[] = {{-1, -1}, {20, -1}, {59, -1}, {60, 0}, {61, 0}, {62, 1}, {63, 1}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		begin(NULL);
		fill(WARPS_PER_SM_MAX);
		for (uint32_t p = 0; p < WARPS_PER_SM_MAX; p++)
			if (p != 60 && p != 62)
				sub_core_remove(&sc, p);
		sc.around = rows[i].around;
		come(64, 0, WARP_INT);
		assert_int_equal(sc.around, rows[i].expected);
		assert_int_equal(sc.last, -1);
	}
}

/* A full sub-core: when a warp ends and makes room in the same cycle, there is no gap to close. */
TEST("who ends now makes room")
{
	fill(WARPS_PER_SM_MAX);
	sub_core_wait(&sc, 10, 40, false);
	sc.ending |= bit(10);
	sub_core_add(&sc, &warps[64], 0, WARP_INT, 0, 40);
	assert_int_equal(warps[64].position, 63);
	assert_int_equal(warps[63].position, 62);
	assert_int_equal(__builtin_popcountll(sc.present), 64);
}

/* ---- cycles ---- */

TEST("cycles are accounted once")
{
	sc.idle_since = 10;
	sc.idle_slot = SLOT_MEMORY;
	sub_core_account(&sc, 14);
	sub_core_account(&sc, 14);
	sub_core_account(&sc, 12);
	sc.idle_slot = SLOT_BARRIER;
	sub_core_account(&sc, 15);
	assert_int_equal(sc.slots[SLOT_MEMORY], 4);
	assert_int_equal(sc.slots[SLOT_BARRIER], 1);
}

/* A busy unit holds back the warps that want it, and is forgotten when it is free. */
TEST("units")
{
	fill(2 * WARP_UNITS);
	sc.busy = 1u << WARP_FP | 1u << WARP_MEMORY;
	sc.unit_free[WARP_FP] = 8;
	sc.unit_free[WARP_MEMORY] = 9;
	uint64_t fp = bit(WARP_FP) | bit(WARP_FP + WARP_UNITS);
	uint64_t memory = bit(WARP_MEMORY) | bit(WARP_MEMORY + WARP_UNITS);
	assert_int_equal(sub_core_unit_waits(&sc, 7), fp | memory);
	assert_int_equal(sub_core_unit_waits(&sc, 8), memory);
	assert_int_equal(sc.busy, 1u << WARP_MEMORY);
	assert_int_equal(sub_core_unit_waits(&sc, 9), 0);
	assert_int_equal(sc.busy, 0);
}
