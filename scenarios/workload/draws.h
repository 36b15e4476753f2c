/* scenarios/workload/draws.h - the random numbers of the generators, all of them keys of base/random.h with
 * the purpose RANDOM_GENERATOR:
 *
 *   seed, set  the user's seed, and the index of the set: no set depends on another one
 *   task       the task, or the coordinate of a vector
 *   job        the try, where a generator rejects and tries again
 *   segment    what is drawn (enum draw_what), and the number of the segment
 *
 * No two quantities share a key, so an option that changes one quantity (such as the range of the copies)
 * does not change the draws of the others. */
#ifndef CEGSIM_SCENARIOS_WORKLOAD_DRAWS_H
#define CEGSIM_SCENARIOS_WORKLOAD_DRAWS_H

#include <stdint.h>

enum draw_what {
	DRAW_COORDINATE = 1, /* uniform variables behind a vector with a given sum */
	DRAW_CHOICE_OF_FACE, /* RandFixedSum */
	DRAW_SHUFFLE,
	DRAW_WEIGHT,
	DRAW_PERIOD,
	DRAW_OFFSET,
	DRAW_DEADLINE,
	DRAW_CPU,
	DRAW_COPY,
	DRAW_GPU,
	DRAW_SPLIT_CPU,
	DRAW_SPLIT_GPU,
	DRAW_SPLIT_MISC,
	DRAW_BEST_CPU,
	DRAW_BEST_COPY,
	DRAW_BEST_GPU,
	DRAW_ALPHA,
	DRAW_BENCHMARK,
	DRAW_CLASS,
	DRAW_UTILISATION,
	DRAW_COUNT,
	DRAW_SHARE,
	DRAW_GRID,
	DRAW_BLOCK,
};

#define DRAW_ITEMS_MAX 1024u /* limit for the numbers of one draw_what within a task */

struct draws {
	uint64_t seed;
	uint32_t set;
	uint32_t attempt;
};

/* Uniform integer in [low, high], low <= high, exactly. */
int64_t draw_between(
	const struct draws *d, enum draw_what what, uint32_t task, uint32_t item, int64_t low, int64_t high);

/* Uniform real in the open interval (0, 1): an odd multiple of 2^-53, the same on every machine. */
double draw_unit(const struct draws *d, enum draw_what what, uint32_t task, uint32_t item);

#endif
