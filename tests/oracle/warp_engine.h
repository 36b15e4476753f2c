/* tests/oracle/warp_engine.h - a run of the engine (models/warps/simulation.h), gathered from its trace and
 * its observers into what the plain simulation gives; and whether the two say the same. */
#ifndef CEGSIM_TESTS_ORACLE_WARP_ENGINE_H
#define CEGSIM_TESTS_ORACLE_WARP_ENGINE_H

#include <stddef.h>

#include "tests/oracle/warp_plain.h"

/* Releases, ends and stays are in ns; counts (struct plain_counts) are 0. Aborts if the engine cannot run or
 * its trace is not whole. input->only must be PLAIN_ALL. */
struct plain_result *warp_engine_run(const struct plain_input *input);
/* The same without an observer: no issues and no rows. Nothing else may differ. */
struct plain_result *warp_engine_run_unseen(const struct plain_input *input);
int64_t warp_engine_ipc_alone(const struct plain_input *input, uint32_t kernel);

/* False: `text` says what is the first that differs. `plain` is in cycles, `engine` in ns;
 * both are sorted. */
bool warp_results_agree(const struct plain_input *input, struct plain_result *plain,
	struct plain_result *engine, char *text, size_t size);
/* Of the engine, with and without an observer. */
bool warp_results_agree_unseen(const struct plain_input *input, const struct plain_result *engine,
	const struct plain_result *unseen, char *text, size_t size);

#endif
