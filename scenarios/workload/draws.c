/* scenarios/workload/draws.c - owns the layout of the generators' keys; see scenarios/workload/draws.h. */
#include "scenarios/workload/draws.h"

#include <assert.h>

#include "base/random.h"

static struct random_key key_of(const struct draws *d, enum draw_what what, uint32_t task, uint32_t item)
{
	assert(item < DRAW_ITEMS_MAX);
	return (struct random_key){
		.seed = d->seed,
		.set = d->set,
		.task = task,
		.job = d->attempt,
		.segment = (uint16_t)((uint32_t)what * DRAW_ITEMS_MAX + item),
		.purpose = RANDOM_GENERATOR,
	};
}

int64_t draw_between(
	const struct draws *d, enum draw_what what, uint32_t task, uint32_t item, int64_t low, int64_t high)
{
	struct random_key key = key_of(d, what, task, item);
	assert(low <= high);
	return low + random_upto(&key, high - low);
}

double draw_unit(const struct draws *d, enum draw_what what, uint32_t task, uint32_t item)
{
	struct random_key key = key_of(d, what, task, item);
	return ((double)(random_bits(&key, 0) >> 12) + 0.5) * 0x1p-52;
}
