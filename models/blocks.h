/* models/blocks.h - all blocks of a kernel together: the time of each, their sum, and how long they take on
 * places of their own (docs/model.md, "Time of a kernel"). */
#ifndef CEGSIM_MODELS_BLOCKS_H
#define CEGSIM_MODELS_BLOCKS_H

#include "base/int128.h"
#include "models/kernel.h"

#define SHARE_ONE 1000000

/* The time of a block with this share of the kernel's draw. Rounded up, so that a share of a draw above 0 is
 * never 0. */
int64_t block_share(int64_t share_ppm, int64_t draw_ns);

/* The best and worst case of block `block` of the shape. */
void block_ends(const struct kernel_shape *shape, uint32_t block, int64_t *best_ns, int64_t *worst_ns);

/* Sums over all blocks, ns. */
int128 blocks_least_work(const struct kernel_shape *shape);
int128 blocks_most_work(const struct kernel_shape *shape);

/* The least of the blocks' worst cases, ns. */
int64_t blocks_shortest(const struct kernel_shape *shape);

/* Time from the first start to the last end of blocks that are placed in their order, each as soon as one of
 * `places` >= 1 places is free. One function takes all blocks at their worst case, the other all at their
 * best; times between them give results between theirs. Neither result grows with the places. Saturated at
 * INT64_MAX. For more than BLOCKS_WALKED blocks of different times the first is an upper bound and the second
 * a lower bound. */
#define BLOCKS_WALKED 8192
int64_t blocks_span(const struct kernel_shape *shape, uint64_t places);
int64_t blocks_least_span(const struct kernel_shape *shape, uint64_t places);

#endif
