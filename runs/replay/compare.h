/* runs/replay/compare.h - compares predictions with recordings; only for use in runs/replay/. */
#ifndef CEGSIM_RUNS_REPLAY_COMPARE_H
#define CEGSIM_RUNS_REPLAY_COMPARE_H

#include "runs/replay/replay.h"

/* Fills in error_ns and errors of every kernel, and of the whole replay, from start_ns and sm. */
MUST_CHECK bool compare_starts(struct replay *replay, struct error *err);

#endif
