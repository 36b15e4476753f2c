/* models/orders.c - the standard orders of the platform's queues (models/policy.h). */
#include "models/policy.h"

int64_t order_by_priority(const struct operation *op)
{
	return op->rank;
}

int64_t order_by_arrival(const struct operation *op)
{
	return op->now;
}

int64_t order_by_release(const struct operation *op)
{
	return op->release;
}

int64_t order_by_deadline(const struct operation *op)
{
	return op->deadline;
}

int64_t order_by_section_deadline(const struct operation *op)
{
	return op->section_deadline;
}

/* Virtual time stays far below 2^62 ns (146 years), so all low streams come behind all high ones. */
int64_t order_by_stream_priority(const struct operation *op)
{
	return op->stream_high ? op->now : op->now + (INT64_C(1) << 62);
}
