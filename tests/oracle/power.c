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
	const struct profile *profile = s->form == KERNEL_PROFILE ? &o->set->profiles[s->profile] : NULL;
	if (!profile || !profile->total_power_uw)
		return s->power_uw * sms;
	int64_t idle = o->platform->idle_per_sm_uw * ((int64_t)o->platform->sms - sms);
	return profile->total_power_uw[sms - 1] - o->platform->static_uw - idle;
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

/* The blocks of a kernel on an SM (-1: in pool gpu). */
static int64_t blocks_on(const struct oracle *o, const struct operation_state *op, int32_t sm)
{
	int64_t count = 0;
	for (size_t i = 0; op->in_flight > 0 && i < o->live_count; i++)
		count += o->live[i].op == op && o->live[i].sm == sm && !o->live[i].frozen;
	return count;
}

/* The mean of the kernels' powers per SM on an SM, weighted by threads, or by blocks if no kernel has
 * threads. */
static int64_t mean_power(const struct oracle *o, int32_t sm)
{
	int64_t threads = 0;
	for (uint32_t i = 0; i < o->op_count; i++)
		threads += blocks_on(o, &o->ops[i], sm) * o->ops[i].need.threads;
	int128 sum = 0, weights = 0;
	for (uint32_t i = 0; i < o->op_count; i++) {
		int64_t blocks = blocks_on(o, &o->ops[i], sm);
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
	for (int32_t sm = 0; sm < (int32_t)o->platform->sms; sm++) {
		if (blocks_on(o, op, sm) == 0)
			continue;
		active++;
		*first = *first < 0 ? sm : *first;
		for (uint32_t i = 0; i < o->op_count; i++) {
			if (&o->ops[i] != op && blocks_on(o, &o->ops[i], sm) > 0)
				return false;
		}
	}
	return active == sms;
}

static int64_t sm_pool_power(const struct oracle *o, int64_t *active)
{
	int64_t dynamic = 0;
	*active = 0;
	for (int32_t sm = 0; sm < (int32_t)o->platform->sms; sm++) {
		int64_t whole = -1; /* the power of a profile that counts as a whole, at its first SM */
		bool busy = false, counted = false;
		for (uint32_t i = 0; i < o->op_count; i++) {
			const struct operation_state *op = &o->ops[i];
			int64_t power, sms;
			int32_t first;
			if (blocks_on(o, op, sm) == 0)
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
			dynamic += counted ? whole : mean_power(o, sm);
	}
	return dynamic;
}

int64_t oracle_power(const struct oracle *o)
{
	const struct platform *p = o->platform;
	int64_t active = 0, dynamic = 0;
	if (p->pool == POOL_GPU) {
		int64_t threads = 0;
		for (size_t i = 0; i < o->live_count; i++)
			threads += o->live[i].frozen ? 0 : o->live[i].op->need.threads;
		active = threads ? (threads + p->threads_per_sm - 1) / p->threads_per_sm : 0;
		dynamic = active ? active * mean_power(o, -1) : 0;
	} else {
		dynamic = sm_pool_power(o, &active);
	}
	return p->static_uw + (active ? dynamic + p->idle_per_sm_uw * ((int64_t)p->sms - active) : 0);
}
