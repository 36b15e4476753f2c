/* runs/search/hunt.h - hunts a bound: climbs in two spaces at once, that of sets and that of their
 * behaviours, towards a larger observed / bound.
 *
 * A step changes a few numbers of the set (runs/search/mutate.h), computes its plan and bound, carries the
 * behaviour over and climbs a little from there. It is kept unless observed / bound falls. */
#ifndef CEGSIM_RUNS_SEARCH_HUNT_H
#define CEGSIM_RUNS_SEARCH_HUNT_H

#include "runs/search/variant.h"

#define HUNT_BUDGET 30000u

struct hunt {
	/* The first set; the budget is that of the hunt. Sets in which the target has no bound within its
	 * period do not count. */
	struct variant_frame frame;
	const atomic_bool *stop;   /* NULL: never stops */
	_Atomic uint64_t *counter; /* counts evaluations; NULL: no count */
};

struct hunted {
	struct variant *best; /* the greatest observed / bound; NULL: no set had a bound */
	uint64_t evaluations; /* of behaviours */
	uint64_t sets;        /* with a bound */
};

/* Deterministic. *result refers to the first set. False: *err; else call variant_destroy(result->best). */
MUST_CHECK bool hunt(const struct hunt *h, struct hunted *result, struct error *err);

/* What the best one says about its bound. */
double hunted_ratio(const struct variant *v);

#endif
