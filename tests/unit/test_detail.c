/* tests/unit/test_detail.c - the levels of detail: how many there are, their sums compared with a slow count
 * of every ns, and their rounding. */
#include <string.h>
#include <sys/resource.h>

#include "report/detail.h"
#include "tests/support/test.h"

static struct error err;

#define ok(call)                                                                                             \
	do {                                                                                                 \
		if (!(call))                                                                                 \
			fail_msg("%s", err.text);                                                            \
	} while (0)

static void assert_plan(int64_t intervals, int64_t end_ns, unsigned levels, size_t bins, int64_t bin_ns)
{
	struct detail_plan p = detail_plan(intervals, end_ns);
	assert_int_equal(p.levels, levels);
	assert_int_equal(p.bins, bins);
	assert_int_equal(p.bin_ns, bin_ns);
}

TEST("which levels there are")
{
	assert_plan(20000, 1000000, 0, 0, 0);
	assert_plan(1000000, 0, 0, 0, 0);
	assert_plan(20001, 1000000, 1, 512, 1956); /* ceil(1000000 / 512) = 1954, then a multiple of 4 */
	assert_plan(102400, 1024000, 1, 512, 2000);
	assert_plan(102401, 1000000, 2, 2033, 492); /* level 0: 1968, a multiple of 16 */
	assert_plan(409600, 32768000, 2, 2048, 16000);
	assert_plan(409601, 32768000, 3, 8192, 4000);
	assert_plan(1638401, 32768000, 4, 32768, 1000);
	assert_plan(INT64_MAX, 32768000, 4, 32768, 1000);
	assert_plan(1638401, 1, 4, 1, 4);
}

TEST("levels are multiples")
{
	for (int64_t end = 1; end < INT64_C(1) << 60; end = end * 3 + 1) {
		struct detail_plan p = detail_plan(2000000, end);
		assert_int_equal(p.levels, 4);
		assert_int_equal(detail_factor(&p, 3), 1);
		assert_int_equal(detail_factor(&p, 0), 64);
		assert_true(p.bins <= DETAIL_BINS_MAX && (int64_t)p.bins >= 1);
		assert_true((int64_t)p.bins * p.bin_ns >= end && ((int64_t)p.bins - 1) * p.bin_ns < end);
		assert_true((p.bins + 63) / 64 <= DETAIL_FIRST_BINS);
		assert_int_equal(p.bin_ns * 64 % 256, 0);
	}
}

/* ---- sums ---- */

enum { LANES = 3, TASKS = 4, NS = 3000, BIN = 3, BINS = NS / BIN, CAPACITY = 7 };

static int64_t slow[LANES][TASKS][NS]; /* what each task has of each lane in each ns */

static void slow_add(size_t lane, size_t task, int64_t start, int64_t end, int64_t weight, bool joined)
{
	for (int64_t t = start < 0 ? 0 : start; t < end && t < NS; t++)
		slow[lane][task][t] = joined ? 1 : slow[lane][task][t] + weight;
}

static void check_level(struct detail *d, size_t lane, size_t factor)
{
	struct detail_entries e = {0};
	size_t at = 0;
	ok(detail_entries(d, lane, factor, CAPACITY, &e, &err));
	for (size_t bin = 0; bin * factor < BINS; bin++)
		for (size_t task = 0; task < TASKS; task++) {
			int64_t sum = 0, length = (int64_t)factor * BIN, full = length * CAPACITY;
			for (int64_t t = (int64_t)bin * length; t < ((int64_t)bin + 1) * length && t < NS;
				t++)
				sum += slow[lane][task][t];
			if (sum == 0)
				continue;
			int64_t share = (sum * 65535 * 2 + full) / (2 * full);
			share = share < 1 ? 1 : share > 65535 ? 65535 : share;
			assert_true(at < e.count);
			assert_int_equal(e.bin[at], bin);
			assert_int_equal(e.task[at], task);
			assert_int_equal(e.share[at], share);
			at++;
		}
	assert_int_equal(at, e.count);
	detail_entries_finish(&e);
}

TEST("as a slow count says")
{
	struct detail d;
	uint64_t seed = 1;
	memset(slow, 0, sizeof(slow));
	ok(detail_begin(&d, LANES, TASKS, BINS, BIN, &err));
	for (int i = 0; i < 400; i++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		int64_t start = (int64_t)(seed >> 33) % NS,
			length = (int64_t)(seed >> 13) % (i % 9 ? 40 : 2000);
		size_t lane = (seed >> 60) % 2, task = (seed >> 57) % (TASKS - 1);
		slow_add(lane, task, start, start + length, i % 5, false);
		ok(detail_add(&d, lane, task, start, start + length, i % 5, &err));
	}
	for (int64_t start = -9; start < NS; start += 11) { /* overlapping, nested, apart */
		int64_t length = start % 7 == 0 ? 100 : start % 2 ? 5 : 20;
		slow_add(2, (size_t)(start % 2 != 0), start, start + length, 1, true);
		ok(detail_join(&d, 2, (size_t)(start % 2 != 0), start, start + length, &err));
	}
	for (size_t lane = 0; lane < LANES; lane++) {
		check_level(&d, lane, 1);
		check_level(&d, lane, 4);
		check_level(&d, lane, 16);
		check_level(&d, lane, 300);
		check_level(&d, lane, BINS);
		check_level(&d, lane, 7 * BINS);
	}
	detail_finish(&d);
}

static uint16_t only_share(int64_t weight_time, int64_t capacity)
{
	struct detail d;
	struct detail_entries e = {0};
	ok(detail_begin(&d, 1, 1, 1, INT64_C(1) << 40, &err));
	ok(detail_add(&d, 0, 0, 0, weight_time, 1, &err));
	ok(detail_entries(&d, 0, 1, capacity, &e, &err));
	assert_int_equal(e.count, 1);
	uint16_t share = e.share[0];
	detail_entries_finish(&e);
	detail_finish(&d);
	return share;
}

TEST("shares are rounded")
{
	assert_int_equal(only_share(INT64_C(1) << 40, 1), 65535);
	assert_int_equal(only_share((INT64_C(1) << 40) - 1, 1), 65535);
	assert_int_equal(only_share(1, 1), 1);                    /* a share above nothing is at least 1 */
	assert_int_equal(only_share(INT64_C(1) << 39, 1), 32768); /* 32767.5 */
	assert_int_equal(only_share((INT64_C(1) << 39) - 1, 1), 32767);
	assert_int_equal(only_share(INT64_C(1) << 40, 2), 32768);
	assert_int_equal(only_share(INT64_C(1) << 40, 2048), 32); /* 31.9995 */
}

TEST("more than all is all")
{
	struct detail d;
	struct detail_entries e = {0};
	ok(detail_begin(&d, 1, 1, 2, 10, &err));
	ok(detail_add(&d, 0, 0, 0, 15, 3, &err));
	ok(detail_entries(&d, 0, 1, 2, &e, &err));
	assert_int_equal(e.count, 2);
	assert_int_equal(e.share[0], 65535);
	assert_int_equal(e.share[1], 49151); /* 15 of 20, 49151.25 */
	detail_entries_finish(&e);
	detail_finish(&d);
}

TEST("what is nothing or outside")
{
	struct detail d;
	struct detail_entries e = {0};
	ok(detail_begin(&d, 2, 1, 300, 10, &err));
	ok(detail_add(&d, 0, 0, 5, 5, 1, &err));
	ok(detail_add(&d, 0, 0, 5, 8, 0, &err));
	ok(detail_add(&d, 0, 0, -20, 0, 1, &err));
	ok(detail_add(&d, 0, 0, 3000, 4000, 1, &err));
	ok(detail_add(&d, 0, 0, INT64_MAX - 1, INT64_MAX, 1, &err));
	ok(detail_entries(&d, 0, 1, 1, &e, &err));
	assert_int_equal(e.count, 0);
	ok(detail_add(&d, 0, 0, 2995, INT64_MAX, 1, &err));
	ok(detail_entries(&d, 0, 1, 1, &e, &err));
	assert_int_equal(e.count, 1);
	assert_int_equal(e.bin[0], 299);
	assert_int_equal(e.share[0], 32768);
	for (size_t factor = 2; factor < 600; factor++) { /* most of the bins have no memory yet */
		ok(detail_entries(&d, 0, factor, 1, &e, &err));
		assert_int_equal(e.count, 1);
		assert_int_equal(e.bin[0], 299 / factor);
	}
	detail_entries_finish(&e);
	detail_finish(&d);
}

/* Rows that are far apart in the order meet when they are sorted, or only when they are handed out. */
TEST("rows in any order")
{
	enum { ROUNDS = 50, OF = 97 };
	struct detail d;
	struct detail_entries e = {0};
	ok(detail_begin(&d, 1, OF, OF, 1000, &err));
	for (size_t round = 0; round < ROUNDS; round++)
		for (size_t i = 0; i < OF; i++) {
			size_t at = i * 31 % OF;
			ok(detail_add(
				&d, 0, OF - 1 - at, (int64_t)at * 1000, (int64_t)at * 1000 + 10, 2, &err));
		}
	ok(detail_entries(&d, 0, 1, 2, &e, &err));
	assert_int_equal(e.count, OF);
	for (size_t i = 0; i < OF; i++) {
		assert_int_equal(e.bin[i], i);
		assert_int_equal(e.task[i], OF - 1 - i);
		assert_int_equal(e.share[i], 32768); /* 10 of 1000, 50 times */
	}
	ok(detail_add(&d, 0, 3, 0, 1000, 2, &err)); /* more may come */
	ok(detail_entries(&d, 0, OF, 2, &e, &err));
	assert_int_equal(e.count, OF);
	for (size_t i = 0; i < OF; i++) {
		assert_int_equal(e.bin[i], 0);
		assert_int_equal(e.task[i], i); /* in order of tasks, whatever their bins were */
		assert_int_equal(e.share[i], i == 3 ? 1013 : 338);
	}
	detail_entries_finish(&e);
	detail_finish(&d);
}

/* Many tasks, each somewhere: memory for the entries that exist, not for every task in every bin. */
TEST("many tasks take what they need")
{
	struct detail d;
	struct detail_entries e = {0};
	ok(detail_begin(&d, 8, DETAIL_TASKS_MAX, DETAIL_BINS_MAX, 10, &err));
	for (size_t i = 0; i < DETAIL_TASKS_MAX; i++)
		for (int64_t k = 0; k < 8; k++)
			ok(detail_add(&d, i % 8, i,
				(int64_t)(i / 2 * 10 + (size_t)k) % (DETAIL_BINS_MAX * 10),
				INT64_C(1) + (int64_t)(i / 2 * 10 + (size_t)k) % (DETAIL_BINS_MAX * 10), 1,
				&err));
	for (size_t factor = 1; factor <= 64; factor *= 4) {
		size_t entries = 0;
		for (size_t lane = 0; lane < 8; lane++) {
			ok(detail_entries(&d, lane, factor, 1, &e, &err));
			entries += e.count;
		}
		assert_int_equal(entries, DETAIL_TASKS_MAX);
	}
	struct rusage usage;
	assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
	assert_true(usage.ru_maxrss < 100 * 1024);
	detail_entries_finish(&e);
	detail_finish(&d);
}

TEST("sums beyond 64 bits are refused")
{
	struct detail d;
	ok(detail_begin(&d, 1, 1, 4, INT64_C(1) << 60, &err));
	ok(detail_add(&d, 0, 0, 0, INT64_C(1) << 60, 15, &err));
	assert_false(detail_add(&d, 0, 0, 0, INT64_C(1) << 60, 2, &err));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_false(detail_add(&d, 0, 0, INT64_C(1) << 60, INT64_C(1) << 61, 16, &err));
	detail_finish(&d);
	ok(detail_begin(&d, 1, 20, 4, INT64_C(1) << 60, &err)); /* found as they are added up */
	struct detail_entries e = {0};
	for (size_t i = 0; i < 24; i++)
		ok(detail_add(&d, 0, i % 20, 0, INT64_C(1) << 60, 15, &err));
	err = (struct error){0};
	assert_false(detail_entries(&d, 0, 1, 1, &e, &err));
	assert_int_equal(err.status, STATUS_INPUT);
	detail_entries_finish(&e);
	detail_finish(&d);
}
