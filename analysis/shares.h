/* analysis/shares.h - what a set gets that is to run although no allocation makes it schedulable
 * (`admit: any`). */
#ifndef CEGSIM_ANALYSIS_SHARES_H
#define CEGSIM_ANALYSIS_SHARES_H

#include "analysis/chain.h"

/* steps[count], by priority: what the first `kept` tasks have found to be enough; the rest is written. Of
 * `total` steps (at least one for each task with kernels) the kept tasks keep theirs, the rest get one each,
 * and what remains goes round the rest by priority. Should that leave less than one for each of the rest,
 * the lowest of the kept tasks join the rest. Tasks without kernels get none. */
void shares_anyway(const struct chains *chains, uint32_t kept, uint32_t total, uint32_t *steps);

#endif
