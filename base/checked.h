/* base/checked.h - integer arithmetic that says when it does not fit.
 *
 * Virtual time is int64 nanoseconds (docs/model.md): a sum or product that
 * leaves that range is an input error, never a wrapped number. */
#ifndef CEGSIM_BASE_CHECKED_H
#define CEGSIM_BASE_CHECKED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/int128.h"

MUST_CHECK static inline bool checked_add(int64_t a, int64_t b, int64_t *sum)
{
	return !__builtin_add_overflow(a, b, sum);
}

MUST_CHECK static inline bool checked_mul(int64_t a, int64_t b, int64_t *product)
{
	return !__builtin_mul_overflow(a, b, product);
}

/* ceil(a / b) for a >= 0, b > 0. */
static inline int64_t ceil_div(int64_t a, int64_t b)
{
	return a / b + (a % b != 0);
}

/* For a, b >= 0, not both 0. */
static inline int64_t greatest_common_divisor(int64_t a, int64_t b)
{
	while (b != 0) {
		int64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* ceil(a * b / c) for a, b >= 0, c > 0, exact in 128 bits; false if the result
 * does not fit. */
MUST_CHECK static inline bool checked_mul_ceil_div(int64_t a, int64_t b, int64_t c, int64_t *result)
{
	uint128 product = (uint128)(uint64_t)a * (uint64_t)b;
	uint128 quotient = (product + (uint64_t)c - 1) / (uint64_t)c;
	if (quotient > INT64_MAX)
		return false;
	*result = (int64_t)quotient;
	return true;
}

/* a / b rounded to the nearest integer, ties to the even one; b > 0. */
static inline int64_t div_half_even(int128 a, int128 b)
{
	int128 quotient = a / b, rest = a % b;
	if (rest < 0) {
		quotient--;
		rest += b;
	}
	if (2 * rest > b || (2 * rest == b && (quotient & 1)))
		quotient++;
	return (int64_t)quotient;
}

#endif
