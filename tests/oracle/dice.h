/* tests/oracle/dice.h - the random numbers of the random sets. */
#ifndef CEGSIM_TESTS_ORACLE_DICE_H
#define CEGSIM_TESTS_ORACLE_DICE_H

#include <stdbool.h>
#include <stdint.h>

/* SplitMix64 (Steele, Lea, Flood, OOPSLA'14): short, and not what the product uses. */
struct dice {
	uint64_t state;
};

static inline uint64_t roll(struct dice *d)
{
	uint64_t z = d->state += 0x9E3779B97F4A7C15u;
	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
	z = (z ^ z >> 27) * 0x94D049BB133111EBu;
	return z ^ z >> 31;
}

/* Uniform in [low, high] (the bias of the remainder does not matter here). */
static inline int64_t between(struct dice *d, int64_t low, int64_t high)
{
	return low + (int64_t)(roll(d) % (uint64_t)(high - low + 1));
}

static inline uint32_t small(struct dice *d, uint32_t low, uint32_t high)
{
	return (uint32_t)between(d, low, high);
}

/* True once in n. */
static inline bool once_in(struct dice *d, uint32_t n)
{
	return roll(d) % n == 0;
}

#endif
