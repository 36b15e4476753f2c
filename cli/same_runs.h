/* cli/same_runs.h - which of several runs made the same schedule, as a sentence below their table. */
#ifndef CEGSIM_CLI_SAME_RUNS_H
#define CEGSIM_CLI_SAME_RUNS_H

#include <stdint.h>

#include "runs/campaign/drive.h"

struct run_digest {
	bool known; /* it has a schedule */
	uint32_t scenario;
	uint64_t digest;
};

/* Prints "Runs 2 and 3 are the same schedule: fcfs, rm." for every such group; `label` names the policy of
 * run `index`, into a text of PARAMS_LABEL_MAX, or returns one. Runs are counted from 1. */
void same_runs_print(const struct run_digest *runs, uint32_t count,
	const char *(*label)(const void *self, uint32_t index, char *text), const void *self);

#endif
