/* cli/acceptance.h - what a campaign's recording says at a glance: acceptance by platform, policy, analysis
 * and target utilisation. */
#ifndef CEGSIM_CLI_ACCEPTANCE_H
#define CEGSIM_CLI_ACCEPTANCE_H

#include "cli/table/table.h"

/* On standard output; also, on standard error, how many runs and sets went wrong. */
MUST_CHECK bool acceptance_print(const char *file, enum table_format format, struct error *err);

#endif
