/* runs/search/seed.h - starting points for climbs: schedules that an analysis regards as the worst. */
#ifndef CEGSIM_RUNS_SEARCH_SEED_H
#define CEGSIM_RUNS_SEARCH_SEED_H

#include "runs/search/evaluate.h"

/* The worst case of the analyses of sporadic tasks (RTGPU, Lemmas 2.1, 5.2 and 5.4: windows begin with a
 * segment at its worst, gaps are least). When the target's job is released, each other task becomes ready for
 * the CPU segment from which on it can do most work within the target's response. Everything before that
 * takes its worst case, later copies and kernels their best, and jobs follow as early as is legal. A lower
 * task's longest copy or kernel begins at the instant at which the target first wants that resource, and wins
 * the tie. */
void seed_guided(const struct plan *plan, const struct genome_space *space,
	const struct search_target *target, struct genome *g);

/* The same, but the segments that meet are chosen at random: for each task one of its own and one of the
 * target's. The task's becomes ready, or ends, when the target's becomes ready; or it becomes ready at the
 * target's release, so that it may wait longer than the target does. */
void seed_guided_randomly(const struct genome_space *space, const struct search_target *target,
	struct dice *dice, struct genome *g);

#endif
