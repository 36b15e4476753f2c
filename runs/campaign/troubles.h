/* runs/campaign/troubles.h - notes runs that crashed a worker process, and decides what is done about them.
 *
 * A run is tried once more; if it crashes again, it is recorded with status error. If even that fails, or if
 * the crash was not in a run, the whole unit is given up and recorded as such. */
#ifndef CEGSIM_RUNS_CAMPAIGN_TROUBLES_H
#define CEGSIM_RUNS_CAMPAIGN_TROUBLES_H

#include <stdint.h>

#include "base/error.h"

#define TROUBLE_UNIT UINT32_MAX /* in place of a run's number: making the set, or recording */

struct trouble {
	uint32_t unit, run;
	uint32_t times;
	uint64_t changed; /* when, as a number of processes started */
	char reason[200];
};

struct troubles {
	struct trouble *items;
	uint32_t count;
};

void troubles_finish(struct troubles *t);
/* Notes one more crash. *hopeless: even giving up the unit has failed. False: out of memory. */
MUST_CHECK bool troubles_add(struct troubles *t, uint32_t unit, uint32_t run, uint64_t now,
	const char *reason, bool *hopeless, struct error *err);
/* Why the run (or TROUBLE_UNIT) must not be tried again; NULL: it may be tried. */
const char *troubles_verdict(const struct troubles *t, uint32_t unit, uint32_t run);
/* A process with a lower number does not know all troubles of the unit. */
uint64_t troubles_changed(const struct troubles *t, uint32_t unit);

#endif
