/* tests/unit/test_warp_schedulers.c - models/warps/schedulers.c, two_level.c, qaws.c: which ready warp
 * issues, in small cases worked out by hand. */
#include <stdlib.h>

#include "models/warps/schedulers.h"
#include "models/warps/sub_core.h"
#include "tests/support/test.h"

static struct warp_simulation *w;
static struct sub_core sc;
static struct warp warps[WARPS_PER_SM_MAX];
static int64_t cycle;

static int begin(void **state)
{
	w = calloc(1, sizeof(*w));
	cycle = 0;
	sc = (struct sub_core){
		.next_wake = NEVER,
		.next_far = NEVER,
		.last_cycle = -1,
		.last = -1,
		.around = -1,
		.last_kernel = -1,
		.group = -1,
	};
	return w ? 0 : 1;
}

static int end(void **state)
{
	free(w);
	return 0;
}

EACH_TEST(begin, end);

static void come(uint32_t kernel)
{
	struct warp *v = &warps[sc.next_position];
	sub_core_add(&sc, v, kernel, WARP_INT, 0, cycle);
	sc.operand |= bit(v->position);
}

/* Makes warps 0, 1, ... of these kernels. */
static void make(enum warp_scheduler_kind scheduler, const char *kernels)
{
	w->scheduler = &warp_schedulers[scheduler];
	for (; *kernels; kernels++)
		come((uint32_t)(*kernels - '0'));
}

/* One cycle in which the warps of this list are ready ("-": none). Returns the warp that issues, or -1. */
static int issue(const char *list)
{
	uint64_t ready = 0;
	for (; *list >= '0'; list++)
		ready |= bit((uint32_t)(*list - '0'));
	int picked = w->scheduler->pick(w, &sc, ready, cycle);
	if (picked >= 0) {
		assert_true(ready >> picked & 1);
		sc.last = sc.around = (int8_t)picked;
		sc.last_cycle = cycle;
		for (int8_t k = 0; k < (int8_t)WARP_KERNELS_MAX; k++)
			if (sc.of_kernel[k] >> picked & 1)
				sc.last_kernel = k;
	}
	cycle++;
	return picked;
}

struct expected {
	const char *ready;
	int picked;
};

static void issues(const struct expected *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		int picked = issue(rows[i].ready);
		if (picked != rows[i].picked)
			fail_msg("row %zu: %d is issued, not %d", i, picked, rows[i].picked);
	}
}
#define ISSUES(...)                                                                                          \
	issues((const struct expected[]){__VA_ARGS__},                                                       \
		sizeof((const struct expected[]){__VA_ARGS__}) / sizeof(struct expected))

/* ---- lrr ---- */

TEST("LRR keeps the warp until it stalls")
{
	make(SCHEDULE_LRR, "0000");
	ISSUES({"0123", 0}, {"0123", 0}, {"123", 1}, {"0123", 1}, {"03", 3}, {"0123", 3}, {"012", 0});
}

/* LRR prefers only the warp that issued in the cycle before. A warp that issued earlier is not preferred,
 * even if it was the last. */
TEST("LRR forgets after an idle cycle")
{
	make(SCHEDULE_LRR, "000");
	ISSUES({"012", 0}, {"01", 0}, {"-", -1}, {"012", 1}, {"-", -1}, {"01", 0}, {"-", -1}, {"0", 0});
}

TEST("LRR goes on behind one that is gone")
{
	make(SCHEDULE_LRR, "0000");
	ISSUES({"23", 2});
	sub_core_remove(&sc, 2);
	ISSUES({"013", 3});
	sub_core_remove(&sc, 3);
	ISSUES({"01", 0});
}

TEST("LRR by cycle")
{
	make(SCHEDULE_LRR, "0000");
	w->options.rotate_cycle = true;
	ISSUES({"0123", 0}, {"0123", 1}, {"0123", 2}, {"0123", 3}, {"0123", 0}, {"03", 3}, {"3", 3},
		{"-", -1}, {"13", 1});
}

TEST("LRR with all positions")
{
	for (int i = 0; i < 64; i++)
		come(0);
	w->options.rotate_cycle = true;
	sc.last = sc.around = 62;
	assert_int_equal(pick_lrr(w, &sc, UINT64_MAX, 1), 63);
	sc.last = sc.around = 63;
	assert_int_equal(pick_lrr(w, &sc, UINT64_MAX, 2), 0);
	assert_int_equal(pick_lrr(w, &sc, UINT64_MAX & ~UINT64_C(1), 3), 1);
	assert_int_equal(pick_lrr(w, &sc, 0, 4), -1);
}

/* ---- gto, oldest ---- */

/* The warp that issued last, however long ago. */
TEST("GTO is greedy")
{
	make(SCHEDULE_GTO, "0000");
	ISSUES({"23", 2}, {"0123", 2}, {"-", -1}, {"-", -1}, {"0123", 2}, {"013", 0}, {"0123", 0}, {"3", 3},
		{"0123", 3});
}

TEST("GTO takes the oldest")
{
	make(SCHEDULE_GTO, "0000");
	ISSUES({"3", 3}, {"12", 1}, {"23", 2});
	sub_core_remove(&sc, 2);
	ISSUES({"013", 0});
}

TEST("oldest is oldest")
{
	make(SCHEDULE_OLDEST, "0000");
	ISSUES({"3", 3}, {"23", 2}, {"123", 1}, {"0123", 0}, {"-", -1}, {"13", 1});
}

/* ---- two-level ---- */

/* Of the ready warps, this one now waits until a cycle: for a load, or for something else. */
static void waits(uint32_t position, int64_t until, bool memory)
{
	sub_core_wait(&sc, position, until, memory);
}

TEST("two level rotates among the active")
{
	make(SCHEDULE_TWO_LEVEL, "00000");
	w->options.active = 3;
	ISSUES({"01234", 0}, {"01234", 1}, {"01234", 2}, {"01234", 0}, {"34", -1}, {"1234", 1});
	assert_int_equal(sc.active, 7);
}

/* With `inner: gto` the one issued last goes on while it is ready and active, then comes the oldest active
 * one. */
TEST("two level is greedy among the active")
{
	make(SCHEDULE_TWO_LEVEL, "00000");
	w->options.active = 3;
	w->options.inner_gto = true;
	ISSUES({"01234", 0}, {"01234", 0}, {"1234", 1}, {"01234", 1}, {"0234", 0}, {"34", -1}, {"234", 2},
		{"01234", 2});
	assert_int_equal(sc.active, 7);
	/* The last one waits for the memory and leaves: it does not go on from the queue. */
	waits(2, 4, true);
	ISSUES({"34", 3}, {"134", 3}, {"14", 1});
	sub_core_settle(&sc, 4);
	ISSUES({"0123", 1}, {"023", 0});
	assert_int_equal(sc.active, bit(0) | bit(1) | bit(3));
}

/* A warp that waits for the memory makes room for the first in the queue; one that waits for something else
 * does not. */
TEST("two level makes room for memory")
{
	make(SCHEDULE_TWO_LEVEL, "0000");
	w->options.active = 2;
	ISSUES({"0123", 0});
	waits(0, 4, true);
	ISSUES({"123", 1});
	waits(1, 6, false);
	/* Active: 1 and 2. */
	ISSUES({"23", 2});
	assert_int_equal(sc.active, bit(1) | bit(2));
	waits(2, 4, true);
	/* Queue: 3, 0, then 2. Warp 3 enters. */
	ISSUES({"3", 3});
	assert_int_equal(sc.active, bit(1) | bit(3));
	/* In cycle 4 warps 0 and 2 have their results, but are not active. */
	sub_core_settle(&sc, 4);
	waits(3, 100, true);
	ISSUES({"02", 0});
	assert_int_equal(sc.active, bit(0) | bit(1));
	assert_int_equal(sc.queue[0], 2);
	assert_int_equal(sc.queue[1], 3);
}

/* Warps leave the set by age, to the end of the queue. A warp in the queue that cannot enter is passed over,
 * and keeps its place. */
TEST("two level queue")
{
	make(SCHEDULE_TWO_LEVEL, "000000");
	w->options.active = 2;
	ISSUES({"012345", 0}, {"012345", 1});
	sc.operand &= ~(bit(0) | bit(1));
	waits(1, 50, true);
	sc.barrier |= bit(0);
	waits(2, 60, false);
	ISSUES({"345", 3});
	assert_int_equal(sc.active, bit(3) | bit(4));
	const uint8_t expected[] = {2, 5, 0, 1};
	assert_int_equal(sc.queued, 4);
	assert_memory_equal(sc.queue, expected, 4);
	/* A warp that has ended makes room, too. */
	sub_core_remove(&sc, 4);
	ISSUES({"35", 5}, {"35", 3});
}

/* A warp without its context does not enter. */
TEST("two level context")
{
	make(SCHEDULE_TWO_LEVEL, "00");
	w->options.active = 1;
	sc.operand &= ~bit(0);
	sc.absent |= bit(0);
	ISSUES({"1", 1});
	assert_int_equal(sc.active, bit(1));
}

/* ---- qaws ---- */

static void budgets(uint32_t kernels, int64_t b0, int64_t b1, int64_t b2)
{
	w->kernel_count = kernels;
	w->options.budget[0] = b0;
	w->options.budget[1] = b1;
	w->options.budget[2] = b2;
	qaws_init(w);
}

TEST("QAWS groups")
{
	budgets(3, 2, 5, 2);
	assert_int_equal(w->group_count, 2);
	assert_int_equal(w->group_of[0], 1);
	assert_int_equal(w->group_of[1], 0);
	assert_int_equal(w->group_of[2], 1);
	assert_int_equal(w->group_budget[0], 5);
	assert_int_equal(w->group_budget[1], 2);
	budgets(3, 1, 2, 3);
	assert_int_equal(w->group_count, 3);
	assert_int_equal(w->group_of[0], 2);
	budgets(3, 1000000, 1000000, 1000000);
	assert_int_equal(w->group_count, 1);
}

/* Kernel 0 (warps 0, 1) has budget 1, kernel 1 (warps 2, 3) 2. The group of kernel 1 is first. */
TEST("QAWS counts switches")
{
	budgets(2, 1, 2, 1);
	make(SCHEDULE_QAWS, "0011");
	ISSUES({"0123", 2}, {"0123", 2}, {"013", 3}, {"013", 3}, {"012", 2});
	assert_int_equal(sc.switches, 2);
	/* The warp stalls with n = budget: the other group is next, although warp 3 is ready. */
	ISSUES({"013", 0}, {"0123", 0}, {"123", 1});
	assert_int_equal(sc.group, 1);
	assert_int_equal(sc.switches, 1);
	ISSUES({"023", 2});
	assert_int_equal(sc.group, 0);
}

/* Other warps fill in while the group stalls. n does not change, and the oldest of the group goes on as soon
 * as it can. */
TEST("QAWS fills")
{
	budgets(2, 1, 2, 1);
	make(SCHEDULE_QAWS, "0011");
	ISSUES({"2", 2}, {"01", 0}, {"0123", 2}, {"013", 3});
	assert_int_equal(sc.switches, 1);
	/* All stall: the turn stays with the group. Then its count goes on. */
	ISSUES({"-", -1}, {"1", 1}, {"02", 2});
	assert_int_equal(sc.switches, 1);
	assert_int_equal(sc.group, 0);
}

/* The turn passes in the cycle in which the last warp stalls, even if none is ready. The next group's warps
 * are not ready: it waits for its turn to begin, while others fill in. */
TEST("QAWS waits for its turn")
{
	budgets(2, 1, 2, 1);
	make(SCHEDULE_QAWS, "0011");
	ISSUES({"2", 2}, {"3", 3}, {"2", 2}, {"-", -1});
	assert_int_equal(sc.group, 1);
	assert_true(sc.group_waits);
	ISSUES({"23", 2}, {"23", 2}, {"123", 1});
	assert_false(sc.group_waits);
	assert_int_equal(sc.switches, 0);
	/* From 1 to 0 is a switch within the group; then the turn is over. */
	ISSUES({"023", 0}, {"123", 2});
	assert_int_equal(sc.group, 0);
}

/* Three groups, in descending order of budget, in turn; a group without warps is passed over. */
TEST("QAWS three groups")
{
	budgets(3, 1, 3, 2);
	make(SCHEDULE_QAWS, "010122");
	/* Warps 1 and 3 (budget 3), 4 and 5 (2), 0 and 2 (1). */
	ISSUES({"012345", 1}, {"02345", 3}, {"01245", 1}, {"02345", 3}, {"01245", 4}, {"01235", 5},
		{"01234", 4}, {"01235", 0}, {"12345", 2}, {"01345", 1});
	sub_core_remove(&sc, 4);
	sub_core_remove(&sc, 5);
	ISSUES({"023", 3}, {"012", 1}, {"023", 3}, {"012", 0});
	assert_int_equal(sc.group, 2);
}

/* When the group's last warp has ended, the next group with warps is preferred and waits. */
TEST("QAWS group is gone")
{
	budgets(3, 1, 3, 2);
	make(SCHEDULE_QAWS, "0122");
	ISSUES({"0123", 1});
	sub_core_remove(&sc, 1);
	ISSUES({"0", 0});
	assert_int_equal(sc.group, 1);
	assert_true(sc.group_waits);
	ISSUES({"023", 2});
	assert_int_equal(sc.switches, 0);
}

/* A single group works as gto. When another one comes, the count begins at 0. */
TEST("QAWS alone is GTO")
{
	budgets(2, 1, 2, 1);
	make(SCHEDULE_QAWS, "000");
	ISSUES({"012", 0}, {"12", 1}, {"02", 0}, {"-", -1}, {"12", 1});
	assert_int_equal(sc.switches, 0);
	assert_int_equal(sc.group, 1);
	come(1);
	ISSUES({"0123", 1}, {"023", 0});
	assert_int_equal(sc.switches, 1);
	ISSUES({"123", 3});
}

/* A group that is preferred only because it is alone does not wait. But the last issue was not by one of its
 * warps. */
TEST("QAWS alone then company")
{
	budgets(2, 1, 2, 1);
	make(SCHEDULE_QAWS, "01");
	ISSUES({"01", 1});
	sub_core_remove(&sc, 1);
	ISSUES({"-", -1});
	assert_int_equal(sc.group, 1);
	come(1);
	/* The warp that issued last has ended and was of kernel 1; group 1 is preferred. */
	ISSUES({"02", 0}, {"2", 2}, {"02", 0});
}

TEST("QAWS equal budgets are GTO")
{
	static const char *const ready[] = {
		"0123", "123", "23", "0123", "-", "13", "0", "03", "3", "0123", "12"};
	int gto[sizeof(ready) / sizeof(ready[0])];
	const size_t count = sizeof(ready) / sizeof(ready[0]);
	make(SCHEDULE_GTO, "0101");
	for (size_t i = 0; i < count; i++)
		gto[i] = issue(ready[i]);
	end(state);
	begin(state);
	budgets(2, 7, 7, 1);
	make(SCHEDULE_QAWS, "0101");
	for (size_t i = 0; i < count; i++)
		assert_int_equal(issue(ready[i]), gto[i]);
}

TEST("QAWS nobody")
{
	budgets(2, 1, 2, 1);
	make(SCHEDULE_QAWS, "");
	ISSUES({"-", -1});
}
