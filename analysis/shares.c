/* analysis/shares.c - see analysis/shares.h. */
#include "analysis/shares.h"

static bool takes_part(const struct chains *chains, uint32_t gpu, uint32_t k)
{
	const struct chain *c = &chains->chain[chains->order[k]];
	return c->kernels > 0 && c->gpu == gpu;
}

void shares_anyway(const struct chains *chains, uint32_t gpu, uint32_t kept, uint32_t total, uint32_t *steps)
{
	uint32_t used = 0, rest = 0;
	for (uint32_t k = 0; k < chains->count; k++) {
		if (!takes_part(chains, gpu, k))
			continue;
		used += k < kept ? steps[k] : 0;
		rest += k >= kept;
	}
	while (kept > 0 && used + rest > total) {
		kept--;
		if (!takes_part(chains, gpu, kept))
			continue;
		used -= steps[kept];
		rest++;
	}
	uint32_t left = total - used;
	for (uint32_t k = kept; k < chains->count; k++)
		if (takes_part(chains, gpu, k) || chains->chain[chains->order[k]].kernels == 0)
			steps[k] = 0;
	while (left > 0 && rest > 0)
		for (uint32_t k = kept; k < chains->count && left > 0; k++) {
			if (!takes_part(chains, gpu, k))
				continue;
			steps[k]++;
			left--;
		}
}
