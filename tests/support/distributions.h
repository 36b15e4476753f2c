/* tests/support/distributions.h - does a sample have the expected distribution? Kolmogorov-Smirnov against an
 * exact distribution, and means. The seeds of the tests are fixed, so a test that passes once always
 * passes. */
#ifndef CEGSIM_TESTS_SUPPORT_DISTRIBUTIONS_H
#define CEGSIM_TESTS_SUPPORT_DISTRIBUTIONS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* sqrt(n) times the largest distance that a sample has by chance once in a thousand times
 * (Kolmogorov, 1933). */
#define KS_LIMIT 1.95

static inline int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* sqrt(n) * max |F_n - F|; sorts the sample. */
static inline double kolmogorov(
	double *sample, size_t n, double (*cdf)(double x, const void *self), const void *self)
{
	double most = 0;
	qsort(sample, n, sizeof(*sample), ascending);
	for (size_t i = 0; i < n; i++) {
		double f = cdf(sample[i], self);
		most = fmax(most, fmax(f - (double)i / (double)n, (double)(i + 1) / (double)n - f));
	}
	return most * sqrt((double)n);
}

/* The distance of a mean from its expected value, in standard errors. */
static inline double mean_error(const double *sample, size_t n, double mean, double variance)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += sample[i];
	return fabs(sum / (double)n - mean) / sqrt(variance / (double)n);
}

#endif
