/* runs/replay/copies.h - copies that happened beside the kernels of a recording.
 *
 * Logs do not say what was copied on a stream between two kernels. Whoever made the recording can say it in a
 * CSV file with the columns log, kernel, direction, amount; base/csv.h reads them.
 *   log        file name of a log, as given or without its folders
 *   kernel     name of a kernel of it (every launch of that name), or #N: its N-th, from 0
 *   direction  to_gpu: on the kernel's stream before it, issued when its launch was called;
 *              to_cpu: behind it, issued when its launch returned
 *   amount     bytes (256MiB), for which a bandwidth must be known, or a time (21.3ms) */
#ifndef CEGSIM_RUNS_REPLAY_COPIES_H
#define CEGSIM_RUNS_REPLAY_COPIES_H

#include "base/arena.h"
#include "base/diagnostics.h"
#include "models/taskset.h"
#include "runs/replay/log.h"

struct recorded_copy {
	uint32_t log, kernel;          /* indices */
	unsigned line;                 /* in the file */
	enum copy_direction direction; /* COPY_TO_GPU or COPY_TO_CPU */
	int64_t length_ns;
};

struct recorded_copies {
	struct recorded_copy *copies; /* [count], by log, then kernel, then line */
	uint32_t count;
};

/* Bytes per second to the GPU and to the CPU; 0: not known. */
struct copy_bandwidth {
	int64_t to_gpu, to_cpu;
};

/* Reads the file; the copies live in the arena. False: *err; for STATUS_INPUT also diagnostics. */
MUST_CHECK bool copies_read(struct recorded_copies *copies, struct arena *arena, const char *path,
	const struct copy_bandwidth *bandwidth, const struct log *logs, uint32_t log_count,
	struct diagnostics *diagnostics, struct error *err);
/* The same from a text, which is changed. */
MUST_CHECK bool copies_parse(struct recorded_copies *copies, struct arena *arena, char *text,
	const struct copy_bandwidth *bandwidth, const struct log *logs, uint32_t log_count,
	struct diagnostics *diagnostics, struct error *err);

#endif
