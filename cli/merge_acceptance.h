/* cli/merge_acceptance.h - the acceptance of the shares of a campaign, which are not merged for it. */
#ifndef CEGSIM_CLI_MERGE_ACCEPTANCE_H
#define CEGSIM_CLI_MERGE_ACCEPTANCE_H

#include <stdint.h>

#include "cli/options.h"
#include "db/merge.h"

/* Adds up what each share counts, and prints it. The shares fit together (merge_check()). */
MUST_CHECK bool merge_acceptance(
	const struct merge_part *parts, uint32_t count, enum table_format format, struct error *err);

#endif
