/* cli/dump_sets.h - `cegsim analyze --dump-sets`: the lines that analyses of users are asked, and nothing
 * else. */
#ifndef CEGSIM_CLI_DUMP_SETS_H
#define CEGSIM_CLI_DUMP_SETS_H

#include "cli/uses.h"
#include "scenarios/scenario.h"

/* Of the scenario under its policies; or, with `scenario` NULL, of all sets of the recording `file`, under
 * those of its runs. -p takes their place. */
MUST_CHECK bool dump_sets(
	const char *file, const struct scenario *scenario, const struct uses *uses, struct error *err);

#endif
