/* runs/search/hunt.h - a search of one case: its targets, the method, and the budget, cut into pieces
 * for the workers. */
#ifndef CEGSIM_RUNS_SEARCH_HUNT_H
#define CEGSIM_RUNS_SEARCH_HUNT_H

#include "runs/search/climb.h"
#include "runs/search/exhaust.h"
#include "runs/search/pieces.h"

struct hunt {
	struct search_case what;
	const struct plan *plan; /* the case's; does not refuse the set */
	const struct genome_space *space;
	enum search_method method;
	uint64_t budget; /* evaluations for each target; not METHOD_EXHAUSTIVE */
	uint32_t patience;
	uint64_t seed;
	uint32_t set; /* number of the case: part of every draw's key */
	const struct search_target *targets;
	uint32_t target_count;
	const struct exhaust *exhaust; /* METHOD_EXHAUSTIVE; with one target if that is a segment */
};

/* What was found for a target. */
struct quarry {
	struct found found;
	struct genome genome;
};

/* Room for what is found, one for each target. False: out of memory. */
MUST_CHECK bool quarries_new(
	const struct hunt *h, struct arena *arena, struct quarry **quarries, struct error *err);

/* How many evaluations it takes. */
uint64_t hunt_evaluations(const struct hunt *h);

/* On worker processes, with its progress unless quiet. The result does not depend on their number;
 * evaluations and genome are those of the targets up to an interruption. *r: interrupted, evaluations and
 * seconds are filled in, there are no results to free. False: *err. */
MUST_CHECK bool hunt_on_workers(const struct hunt *h, uint32_t workers, bool quiet, struct quarry *quarries,
	struct pieces_results *r, struct error *err);

/* The same in this process, for one target (METHOD_EXHAUSTIVE: not). *stop: see struct climb. */
MUST_CHECK bool hunt_here(const struct hunt *h, struct evaluator *e, uint32_t target, const atomic_bool *stop,
	struct quarry *quarry, struct error *err);

#endif
