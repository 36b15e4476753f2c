/* cli/validate_chains.h - holds the ages and reactions of a recording's chains against the bounds that are
 * stored in it (v_chain_check). */
#ifndef CEGSIM_CLI_VALIDATE_CHAINS_H
#define CEGSIM_CLI_VALIDATE_CHAINS_H

#include "cli/table/table.h"

/* Prints a table, if there are such bounds and `print`. Sets *exceeded if one of a sound analysis is. */
MUST_CHECK bool validate_chains(const char *file, bool print, bool *exceeded, struct error *err);

#endif
