/* scenarios/settle_caches.h - the sizes of caches that a scenario leaves to its platform's preset. */
#ifndef CEGSIM_SCENARIOS_SETTLE_CACHES_H
#define CEGSIM_SCENARIOS_SETTLE_CACHES_H

#include "models/platform.h"
#include "scenarios/tables.h"

/* Puts those of the platform's preset where the machine has WARP_SIZE_OF_PRESET. `memory` is the mapping that
 * was read, NULL if it is not there. False: they are not known, and errors were reported. */
bool settle_caches(struct binder *b, const struct node *memory, const struct platform *platform,
	struct warp_machine *machine);

#endif
