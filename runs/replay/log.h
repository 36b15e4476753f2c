/* runs/replay/log.h - recordings of kernels on real GPUs: what one log says.
 *
 * The format is that of the CUDA scheduling examiner (Otterness et al., "Inferring the Scheduling
 * Policies of an Embedded CUDA GPU", OSPERT 2017): one JSON file per CUDA stream, whose `times` hold
 * an object per kernel launch - grid, threads per block, shared memory, when the launch was called
 * and returned, and start, end and SM of every block - between objects with the CPU times of
 * iterations, which are not needed here. Times are decimal seconds on one clock per program run. */
#ifndef CEGSIM_RUNS_REPLAY_LOG_H
#define CEGSIM_RUNS_REPLAY_LOG_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diagnostics.h"
#include "base/error.h"

#define LOG_NO_SM (-1)

/* One launch of a kernel. */
struct log_kernel {
	char *name;
	unsigned line, column;      /* where it stands in the file */
	uint32_t blocks, threads;   /* threads per block, >= 1 */
	int64_t shared_memory;      /* bytes per block */
	int64_t call_ns, launch_ns; /* before the launch was called, after it returned */
	int64_t *start_ns, *end_ns; /* [blocks] */
	int32_t *sm;                /* [blocks]; LOG_NO_SM: not recorded */
	int64_t block_ns;           /* median of end - start, rounded down */
	int64_t shortest_ns, longest_ns;
};

/* What a block took, at least 1 ns: what takes no time needs no SM, and a block that was recorded had one. */
static inline int64_t log_block_ns(const struct log_kernel *k, uint32_t block)
{
	int64_t length = k->end_ns[block] - k->start_ns[block];
	return length > 0 ? length : 1;
}

struct log {
	char *file;                   /* as it was named */
	char *scenario, *label;       /* "" where the log has none */
	int64_t pid;                  /* -1: not recorded */
	bool thread;                  /* a thread of its process wrote it, so that others may have too */
	int64_t max_resident_threads; /* of the GPU; 0: not recorded */
	bool null_stream;             /* the log says its kernels went to the NULL stream */
	bool high_priority;           /* of the stream: its label says so, or callers do */
	bool says_priority;           /* the label says "(high priority)" or "(low priority)" */
	struct log_kernel *kernels;   /* [kernel_count], in order of launch */
	uint32_t kernel_count;        /* 0: a log of CPU work alone */
};

/* Reads a log of `length` bytes; everything in it lives in the arena. False: diagnostics were added,
 * or memory ran out (then err->status is STATUS_IO). *err is STATUS_INPUT for what the diagnostics say. */
MUST_CHECK bool log_parse(struct log *log, struct arena *arena, const char *file, const char *text,
	size_t length, struct diagnostics *diagnostics, struct error *err);
/* The same from a file. A file that cannot be read is a diagnostic too, with err->status as it deserves. */
MUST_CHECK bool log_read(struct log *log, struct arena *arena, const char *file,
	struct diagnostics *diagnostics, struct error *err);

/* Whether `name`, as a user types it, means this log: the whole name, or its last component. */
bool log_is_named(const struct log *log, const char *name);

#endif
