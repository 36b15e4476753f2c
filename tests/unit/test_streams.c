/* tests/unit/test_streams.c - models/streams.c: streams, shared hardware queues, the NULL stream. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include "tests/unit/timeline.h"

static struct maker k;

static int begin(void **state)
{
	(void)state;
	maker_init(&k, 100);
	k.platform.engines = ENGINES_UNLIMITED; /* only streams make anybody wait */
	return 0;
}

static int end(void **state)
{
	(void)state;
	maker_finish(&k);
	return 0;
}

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

static void streams_of_their_own_do_not_wait(void **state)
{
	(void)state;
	copy(0, 3, STREAM_OWN);
	copy(0, 2, STREAM_OWN);
	happens("t1.0.0 copy0 0-2; t0.0.0 copy0 0-3");
}

static void a_stream_is_a_fifo(void **state)
{
	(void)state;
	copy(1, 3, 5);
	copy(0, 2, 5);
	copy(1, 2, 5);
	copy(1, 2, 6);
	happens("t1.0.0 copy0 0-2; t3.0.0 copy0 1-3; t0.0.0 copy0 2-5; t2.0.0 copy0 5-7");
}

static void a_stream_may_be_another_tasks_own(void **state)
{
	(void)state;
	copy(0, 3, STREAM_OWN);
	copy(0, 2, 0);
	happens("t0.0.0 copy0 0-3; t1.0.0 copy0 3-5");
}

static void streams_share_hardware_queues(void **state)
{
	(void)state;
	copy(0, 3, 1);
	copy(0, 2, 33);
	copy(0, 2, 34);
	happens("t2.0.0 copy0 0-2; t0.0.0 copy0 0-3; t1.0.0 copy0 3-5");
	k.platform.work_queues = 1;
	happens("t0.0.0 copy0 0-3; t1.0.0 copy0 3-5; t2.0.0 copy0 5-7");
}

/* A head holds its queue while it waits for the copy engine: what is behind it does not pass. */
static void a_waiting_head_blocks_its_queue(void **state)
{
	(void)state;
	k.platform.engines = 2;
	copy(0, 5, STREAM_OWN);
	copy(0, 2, 7);
	copy(0, 2, 7)->direction = COPY_TO_CPU;
	happens("t0.0.0 copy0 0-5; t1.0.0 copy0 5-7; t2.0.0 copy1 7-9");
}

/* ---- the NULL stream ---- */

static void it_waits_for_all_issued_before(void **state)
{
	(void)state;
	copy(0, 3, STREAM_OWN);
	copy(0, 5, STREAM_OWN);
	copy(1, 2, STREAM_NULL);
	happens("t0.0.0 copy0 0-3; t1.0.0 copy0 0-5; t2.0.0 copy0 5-7");
}

static void all_issued_after_wait_for_it(void **state)
{
	(void)state;
	copy(0, 5, STREAM_NULL);
	copy(1, 2, STREAM_OWN);
	copy(2, 2, STREAM_NULL);
	copy(3, 2, STREAM_OWN);
	happens("t0.0.0 copy0 0-5; t1.0.0 copy0 5-7; t2.0.0 copy0 7-9; t3.0.0 copy0 9-11");
}

/* At one instant the order of issue is the order of tasks. */
static void simultaneous_issues_go_by_task(void **state)
{
	(void)state;
	copy(0, 3, STREAM_OWN);
	copy(0, 2, STREAM_NULL);
	copy(0, 2, STREAM_OWN);
	happens("t0.0.0 copy0 0-3; t1.0.0 copy0 3-5; t2.0.0 copy0 5-7");
}

static void behind_a_head_that_was_issued_before(void **state)
{
	(void)state;
	copy(0, 4, 3); /* head */
	copy(1, 2, 3); /* behind it, before the NULL stream */
	copy(2, 2, STREAM_NULL);
	copy(3, 2, 3); /* after it */
	happens("t0.0.0 copy0 0-4; t1.0.0 copy0 4-6; t2.0.0 copy0 6-8; t3.0.0 copy0 8-10");
}

static void kernels_wait_for_it_too(void **state)
{
	(void)state;
	k.platform.sms = 1;
	copy(0, 3, STREAM_OWN);
	maker_task(&k, "kernel", 200, 200, 0);
	maker_grid(&k, 1, 32, 2)->stream = STREAM_NULL;
	maker_task(&k, "later", 200, 200, 1);
	maker_grid(&k, 1, 32, 2);
	happens("t0.0.0 copy0 0-3; t1.0.0 gpu 3-5; t2.0.0 gpu 5-7");
}

/* ---- aborts ---- */

static void an_abort_takes_an_operation_out_of_any_place(void **state)
{
	(void)state;
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

/* The NULL stream's head goes at 5: those behind it may start at once. */
static void an_abort_opens_the_null_stream(void **state)
{
	(void)state;
	k.setup.on_miss = MISS_ABORT;
	copy(0, 10, STREAM_OWN);
	copy(1, 2, STREAM_NULL);
	copy(2, 3, STREAM_OWN);
	k.set.tasks[1].deadline_ns = 4;
	happens("t2.0.0 copy0 5-8; t0.0.0 copy0 0-10");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(streams_of_their_own_do_not_wait, begin, end),
	        cmocka_unit_test_setup_teardown(a_stream_is_a_fifo, begin, end),
	        cmocka_unit_test_setup_teardown(a_stream_may_be_another_tasks_own, begin, end),
	        cmocka_unit_test_setup_teardown(streams_share_hardware_queues, begin, end),
	        cmocka_unit_test_setup_teardown(a_waiting_head_blocks_its_queue, begin, end),
	        cmocka_unit_test_setup_teardown(it_waits_for_all_issued_before, begin, end),
	        cmocka_unit_test_setup_teardown(all_issued_after_wait_for_it, begin, end),
	        cmocka_unit_test_setup_teardown(simultaneous_issues_go_by_task, begin, end),
	        cmocka_unit_test_setup_teardown(behind_a_head_that_was_issued_before, begin, end),
	        cmocka_unit_test_setup_teardown(kernels_wait_for_it_too, begin, end),
	        cmocka_unit_test_setup_teardown(an_abort_takes_an_operation_out_of_any_place, begin, end),
	        cmocka_unit_test_setup_teardown(an_abort_opens_the_null_stream, begin, end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
