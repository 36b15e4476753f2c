/* tests/oracle/test_warp_oracle_self.c - the plain simulation of warps on small cases that are worked out by
 * hand: programs, units, schedulers, memory, energy. Fig. 3 of QAWS is in
 * tests/golden/test_golden_warps.c. */
#include "tests/oracle/warp_by_hand.h"
#include "tests/support/test.h"

/* ---- programs, units, schedulers ---- */

/* The unit accepts an instruction in every third cycle: 0, 3, 6. The last result is ready at 7. In 1, 2, 4, 5
 * the warp waits for the unit only. */
TEST("a unit accepts at its interval")
{
	static struct warp_step steps[] = {COMPUTE(3, 0, 0, 0)};
	struct scene s;
	scene_init(&s);
	s.set.machine.interval[WARP_INT] = 3;
	ADD(&s, 1, 32, steps);
	struct plain_result *r = plain_run(&s.input);
	EXPECT_CYCLES(r, 0, 3, 6);
	assert_int_equal(r->cycles, 7);
	assert_int_equal(r->slots[SLOT_ISSUED], 3);
	assert_int_equal(r->slots[SLOT_UNIT], 4);
	plain_result_free(r);
}

/* Latency 4, each instruction needs the one before: 0, 4, 8; the last result is ready at 12. 1-3 and 5-7 are
 * waiting, 9-11 the end. */
TEST("an instruction waits for its operand")
{
	static struct warp_step steps[] = {COMPUTE(3, 1, 1, 4)};
	struct scene s;
	scene_init(&s);
	ADD(&s, 1, 32, steps);
	struct plain_result *r = plain_run(&s.input);
	EXPECT_CYCLES(r, 0, 4, 8);
	assert_int_equal(r->cycles, 12);
	assert_int_equal(r->slots[SLOT_DEPENDENCE], 6);
	assert_int_equal(r->slots[SLOT_ENDING], 3);
	plain_result_free(r);
}

/* Two rounds of two instructions of latency 5; the first needs the one two before it. Round 1 issues at 0 and
 * 1. Round 2 begins at 5, when instruction 0 has its result, and goes on at 6. Then one instruction at
 * distance 1, at 11. */
TEST("a step begins with its first distance")
{
	static struct warp_step steps[] = {LOOP(2, 1), COMPUTE(2, 0, 2, 5), COMPUTE(1, 0, 1, 1)};
	struct scene s;
	scene_init(&s);
	ADD(&s, 1, 32, steps);
	struct plain_result *r = plain_run(&s.input);
	EXPECT_CYCLES(r, 0, 1, 5, 6, 11);
	assert_int_equal(r->issues.row[3].step, 1);
	assert_int_equal(r->issues.row[3].number, 3);
	expect_job(r, 0, 0, 0, 12);
	plain_result_free(r);
}

/* Two warps of two instructions each, always ready. */
TEST("round robin stays or rotates")
{
	static struct warp_step steps[] = {COMPUTE(2, 0, 0, 0)};
	struct scene s;
	scene_init(&s);
	s.options.scheduler = SCHEDULE_LRR;
	ADD(&s, 1, 64, steps);
	struct plain_result *stays = plain_run(&s.input);
	EXPECT_WARPS(stays, 0, 0, 1, 1);
	s.options.rotate_cycle = true;
	struct plain_result *rotates = plain_run(&s.input);
	EXPECT_WARPS(rotates, 0, 1, 0, 1);
	plain_result_free(stays);
	plain_result_free(rotates);
}

/* Two warps: two instructions, a barrier, one instruction. gto: warp 0 in 0-2, warp 1 in 3-5. Warp 1's
 * barrier opens both for 6, and warp 1 goes on, as it issued last. oldest: the same, but at 6 warp 0 goes
 * first. */
TEST("a barrier opens in the next cycle")
{
	static struct warp_step steps[] = {COMPUTE(2, 0, 0, 0), BARRIER, COMPUTE(1, 0, 0, 0)};
	struct scene s;
	scene_init(&s);
	ADD(&s, 1, 64, steps);
	s.options.scheduler = SCHEDULE_GTO;
	struct plain_result *greedy = plain_run(&s.input);
	EXPECT_WARPS(greedy, 0, 0, 0, 1, 1, 1, 1, 0);
	EXPECT_CYCLES(greedy, 0, 1, 2, 3, 4, 5, 6, 7);
	assert_int_equal(greedy->cycles, 8);
	s.options.scheduler = SCHEDULE_OLDEST;
	struct plain_result *oldest = plain_run(&s.input);
	EXPECT_WARPS(oldest, 0, 0, 0, 1, 1, 1, 0, 1);
	plain_result_free(greedy);
	plain_result_free(oldest);
}

/* Two sub-cores with one warp each, the second with 8 threads. Both issue the barrier at 1, so none waits
 * there at 2. Both then wait for instruction 0, whose result is ready at 3. */
TEST("sub cores meet at a barrier")
{
	static struct warp_step steps[] = {COMPUTE(1, 0, 0, 3), BARRIER, COMPUTE(1, 0, 2, 1)};
	struct scene s;
	scene_init(&s);
	s.set.machine.sub_cores = 2;
	ADD(&s, 1, 40, steps);
	struct plain_result *r = plain_run(&s.input);
	EXPECT_CYCLES(r, 0, 0, 1, 1, 3, 3);
	assert_int_equal(r->issues.row[1].sub_core, 1);
	assert_int_equal(r->issues.row[1].threads, 8);
	assert_int_equal(r->kernel[0].thread_instructions, 3 * 40);
	assert_int_equal(r->slots[SLOT_DEPENDENCE], 1);
	plain_result_free(r);
}

/* An active set of one. Warp 0 loads at 0 and leaves at 1. Warp 1 enters, loads, and leaves at 2. Warp 0's
 * result is ready at 10: it enters and issues its last instruction, of latency 5. The end of this at 15 keeps
 * it in the set until then. Warp 1 is ready from 11 on, but not active before 15. */
TEST("two level has room for few")
{
	static struct warp_step steps[] = {STEP(STEP_LOAD, 1, 0, 0, 0), COMPUTE(1, 0, 1, 5)};
	struct scene s;
	steps[0].l1_hit_ppm = 1000000;
	scene_init(&s);
	s.options.scheduler = SCHEDULE_TWO_LEVEL;
	s.options.active = 1;
	s.set.machine.l1_latency = 10;
	ADD(&s, 1, 64, steps);
	struct plain_result *r = plain_run(&s.input);
	EXPECT_WARPS(r, 0, 1, 0, 1);
	EXPECT_CYCLES(r, 0, 1, 10, 15);
	assert_int_equal(r->slots[SLOT_MEMORY], 8);
	assert_int_equal(r->slots[SLOT_SCHEDULER], 4);
	assert_int_equal(r->slots[SLOT_ENDING], 4);
	plain_result_free(r);
}

/* ---- memory ---- */

/* 2.5 bytes per cycle, DRAM 10 cycles. The first load: 32 threads x 4 bytes are 128: F = 51.2, ready at 52 +
 * 10. The second, in cycle 1: F = 102.4, ready at 113. The third, whose threads touch a sector each, issues
 * at 113 (it needs the second): 113 + 1024 / 2.5 = 522.6: 523 + 10. The store after it has 3 threads of 4
 * bytes, half of them spread: 2 sectors: F = 548.2. */
TEST("the server passes requests one by one")
{
	static struct warp_step steps[] = {STEP(STEP_LOAD, 2, 0, 0, 0), STEP(STEP_LOAD, 1, 0, 1, 0),
		STEP(STEP_STORE, 1, 0, 0, 0), STEP(STEP_LOAD, 1, 0, 0, 0)};
	struct scene s;
	steps[1].coalescing_ppm = 0;
	steps[2].coalescing_ppm = 500000;
	steps[2].threads = 3;
	steps[3].threads = 1;
	scene_init(&s);
	s.set.machine.bandwidth = 2500;
	s.set.machine.dram_latency = 10;
	ADD(&s, 1, 32, steps);
	struct plain_result *r = plain_run(&s.input);
	EXPECT_CYCLES(r, 0, 1, 113, 114, 115);
	assert_int_equal(r->issues.row[0].result, 62);
	assert_int_equal(r->issues.row[1].result, 113);
	assert_int_equal(r->issues.row[2].result, 533);
	assert_int_equal(r->issues.row[3].result, -1);
	assert_int_equal(r->issues.row[3].level, LEVEL_DRAM);
	assert_int_equal(r->issues.row[4].result, 561 + 10); /* 548.2 + 12.8 = 561.0 */
	assert_int_equal(r->kernel[0].dram_bytes, 128 + 128 + 1024 + 64 + 32);
	plain_result_free(r);
}

/* Hits that are certain; and one hit in two: of 400 draws between 160 and 240 (4 standard deviations). */
TEST("accesses hit as often as they should")
{
	static struct warp_step steps[] = {
		STEP(STEP_LOAD, 400, 0, 0, 0), STEP(STEP_LOAD, 5, 0, 0, 0), STEP(STEP_LOAD, 7, 0, 0, 0)};
	struct scene s;
	steps[0].l1_hit_ppm = 500000;
	steps[0].l2_hit_ppm = steps[1].l2_hit_ppm = 1000000;
	scene_init(&s);
	ADD(&s, 1, 32, steps);
	struct plain_result *r = plain_run(&s.input);
	assert_int_equal(r->kernel[0].accesses, 412);
	assert_int_equal(r->kernel[0].l1_hits + r->kernel[0].l2_hits, 405);
	assert_true(r->kernel[0].l1_hits > 160 && r->kernel[0].l1_hits < 240);
	plain_result_free(r);
}

/* 20 threads x 3 fJ x 2, and 20 x 7 fJ for the access. Its 80 bytes are 3 sectors, 96 bytes x 2 fJ. Static: 5
 * uW during the horizon, 10 ns, which is longer than the run. */
TEST("energy is counted by thread")
{
	static struct warp_step steps[] = {COMPUTE(2, 0, 0, 0), STEP(STEP_STORE, 1, 0, 0, 0), BARRIER};
	struct scene s;
	scene_init(&s);
	s.platform.static_uw = 5;
	s.set.machine.unit_fj[WARP_INT] = 3;
	s.set.machine.global_fj = 7;
	s.set.machine.shared_fj = 1000;
	s.set.machine.dram_byte_fj = 2;
	ADD(&s, 1, 20, steps);
	struct plain_result *r = plain_run(&s.input);
	assert_int_equal(r->cycles, 4);
	assert_int_equal(r->kernel[0].energy_fj, 20 * 3 * 2 + 20 * 7 + 96 * 2);
	assert_int_equal((int64_t)r->energy_fj, 20 * 3 * 2 + 20 * 7 + 96 * 2 + 50);
	plain_result_free(r);
}
