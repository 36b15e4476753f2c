/* tests/oracle/chains_plain.h - ages and reactions of a chain from the jobs of a run, as docs/model.md
 * defines them ("Chains and triggers"): no events, no order of events, only comparisons of instants. It
 * shares nothing with runs/chains.c but the chain itself. */
#ifndef CEGSIM_TESTS_ORACLE_CHAINS_PLAIN_H
#define CEGSIM_TESTS_ORACLE_CHAINS_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/int128.h"
#include "models/taskset.h"

struct plain_job {
	uint32_t task, seq;
	int64_t release, deadline, first_start, finish; /* first_start -1: never */
	bool finished;                                  /* not removed, not unfinished */
};

struct plain_figure {
	uint64_t count;
	int64_t min, max; /* -1: none */
	int128 sum;
	uint32_t first_job, last_job; /* of the first with the greatest */
};

struct plain_chain {
	struct plain_figure age, reaction;
	/* The greatest age of outputs that are overwritten by one with another stamp, and the greatest
	 * reaction behind the first output that has a stamp; -1: none. */
	int64_t age_of_changes, reaction_behind_first;
};

/* The jobs in any order. Ends the program if there is no memory. */
void plain_chain_of(const struct effect_chain *chain, const struct plain_job *jobs, size_t count,
	struct plain_chain *out);

#endif
