/* runs/campaign/troubles.h - runs that brought a worker process down, and what is done about them.
 *
 * A run is tried once more; the second time it is recorded with status error. If even that
 * fails, or if it was not a run that failed, the whole unit is given up, and recorded as such. */
#ifndef CEGSIM_RUNS_CAMPAIGN_TROUBLES_H
#define CEGSIM_RUNS_CAMPAIGN_TROUBLES_H

#include <stdint.h>

#include "base/error.h"

#define TROUBLE_UNIT UINT32_MAX /* instead of a run's number: making the set, or recording */

struct trouble {
	uint32_t unit, run;
	uint32_t times;
	uint64_t changed; /* when, in numbers of processes started */
	char reason[200];
};

struct troubles {
	struct trouble *items;
	uint32_t count;
};

void troubles_finish(struct troubles *t);
/* It failed once more. *hopeless: even giving the unit up has failed. False: out of memory. */
MUST_CHECK bool troubles_add(struct troubles *t, uint32_t unit, uint32_t run, uint64_t now,
	const char *reason, bool *hopeless, struct error *err);
/* Why the run (or TROUBLE_UNIT) must not be tried again; NULL: try it. */
const char *troubles_verdict(const struct troubles *t, uint32_t unit, uint32_t run);
/* A process that was started before this does not know all about the unit. */
uint64_t troubles_changed(const struct troubles *t, uint32_t unit);

#endif
