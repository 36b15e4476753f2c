/* models/blocks.c - see models/blocks.h.
 *
 * Blocks in a fixed order on P places, each placed as soon as a place is free: list scheduling. The total
 * time never falls when a block takes longer, and never grows with more places. There are no anomalies: those
 * need precedence constraints (Graham, "Bounds on multiprocessing timing anomalies", 1969). Proof: let a_1 <=
 * ... <= a_P be when the places are free. A block of time t removes the least, a_1, and adds a_1 + t. Now let
 * a'_i <= a_i for all i, and t' <= t. Replace a'_1 by a'_1 + t', and a_1 by a_1 + t, which is no less: then
 * the sorted lists are still in that order, one by one. So every block starts, and ends, no later. One more
 * place is a' = 0 in place of a = infinity. Hence all blocks at their worst are the worst case, and all at
 * their best the best one.
 *
 * For very large grids the blocks are not simulated one by one; there are bounds. Let e be the longest worst
 * case, t_b that of block b, c_b <= t_b what it takes, and s_b its start after the first. Until b starts all
 * places are taken by blocks in front of it, so that
 *
 *   P * s_b <= c_0 + ... + c_(b-1) <= t_0 + ... + t_(b-1);
 *
 * s_b is a whole number, and b ends by floor((t_0 + ... + t_(b-1)) / P) + t_b. And while blocks are left
 * every place ends one at least every e: after k * e, min(grid, (k + 1) * P) blocks have been placed at
 * least, so that all have ended by ceil(grid / P) * e. The lesser of both bounds the worst case. A kernel
 * never takes less than its longest block, nor less than (c_0 + c_1 + ...) / P; this bounds the best case. */
#include "models/blocks.h"

#include "base/checked.h"
#include "base/heap.h"

int64_t block_share(int64_t share_ppm, int64_t draw_ns)
{
	return (int64_t)(((int128)share_ppm * draw_ns + SHARE_ONE - 1) / SHARE_ONE);
}

void block_ends(const struct kernel_shape *shape, uint32_t block, int64_t *best_ns, int64_t *worst_ns)
{
	const struct block_times *times = shape->times;
	*best_ns = shape->best_ns;
	*worst_ns = shape->worst_ns;
	if (!times)
		return;
	const struct block_time *t = &times->block[block % times->count];
	*best_ns = times->own_draws ? t->best_ns : block_share(t->share_ppm, shape->best_ns);
	*worst_ns = times->own_draws ? t->worst_ns : block_share(t->share_ppm, shape->worst_ns);
}

static uint32_t different(const struct kernel_shape *shape)
{
	return shape->times ? shape->times->count : 1;
}

/* The times repeat over the grid. Its end may cut the last round short. */
static int128 sum(const struct kernel_shape *shape, bool worst)
{
	uint32_t count = different(shape), rounds = shape->blocks / count, rest = shape->blocks % count;
	int128 all = 0;
	for (uint32_t b = 0; b < count; b++) {
		int64_t least, most;
		block_ends(shape, b, &least, &most);
		all += (int128)(worst ? most : least) * (rounds + (b < rest));
	}
	return all;
}

int128 blocks_least_work(const struct kernel_shape *shape)
{
	return sum(shape, false);
}

int128 blocks_most_work(const struct kernel_shape *shape)
{
	return sum(shape, true);
}

int64_t blocks_shortest(const struct kernel_shape *shape)
{
	int64_t shortest = shape->worst_ns;
	for (uint32_t b = 0; b < different(shape); b++) {
		int64_t best, worst;
		block_ends(shape, b, &best, &worst);
		shortest = worst < shortest ? worst : shortest;
	}
	return shortest;
}

static bool sooner(const int64_t *a, const int64_t *b)
{
	return *a < *b;
}

HEAP_OF(ends, int64_t, sooner);

/* Block after block; only called for fewer places than blocks. */
static int64_t walked(const struct kernel_shape *shape, uint32_t places, bool worst)
{
	int64_t ends[BLOCKS_WALKED] = {0}, last = 0;
	for (uint32_t b = 0; b < shape->blocks; b++) {
		int64_t least, most, end;
		block_ends(shape, b, &least, &most);
		if (!checked_add(ends[0], worst ? most : least, &end))
			return INT64_MAX;
		last = end > last ? end : last;
		ends_sink(ends, places, end);
	}
	return last;
}

/* The greatest floor((t_0 + ... + t_(b-1)) / places) + t_b. Of blocks with equal times the last one gives the
 * most: it has the most blocks in front of it. */
static int128 last_end(const struct kernel_shape *shape, uint64_t places)
{
	struct kernel_shape round = *shape;
	uint32_t count = different(shape);
	round.blocks = count;
	int128 each = sum(&round, true), before = 0, most = 0;
	for (uint32_t b = 0; b < count; b++) {
		int64_t best, worst;
		uint32_t rounds = (shape->blocks - 1 - b) / count;
		block_ends(shape, b, &best, &worst);
		int128 end = (rounds * each + before) / places + worst;
		most = end > most ? end : most;
		before += worst;
	}
	return most;
}

/* Waves of the longest block, saturated. */
static int64_t in_waves(const struct kernel_shape *shape, uint64_t places, int64_t longest)
{
	int64_t waves = (int64_t)((shape->blocks + places - 1) / places), span;
	return checked_mul(waves, longest, &span) ? span : INT64_MAX;
}

int64_t blocks_span(const struct kernel_shape *shape, uint64_t places)
{
	int64_t waves = in_waves(shape, places, shape->worst_ns);
	if (!shape->times || places >= shape->blocks)
		return waves;
	if (shape->blocks <= BLOCKS_WALKED)
		return walked(shape, (uint32_t)places, true);
	int128 end = last_end(shape, places);
	return end < waves ? (int64_t)end : waves;
}

int64_t blocks_least_span(const struct kernel_shape *shape, uint64_t places)
{
	if (!shape->times || places >= shape->blocks)
		return in_waves(shape, places, shape->best_ns);
	if (shape->blocks <= BLOCKS_WALKED)
		return walked(shape, (uint32_t)places, false);
	int128 shared = blocks_least_work(shape) / places;
	return shared < shape->best_ns ? shape->best_ns : shared < INT64_MAX ? (int64_t)shared : INT64_MAX;
}
