/* report/gantt/place.c - first fit: which part of a lane's height a bar has while it runs. That the simulator
 * found room for a block does not mean that there is one free piece of this size in the picture. So several
 * methods are tried. */
#include "report/gantt/place.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"

#define FEW 3000 /* bars: heaviest first takes time in the square of them */

bool gantt_bars_add(struct gantt_bars *bars, const struct gantt_bar *bar, struct error *err)
{
	struct gantt_bar *grown =
		list_room(bars->bar, bars->count, sizeof(*grown), "drawing a schedule", err);
	if (!grown)
		return false;
	bars->bar = grown;
	bars->bar[bars->count++] = *bar;
	return true;
}

void gantt_bars_finish(struct gantt_bars *bars)
{
	free(bars->bar);
	*bars = (struct gantt_bars){0};
}

bool gantt_same_kernel(const struct gantt_bar *a, const struct gantt_bar *b)
{
	return a->lane == b->lane && a->task == b->task && a->seq == b->seq && a->segment == b->segment &&
	       a->kind == b->kind && a->start == b->start && a->end == b->end && a->high == b->low;
}

static int compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* Places are given in this order. */
static int by_start(const void *left, const void *right)
{
	const struct gantt_bar *a = left, *b = right;
	const int64_t order[] = {compare((int64_t)a->lane, (int64_t)b->lane), compare(a->start, b->start),
		compare((int64_t)a->task, (int64_t)b->task), compare(a->seq, b->seq),
		compare(a->segment, b->segment), compare(a->block, b->block), compare(a->end, b->end),
		compare(a->low, b->low)};
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		if (order[i])
			return (int)order[i];
	return 0;
}

static int by_place(const void *left, const void *right)
{
	const struct gantt_bar *a = left, *b = right;
	int lane = compare((int64_t)a->lane, (int64_t)b->lane), start = compare(a->start, b->start);
	return lane ? lane : start ? start : compare(a->low, b->low);
}

/* The residents are the bars that run now on a lane; they are ordered from low to high. */
static void leave(struct gantt_bars *r, int64_t now)
{
	size_t kept = 0;
	for (size_t i = 0; i < r->count; i++)
		if (r->bar[i].end > now)
			r->bar[kept++] = r->bar[i];
	r->count = kept;
}

static bool enter(struct gantt_bars *r, size_t at, const struct gantt_bar *bar, struct error *err)
{
	if (!gantt_bars_add(r, bar, err))
		return false;
	memmove(&r->bar[at + 1], &r->bar[at], (r->count - 1 - at) * sizeof(*r->bar));
	r->bar[at] = *bar;
	return true;
}

/* The free height below resident number `at` (at == count: below the ceiling). */
static int64_t gap(const struct gantt_bars *r, size_t at, int64_t ceiling, int64_t *low)
{
	*low = at > 0 ? r->bar[at - 1].high : 0;
	int64_t high = at < r->count ? r->bar[at].low : ceiling;
	return high < ceiling ? high - *low : ceiling - *low;
}

static bool settle(struct gantt_bars *r, struct gantt_bars *placed, size_t at, struct gantt_bar bar,
	int64_t low, int64_t weight, struct error *err)
{
	bar.low = low;
	bar.high = low + weight;
	return enter(r, at, &bar, err) && gantt_bars_add(placed, &bar, err);
}

/* Tries gaps from below, or from above; the bar is put at that end of its gap. */
static bool place(struct gantt_bars *r, struct gantt_bars *placed, const struct gantt_bar *bar,
	int64_t ceiling, bool from_above, struct error *err)
{
	int64_t weight = bar->high - bar->low, room = 0, low, top = r->count ? r->bar[r->count - 1].high : 0;
	for (size_t i = 0; i <= r->count; i++) {
		size_t at = from_above ? r->count - i : i;
		int64_t free_here = gap(r, at, ceiling, &low);
		if (free_here >= weight)
			return settle(r, placed, at, *bar, from_above ? low + free_here - weight : low,
				weight, err);
		room += free_here > 0 ? free_here : 0;
	}
	if (room < weight)
		return settle(r, placed, r->count, *bar, top, weight, err);
	for (size_t at = 0; at <= r->count && weight > 0; at++) {
		int64_t piece = gap(r, at, ceiling, &low);
		if (piece <= 0)
			continue;
		piece = piece < weight ? piece : weight;
		if (!settle(r, placed, at, *bar, low, piece, err))
			return false;
		weight -= piece;
	}
	return true;
}

static bool place_all(const struct gantt_bars *bars, const int64_t *ceilings, bool both_ends,
	struct gantt_bars *placed, struct error *err)
{
	struct gantt_bars resident = {0};
	bool ok = true;
	for (size_t i = 0; ok && i < bars->count; i++) {
		const struct gantt_bar *bar = &bars->bar[i];
		if (i == 0 || bar->lane != bars->bar[i - 1].lane)
			resident.count = 0;
		leave(&resident, bar->start);
		ok = place(&resident, placed, bar, ceilings[bar->lane], both_ends && bar->task % 2 == 1, err);
	}
	gantt_bars_finish(&resident);
	return ok;
}

/* ---- the heaviest first ---- */

static int by_weight(const void *left, const void *right)
{
	const struct gantt_bar *a = left, *b = right;
	int lane = compare((int64_t)a->lane, (int64_t)b->lane),
	    weight = compare(b->high - b->low, a->high - a->low);
	return lane ? lane : weight ? weight : by_start(a, b);
}

static int by_low(const void *left, const void *right)
{
	return compare(((const struct gantt_bar *)left)->low, ((const struct gantt_bar *)right)->low);
}

/* The lowest place that is free as long as the bar runs. `met` has room for all placed bars. */
static bool lowest_place(const struct gantt_bars *placed, const struct gantt_bar *bar, int64_t ceiling,
	struct gantt_bar *met, int64_t *low)
{
	int64_t weight = bar->high - bar->low;
	size_t count = 0;
	for (size_t i = placed->count; i-- > 0 && placed->bar[i].lane == bar->lane;)
		if (placed->bar[i].start < bar->end && bar->start < placed->bar[i].end)
			met[count++] = placed->bar[i];
	if (count)
		qsort(met, count, sizeof(*met), by_low);
	*low = 0;
	for (size_t i = 0; i < count && met[i].low - *low < weight; i++)
		*low = met[i].high > *low ? met[i].high : *low;
	return *low + weight <= ceiling;
}

/* If a bar does not fit in one piece, *whole is false and nothing is placed. */
static bool place_heaviest(const struct gantt_bars *bars, const int64_t *ceilings, struct gantt_bars *placed,
	bool *whole, struct error *err)
{
	struct gantt_bar *order = calloc(2 * bars->count, sizeof(*order));
	bool ok = order || error_memory(err, "drawing a schedule");
	*whole = true;
	if (ok) {
		memcpy(order, bars->bar, bars->count * sizeof(*order));
		qsort(order, bars->count, sizeof(*order), by_weight);
	}
	for (size_t i = 0; ok && *whole && i < bars->count; i++) {
		int64_t low, weight = order[i].high - order[i].low;
		*whole = lowest_place(placed, &order[i], ceilings[order[i].lane], order + bars->count, &low);
		order[i].low = low;
		order[i].high = low + weight;
		ok = !*whole || gantt_bars_add(placed, &order[i], err);
	}
	free(order);
	if (!*whole)
		gantt_bars_finish(placed);
	return ok;
}

/* ---- all methods ---- */

bool gantt_place(struct gantt_bars *bars, const int64_t *ceilings, int64_t *tops, struct error *err)
{
	struct gantt_bars way[3] = {0};
	size_t best = 0;
	bool whole = false;
	if (bars->count == 0)
		return true;
	qsort(bars->bar, bars->count, sizeof(*bars->bar), by_start);
	bool ok = place_all(bars, ceilings, false, &way[0], err);
	if (ok && way[0].count > bars->count) {
		ok = place_all(bars, ceilings, true, &way[1], err);
		best = way[1].count < way[0].count;
	}
	if (ok && way[best].count > bars->count && bars->count <= FEW) {
		ok = place_heaviest(bars, ceilings, &way[2], &whole, err);
		best = whole ? 2 : best;
	}
	gantt_bars_finish(bars);
	*bars = way[best];
	for (size_t i = 0; i < 3; i++)
		if (i != best)
			gantt_bars_finish(&way[i]);
	if (!ok)
		return false;
	for (size_t i = 0; i < bars->count; i++)
		if (bars->bar[i].high > tops[bars->bar[i].lane])
			tops[bars->bar[i].lane] = bars->bar[i].high;
	qsort(bars->bar, bars->count, sizeof(*bars->bar), by_place);
	return true;
}
