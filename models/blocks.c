/* models/blocks.c - see models/blocks.h.
 *
 * Blocks in a fixed order on P places, each placed as soon as a place is free (list scheduling; Graham, "Bounds for
 * certain multiprocessing anomalies", 1966). Let e be the longest worst case, t_b that of block b, c_b <= t_b what b
 * takes, and s_b its start after the first. Until b starts all places are taken by blocks in front of b, so
 *
 *   P * s_b <= c_0 + ... + c_(b-1) <= t_0 + ... + t_(b-1);
 *
 * s_b is a whole number, and b ends by floor((t_0 + ... + t_(b-1)) / P) + t_b. And while blocks are left every place ends
 * a block at least every e: after k*e, min(grid, (k + 1) * P) blocks have been placed at least, so that all have ended
 * by ceil(grid / P) * e. The lesser of both is the bound. It holds for shorter blocks than the worst, too: nothing above
 * needs c_b = t_b. With blocks alike it is the second, as floor((grid - 1) * e / P) + e >= ceil(grid / P) * e. */
#include "models/blocks.h"
#include "base/checked.h"

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

/* The times repeat over the grid, whose end may cut their last round. */
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

/* The greatest floor((t_0 + ... + t_(b-1)) / places) + t_b. Of blocks that are alike the last has most in front. */
static int128 last_end(const struct kernel_shape *shape, uint64_t places)
{
	struct kernel_shape round = *shape;
	uint32_t count = different(shape);
	round.blocks = count;
	int128 each = sum(&round, true), before = 0, most = 0;
	for (uint32_t b = 0; b < count && b < shape->blocks; b++) {
		int64_t best, worst;
		uint32_t rounds = (shape->blocks - 1 - b) / count;
		block_ends(shape, b, &best, &worst);
		int128 end = (rounds * each + before) / places + worst;
		most = end > most ? end : most;
		before += worst;
	}
	return most;
}

int64_t blocks_span(const struct kernel_shape *shape, uint64_t places)
{
	int64_t waves = (int64_t)((shape->blocks + places - 1) / places), span;
	if (!checked_mul(waves, shape->worst_ns, &span))
		span = INT64_MAX;
	if (!shape->times)
		return span;
	int128 end = last_end(shape, places);
	return end < span ? (int64_t)end : span;
}

int64_t blocks_least_span(const struct kernel_shape *shape, uint64_t places)
{
	int64_t waves = (int64_t)((shape->blocks + places - 1) / places), span;
	if (!shape->times)
		return checked_mul(waves, shape->best_ns, &span) ? span : INT64_MAX;
	int128 shared = blocks_least_work(shape) / places;
	return shared > shape->best_ns ? shared < INT64_MAX ? (int64_t)shared : INT64_MAX : shape->best_ns;
}
