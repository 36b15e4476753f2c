/* runs/search/shrink.h - makes the set of a find small, too: a counterexample for a paper.
 *
 * Tasks and segments are dropped, best cases set to the worst, and numbers rounded to few significant digits.
 * Each change makes another set with another plan and another bound. It stays if the set still shows what was
 * found: with the same behaviour, or else with one that a new search finds. */
#ifndef CEGSIM_RUNS_SEARCH_SHRINK_H
#define CEGSIM_RUNS_SEARCH_SHRINK_H

#include "runs/search/variant.h"

/* Where the bound is exceeded, at least half of the excess over it is kept, relative to the bound. Else
 * observed / bound falls by at most a hundredth. */
struct shrink_goal {
	const struct run_setup *setup;  /* for the policy's plan */
	const struct analysis_use *use; /* whose bound is compared; its bound is not beyond the period */
	const struct witness *from;     /* the find */
	struct search_target target;    /* a whole job */
	int64_t bound_ns;
	uint32_t most_jobs;
	const atomic_bool *stop; /* ends it, with the smallest set until then; NULL: never */
};

/* `spec` is the search that found it, with its budget and seed for new searches. *result refers to the spec's
 * set. Deterministic. False: *err, such as STATUS_INTERRUPTED before the set has its bound; else call
 * variant_destroy(). */
MUST_CHECK bool shrink(const struct search_spec *spec, const struct shrink_goal *goal,
	struct variant **result, struct error *err);

/* The least response that shows as much as this one, but for a tenth of the excess, or for a hundredth: what
 * may be lost where the numbers of the behaviour are made round. */
int64_t shrunk_enough(int64_t response_ns, int64_t bound_ns);

#endif
