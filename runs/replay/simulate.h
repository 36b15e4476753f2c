/* runs/replay/simulate.h - runs a replayed task set under fifo-cke, rules R1 and R2; only for use in
 * runs/replay/. */
#ifndef CEGSIM_RUNS_REPLAY_SIMULATE_H
#define CEGSIM_RUNS_REPLAY_SIMULATE_H

#include "models/platform.h"
#include "models/setup.h"
#include "models/taskset.h"
#include "sim/trace.h"

/* Gives `observer` the records of these kinds (TRACE_BIT) of the whole run. */
MUST_CHECK bool replay_simulate(const struct platform *platform, const struct taskset *set,
	const struct run_setup *setup, uint32_t kinds, trace_observer_fn *observer, void *self,
	struct error *err);

#endif
