/* cli/sweep_units.h - `cegsim sweep --units`: some sets of a campaign, by their numbers, with all that
 * happens in them; of a campaign file, or of a recording that a sweep has made. */
#ifndef CEGSIM_CLI_SWEEP_UNITS_H
#define CEGSIM_CLI_SWEEP_UNITS_H

#include "base/text.h"
#include "runs/campaign/sweep.h"
#include "runs/seeds.h"

struct sweep_units {
	struct seeds numbers;     /* as given; count 0: --units was not */
	enum record_level record; /* of their runs */
	bool trust;               /* plug-ins and commands that a recording names are loaded and run */
	char *campaign_file;      /* where a recording's campaign would be, beside the recording; or NULL */
	uint32_t *list;           /* [count] the numbers, ascending */
	struct text chosen;       /* they and the level, as struct units_extent has it */
};

/* The campaign that FILE.db was made of, as it is stored there. Files that it names are looked for beside
 * FILE.db. STATUS_OK: *c is complete, and u->campaign_file is set. Else the errors have been printed. */
MUST_CHECK enum status sweep_units_campaign(struct sweep_units *u, const char *file, struct campaign *c);

/* Makes the sweep one of these sets at their level. *c is the spec's campaign. False: the campaign has no
 * such set, or out of memory. */
MUST_CHECK bool sweep_units_settle(
	struct sweep_units *u, struct campaign *c, struct sweep_spec *spec, struct error *err);

void sweep_units_finish(struct sweep_units *u);

#endif
