/* captures/nsys.h - what the files that read an export of Nsight Systems share; only for use in captures/. */
#ifndef CEGSIM_CAPTURES_NSYS_H
#define CEGSIM_CAPTURES_NSYS_H

#include "captures/build.h"
#include "captures/nsys_db.h"

/* Processes and threads of an export are numbers of 64 bits: machine, process (24 bits), thread (24 bits). */
#define NSYS_THREADS INT64_C(0x1000000)

/* A call of the CUDA API. */
struct nsys_call {
	int64_t process;     /* global number / NSYS_THREADS */
	int64_t correlation; /* equal numbers of different processes are different calls */
	int64_t thread;      /* global number */
	int64_t start_ns, end_ns;
	int64_t name; /* StringIds */
};

struct nsys {
	struct nsys_db db;
	struct capture *c;
	struct error *err;
	int64_t *string_ids; /* [strings] ascending, and their texts */
	const char **strings;
	size_t string_count;
	struct nsys_call *calls; /* [call_count] by process and correlation, one each */
	size_t call_count;
};

/* The text with that number; "" where there is none. */
const char *nsys_string(const struct nsys *n, int64_t id);
/* NULL: the export does not have the call. */
const struct nsys_call *nsys_call(const struct nsys *n, int64_t process, int64_t correlation);
/* Indices in the capture, from global numbers. CAPTURE_NONE: out of memory. */
uint32_t nsys_process(struct nsys *n, int64_t global);
uint32_t nsys_thread(struct nsys *n, int64_t global);
/* CAPTURE_NONE: nobody has named the thread. */
uint32_t nsys_find_thread(const struct nsys *n, int64_t global);

MUST_CHECK bool nsys_read_strings(struct nsys *n);
MUST_CHECK bool nsys_read_calls(struct nsys *n);
MUST_CHECK bool nsys_read_work(struct nsys *n); /* kernels, copies, memsets */
MUST_CHECK bool nsys_read_waits(struct nsys *n);
MUST_CHECK bool nsys_read_host(struct nsys *n); /* ranges, threads on CPUs, contexts on the GPU, notes */

#endif
