/* tests/oracle/power.c - power of one tick (docs/model.md, "Power and energy"; sBEET eq. 1-5). */
#include "tests/oracle/oracle_internal.h"

/* Rounded to the nearest, ties to even; b > 0. */
static int64_t half_even(int128 a, int128 b)
{
	int128 floor = a / b - (a % b < 0);
	int128 twice = 2 * (a - floor * b);
	if (twice > b || (twice == b && floor % 2 != 0))
		floor++;
	return (int64_t)floor;
}

int64_t oracle_dynamic_power(const struct oracle *o, const struct segment *s, uint32_t sms)
{
	const struct profile *profile = s->form == KERNEL_PROFILE ? oracle_profile(o, s) : NULL;
	const struct platform *p = oracle_device(o, s->gpu);
	if (!profile || !profile->total_power_uw)
		return s->power_uw * sms;
	int64_t idle = p->idle_per_sm_uw * ((int64_t)p->sms - sms);
	return profile->total_power_uw[sms - 1] - p->static_uw - idle;
}

/* A kernel's dynamic power on the SMs on which it was started, and how many these are. The power per SM is
 * their ratio, rounded. (Kernels other than profiles have a power per SM to begin with.) */
static void kernel_power(
	const struct oracle *o, const struct operation_state *op, int64_t *power, int64_t *sms)
{
	const struct segment *s = oracle_segment(o, op);
	const struct oracle_grant *grant = oracle_grant_of(o, op->task);
	*power = s->power_uw;
	*sms = 1;
	if (s->form != KERNEL_PROFILE)
		return;
	uint32_t m = oracle_sms_for(o, s, grant);
	*sms = m;
	*power = oracle_dynamic_power(o, s, m);
}

/* Does a kernel of the GPU run? */
static bool runs_on(const struct oracle *o, const struct operation_state *op, uint32_t gpu)
{
	return op->in_flight > 0 && oracle_gpu(o, op) == gpu;
}

/* The blocks of a kernel on an SM of its GPU (-1: in pool gpu). */
static int64_t blocks_on(const struct oracle *o, const struct operation_state *op, int32_t sm)
{
	int64_t count = 0;
	for (size_t i = 0; op->in_flight > 0 && i < o->live_count; i++)
		count += o->live[i].op == op && o->live[i].sm == sm && !o->live[i].frozen;
	return count;
}

/* The mean of the kernels' powers per SM on an SM, weighted by threads, or by blocks if no kernel has
 * threads. */
static int64_t mean_power(const struct oracle *o, uint32_t gpu, int32_t sm)
{
	int64_t threads = 0;
	for (uint32_t i = 0; i < o->op_count; i++)
		if (runs_on(o, &o->ops[i], gpu))
			threads += blocks_on(o, &o->ops[i], sm) * o->ops[i].need.threads;
	int128 sum = 0, weights = 0;
	for (uint32_t i = 0; i < o->op_count; i++) {
		int64_t blocks = runs_on(o, &o->ops[i], gpu) ? blocks_on(o, &o->ops[i], sm) : 0;
		int64_t weight = threads ? blocks * o->ops[i].need.threads : blocks;
		if (blocks == 0)
			continue;
		int64_t power, sms;
		kernel_power(o, &o->ops[i], &power, &sms);
		sum += (int128)weight * half_even(power, sms);
		weights += weight;
	}
	return half_even(sum, weights);
}

/* Does the kernel run on each of its SMs, and nothing else there? *first: the first of them. */
static bool alone_on_all(
	const struct oracle *o, const struct operation_state *op, int64_t sms, int32_t *first)
{
	int64_t active = 0;
	*first = -1;
	uint32_t gpu = oracle_gpu(o, op);
	for (int32_t sm = 0; sm < (int32_t)oracle_device(o, gpu)->sms; sm++) {
		if (blocks_on(o, op, sm) == 0)
			continue;
		active++;
		*first = *first < 0 ? sm : *first;
		for (uint32_t i = 0; i < o->op_count; i++) {
			if (&o->ops[i] != op && runs_on(o, &o->ops[i], gpu) &&
				blocks_on(o, &o->ops[i], sm) > 0)
				return false;
		}
	}
	return active == sms;
}

static int64_t sm_pool_power(const struct oracle *o, uint32_t gpu, int64_t *active)
{
	int64_t dynamic = 0;
	*active = 0;
	for (int32_t sm = 0; sm < (int32_t)oracle_device(o, gpu)->sms; sm++) {
		int64_t whole = -1; /* the power of a profile that counts as a whole, at its first SM */
		bool busy = false, counted = false;
		for (uint32_t i = 0; i < o->op_count; i++) {
			const struct operation_state *op = &o->ops[i];
			int64_t power, sms;
			int32_t first;
			if (!runs_on(o, op, gpu) || blocks_on(o, op, sm) == 0)
				continue;
			busy = true;
			kernel_power(o, op, &power, &sms);
			if (oracle_segment(o, op)->form == KERNEL_PROFILE &&
				alone_on_all(o, op, sms, &first)) {
				counted = true;
				whole = sm == first ? power : 0;
			}
		}
		*active += busy;
		if (busy)
			dynamic += counted ? whole : mean_power(o, gpu, sm);
	}
	return dynamic;
}

static int64_t power_of(const struct oracle *o, uint32_t gpu)
{
	const struct platform *p = oracle_device(o, gpu);
	int64_t active = 0, dynamic = 0;
	if (p->pool == POOL_GPU) {
		int64_t threads = 0;
		for (size_t i = 0; i < o->live_count; i++)
			threads += o->live[i].frozen || oracle_gpu(o, o->live[i].op) != gpu
					   ? 0
					   : o->live[i].op->need.threads;
		active = threads ? (threads + p->threads_per_sm - 1) / p->threads_per_sm : 0;
		dynamic = active ? active * mean_power(o, gpu, -1) : 0;
	} else {
		dynamic = sm_pool_power(o, gpu, &active);
	}
	return p->static_uw + (active ? dynamic + p->idle_per_sm_uw * ((int64_t)p->sms - active) : 0);
}

int64_t oracle_power(const struct oracle *o)
{
	int64_t sum = 0;
	for (uint32_t gpu = 0; gpu < platform_gpus(o->platform); gpu++)
		sum += power_of(o, gpu);
	return sum;
}
