/* tests/unit/test_streams.c - models/streams.c: streams, shared hardware queues, the NULL stream. */
#include "tests/support/test.h"
#include "tests/unit/timeline.h"

static struct maker k;

static int begin(void **state)
{
	maker_init(&k, 100);
	k.platform.engines = ENGINES_UNLIMITED; /* only streams cause waiting */
	return 0;
}

static int end(void **state)
{
	maker_finish(&k);
	return 0;
}

EACH_TEST(begin, end);

static struct segment *copy(int64_t offset, int64_t time, int32_t stream)
{
	maker_task(&k, "t", 200, 200, offset);
	struct segment *s = maker_copy(&k, COPY_TO_GPU, time);
	s->stream = stream;
	return s;
}

static void happens(const char *what)
{
	struct observed o = observe(&k, "fifo-cke", NULL);
	assert_string_equal(spans(&o), what);
	observed_finish(&o);
}

TEST("streams of their own do not wait")
{
	copy(0, 3, STREAM_OWN);
	copy(0, 2, STREAM_OWN);
	happens("t1.0.0 copy0 0-2; t0.0.0 copy0 0-3");
}

TEST("a stream is a FIFO")
{
	copy(1, 3, 5);
	copy(0, 2, 5);
	copy(1, 2, 5);
	copy(1, 2, 6);
	happens("t1.0.0 copy0 0-2; t3.0.0 copy0 1-3; t0.0.0 copy0 2-5; t2.0.0 copy0 5-7");
}

TEST("a stream may be another tasks own")
{
	copy(0, 3, STREAM_OWN);
	copy(0, 2, 0);
	happens("t0.0.0 copy0 0-3; t1.0.0 copy0 3-5");
}

TEST("streams share hardware queues")
{
	copy(0, 3, 1);
	copy(0, 2, 33);
	copy(0, 2, 34);
	happens("t2.0.0 copy0 0-2; t0.0.0 copy0 0-3; t1.0.0 copy0 3-5");
	k.platform.work_queues = 1;
	happens("t0.0.0 copy0 0-3; t1.0.0 copy0 3-5; t2.0.0 copy0 5-7");
}

/* A head keeps its queue while it waits for the copy engine: nothing behind it passes. */
TEST("a waiting head blocks its queue")
{
	k.platform.engines = 2;
	copy(0, 5, STREAM_OWN);
	copy(0, 2, 7);
	copy(0, 2, 7)->direction = COPY_TO_CPU;
	happens("t0.0.0 copy0 0-5; t1.0.0 copy0 5-7; t2.0.0 copy1 7-9");
}

/* ---- the NULL stream ---- */

TEST("it waits for all issued before")
{
	copy(0, 3, STREAM_OWN);
	copy(0, 5, STREAM_OWN);
	copy(1, 2, STREAM_NULL);
	happens("t0.0.0 copy0 0-3; t1.0.0 copy0 0-5; t2.0.0 copy0 5-7");
}

TEST("all issued after wait for it")
{
	copy(0, 5, STREAM_NULL);
	copy(1, 2, STREAM_OWN);
	copy(2, 2, STREAM_NULL);
	copy(3, 2, STREAM_OWN);
	happens("t0.0.0 copy0 0-5; t1.0.0 copy0 5-7; t2.0.0 copy0 7-9; t3.0.0 copy0 9-11");
}

/* At one instant the order of issue is the order of tasks. */
TEST("simultaneous issues go by task")
{
	copy(0, 3, STREAM_OWN);
	copy(0, 2, STREAM_NULL);
	copy(0, 2, STREAM_OWN);
	happens("t0.0.0 copy0 0-3; t1.0.0 copy0 3-5; t2.0.0 copy0 5-7");
}

TEST("behind a head that was issued before")
{
	copy(0, 4, 3); /* head */
	copy(1, 2, 3); /* behind it, before the NULL stream */
	copy(2, 2, STREAM_NULL);
	copy(3, 2, 3); /* after it */
	happens("t0.0.0 copy0 0-4; t1.0.0 copy0 4-6; t2.0.0 copy0 6-8; t3.0.0 copy0 8-10");
}

TEST("kernels wait for it too")
{
	k.platform.sms = 1;
	copy(0, 3, STREAM_OWN);
	maker_task(&k, "kernel", 200, 200, 0);
	maker_grid(&k, 1, 32, 2)->stream = STREAM_NULL;
	maker_task(&k, "later", 200, 200, 1);
	maker_grid(&k, 1, 32, 2);
	happens("t0.0.0 copy0 0-3; t1.0.0 gpu 3-5; t2.0.0 gpu 5-7");
}

/* ---- aborts ---- */

TEST("an abort takes an operation out of any place")
{
	k.setup.on_miss = MISS_ABORT;
	copy(0, 10, 3);
	copy(0, 2, 3);
	copy(0, 3, 3);
	copy(0, 4, 3);
	k.set.tasks[2].deadline_ns = 5; /* in the middle */
	k.set.tasks[3].deadline_ns = 6; /* the last */
	struct observed o = observe(&k, "fifo-cke", NULL);
	assert_string_equal(spans(&o), "t0.0.0 copy0 0-10; t1.0.0 copy0 10-12");
	assert_string_equal(ends(&o), "t2.0 aborted 5; t3.0 aborted 6; t0.0 finished 10; t1.0 finished 12");
	observed_finish(&o);
}

/* The NULL stream's head is removed at 5: those behind it may start at once. */
TEST("an abort opens the null stream")
{
	k.setup.on_miss = MISS_ABORT;
	copy(0, 10, STREAM_OWN);
	copy(1, 2, STREAM_NULL);
	copy(2, 3, STREAM_OWN);
	k.set.tasks[1].deadline_ns = 4;
	happens("t2.0.0 copy0 5-8; t0.0.0 copy0 0-10");
}
