/* analysis/ratio.c - see analysis/ratio.h.
 *
 * Both sides are compared digit by digit, in base 2^32. After some digits, what is left of `whole`, in units
 * of the last digit, is compared with the remainders of the terms, each at least 0 and less than 1 unit. As
 * long as that does not decide, the difference is tiny. Two different sums differ by at least the product of
 * all 1 / denominator, so after enough digits they must be equal.
 *
 * Before all that, floating point decides where the sides are far from each other: then no digit is needed.
 */
#include "analysis/ratio.h"

#include <stdbool.h>

#define DIGIT_BITS 32
#define DENOMINATOR_BITS 90

/* Removes the integer parts from the terms; returns their sum. */
static int128 take_integers(struct ratio *terms, uint32_t count)
{
	int128 sum = 0;
	for (uint32_t i = 0; i < count; i++) {
		int128 quotient = terms[i].numerator / terms[i].denominator;
		terms[i].numerator %= terms[i].denominator;
		if (terms[i].numerator < 0) {
			terms[i].numerator += terms[i].denominator;
			quotient--;
		}
		sum += quotient;
	}
	return sum;
}

/* The sign of the sum less `whole`; 0: they are too close to say. Terms are converted, divided and added,
 * each time with an error below 2^-52 of the sum of all absolute values: less than 2^-29 of it for up to 2^20
 * terms, and FAR is more. */
#define FAR 1e-8
#define FAR_TERMS (UINT32_C(1) << 20)
static int compare_roughly(const struct ratio *terms, uint32_t count, int64_t whole)
{
	double sum = -(double)whole, size = whole < 0 ? -(double)whole : (double)whole;
	for (uint32_t i = 0; i < count && i < FAR_TERMS; i++) {
		int64_t numerator = (int64_t)terms[i].numerator, denominator = (int64_t)terms[i].denominator;
		if (numerator != terms[i].numerator || denominator != terms[i].denominator)
			return 0;
		double term = (double)numerator / (double)denominator;
		sum += term;
		size += term < 0 ? -term : term;
	}
	if (count > FAR_TERMS || (sum <= FAR * size && sum >= -FAR * size))
		return 0;
	return sum > 0 ? 1 : -1;
}

int ratio_sum_compare(struct ratio *terms, uint32_t count, int64_t whole)
{
	int rough = compare_roughly(terms, count, whole);
	if (rough)
		return rough;
	int128 left = whole - take_integers(terms, count);
	uint64_t digits = ((uint64_t)count * DENOMINATOR_BITS) / DIGIT_BITS + 2;
	for (;; digits--) {
		bool rest = false;
		for (uint32_t i = 0; i < count; i++)
			rest |= terms[i].numerator != 0;
		if (left < 0)
			return 1;
		if (!rest)
			return left > 0 ? -1 : 0;
		if (left >= count)
			return -1;
		if (left == 0)
			return 1;
		if (digits == 0)
			return 0;
		for (uint32_t i = 0; i < count; i++)
			terms[i].numerator <<= DIGIT_BITS;
		left = (left << DIGIT_BITS) - take_integers(terms, count);
	}
}
