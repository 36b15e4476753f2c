/* tests/unit/test_trace.c - sim/trace.c: the ring and its observers. */
#include <string.h>

#include "sim/trace.h"
#include "tests/support/test.h"

struct reader {
	size_t records, calls, stop_at;
	int64_t last;
	bool in_order;
};

static bool read_records(void *self, const struct trace_record *records, size_t count)
{
	struct reader *r = self;
	r->calls++;
	for (size_t i = 0; i < count; i++) {
		r->in_order &= records[i].time > r->last;
		r->last = records[i].time;
	}
	r->records += count;
	return !r->stop_at || r->records < r->stop_at;
}

static void begin(struct trace *t, struct reader *r)
{
	*r = (struct reader){.last = -1, .in_order = true};
	assert_true(trace_init(t));
	trace_observe(t, TRACE_BIT(TRACE_SPAN), read_records, r);
}

static void emit(struct trace *t, int64_t from, int64_t count)
{
	for (int64_t i = from; i < from + count; i++)
		trace_emit(t)->time = i;
}

TEST("only what somebody wants")
{
	struct trace t;
	struct reader r, other;
	begin(&t, &r);
	assert_true(trace_wants(&t, TRACE_SPAN));
	assert_false(trace_wants(&t, TRACE_JOB_END));
	trace_observe(&t, TRACE_BIT(TRACE_JOB_END), read_records, &other);
	assert_true(trace_wants(&t, TRACE_JOB_END));
	assert_false(trace_wants(&t, TRACE_BLOCKS_START));
	trace_finish(&t);
}

TEST("records are zeroed")
{
	static const struct trace_record zero;
	struct trace t;
	struct reader r;
	begin(&t, &r);
	for (int i = 0; i < 2 * TRACE_RING; i++) {
		struct trace_record *record = trace_emit(&t);
		assert_memory_equal(record, &zero, sizeof(zero));
		memset(record, 0x5a, sizeof(*record));
	}
	trace_finish(&t);
}

TEST("a full ring is read and used again")
{
	struct trace t;
	struct reader r;
	begin(&t, &r);
	emit(&t, 0, TRACE_RING);
	assert_int_equal(r.calls, 0);
	emit(&t, TRACE_RING, 1);
	assert_int_equal(r.calls, 1);
	assert_int_equal(r.records, TRACE_RING);
	trace_flush(&t);
	assert_int_equal(r.records, TRACE_RING + 1);
	assert_true(r.in_order);
	trace_finish(&t);
}

TEST("every observer reads every record")
{
	struct trace t;
	struct reader r, more[TRACE_OBSERVERS - 1];
	begin(&t, &r);
	for (int i = 0; i < TRACE_OBSERVERS - 1; i++) {
		more[i] = (struct reader){.last = -1, .in_order = true};
		trace_observe(&t, 0, read_records, &more[i]);
	}
	emit(&t, 0, 10);
	trace_flush(&t);
	for (int i = 0; i < TRACE_OBSERVERS - 1; i++)
		assert_int_equal(more[i].records, 10);
	trace_finish(&t);
}

TEST("an observer can say stop")
{
	struct trace t;
	struct reader r, second = {.last = -1};
	begin(&t, &r);
	trace_observe(&t, 0, read_records, &second);
	r.stop_at = 5;
	emit(&t, 0, 4);
	trace_flush(&t);
	assert_false(t.failed);
	emit(&t, 4, 1);
	trace_flush(&t);
	assert_true(t.failed);
	assert_int_equal(second.records, 4);
	emit(&t, 5, 2 * TRACE_RING); /* there is no reader any more, and nothing overflows */
	assert_int_equal(r.calls, 2);
	trace_finish(&t);
}

TEST("a zeroed trace can be finished")
{
	struct trace t = {0};
	trace_finish(&t);
	trace_finish(&t);
}
