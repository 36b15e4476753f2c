/* runs/replay/captured.h - compares a profile of an application (captures/capture.h) with the model: when
 * kernels, copies and memsets started, when the model lets them start, and why those that started late did.
 *
 * Every operation becomes a task of one job. It is released when its call began plus the least time that any
 * operation of its kind took from there to its start, on its stream, in the order of the calls; it takes as
 * long as it was recorded. The policy is fifo-cke. Work of different GPUs is simulated apart, and so is that
 * of different processes.
 *
 * An operation that started much later than that is *late*, and has a reason: what ended, in the record, just
 * before it started, and had it wait by the rules of CUDA (captured_why.c). */
#ifndef CEGSIM_RUNS_REPLAY_CAPTURED_H
#define CEGSIM_RUNS_REPLAY_CAPTURED_H

#include "base/words.h"
#include "captures/capture.h"
#include "models/platform.h"

#define CAPTURED_NONE UINT32_MAX
/* Starts that are this near to an instant are explained by it; those later than this are late. */
#define CAPTURED_TOLERANCE_NS INT64_C(20000)

#define CAPTURED_KIND_WORDS(WORD)                                                                            \
	WORD(CAPTURED_KERNEL, "kernel")                                                                      \
	WORD(CAPTURED_TO_GPU, "to_gpu")                                                                      \
	WORD(CAPTURED_TO_CPU, "to_cpu")                                                                      \
	WORD(CAPTURED_ON_GPU, "on_gpu") /* copies that need no link between CPU and GPU, and all others */   \
	WORD(CAPTURED_MEMSET, "memset")
enum captured_kind { CAPTURED_KIND_WORDS(WORD_VALUE) };
#define CAPTURED_KINDS (CAPTURED_MEMSET + 1)
WORDS(captured_kind, CAPTURED_KIND_WORDS)

/* In the order in which they are tried; the first that fits is the reason. */
#define CAPTURED_REASON_WORDS(WORD)                                                                          \
	WORD(CAPTURED_IN_TIME, "in_time")                                                                    \
	WORD(CAPTURED_STREAM, "stream")   /* its predecessor in the stream */                                \
	WORD(CAPTURED_NO_ROOM, "no_room") /* blocks on the SMs (R1, R2) */                                   \
	WORD(CAPTURED_ENGINE, "engine")   /* a copy that the engine had to do before */                      \
	WORD(CAPTURED_NULL_STREAM,                                                                           \
		"null_stream")                  /* work of the NULL stream, or of those that it waits for */ \
	WORD(CAPTURED_EARLIER, "earlier_issue") /* work that was issued earlier, which no rule asks for */   \
	WORD(CAPTURED_SYNC, "sync")             /* an event of another stream, or a call that waits */       \
	WORD(CAPTURED_LAUNCH, "launch")         /* the call that issued it */                                \
	WORD(CAPTURED_SUBMISSION, "submission") /* the driver, which hands over batches (Windows) */         \
	WORD(CAPTURED_UNEXPLAINED, "unexplained")
enum captured_reason { CAPTURED_REASON_WORDS(WORD_VALUE) };
#define CAPTURED_REASONS (CAPTURED_UNEXPLAINED + 1)
WORDS(captured_reason, CAPTURED_REASON_WORDS)

/* What the model cannot say of an operation; bits. */
enum captured_mark {
	CAPTURED_NO_CALL = 1,   /* who issued it is not in the file: released when it started; not compared */
	CAPTURED_HELD = 2,      /* behind an event of another stream: released when that had happened */
	CAPTURED_UNORDERED = 4, /* the same, but it is not known what it waited for */
	CAPTURED_COLLECTIVE = 8, /* waits for other GPUs while it runs */
	CAPTURED_SLICED = 16,    /* another process had the GPU for a part of it, or before it */
};

struct captured_operation {
	const struct capture_operation *op;
	enum captured_kind kind;
	uint32_t unit;        /* that it is simulated with */
	uint32_t predecessor; /* in its stream; CAPTURED_NONE */
	uint32_t awaited;     /* behind whose event it stands; CAPTURED_NONE */
	unsigned marks;
	int64_t issue_ns;   /* its call, or its start where that is not known; not before its predecessor's */
	int64_t due_ns;     /* its call + the least latency of its kind */
	int64_t release_ns; /* the same, but in the order of issue where the order counts */
	int64_t eligible_ns;  /* when nothing stood before it any more, by the record */
	int64_t predicted_ns; /* its start in the simulation */
	/* Why it started late; the operation that made it wait, where it is one. */
	enum captured_reason reason;
	uint32_t blamed;
	/* A kernel that found no room on the SMs: when R1 and R2 give it room, and the end of which kernel
	 * that is. CAPTURE_UNKNOWN, CAPTURED_NONE: it found room. */
	int64_t room_ns;
	uint32_t room_by;
};

/* What is simulated together: the work of a process on a GPU. */
struct captured_unit {
	uint32_t process, gpu;
	struct platform platform;
	uint32_t *operations; /* [count] indices in order of issue */
	uint32_t count;
	bool null_orders; /* its NULL stream and others wait for each other */
	bool one_stream;  /* and the grids of its kernels do not matter */
};

struct captured_measures {
	uint64_t count; /* compared */
	double median_us, p90_us, max_us;
	uint64_t late;
	uint64_t reasons[CAPTURED_REASONS];
};

/* What can be seen in the record: medians, and the mean of gaps; CAPTURE_UNKNOWN, or 0 for rates: nothing to
 * see it by. */
struct captured_fit {
	int64_t launch_ns;  /* calls of kernels */
	int64_t latency_ns; /* from the end of such a call to the start, where nothing was in the way */
	int64_t gap_ns;     /* from the end of a predecessor to the start of what was issued long before */
	int64_t sync_ns;    /* from the end of what was waited for to the return of the call */
	uint64_t launches, latencies, gaps, syncs; /* how many were seen */
	int64_t to_gpu, to_cpu;                    /* bytes per second, of large copies */
	uint64_t to_gpu_copies, to_cpu_copies;
};

struct captured_request {
	const struct capture *capture;
	const struct platform *platform; /* NULL: as the file describes the GPU */
	bool together;                   /* processes shared the GPU (MPS) */
	bool carveout;       /* SMs divide their memory; of a platform that is given: as it says */
	bool unknown_blocks; /* streams of unknown flags are ordered with the NULL stream */
	bool fit_gap;        /* the platform's gap is the one that is fitted, else this: */
	int64_t gap_ns;      /* -1: the platform's own */
	bool recorded;       /* for a recording: kernels have their grids even where they do not matter */
	uint64_t part_bytes; /* memory of a simulation; 0: the usual. No result depends on it */
};

struct captured {
	const struct capture *capture;
	struct captured_operation *operations; /* [count], as in the capture */
	uint32_t count;
	struct captured_unit *units;
	uint32_t unit_count;
	uint64_t parts;                     /* simulations that it took (captured_play.c) */
	int64_t latency_ns[CAPTURED_KINDS]; /* least time from call to start; CAPTURE_UNKNOWN: no such work */
	struct captured_fit fit;
	struct captured_measures by_kind[CAPTURED_KINDS], all;
	/* Waits for SMs: how many, and how many ended within 1 us of where R1 and R2 say; the largest
	 * difference. */
	uint64_t room_waits, room_agreed;
	int64_t room_most_ns;
	uint64_t no_call, held, unordered, collectives, sliced; /* operations with these marks */
	uint64_t unknown_waits; /* waits of streams for events that do not say which stream waits */
	bool mixed_streams;     /* ordered and unordered ones beside a NULL stream: all are ordered */
};

/* predicted - recorded start */
static inline int64_t captured_error_ns(const struct captured_operation *o)
{
	return o->predicted_ns - o->op->start_ns;
}

/* All data of *captured live in the arena; they refer to the capture. False: *err. */
MUST_CHECK bool captured_run(struct captured *captured, struct arena *arena,
	const struct captured_request *request, struct error *err);

/* A GPU as its file describes it; `carveout`: with the divisions of its SMs' memory. False: it does not say
 * what is needed, or SMs of its compute capability have none. */
MUST_CHECK bool captured_platform(struct platform *platform, const struct capture *capture, uint32_t gpu,
	bool carveout, struct error *err);

#endif
