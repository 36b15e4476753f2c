/* models/execution.h - how long a segment instance takes (docs/model.md, "Draws"). */
#ifndef CEGSIM_MODELS_EXECUTION_H
#define CEGSIM_MODELS_EXECUTION_H

#include "base/random.h"
#include "models/setup.h"
#include "models/taskset.h"

/* The length of every instance of the segment if the setup's rule leaves no choice; -1: it is drawn. */
int64_t execution_fixed(const struct run_setup *setup, int64_t best_ns, int64_t worst_ns);

/* A uniform integer in [best, worst], a pure function of the setup's seed and set and of task,
 * job and segment. */
int64_t execution_draw(const struct run_setup *setup, uint32_t task, uint32_t job, uint32_t segment,
	int64_t best_ns, int64_t worst_ns);

/* Whether execution_length() is execution_draw() for every instance of the segment: no trace and no samples
 * have a say, and the rule gives no fixed length. */
bool execution_is_drawn(const struct run_setup *setup, const struct release_rule *rule,
	const struct segment *s, int64_t best_ns, int64_t worst_ns);

/* One of the segment's samples, if the setup's rule draws from them and it has any; -1: it has no say. A pure
 * function as execution_draw(). */
int64_t execution_sampled(const struct run_setup *setup, const struct segment *s, uint32_t task, uint32_t job,
	uint32_t segment);

/* The length that a trace file gives for this segment instance, or -1. */
int64_t execution_traced(const struct release_rule *rule, uint32_t job, uint32_t segment);

/* The length of a segment instance: what a trace gives, or what the setup's rule says for [best, worst]. */
int64_t execution_length(const struct run_setup *setup, const struct release_rule *rule,
	const struct segment *s, uint32_t task, uint32_t job, uint32_t segment, int64_t best_ns,
	int64_t worst_ns);

/* The data from which the times of one launch's blocks follow, where the blocks differ. */
struct block_draws {
	const struct block_times *times;
	const struct run_setup *setup;
	int64_t length_ns; /* the kernel's draw, or the length a trace gives */
	bool traced;
	struct random_key key; /* own draws: of block 0 */
};

/* length_ns: what the segment instance takes by its draw or its trace, > 0; `traced`: by its trace. */
struct block_draws execution_blocks(const struct run_setup *setup, const struct block_times *times,
	uint32_t task, uint32_t job, uint32_t segment, int64_t length_ns, bool traced);

/* Time of a block: its share of length_ns; or, with own draws, its fixed length or its draw, with a trace at
 * most length_ns. */
int64_t execution_block(const struct block_draws *draws, uint32_t block);

/* Whether, without a trace, all blocks of every launch take the same time in spite of `times`. */
bool execution_alike(const struct run_setup *setup, const struct block_times *times);

#endif
