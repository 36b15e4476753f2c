/* cli/replay_record.h - `cegsim replay -o`: a replayed profile as a recording. */
#ifndef CEGSIM_CLI_REPLAY_RECORD_H
#define CEGSIM_CLI_REPLAY_RECORD_H

#include "cli/options.h"
#include "runs/replay/captured.h"

/* Makes a run of each unit, and adds what was measured. `name`: what the scenarios are called after. False:
 * *err; so after an interruption (STATUS_INTERRUPTED): then the recording has the units that were done. */
MUST_CHECK bool replay_record(
	const struct captured *c, const char *name, const struct given *given, struct error *err);

#endif
