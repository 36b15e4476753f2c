/* runs/search/variant.h - a set that was made of another one by changing it, with its plan, one of its bounds
 * and a behaviour. Each change of a set makes another plan and another bound. */
#ifndef CEGSIM_RUNS_SEARCH_VARIANT_H
#define CEGSIM_RUNS_SEARCH_VARIANT_H

#include "runs/bounds/bounding.h"
#include "runs/search/search.h"

/* What all variants have in common. Pointers are kept by reference. */
struct variant_frame {
	const struct search_spec *spec; /* the case of the first set, budget and seed of searches */
	const struct run_setup *setup;  /* for the policy's plan */
	const struct analysis_use *use; /* whose bound it is */
	uint32_t most_jobs;
	bool periodic;
};

struct variant {
	struct arena arena;
	struct taskset set; /* its parts are in the arena, or are those of the first set */
	struct search_target target;
	struct bounding bounding;
	struct genome_space space;
	struct search_spec spec;
	struct witness *witness;
	int64_t bound_ns;
};

/* NULL: out of memory. The target is 0; the other parts await variant_settle(). */
struct variant *variant_create(const struct taskset *set);
void variant_destroy(struct variant *v); /* accepts NULL */

/* To be called when the set has been changed, and the target is known. *fits: the set can be run, and the
 * target's bound promises something. False: *err. */
MUST_CHECK bool variant_settle(
	const struct variant_frame *frame, struct variant *v, bool *fits, struct error *err);

#define VARIANT_ALL UINT32_MAX
/* Carries the behaviour of `from` over to `to`, of which a task is missing (segment VARIANT_ALL), or one of
 * its segments, or nothing (task VARIANT_ALL). */
void variant_carry(const struct variant *from, const struct variant *to, uint32_t task, uint32_t segment);

/* Whether the length of a segment is a number of its own: those of bytes and profiles come from elsewhere. */
bool variant_has_length(const struct segment *s);

#endif
