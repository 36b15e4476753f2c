/* tests/unit/test_simplex.c - vectors with a given sum: exact sums, bounds, and distributions compared with
 * their closed forms. The same checks must also catch generators that are known to be wrong. */
#include <string.h>

#include "scenarios/workload/simplex.h"
#include "tests/support/distributions.h"
#include "tests/support/test.h"

#define PPM INT64_C(1000000)
#define SAMPLE 60000u
#define MOST 8u
#define TRIES 100000u

static struct error failure;

/* coordinate[i][k]: value i of the k-th vector, as a share of one. */
static double coordinate[MOST][SAMPLE];

static void sample(simplex_method *method, const struct simplex *s)
{
	for (uint32_t k = 0; k < SAMPLE; k++) {
		struct draws d = {.seed = 11, .set = k};
		int64_t x[MOST], sum = 0;
		assert_true(method(&d, s, TRIES, x, &failure));
		for (uint32_t i = 0; i < s->n; i++) {
			assert_in_range(x[i], s->low ? s->low[i] : 0, s->high ? s->high[i] : s->sum);
			coordinate[i][k] = (double)x[i] / (double)PPM;
			sum += x[i];
		}
		assert_true(sum == s->sum);
	}
}

/* One value of a vector that is uniform on the simplex of sum 1: 1 - (1 - x)^(n - 1). */
static double simplex_cdf(double x, const void *n)
{
	return 1 - pow(1 - fmin(x, 1), *(const uint32_t *)n - 1);
}

/* Do all coordinates have the same distribution, with the right mean? */
static bool is_uniform_on_simplex(uint32_t n)
{
	double variance = (n - 1.0) / (n * n * (n + 1.0));
	for (uint32_t i = 0; i < n; i++) {
		if (mean_error(coordinate[i], SAMPLE, 1.0 / n, variance) > 4 ||
			kolmogorov(coordinate[i], SAMPLE, simplex_cdf, &n) > KS_LIMIT)
			return false;
	}
	return true;
}

TEST("uunifast is uniform")
{
	for (uint32_t n = 2; n <= MOST; n += 3) {
		sample(simplex_uunifast, &(struct simplex){.n = n, .sum = PPM});
		assert_true(is_uniform_on_simplex(n));
	}
}

/* The exponent 1 / (n - i) instead of 1 / (n - i - 1): a mistake found in published code. The last value is
 * then twice as large as the others. */
TEST("an exponent off by one is caught")
{
	const uint32_t n = 5;
	for (uint32_t k = 0; k < SAMPLE; k++) {
		struct draws d = {.seed = 11, .set = k};
		double rest = 1;
		for (uint32_t i = 0; i + 1 < n; i++) {
			double next = rest * pow(draw_unit(&d, DRAW_COORDINATE, i, 0), 1.0 / (n - i));
			coordinate[i][k] = rest - next;
			rest = next;
		}
		coordinate[n - 1][k] = rest;
	}
	assert_false(is_uniform_on_simplex(n));
}

/* RTGPU draws uniform values and normalises them; that is not UUniFast. */
TEST("normalised weights are not uniform")
{
	const uint32_t n = 5;
	for (uint32_t k = 0; k < SAMPLE; k++) {
		struct draws d = {.seed = 11, .set = k};
		int64_t weights[5], x[5];
		for (uint32_t i = 0; i < n; i++)
			weights[i] = draw_between(&d, DRAW_WEIGHT, i, 0, 1, PPM);
		simplex_normalise(weights, n, PPM, 1, x);
		for (uint32_t i = 0; i < n; i++)
			coordinate[i][k] = (double)x[i] / (double)PPM;
	}
	/* The means are right, but the distribution is narrower. */
	for (uint32_t i = 0; i < n; i++)
		assert_true(mean_error(coordinate[i], SAMPLE, 0.2, 0.02667) < 4);
	assert_false(is_uniform_on_simplex(n));
}

/* Distribution of the sum of m values that are uniform in [0, 1] (Irwin, Hall). */
static double irwin_hall(uint32_t m, double y)
{
	double sum = 0, choose = 1, factorial = 1;
	for (uint32_t k = 0; k <= m && k < y; k++) {
		sum += (k % 2 ? -1 : 1) * choose * pow(y - k, m);
		choose = choose * (m - k) / (k + 1);
	}
	for (uint32_t k = 2; k <= m; k++)
		factorial *= k;
	return fmin(1, sum / factorial);
}

/* One value of a vector that is uniform on {0 <= x <= 1, sum = total}: the others make up the rest. */
struct cut_cube {
	uint32_t n;
	double total;
};

static double cut_cube_cdf(double x, const void *self)
{
	const struct cut_cube *c = self;
	double all = irwin_hall(c->n - 1, c->total) - irwin_hall(c->n - 1, c->total - 1);
	return (irwin_hall(c->n - 1, c->total) - irwin_hall(c->n - 1, c->total - x)) / all;
}

static bool is_uniform_on_cut_cube(const struct cut_cube *c)
{
	uint32_t at_cap = 0;
	for (uint32_t i = 0; i < c->n; i++) {
		for (uint32_t k = 0; k < SAMPLE; k++)
			at_cap += coordinate[i][k] >= 1;
		if (kolmogorov(coordinate[i], SAMPLE, cut_cube_cdf, c) > KS_LIMIT)
			return false;
	}
	return at_cap < 5; /* they do not collect there */
}

static const int64_t zeros[MOST], ones[MOST] = {PPM, PPM, PPM, PPM, PPM, PPM, PPM, PPM};

/* n = 3, sum 1.5 is the hexagon known from the literature. */
TEST("capped methods are uniform")
{
	static simplex_method *const methods[] = {simplex_randfixedsum, simplex_discard, simplex_bounded};
	static const struct cut_cube cubes[] = {
		{3, 1.5}, {2, 1.3}, {4, 0.8}, {5, 1.7}, {5, 2.2}, {6, 3}, {5, 3.4}};
	assert_true(fabs(cut_cube_cdf(0.25, &cubes[0]) - (0.125 + 0.03125) / 0.75) < 1e-12);
	for (size_t m = 0; m < 3; m++) {
		for (size_t c = 0; c < sizeof(cubes) / sizeof(cubes[0]) - (m == 1); c++) {
			sample(methods[m], &(struct simplex){
						   .n = cubes[c].n,
						   .sum = llround(cubes[c].total * (double)PPM),
						   .low = zeros,
						   .high = ones,
					   });
			assert_true(is_uniform_on_cut_cube(&cubes[c]));
		}
	}
}

/* UUniFast without bounds, with values cut off at 1, is not uniform. */
TEST("values cut off are caught")
{
	for (uint32_t k = 0; k < SAMPLE; k++) {
		struct draws d = {.seed = 11, .set = k};
		int64_t x[3];
		assert_true(
			simplex_uunifast(&d, &(struct simplex){.n = 3, .sum = 3 * PPM / 2}, 1, x, &failure));
		for (uint32_t i = 0; i < 3; i++)
			coordinate[i][k] = fmin(1, (double)x[i] / (double)PPM);
	}
	assert_false(is_uniform_on_cut_cube(&(struct cut_cube){3, 1.5}));
}

/* Bounds that cut nothing off give the simplex, shifted and scaled. */
TEST("randfixedsum without a cap is the simplex")
{
	const uint32_t n = 5;
	int64_t low[5], high[5];
	for (uint32_t i = 0; i < n; i++) {
		low[i] = PPM / 10;
		high[i] = 2 * PPM;
	}
	sample(simplex_randfixedsum, &(struct simplex){.n = n, .sum = 3 * PPM / 2, .low = low, .high = high});
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < SAMPLE; k++)
			coordinate[i][k] -= 0.1;
	assert_true(is_uniform_on_simplex(n));
}

/* 7 values of at most 0.4 with sum 2.5: the complement has the same distribution as 7 values with sum 0.3. */
TEST("randfixedsum near the cap is the complement")
{
	const uint32_t n = 7;
	int64_t low[7] = {0}, high[7];
	for (uint32_t i = 0; i < n; i++)
		high[i] = 2 * PPM / 5;
	sample(simplex_randfixedsum, &(struct simplex){.n = n, .sum = 5 * PPM / 2, .low = low, .high = high});
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < SAMPLE; k++)
			coordinate[i][k] = (0.4 - coordinate[i][k]) / 0.3;
	assert_true(is_uniform_on_simplex(n));
}

/* Shifted by the lower bounds, the first value has density 0.7 - y on [0, 0.3]; the other
 * bounds cut nothing. */
static double cut_cdf(double x, const void *self)
{
	(void)self;
	return (0.7 * x - x * x / 2) / 0.165;
}

TEST("bounds of their own are uniform")
{
	const int64_t low[] = {0, PPM / 10, PPM / 5}, high[] = {3 * PPM / 10, 9 * PPM / 10, 9 * PPM / 10};
	sample(simplex_bounded, &(struct simplex){.n = 3, .sum = PPM, .low = low, .high = high});
	assert_true(kolmogorov(coordinate[0], SAMPLE, cut_cdf, NULL) < KS_LIMIT);
}

TEST("drs keeps sums and bounds")
{
	const int64_t low[] = {0, PPM / 10, PPM / 5, 0}, high[] = {3 * PPM / 10, 9 * PPM / 10, PPM / 4, PPM};
	sample(simplex_drs, &(struct simplex){.n = 4, .sum = PPM});
	assert_true(is_uniform_on_simplex(4));
	for (int64_t sum = 310000; sum <= 2440000; sum += 710000)
		sample(simplex_drs, &(struct simplex){.n = 4, .sum = sum, .low = low, .high = high});
	/* It is not uniform for all bounds. For these, a sample of this size shows no difference. */
	sample(simplex_drs, &(struct simplex){.n = 3, .sum = 3 * PPM / 2, .low = zeros, .high = ones});
	assert_true(is_uniform_on_cut_cube(&(struct cut_cube){3, 1.5}));
}

TEST("the ends of the bounds are reached")
{
	static simplex_method *const methods[] = {
		simplex_discard, simplex_randfixedsum, simplex_bounded, simplex_drs};
	const int64_t low[] = {5, 5, 5}, high[] = {9, 9, 9}, mixed[] = {5, 6, 7};
	int64_t x[3];
	for (size_t i = 1; i < 4; i++) {
		struct draws d = {.seed = 1};
		assert_true(methods[i](&d, &(struct simplex){3, 15, low, high}, 1, x, &failure));
		assert_true(x[0] == 5 && x[1] == 5 && x[2] == 5);
		assert_true(methods[i](&d, &(struct simplex){3, 27, low, high}, 1, x, &failure));
		assert_true(x[0] == 9 && x[1] == 9 && x[2] == 9);
		assert_true(methods[i](&d, &(struct simplex){1, 7, low, high}, 1, x, &failure) && x[0] == 7);
	}
	for (size_t i = 2; i < 4; i++) {
		struct draws d = {.seed = 1};
		assert_true(methods[i](&d, &(struct simplex){3, 18, low, mixed}, TRIES, x, &failure));
		assert_true(x[0] == 5 && x[1] == 6 && x[2] == 7);
	}
}

TEST("impossible bounds are refused")
{
	static simplex_method *const methods[] = {
		simplex_discard, simplex_randfixedsum, simplex_bounded, simplex_drs};
	const int64_t low[] = {PPM, PPM, PPM}, high[] = {2 * PPM, 2 * PPM, 2 * PPM},
		      crossed[] = {PPM, PPM, 0};
	for (size_t i = 0; i < 4; i++) {
		struct draws d = {.seed = 1};
		int64_t x[3];
		assert_false(
			methods[i](&d, &(struct simplex){3, 3 * PPM - 1, low, high}, TRIES, x, &failure));
		assert_non_null(strstr(failure.text, "lower bounds add up to 3,"));
		assert_false(
			methods[i](&d, &(struct simplex){3, 6 * PPM + 1, low, high}, TRIES, x, &failure));
		assert_non_null(strstr(failure.text, "upper bounds add up to 6,"));
		assert_false(methods[i](&d, &(struct simplex){3, 3 * PPM, low, crossed}, TRIES, x, &failure));
		assert_non_null(strstr(failure.text, "value 3 leave no room"));
		assert_int_equal(failure.status, STATUS_INPUT);
	}
	struct draws d = {.seed = 1};
	int64_t x[3];
	assert_false(simplex_randfixedsum(&d,
		&(struct simplex){3, 4 * PPM, low, (int64_t[]){3 * PPM, 2 * PPM, 2 * PPM}}, 1, x, &failure));
	assert_non_null(strstr(failure.text, "same bounds"));
}

/* Eight values below 0.51 with sum 4 are found once in millions of tries. */
TEST("tries are limited")
{
	int64_t x[8], low[8] = {0}, high[8];
	struct draws d = {.seed = 5};
	for (uint32_t i = 0; i < 8; i++)
		high[i] = 510000 + i; /* not all equal, so RandFixedSum cannot be used instead */
	assert_false(simplex_discard(&d, &(struct simplex){8, 4 * PPM, low, high}, 30, x, &failure));
	assert_string_equal(failure.text,
		"UUniFast-Discard found no 8 values with the sum 4 within their bounds in 30 tries");
	assert_int_equal(d.attempt, 30);
	assert_false(simplex_bounded(&d, &(struct simplex){8, 4 * PPM, low, high}, 30, x, &failure));
	assert_non_null(strstr(failure.text, "in 30 tries"));
	/* Fewer values are found, at the try that d->attempt then names; that try alone finds them again. */
	d.attempt = 0;
	for (uint32_t i = 0; i < 8; i++)
		high[i] = 3 * PPM / 5;
	assert_true(simplex_discard(&d, &(struct simplex){4, 8 * PPM / 5, low, high}, TRIES, x, &failure));
	assert_true(d.attempt > 0);
	int64_t again[8];
	assert_true(simplex_discard(&d, &(struct simplex){4, 8 * PPM / 5, low, high}, 1, again, &failure));
	assert_memory_equal(x, again, 4 * sizeof(*x));
}

TEST("a vector depends on nothing but its index")
{
	static simplex_method *const methods[] = {
		simplex_uunifast, simplex_discard, simplex_randfixedsum, simplex_bounded, simplex_drs};
	const int64_t low[] = {1, 1, 1, 1}, high[] = {PPM, PPM, PPM, PPM},
		      capped[] = {PPM, PPM / 2, PPM, PPM};
	int64_t first[100][4], x[4];
	for (size_t m = 0; m < 5; m++) {
		struct simplex s = {4, 2 * PPM, low, m < 3 ? high : capped};
		for (uint32_t k = 0; k < 100; k++) {
			struct draws d = {.seed = 3, .set = k};
			assert_true(methods[m](&d, &s, TRIES, first[k], &failure));
		}
		for (uint32_t k = 100; k-- > 0;) {
			struct draws d = {.seed = 3, .set = k};
			assert_true(methods[m](&d, &s, TRIES, x, &failure));
			assert_memory_equal(x, first[k], sizeof(x));
			d = (struct draws){.seed = 4, .set = k};
			assert_true(methods[m](&d, &s, TRIES, x, &failure));
			assert_memory_not_equal(x, first[k], sizeof(x));
		}
		assert_memory_not_equal(first[0], first[1], sizeof(x));
	}
}

TEST("normalised parts are proportional and exact")
{
	int64_t x[4];
	simplex_normalise((int64_t[]){1, 2, 3, 4}, 4, 100, 0, x);
	assert_true(x[0] == 10 && x[1] == 20 && x[2] == 30 && x[3] == 40);
	simplex_normalise((int64_t[]){1, 1, 1}, 3, 11, 0, x); /* 3.67 each: the first two get one more */
	assert_true(x[0] == 4 && x[1] == 4 && x[2] == 3);
	simplex_normalise((int64_t[]){0, 5, 1}, 3, 9, 1, x);
	assert_true(x[0] == 1 && x[1] == 6 && x[2] == 2);
	simplex_normalise((int64_t[]){INT64_C(1) << 52, (INT64_C(1) << 52) - 1}, 2, INT64_C(1) << 52, 0, x);
	assert_true(x[0] + x[1] == INT64_C(1) << 52 && x[0] - x[1] <= 1);
}

TEST("parts of a split add up")
{
	for (uint32_t k = 0; k < 1000; k++) {
		struct draws d = {.seed = 2, .set = k};
		double unit[5];
		int64_t parts[6], sum = 0;
		for (uint32_t i = 0; i < 5; i++)
			unit[i] = draw_unit(&d, DRAW_SPLIT_CPU, 0, i);
		simplex_split(unit, 6, k, parts);
		for (uint32_t i = 0; i < 6; i++) {
			assert_true(parts[i] >= 0);
			sum += parts[i];
		}
		assert_int_equal(sum, k);
	}
}
