/* models/again.h - what a machine was before its run, so that it can run again (simulation_again()); for
 * models/simulation.c. */
#ifndef CEGSIM_MODELS_AGAIN_H
#define CEGSIM_MODELS_AGAIN_H

#include "models/machine.h"

struct again {
	struct machine machine;    /* its arena and its trace are not meant */
	struct arena_image memory; /* of its arena */
	enum on_miss on_miss;
	enum ties ties;
};

/* Whether the machine of a later run differs from this one in no more than again_begin() sees to. */
bool again_serves(const struct machine *m);
/* Of a machine that has not run. NULL: out of memory. */
struct again *again_create(const struct machine *m);
void again_destroy(struct again *a); /* accepts NULL */

/* Makes the machine what it was, and then what the setup and the release rules make of it now. */
MUST_CHECK bool again_begin(const struct again *a, struct machine *m, struct error *err);

#endif
