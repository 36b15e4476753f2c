/* tests/unit/test_gpu.c - models/gpu.c: the primary queue (rules R1 and R2), stream priorities, on which SM
 * blocks go, kernels on SMs of their own. */
#include "tests/support/test.h"
#include "tests/unit/two_sms.h"

EACH_TEST(begin, end);

/* ---- rules R1 and R2 ---- */

TEST("blocks go to the SM with most free threads")
{
	kernel(0, 3, 32, 4);
	kernel(1, 1, 64, 4);
	places("t0.0.0 b0 @0 0-4; t0.0.0 b1 @1 0-4; t0.0.0 b2 @0 0-4; t1.0.0 b0 @1 1-5");
}

TEST("only the head places blocks")
{
	kernel(0, 3, 128, 4); /* two now, one later */
	kernel(0, 1, 32, 1);  /* would not fit anyway */
	kernel(1, 1, 32, 1);
	runs(NULL, "t1.0.0 gpu 4-5; t2.0.0 gpu 4-5; t0.0.0 gpu 0-8");
}

TEST("the head blocks smaller ones behind it")
{
	kernel(0, 1, 32, 10);
	kernel(1, 3, 128, 2); /* one SM is free: one block at a time */
	kernel(2, 1, 32, 1);  /* fits SM 0 from 2 on, must wait */
	places("t1.0.0 b0 @1 1-3; t1.0.0 b1 @1 3-5; t2.0.0 b0 @0 5-6; t1.0.0 b2 @1 5-7; t0.0.0 b0 @0 0-10");
}

TEST("a kernel enters when it is head of its stream")
{
	kernel(0, 2, 128, 4)->stream = 9;
	kernel(1, 2, 128, 4)->stream = 9;
	kernel(2, 2, 128, 3);
	runs(NULL, "t0.0.0 gpu 0-4; t2.0.0 gpu 4-7; t1.0.0 gpu 7-11");
}

TEST("simultaneous kernels enter by task")
{
	kernel(0, 2, 128, 4);
	kernel(0, 2, 128, 3);
	runs(NULL, "t0.0.0 gpu 0-4; t1.0.0 gpu 4-7");
	k.setup.ties = TIES_LOWER_FIRST;
	runs(NULL, "t1.0.0 gpu 0-3; t0.0.0 gpu 3-7");
}

/* In the order by release, an earlier job's kernel goes before a head that has placed some of its blocks. */
TEST("order release")
{
	maker_task(&k, "early", 200, 200, 0);
	maker_cpu(&k, 5, 5);
	maker_grid(&k, 1, 128, 2);
	kernel(1, 3, 128, 5); /* two at 1, the third at 6 */
	runs("order=head", "t0.0.0 cpu 0-5; t0.0.1 gpu 6-8; t1.0.0 gpu 1-11");
	struct observed o = observe(&k, "fifo-cke", "order=head");
	assert_string_equal(
		blocks(&o), "t1.0.0 b0 @0 1-6; t1.0.0 b1 @1 1-6; t0.0.1 b0 @1 6-8; t1.0.0 b2 @0 6-11");
	observed_finish(&o);
	o = observe(&k, "fifo-cke", "order=release");
	assert_string_equal(
		blocks(&o), "t1.0.0 b0 @0 1-6; t1.0.0 b1 @1 1-6; t0.0.1 b0 @0 6-8; t1.0.0 b2 @1 6-11");
	observed_finish(&o);
}

/* ---- stream priorities ---- */

TEST("high streams pass low ones that wait")
{
	kernel(0, 2, 128, 4);
	kernel(1, 2, 128, 4);
	kernel(2, 2, 128, 4)->stream_high = true;
	runs(NULL, "t0.0.0 gpu 0-4; t2.0.0 gpu 4-8; t1.0.0 gpu 8-12");
}

/* The high kernel does not fit, and yet no low block is placed. */
TEST("low blocks wait behind a high kernel that does not fit")
{
	kernel(0, 2, 96, 10);
	kernel(1, 2, 32, 2);
	kernel(1, 1, 64, 2)->stream_high = true;
	runs(NULL, "t0.0.0 gpu 0-10; t1.0.0 gpu 10-12; t2.0.0 gpu 10-12");
}

/* ---- where blocks go ---- */

TEST("even SMs first with two per TPC")
{
	k.platform.sms = 5;
	k.platform.sms_per_tpc = 2;
	kernel(0, 6, 32, 1);
	places("t0.0.0 b0 @0 0-1; t0.0.0 b1 @2 0-1; t0.0.0 b2 @4 0-1; t0.0.0 b3 @1 0-1; t0.0.0 b4 @3 0-1; "
	       "t0.0.0 b5 @0 0-1");
}

TEST("threads are rounded to warps")
{
	k.platform.sms = 1;
	kernel(0, 3, 33, 1); /* 64 threads each: two fit 128 */
	places("t0.0.0 b0 @0 0-1; t0.0.0 b1 @0 0-1; t0.0.0 b2 @0 1-2");
}

TEST("at most 32 blocks")
{
	k.platform.sms = 1;
	k.platform.threads_per_sm = 2048;
	k.platform.blocks_per_sm = 32;
	kernel(0, 33, 1, 3);
	struct observed o = observe(&k, "fifo-cke", NULL);
	uint32_t at_once = 0;
	for (size_t i = 0; i < o.count; i++)
		at_once += o.records[i].kind == TRACE_BLOCKS_START && o.records[i].time == 0;
	assert_int_equal(at_once, 32);
	assert_int_equal(o.outcome.end_ns, 6);
	observed_finish(&o);
	k.set.tasks[0].segments[0].grid = 32;
	o = observe(&k, "fifo-cke", NULL);
	assert_int_equal(o.outcome.end_ns, 3);
	observed_finish(&o);
}

/* The SM with the most free threads lacks shared memory: the next best SM with room takes the block. */
TEST("another limit sends a block elsewhere")
{
	k.platform.shared_memory_per_sm = 10;
	kernel(0, 1, 32, 9)->shared_memory = 10; /* SM 0: 96 threads, no memory */
	kernel(1, 1, 64, 9);                     /* SM 1: 64 threads */
	kernel(2, 1, 32, 1)->shared_memory = 1;  /* SM 0 has more threads, SM 1 the memory */
	places("t2.0.0 b0 @1 2-3; t0.0.0 b0 @0 0-9; t1.0.0 b0 @1 1-10");
}

TEST("registers count for rounded threads")
{
	k.platform.sms = 1;
	k.platform.registers_per_sm = 128;
	kernel(0, 2, 33, 1)->registers = 1; /* 64 each: two fit */
	places("t0.0.0 b0 @0 0-1; t0.0.0 b1 @0 0-1");
	k.platform.registers_per_sm = 127;
	places("t0.0.0 b0 @0 0-1; t0.0.0 b1 @0 1-2");
}

TEST("without a thread limit the emptiest SM wins")
{
	k.platform.threads_per_sm = 0;
	kernel(0, 1, 64, 9);
	kernel(1, 3, 32, 9);
	places("t0.0.0 b0 @0 0-9; t1.0.0 b0 @1 1-10; t1.0.0 b1 @1 1-10; t1.0.0 b2 @0 1-10");
}

TEST("pool GPU counts threads only")
{
	k.platform.pool = POOL_GPU;
	k.platform.threads_per_sm = 50;
	k.platform.blocks_per_sm = 1; /* does not bind there */
	kernel(0, 5, 33, 2);
	places("t0.0.0 b0+3 0-2; t0.0.0 b3+2 2-4");
	k.set.tasks[0].segments[0].block = 100;
	k.set.tasks[0].segments[0].grid = 1;
	places("t0.0.0 b0 0-2");
}

TEST("waves of one kernel overlap")
{
	kernel(0, 1, 96, 3);
	kernel(1, 5, 64, 4); /* SM 1 takes two, SM 0 none until 3 */
	places("t0.0.0 b0 @0 0-3; t1.0.0 b0 @1 1-5; t1.0.0 b1 @1 1-5; t1.0.0 b2 @0 3-7; t1.0.0 b3 @0 3-7; "
	       "t1.0.0 b4 @1 5-9");
}

TEST("persistent blocks stand in the queue")
{
	kernel(0, 1, 32, 3);
	maker_task(&k, "work", 200, 200, 0);
	maker_work(&k, 10, 10, 0); /* one block of a whole SM on each: SM 1 now, SM 0 at 3 */
	places("t0.0.0 b0 @0 0-3; t1.0.0 b0 @1 0-5; t1.0.0 b1 @0 3-8");
}

/* ---- SMs of their own ---- */

static uint32_t sm_1[] = {1}, sms_0_1[] = {0, 1}, one_each[] = {1, 1};
static const struct grant sets[2] = {{.count = 1, .sm = sm_1}, {0}};
static const struct grant slots[2] = {
	{.count = 2, .sm = sms_0_1, .slots = one_each, .virtual_sms = 2},
	{.count = 2, .sm = sms_0_1, .slots = one_each, .virtual_sms = 2},
};

static bool plan_sets(struct plan *plan, struct error *err)
{
	(void)err;
	plan->grants = sets;
	return true;
}

static bool plan_slots(struct plan *plan, struct error *err)
{
	(void)err;
	plan->grants = slots;
	plan->virtual_sms = 2;
	return true;
}

static const struct policy with_sets = {.name = "sets", .plan = plan_sets};
static const struct policy with_slots = {.name = "slots", .plan = plan_slots};

TEST("a grant is kept to in waves")
{
	kernel(0, 3, 64, 2);  /* two on SM 1, then one */
	kernel(0, 1, 128, 9); /* the queue goes on meanwhile */
	struct observed o = observe_under(&k, &with_sets);
	assert_string_equal(
		blocks(&o), "t0.0.0 b0 @1 0-2; t0.0.0 b1 @1 0-2; t0.0.0 b2 @1 2-4; t1.0.0 b0 @0 0-9");
	assert_int_equal(observed_find(&o, TRACE_SPAN, 0, 0)->m, 1);
	assert_int_equal(observed_find(&o, TRACE_SPAN, 1, 0)->m, 0);
	assert_int_equal(observed_find(&o, TRACE_SPAN, 0, 0)->value, 3);
	observed_finish(&o);
}

TEST("virtual SMs take one block each")
{
	kernel(0, 5, 32, 2); /* two at a time: ceil(5 / 2) waves */
	kernel(0, 2, 32, 3);
	struct observed o = observe_under(&k, &with_slots);
	assert_string_equal(spans(&o), "t1.0.0 gpu 0-3; t0.0.0 gpu 0-6");
	assert_int_equal(observed_find(&o, TRACE_SPAN, 0, 0)->m, 2);
	observed_finish(&o);
}

TEST("blocks that run at the end are stopped")
{
	k.setup.stop = STOP_HORIZON;
	kernel(95, 3, 128, 3);
	struct observed o = observe(&k, "fifo-cke", NULL);
	assert_string_equal(blocks(&o), "t0.0.0 b0 @0 95-98; t0.0.0 b1 @1 95-98; t0.0.0 b2 @0 98-100");
	assert_string_equal(spans(&o), "t0.0.0 gpu 95-100 s");
	assert_int_equal(observed_find(&o, TRACE_SPAN, 0, 0)->value, 2); /* blocks that ended */
	observed_finish(&o);
}
