/* runs/search/search.h - a search in one case: targets, method, and a budget that is divided into pieces for
 * the workers. */
#ifndef CEGSIM_RUNS_SEARCH_SEARCH_H
#define CEGSIM_RUNS_SEARCH_SEARCH_H

#include "runs/search/climb.h"
#include "runs/search/exhaust.h"
#include "runs/search/pieces.h"

struct search_spec {
	struct search_case what;
	const struct plan *plan; /* that of the case; it does not refuse the set */
	const struct genome_space *space;
	enum search_method method;
	uint64_t budget; /* evaluations for each target; not METHOD_EXHAUSTIVE */
	uint32_t patience;
	uint64_t seed;
	uint32_t set; /* number of the case, which is part of every draw's key */
	const struct search_target *targets;
	uint32_t target_count;
	const struct exhaust *exhaust; /* METHOD_EXHAUSTIVE; only one target if it is a segment */
};

/* The result for a target. */
struct witness {
	struct found found;
	struct genome genome;
};

/* Memory for the results, one per target. False: out of memory. */
MUST_CHECK bool witnesses_new(
	const struct search_spec *h, struct arena *arena, struct witness **witnesses, struct error *err);

/* Number of evaluations of the search. */
uint64_t search_evaluations(const struct search_spec *h);

/* Searches on worker processes, and shows progress unless `quiet`. The result does not depend on their
 * number. After an interruption, evaluations and genomes are those up to then. *r: interrupted, evaluations
 * and seconds are filled in, there are no results to free. False: *err. */
MUST_CHECK bool search_on_workers(const struct search_spec *h, uint32_t workers, bool quiet,
	struct witness *witnesses, struct pieces_results *r, struct error *err);

/* The same in this process, for one target (not for METHOD_EXHAUSTIVE). *stop: see struct climb. */
MUST_CHECK bool search_here(const struct search_spec *h, struct evaluator *e, uint32_t target,
	const atomic_bool *stop, struct witness *witness, struct error *err);

#endif
