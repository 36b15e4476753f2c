/* models/blocks.h - the blocks of a kernel together: what each takes, all of them, and how long they take on
 * places of their own (docs/model.md, "Time of a kernel"). */
#ifndef CEGSIM_MODELS_BLOCKS_H
#define CEGSIM_MODELS_BLOCKS_H

#include "base/int128.h"
#include "models/kernel.h"

#define SHARE_ONE 1000000

/* What a block with that share takes of the kernel's draw: rounded up, so that it is never nothing
 * of something. */
int64_t block_share(int64_t share_ppm, int64_t draw_ns);

/* Ends of the time of block `block` of the shape. */
void block_ends(const struct kernel_shape *shape, uint32_t block, int64_t *best_ns, int64_t *worst_ns);

/* Sums over all blocks, ns. */
int128 blocks_least_work(const struct kernel_shape *shape);
int128 blocks_most_work(const struct kernel_shape *shape);

/* The least worst case of a block, ns. */
int64_t blocks_shortest(const struct kernel_shape *shape);

/* From the first start to the last end of blocks that are placed in their order, each as soon as one of
 * `places` >= 1 places is free: with all blocks at their worst, and at their best; nothing in between takes
 * longer, or less. Neither grows with the places. Saturated at INT64_MAX. Of more than BLOCKS_WALKED blocks
 * that are not alike the first is a bound from above and the second one from below. */
#define BLOCKS_WALKED 8192
int64_t blocks_span(const struct kernel_shape *shape, uint64_t places);
int64_t blocks_least_span(const struct kernel_shape *shape, uint64_t places);

#endif
