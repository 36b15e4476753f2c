/* runs/replay/replay.h - compares recordings of real hardware with the model. Input are launches and block
 * times; output is the predicted start of every block, and its error against the recorded one.
 *
 * Every launch becomes a task of one job, released when the launch returned, on the stream of its
 * log; every block takes the time it was recorded with. The policy is fifo-cke, rules R1 and R2 of
 * Yang & Anderson (docs/model.md). Logs of one process (PID) are simulated together, those of different
 * processes each by themselves: contexts of different processes do not share the GPU's queues, they
 * take turns. */
#ifndef CEGSIM_RUNS_REPLAY_REPLAY_H
#define CEGSIM_RUNS_REPLAY_REPLAY_H

#include "models/platform.h"
#include "runs/replay/copies.h"
#include "runs/replay/log.h"

struct replay_request {
	const struct platform *platform;
	const struct log *logs;
	uint32_t log_count;
	const struct recorded_copies *copies; /* NULL: none */
	bool together; /* the processes shared the GPU (MPS), so there is one simulation */
};

/* How far predictions are off: |predicted - recorded start|, for the blocks of a kernel in order of start. */
struct replay_errors {
	double median_us, max_us;
	uint64_t blocks;
	/* Number of blocks that were placed before any block of their process ended, and whose SM was
	 * recorded; number of those that were predicted on that SM. Later SM numbers depend on
	 * nanoseconds. */
	uint64_t first_wave, sm_matches;
	/* Blocks that began late, when their SM had drained of kernels with less shared memory. This is the
	 * effect of the shared-memory carve-out of Volta and later, which the model does not have. */
	uint64_t drained;
};

struct replay_kernel {
	const struct log *log;
	const struct log_kernel *kernel;
	uint32_t process;  /* from 0, in order of the logs */
	int32_t stream;    /* from 0 within the process, or STREAM_NULL */
	int64_t *start_ns; /* [blocks] predicted, by number of block */
	int32_t *sm;       /* [blocks] predicted */
	int64_t *error_ns; /* [blocks] predicted - recorded, in order of start */
	struct replay_errors errors;
};

struct replay {
	struct replay_kernel *kernels; /* [kernel_count], in order of logs, then as in the log */
	uint32_t kernel_count;
	uint32_t processes;
	bool at_once;         /* the processes belonged to one experiment */
	uint32_t uneven;      /* launches whose longest block took more than 5 % longer than the shortest */
	uint32_t most_uneven; /* index of the launch with the greatest ratio; undefined if uneven is 0 */
	struct replay_errors errors; /* over all blocks */
};

/* The preset of a GPU with that many resident threads; NULL: none, or several with different limits. */
const struct platform *replay_platform(int64_t max_resident_threads);

/* All data of *replay live in the arena. False: *err; for STATUS_INPUT possibly with diagnostics of logs
 * ([log_count], such as a block that fits no SM). At least one log must contain a kernel. */
MUST_CHECK bool replay_run(struct replay *replay, struct arena *arena, const struct replay_request *request,
	struct diagnostics *diagnostics, struct error *err);

#endif
