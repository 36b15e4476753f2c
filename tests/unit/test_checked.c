/* tests/unit/test_checked.c - checked arithmetic on both sides of each boundary. */
#include "base/checked.h"
#include "tests/support/test.h"

TEST("sums")
{
	int64_t sum;
	assert_true(checked_add(INT64_MAX - 1, 1, &sum));
	assert_true(sum == INT64_MAX);
	assert_false(checked_add(INT64_MAX, 1, &sum));
	assert_true(checked_add(INT64_MIN, INT64_MAX, &sum));
	assert_true(sum == -1);
	assert_false(checked_add(INT64_MIN, -1, &sum));
}

TEST("products")
{
	int64_t product;
	assert_true(checked_mul(INT64_MAX, 1, &product));
	assert_true(product == INT64_MAX);
	assert_true(checked_mul(3037000499, 3037000499, &product));
	assert_true(product == 9223372030926249001);
	assert_false(checked_mul(3037000500, 3037000500, &product));
	assert_false(checked_mul(INT64_MIN, -1, &product));
}

TEST("quotients round up")
{
	assert_int_equal(ceil_div(0, 7), 0);
	assert_int_equal(ceil_div(1, 7), 1);
	assert_int_equal(ceil_div(7, 7), 1);
	assert_int_equal(ceil_div(8, 7), 2);
	assert_true(ceil_div(INT64_MAX, 1) == INT64_MAX);
	assert_true(ceil_div(INT64_MAX, 2) == (int64_t)1 << 62);
	assert_true(ceil_div(INT64_MAX, INT64_MAX) == 1);
}

TEST("fractions round up")
{
	int64_t result;
	assert_true(checked_mul_ceil_div(10, 3, 4, &result));
	assert_int_equal(result, 8);
	assert_true(checked_mul_ceil_div(8, 3, 4, &result));
	assert_int_equal(result, 6);
	assert_true(checked_mul_ceil_div(0, INT64_MAX, 1, &result));
	assert_int_equal(result, 0);
	/* The product needs 126 bits, the quotient 63. */
	assert_true(checked_mul_ceil_div(INT64_MAX, INT64_MAX, INT64_MAX, &result));
	assert_true(result == INT64_MAX);
	assert_false(checked_mul_ceil_div(INT64_MAX, INT64_MAX, INT64_MAX - 1, &result));
	assert_false(checked_mul_ceil_div(INT64_MAX, 2, 1, &result));
	/* ceil((2^63 - 1) * 3 / 4), by hand */
	assert_true(checked_mul_ceil_div(INT64_MAX, 3, 4, &result));
	assert_true(result == 6917529027641081856);
}

TEST("halves go to the even")
{
	static const struct {
		int64_t a, b, quotient;
	} cases[] = {{0, 2, 0}, {1, 2, 0}, {3, 2, 2}, {5, 2, 2}, {7, 2, 4}, {1, 3, 0}, {2, 3, 1}, {4, 8, 0},
		{5, 8, 1}, {12, 8, 2}, {11, 8, 1}, {13, 8, 2}, {INT64_MAX, 1, INT64_MAX}, {-1, 2, 0},
		{-3, 2, -2}, {-5, 2, -2}, {-1, 3, 0}, {-2, 3, -1}, {-7, 4, -2}, {-8, 4, -2}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_true(div_half_even(cases[i].a, cases[i].b) == cases[i].quotient);
}
