/* runs/search/search.h - a search of one case: its targets, the method, and the budget, cut into pieces
 * for the workers. */
#ifndef CEGSIM_RUNS_SEARCH_SEARCH_H
#define CEGSIM_RUNS_SEARCH_SEARCH_H

#include "runs/search/climb.h"
#include "runs/search/exhaust.h"
#include "runs/search/pieces.h"

struct search_spec {
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
struct witness {
	struct found found;
	struct genome genome;
};

/* Room for what is found, one for each target. False: out of memory. */
MUST_CHECK bool witnesses_new(
	const struct search_spec *h, struct arena *arena, struct witness **witnesses, struct error *err);

/* How many evaluations it takes. */
uint64_t search_evaluations(const struct search_spec *h);

/* On worker processes, with its progress unless quiet. The result does not depend on their number;
 * evaluations and genome are those of the targets up to an interruption. *r: interrupted, evaluations and
 * seconds are filled in, there are no results to free. False: *err. */
MUST_CHECK bool search_on_workers(const struct search_spec *h, uint32_t workers, bool quiet,
	struct witness *witnesses, struct pieces_results *r, struct error *err);

/* The same in this process, for one target (METHOD_EXHAUSTIVE: not). *stop: see struct climb. */
MUST_CHECK bool search_here(const struct search_spec *h, struct evaluator *e, uint32_t target,
	const atomic_bool *stop, struct witness *witness, struct error *err);

#endif
