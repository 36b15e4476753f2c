/* captures/capture.h - a capture: what a profiler recorded of an application. What its threads asked of a
 * GPU, when, and what the GPU did.
 *
 * One form for all profilers: nsys*.c read exports of Nsight Systems (SQLite), kineto*.c traces of the
 * PyTorch profiler (JSON). A reader says what is in the file and nothing more: what a file does not say is
 * marked as unknown, and what a model may make of it is decided by those who ask (runs/replay,
 * scenarios/import).
 *
 * Times are nanoseconds from the first instant of the capture; CAPTURE_UNKNOWN where the file has none. Lists
 * are in order of begin: of the call for operations, waits and events (of the start where the call is not
 * known). */
#ifndef CEGSIM_CAPTURES_CAPTURE_H
#define CEGSIM_CAPTURES_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diagnostics.h"
#include "base/error.h"

#define CAPTURE_UNKNOWN INT64_MIN
#define CAPTURE_NONE UINT32_MAX /* no thread, no stream, no event */

/* A GPU as the file describes it; numbers are 0 where it does not. */
struct capture_gpu {
	const char *name;
	int64_t device; /* the number that operations name it by */
	uint32_t sms, warps_per_sm, blocks_per_sm, registers_per_sm, copy_engines;
	int64_t shared_memory_per_sm, shared_memory_per_block; /* bytes; of a block: without opting in */
	int32_t compute_major, compute_minor;
	int64_t memory_bandwidth; /* bytes per second */
};

/* Blocks that an SM can have: as the file says, else by the compute capability; 0: not known. */
uint32_t capture_blocks_per_sm(const struct capture_gpu *gpu);

struct capture_process {
	int64_t pid;
	const char *name; /* "": not known */
};

struct capture_thread {
	uint32_t process;
	int64_t tid;
	const char *name; /* "": not known */
};

enum capture_stream_kind {
	CAPTURE_STREAM_UNKNOWN,      /* created with flags that the file does not hold */
	CAPTURE_STREAM_BLOCKING,     /* ordered with the NULL stream */
	CAPTURE_STREAM_NON_BLOCKING, /* not ordered with it */
	CAPTURE_STREAM_NULL
};

struct capture_stream {
	uint32_t process, gpu;
	int64_t context, number; /* as in the file */
	enum capture_stream_kind kind;
	int32_t priority; /* as CUDA counts: lower numbers go first */
	bool priority_known;
};

enum capture_operation_kind { CAPTURE_KERNEL, CAPTURE_COPY, CAPTURE_MEMSET };
enum capture_direction {
	CAPTURE_TO_GPU,
	CAPTURE_TO_CPU,
	CAPTURE_ON_GPU,   /* device to device, by the GPU itself */
	CAPTURE_PEER,     /* to or from another GPU */
	CAPTURE_MANAGED,  /* pages of unified memory */
	CAPTURE_ELSEWHERE /* between places on the host, or not known */
};
enum capture_memory {
	CAPTURE_MEMORY_UNKNOWN,
	CAPTURE_PAGEABLE,
	CAPTURE_PINNED,
	CAPTURE_DEVICE,
	CAPTURE_MANAGED_MEMORY
};

/* Work of the GPU: a kernel, a copy, a memset. */
struct capture_operation {
	enum capture_operation_kind kind;
	const char *name;           /* of a kernel, short; "" of others */
	uint32_t stream, thread;    /* thread that issued it; CAPTURE_NONE */
	int64_t call_ns, return_ns; /* of the call that issued it */
	int64_t start_ns, end_ns;   /* on the GPU */
	uint64_t correlation;       /* as in the file: equal for operations of one call of one process */
	bool in_graph;              /* a node of a CUDA graph */
	bool blocks_caller; /* the call is one that returns only when the operation has ended (cudaMemcpy) */
	/* Kernels. */
	uint64_t grid;                   /* blocks */
	uint32_t threads;                /* per block */
	uint32_t registers;              /* per thread */
	int64_t shared_memory;           /* bytes per block, static and dynamic */
	int64_t shared_memory_carve_out; /* bytes that the driver gave the SM for it; CAPTURE_UNKNOWN */
	/* Copies and memsets. */
	enum capture_direction direction;
	enum capture_memory from, to;
	int64_t bytes;
};

enum capture_wait_kind {
	CAPTURE_WAIT_STREAM,      /* a thread waits for a stream */
	CAPTURE_WAIT_DEVICE,      /* a thread waits for all streams of its context */
	CAPTURE_WAIT_EVENT,       /* a thread waits for an event */
	CAPTURE_STREAM_WAIT_EVENT /* a stream waits for an event */
};

/* A thread, or a stream, waits for work that was issued. */
struct capture_wait {
	enum capture_wait_kind kind;
	uint32_t thread; /* that called */
	uint32_t stream; /* that is waited for, or (CAPTURE_STREAM_WAIT_EVENT) that waits; CAPTURE_NONE */
	int64_t event_number;       /* as in the file; CAPTURE_UNKNOWN: none */
	uint32_t event;             /* index of the record that it waits for; CAPTURE_NONE: not known */
	int64_t call_ns, return_ns; /* of the call */
};

/* An event was put into a stream: it happens when what stands before it there has ended. */
struct capture_event {
	uint32_t process, stream, thread;
	int64_t number;  /* as in the file; the same number is recorded again and again */
	int64_t call_ns; /* CAPTURE_UNKNOWN */
};

/* A range that the application named (NVTX, record_function). */
struct capture_range {
	const char *name;
	uint32_t thread;
	int64_t start_ns, end_ns;
};

/* A time in which a thread had a CPU. */
struct capture_running {
	uint32_t thread;
	int32_t cpu;
	int64_t start_ns, end_ns;
	bool preempted; /* it could have gone on at its end; otherwise it waited for something */
};

/* A time in which a context had the GPU (time slices between processes). */
struct capture_context_slice {
	uint32_t process, gpu;
	int64_t context;
	int64_t start_ns, end_ns; /* from the end of restoring to the begin of saving */
};

struct numbers; /* captures/numbers.h */

struct capture {
	struct arena arena;         /* holds all texts */
	const char *file, *made_by; /* the profiler and its version, as far as the file says */
	struct capture_gpu *gpus;
	struct capture_process *processes;
	struct capture_thread *threads;
	struct capture_stream *streams;
	struct capture_operation *operations; /* in order of call_ns (start_ns where it is unknown) */
	struct capture_wait *waits;
	struct capture_event *events;
	struct capture_range *ranges;
	struct capture_running *running;
	struct capture_context_slice *slices;
	uint32_t gpu_count, process_count, thread_count, stream_count, operation_count, wait_count,
		event_count, range_count, running_count, slice_count;
	int64_t resolution_ns; /* of its times: 1, or 1000 where they are whole microseconds */
	int64_t start_ns;      /* instant of the file that is 0 here */
	bool windows;          /* WDDM: the driver submits in batches, in an order of its own */
	bool has_slices;       /* it was recorded with context switches */
	/* What a user should know: overhead of the profiler, its warnings, rows left out. */
	const char **notes;
	uint32_t note_count;
	struct numbers *numbers; /* for the reader alone; NULL behind it */
};

/* Whether the bytes at the begin of a file are those of a capture, and of which kind. Of what is no file,
 * such as a pipe, nothing is read: it is none. */
enum capture_form { CAPTURE_FORM_NONE, CAPTURE_FORM_NSYS, CAPTURE_FORM_KINETO };
MUST_CHECK bool capture_form(const char *path, enum capture_form *form, struct error *err);

/* Reads a capture of either kind; a file that is none is STATUS_INPUT. False: *err, with diagnostics where
 * there is a place. Call capture_finish() either way. */
MUST_CHECK bool capture_read(
	struct capture *capture, const char *path, struct diagnostics *diagnostics, struct error *err);
void capture_finish(struct capture *capture);

/* What was issued so long before its predecessor's end waited for that alone. */
#define CAPTURE_LONG_BEFORE_NS INT64_C(5000)

/* When an operation ended, for who looks for what ended last before an instant. */
struct capture_ending {
	int64_t end_ns;
	uint32_t operation; /* an index, of whatever list */
};

/* By end, then by operation. */
void capture_sort_endings(struct capture_ending *endings, uint32_t count);

#endif
