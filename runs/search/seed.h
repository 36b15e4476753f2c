/* runs/search/seed.h - where a climb begins: schedules that an analysis takes for the worst. */
#ifndef CEGSIM_RUNS_SEARCH_SEED_H
#define CEGSIM_RUNS_SEARCH_SEED_H

#include "runs/search/evaluate.h"

/* As the analyses of sporadic tasks see it (RTGPU, Lemmas 2.1, 5.2 and 5.4: windows begin with a segment at
 * its worst, gaps are least): with the release of the target's job, each other task becomes ready for that
 * CPU segment from which on it can do most within the target's response; what is before it takes its worst
 * case, later copies and kernels their best, and jobs follow as soon as is legal. A lower task's longest copy
 * or kernel begins at the instant at which the target first wants that resource, and wins the tie. */
void seed_guided(const struct plan *plan, const struct genome_space *space,
	const struct search_target *target, struct genome *g);

/* The same with the segments that meet chosen at random, for each task one of its own and one of
 * the target's. */
void seed_guided_randomly(const struct genome_space *space, const struct search_target *target,
	struct dice *dice, struct genome *g);

#endif
