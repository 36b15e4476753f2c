/* tests/oracle/engine_side.h - the engine's side of a comparison: runs models/simulation.h and
 * gathers its trace into the oracle's kind of result. */
#ifndef CEGSIM_TESTS_ORACLE_ENGINE_SIDE_H
#define CEGSIM_TESTS_ORACLE_ENGINE_SIDE_H

#include <stddef.h>

#include "tests/oracle/oracle.h"

/* Runs policy->name with its option. NULL: the run could not be made; text says why. The set must
 * be valid; engine_check() says whether it is. */
struct oracle_result *engine_run(const struct taskset *set, const struct platform *platform,
	const struct run_setup *setup, const struct oracle_policy *policy, char *text, size_t size);

/* taskset_check(): true if it finds nothing; else text holds its last complaint. */
bool engine_check(struct taskset *set, const struct platform *platform, char *text, size_t size);

#endif
