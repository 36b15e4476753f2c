/* tests/unit/test_overheads.c - overheads of the platform: models/cpu.c, streams.c, jobs.c; docs/model.md. */
#include "models/gate.h"
#include "tests/support/test.h"
#include "tests/unit/timeline.h"

static bool plan_busy(struct plan *plan, struct error *err)
{
	(void)err;
	plan->wait = WAIT_BUSY;
	return true;
}

static bool plan_boost(struct plan *plan, struct error *err)
{
	(void)err;
	plan->wait = WAIT_BOOST;
	return true;
}

static bool plan_suspend(struct plan *plan, struct error *err)
{
	(void)plan;
	(void)err;
	return true;
}

static const struct policy busy = {.name = "busy", .plan = plan_busy};
static const struct policy boost = {.name = "boost", .plan = plan_boost};
static const struct policy suspend = {.name = "suspend", .plan = plan_suspend};

static struct maker k;

static int begin(void **state)
{
	maker_init(&k, 100);
	k.platform.engines = ENGINES_UNLIMITED; /* copies wait for nothing but what is tested */
	return 0;
}

static int end(void **state)
{
	maker_finish(&k);
	return 0;
}

EACH_TEST(begin, end);

static void happens(const struct policy *policy, const char *what)
{
	struct observed o = observe_under(&k, policy);
	assert_string_equal(spans(&o), what);
	observed_finish(&o);
}

static struct segment *copy(int64_t time)
{
	return maker_copy(&k, COPY_TO_GPU, time);
}

/* ---- launch ---- */

/* Low at 0 with two copies of 3, high at 3 with 4 on the core. */
static void two_copies(int64_t high_at)
{
	maker_task(&k, "low", 200, 200, 0);
	copy(3);
	copy(3);
	maker_task(&k, "high", 200, 100, high_at);
	maker_cpu(&k, 4, 4);
	k.platform.overheads.launch_ns = 2;
}

TEST("a launch suspends behind it")
{
	two_copies(3);
	happens(&suspend,
		"t0.0.0 launch 0-2; t0.0.0 copy0 2-5; t1.0.0 cpu 3-7; t0.0.1 launch 7-9; t0.0.1 copy0 9-12");
}

TEST("a launch is preempted")
{
	two_copies(1);
	happens(&suspend, "t0.0.0 launch 0-1 p; t1.0.0 cpu 1-5; t0.0.0 launch 5-6; t0.0.0 copy0 6-9;"
			  " t0.0.1 launch 9-11; t0.0.1 copy0 11-14");
}

TEST("spinning goes on behind a launch")
{
	two_copies(3);
	happens(&busy,
		"t0.0.0 launch 0-2; t0.0.0 spin 2-3 p; t0.0.0 copy0 2-5; t1.0.0 cpu 3-7; t0.0.1 launch 7-9;"
		" t0.0.1 copy0 9-12; t0.0.0 spin 9-12");
}

TEST("the next launches of a boosted job are boosted")
{
	two_copies(3);
	happens(&boost,
		"t0.0.0 launch 0-2; t0.0.0 copy0 2-5; t0.0.0 boost 2-5; t0.0.1 launch 5-7; t0.0.1 copy0 7-10;"
		" t0.0.0 boost 7-10; t1.0.0 cpu 10-14");
}

TEST("the first launch of a section is not boosted")
{
	two_copies(1);
	happens(&boost,
		"t0.0.0 launch 0-1 p; t1.0.0 cpu 1-5; t0.0.0 launch 5-6; t0.0.0 copy0 6-9; t0.0.0 boost 6-9;"
		" t0.0.1 launch 9-11; t0.0.1 copy0 11-14; t0.0.0 boost 11-14");
}

TEST("a unit waits when it is launched")
{
	maker_task(&k, "low", 200, 200, 0);
	copy(5);
	maker_task(&k, "high", 200, 100, 1);
	copy(1);
	k.platform.overheads.launch_ns = 3;
	struct observed o = observe(&k, "fcfs", NULL);
	assert_string_equal(spans(&o),
		"t0.0.0 launch 0-1 p; t1.0.0 launch 1-4; t1.0.0 copy0 4-5; t0.0.0 launch 4-6;"
		" t0.0.0 copy0 6-11");
	observed_finish(&o);
}

TEST("nothing of length zero is launched")
{
	maker_task(&k, "a", 200, 200, 0);
	copy(0);
	maker_cpu(&k, 1, 1);
	k.platform.overheads = (struct overheads){.launch_ns = 2, .sync_ns = 7};
	happens(&suspend, "t0.0.1 cpu 0-1");
}

TEST("a launch is cut off by an abort")
{
	k.setup.on_miss = MISS_ABORT;
	maker_task(&k, "a", 50, 3, 0);
	maker_cpu(&k, 2, 2);
	copy(4);
	k.platform.overheads.launch_ns = 2;
	happens(&suspend, "t0.0.0 cpu 0-2; t0.0.1 launch 2-3 a; t0.1.0 cpu 50-52; t0.1.1 launch 52-53 a");
}

/* ---- latency and gap ---- */

TEST("latency begins with the issue")
{
	maker_task(&k, "a", 200, 200, 0);
	copy(3)->stream = 5;
	maker_task(&k, "b", 200, 200, 1);
	copy(2)->stream = 5;
	maker_task(&k, "c", 200, 200, 9);
	copy(2)->stream = 5;
	k.platform.overheads.latency_ns = 4;
	happens(&suspend, "t0.0.0 copy0 4-7; t1.0.0 copy0 7-9; t2.0.0 copy0 13-15");
}

TEST("a gap begins with the end")
{
	maker_task(&k, "a", 200, 200, 0);
	copy(3)->stream = 5;
	copy(3)->stream = 6;
	maker_task(&k, "b", 200, 200, 1);
	copy(2)->stream = 5;
	maker_task(&k, "c", 200, 200, 6);
	copy(2)->stream = 6;
	k.platform.overheads.gap_ns = 4;
	happens(&suspend, "t0.0.0 copy0 0-3; t0.0.1 copy0 3-6; t1.0.0 copy0 7-9; t2.0.0 copy0 10-12");
}

/* The operation of the NULL stream stands in its stream from its issue on: what is issued behind it waits. */
TEST("latency in the NULL stream")
{
	maker_task(&k, "a", 200, 200, 0);
	copy(3)->stream = STREAM_NULL;
	maker_task(&k, "b", 200, 200, 1);
	copy(2);
	k.platform.overheads.latency_ns = 5;
	happens(&suspend, "t0.0.0 copy0 5-8; t1.0.0 copy0 8-10");
}

TEST("an operation that is removed leaves no gap")
{
	k.setup.on_miss = MISS_ABORT;
	maker_task(&k, "a", 200, 3, 0);
	copy(3)->stream = 5;
	maker_task(&k, "b", 200, 200, 0);
	copy(2)->stream = 5;
	k.platform.overheads = (struct overheads){.latency_ns = 4, .gap_ns = 6};
	happens(&suspend, "t1.0.0 copy0 4-6");
}

TEST("an operation that is cut leaves one")
{
	k.setup.on_miss = MISS_ABORT;
	k.platform.sms = 1;
	k.platform.threads_per_sm = 32;
	maker_task(&k, "a", 200, 7, 0);
	maker_grid(&k, 2, 32, 5)->stream = 5;
	maker_task(&k, "b", 200, 200, 0);
	copy(2)->stream = 5;
	k.platform.overheads.gap_ns = 6;
	happens(&suspend, "t0.0.0 gpu 0-10; t1.0.0 copy0 16-18");
}

/* ---- sync ---- */

TEST("what is behind a section waits for sync")
{
	maker_task(&k, "a", 50, 50, 0);
	copy(3);
	copy(2);
	maker_cpu(&k, 1, 1);
	copy(4);
	k.platform.overheads.sync_ns = 6;
	struct observed o = observe_under(&k, &suspend);
	assert_string_equal(ends(&o), "t0.0 finished 22; t0.1 finished 72");
	assert_string_equal(spans(&o),
		"t0.0.0 copy0 0-3; t0.0.1 copy0 3-5; t0.0.2 cpu 11-12; t0.0.3 copy0 12-16;"
		" t0.1.0 copy0 50-53; t0.1.1 copy0 53-55; t0.1.2 cpu 61-62; t0.1.3 copy0 62-66");
	observed_finish(&o);
	happens(&busy,
		"t0.0.0 copy0 0-3; t0.0.1 copy0 3-5; t0.0.0 spin 0-11; t0.0.2 cpu 11-12; t0.0.3 copy0 12-16;"
		" t0.0.3 spin 12-22; t0.1.0 copy0 50-53; t0.1.1 copy0 53-55; t0.1.0 spin 50-61;"
		" t0.1.2 cpu 61-62;"
		" t0.1.3 copy0 62-66; t0.1.3 spin 62-72");
}

TEST("a CPU segment of length zero ends a section")
{
	maker_task(&k, "a", 200, 200, 0);
	copy(3);
	maker_cpu(&k, 0, 0);
	copy(2);
	k.platform.overheads.sync_ns = 6;
	struct observed o = observe_under(&k, &busy);
	assert_string_equal(spans(&o), "t0.0.0 copy0 0-3; t0.0.2 copy0 9-11; t0.0.0 spin 0-17");
	assert_string_equal(ends(&o), "t0.0 finished 17");
	observed_finish(&o);
}

TEST("the unit is over before sync")
{
	maker_task(&k, "a", 200, 100, 0);
	copy(3);
	maker_task(&k, "b", 200, 200, 0);
	copy(2);
	k.platform.overheads.sync_ns = 6;
	struct observed o = observe(&k, "fcfs", NULL);
	assert_string_equal(spans(&o), "t0.0.0 copy0 0-3; t1.0.0 copy0 3-5");
	assert_string_equal(ends(&o), "t0.0 finished 9; t1.0 finished 11");
	observed_finish(&o);
}

TEST("a job is aborted while it waits for sync")
{
	k.setup.on_miss = MISS_ABORT;
	maker_task(&k, "a", 50, 5, 0);
	copy(3);
	k.platform.overheads.sync_ns = 6;
	struct observed o = observe_under(&k, &busy);
	assert_string_equal(ends(&o), "t0.0 aborted 5; t0.1 aborted 55");
	assert_string_equal(
		spans(&o), "t0.0.0 copy0 0-3; t0.0.0 spin 0-5 a; t0.1.0 copy0 50-53; t0.1.0 spin 50-55 a");
	observed_finish(&o);
}

TEST("an aborted job ends without sync")
{
	k.setup.on_miss = MISS_ABORT;
	maker_task(&k, "a", 200, 2, 0);
	copy(3);
	k.platform.overheads.sync_ns = 6;
	struct observed o = observe_under(&k, &suspend);
	assert_string_equal(ends(&o), "t0.0 aborted 3");
	observed_finish(&o);
}

TEST("a job that syncs at its deadline is in time")
{
	k.setup.on_miss = MISS_ABORT;
	maker_task(&k, "a", 200, 9, 0);
	copy(3);
	k.platform.overheads.sync_ns = 6;
	struct observed o = observe_under(&k, &suspend);
	assert_string_equal(ends(&o), "t0.0 finished 9");
	assert_int_equal(o.outcome.misses, 0);
	observed_finish(&o);
}

/* ---- switch ---- */

/* High comes in the middle of the switch to low, which then pays in full; a job that comes back to a core
 * that nobody has had pays nothing. */
TEST("a switch")
{
	maker_task(&k, "low", 200, 200, 0);
	maker_cpu(&k, 4, 4);
	copy(5);
	maker_cpu(&k, 1, 1);
	maker_task(&k, "high", 200, 100, 2);
	maker_cpu(&k, 3, 3);
	k.platform.overheads.switch_ns = 3;
	happens(&suspend, "t0.0.0 switch 0-2 p; t1.0.0 switch 2-5; t1.0.0 cpu 5-8; t0.0.0 switch 8-11;"
			  " t0.0.0 cpu 11-15;"
			  " t0.0.1 copy0 15-20; t0.0.2 cpu 20-21");
}

TEST("the next job of a task pays for the switch")
{
	maker_task(&k, "a", 60, 60, 0);
	maker_cpu(&k, 4, 4);
	k.platform.overheads.switch_ns = 3;
	happens(&suspend, "t0.0.0 switch 0-3; t0.0.0 cpu 3-7; t0.1.0 switch 60-63; t0.1.0 cpu 63-67");
}

/* The section ends while its job gets the core back: what is left of the switch comes before the segment. */
TEST("a switch of a job that spins")
{
	maker_task(&k, "low", 200, 200, 0);
	copy(9);
	maker_cpu(&k, 2, 2);
	maker_task(&k, "high", 200, 100, 3);
	maker_cpu(&k, 1, 1);
	k.platform.overheads.switch_ns = 3;
	happens(&busy,
		"t0.0.0 switch 0-3; t1.0.0 switch 3-6; t1.0.0 cpu 6-7; t0.0.0 copy0 0-9; t0.0.0 switch 7-9 p;"
		" t0.0.1 switch 9-10; t0.0.1 cpu 10-12");
}

TEST("a job in its first switch has started")
{
	k.setup.on_miss = MISS_DROP;
	maker_task(&k, "a", 200, 2, 0);
	maker_cpu(&k, 4, 4);
	k.platform.overheads.switch_ns = 3;
	struct observed o = observe_under(&k, &suspend);
	assert_string_equal(ends(&o), "t0.0 finished 7");
	assert_int_equal(observed_find(&o, TRACE_JOB_END, 0, 0)->ready, 0);
	observed_finish(&o);
}

/* ---- release ---- */

TEST("releases interrupt")
{
	maker_task(&k, "high", 200, 100, 0);
	maker_cpu(&k, 6, 6);
	maker_task(&k, "low", 200, 200, 5);
	maker_cpu(&k, 1, 1);
	maker_task(&k, "none", 200, 200, 5);
	maker_cpu(&k, 0, 0);
	k.platform.overheads = (struct overheads){.release_ns = 2, .switch_ns = 1};
	happens(&suspend, "t0.0.0 release 0-2; t0.0.0 switch 2-3; t0.0.0 cpu 3-5 p; t1.0.0 release 5-7;"
			  " t2.0.0 release 7-9; t0.0.0 cpu 9-13; t1.0.0 switch 13-14; t1.0.0 cpu 14-15");
}

TEST("a switch that is interrupted goes on")
{
	maker_task(&k, "high", 200, 100, 0);
	maker_cpu(&k, 1, 1);
	maker_task(&k, "low", 200, 200, 4);
	maker_cpu(&k, 1, 1);
	k.platform.overheads = (struct overheads){.release_ns = 2, .switch_ns = 5};
	happens(&suspend, "t0.0.0 release 0-2; t0.0.0 switch 2-4 p; t1.0.0 release 4-6; t0.0.0 switch 6-9;"
			  " t0.0.0 cpu 9-10; t1.0.0 switch 10-15; t1.0.0 cpu 15-16");
}

/* Interrupts that pile up; those of one task in the order of its jobs, lower tasks first. */
TEST("interrupts wait for each other")
{
	static int64_t often[] = {0, 1, 2, 3};
	maker_task(&k, "a", 200, 200, 0);
	copy(1);
	maker_trace(&k, often, 4);
	maker_task(&k, "b", 200, 200, 2);
	copy(1);
	k.platform.overheads.release_ns = 3;
	struct observed o = observe_under(&k, &suspend);
	assert_string_equal(spans(&o),
		"t0.0.0 copy0 0-1; t0.1.0 copy0 1-2; t0.0.0 release 0-3; t0.2.0 copy0 2-3; t1.0.0 copy0 2-3;"
		" t0.3.0 copy0 3-4; t0.1.0 release 3-6; t0.2.0 release 6-9; t0.3.0 release 9-12;"
		" t1.0.0 release 12-15");
	assert_int_equal(o.outcome.end_ns, 15); /* the last interrupt */
	observed_finish(&o);
}

TEST("an interrupt is stopped")
{
	k.setup.stop = STOP_HORIZON;
	maker_task(&k, "a", 200, 200, 98);
	maker_cpu(&k, 1, 1);
	k.platform.overheads.release_ns = 5;
	happens(&suspend, "t0.0.0 release 98-100 s");
}

/* The interrupt of high, released when one is over, comes before that of low, which has waited. */
TEST("a release of a higher task comes first")
{
	maker_task(&k, "high", 200, 100, 3);
	copy(1);
	maker_task(&k, "a", 200, 200, 0);
	copy(1);
	maker_task(&k, "low", 200, 200, 1);
	copy(1);
	k.platform.overheads.release_ns = 3;
	happens(&suspend, "t1.0.0 copy0 0-1; t2.0.0 copy0 1-2; t1.0.0 release 0-3; t0.0.0 copy0 3-4;"
			  " t0.0.0 release 3-6; t2.0.0 release 6-9");
}
