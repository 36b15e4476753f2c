/* base/random.c - owns the layout of Philox counters (base/random.h).
 *
 * key     = seed, low word first
 * counter = { job; segment, purpose, draw; task; set }
 * Every field has bits of its own, so two different draws never share a counter. */
#include "base/random.h"

#include <assert.h>

#include "base/int128.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wundef"
#pragma GCC diagnostic ignored "-Wcast-qual"
#pragma GCC diagnostic ignored "-Wshadow"
#include <Random123/philox.h>
#pragma GCC diagnostic pop

uint64_t random_bits(const struct random_key *key, uint8_t draw)
{
	philox4x32_key_t philox_key = {{(uint32_t)key->seed, (uint32_t)(key->seed >> 32)}};
	uint32_t use = (uint32_t)key->segment << 16 | (uint32_t)key->purpose << 8 | draw;
	philox4x32_ctr_t counter = {{key->job, use, key->task, key->set}};
	philox4x32_ctr_t bits = philox4x32(counter, philox_key);
	return (uint64_t)bits.v[1] << 32 | bits.v[0];
}

/* 2^64 mod range products are to be rejected, those whose lower half is less. At least every second draw is
 * accepted, so that all 256 draws of a key are rejected with a probability below 2^-256: never. */
__attribute__((noinline, cold)) static int64_t reject(
	const struct random_key *key, uint64_t range, uint128 product)
{
	uint64_t threshold = -range % range;
	for (unsigned draw = 1; (uint64_t)product < threshold && draw <= UINT8_MAX; draw++)
		product = (uint128)random_bits(key, (uint8_t)draw) * range;
	return (int64_t)(product >> 64);
}

int64_t random_upto(const struct random_key *key, int64_t bound)
{
	assert(bound >= 0);
	uint64_t range = (uint64_t)bound + 1; /* at most 2^63 */
	uint128 product = (uint128)random_bits(key, 0) * range;
	/* The threshold is below the range, and mostly need not be known: that takes a division. */
	if (__builtin_expect((uint64_t)product < range, 0))
		return reject(key, range, product);
	return (int64_t)(product >> 64);
}
