/* analysis/shares.h - the allocation of a set that is to run although no allocation makes it schedulable
 * (`admit: any`). */
#ifndef CEGSIM_ANALYSIS_SHARES_H
#define CEGSIM_ANALYSIS_SHARES_H

#include "analysis/chain.h"

/* steps[count], by priority: on input what is enough for the first `kept` tasks; the others are written. All
 * this is for the tasks whose kernels are on this GPU; those of others are left alone. Of
 * `total` steps (at least one for each task with kernels) the kept tasks keep theirs, the others get one
 * each, and what remains is given to the others in turn, by priority. If that leaves less than one for each
 * of the others, the lowest of the kept tasks become others, too. Tasks without kernels get none. */
void shares_anyway(const struct chains *chains, uint32_t gpu, uint32_t kept, uint32_t total, uint32_t *steps);

#endif
