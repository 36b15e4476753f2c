/* models/execution.c - see models/execution.h. */
#include "models/execution.h"

#include "base/checked.h"
#include "base/random.h"
#include "models/blocks.h"

#define PPM 1000000

/* Whether times between best and worst case are drawn where there are no samples. */
static bool execution_draws(const struct run_setup *setup)
{
	return setup->execution == EXECUTION_UNIFORM || setup->execution == EXECUTION_SAMPLES ||
	       setup->execution == EXECUTION_TOGETHER;
}

int64_t execution_fixed(const struct run_setup *setup, int64_t best_ns, int64_t worst_ns)
{
	int64_t scaled;
	switch (setup->execution) {
	case EXECUTION_WORST:
		return worst_ns;
	case EXECUTION_BEST:
		return best_ns;
	case EXECUTION_SCALED:
		if (!checked_mul_ceil_div(setup->scale_ppm, worst_ns, PPM, &scaled))
			scaled = INT64_MAX / 2;
		return scaled < best_ns ? best_ns : scaled;
	case EXECUTION_UNIFORM:
	case EXECUTION_SAMPLES:
	case EXECUTION_TOGETHER:
		break;
	}
	return best_ns == worst_ns ? best_ns : -1;
}

bool execution_is_drawn(const struct run_setup *setup, const struct release_rule *rule,
	const struct segment *s, int64_t best_ns, int64_t worst_ns)
{
	return rule->duration_count == 0 && execution_fixed(setup, best_ns, worst_ns) < 0 &&
	       (!s->samples || setup->execution == EXECUTION_UNIFORM);
}

int64_t execution_draw(const struct run_setup *setup, uint32_t task, uint32_t job, uint32_t segment,
	int64_t best_ns, int64_t worst_ns)
{
	const struct random_key key = {
		.seed = setup->seed,
		.set = setup->set,
		.task = task,
		.job = job,
		.segment = (uint16_t)segment,
		.purpose = RANDOM_EXECUTION,
	};
	return best_ns + random_upto(&key, worst_ns - best_ns);
}

int64_t execution_sampled(
	const struct run_setup *setup, const struct segment *s, uint32_t task, uint32_t job, uint32_t segment)
{
	bool together = setup->execution == EXECUTION_TOGETHER;
	if (!s->samples || (setup->execution != EXECUTION_SAMPLES && !together))
		return -1;
	const struct random_key key = {
		.seed = setup->seed,
		.set = setup->set,
		.task = task,
		.job = job,
		.segment = together ? 0 : (uint16_t)segment,
		.purpose = RANDOM_SAMPLE,
	};
	return s->samples[random_upto(&key, s->sample_count - 1)];
}

int64_t execution_traced(const struct release_rule *rule, uint32_t job, uint32_t segment)
{
	uint32_t low = 0, high = rule->duration_count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct trace_duration *d = &rule->durations[middle];
		if (d->job == job && d->segment == segment)
			return d->duration_ns;
		if (d->job < job || (d->job == job && d->segment < segment))
			low = middle + 1;
		else
			high = middle;
	}
	return -1;
}

int64_t execution_length(const struct run_setup *setup, const struct release_rule *rule,
	const struct segment *s, uint32_t task, uint32_t job, uint32_t segment, int64_t best_ns,
	int64_t worst_ns)
{
	int64_t length = execution_traced(rule, job, segment);
	if (length < 0)
		length = execution_fixed(setup, best_ns, worst_ns);
	if (length < 0)
		length = execution_sampled(setup, s, task, job, segment);
	return length < 0 ? execution_draw(setup, task, job, segment, best_ns, worst_ns) : length;
}

struct block_draws execution_blocks(const struct run_setup *setup, const struct block_times *times,
	uint32_t task, uint32_t job, uint32_t segment, int64_t length_ns, bool traced)
{
	struct block_draws d = {.times = times, .setup = setup, .length_ns = length_ns, .traced = traced};
	if (!times->own_draws || traced || !execution_draws(setup))
		return d;
	/* The key of a draw has no field for a block beside the job. So each launch draws a seed for its
	 * blocks. */
	d.key = (struct random_key){
		.seed = setup->seed,
		.set = setup->set,
		.task = task,
		.job = job,
		.segment = (uint16_t)segment,
		.purpose = RANDOM_BLOCKS,
	};
	d.key.seed = random_bits(&d.key, 0);
	d.key.job = 0;
	d.key.purpose = RANDOM_BLOCK;
	return d;
}

int64_t execution_block(const struct block_draws *d, uint32_t block)
{
	const struct block_time *t = &d->times->block[block % d->times->count];
	if (!d->times->own_draws)
		return block_share(t->share_ppm, d->length_ns);
	if (d->traced)
		return t->worst_ns < d->length_ns ? t->worst_ns : d->length_ns;
	int64_t fixed = execution_fixed(d->setup, t->best_ns, t->worst_ns);
	if (fixed >= 0)
		return fixed;
	struct random_key key = d->key;
	key.job = block;
	return t->best_ns + random_upto(&key, t->worst_ns - t->best_ns);
}

bool execution_alike(const struct run_setup *setup, const struct block_times *times)
{
	int64_t first = execution_fixed(setup, times->block[0].best_ns, times->block[0].worst_ns);
	for (uint32_t i = 0; i < times->count; i++) {
		const struct block_time *t = &times->block[i];
		int64_t mine = execution_fixed(setup, t->best_ns, t->worst_ns);
		if (times->own_draws ? mine < 0 || mine != first : t->share_ppm != SHARE_ONE)
			return false;
	}
	return true;
}
