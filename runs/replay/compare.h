/* runs/replay/compare.h - predictions beside recordings; inside runs/replay/ only. */
#ifndef CEGSIM_RUNS_REPLAY_COMPARE_H
#define CEGSIM_RUNS_REPLAY_COMPARE_H

#include "runs/replay/replay.h"

/* Fills in error_ns and errors of every kernel and of the whole, from start_ns and sm. */
MUST_CHECK bool compare_starts(struct replay *replay, struct error *err);

#endif
