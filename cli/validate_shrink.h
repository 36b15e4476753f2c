/* cli/validate_shrink.h - `cegsim validate --shrink`: a bound that a recorded run exceeds, as a small
 * scenario. */
#ifndef CEGSIM_CLI_VALIDATE_SHRINK_H
#define CEGSIM_CLI_VALIDATE_SHRINK_H

#include <stdio.h>

#include "runs/bounds/validation.h"

struct shrink_request {
	const char *file;   /* the recording */
	const char *output; /* the scenario */
	bool overwrite;
	FILE *remarks;
};

/* Of the bounds that are exceeded the one that is exceeded most, relative to it. If there is none, it says
 * so. False: *err, such as STATUS_INPUT: no schedule of so few jobs as a search has shows it. */
MUST_CHECK bool validate_shrink(
	const struct shrink_request *r, const struct validation *v, struct error *err);

#endif
