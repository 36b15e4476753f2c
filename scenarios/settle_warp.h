/* scenarios/settle_warp.h - makes a checked set of kernels from what a scenario says in `warp:`. */
#ifndef CEGSIM_SCENARIOS_SETTLE_WARP_H
#define CEGSIM_SCENARIOS_SETTLE_WARP_H

#include "scenarios/binder.h"
#include "scenarios/scenario.h"
#include "scenarios/tables.h"

/* Makes s->set from those kernels that have no errors, even if others have. s->platform is set; `platform` is
 * false if it has errors. False: errors were reported. */
bool settle_warps(struct binder *b, const struct node *root, const struct description *d, bool platform,
	struct scenario *s);

/* Checks that every policy in the list schedules what the scenario has, warps or blocks, and fits it.
 * `complete`: the set has no errors. */
bool check_policies(struct binder *b, const struct node *root, const struct description *d, bool warps,
	const struct scenario *complete);

/* Checks that the horizon and the limit are a number of cycles that an engine can count; `root` has a
 * horizon. */
bool check_span(struct binder *b, const struct node *root, const struct scenario *s);

/* Sets the horizon in ns from a number of cycles, which must be possible. */
bool settle_cycles(struct binder *b, const struct node *root, const struct description *d, int64_t *ns);

#endif
