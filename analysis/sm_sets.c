/* analysis/sm_sets.c - see analysis/sm_sets.h.
 *
 * SMs are kept in the order of their utilisation. A task takes the first ones. The utilisation of all these
 * grows by the same, so they stay in order among themselves and are merged with the others. */
#include "analysis/sm_sets.h"

#include <string.h>

#define USE_BITS 48

bool sm_sets_init(struct sm_sets *sets, uint32_t tasks, uint32_t sms, struct arena *arena)
{
	*sets = (struct sm_sets){
		.tasks = tasks,
		.sms = sms,
		.on = arena_new(arena, bool, (size_t)sms *tasks),
		.first = arena_new(arena, uint32_t, tasks),
		.order = arena_new(arena, uint32_t, sms),
		.merged = arena_new(arena, uint32_t, sms),
		.use = arena_new(arena, uint128, sms),
		.terms = arena_new(arena, struct ratio, tasks),
	};
	return sets->on && sets->first && sets->order && sets->merged && sets->use && sets->terms;
}

static void clear(struct sm_sets *sets)
{
	memset(sets->on, 0, (size_t)sets->sms * sets->tasks * sizeof(*sets->on));
	for (uint32_t m = 0; m < sets->sms; m++) {
		sets->order[m] = m;
		sets->use[m] = 0;
	}
}

static void find_first(struct sm_sets *sets)
{
	for (uint32_t k = 0; k < sets->tasks; k++)
		sets->first[k] = k;
	for (uint32_t m = 0; m < sets->sms; m++) {
		const bool *on = &sets->on[(size_t)m * sets->tasks];
		uint32_t top = 0;
		while (top < sets->tasks && !on[top])
			top++;
		for (uint32_t k = top; k < sets->tasks; k++)
			if (on[k] && top < sets->first[k])
				sets->first[k] = top;
	}
}

void sm_sets_exclusive(struct sm_sets *sets, const uint32_t *wanted)
{
	uint32_t next = 0;
	clear(sets);
	for (uint32_t k = 0; k < sets->tasks; k++)
		for (uint32_t i = 0; i < wanted[k]; i++, next++)
			sets->on[(size_t)next * sets->tasks + k] = true;
	find_first(sets);
}

/* Whether SM a comes before SM b; tasks before k have chosen. */
static bool less_used(struct sm_sets *sets, uint32_t k, uint32_t a, uint32_t b, const int64_t *length,
	const int64_t *period)
{
	/* Each utilisation was rounded down by less than 1, so the sums differ by less than k. */
	if (sets->use[a] + k < sets->use[b])
		return true;
	if (sets->use[b] + k < sets->use[a])
		return false;
	const bool *on_a = &sets->on[(size_t)a * sets->tasks], *on_b = &sets->on[(size_t)b * sets->tasks];
	uint32_t count = 0;
	for (uint32_t i = 0; i < k; i++)
		if (on_a[i] != on_b[i])
			sets->terms[count++] = (struct ratio){on_a[i] ? length[i] : -length[i], period[i]};
	int order = ratio_sum_compare(sets->terms, count, 0);
	return order < 0 || (order == 0 && a < b);
}

void sm_sets_least_used(
	struct sm_sets *sets, const uint32_t *wanted, const int64_t *length, const int64_t *period)
{
	clear(sets);
	for (uint32_t k = 0; k < sets->tasks; k++) {
		uint32_t taken = wanted[k];
		uint128 use = ((uint128)(uint64_t)length[k] << USE_BITS) / (uint64_t)period[k];
		for (uint32_t i = 0; i < taken; i++) {
			sets->on[(size_t)sets->order[i] * sets->tasks + k] = true;
			sets->use[sets->order[i]] += use;
		}
		for (uint32_t i = 0, j = taken, next = 0; next < sets->sms; next++) {
			bool left = j == sets->sms || (i < taken && less_used(sets, k + 1, sets->order[i],
									    sets->order[j], length, period));
			sets->merged[next] = sets->order[left ? i++ : j++];
		}
		uint32_t *swap = sets->order;
		sets->order = sets->merged;
		sets->merged = swap;
	}
	find_first(sets);
}
