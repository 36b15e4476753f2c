/* base/mix.h - the finaliser of SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number
 * generators", OOPSLA 2014): a one-to-one function; every input bit changes about half of the output bits.
 * Digests use it as their last step. */
#ifndef CEGSIM_BASE_MIX_H
#define CEGSIM_BASE_MIX_H

#include <stdint.h>

static inline uint64_t mix64(uint64_t z)
{
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

#endif
