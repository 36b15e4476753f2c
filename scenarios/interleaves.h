/* scenarios/interleaves.h - measured interleave ratios that a scenario may name: `interleave: vectoradd`.
 *
 * How much slower a kernel's persistent block gets when two of them share an SM (V_SM = 2), as RTGPU (Zou,
 * Li, Gill, Zhang, TPDS 2023) measured it on a GTX 1080 Ti: section 4.2 with Fig. 5 by kind of instruction,
 * the worst case beside any other kernel; section 6.2 with Table 2 for benchmarks beside themselves, the
 * largest of the four sizes. */
#ifndef CEGSIM_SCENARIOS_INTERLEAVES_H
#define CEGSIM_SCENARIOS_INTERLEAVES_H

#include <stddef.h>

struct named_interleave {
	const char *name;
	const char *alpha; /* for two virtual SMs per SM */
	const char *source;
};

/* All of them, by name. */
const struct named_interleave *interleave_all(size_t *count);
/* NULL: no such name. */
const struct named_interleave *interleave_find(const char *name);

#endif
