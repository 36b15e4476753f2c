/* tests/unit/test_orders.c - models/orders.c: the standard orders of the queues. */
#include "models/policy.h"
#include "tests/support/test.h"

static const struct operation op = {
	.task = 1, .job = 2, .segment = 3, .rank = 4, .now = 50, .release = 60, .deadline = 70};

TEST("each order looks at its own")
{
	assert_int_equal(order_by_priority(&op), 4);
	assert_int_equal(order_by_arrival(&op), 50);
	assert_int_equal(order_by_release(&op), 60);
	assert_int_equal(order_by_deadline(&op), 70);
}

TEST("high streams go before all low ones")
{
	struct operation high = op, low = op;
	high.stream_high = true;
	low.now = 0;
	high.now = INT64_C(1) << 61; /* 73 years later */
	assert_true(order_by_stream_priority(&high) < order_by_stream_priority(&low));
	struct operation later = low;
	later.now = 1;
	assert_true(order_by_stream_priority(&low) < order_by_stream_priority(&later));
	later = high;
	later.now++;
	assert_true(order_by_stream_priority(&high) < order_by_stream_priority(&later));
}
