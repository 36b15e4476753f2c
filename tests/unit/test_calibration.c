/* tests/unit/test_calibration.c - launches measured within SMs, with kernels whose times can be counted by
 * hand. */
#include "tests/support/test.h"
#include "tests/unit/calibration_bench.h"

static void assert_spread(const struct spread *s, int64_t least, int64_t greatest, int64_t count)
{
	assert_int_equal(s->least, least);
	assert_int_equal(s->greatest, greatest);
	assert_int_equal(s->count, count);
}

/* ---- launches ---- */

/* Half an SM holds one warp at a time: on m SMs, 12 blocks take 12 / m turns. */
TEST("halves scale with SMs")
{
	struct bench b;
	set_up(&b, BUSY("A", "12"), "gto");
	measure(&b, 1000);
	for (uint32_t i = 0; i < 4; i++)
		assert_spread(&calibration_point(b.c, 0, i)->half, 12 / all_sms[i] * BUSY_NS,
			12 / all_sms[i] * BUSY_NS, 1);
	tear_down(&b);
}

/* Two warps that wait 3 of 4 cycles do not disturb each other, so a whole SM does twice as much as half an
 * SM. */
TEST("whole SMs hold twice as much")
{
	struct bench b;
	set_up(&b, LAZY("A", "24"), "gto");
	measure(&b, 1000);
	for (uint32_t i = 0; i < 4; i++) {
		const struct calibrated_point *p = calibration_point(b.c, 0, i);
		int64_t waves = 24 / all_sms[i];
		assert_spread(&p->half, waves * LAZY_NS, waves * LAZY_NS, 1);
		assert_in_range(p->split.greatest, 1000000, 1002000);
		/* The second warp is one cycle late, and remains so. */
		assert_in_range(p->alone.greatest, waves / 2 * LAZY_NS, waves / 2 * LAZY_NS + 1);
		assert_int_equal(p->alone_blocks.count, 24);
		assert_in_range(p->alone_blocks.least, LAZY_NS, LAZY_NS + 1);
		assert_in_range(p->alone_blocks.greatest, LAZY_NS, LAZY_NS + 1);
	}
	tear_down(&b);
}

TEST("kernels that wait do not disturb each other")
{
	struct bench b;
	set_up(&b, LAZY("A", "1") LAZY("B", "1"), "gto");
	measure(&b, 1000);
	for (uint32_t k = 0; k < 2; k++)
		for (uint32_t p = 0; p < 2; p++) {
			assert_spread(&calibration_pair(b.c, k, p, 0)->time, LAZY_NS, LAZY_NS, 2);
			assert_spread(&calibration_pair(b.c, k, p, 0)->ratio, 1000000, 1000000, 2);
		}
	tear_down(&b);
}

/* gto: the kernel that arrives first gets all slots. Draw 0: A at once, 103 cycles. Draw 1: B has cycles 0 to
 * 99. A arrived in cycle 1 and has 100 to 199, with its result in 203. */
TEST("the older has all slots")
{
	struct bench b;
	set_up(&b, BUSY("A", "1") BUSY("B", "1"), "gto");
	measure(&b, 1000);
	const struct calibrated_pair *p = calibration_pair(b.c, 0, 1, 0);
	assert_spread(&p->time, BUSY_NS, 202, 2);
	assert_spread(&p->ratio, 1000000, (202 * 1000000 + BUSY_NS - 1) / BUSY_NS, 2);
	assert_spread(&calibration_pair(b.c, 0, 0, 0)->time, BUSY_NS, 202, 2);
	tear_down(&b);
}

/* They take turns cycle by cycle: A has 0, 2, ... 198; or, if it follows B from cycle 1 on, 1, 3, ... 199. */
TEST("in turn the ratio is two")
{
	struct bench b;
	set_up(&b, BUSY("A", "1") BUSY("B", "1"), "lrr");
	b.options.rotate_cycle = true;
	measure(&b, 1000);
	assert_spread(&calibration_pair(b.c, 0, 1, 0)->time, 202, 202, 2);
	assert_int_equal(
		calibration_pair(b.c, 0, 1, 0)->ratio.least, (202 * 1000000 + BUSY_NS - 1) / BUSY_NS);
	tear_down(&b);
}

/* Draw 3 of 4 arrives 2/3 of 103 ns after the other, rounded up: 69. It waits for 31 slots. */
TEST("later draws come later")
{
	struct bench b;
	set_up(&b, BUSY("A", "1"), "gto");
	b.spec.draws = 4;
	measure(&b, 1000);
	const struct spread *time = &calibration_pair(b.c, 0, 0, 0)->time;
	assert_int_equal(time->count, 4);
	int64_t fourth = (int64_t)time->sum - BUSY_NS - 202 - (BUSY_NS + 100 - 35);
	assert_int_equal(fourth, BUSY_NS + 31);
	tear_down(&b);
}

/* B has two blocks, one after the other: 206 ns. Draws: A at once, 103 ns; one cycle later, after the first
 * block, 202 ns; 103 cycles later, after the second block, which has slots 103 to 202: A ends at 306. */
TEST("the partners time says when")
{
	struct bench b;
	set_up(&b, BUSY("A", "1") BUSY("B", "2"), "gto");
	b.spec.draws = 3;
	measure(&b, 1000);
	const struct spread *time = &calibration_pair(b.c, 0, 1, 0)->time;
	assert_spread(time, BUSY_NS, 203, 3);
	assert_true(time->sum == BUSY_NS + 202 + 203);
	tear_down(&b);
}

/* B issues once in a thousand cycles, and never in a slot that A needs. */
TEST("a ratio is that of one draw")
{
	struct bench b;
	set_up(&b, DRAWN("A", "1") KERNEL("B", "1", "{compute: {latency: 1000}}"), "gto");
	b.spec.draws = 3;
	measure(&b, 1000);
	const struct spread *half = &calibration_point(b.c, 0, 0)->half;
	assert_true(half->least < half->greatest);
	/* One block needs half an SM only. */
	assert_spread(&calibration_point(b.c, 0, 0)->split, 2000000, 2000000, 3);
	assert_spread(&calibration_pair(b.c, 0, 1, 0)->ratio, 1000000, 1000000, 3);
	tear_down(&b);
}

TEST("a partner that is shorter comes again")
{
	struct bench b;
	set_up(&b, BUSY("A", "8") BUSY("B", "1"), "lrr");
	b.options.rotate_cycle = true;
	measure(&b, 1000);
	/* Nearly every slot of B's half is always taken. */
	assert_in_range(calibration_pair(b.c, 0, 1, 0)->ratio.least, 1900000, 2000000);
	tear_down(&b);
}

TEST("every launch has its seed")
{
	struct bench b, one;
	struct spread alone = {0};
	set_up(&b, DRAWN("A", "6"), "gto");
	b.spec.draws = 3;
	b.spec.seed = 7;
	measure(&b, 1000);
	for (uint64_t seed = 7; seed < 10; seed++) {
		set_up(&one, DRAWN("A", "6"), "gto");
		one.spec.draws = 1;
		one.spec.seed = seed;
		measure(&one, 1000);
		spread_join(&alone, &calibration_point(one.c, 0, 1)->alone);
		tear_down(&one);
	}
	const struct spread *found = &calibration_point(b.c, 0, 1)->alone;
	assert_spread(found, alone.least, alone.greatest, 3);
	assert_true(found->sum == alone.sum);
	assert_true(found->least < found->greatest);
	tear_down(&b);
}

/* The result does not depend on what else is in the set, or on how the work is divided. */
TEST("results are a function of the inputs")
{
	struct bench a, b;
	set_up(&a, DRAWN("A", "6") BUSY("B", "3"), "gto");
	set_up(&b, DRAWN("A", "6") BUSY("B", "3") LAZY("C", "2"), "gto");
	measure(&a, 1);
	measure(&b, 1000000);
	for (uint32_t p = 0; p < 4; p++) {
		assert_memory_equal(calibration_point(a.c, 0, p), calibration_point(b.c, 0, p),
			sizeof(struct calibrated_point));
		assert_memory_equal(calibration_pair(a.c, 0, 1, p), calibration_pair(b.c, 0, 1, p),
			sizeof(struct calibrated_pair));
	}
	tear_down(&a);
	tear_down(&b);
}

TEST("launches and goals do not matter")
{
	struct bench a, b;
	set_up(&a, DRAWN("A", "6"), "gto");
	set_up(&b,
		"    - {name: A, blocks: 6, block_threads: 32, launch: 50, repeat: true, stream: 3, "
		"goal: {share: 50%}, program: [" DRAWN_PROGRAM "]}\n",
		"gto");
	measure(&a, 1000);
	measure(&b, 1000);
	assert_memory_equal(
		calibration_point(a.c, 0, 0), calibration_point(b.c, 0, 0), sizeof(struct calibrated_point));
	assert_memory_equal(calibration_pair(a.c, 0, 0, 0), calibration_pair(b.c, 0, 0, 0),
		sizeof(struct calibrated_pair));
	tear_down(&a);
	tear_down(&b);
}

/* A pair has the budgets that its kernels have in the set. */
TEST("budgets go with their kernels")
{
	struct bench all, pair;
	set_up(&all, BUSY("A", "3") DRAWN("B", "5") DRAWN("C", "4"), "qaws");
	set_up(&pair, DRAWN("B", "5") DRAWN("C", "4"), "qaws");
	all.options.budget[1] = pair.options.budget[0] = 2;
	all.options.budget[2] = pair.options.budget[1] = 50;
	measure(&all, 1000);
	measure(&pair, 1000);
	assert_memory_equal(calibration_pair(all.c, 1, 2, 0), calibration_pair(pair.c, 0, 1, 0),
		sizeof(struct calibrated_pair));
	assert_memory_equal(calibration_pair(all.c, 2, 1, 0), calibration_pair(pair.c, 1, 0, 0),
		sizeof(struct calibrated_pair));
	calibration_destroy(pair.c);
	pair.options.budget[0] = 50;
	pair.options.budget[1] = 2;
	measure(&pair, 1000);
	assert_memory_not_equal(calibration_pair(all.c, 1, 2, 0), calibration_pair(pair.c, 0, 1, 0),
		sizeof(struct calibrated_pair));
	tear_down(&all);
	tear_down(&pair);
}

/* A block of 2 warps fills the SM. It has no half, so nothing is measured beside it. */
TEST("large blocks have no half")
{
	struct bench b;
	set_up(&b,
		BUSY("A", "1") "    - {name: B, blocks: 1, block_threads: 33, program: "
			       "[{compute: {count: 9}}]}\n",
		"gto");
	measure(&b, 1000);
	assert_true(calibration_has_half(b.c, 0));
	assert_false(calibration_has_half(b.c, 1));
	assert_int_equal(calibration_point(b.c, 1, 0)->alone.count, 1);
	assert_int_equal(calibration_point(b.c, 1, 0)->half.count, 0);
	assert_int_equal(calibration_pair(b.c, 0, 1, 0)->time.count, 0);
	assert_int_equal(calibration_pair(b.c, 1, 0, 0)->time.count, 0);
	assert_int_equal(calibration_pair(b.c, 0, 0, 0)->time.count, 2);
	tear_down(&b);
}

TEST("what is left to chance")
{
	static const struct {
		enum warp_step_kind kind;
		int64_t l1, l2;
		bool random;
	} cases[] = {
		{STEP_COMPUTE, 500000, 500000, false},
		{STEP_SHARED_LOAD, 500000, 500000, false},
		{STEP_LOAD, 0, 0, false},
		{STEP_LOAD, 1000000, 500000, false},
		{STEP_LOAD, 0, 1000000, false},
		{STEP_LOAD, 1, 0, true},
		{STEP_LOAD, 999999, 1000000, true},
		{STEP_LOAD, 0, 1, true},
		{STEP_STORE, 0, 999999, true},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct warp_step steps[2] = {
			warp_step_default(STEP_BARRIER), warp_step_default(cases[i].kind)};
		const struct warp_kernel k = {.steps = steps, .step_count = 2};
		steps[1].l1_hit_ppm = cases[i].l1;
		steps[1].l2_hit_ppm = cases[i].l2;
		assert_int_equal(measurement_is_random(&k), cases[i].random);
	}
}

TEST("halves of every resource")
{
	struct platform p = platform_default();
	struct warp_kernel k = {.blocks = 1, .block_threads = 100, .registers = 10, .shared_memory = 1000};
	assert_int_equal(measurement_half_blocks(&p, &k), 8); /* 32 warps, 4 each */
	p.warps_per_sm = 48;
	assert_int_equal(measurement_half_blocks(&p, &k), 6);
	p.threads_per_sm = 1288; /* 644: 5 x 128 */
	assert_int_equal(measurement_half_blocks(&p, &k), 5);
	p.blocks_per_sm = 9;
	assert_int_equal(measurement_half_blocks(&p, &k), 4);
	p.registers_per_sm = 3 * 2 * 1280;
	assert_int_equal(measurement_half_blocks(&p, &k), 3);
	p.shared_memory_per_sm = 5999;
	assert_int_equal(measurement_half_blocks(&p, &k), 2);
	p.blocks_per_sm = 1;
	assert_int_equal(measurement_half_blocks(&p, &k), 0);
}
