/* models/warps/quotas.c - see models/warps/quotas.h. */
#include "models/warps/quotas.h"

void quotas_begin(struct quotas *q, enum warp_manager manager, uint32_t goals, uint32_t count)
{
	bool rolls = manager == MANAGER_ROLLOVER || manager == MANAGER_ROLLOVER_TIME;
	for (uint32_t k = 0; k < count; k++) {
		bool keeps = rolls && goals >> k & 1 && q->counter[k] > 0;
		q->counter[k] = (keeps ? q->counter[k] : 0) + q->quota[k];
		q->start[k] = q->counter[k];
		q->added[k] = 0;
	}
}

/* The set of kernels whose counter is used up. */
static uint32_t spent(const struct quotas *q, uint32_t count)
{
	uint32_t set = 0;
	for (uint32_t k = 0; k < count; k++)
		if (q->counter[k] <= 0)
			set |= UINT32_C(1) << k;
	return set;
}

static void add(struct quotas *q, uint32_t kernel, int64_t times)
{
	q->counter[kernel] += times * q->quota[kernel];
	q->added[kernel] += times * q->quota[kernel];
}

/* How many times the quota must be added until the counter is positive. */
static int64_t rounds(const struct quotas *q, uint32_t kernel)
{
	return -q->counter[kernel] / q->quota[kernel] + 1;
}

/* A new epoch of this SM alone: all kernels with blocks here get their quota, until one of them may issue. */
static void start_anew(struct quotas *q, uint32_t count)
{
	int64_t least = INT64_MAX;
	for (uint32_t k = 0; k < count; k++)
		if (q->here >> k & 1 && rounds(q, k) < least)
			least = rounds(q, k);
	for (uint32_t k = 0; k < count; k++)
		if (q->here >> k & 1)
			add(q, k, least);
}

void quotas_settle(struct quotas *q, enum warp_manager manager, uint32_t goals, uint32_t count)
{
	uint32_t used_up = spent(q, count), held = q->here & goals;
	if (manager == MANAGER_ELASTIC) {
		if (q->here && (q->here & ~used_up) == 0)
			start_anew(q, count);
	} else if ((held & ~used_up) == 0) {
		for (uint32_t k = 0; k < count; k++)
			if ((q->here & ~goals & used_up) >> k & 1)
				add(q, k, rounds(q, k));
	}
	q->blocked = spent(q, count);
	if (manager == MANAGER_ROLLOVER_TIME && (held & ~used_up) != 0)
		q->blocked |= ~goals;
}
