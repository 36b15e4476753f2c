/* tests/unit/test_warp_issue.c - models/warps/issue.c, memory.c: small runs of one kernel, worked out by
 * hand: dependences, units, sub-cores, barriers, the memory's levels and its server, and energy. */
#include <stdio.h>

#include "tests/support/test.h"
#include "tests/support/warp_runs.h"

static struct warp_scene s;

static int end(void **state)
{
	warp_scene_finish(&s);
	return 0;
}

EACH_TEST(NULL, end);

/* ---- what is issued ---- */

/* Cycles in which a kernel's instructions issue, each followed by its warp if that is not 0. */
static void issued(const struct warp_run *r, uint32_t kernel, const char *expected)
{
	char text[512] = "";
	size_t n = 0;
	for (size_t i = 0; i < r->issues_count && n < sizeof(text) - 40; i++) {
		const struct warp_issue *issue = &r->issues[i];
		if (issue->kernel != kernel)
			continue;
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%d", n ? " " : "", (int)issue->cycle);
		if (issue->warp)
			n += (size_t)snprintf(text + n, sizeof(text) - n, "w%u", issue->warp);
	}
	assert_string_equal(text, expected);
}

static void runs_as(const char *expected, int64_t cycles)
{
	struct warp_run *r = warp_run(&s);
	issued(r, 0, expected);
	assert_int_equal(r->cycles, cycles);
	warp_run_free(r);
}

TEST("dependence")
{
	/* Latency 4; each instruction needs the one before. A warp ends when its last result is ready. */
	warp_scene_init(&s, 1);
	warp_scene_compute(&s, 0, 3, 4, 1, 1);
	runs_as("0 4 8", 12);
	end(NULL);
	/* Each needs the one two before it. */
	warp_scene_init(&s, 1);
	warp_scene_compute(&s, 0, 5, 4, 2, 2);
	runs_as("0 1 4 5 8", 12);
	end(NULL);
	/* No dependences; a short instruction after a long one: the warp ends with the long one. */
	warp_scene_init(&s, 1);
	warp_scene_compute(&s, 0, 1, 9, 0, 0);
	warp_scene_compute(&s, 0, 2, 2, 0, 0);
	runs_as("0 1 2", 9);
	end(NULL);
	/* The first instruction of a step needs another one than the rest. Operands before instruction 0 are
	 * not waited for. */
	warp_scene_init(&s, 1);
	warp_scene_compute(&s, 0, 2, 5, 9, 0);
	warp_scene_compute(&s, 0, 3, 2, 2, 1);
	runs_as("0 1 5 7 9", 11);
}

TEST("a store has no result")
{
	warp_scene_init(&s, 1);
	s.warps.machine.shared_latency = 50;
	warp_scene_step(&s, 0, STEP_SHARED_STORE, 1);
	warp_scene_compute(&s, 0, 1, 1, 1, 0);
	runs_as("0 1", 2);
	end(NULL);
	warp_scene_init(&s, 1);
	s.warps.machine.shared_latency = 50;
	warp_scene_step(&s, 0, STEP_SHARED_LOAD, 1);
	warp_scene_compute(&s, 0, 1, 1, 1, 0);
	runs_as("0 50", 51);
}

/* Two warps share a unit of interval 3; the other unit is free. */
TEST("units")
{
	warp_scene_init(&s, 1);
	s.kernel[0].block_threads = 64;
	s.warps.machine.interval[WARP_SFU] = 3;
	warp_scene_step(&s, 0, STEP_COMPUTE, 2)->unit = WARP_SFU;
	warp_scene_step(&s, 0, STEP_COMPUTE, 1)->unit = WARP_FP;
	/* w0 0, 3; then its fp at 4; w1 6, 9, 10. */
	runs_as("0 3 4 6w1 9w1 10w1", 11);
	struct warp_run *r = warp_run(&s);
	assert_int_equal(r->slots[SLOT_UNIT], 5);
	assert_int_equal(r->slots[SLOT_ISSUED], 6);
	warp_run_free(r);
}

/* Warps go to the sub-cores in turn, block after block; every sub-core has its own units. */
TEST("sub cores")
{
	warp_scene_init(&s, 1);
	s.warps.machine.sub_cores = 2;
	s.warps.machine.interval[WARP_INT] = 4;
	s.kernel[0].blocks = 2;
	s.kernel[0].block_threads = 96;
	warp_scene_step(&s, 0, STEP_COMPUTE, 1);
	struct warp_run *r = warp_run(&s);
	issued(r, 0, "0 0w1 4w2 4 8w1 8w2");
	for (size_t i = 0; i < 6; i++)
		assert_int_equal(r->issues[i].sub_core, i % 2);
	assert_int_equal(r->cycles, 9);
	warp_run_free(r);
}

/* ---- barriers ---- */

/* Three warps: the last arrives in cycle 2, and all go on from 3. w0's result is ready at 10. */
TEST("barrier")
{
	warp_scene_init(&s, 1);
	s.kernel[0].block_threads = 96;
	warp_scene_step(&s, 0, STEP_BARRIER, 1);
	warp_scene_compute(&s, 0, 1, 1, 0, 0);
	runs_as("0 1w1 2w2 3w2 4 5w1", 6);
	end(NULL);
	warp_scene_init(&s, 1);
	s.kernel[0].block_threads = 64;
	warp_scene_compute(&s, 0, 1, 10, 0, 0);
	warp_scene_step(&s, 0, STEP_BARRIER, 1);
	warp_scene_step(&s, 0, STEP_BARRIER, 1);
	warp_scene_compute(&s, 0, 1, 1, 3, 0);
	/* w0 issues 0, and its barrier at 1; w1 issues 2, its barrier at 3, and, since both have arrived, the
	 * next instruction at 4; w0 at 5; then w0 waits until 10. */
	struct warp_run *r = warp_run(&s);
	issued(r, 0, "0 1 2w1 3w1 4w1 5 10 12w1");
	assert_int_equal(r->cycles, 13);
	assert_int_equal(r->slots[SLOT_DEPENDENCE], 5);
	warp_run_free(r);
}

/* A warp on another sub-core opens the barrier in cycle 4. This one goes on in 5, even if its sub-core is
 * later in order. */
TEST("barrier across sub cores")
{
	warp_scene_init(&s, 1);
	s.warps.machine.sub_cores = 2;
	s.kernel[0].block_threads = 96;
	warp_scene_step(&s, 0, STEP_BARRIER, 1);
	warp_scene_compute(&s, 0, 1, 1, 0, 0);
	/* Sub-core 0: w0 at 0, w2 at 1; sub-core 1: w1 at 0, at the barrier until w2 opens it in 1. */
	struct warp_run *r = warp_run(&s);
	issued(r, 0, "0 0w1 1w2 2w2 2w1 3");
	assert_int_equal(r->slots[WARP_SLOTS + SLOT_BARRIER], 1);
	assert_int_equal(r->slots[WARP_SLOTS + SLOT_EMPTY], 1);
	warp_run_free(r);
}

/* A later sub-core looks for a warp in the cycle in which its own warp's barrier opens, because another warp
 * ends: its warp still counts as waiting at the barrier. */
TEST("barrier that opens now")
{
	warp_scene_init(&s, 2);
	s.warps.machine.sub_cores = 2;
	s.kernel[0].block_threads = 96;
	warp_scene_compute(&s, 0, 1, 1, 0, 0);
	warp_scene_step(&s, 0, STEP_BARRIER, 1);
	warp_scene_compute(&s, 0, 1, 1, 0, 0);
	warp_scene_compute(&s, 1, 1, 1, 0, 0);
	/* Sub-core 0 opens it in cycle 3. Sub-core 1: w1 at 0 and 1, kernel 1 at 2, w1 again at 4. */
	struct warp_run *r = warp_run(&s);
	issued(r, 0, "0 0w1 1 1w1 2w2 3w2 4w2 4w1 5");
	issued(r, 1, "2");
	assert_int_equal(r->slots[WARP_SLOTS + SLOT_BARRIER], 1);
	assert_int_equal(r->slots[WARP_SLOTS + SLOT_DEPENDENCE], 0);
	warp_run_free(r);
}

/* After the last instruction no warp is waited for, and a barrier there stops none. */
TEST("barrier at the end")
{
	warp_scene_init(&s, 1);
	s.kernel[0].block_threads = 64;
	warp_scene_compute(&s, 0, 1, 1, 0, 0);
	warp_scene_step(&s, 0, STEP_BARRIER, 1);
	runs_as("0 1 2w1 3w1", 4);
}

/* ---- memory ---- */

/* 128 bytes at 10 bytes a cycle: 12.8 cycles each. */
static void memory_scene(enum warp_step_kind kind, uint32_t count)
{
	warp_scene_init(&s, 1);
	s.warps.machine.bandwidth = 10000;
	s.warps.machine.dram_latency = 100;
	warp_scene_step(&s, 0, kind, count);
}

TEST("server")
{
	memory_scene(STEP_LOAD, 3);
	struct warp_run *r = warp_run(&s);
	/* Issued at 0, 1, 2; through at 12.8, 25.6, 38.4. */
	assert_int_equal(r->issues[0].result, 113);
	assert_int_equal(r->issues[1].result, 126);
	assert_int_equal(r->issues[2].result, 139);
	assert_int_equal(r->cycles, 139);
	assert_int_equal(r->kernel[0].dram_bytes, 384);
	assert_int_equal(r->kernel[0].accesses, 3);
	assert_int_equal(r->issues[0].level, LEVEL_DRAM);
	warp_run_free(r);
	end(NULL);
	/* After a pause it starts anew: by 40 the server has been free for a while. */
	memory_scene(STEP_LOAD, 1);
	warp_scene_compute(&s, 0, 1, 39, 0, 0);
	warp_scene_step(&s, 0, STEP_LOAD, 1)->first = 1;
	r = warp_run(&s);
	assert_int_equal(r->issues[2].cycle, 40);
	assert_int_equal(r->issues[2].result, 40 + 13 + 100);
	warp_run_free(r);
}

/* No warp waits for stores, but they load the server. */
TEST("stores")
{
	memory_scene(STEP_STORE, 2);
	warp_scene_step(&s, 0, STEP_LOAD, 1);
	struct warp_run *r = warp_run(&s);
	assert_int_equal(r->issues[0].result, -1);
	assert_int_equal(r->issues[2].result, 139);
	warp_run_free(r);
	end(NULL);
	memory_scene(STEP_STORE, 4);
	runs_as("0 1 2 3", 4);
}

/* All SMs share one server; requests pass in the order of SMs. */
TEST("one server")
{
	memory_scene(STEP_LOAD, 1);
	s.platform.sms = 3;
	s.kernel[0].blocks = 3;
	struct warp_run *r = warp_run(&s);
	const int64_t results[] = {113, 126, 139};
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(r->issues[i].sm, i);
		assert_int_equal(r->issues[i].result, results[i]);
	}
	warp_run_free(r);
}

/* Sectors of 32 bytes: counted by the bytes of the threads, or one for each thread with an address
 * elsewhere. */
TEST("sectors")
{
	static const struct {
		uint32_t threads, bytes;
		int64_t coalescing_ppm, sectors;
	} rows[] = {{32, 4, 1000000, 4}, {32, 4, 0, 32}, {32, 8, 1000000, 8}, {1, 1, 1000000, 1},
		{9, 4, 1000000, 2}, {8, 4, 1000000, 1}, {32, 4, 900000, 4}, {32, 4, 500000, 16},
		{31, 4, 500000, 16}, {3, 16, 1, 3}, {32, 1, 1000000, 1}, {3, 16, 500000, 2}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		memory_scene(STEP_LOAD, 1);
		s.step[0][0].threads = rows[i].threads;
		s.step[0][0].bytes = rows[i].bytes;
		s.step[0][0].coalescing_ppm = rows[i].coalescing_ppm;
		struct warp_run *r = warp_run(&s);
		assert_int_equal(r->kernel[0].dram_bytes, 32 * rows[i].sectors);
		warp_run_free(r);
		end(NULL);
	}
}

/* Levels that are certain, and their times. */
TEST("levels")
{
	static const struct {
		int64_t l1, l2;
		enum warp_level level;
		int64_t result;
	} rows[] = {{1000000, 0, LEVEL_L1, 7}, {0, 1000000, LEVEL_L2, 30}, {0, 0, LEVEL_DRAM, 113}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		memory_scene(STEP_LOAD, 1);
		s.warps.machine.l1_latency = 7;
		s.warps.machine.l2_latency = 30;
		s.step[0][0].l1_hit_ppm = rows[i].l1;
		s.step[0][0].l2_hit_ppm = rows[i].l2;
		struct warp_run *r = warp_run(&s);
		assert_int_equal(r->issues[0].level, rows[i].level);
		assert_int_equal(r->issues[0].result, rows[i].result);
		assert_int_equal(r->kernel[0].l1_hits, rows[i].level == LEVEL_L1);
		assert_int_equal(r->kernel[0].l2_hits, rows[i].level == LEVEL_L2);
		warp_run_free(r);
		end(NULL);
	}
}

/* About as many hits as the ratios say. Another scheduler has the same ones, another seed has others. */
TEST("draws")
{
	uint8_t seen[3][4000];
	for (int run = 0; run < 3; run++) {
		memory_scene(STEP_LOAD, 1000);
		s.kernel[0].block_threads = 128;
		s.step[0][0].l1_hit_ppm = 300000;
		s.step[0][0].l2_hit_ppm = 500000;
		s.options.scheduler = run == 1 ? SCHEDULE_LRR : SCHEDULE_GTO;
		s.options.rotate_cycle = true;
		s.setup.seed = run == 2 ? 2 : 1;
		struct warp_run *r = warp_run(&s);
		assert_in_range(r->kernel[0].l1_hits, 1100, 1300);
		assert_in_range(r->kernel[0].l2_hits, 1300, 1500);
		for (size_t i = 0; i < 4000; i++)
			seen[run][1000 * r->issues[i].warp + r->issues[i].number] = r->issues[i].level;
		warp_run_free(r);
		end(NULL);
	}
	assert_memory_equal(seen[0], seen[1], sizeof(seen[0]));
	assert_memory_not_equal(seen[0], seen[2], sizeof(seen[0]));
}

/* ---- energy ---- */

/* A block of 40 threads: warps of 32 and 8. */
TEST("energy")
{
	warp_scene_init(&s, 1);
	struct warp_machine *m = &s.warps.machine;
	s.platform.static_uw = 11;
	m->unit_fj[WARP_SFU] = 2;
	m->shared_fj = 30;
	m->global_fj = 500;
	m->dram_byte_fj = 7000;
	s.kernel[0].block_threads = 40;
	warp_scene_step(&s, 0, STEP_COMPUTE, 3)->unit = WARP_SFU;
	warp_scene_step(&s, 0, STEP_SHARED_STORE, 1)->threads = 20;
	warp_scene_step(&s, 0, STEP_LOAD, 1);
	warp_scene_step(&s, 0, STEP_BARRIER, 1);
	struct warp_run *r = warp_run(&s);
	const int64_t own = 3 * 40 * 2 + 28 * 30 + 40 * 500 + 5 * 32 * 7000;
	assert_int_equal(r->kernel[0].energy_fj, own);
	/* The static part covers the horizon of 1000 ns, which is longer than the run. */
	assert_true(r->outcome.end_ns < 1000);
	assert_int_equal((int64_t)r->energy, own + 11 * 1000);
	assert_int_equal(r->kernel[0].thread_instructions, 3 * 40 + 28 + 40 + 40);
	assert_int_equal(r->kernel[0].warp_instructions, 12);
	warp_run_free(r);
}
