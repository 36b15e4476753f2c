/* runs/search/exhaust.h - tries all genomes of a grid: gives the true worst case of a small set, within the
 * grid.
 *
 * Offsets 0, step, 2 steps, ... below the period; extra separations 0, step, ... up to a most; each segment
 * at its worst or best case; both rules for ties. The space gives the number of jobs. */
#ifndef CEGSIM_RUNS_SEARCH_EXHAUST_H
#define CEGSIM_RUNS_SEARCH_EXHAUST_H

#include <stdatomic.h>

#include "runs/search/evaluate.h"

#define EXHAUST_LIMIT_DEFAULT 100000000

/* A gene that varies: first, first + step, ..., `count` values. */
struct exhaust_axis {
	uint32_t at; /* its index in the genome's block */
	int64_t first, step;
	uint64_t count; /* >= 2 */
};

struct exhaust {
	const struct genome_space *space;
	struct exhaust_axis *axes;
	uint32_t axis_count;
	uint64_t count; /* number of genomes */
};

/* step and most_extra in ns; step 0: the space's unit. Axes are in the arena. False: there are more than
 * `limit` genomes (the error has their number, as far as it is known), or out of memory. */
MUST_CHECK bool exhaust_init(struct exhaust *x, const struct genome_space *space, int64_t step,
	int64_t most_extra, uint64_t limit, struct arena *arena, struct error *err);

/* Makes genome number `index` < count. Number 0 is the synchronous one. */
void exhaust_genome(const struct exhaust *x, uint64_t index, struct genome *g);

struct exhaust_best {
	int64_t response_ns;    /* -1: none yet */
	struct bound_seen seen; /* of that run */
	uint64_t index;         /* the first genome with it */
};

/* Runs genomes first .. first + count - 1, and keeps in best[] the longest response of each target; at most
 * one target is a segment. Returns how many were run: fewer than count only if *stop was set. UINT64_MAX:
 * *err. */
uint64_t exhaust_range(const struct exhaust *x, struct evaluator *e, uint64_t first, uint64_t count,
	const struct search_target *targets, uint32_t target_count, const atomic_bool *stop,
	struct exhaust_best *best, struct error *err);

#endif
