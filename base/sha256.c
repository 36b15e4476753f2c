/* base/sha256.c - see base/sha256.h. Names and sections are those of FIPS 180-4. */
#include "base/sha256.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define BLOCK 64
#define ROUNDS 64

static const uint32_t k[ROUNDS] = {
	/* 4.2.2 */
	0x428a2f98,
	0x71374491,
	0xb5c0fbcf,
	0xe9b5dba5,
	0x3956c25b,
	0x59f111f1,
	0x923f82a4,
	0xab1c5ed5,
	0xd807aa98,
	0x12835b01,
	0x243185be,
	0x550c7dc3,
	0x72be5d74,
	0x80deb1fe,
	0x9bdc06a7,
	0xc19bf174,
	0xe49b69c1,
	0xefbe4786,
	0x0fc19dc6,
	0x240ca1cc,
	0x2de92c6f,
	0x4a7484aa,
	0x5cb0a9dc,
	0x76f988da,
	0x983e5152,
	0xa831c66d,
	0xb00327c8,
	0xbf597fc7,
	0xc6e00bf3,
	0xd5a79147,
	0x06ca6351,
	0x14292967,
	0x27b70a85,
	0x2e1b2138,
	0x4d2c6dfc,
	0x53380d13,
	0x650a7354,
	0x766a0abb,
	0x81c2c92e,
	0x92722c85,
	0xa2bfe8a1,
	0xa81a664b,
	0xc24b8b70,
	0xc76c51a3,
	0xd192e819,
	0xd6990624,
	0xf40e3585,
	0x106aa070,
	0x19a4c116,
	0x1e376c08,
	0x2748774c,
	0x34b0bcb5,
	0x391c0cb3,
	0x4ed8aa4a,
	0x5b9cca4f,
	0x682e6ff3,
	0x748f82ee,
	0x78a5636f,
	0x84c87814,
	0x8cc70208,
	0x90befffa,
	0xa4506ceb,
	0xbef9a3f7,
	0xc67178f2,
};

static uint32_t rotr(uint32_t x, unsigned n)
{
	return x >> n | x << (32 - n);
}

/* 6.2.2, step 1 */
static void schedule(const uint8_t *m, uint32_t w[ROUNDS])
{
	for (int t = 0; t < 16; t++, m += 4)
		w[t] = (uint32_t)m[0] << 24 | (uint32_t)m[1] << 16 | (uint32_t)m[2] << 8 | m[3];
	for (int t = 16; t < ROUNDS; t++) {
		uint32_t s0 = rotr(w[t - 15], 7) ^ rotr(w[t - 15], 18) ^ w[t - 15] >> 3;
		uint32_t s1 = rotr(w[t - 2], 17) ^ rotr(w[t - 2], 19) ^ w[t - 2] >> 10;
		w[t] = s1 + w[t - 7] + s0 + w[t - 16];
	}
}

/* 6.2.2, steps 2 to 4; s[0] .. s[7] are a .. h. */
static void compress(uint32_t hash[8], const uint8_t *block)
{
	uint32_t w[ROUNDS], s[8];
	schedule(block, w);
	memcpy(s, hash, sizeof(s));
	for (int t = 0; t < ROUNDS; t++) {
		uint32_t s1 = rotr(s[4], 6) ^ rotr(s[4], 11) ^ rotr(s[4], 25);
		uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
		uint32_t t1 = s[7] + s1 + choice + k[t] + w[t];
		uint32_t s0 = rotr(s[0], 2) ^ rotr(s[0], 13) ^ rotr(s[0], 22);
		uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
		memmove(s + 1, s, 7 * sizeof(*s));
		s[4] += t1;
		s[0] = t1 + s0 + majority;
	}
	for (int i = 0; i < 8; i++)
		hash[i] += s[i];
}

void sha256(const void *data, size_t size, char text[SHA256_TEXT])
{
	uint32_t hash[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
		0x1f83d9ab, 0x5be0cd19}; /* 5.3.3 */
	uint8_t last[2 * BLOCK] = {0};
	const uint8_t *bytes = data;
	size_t left = size;
	for (; left >= BLOCK; left -= BLOCK, bytes += BLOCK)
		compress(hash, bytes);
	/* 5.1.1: a one, zeros, and the length in bits at the end of a block. */
	if (left > 0)
		memcpy(last, bytes, left);
	last[left] = 0x80;
	size_t padded = left + 9 <= BLOCK ? BLOCK : 2 * BLOCK;
	for (unsigned i = 0; i < 8; i++)
		last[padded - 1 - i] = (uint8_t)((uint64_t)size * 8 >> 8 * i);
	for (size_t at = 0; at < padded; at += BLOCK)
		compress(hash, last + at);
	for (int i = 0; i < 8; i++)
		snprintf(text + (size_t)8 * (size_t)i, 9, "%08x", hash[i]);
}
