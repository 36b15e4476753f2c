/* replay/compare.h - predictions beside recordings; inside replay/ only. */
#ifndef CEGSIM_REPLAY_COMPARE_H
#define CEGSIM_REPLAY_COMPARE_H

#include "replay/replay.h"

/* Fills in error_ns and errors of every kernel and of the whole, from start_ns and sm. */
MUST_CHECK bool compare_starts(struct replay *replay, struct error *err);

#endif
