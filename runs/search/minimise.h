/* runs/search/minimise.h - finds a smaller genome that still has a given response. */
#ifndef CEGSIM_RUNS_SEARCH_MINIMISE_H
#define CEGSIM_RUNS_SEARCH_MINIMISE_H

#include <stdatomic.h>

#include "runs/search/evaluate.h"

/* How much a genome differs from the synchronous release of all jobs at their worst case. */
struct deviations {
	uint32_t tasks; /* number of tasks with a job */
	uint32_t jobs;
	uint32_t offsets, separations, lengths; /* numbers that are not 0, not 0, not the worst case */
	bool ties;                              /* lower first */
};
struct deviations genome_deviations(const struct genome_space *space, const struct genome *g);

/* Removes tasks, jobs at the end and at the beginning, and deviations, again and again, as long as the
 * target's longest response stays at least `response`; *g must have that response. `round`: then numbers get
 * few significant digits, as long as it stays. The result begins at 0. Deterministic. If *stop is set it ends
 * early, with the result so far. False: *err. */
MUST_CHECK bool minimise(struct evaluator *e, const struct search_target *target, int64_t response,
	bool round, const atomic_bool *stop, struct genome *g, struct error *err);

#endif
