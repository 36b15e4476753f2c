/* models/priorities.c - the ranks of tasks, by their priorities, periods or deadlines; see models/taskset.h.
 *
 * Tasks are sorted in the memory of the ranks. Those of equal keys stay in the order of the set. */
#include <assert.h>
#include <stdlib.h>

#include "models/taskset.h"

struct keys {
	const struct taskset *set;
	enum { BY_PRIORITY, BY_GPU_PRIORITY, BY_PERIOD, BY_DEADLINE } by;
};

static int64_t key_of(const struct keys *k, uint32_t task)
{
	const struct task *t = &k->set->tasks[task];
	return k->by == BY_PRIORITY       ? t->priority
	       : k->by == BY_GPU_PRIORITY ? t->gpu_priority
	       : k->by == BY_PERIOD       ? t->period_ns
					  : t->deadline_ns;
}

static int compare(const void *x, const void *y, void *keys)
{
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	int64_t of_a = key_of(keys, a), of_b = key_of(keys, b);
	return of_a != of_b ? (of_a > of_b) - (of_a < of_b) : (a > b) - (a < b);
}

/* Replays have a task for each operation of a profile, hundreds of thousands in order: all are alike. */
static bool in_order(const struct keys *k)
{
	for (uint32_t i = 1; i < k->set->task_count; i++)
		if (key_of(k, i) < key_of(k, i - 1))
			return false;
	return true;
}

/* order[rank] = task becomes rank[task], in place: the cycles of the permutation are turned round. */
#define TURNED (UINT32_C(1) << 31)
static void turn_round(uint32_t *order, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (order[i] & TURNED)
			continue;
		uint32_t from = i, to = order[i];
		while (to != i) {
			uint32_t next = order[to];
			order[to] = from | TURNED;
			from = to;
			to = next;
		}
		order[i] = from | TURNED;
	}
	for (uint32_t i = 0; i < count; i++)
		order[i] &= ~TURNED;
}

static void ranks_by(struct keys k, uint32_t *rank)
{
	uint32_t count = k.set->task_count;
	assert(count < TURNED);
	for (uint32_t i = 0; i < count; i++)
		rank[i] = i;
	if (in_order(&k))
		return;
	qsort_r(rank, count, sizeof(*rank), compare, &k);
	turn_round(rank, count);
}

void taskset_ranks(const struct taskset *set, bool rate, uint32_t *rank)
{
	ranks_by((struct keys){set, set->priorities ? BY_PRIORITY : rate ? BY_PERIOD : BY_DEADLINE}, rank);
}

void taskset_gpu_ranks(const struct taskset *set, const uint32_t *rank, uint32_t *gpu_rank)
{
	for (uint32_t i = 0; i < set->task_count && !set->gpu_priorities; i++)
		gpu_rank[i] = rank[i];
	if (set->gpu_priorities)
		ranks_by((struct keys){set, BY_GPU_PRIORITY}, gpu_rank);
}
