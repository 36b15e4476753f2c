/* tests/golden/test_golden_profiles.c - profiles of real applications, replayed. The bounds are the errors
 * that were measured when the replay of profiles was written, rounded up (docs/validation.md). Profiles that
 * are not there are left out; unit/test_replay_captured.c has each rule by hand. */
#include "runs/replay/captured.h"
#include "tests/support/recordings.h"
#include "tests/support/test.h"

struct played {
	struct arena arena;
	struct capture capture;
	struct captured r;
};

/* False: the profile is not there. */
static bool play(struct played *p, const char *name, bool fit_gap)
{
	char path[RECORDINGS_PATH];
	struct error err;
	struct diagnostics d;
	*p = (struct played){0};
	if (!recordings_capture(path, name))
		return false;
	diagnostics_init(&d, path);
	bool ok = capture_read(&p->capture, path, &d, &err);
	diagnostics_print(&d, stderr);
	diagnostics_finish(&d);
	const struct captured_request q = {
		.capture = &p->capture, .unknown_blocks = true, .fit_gap = fit_gap, .gap_ns = -1};
	if (!ok || !captured_run(&p->r, &p->arena, &q, &err))
		fail_msg("%s", err.text);
	return true;
}

static void finish(struct played *p)
{
	capture_finish(&p->capture);
	arena_finish(&p->arena);
}

/* In percent. */
static double explained(const struct captured *r)
{
	return 100.0 - 100.0 * (double)r->all.reasons[CAPTURED_UNEXPLAINED] / (double)r->all.count;
}

TEST("CloverLeaf on an A100")
{
	struct played p;
	if (!play(&p, "nsys/cloverleaf-a100.sqlite", false))
		return;
	assert_int_equal(p.r.by_kind[CAPTURED_KERNEL].count, 1312);
	assert_int_equal(p.r.by_kind[CAPTURED_TO_GPU].count + p.r.by_kind[CAPTURED_TO_CPU].count, 279);
	assert_true(p.r.all.median_us < 0.8);
	assert_true(p.r.all.max_us < 95);
	assert_int_equal(p.r.all.reasons[CAPTURED_UNEXPLAINED], 0);
	finish(&p);
}

/* Kernels that find no room begin when R1 and R2 say, within 1.3 us: by the record they begin up to 1.2 us
 * before the end of the block that makes room for them. */
static void expect_gtx1060(const char *name, uint64_t waits, uint64_t unexplained)
{
	struct played p;
	if (!play(&p, name, false))
		return;
	assert_true(p.r.capture->windows);
	assert_int_equal(p.r.all.count, 59);
	assert_int_equal(p.r.all.reasons[CAPTURED_NO_ROOM], waits);
	assert_int_equal(p.r.room_waits, waits);
	assert_true(p.r.room_most_ns < 1300);
	assert_int_equal(p.r.all.reasons[CAPTURED_UNEXPLAINED], unexplained);
	assert_true(explained(&p.r) > 94);
	finish(&p);
}

TEST("ten streams on a GTX 1060")
{
	expect_gtx1060("nsys/concurrent-gtx1060-s1.sqlite", 3, 3);
	expect_gtx1060("nsys/concurrent-gtx1060-s4.sqlite", 2, 3);
}

/* Without a gap the error grows along the stream. */
TEST("a network on a V100")
{
	struct played p;
	if (!play(&p, "traces/v100-dnn-ns.json.gz", false))
		return;
	assert_true(p.r.all.median_us > 2000);
	assert_in_range(p.r.fit.gap_ns, 900, 950);
	finish(&p);
	play(&p, "traces/v100-dnn-ns.json.gz", true);
	assert_true(p.r.all.median_us < 13);
	assert_true(p.r.all.max_us < 50);
	finish(&p);
}

TEST("AlexNet on an A100, two streams")
{
	struct played p;
	if (!play(&p, "traces/alexnet-a100.json.gz", false))
		return;
	assert_true(p.r.all.median_us < 11);
	assert_int_equal(p.r.all.reasons[CAPTURED_UNEXPLAINED], 0);
	finish(&p);
}
