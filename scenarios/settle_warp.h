/* scenarios/settle_warp.h - the way from what a scenario says of warps to a checked set of kernels. */
#ifndef CEGSIM_SCENARIOS_SETTLE_WARP_H
#define CEGSIM_SCENARIOS_SETTLE_WARP_H

#include "scenarios/binder.h"
#include "scenarios/scenario.h"
#include "scenarios/tables.h"

/* Makes s->set, from what is sound of it even if something is not. s->platform is in place; `platform` is
 * false if it is not to be trusted. False: errors were reported. */
bool settle_warps(struct binder *b, const struct node *root, const struct description *d, bool platform,
	struct scenario *s);

/* Every policy of the list schedules what the scenario has, warps or blocks, and fits it (`complete`: the
 * scenario, if nothing is wrong with its set). */
bool check_policies(struct binder *b, const struct node *root, const struct description *d, bool warps,
	const struct scenario *complete);

/* Horizon and limit are so many cycles that an engine can count them; `root` has a horizon. */
bool check_span(struct binder *b, const struct node *root, const struct scenario *s);

/* The horizon in ns: as many cycles, which must be possible. */
bool settle_cycles(struct binder *b, const struct node *root, const struct description *d, int64_t *ns);

#endif
