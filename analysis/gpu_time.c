/* analysis/gpu_time.c - see analysis/gpu_time.h. Lemma 5.1 of RTGPU (section 5.2), and the cost of pinning
 * (section 4.3). */
#include "analysis/gpu_time.h"

#include "base/checked.h"
#include "base/int128.h"
#include "models/blocks.h"
#include "models/kernel.h"
#include "models/policy.h"

/* kernel_shape() only looks at the sums of a grant, so this may serve as its slots. */
static uint32_t some_slots[1];

static bool shape_on(const struct gpu_slots *slots, const struct segment *kernel, uint32_t count,
	struct kernel_shape *shape, struct error *err)
{
	struct grant grant = {
		.count = (uint32_t)ceil_div(count, slots->virtual_sms),
		.slots = some_slots,
		.virtual_sms = count,
	};
	struct interleave worst = slots->worst;
	struct segment charged = *kernel;
	if (slots->single && kernel->form == KERNEL_WORK) {
		charged.interleave = &worst;
		charged.interleaves = 1;
	}
	return kernel_shape(slots->platform, slots->set, &charged, slots->virtual_sms, &grant, shape, err);
}

static bool ratio_less(const struct interleave *a, const struct interleave *b)
{
	return (int128)a->numerator * b->denominator < (int128)b->numerator * a->denominator;
}

static bool check_kernel(
	struct gpu_slots *slots, const struct task *task, uint32_t index, uint32_t id, struct verdict *v)
{
	const struct segment *kernel = &task->segments[index];
	struct kernel_shape shape;
	struct error err;
	struct gpu_slots alone = *slots;
	alone.single = false;
	uint32_t least = slots->single ? 1 : slots->virtual_sms;
	if (!shape_on(&alone, kernel, least, &shape, &err))
		return verdict_refuse(
			v, id, "task '%s': the kernel of segment %u %s", task->name, index, err.text);
	uint32_t fit = kernel_resident(slots->platform, slots->virtual_sms, &shape.demand);
	if (fit < (slots->single ? slots->virtual_sms : 1))
		return verdict_refuse(v, id,
			"task '%s': blocks of the kernel of segment %u are too large for %u "
			"virtual SMs per SM",
			task->name, index, slots->virtual_sms);
	struct interleave alpha = {.virtual_sms = slots->virtual_sms};
	if (kernel->form == KERNEL_WORK &&
		kernel_interleave(kernel, slots->virtual_sms, &alpha.numerator, &alpha.denominator) &&
		ratio_less(&slots->worst, &alpha))
		slots->worst = alpha;
	return true;
}

bool gpu_slots_check(const struct platform *platform, const struct taskset *set, const struct chains *chains,
	uint32_t virtual_sms, bool single, struct gpu_slots *slots, struct verdict *v)
{
	*slots = (struct gpu_slots){
		.platform = platform,
		.set = set,
		.virtual_sms = virtual_sms,
		.single = single,
		.worst = {.virtual_sms = virtual_sms, .numerator = 1, .denominator = 1},
	};
	for (uint32_t k = 0; k < chains->count; k++) {
		uint32_t id = chains->order[k];
		const struct chain *c = &chains->chain[id];
		for (uint32_t i = 0; i < c->count; i++)
			if (c->segments[i].segment->kind == SEGMENT_KERNEL && c->gpu == platform->gpu &&
				!check_kernel(slots, c->task, c->segments[i].index, id, v))
				return false;
	}
	return true;
}

/* The least best case of a profile on up to so many SMs: by measurement more SMs can take longer. */
static int64_t least_best(const struct gpu_slots *slots, const struct segment *kernel, uint32_t count)
{
	const struct profile *profile = kernel_profile(slots->platform, slots->set, kernel);
	int64_t least = INT64_MAX, sms = ceil_div(count, slots->virtual_sms);
	for (int64_t m = 0; m < sms && m < profile->count; m++)
		if (profile->best_ns[m] < least)
			least = profile->best_ns[m];
	return least;
}

void gpu_slots_time(const struct gpu_slots *slots, const struct segment *kernel, uint32_t count,
	int64_t *shortest, int64_t *longest)
{
	struct kernel_shape shape;
	*shortest = 0;
	*longest = NO_BOUND;
	if (!shape_on(slots, kernel, count, &shape, NULL))
		return;
	/* If other limits than V_SM apply, an SM holds fewer than V_SM blocks, so there are more waves. */
	int64_t fit = kernel_resident(slots->platform, slots->virtual_sms, &shape.demand);
	if (fit == 0)
		return;
	int64_t places = slots->single ? count : fit * (count / slots->virtual_sms);
	*longest = blocks_span(&shape, (uint64_t)places);
	if (*longest == NO_BOUND)
		return;
	if (kernel->form == KERNEL_WORK)
		shape.best_ns = kernel->best_ns / count + slots->platform->pin_overhead_ns;
	else if (kernel->form == KERNEL_PROFILE)
		shape.best_ns = least_best(slots, kernel, count);
	*shortest = blocks_least_span(&shape, (uint64_t)places);
}

bool gpu_slots_monotone(const struct gpu_slots *slots, const struct segment *kernel)
{
	if (kernel->form != KERNEL_WORK)
		return kernel->form == KERNEL_GRID;
	int64_t numerator = slots->worst.numerator, denominator = slots->worst.denominator;
	if (!slots->single && !kernel_interleave(kernel, slots->virtual_sms, &numerator, &denominator))
		return false;
	return (int128)kernel->overhead_ns * denominator <= (int128)kernel->worst_ns * numerator;
}

int64_t gpu_sms_time(const struct platform *platform, const struct taskset *set, const struct segment *kernel,
	uint32_t virtual_sms, uint32_t sms)
{
	struct grant grant = {.count = sms};
	struct kernel_shape shape;
	if (!kernel_shape(platform, set, kernel, virtual_sms, &grant, &shape, NULL))
		return NO_BOUND;
	return kernel_time(platform, virtual_sms, &shape, &grant);
}
