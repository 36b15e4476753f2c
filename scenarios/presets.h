/* scenarios/presets.h - the GPUs that a scenario can name: limits per SM, copy engines, sizes of caches and,
 * where it was measured, power. */
#ifndef CEGSIM_SCENARIOS_PRESETS_H
#define CEGSIM_SCENARIOS_PRESETS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"
#include "models/platform.h"

struct preset {
	const char *name;                /* "jetson-tx1" */
	const char *compute;             /* compute capability */
	struct platform platform;        /* complete; named as the preset */
	uint32_t warp_schedulers;        /* per SM */
	int64_t registers_per_block;     /* CUDA's limit, only shown; no block may be larger */
	int64_t shared_memory_per_block; /* without opt-in to more */
	int64_t cache_per_sm;            /* L1, and shared memory where that is part of it; 0: not known */
	int64_t l2_bytes;                /* 0: not known */
	const char *source;              /* the evidence for the limits */
	const char *cache_source;        /* that for the caches; NULL: none of the two is known */
	const char *power_source;        /* NULL: static_uw and idle_per_sm_uw are 0, not measured */
};

/* All presets, in the order they are listed. */
const struct preset *preset_all(size_t *count);
/* Into which amounts of shared memory GPUs of a compute capability divide the memory of an SM. False: they do
 * not, or are not known. */
MUST_CHECK bool divisions_find(const char *compute, struct divisions *out);
/* The compute capabilities for which it is known, up to a NULL. */
const char *const *divisions_all(void);
/* NULL: no such name. */
const struct preset *preset_find(const char *name);
/* The same for a name that the user gives an option. NULL, with the error: no such name. */
const struct preset *preset_named(const char *name, struct error *err);
/* Whether L1 of an SM and its shared memory are one, cache_per_sm. */
bool preset_l1_is_shared(const struct preset *preset);
/* L1 of an SM of the preset beside that much shared memory; 0: not known. */
int64_t preset_l1(const struct preset *preset, int64_t shared_memory);
/* Offers the names of all presets. */
void preset_suggest(struct suggestion *s);

#endif
