/* runs/chains.h - the ages and reactions of a run's chains (docs/model.md, "Chains and triggers"), at every
 * level of recording. It is an observer of the trace, and keeps no jobs but those that go on. */
#ifndef CEGSIM_RUNS_CHAINS_H
#define CEGSIM_RUNS_CHAINS_H

#include "base/arena.h"
#include "base/int128.h"
#include "models/taskset.h"
#include "sim/trace.h"

/* Ages or reactions, in ns. */
struct chain_figure {
	uint64_t count;
	int64_t min_ns, max_ns; /* -1: there is none */
	int128 sum_ns;
	/* The first with the greatest value. Age: the job of the first task that read the data, and that of
	 * the last task whose output was overwritten. Reaction: the job of the first task behind whose read
	 * the event came, and that of the last task that reacted. */
	uint32_t first_job, last_job;
};

struct chain_result {
	struct chain_figure age, reaction;
};

struct chains;

/* For the chains of the set, which is kept by reference. *chains is NULL if it has none. False: out of
 * memory. */
MUST_CHECK bool chains_create(const struct taskset *set, struct arena *arena, struct chains **chains);
/* The kinds of records that it needs. */
uint32_t chains_want(const struct chains *c);
bool chains_observe(void *chains, const struct trace_record *records, size_t count);
/* At the end of the run. False, as of the observer: out of memory. */
MUST_CHECK bool chains_end(struct chains *c);
/* [set->chain_count] After the end. */
const struct chain_result *chains_results(const struct chains *c);

/* Rounded half to even; count > 0. */
int64_t chain_mean_ns(const struct chain_figure *f);

/* Whether a limit of the chain is exceeded. */
bool chain_limit_broken(const struct effect_chain *chain, const struct chain_result *result);

#endif
