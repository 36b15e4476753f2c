/* analysis/gpu_load.c - see analysis/gpu_load.h. */
#include "analysis/gpu_load.h"

#include "base/checked.h"

enum { THREADS, BLOCKS, WARPS, REGISTERS, SHARED_MEMORY, VIRTUAL_SMS };

static int64_t need_of(const struct block_demand *d, uint32_t limit)
{
	const int64_t need[GPU_LOAD_LIMITS] = {
		[THREADS] = d->threads,
		[BLOCKS] = 1,
		[WARPS] = d->warps,
		[REGISTERS] = d->registers,
		[SHARED_MEMORY] = d->shared_memory,
		[VIRTUAL_SMS] = d->virtual_sms,
	};
	return need[limit];
}

static void limits_of(const struct platform *p, uint32_t virtual_sms, struct gpu_load *load)
{
	load->pools = p->pool == POOL_GPU ? 1 : p->sms;
	load->limit[THREADS] = p->pool == POOL_GPU ? (int64_t)p->sms * p->threads_per_sm : p->threads_per_sm;
	if (p->pool == POOL_GPU)
		return;
	load->limit[BLOCKS] = p->blocks_per_sm;
	load->limit[WARPS] = p->warps_per_sm;
	load->limit[REGISTERS] = p->registers_per_sm;
	load->limit[SHARED_MEMORY] = p->shared_memory_per_sm;
	load->limit[VIRTUAL_SMS] = virtual_sms;
}

/* Whether no block needs a greater share of limit l than of limit k. Where l is reached, k is, too. */
static bool covered(const struct gpu_load *load, uint32_t l, uint32_t k, const struct block_demand *demand,
	uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if ((int128)need_of(&demand[i], l) * load->limit[k] >
			(int128)need_of(&demand[i], k) * load->limit[l])
			return false;
	return true;
}

static bool needed(const struct gpu_load *load, uint32_t l, const struct block_demand *demand, uint32_t count)
{
	bool any = false;
	for (uint32_t i = 0; i < count; i++)
		any = any || need_of(&demand[i], l) > 0;
	for (uint32_t k = 0; any && k < GPU_LOAD_LIMITS; k++)
		if (k != l && load->limit[k] && covered(load, l, k, demand, count))
			return false;
	return any;
}

#define MOST_UNITS (INT64_C(1) << 32)

/* The least common multiple of the limits; if that is too large, shares are rounded to the safe side. */
static int64_t common_units(const struct gpu_load *load)
{
	int64_t units = 1;
	for (uint32_t l = 0; l < GPU_LOAD_LIMITS; l++) {
		if (load->limit[l] == 0)
			continue;
		int128 next = (int128)units / greatest_common_divisor(units, load->limit[l]) * load->limit[l];
		if (next > MOST_UNITS)
			return MOST_UNITS;
		units = (int64_t)next;
	}
	return units;
}

/* The least that a pool has in use of limit l when a block that needs the most of it does not fit: a multiple
 * of what divides all needs. */
static int64_t least_in_use(
	const struct gpu_load *load, uint32_t l, const struct block_demand *demand, uint32_t count)
{
	int64_t step = 0, most = 0;
	for (uint32_t i = 0; i < count; i++) {
		int64_t need = need_of(&demand[i], l);
		step = need || step ? greatest_common_divisor(step, need) : 0;
		most = need > most ? need : most;
	}
	return ((load->limit[l] - most) / step + 1) * step;
}

struct gpu_load gpu_load_of(const struct platform *platform, uint32_t virtual_sms,
	const struct block_demand *demand, uint32_t count)
{
	struct gpu_load load = {.rate = INT64_MAX};
	limits_of(platform, virtual_sms, &load);
	for (uint32_t l = GPU_LOAD_LIMITS; l-- > 0;)
		if (load.limit[l] && !needed(&load, l, demand, count))
			load.limit[l] = 0;
	load.units = common_units(&load);
	for (uint32_t l = 0; l < GPU_LOAD_LIMITS; l++) {
		if (load.limit[l] == 0)
			continue;
		int64_t used = least_in_use(&load, l, demand, count);
		int64_t weigh = (int64_t)((int128)load.units * used / load.limit[l]) * load.pools;
		load.rate = weigh < load.rate ? weigh : load.rate;
	}
	load.rate = load.rate == INT64_MAX ? 1 : load.rate;
	return load;
}

int64_t gpu_load_weight(const struct gpu_load *load, const struct block_demand *demand)
{
	int64_t most = 0;
	for (uint32_t l = 0; l < GPU_LOAD_LIMITS; l++) {
		if (load->limit[l] == 0)
			continue;
		int128 share =
			((int128)load->units * need_of(demand, l) + load->limit[l] - 1) / load->limit[l];
		most = share > most ? (int64_t)share : most;
	}
	return most;
}
