/* analysis/ratio.h - exact comparison of sums of ratios, such as utilisations: a sum that is exactly 1 is
 * not more than 1, and equal sums tie. */
#ifndef CEGSIM_ANALYSIS_RATIO_H
#define CEGSIM_ANALYSIS_RATIO_H

#include <stdint.h>

#include "base/export.h"
#include "base/int128.h"

struct ratio {
	int128 numerator;
	int128 denominator; /* 1 .. 2^90 */
};

/* -1, 0 or 1: the sum of terms[count] is less than, equal to or more than `whole`. Numerators may be
 * negative; the sum of the quotients, and whole, must be below 2^60. Changes the terms. */
CEGSIM_API int ratio_sum_compare(struct ratio *terms, uint32_t count, int64_t whole);

#endif
