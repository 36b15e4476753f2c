/* models/kernel.c - see models/kernel.h. Lemma 5.1 is RTGPU's (section 5.1); profiles and
 * powers are sBEET's (section III, eq. 1-5). */
#include "models/kernel.h"

#include "base/checked.h"
#include "base/text.h"
#include "models/blocks.h"
#include "models/policy.h"

bool kernel_interleave(
	const struct segment *segment, uint32_t virtual_sms, int64_t *numerator, int64_t *denominator)
{
	*numerator = *denominator = 1;
	if (virtual_sms == 1)
		return true;
	for (uint32_t i = 0; i < segment->interleaves; i++) {
		const struct interleave *alpha = &segment->interleave[i];
		if (alpha->virtual_sms != virtual_sms)
			continue;
		*numerator = alpha->numerator;
		*denominator = alpha->denominator;
		return true;
	}
	return false;
}

static uint32_t round_up_to_warps(uint32_t threads)
{
	return (threads + WARP_THREADS - 1) / WARP_THREADS * WARP_THREADS;
}

static uint32_t least_quotient(uint32_t resident, int64_t limit, int64_t need)
{
	if (limit == 0 || need == 0)
		return resident;
	int64_t fit = limit / need;
	return fit < resident ? (uint32_t)fit : resident;
}

/* Blocks on one empty SM by all limits but shared memory; UINT32_MAX: no limit applies. */
static uint32_t resident_beside_memory(
	const struct platform *platform, uint32_t virtual_sms, const struct block_demand *demand)
{
	uint32_t resident = least_quotient(UINT32_MAX, platform->threads_per_sm, demand->threads);
	resident = least_quotient(resident, platform->blocks_per_sm, 1);
	resident = least_quotient(resident, platform->warps_per_sm, demand->warps);
	resident = least_quotient(resident, platform->registers_per_sm, demand->registers);
	return least_quotient(resident, virtual_sms, demand->virtual_sms);
}

/* The least division with what is wanted, which is at least one block's: by default that of all blocks that
 * the other limits let be on an SM. The largest if none has as much. */
static int64_t division(const struct platform *platform, uint32_t virtual_sms, int64_t carveout,
	const struct block_demand *demand)
{
	const struct divisions *d = &platform->divisions;
	int64_t wanted = carveout > demand->shared_memory ? carveout : demand->shared_memory;
	if (d->count == 0)
		return 0;
	if (carveout == 0 && demand->shared_memory > 0) {
		uint32_t resident = resident_beside_memory(platform, virtual_sms, demand);
		if (!checked_mul(demand->shared_memory, resident, &wanted))
			wanted = INT64_MAX;
	}
	for (uint32_t i = 0; i < d->count; i++)
		if (d->bytes[i] >= wanted)
			return d->bytes[i];
	return d->bytes[d->count - 1];
}

static struct block_demand grid_demand(const struct platform *platform, const struct segment *segment)
{
	uint32_t rounded = round_up_to_warps(segment->block);
	return (struct block_demand){
		.threads = platform->pool == POOL_GPU ? segment->block : rounded,
		.warps = rounded / WARP_THREADS,
		.registers = segment->registers * rounded,
		.shared_memory = segment->shared_memory,
	};
}

/* A persistent block: on one of V_SM virtual SMs, or (profiles) on the whole SM. */
static struct block_demand persistent_demand(
	const struct platform *platform, uint32_t virtual_sms, bool whole)
{
	uint32_t threads = platform->threads_per_sm;
	if (threads && !whole) {
		threads /= virtual_sms;
		if (platform->pool == POOL_SM)
			threads = threads / WARP_THREADS * WARP_THREADS;
		if (threads == 0)
			threads = platform->pool == POOL_SM ? WARP_THREADS : 1;
	}
	return (struct block_demand){
		.threads = threads,
		.warps = round_up_to_warps(threads) / WARP_THREADS,
		.virtual_sms = whole ? virtual_sms : 1,
	};
}

/* The number of virtual SMs, and of SMs, that the kernel has. */
static void extent(const struct platform *platform, const struct segment *segment, uint32_t virtual_sms,
	const struct grant *grant, uint32_t *virtuals, uint32_t *sms)
{
	*sms = grant ? grant->count : segment->sm_count > 0 ? segment->sm_count : platform->sms;
	*virtuals = grant && grant->slots ? grant->virtual_sms : *sms * virtual_sms;
}

/* Lemma 5.1: [ceil(GW_lo / V), ceil((GW_hi * alpha - GL) / V + GL)]. Before that each block looks whether it
 * is on an SM of its own (RTGPU, section 4.3): that is neither work, which V divides, nor of the critical
 * path, which the work contains; it is there in the best case, too. */
static bool work_time(const struct platform *platform, const struct segment *segment, uint32_t virtual_sms,
	uint32_t virtuals, struct kernel_shape *shape, struct error *err)
{
	int64_t numerator, denominator, overhead = segment->overhead_ns;
	if (!kernel_interleave(segment, virtual_sms, &numerator, &denominator))
		return error_set(
			err, STATUS_INPUT, "has no interleave ratio for %u virtual SMs per SM", virtual_sms);
	int128 top = (int128)segment->worst_ns * numerator - (int128)overhead * denominator +
		     (int128)overhead * denominator * virtuals;
	int128 bottom = (int128)denominator * virtuals;
	int128 worst = (top + bottom - 1) / bottom;
	int64_t best = ceil_div(segment->best_ns, virtuals);
	worst = worst < best ? best : worst;
	if (worst > INT64_MAX - platform->pin_overhead_ns)
		return error_set(err, STATUS_INPUT, "has a time that does not fit 64 bits");
	shape->best_ns = best + platform->pin_overhead_ns;
	shape->worst_ns = (int64_t)worst + platform->pin_overhead_ns;
	return true;
}

/* Of the kernel on the GPU that the platform is of. */
const struct profile *kernel_profile(
	const struct platform *platform, const struct taskset *set, const struct segment *segment)
{
	bool differ = platform->gpu < segment->profile_count;
	return &set->profiles[differ ? segment->profiles[platform->gpu] : segment->profile];
}

static bool profile_time(const struct profile *profile, uint32_t virtual_sms, uint32_t virtuals,
	struct kernel_shape *shape, struct error *err)
{
	uint32_t m = (uint32_t)ceil_div(virtuals, virtual_sms);
	if (m == 0 || m > profile->count)
		return error_set(err, STATUS_INPUT, "has no time for %u SM%s: profile '%s' ends at %u", m,
			plural(m), profile->name, profile->count);
	shape->best_ns = profile->best_ns[m - 1];
	shape->worst_ns = profile->worst_ns[m - 1];
	return true;
}

static bool shape_of(const struct platform *platform, const struct taskset *set,
	const struct segment *segment, uint32_t virtual_sms, const struct grant *grant,
	struct kernel_shape *shape, struct error *err)
{
	uint32_t virtuals, sms;
	extent(platform, segment, virtual_sms, grant, &virtuals, &sms);
	*shape = (struct kernel_shape){.sms = sms};

	switch (segment->form) {
	case KERNEL_PROGRAM:
	case KERNEL_GRID:
		shape->blocks = segment->grid;
		shape->best_ns = segment->best_ns;
		shape->worst_ns = segment->worst_ns;
		shape->times = segment->times;
		shape->demand = grid_demand(platform, segment);
		if (grant && grant->slots)
			shape->demand.virtual_sms = 1;
		return true;
	case KERNEL_WORK:
		shape->blocks = virtuals;
		shape->demand = persistent_demand(platform, virtual_sms, false);
		return work_time(platform, segment, virtual_sms, virtuals, shape, err);
	case KERNEL_PROFILE:
		/* On virtual SMs of shared SMs the kernel cannot have whole SMs: it has one block on each
		 * virtual SM. */
		shape->blocks = grant && grant->slots ? virtuals : sms;
		shape->demand = persistent_demand(platform, virtual_sms, !(grant && grant->slots));
		return profile_time(
			kernel_profile(platform, set, segment), virtual_sms, virtuals, shape, err);
	case KERNEL_WARPS:
		return error_set(err, STATUS_INPUT,
			"is a program of warps: it takes what it takes, and has no time of its own");
	}
	return error_set(err, STATUS_INPUT, "has an unknown form");
}

bool kernel_blocks(const struct platform *platform, const struct taskset *set, const struct segment *segment,
	uint32_t virtual_sms, const struct grant *grant, struct kernel_shape *shape, struct error *err)
{
	if (!shape_of(platform, set, segment, virtual_sms, grant, shape, err))
		return false;
	shape->demand.division = division(platform, virtual_sms, segment->carveout, &shape->demand);
	return true;
}

bool kernel_shape(const struct platform *platform, const struct taskset *set, const struct segment *segment,
	uint32_t virtual_sms, const struct grant *grant, struct kernel_shape *shape, struct error *err)
{
	if (segment->form == KERNEL_PROGRAM)
		return error_set(err, STATUS_INPUT,
			"is a program of warps: how long it takes is simulated, and known to nobody before");
	return kernel_blocks(platform, set, segment, virtual_sms, grant, shape, err);
}

uint32_t kernel_resident(
	const struct platform *platform, uint32_t virtual_sms, const struct block_demand *demand)
{
	if (platform->pool == POOL_GPU)
		return least_quotient(
			UINT32_MAX, (int64_t)platform->sms * platform->threads_per_sm, demand->threads);
	int64_t memory = platform->divisions.count ? demand->division : platform->shared_memory_per_sm;
	return least_quotient(
		resident_beside_memory(platform, virtual_sms, demand), memory, demand->shared_memory);
}

int64_t kernel_time(const struct platform *platform, uint32_t virtual_sms, const struct kernel_shape *shape,
	const struct grant *grant)
{
	uint64_t resident = kernel_resident(platform, virtual_sms, &shape->demand);
	if (grant && grant->slots && shape->demand.virtual_sms)
		resident = grant->virtual_sms / shape->demand.virtual_sms;
	else if (platform->pool == POOL_SM)
		resident *= shape->sms;
	if (resident == 0)
		return INT64_MAX;
	return blocks_span(shape, resident);
}

int64_t kernel_dynamic_power(const struct platform *platform, const struct taskset *set,
	const struct segment *segment, uint32_t sms)
{
	if (segment->form == KERNEL_PROFILE) {
		const struct profile *profile = kernel_profile(platform, set, segment);
		if (profile->total_power_uw && sms >= 1 && sms <= profile->count)
			return profile->total_power_uw[sms - 1] - platform->static_uw -
			       platform->idle_per_sm_uw * (platform->sms - sms);
	}
	return segment->power_uw * sms;
}
