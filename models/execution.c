/* models/execution.c - see models/execution.h. */
#include "models/execution.h"
#include "base/checked.h"
#include "base/random.h"

#define PPM 1000000

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
		break;
	}
	return best_ns == worst_ns ? best_ns : -1;
}

int64_t execution_draw(const struct run_setup *setup, uint32_t task, uint32_t job, uint32_t segment,
	int64_t best_ns, int64_t worst_ns)
{
	const struct random_key key = { .seed = setup->seed, .set = setup->set, .task = task, .job = job,
		.segment = (uint16_t)segment, .purpose = RANDOM_EXECUTION };
	return best_ns + random_upto(&key, worst_ns - best_ns);
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
