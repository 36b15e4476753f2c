/* models/ranks.h - a set of ranks of which the least, the highest priority, is wanted: who waits for a core.
 *
 * A bit for each rank, and above each 64 bits that are words of the set one that says whether any of them is
 * set, up to a single word: 64 tasks need no more than that one, 4096 two steps, 10^6 four. Nothing is moved
 * when a rank comes or goes, however many there are. The scheduler of Linux finds the highest priority in the
 * same way (sched_find_first_bit()). */
#ifndef CEGSIM_MODELS_RANKS_H
#define CEGSIM_MODELS_RANKS_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

#define RANKS_LEVELS 5 /* 64^6 > 2^32 */

struct ranks {
	uint64_t top;
	uint32_t levels; /* below `top`; level[0] has a bit for each rank */
	uint64_t *level[RANKS_LEVELS];
};

/* For ranks 0 .. count - 1; none is in the set. False: out of memory. */
MUST_CHECK bool ranks_init(struct ranks *r, struct arena *arena, uint32_t count);

static inline bool ranks_empty(const struct ranks *r)
{
	return r->top == 0;
}

static inline uint64_t ranks_bit(uint32_t i)
{
	return UINT64_C(1) << (i & 63);
}

static inline bool ranks_has(const struct ranks *r, uint32_t rank)
{
	uint64_t word = r->levels > 0 ? r->level[0][rank >> 6] : r->top;
	return (word & ranks_bit(rank)) != 0;
}

static inline void ranks_add(struct ranks *r, uint32_t rank)
{
	for (uint32_t i = 0; i < r->levels; i++, rank >>= 6)
		r->level[i][rank >> 6] |= ranks_bit(rank);
	r->top |= ranks_bit(rank);
}

/* Nothing happens if it is not there. */
static inline void ranks_remove(struct ranks *r, uint32_t rank)
{
	for (uint32_t i = 0; i < r->levels; i++, rank >>= 6)
		if ((r->level[i][rank >> 6] &= ~ranks_bit(rank)) != 0)
			return;
	r->top &= ~ranks_bit(rank);
}

#define RANKS_NONE UINT32_MAX

/* The least one above `rank`, which is one of 0 .. count - 1, in the set or not; RANKS_NONE: there is none.
 */
static inline uint32_t ranks_after(const struct ranks *r, uint32_t rank)
{
	uint32_t i = 0;
	uint64_t word;
	for (;; i++, rank >>= 6) {
		word = i < r->levels ? r->level[i][rank >> 6] : r->top;
		word &= UINT64_MAX << (rank & 63) << 1;
		if (word != 0)
			break;
		if (i == r->levels)
			return RANKS_NONE;
	}
	rank = (rank & ~UINT32_C(63)) | (uint32_t)__builtin_ctzll(word);
	while (i-- > 0)
		rank = rank << 6 | (uint32_t)__builtin_ctzll(r->level[i][rank]);
	return rank;
}

/* The least of a set that is not empty. */
static inline uint32_t ranks_first(const struct ranks *r)
{
	assert(!ranks_empty(r));
	uint32_t rank = (uint32_t)__builtin_ctzll(r->top);
	for (uint32_t i = r->levels; i-- > 0;)
		rank = rank << 6 | (uint32_t)__builtin_ctzll(r->level[i][rank]);
	return rank;
}

#endif
