/* tests/unit/test_warp_memory.c - models/warps/memory.c: what is left of L1 when a warp comes back to it. */
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
