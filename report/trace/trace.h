/* report/trace/trace.h - a run of a recording as a Perfetto trace: TrackEvent packets in the protobuf
 * messages of Perfetto's trace format, which the Perfetto UI and its trace processor read. docs/trace.md
 * says what is in it.
 *
 * The trace is written while the recording is read. Memory is needed for the tasks, the tracks, the blocks
 * that are on the GPU at one time, and one bit for each row of segment_interval; not for all blocks. */
#ifndef CEGSIM_REPORT_TRACE_H
#define CEGSIM_REPORT_TRACE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "db/reader.h"

#define TRACE_FIRST_RUN INT64_MIN

/* What is wanted. */
struct trace_request {
	int64_t run; /* run_id, or TRACE_FIRST_RUN: the first that has intervals */
	int64_t from_ns,
		to_ns; /* only what happens at from <= t < to, intervals whole; 0 and INT64_MAX: all */
	bool replace;  /* the file may exist */
	const volatile sig_atomic_t
		*stop; /* if it becomes non-zero, writing ends with STATUS_INTERRUPTED; may be NULL */
};

/* The result. */
struct trace_summary {
	int64_t run;
	char policy[64], level[16];
	uint64_t tracks, slices, bytes;
};

/* Writes the file `path`: it exists when this returns true, and is unchanged otherwise. `recording` is its
 * name in messages. */
MUST_CHECK bool trace_write(struct db_reader *reader, const char *recording, const char *path,
	const struct trace_request *request, struct trace_summary *summary, struct error *err);

#endif
