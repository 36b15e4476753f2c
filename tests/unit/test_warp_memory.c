/* tests/unit/test_warp_memory.c - models/warps/memory.c and requests.c: what is left of L1 when a warp comes
 * back to it, and how many lines an SM may wait for. */
#include "tests/support/test.h"
#include "tests/support/warp_runs.h"

#define LINES 10

static struct warp_scene scene;

static int begin(void **state)
{
	warp_scene_init(&scene, 1);
	scene.warps.machine.l1_bytes = (LINES + 1) * WARP_LINE_BYTES - 1;
	return 0;
}

static int end(void **state)
{
	warp_scene_finish(&scene);
	return 0;
}

EACH_TEST(begin, end);

static struct warp_step *loads(uint32_t count)
{
	struct warp_step *s = warp_scene_step(&scene, 0, STEP_LOAD, count);
	s->l2_hit_ppm = 1000000;
	return s;
}

static void hits_are(int64_t hits)
{
	warp_scene_ready(&scene);
	struct warp_run *run = warp_run_in_steps(&scene, 1000);
	assert_int_equal(run->kernel[0].l1_hits, hits);
	warp_run_free(run);
}

TEST("a line stays as long as no more have been filled than there are")
{
	loads(1);
	loads(LINES);
	loads(1)->reuse = LINES + 1;
	hits_are(1);
}

TEST("one more pushes it out")
{
	loads(1);
	loads(LINES + 1);
	loads(1)->reuse = LINES + 2;
	hits_are(0);
}

TEST("hits and stores fill nothing")
{
	loads(1);
	loads(LINES);
	loads(2)->reuse = 2;
	warp_scene_step(&scene, 0, STEP_STORE, 3);
	loads(1)->reuse = LINES + 3;
	hits_are(3);
}

TEST("scattered loads fill a line for each thread")
{
	struct warp_step *s;
	loads(1);
	s = loads(1);
	s->coalescing_ppm = 0;
	s->threads = LINES;
	loads(1)->reuse = 2;
	s = loads(1);
	s->bytes = 8;
	s->threads = 17; /* 136 bytes: two lines; behind those of the scattered one */
	loads(1)->reuse = 4;
	hits_are(1);
}

TEST("nothing is there before a warp's first loads")
{
	loads(3)->reuse = 2;
	hits_are(1);
}

/* ---- L2 ---- */

static void begin_l2(uint32_t kernels)
{
	warp_scene_finish(&scene);
	warp_scene_init(&scene, kernels);
	scene.warps.machine.l1_bytes = WARP_LINE_BYTES;
	scene.warps.machine.l2_bytes = (LINES + 1) * WARP_LINE_BYTES - 1;
}

/* Accesses of a whole line, which go to DRAM unless L2 has what they reuse. */
static struct warp_step *to_dram(uint32_t kernel, enum warp_step_kind kind, uint32_t count)
{
	return warp_scene_step(&scene, kernel, kind, count);
}

static void l2_hits_are(int64_t hits, int64_t dram_lines)
{
	warp_scene_ready(&scene);
	struct warp_run *run = warp_run_in_steps(&scene, 1000);
	assert_int_equal(run->kernel[0].l1_hits, 0);
	assert_int_equal(run->kernel[0].l2_hits, hits);
	assert_int_equal(run->kernel[0].dram_bytes, dram_lines * WARP_LINE_BYTES);
	warp_run_free(run);
}

TEST("L2 has a line as long as no more have been filled than there are; it comes from there, not from DRAM")
{
	begin_l2(1);
	to_dram(0, STEP_LOAD, 1 + LINES);
	to_dram(0, STEP_LOAD, 1)->reuse = LINES + 1;
	l2_hits_are(1, 1 + LINES);
}

TEST("a hit in L2 takes its latency, and waits for no server")
{
	begin_l2(1);
	scene.warps.machine.l2_latency = 10;
	scene.warps.machine.dram_latency = 50;
	to_dram(0, STEP_LOAD, 3);
	to_dram(0, STEP_LOAD, 1)->reuse = 3;
	warp_scene_compute(&scene, 0, 1, 1, 1, 0);
	warp_scene_compute(&scene, 0, 1, 1, 5, 0);
	warp_scene_compute(&scene, 0, 1, 1, 4, 0);
	warp_scene_ready(&scene);
	struct warp_run *run = warp_run(&scene);
	/* 128 bytes, one in a cycle: the first passes in cycle 128, the third in 384. The fourth hits in 3.
	 */
	const int64_t cycles[] = {0, 1, 2, 3, 13, 128 + 50, 384 + 50};
	assert_int_equal(run->issues_count, sizeof(cycles) / sizeof(cycles[0]));
	for (size_t i = 0; i < run->issues_count; i++)
		assert_int_equal(run->issues[i].cycle, cycles[i]);
	warp_run_free(run);
}

TEST("one more pushes it out of L2, too")
{
	begin_l2(1);
	to_dram(0, STEP_LOAD, 2 + LINES);
	to_dram(0, STEP_LOAD, 1)->reuse = LINES + 2;
	l2_hits_are(0, 3 + LINES);
}

TEST("stores that go to DRAM push lines out of L2; what hits L2 does not")
{
	begin_l2(1);
	to_dram(0, STEP_LOAD, 2);
	to_dram(0, STEP_STORE, LINES - 1);
	warp_scene_step(&scene, 0, STEP_LOAD, 1)->l2_hit_ppm = 1000000;
	warp_scene_step(&scene, 0, STEP_STORE, 1)->l2_hit_ppm = 1000000;
	to_dram(0, STEP_LOAD, 1)->reuse = 3;
	to_dram(0, STEP_STORE, 1);
	to_dram(0, STEP_LOAD, 1)->reuse = 4;
	l2_hits_are(1 + 1 + 1, 2 + LINES - 1 + 1 + 1);
}

/* The loads of kernel 0, on SM 0, are one line and, 400 cycles later, the same one. */
static void with_another(uint32_t others_lines)
{
	begin_l2(2);
	scene.platform.sms = 2;
	scene.platform.blocks_per_sm = 1;
	scene.warps.machine.bandwidth = 1000000;
	to_dram(0, STEP_LOAD, 3);
	warp_scene_compute(&scene, 0, 2, 400, 1, 1);
	to_dram(0, STEP_LOAD, 1)->reuse = 3;
	scene.step[0][2].first = 1;
	to_dram(1, STEP_LOAD, others_lines);
}

TEST("what other SMs load pushes lines out of L2")
{
	with_another(LINES - 2);
	l2_hits_are(1, 3);
	with_another(LINES - 1);
	l2_hits_are(0, 4);
}

TEST("without a size only draws say what hits L2")
{
	begin_l2(1);
	scene.warps.machine.l2_bytes = 0;
	to_dram(0, STEP_LOAD, 3);
	to_dram(0, STEP_LOAD, 1)->reuse = 3;
	warp_scene_step(&scene, 0, STEP_LOAD, 1)->reuse = 4;
	scene.step[0][2].l2_hit_ppm = 1000000;
	l2_hits_are(1, 4);
}

/* ---- a limit on lines that are on their way ---- */

/* The cycles in which instructions are issued, `count` of them. */
static void issued_in(const int64_t *cycles, size_t count)
{
	warp_scene_ready(&scene);
	struct warp_run *run = warp_run(&scene);
	assert_int_equal(run->issues_count, count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(run->issues[i].cycle, cycles[i]);
	warp_run_free(run);
}
#define ISSUED(...)                                                                                          \
	issued_in((const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

static void limit(int64_t requests)
{
	scene.warps.machine.requests = requests;
	scene.warps.machine.l2_latency = 10;
}

TEST("an SM takes a load when an earlier one has been answered")
{
	limit(2);
	loads(5);
	ISSUED(0, 1, 10, 11, 20);
}

TEST("without a limit it takes them all")
{
	limit(0);
	loads(5);
	ISSUED(0, 1, 2, 3, 4);
}

TEST("scattered loads wait for many lines, and are taken while fewer than the limit are on their way")
{
	limit(3);
	loads(1);
	struct warp_step *s = loads(1);
	s->coalescing_ppm = 0;
	s->threads = 8;
	loads(1);
	ISSUED(0, 1, 11);
}

TEST("a load that would hit L1 waits, too; stores do not, and are not counted")
{
	limit(1);
	warp_scene_step(&scene, 0, STEP_STORE, 2)->l2_hit_ppm = 1000000;
	warp_scene_step(&scene, 0, STEP_LOAD, 2)->l1_hit_ppm = 1000000;
	loads(1);
	warp_scene_step(&scene, 0, STEP_STORE, 1)->l2_hit_ppm = 1000000;
	warp_scene_step(&scene, 0, STEP_SHARED_LOAD, 1);
	warp_scene_step(&scene, 0, STEP_LOAD, 1)->l1_hit_ppm = 1000000;
	ISSUED(0, 1, 2, 3, 4, 5, 6, 14);
}

TEST("DRAM's answers count as those of L2, in whatever order they come")
{
	limit(2);
	scene.warps.machine.dram_latency = 3;
	warp_scene_step(&scene, 0, STEP_LOAD, 1)->l2_hit_ppm = 1000000;
	warp_scene_step(&scene, 0, STEP_LOAD, 2);
	loads(1);
	/* 128 bytes, one in a cycle: the first passes the server in cycle 129. */
	ISSUED(0, 1, 10, 132);
}

TEST("waiting for an answer counts as waiting for a unit")
{
	limit(1);
	loads(2);
	warp_scene_ready(&scene);
	struct warp_run *run = warp_run(&scene);
	assert_int_equal(run->slots[SLOT_UNIT], 9);
	warp_run_free(run);
}

/* Sub-core 1 has an active warp that waits for a result, and one behind it that would load. */
TEST("a warp that is not active waits for its scheduler, or for its unit while the SM is full")
{
	warp_scene_finish(&scene);
	warp_scene_init(&scene, 4);
	limit(1);
	scene.warps.machine.sub_cores = 2;
	scene.options.scheduler = SCHEDULE_TWO_LEVEL;
	scene.options.active = 1;
	warp_scene_compute(&scene, 0, 2, 5, 0, 1);
	warp_scene_step(&scene, 0, STEP_LOAD, 1)->l2_hit_ppm = 1000000;
	scene.step[0][1].first = 1;
	warp_scene_compute(&scene, 1, 2, 30, 0, 1);
	warp_scene_compute(&scene, 2, 1, 1, 0, 0);
	warp_scene_step(&scene, 3, STEP_LOAD, 1)->l2_hit_ppm = 1000000;
	warp_scene_ready(&scene);
	struct warp_run *run = warp_run(&scene);
	/* The load of sub-core 0 is on its way from cycle 10 to 19; the active warp issues in cycles 0 and
	 * 30, and ends in 60. */
	assert_int_equal(run->slots[WARP_SLOTS + SLOT_UNIT], 10);
	assert_int_equal(run->slots[WARP_SLOTS + SLOT_SCHEDULER], 9 + 10 + 29);
	warp_run_free(run);
}
