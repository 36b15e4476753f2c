/* tests/unit/test_random.c - counter-based draws: known answers of Philox4x32-10 (the
 * kat_vectors file of the Random123 distribution), and exact uniformity. */
#include "base/random.h"
#include "tests/support/test.h"

/* A key whose Philox counter is c0 .. c3 (see random.c for the layout). */
static struct random_key key_of(uint32_t c0, uint32_t c1, uint32_t c2, uint32_t c3, uint64_t seed)
{
	return (struct random_key){
		.seed = seed,
		.job = c0,
		.segment = (uint16_t)(c1 >> 16),
		.purpose = (uint8_t)(c1 >> 8),
		.task = c2,
		.set = c3,
	};
}

TEST("known answers")
{
	static const struct {
		uint32_t counter[4];
		uint64_t seed, bits;
	} answers[] = {
		{{0, 0, 0, 0}, 0, 0xe169c58d6627e8d5u},
		{{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, 0xffffffffffffffffu, 0x41c83b0e408f276du},
		{{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0x299f31d0a4093822u, 0x94fdccebd16cfe09u},
	};
	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		const uint32_t *c = answers[i].counter;
		struct random_key key = key_of(c[0], c[1], c[2], c[3], answers[i].seed);
		assert_true(random_bits(&key, (uint8_t)c[1]) == answers[i].bits);
	}
}

TEST("every field matters")
{
	const struct random_key base = {.seed = 1, .set = 2, .task = 3, .job = 4, .segment = 5, .purpose = 6};
	struct random_key changed[6] = {base, base, base, base, base, base};
	changed[0].seed ^= (uint64_t)1 << 63;
	changed[1].set ^= 1u << 31;
	changed[2].task ^= 1u << 31;
	changed[3].job ^= 1u << 31;
	changed[4].segment ^= 1u << 15;
	changed[5].purpose ^= 1u << 7;
	uint64_t bits = random_bits(&base, 0);
	assert_true(bits == random_bits(&base, 0));
	assert_true(bits != random_bits(&base, 1));
	assert_true(bits != random_bits(&base, 128));
	for (size_t i = 0; i < 6; i++)
		assert_true(bits != random_bits(&changed[i], 0));
}

TEST("stays within bounds")
{
	static const int64_t bounds[] = {
		0, 1, 2, 5, 255, 1000000007, (int64_t)1 << 62, INT64_MAX - 1, INT64_MAX};
	struct random_key key = {.seed = 7, .purpose = RANDOM_TEST};
	for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++) {
		for (key.job = 0; key.job < 1000; key.job++) {
			int64_t value = random_upto(&key, bounds[i]);
			assert_true(value >= 0 && value <= bounds[i]);
		}
	}
	key.job = 0;
	assert_int_equal(random_upto(&key, 0), 0);
}

/* Chi-squared over the outcomes of a die. The seed is fixed, so the result is, too. The 0.999 quantile at 5
 * degrees of freedom is 20.5. */
TEST("a die is fair")
{
	enum { ROLLS = 60000, EXPECTED = ROLLS / 6 };
	int64_t seen[6] = {0}, squares = 0;
	struct random_key key = {.seed = 11, .purpose = RANDOM_TEST};
	for (key.job = 0; key.job < ROLLS; key.job++)
		seen[random_upto(&key, 5)]++;
	for (size_t face = 0; face < 6; face++)
		squares += (seen[face] - EXPECTED) * (seen[face] - EXPECTED);
	assert_true(squares < 20 * EXPECTED);
}

/* With range 3 * 2^61, the high word of the product alone would favour every third outcome. A rejected draw
 * must be replaced by the next one. */
TEST("rejects exactly")
{
	const int64_t bound = 3 * ((int64_t)1 << 61) - 1;
	const uint64_t range = (uint64_t)bound + 1, threshold = -range % range;
	struct random_key key = {.seed = 3, .purpose = RANDOM_TEST};
	unsigned redrawn = 0;
	for (key.job = 0; key.job < 1000; key.job++) {
		unsigned draw = 0;
		while (random_bits(&key, (uint8_t)draw) * range < threshold)
			draw++;
		redrawn += draw > 0;
		/* floor(bits * range / 2^64) from halves, without a 128-bit product */
		uint64_t bits = random_bits(&key, (uint8_t)draw);
		uint64_t high = (bits >> 32) * (range >> 32);
		uint64_t cross_a = (bits >> 32) * (uint32_t)range, cross_b = (uint32_t)bits * (range >> 32);
		uint64_t low = (uint64_t)(uint32_t)bits * (uint32_t)range;
		uint64_t middle = (low >> 32) + (uint32_t)cross_a + (uint32_t)cross_b;
		uint64_t expected = high + (cross_a >> 32) + (cross_b >> 32) + (middle >> 32);
		assert_true((uint64_t)random_upto(&key, bound) == expected);
	}
	/* 2^64 mod range = 2^62: a quarter of all draws is rejected. */
	assert_in_range(redrawn, 200, 300);
}
