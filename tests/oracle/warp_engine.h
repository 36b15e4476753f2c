/* tests/oracle/warp_engine.h - runs the engine (models/warps/simulation.h), collects its trace and observers
 * into a result of the plain simulation's type, and compares the two. */
#ifndef CEGSIM_TESTS_ORACLE_WARP_ENGINE_H
#define CEGSIM_TESTS_ORACLE_WARP_ENGINE_H

#include <stddef.h>

#include "tests/oracle/warp_plain.h"

/* Releases, ends and stays are in ns; counts (struct plain_counts) are 0. Aborts if the engine cannot run or
 * its trace is not complete. input->only must be PLAIN_ALL. */
struct plain_result *warp_engine_run(const struct plain_input *input);
/* The same with an observer of rows only, or without one: nobody sees the instructions, so SMs may run ahead
 * (models/warps/ahead.c). Everything else must be the same. */
struct plain_result *warp_engine_run_rows(const struct plain_input *input);
struct plain_result *warp_engine_run_unseen(const struct plain_input *input);
int64_t warp_engine_ipc_alone(const struct plain_input *input, uint32_t kernel);

/* False: `text` says what differs first. `plain` is in cycles, `engine` in ns; both get sorted. */
bool warp_results_agree(const struct plain_input *input, struct plain_result *plain,
	struct plain_result *engine, char *text, size_t size);
/* Does the engine give the same when nobody sees the instructions? With an observer of rows, and without. */
bool warp_results_agree_rows(const struct plain_input *input, const struct plain_result *engine,
	const struct plain_result *rows, char *text, size_t size);
bool warp_results_agree_unseen(const struct plain_input *input, const struct plain_result *engine,
	const struct plain_result *unseen, char *text, size_t size);

#endif
