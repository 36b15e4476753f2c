/* runs/replay/log.h - one log: a recording of kernels on a real GPU.
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
	unsigned line, column;      /* place in the file */
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
	char *file;             /* its name, as given */
	char *scenario, *label; /* "" where the log has none */
	int64_t pid;            /* -1: not recorded */
	bool thread;            /* written by a thread of its process, so other threads may have logs, too */
	int64_t max_resident_threads; /* of the GPU; 0: not recorded */
	bool null_stream;             /* the log says its kernels went to the NULL stream */
	bool high_priority;           /* priority of the stream, from the label or from the caller */
	bool says_priority;           /* the label says "(high priority)" or "(low priority)" */
	struct log_kernel *kernels;   /* [kernel_count], in order of launch */
	uint32_t kernel_count;        /* 0: a log of CPU work alone */
};

/* Reads a log of `length` bytes; its data live in the arena. False: diagnostics were added (*err is
 * STATUS_INPUT), or memory ran out (STATUS_IO). */
MUST_CHECK bool log_parse(struct log *log, struct arena *arena, const char *file, const char *text,
	size_t length, struct diagnostics *diagnostics, struct error *err);
/* The same from a file. A file that cannot be read is a diagnostic, too, with a suitable err->status. */
MUST_CHECK bool log_read(struct log *log, struct arena *arena, const char *file,
	struct diagnostics *diagnostics, struct error *err);

/* Whether `name`, as a user types it, means this log: it is the whole name, or its last component. */
bool log_is_named(const struct log *log, const char *name);

#endif
