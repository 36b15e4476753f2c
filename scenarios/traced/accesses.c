/* scenarios/traced/accesses.c - owns the order in which the accesses of a block go through the caches
 * (docs/kernel-traces.md, "Hits"). */
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "scenarios/traced/parts.h"

bool accesses_add(struct accesses *a, uint32_t code, uint32_t warp, const uint64_t *sectors, uint32_t count)
{
	if (!list_reserve(&a->list, &a->capacity, a->count + 1, sizeof(*a->list)) ||
		!list_reserve(&a->sectors, &a->sector_capacity, a->sector_count + count, sizeof(*a->sectors)))
		return false;
	a->list[a->count++] = (struct access){.code = code,
		.first = (uint32_t)a->sector_count,
		.count = (uint16_t)count,
		.warp = (uint16_t)warp};
	memcpy(a->sectors + a->sector_count, sectors, count * sizeof(*sectors));
	a->sector_count += count;
	return a->sector_count <= UINT32_MAX;
}

void accesses_finish(struct accesses *a)
{
	free(a->list);
	free(a->sectors);
	*a = (struct accesses){0};
}

/* A load looks into L1, and fills it; all others go to L2 (write-through, as of Volta). */
static bool run_one(const struct accesses *a, const struct access *it, struct traced_code *code,
	struct lru *l1, struct lru *l2)
{
	struct traced_code *c = &code[it->code];
	bool loads =
		c->class == SASS_GLOBAL_LOAD || c->class == SASS_GENERIC_LOAD || c->class == SASS_LOCAL_LOAD;
	for (uint32_t i = 0; i < it->count; i++) {
		uint64_t sector = a->sectors[it->first + i];
		bool hit = false;
		if (loads && !lru_access(l1, sector, &hit))
			return false;
		c->l1_hits += hit;
		if (hit)
			continue;
		if (!lru_access(l2, sector, &hit))
			return false;
		c->l2_hits += hit;
	}
	return true;
}

bool accesses_run(
	struct accesses *a, struct traced_code *code, uint32_t warps, struct lru *l1, struct lru *l2)
{
	/* The list has the warps one behind the other. */
	size_t next[SASS_LANES], end[SASS_LANES];
	bool any = true;
	memset(next, 0, sizeof(next));
	memset(end, 0, sizeof(end));
	for (size_t i = 0; i < a->count; i++) {
		uint32_t warp = a->list[i].warp;
		if (end[warp] == 0)
			next[warp] = i;
		end[warp] = i + 1;
	}
	while (any) {
		any = false;
		for (uint32_t w = 0; w < warps; w++) {
			if (next[w] == end[w])
				continue;
			if (!run_one(a, &a->list[next[w]++], code, l1, l2))
				return false;
			any = true;
		}
	}
	a->count = a->sector_count = 0;
	return true;
}
