/* cli/replay_parts.h - shared by the files of `cegsim replay`. */
#ifndef CEGSIM_CLI_REPLAY_PARTS_H
#define CEGSIM_CLI_REPLAY_PARTS_H

#include "base/error.h"
#include "runs/replay/replay.h"

/* cli/replay_json.c: the replay of logs on the platform of that name, on standard output. */
MUST_CHECK bool replay_print_json(const struct replay *r, const char *platform, struct error *err);

#endif
