/* runs/search/minimise.h - the smallest genome that still gives a response. */
#ifndef CEGSIM_RUNS_SEARCH_MINIMISE_H
#define CEGSIM_RUNS_SEARCH_MINIMISE_H

#include <stdatomic.h>

#include "runs/search/evaluate.h"

/* How far a genome is from the synchronous release of all jobs in the worst case. */
struct deviations {
	uint32_t tasks; /* that have a job */
	uint32_t jobs;
	uint32_t offsets, separations, lengths; /* of those: not 0; not 0; not the worst case */
	bool ties;                              /* lower first */
};
struct deviations genome_deviations(const struct genome_space *space, const struct genome *g);

/* Takes away tasks, jobs at the end and at the beginning, and deviations, one after the other and over again,
 * as long as the target's longest response stays at least `response`, which it is in *g. What is left begins
 * at 0. Deterministic. A set *stop ends it early with what it has. False: *err. */
MUST_CHECK bool minimise(struct evaluator *e, const struct search_target *target, int64_t response,
	const atomic_bool *stop, struct genome *g, struct error *err);

#endif
