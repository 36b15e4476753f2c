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
