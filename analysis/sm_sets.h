/* analysis/sm_sets.h - chooses the SMs of tasks that have static sets: one set behind the other, or, where
 * tasks may share SMs, the SMs with the least utilisation so far. */
#ifndef CEGSIM_ANALYSIS_SM_SETS_H
#define CEGSIM_ANALYSIS_SM_SETS_H

#include <stdint.h>

#include "analysis/ratio.h"
#include "base/arena.h"

struct sm_sets {
	uint32_t tasks, sms;
	bool *on;        /* [sms * tasks]: SM m is in the set of task k at m * tasks + k */
	uint32_t *first; /* [tasks] the first task whose set shares an SM with that of k; k itself if there is
			    none before it, or if k has no SMs */

	/* While sets are chosen: SMs from the least used to the most used, ties by index; and their use. */
	uint32_t *order, *merged; /* [sms] */
	uint128 *use;             /* [sms] sum of utilisations in units of 2^-48, rounded down */
	struct ratio *terms;      /* [tasks] */
};

/* False: out of memory. */
MUST_CHECK bool sm_sets_init(struct sm_sets *sets, uint32_t tasks, uint32_t sms, struct arena *arena);

/* Gives task k = 0, 1, ... wanted[k] SMs: consecutive ones (the sum of all is at most sets->sms) ... */
void sm_sets_exclusive(struct sm_sets *sets, const uint32_t *wanted);
/* ... or those with the least sum of length / period over the tasks that have them already, ties to the
 * lowest index; wanted[k] <= sets->sms, 0 <= length, 1 <= period. */
void sm_sets_least_used(
	struct sm_sets *sets, const uint32_t *wanted, const int64_t *length, const int64_t *period);

#endif
