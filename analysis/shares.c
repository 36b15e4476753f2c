/* analysis/shares.c - see analysis/shares.h. */
#include "analysis/shares.h"

static bool has_kernels(const struct chains *chains, uint32_t k)
{
	return chains->chain[chains->order[k]].kernels > 0;
}

void shares_anyway(const struct chains *chains, uint32_t kept, uint32_t total, uint32_t *steps)
{
	uint32_t used = 0, rest = 0;
	for (uint32_t k = 0; k < chains->count; k++) {
		used += k < kept ? steps[k] : 0;
		rest += k >= kept && has_kernels(chains, k);
	}
	while (kept > 0 && used + rest > total) {
		kept--;
		used -= steps[kept];
		rest += has_kernels(chains, kept);
	}
	uint32_t left = total - used;
	for (uint32_t k = kept; k < chains->count; k++)
		steps[k] = 0;
	while (left > 0 && rest > 0)
		for (uint32_t k = kept; k < chains->count && left > 0; k++) {
			if (!has_kernels(chains, k))
				continue;
			steps[k]++;
			left--;
		}
}
