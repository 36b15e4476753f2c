/* scenarios/traced/keys.h - numbers of 64 bits, counted as they come; only for use in scenarios/traced/. */
#ifndef CEGSIM_SCENARIOS_TRACED_KEYS_H
#define CEGSIM_SCENARIOS_TRACED_KEYS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* A zeroed one is empty. */
struct keys {
	uint64_t *keys;  /* [size] */
	uint32_t *index; /* [size], UINT32_MAX: the place is free */
	size_t size;     /* a power of two, or 0 */
	uint32_t count;
};

#define KEYS_NONE UINT32_MAX

void keys_finish(struct keys *k);
/* KEYS_NONE: it is not there. */
uint32_t keys_find(const struct keys *k, uint64_t key);
/* Its index: `count` before the call if it is new. KEYS_NONE: out of memory. */
uint32_t keys_add(struct keys *k, uint64_t key);

#endif
