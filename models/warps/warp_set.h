/* models/warps/warp_set.h - what runs inside of SMs: kernels as programs of warps, and how an SM is made.
 *
 * Plain data, as a user describes it (docs/warps.md). It belongs to a struct taskset, whose task i is kernel
 * i. Cycles are int64, IPC is thread instructions per cycle in millionths. */
#ifndef CEGSIM_MODELS_WARPS_WARP_SET_H
#define CEGSIM_MODELS_WARPS_WARP_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "models/platform.h"
#include "models/setup.h"
#include "models/taskset.h"

#define WARP_CYCLES_MAX INT64_C(100000000000000) /* of a launch, between two, of a horizon */
#define WARP_DISTANCE_MAX 16u
#define WARP_REUSE_MAX 16u         /* loads */
#define WARP_LINE_BYTES 128        /* of L1 */
#define WARP_REQUESTS_MAX 4096     /* lines */
#define WARP_LOOPS_MAX 4u          /* nested */
#define WARP_STEPS_MAX 1000u       /* of a program */
#define WARP_COUNT_MAX 1000000000u /* of a run of instructions, or of rounds of a loop */
#define WARP_KERNELS_MAX 8u
#define WARP_PARTS_MAX                                                                                       \
	32u /* of a kernel: with WARP_KERNELS_MAX and 64 warps they fit a 16-bit key of draws */
#define WARP_SUB_CORES_MAX 8u
#define WARPS_PER_SM_MAX 64u
#define WARP_LATENCY_MAX 1000000
#define WARP_EPOCH_MAX INT64_C(1000000000)
#define WARP_GOAL_MAX (INT64_C(1) << 40) /* adjusted goals, millionths */

#define COMPUTE_UNIT_WORDS(WORD)                                                                             \
	WORD(WARP_INT, "int")                                                                                \
	WORD(WARP_FP, "fp") WORD(WARP_FP64, "fp64") WORD(WARP_SFU, "sfu") WORD(WARP_TENSOR, "tensor")
#define UNIT_WORDS(WORD) COMPUTE_UNIT_WORDS(WORD) WORD(WARP_MEMORY, "memory")
enum warp_unit { UNIT_WORDS(WORD_VALUE) WARP_UNITS };
WORDS(warp_unit, UNIT_WORDS)

#define STEP_WORDS(WORD)                                                                                     \
	WORD(STEP_COMPUTE, "compute")                                                                        \
	WORD(STEP_LOAD, "load")                                                                              \
	WORD(STEP_STORE, "store")                                                                            \
	WORD(STEP_SHARED_LOAD, "shared_load")                                                                \
	WORD(STEP_SHARED_STORE, "shared_store") WORD(STEP_BARRIER, "barrier") WORD(STEP_LOOP, "loop")
enum warp_step_kind { STEP_WORDS(WORD_VALUE) WARP_STEP_KINDS };
WORDS(warp_step_kind, STEP_WORDS)

/* Who takes rounds of an outermost loop from the counter of the launch. */
#define ROUNDS_WORDS(WORD) WORD(ROUNDS_OWN, "") WORD(ROUNDS_WARPS, "warps") WORD(ROUNDS_BLOCKS, "blocks")
enum warp_rounds { ROUNDS_WORDS(WORD_VALUE) };
WORDS(warp_rounds, ROUNDS_WORDS)

/* A step of a program. The steps of a loop's body follow it. */
struct warp_step {
	enum warp_step_kind kind;
	enum warp_unit unit;      /* compute */
	uint32_t count;           /* instructions, or rounds of the loop; >= 1 */
	uint32_t body;            /* loop: number of steps in its body, nested ones included; >= 1 */
	enum warp_rounds rounds;  /* loop: whose they are */
	uint32_t threads;         /* active, 1 .. 32 */
	uint32_t distance, first; /* of each instruction, of the first of the step; 0: none */
	int64_t latency;          /* compute; 0: the unit's */
	int64_t l1_hit_ppm, l2_hit_ppm, coalescing_ppm;
	uint32_t bytes; /* per thread; global accesses */
	uint32_t reuse; /* load: hits L1 if what the load this many before it loaded is there; 0: see
			   l1_hit_ppm */
};

#define GOAL_WORDS(WORD)                                                                                     \
	WORD(GOAL_NONE, "") WORD(GOAL_IPC, "ipc") WORD(GOAL_SHARE, "share") WORD(GOAL_TIME, "time")
enum warp_goal_kind { GOAL_WORDS(WORD_VALUE) };
WORDS(warp_goal_kind, GOAL_WORDS)

struct warp_goal {
	enum warp_goal_kind kind;
	int64_t ipc;       /* millionths */
	int64_t share_ppm; /* of the IPC alone */
	int64_t kernel_ns; /* time goal for one launch */
};

struct warp_kernel {
	uint32_t blocks, block_threads;
	int64_t registers;     /* per thread */
	int64_t shared_memory; /* bytes per block */
	struct warp_step *steps;
	uint32_t step_count;
	int32_t stream; /* >= 0, or STREAM_OWN */
	bool stream_high;
	int64_t launch; /* cycle */
	int64_t period; /* cycles; 0: launched once, or again and again with `repeat` */
	bool repeat;
	struct warp_goal goal;
	/* An application: what each job runs behind this kernel, one after the other. Of these kernels only
	 * blocks, footprint and program count. Part 0 of a job is the kernel itself. */
	struct warp_kernel *then;
	uint32_t then_count; /* < WARP_PARTS_MAX */
};

struct warp_machine {
	int64_t clock_hz;
	uint32_t sub_cores;
	int64_t latency[WARP_UNITS]; /* of compute units; that of WARP_MEMORY is not used */
	int64_t interval[WARP_UNITS];
	int64_t shared_latency, l1_latency, l2_latency, dram_latency;
	int64_t bandwidth; /* DRAM bytes per 1000 cycles, of the whole GPU */
	int64_t l1_bytes;  /* of an SM, for loads with `reuse`; 0: not known */
	int64_t l2_bytes;  /* of the GPU, likewise; 0: draws alone say what hits L2 */
	int64_t requests;  /* an SM takes loads while fewer lines than this are on their way to L1; 0: always
			    */
	/* Femtojoules of a thread instruction by unit; of an access by space; of a byte. */
	int64_t unit_fj[WARP_UNITS]; /* that of WARP_MEMORY is not used */
	int64_t shared_fj, global_fj, dram_byte_fj;
};

/* Kernel i is task i of the task set that owns this; the task has its name, deadline and release in ns. */
struct warp_set {
	struct warp_machine machine;
	struct warp_kernel *kernels;
	uint32_t kernel_count;
};

/* Everything with its default, as docs/warps.md and cegsim-scenario(5) say it. */
struct warp_machine warp_machine_default(void);

/* The defaults of a kind of step; its counts are 1. */
struct warp_step warp_step_default(enum warp_step_kind kind);

/* Reports everything that is wrong with a set on a platform (kernel UINT32_MAX: with the machine). Returns
 * the number of reports. */
typedef void warp_report_fn(void *self, uint32_t kernel, const char *text);
size_t warp_set_check(
	const struct warp_set *set, const struct platform *platform, warp_report_fn *report, void *self);

/* Whether a run's horizon and limit, in ns, are cycles enough and not too many. False: *err, which begins
 * with the name of the one that is wrong. */
MUST_CHECK bool warp_span_check(
	const struct warp_machine *m, const struct run_setup *setup, struct error *err);

/* floor(cycle * 10^9 / clock) ns, and floor(ns * clock / 10^9) cycles. */
int64_t warp_ns(const struct warp_machine *m, int64_t cycle);
int64_t warp_cycles(const struct warp_machine *m, int64_t ns);

/* Number of the kernels that a job runs, one after the other, and one of them. */
static inline uint32_t warp_parts(const struct warp_kernel *k)
{
	return 1 + k->then_count;
}
static inline const struct warp_kernel *warp_part(const struct warp_kernel *k, uint32_t part)
{
	return part == 0 ? k : &k->then[part - 1];
}

/* Number of warps of a block; number of active threads in one of them at a step. */
uint32_t warp_block_warps(const struct warp_kernel *k);
uint32_t warp_active_threads(const struct warp_kernel *k, const struct warp_step *step, uint32_t warp);

/* Warp and thread instructions of one launch, of all its parts. False: beyond 2^62. */
MUST_CHECK bool warp_kernel_size(
	const struct warp_kernel *k, int64_t *warp_instructions, int64_t *thread_instructions);

/* Fills in the tasks of `set` (their names are set already) from the kernels: offset, period, deadline (0:
 * none), and a kernel segment of form KERNEL_WARPS for each part. False: out of memory. */
MUST_CHECK bool warp_set_tasks(struct taskset *set);

#endif
