/* scenarios/settle_chains.h - tasks that a scenario names in `after` and in `chains`. */
#ifndef CEGSIM_SCENARIOS_SETTLE_CHAINS_H
#define CEGSIM_SCENARIOS_SETTLE_CHAINS_H

#include "scenarios/tables.h"

/* These return false if errors have been reported. Indices are those of the file's tasks, which are those of
 * the set if no task has errors. */

/* Looks up the tasks that release task i, whose release rule exists. */
MUST_CHECK bool settle_after(struct binder *b, struct description *d, uint32_t i);
/* Makes the chains of the set. */
MUST_CHECK bool settle_chains(struct binder *b, const struct description *d, struct taskset *set);
/* Tasks must not release each other in a circle. The tasks of the set are those of the file. */
MUST_CHECK bool check_circles(struct binder *b, const struct description *d, const struct taskset *set);

#endif
