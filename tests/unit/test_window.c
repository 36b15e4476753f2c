/* tests/unit/test_window.c - analysis/window.c: the workload functions of RTGPU (Lemmas 2.1, 5.2, 5.4) and
 * least fixed points; analysis/ratio.c: exact sums of ratios. */
#include "analysis/ratio.h"
#include "analysis/verdict.h"
#include "analysis/window.h"
#include "tests/support/test.h"

/* The bus of task 1 of a worked example: ML_hi 2, 1; MS 8, 7, 8, 29, 8, 29; T = 40. */
static const int64_t bus_length[] = {2, 1}, bus_inner[] = {8};
static const struct window bus = {
	.count = 2,
	.length = bus_length,
	.inner = bus_inner,
	.first_wrap = 7,
	.tail = 29,
	.period = 40,
};

TEST("gaps are inner first and tail")
{
	static const int64_t gaps[] = {8, 7, 8, 29, 8, 29};
	for (uint64_t j = 0; j < 6; j++)
		assert_int_equal(window_gap(&bus, j), gaps[j]);
	assert_int_equal(window_gap(&bus, 1000001), 29);
}

/* Segment by segment, without skipping. */
static int64_t plain_work(const struct window *w, uint32_t h, int64_t t)
{
	int64_t work = 0, x = 0;
	for (uint64_t j = h;; j++) {
		int64_t length = w->length[j % w->count];
		if (x + length + window_gap(w, j) > t)
			return work + (length < t - x ? length : t - x);
		work += length;
		x += length + window_gap(w, j);
	}
}

TEST("work by hand")
{
	/* From segment 0 on: 2, gap 8, 1, gap 7, 2, gap 8, 1, gap 29, 2 ... */
	static const int64_t from_0[][2] = {
		{0, 0},
		{1, 1},
		{2, 2},
		{10, 2},
		{11, 3},
		{18, 3},
		{19, 4},
		{20, 5},
		{28, 5},
		{29, 6},
		{58, 6},
		{59, 7},
	};
	for (size_t i = 0; i < sizeof(from_0) / sizeof(from_0[0]); i++)
		assert_int_equal(window_work(&bus, 0, from_0[i][0]), from_0[i][1]);
	/* From segment 1 on: 1, gap 7, 2, ... */
	assert_int_equal(window_work(&bus, 1, 8), 1);
	assert_int_equal(window_work(&bus, 1, 10), 3);
	assert_int_equal(window_most(&bus, 1), 1);
	assert_int_equal(window_most(&bus, 10), 3);
	assert_int_equal(window_most(&bus, 0), 0);
}

TEST("skipping periods changes nothing")
{
	static const int64_t length[] = {3, 1, 5}, inner[] = {0, 4};
	struct window w = {
		.count = 3, .length = length, .inner = inner, .first_wrap = 2, .tail = 10, .period = 23};
	for (int64_t t = 0; t < 400; t++) {
		int64_t most = 0;
		for (uint32_t h = 0; h < 3; h++) {
			int64_t work = plain_work(&w, h, t);
			assert_int_equal(window_work(&w, h, t), work);
			most = work > most ? work : most;
		}
		assert_int_equal(window_most(&w, t), most);
	}
	/* A very long window: (10^15 - 40) / 40 jobs and a remainder. */
	assert_int_equal(window_work(&bus, 0, INT64_C(1000000000000018)), 3 + INT64_C(25000000000000) * 3);
}

TEST("work on nothing is nothing")
{
	struct window w = {.period = 5};
	assert_int_equal(window_most(&w, 100), 0);
}

static int64_t fixed(int64_t constant, int64_t ahead, int64_t limit, bool beyond)
{
	const struct window *windows[] = {&bus};
	struct window_sum sum = {windows, 1, constant, ahead, limit, beyond, 0};
	return window_fixed_point(&sum);
}

TEST("fixed points are least")
{
	/* x = 4 + W(x): 4 -> 6 -> 6. */
	assert_int_equal(fixed(4, 0, 100, false), 6);
	/* 17 + W: 17, 20, 22, 22. W(20) = 5 = W(22). */
	assert_int_equal(fixed(17, 0, 100, false), 22);
	assert_int_equal(fixed(17, 0, 21, false), NO_BOUND);
	assert_int_equal(fixed(17, 0, 21, true), 22);
	/* Started, not ended: w = W(w + 1): 0 -> 1 -> 2 -> 2, where W(3) = 2. */
	assert_int_equal(fixed(0, 0, 100, false), 0);
	assert_int_equal(fixed(0, 1, 100, false), 2);
	/* From a lower bound: 4 of 6 - 4, and 22 itself. */
	const struct window *windows[] = {&bus};
	struct window_sum sum = {windows, 1, 17, 0, 100, false, 17 + 2};
	assert_int_equal(window_fixed_point(&sum), 22);
	sum.from = 22;
	assert_int_equal(window_fixed_point(&sum), 22);
	sum.limit = 21;
	assert_int_equal(window_fixed_point(&sum), NO_BOUND);
}

/* Segments and gaps of length zero, jobs that follow each other at once, windows of any length. */
TEST("the most is that of some start")
{
	uint64_t random = 1;
	for (int i = 0; i < 20000; i++) {
		int64_t length[5], inner[5], sum = 0, numbers[12];
		for (int j = 0; j < 12; j++) {
			random = random * 6364136223846793005u + 1442695040888963407u;
			numbers[j] = (int64_t)(random >> 33) % (j % 3 ? 9 : 4);
		}
		struct window w = {.count = 1 + (uint32_t)numbers[10] % 5, .length = length, .inner = inner};
		for (uint32_t j = 0; j < w.count; j++) {
			length[j] = numbers[j];
			inner[j] = numbers[5 + j];
			sum += length[j] + (j + 1 < w.count ? inner[j] : 0);
		}
		w.tail = numbers[11] + (sum == 0);
		w.first_wrap = w.tail * (i % 4) / 3;
		w.period = sum + w.tail;
		struct window_piece piece = {0};
		for (int64_t t = 0; t < 150; t += 1 + i % 7) {
			int64_t most = 0;
			for (uint32_t h = 0; h < w.count; h++) {
				int64_t work = window_work(&w, h, t);
				most = work > most ? work : most;
			}
			assert_int_equal(window_most(&w, t), most);
			assert_int_equal(window_piece_most(&w, t, &piece), most);
			assert_true(piece.from <= t && t <= piece.until);
		}
		/* Backwards, too. */
		for (int64_t t = 150; t-- > 0;)
			assert_int_equal(window_piece_most(&w, t, &piece), window_most(&w, t));
	}
}

/* What is kept from one sum to the next changes nothing. */
TEST("pieces of windows are kept")
{
	const struct window *const windows[] = {&bus, &bus};
	struct window_piece pieces[2] = {{0}};
	for (int64_t constant = 40; constant-- > 0;) {
		for (int beyond = 0; beyond < 2; beyond++) {
			struct window_sum sum = {windows, 2, constant, beyond, 45, beyond, 0, NULL};
			int64_t expected = window_fixed_point(&sum);
			sum.piece = pieces;
			assert_int_equal(window_fixed_point(&sum), expected);
		}
	}
	assert_true(pieces[0].until > 0);
}

TEST("far windows of long periods")
{
	static const int64_t length[] = {INT64_MAX / 4, INT64_MAX / 8}, inner[] = {INT64_MAX / 4};
	struct window w = {
		.count = 2,
		.length = length,
		.inner = inner,
		.first_wrap = INT64_MAX / 8,
		.tail = INT64_MAX - INT64_MAX / 4 - INT64_MAX / 8 - INT64_MAX / 4,
		.period = INT64_MAX,
	};
	int64_t work[] = {window_work(&w, 0, INT64_MAX), window_work(&w, 1, INT64_MAX)};
	assert_true(work[0] > work[1]);
	assert_int_equal(window_most(&w, INT64_MAX), work[0]);
}

/* By steps of the sum it would be reached after 2^60 of them. */
TEST("a long segment is passed at once")
{
	const int64_t length = INT64_C(1) << 60;
	const struct window w = {
		.count = 1, .length = &length, .first_wrap = length, .tail = length, .period = 2 * length};
	const struct window *const windows[] = {&w};
	struct window_piece piece = {0};
	struct window_sum sum = {
		.window = windows, .count = 1, .constant = 1, .limit = 2 * length, .piece = &piece};
	assert_int_equal(window_fixed_point(&sum), length + 1);
	sum.ahead = 1;
	assert_int_equal(window_fixed_point(&sum), length + 1);
	sum.limit = length;
	assert_int_equal(window_fixed_point(&sum), NO_BOUND);
}

TEST("no fixed point is no bound")
{
	static const int64_t length[] = {7};
	struct window full = {.count = 1, .length = length, .first_wrap = 0, .tail = 0, .period = 7};
	const struct window *windows[] = {&full};
	struct window_sum sum = {windows, 1, 1, 0, 50, true, 0};
	assert_int_equal(window_fixed_point(&sum), NO_BOUND);
	sum.constant = INT64_MAX - 1;
	assert_int_equal(window_fixed_point(&sum), NO_BOUND);
}

TEST("sums of ratios compare exactly")
{
	struct ratio thirds[] = {{1, 3}, {1, 3}, {1, 3}};
	assert_int_equal(ratio_sum_compare(thirds, 3, 1), 0);
	struct ratio mixed[] = {{1, 3}, {1, 6}, {-1, 2}};
	assert_int_equal(ratio_sum_compare(mixed, 3, 0), 0);
	const int64_t p = INT64_C(1000000000000000003);
	struct ratio over[] = {{1, p}, {p - 1, p}, {1, p - 2}, {-1, p - 1}};
	assert_int_equal(ratio_sum_compare(over, 4, 1), 1);
	struct ratio under[] = {{1, p}, {p - 1, p}, {1, p - 1}, {-1, p - 2}};
	assert_int_equal(ratio_sum_compare(under, 4, 1), -1);
	struct ratio whole[] = {{14, 7}};
	assert_int_equal(ratio_sum_compare(whole, 1, 2), 0);
	assert_int_equal(ratio_sum_compare(NULL, 0, 0), 0);
	assert_int_equal(ratio_sum_compare(NULL, 0, 1), -1);
	struct ratio far[] = {{1, 2}, {1, 3}, {-3, 2}};
	assert_int_equal(ratio_sum_compare(far, 2, 1), -1);
	assert_int_equal(ratio_sum_compare(far, 2, 0), 1);
	assert_int_equal(ratio_sum_compare(far, 3, 0), -1);
	assert_int_equal(ratio_sum_compare(far, 3, -1), 1);
	struct ratio near[] = {{p, p - 1000}};
	assert_int_equal(ratio_sum_compare(near, 1, 1), 1);
	struct ratio wide[] = {{((int128)1 << 80) + 1, (int128)1 << 80}};
	assert_int_equal(ratio_sum_compare(wide, 1, 1), 1);
	struct ratio below[] = {{-1, 3}};
	assert_int_equal(ratio_sum_compare(below, 1, 0), -1);
}
