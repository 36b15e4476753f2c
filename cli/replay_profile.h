/* cli/replay_profile.h - `cegsim replay` of profiles: exports of Nsight Systems, traces of PyTorch. */
#ifndef CEGSIM_CLI_REPLAY_PROFILE_H
#define CEGSIM_CLI_REPLAY_PROFILE_H

#include "cli/options.h"
#include "models/platform.h"

struct profile_command {
	const char *file;
	const struct platform *platform; /* NULL: the file's */
	bool together;                   /* processes shared the GPU */
	bool carveout;                   /* its SMs divide their memory */
	bool fit;                        /* print overheads and rates, and nothing else */
	bool fit_gap;                    /* replay with the gap that is fitted, else with this: */
	int64_t gap_ns;
	const struct given *given; /* the format, and where to record it (output NULL: nowhere) */
};

/* Reports what goes wrong. Returns the exit status: 1 if more than 5 % of the operations started late for no
 * known reason. */
int replay_profile(const struct profile_command *command);

#endif
