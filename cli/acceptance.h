/* cli/acceptance.h - a summary of a campaign's recording: for people the acceptance curves (@curves), for
 * programs the acceptance by platform, policy, analysis and target utilisation. */
#ifndef CEGSIM_CLI_ACCEPTANCE_H
#define CEGSIM_CLI_ACCEPTANCE_H

#include "cli/table/table.h"

/* Prints on standard output; on standard error also how many runs and sets failed. */
MUST_CHECK bool acceptance_print(const char *file, enum table_format format, struct error *err);
/* The same of few sets: a row for each run (@overview), and for each analysis of a set if there are no runs.
 */
MUST_CHECK bool acceptance_print_runs(const char *file, enum table_format format, struct error *err);

#endif
