/* runs/replay/launches.h - the recorded operations of one process as a task set; only for use in
 * runs/replay/. */
#ifndef CEGSIM_RUNS_REPLAY_LAUNCHES_H
#define CEGSIM_RUNS_REPLAY_LAUNCHES_H

#include "models/setup.h"
#include "models/taskset.h"
#include "runs/replay/replay.h"

#define NO_KERNEL UINT32_MAX

struct launches {
	struct taskset set;
	struct run_setup setup;
	int64_t base_ns;     /* instant of the logs that is 0 in the run */
	uint32_t *kernel_of; /* [tasks] index into replay.kernels; NO_KERNEL: a copy */
};

/* Makes tasks from the kernels of a process with their copies, in order of issue. False: *err, with
 * diagnostics of the log if a kernel does not fit the platform. Call launches_finish() either way. */
MUST_CHECK bool launches_make(struct launches *l, const struct replay *replay, uint32_t process,
	const struct replay_request *request, struct diagnostics *diagnostics, struct error *err);
void launches_finish(struct launches *l);

#endif
