/* tests/unit/test_gantt.c - report/gantt/place.c and gantt/paint.c: bars never cover each other, nothing is
 * lost, and tasks look different. */
#include <stdlib.h>
#include <string.h>

#include "report/gantt/private.h"
#include "tests/support/test.h"

#define LANES 3

static void add(struct gantt_bars *bars, size_t lane, size_t task, int64_t start, int64_t end, int64_t weight)
{
	struct error err;
	struct gantt_bar bar = {
		.lane = lane,
		.task = task,
		.start = start,
		.end = end,
		.high = weight,
		.seq = (int64_t)bars->count,
	};
	assert_true(gantt_bars_add(bars, &bar, &err));
}

static void place(struct gantt_bars *bars, int64_t ceiling, int64_t tops[LANES])
{
	struct error err;
	int64_t ceilings[LANES];
	for (size_t i = 0; i < LANES; i++)
		tops[i] = ceilings[i] = ceiling;
	assert_true(gantt_place(bars, ceilings, tops, &err));
}

static void assert_apart(const struct gantt_bars *bars)
{
	for (size_t i = 0; i < bars->count; i++)
		for (size_t k = 0; k < i; k++) {
			const struct gantt_bar *a = &bars->bar[i], *b = &bars->bar[k];
			assert_true(a->lane != b->lane || a->start >= b->end || b->start >= a->end ||
				    a->low >= b->high || b->low >= a->high);
		}
}

static void assert_bar(const struct gantt_bar *bar, int64_t start, int64_t low, int64_t high)
{
	assert_int_equal(bar->start, start);
	assert_int_equal(bar->low, low);
	assert_int_equal(bar->high, high);
}

TEST("the lowest place that is free")
{
	struct gantt_bars bars = {0};
	int64_t tops[LANES];
	add(&bars, 0, 0, 0, 10, 4);
	add(&bars, 0, 1, 0, 5, 2);
	add(&bars, 0, 2, 5, 8, 3);
	add(&bars, 0, 3, 10, 12, 1);
	place(&bars, 8, tops);
	assert_int_equal(bars.count, 4);
	assert_bar(&bars.bar[0], 0, 0, 4);
	assert_bar(&bars.bar[1], 0, 4, 6);
	assert_bar(&bars.bar[2], 5, 4, 7); /* the second has just ended */
	assert_bar(&bars.bar[3], 10, 0, 1);
	assert_int_equal(tops[0], 8);
	gantt_bars_finish(&bars);
}

/* At 5, heights 0..2 and 4..6 of 6 are free. A bar on the other lane does not fit, so placing the heaviest
 * first is not possible. */
TEST("pieces where room lies apart")
{
	struct gantt_bars bars = {0};
	int64_t tops[LANES];
	add(&bars, 0, 0, 0, 5, 2);
	add(&bars, 0, 2, 0, 10, 2);
	add(&bars, 0, 4, 5, 10, 4);
	add(&bars, 1, 0, 0, 1, 7);
	place(&bars, 6, tops);
	assert_int_equal(bars.count, 5);
	assert_bar(&bars.bar[2], 5, 0, 2);
	assert_bar(&bars.bar[3], 5, 4, 6);
	assert_int_equal(tops[0], 6);
	gantt_bars_finish(&bars);
}

TEST("the heaviest first if that saves pieces")
{
	struct gantt_bars bars = {0};
	int64_t tops[LANES];
	add(&bars, 0, 0, 0, 5, 2);
	add(&bars, 0, 2, 0, 10, 2);
	add(&bars, 0, 4, 5, 10, 4);
	place(&bars, 6, tops);
	assert_int_equal(bars.count, 3);
	assert_bar(&bars.bar[2], 5, 0, 4);
	assert_bar(&bars.bar[1], 0, 4, 6);
	gantt_bars_finish(&bars);
}

/* The same, with a task that may be drawn at the ceiling. */
TEST("both ends if that saves pieces")
{
	struct gantt_bars bars = {0};
	int64_t tops[LANES];
	add(&bars, 0, 0, 0, 5, 2);
	add(&bars, 0, 1, 0, 10, 2);
	add(&bars, 0, 2, 5, 10, 4);
	add(&bars, 1, 0, 0, 1, 7);
	place(&bars, 6, tops);
	assert_int_equal(bars.count, 4);
	assert_bar(&bars.bar[1], 0, 4, 6);
	assert_bar(&bars.bar[2], 5, 0, 4);
	gantt_bars_finish(&bars);
}

TEST("more than there is stands on top")
{
	struct gantt_bars bars = {0};
	int64_t tops[LANES];
	add(&bars, 1, 0, 0, 5, 3);
	add(&bars, 1, 1, 1, 5, 3);
	place(&bars, 4, tops);
	assert_int_equal(bars.count, 2);
	assert_bar(&bars.bar[1], 1, 3, 6);
	assert_int_equal(tops[0], 4);
	assert_int_equal(tops[1], 6);
	gantt_bars_finish(&bars);
}

TEST("nothing is lost")
{
	srand(17);
	for (int round = 0; round < 60; round++) {
		struct gantt_bars bars = {0};
		int64_t tops[LANES], areas[LANES] = {0};
		for (int i = 0; i < 60; i++) {
			size_t lane = (size_t)rand() % LANES;
			int64_t start = rand() % 100, length = 1 + rand() % 20, weight = 1 + rand() % 5;
			add(&bars, lane, (size_t)rand() % 5, start, start + length, weight);
			areas[lane] += length * weight;
		}
		place(&bars, 9 + round % 12, tops);
		assert_apart(&bars);
		for (size_t i = 0; i < bars.count; i++) {
			const struct gantt_bar *bar = &bars.bar[i];
			assert_true(bar->low >= 0 && bar->low < bar->high && bar->high <= tops[bar->lane]);
			assert_true(i == 0 || bar->lane > bar[-1].lane ||
				    (bar->lane == bar[-1].lane && bar->start >= bar[-1].start));
			areas[bar->lane] -= (bar->end - bar->start) * (bar->high - bar->low);
		}
		for (size_t lane = 0; lane < LANES; lane++)
			assert_int_equal(areas[lane], 0);
		gantt_bars_finish(&bars);
	}
}

TEST("tasks look different")
{
	for (size_t i = 0; i < 48; i++)
		for (size_t k = 0; k < i; k++) {
			struct gantt_paint a = gantt_paint(i, false), b = gantt_paint(k, false);
			assert_true(strcmp(a.fill, b.fill) != 0 || a.pattern != b.pattern);
		}
}

/* Without colour, neighbours among the first tasks are hatched, or their brightness differs by a tenth. */
TEST("tasks differ in grey")
{
	for (size_t i = 0; i < 8; i++)
		for (size_t k = 0; k < i; k++) {
			struct gantt_paint paint[] = {gantt_paint(i, false), gantt_paint(k, false)};
			double grey[2];
			for (size_t n = 0; n < 2; n++) {
				unsigned long rgb = strtoul(paint[n].fill + 1, NULL, 16);
				grey[n] = 0.299 * (double)(rgb >> 16) + 0.587 * (double)((rgb >> 8) & 255) +
					  0.114 * (double)(rgb & 255);
			}
			double apart = grey[0] > grey[1] ? grey[0] - grey[1] : grey[1] - grey[0];
			assert_true(paint[0].pattern != paint[1].pattern || apart > 25.5);
		}
}
