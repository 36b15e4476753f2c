/* tests/unit/test_copies.c - models/copies.c: copy engines, their queues, and unlimited ones. */
#include "tests/support/test.h"
#include "tests/unit/timeline.h"

static bool plan_fifo(struct plan *plan, struct error *err)
{
	(void)err;
	plan->copy_order = order_by_arrival;
	return true;
}

static bool plan_priority(struct plan *plan, struct error *err)
{
	(void)err;
	plan->copy_order = order_by_priority;
	return true;
}

static bool plan_streams(struct plan *plan, struct error *err)
{
	(void)err;
	plan->copy_order = order_by_stream_priority;
	return true;
}

static const struct policy fifo = {.name = "fifo", .plan = plan_fifo};
static const struct policy priority = {.name = "priority", .plan = plan_priority};
static const struct policy high_first = {.name = "high-first", .plan = plan_streams};

static struct maker k;

static int begin(void **state)
{
	maker_init(&k, 100);
	return 0;
}

static int end(void **state)
{
	maker_finish(&k);
	return 0;
}

EACH_TEST(begin, end);

static struct segment *copy(int64_t offset, int64_t deadline, enum copy_direction direction, int64_t time)
{
	maker_task(&k, "t", 200, deadline, offset);
	return maker_copy(&k, direction, time);
}

static void happens(const struct policy *policy, const char *what)
{
	struct observed o = observe_under(&k, policy);
	assert_string_equal(spans(&o), what);
	observed_finish(&o);
}

TEST("one engine for both directions")
{
	copy(0, 100, COPY_TO_GPU, 3);
	copy(0, 90, COPY_TO_CPU, 2);
	copy(1, 80, COPY_BOTH, 2);
	happens(&fifo, "t0.0.0 copy0 0-3; t1.0.0 copy0 3-5; t2.0.0 copy0 5-7");
}

TEST("two engines one per direction")
{
	k.platform.engines = 2;
	copy(0, 100, COPY_TO_GPU, 3);
	copy(0, 90, COPY_TO_CPU, 2);
	copy(1, 80, COPY_BOTH, 2);
	copy(1, 80, COPY_TO_CPU, 2);
	happens(&fifo, "t1.0.0 copy1 0-2; t0.0.0 copy0 0-3; t3.0.0 copy1 2-4; t2.0.0 copy0 3-5");
}

TEST("unlimited engines")
{
	k.platform.engines = ENGINES_UNLIMITED;
	copy(0, 100, COPY_TO_GPU, 3);
	copy(0, 90, COPY_TO_CPU, 2);
	copy(1, 80, COPY_BOTH, 2);
	happens(&fifo, "t1.0.0 copy0 0-2; t0.0.0 copy0 0-3; t2.0.0 copy0 1-3");
}

TEST("by priority but never preempted")
{
	copy(0, 100, COPY_TO_GPU, 3);
	copy(1, 90, COPY_TO_GPU, 2);
	copy(2, 80, COPY_TO_GPU, 2);
	happens(&priority, "t0.0.0 copy0 0-3; t2.0.0 copy0 3-5; t1.0.0 copy0 5-7");
}

TEST("high streams first")
{
	copy(0, 100, COPY_TO_GPU, 3);
	copy(1, 80, COPY_TO_GPU, 2);
	copy(2, 90, COPY_TO_GPU, 2)->stream_high = true;
	happens(&high_first, "t0.0.0 copy0 0-3; t2.0.0 copy0 3-5; t1.0.0 copy0 5-7");
}

/* Copies that enter at one instant: first come first served is reversed, priorities, too; a copy that waited
 * goes first. */
TEST("ties lower first")
{
	k.setup.ties = TIES_LOWER_FIRST;
	copy(0, 80, COPY_TO_GPU, 2);
	copy(0, 90, COPY_TO_GPU, 2);
	copy(0, 100, COPY_TO_GPU, 2);
	happens(&fifo, "t2.0.0 copy0 0-2; t1.0.0 copy0 2-4; t0.0.0 copy0 4-6");
	/* The lowest gets the free engine; then, of those that waited, the highest goes on. */
	happens(&priority, "t2.0.0 copy0 0-2; t0.0.0 copy0 2-4; t1.0.0 copy0 4-6");
}

TEST("one that enters now loses to one that waited")
{
	k.setup.ties = TIES_LOWER_FIRST;
	copy(0, 100, COPY_TO_GPU, 3);
	copy(1, 90, COPY_TO_GPU, 2);
	copy(3, 80, COPY_TO_GPU, 2);
	happens(&priority, "t0.0.0 copy0 0-3; t1.0.0 copy0 3-5; t2.0.0 copy0 5-7");
	k.setup.ties = TIES_TASK_ORDER;
	happens(&priority, "t0.0.0 copy0 0-3; t2.0.0 copy0 3-5; t1.0.0 copy0 5-7");
}

TEST("bytes take latency and transfer")
{
	k.platform.copy_bandwidth = 1000000000;
	k.platform.copy_latency_ns = 2;
	copy(0, 100, COPY_TO_GPU, 0)->bytes = 7;
	happens(&fifo, "t0.0.0 copy0 0-9");
}

TEST("what runs at the end is stopped")
{
	k.setup.stop = STOP_HORIZON;
	copy(98, 100, COPY_TO_GPU, 3);
	copy(98, 100, COPY_TO_GPU, 3);
	happens(&fifo, "t0.0.0 copy0 98-100 s");
	k.platform.engines = ENGINES_UNLIMITED;
	happens(&fifo, "t0.0.0 copy0 98-100 s; t1.0.0 copy0 98-100 s");
}
