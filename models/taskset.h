/* models/taskset.h - tasks and their segments, as a user describes them.
 *
 * Plain data, for the simulator, the generators, the analyses and the recording. A task releases jobs; a job
 * runs its segments in order on a CPU core, a copy engine or the GPU (docs/model.md). Times are int64
 * nanoseconds. */
#ifndef CEGSIM_MODELS_TASKSET_H
#define CEGSIM_MODELS_TASKSET_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "models/platform.h"

#define SEGMENT_WORDS(WORD)                                                                                  \
	WORD(SEGMENT_CPU, "cpu")                                                                             \
	WORD(SEGMENT_COPY, "copy")                                                                           \
	WORD(SEGMENT_KERNEL, "kernel") WORD(SEGMENT_WAIT, "wait") /* for operations in flight */
enum segment_kind { SEGMENT_WORDS(WORD_VALUE) };
WORDS(segment_kind, SEGMENT_WORDS)

#define COPY_WORDS(WORD) WORD(COPY_TO_GPU, "to_gpu") WORD(COPY_TO_CPU, "to_cpu") WORD(COPY_BOTH, "both")
enum copy_direction { COPY_WORDS(WORD_VALUE) };
WORDS(copy_direction, COPY_WORDS)

/* The three ways to give a kernel its time (models/kernel.h computes it). */
#define FORM_WORDS(WORD)                                                                                     \
	WORD(KERNEL_GRID, "grid")       /* grid, block, block_time */                                        \
	WORD(KERNEL_WORK, "work")       /* work, overhead, interleave: RTGPU Lemma 5.1 */                    \
	WORD(KERNEL_PROFILE, "profile") /* time[m] and total_power[m], m = 1 .. M: sBEET */                  \
	WORD(KERNEL_WARPS, "warps")     /* a program of warps; its time is simulated: taskset.warps */       \
	WORD(KERNEL_PROGRAM, "program") /* the same, of a task among others: taskset.programs */
enum kernel_form { FORM_WORDS(WORD_VALUE) };
WORDS(kernel_form, FORM_WORDS)

/* A measured kernel: its time and, if measured, the power of the whole GPU on m = 1 .. count SMs. */
struct profile {
	char *name;
	uint32_t count;
	int64_t *best_ns, *worst_ns; /* [count], index m - 1 */
	int64_t *total_power_uw;     /* [count], or NULL */
};

/* The times of a grid's blocks where these differ: block b takes what block[b % count] says (docs/model.md,
 * "Time of a kernel"). */
struct block_time {
	int64_t share_ppm;         /* of the kernel's draw: 1 .. 1000000, the largest 1000000; or */
	int64_t best_ns, worst_ns; /* own draws: 1 <= best <= worst */
};

struct block_times {
	bool own_draws;           /* each block has a draw of its own; false: shares of one draw */
	uint32_t count;           /* 1 .. grid */
	struct block_time *block; /* [count] */
};

#define STREAM_OWN (-1)  /* the task's own stream: its index */
#define STREAM_NULL (-2) /* the NULL stream */

/* How long a copy takes on one of several GPUs: 0 <= best <= worst. */
struct copy_time {
	int64_t best_ns, worst_ns;
};

struct warp_step;

struct segment {
	enum segment_kind kind;
	char *name; /* unique in its task; NULL: it has none */
	/* cpu, copy: length. Kernel: time of the longest block (grid) or work (work). 0 <= best <= worst. */
	int64_t best_ns, worst_ns;
	/* Measured times, in [best, worst], for the execution rules that draw one of them. NULL: none. Only
	 * of segments of the CPU, copies with a time, and grids with one time for all blocks or shares of it.
	 */
	int64_t *samples; /* [sample_count] */
	uint32_t sample_count;
	/* Copies and kernels. */
	int32_t stream;   /* >= 0, STREAM_OWN or STREAM_NULL. Of a wait: whose operations; STREAM_OWN: of all,
			   * or those in awaits */
	bool stream_high; /* stream_priority: high */
	uint32_t gpu;     /* the GPU whose engines or SMs it runs on */
	/* Copies. */
	enum copy_direction direction;
	int64_t bytes; /* -1: a time was given; else best = worst = latency + bytes / bandwidth */
	struct copy_time *copy_times; /* [copy_time_count]: where GPUs differ, that on GPU 0, 1, ... (best and
				       * worst are those on `gpu`); NULL: the same on all */
	uint32_t copy_time_count;
	/* Kernels. */
	enum kernel_form form;
	uint32_t grid, block;      /* blocks; threads per block, not rounded */
	struct block_times *times; /* of a grid; NULL: all blocks take the same time */
	int64_t registers;         /* per thread; 0: none */
	int64_t shared_memory;     /* bytes per block */
	int64_t carveout; /* shared memory that an SM is to have for it; 0: as much as its blocks can use */
	int64_t overhead_ns;           /* GL */
	struct interleave *interleave; /* [interleaves], ascending V_SM; alpha(1) = 1 always */
	uint32_t interleaves;
	struct warp_step *steps;      /* [step_count] form program (models/warps/warp_set.h) */
	uint32_t step_count, program; /* its number in taskset.programs */
	int32_t profile;              /* index into taskset.profiles */
	int32_t *profiles; /* [profile_count]: where GPUs differ, that of GPU 0, 1, ...; NULL: the same */
	uint32_t profile_count; /* on all */
	int64_t power_uw;       /* dynamic, per active SM */
	uint32_t *sms;          /* [sm_count], ascending: its mask, the only SMs that its blocks are placed on
				   (models/table.c) */
	uint32_t sm_count;      /* 0: all */
	/* Operations in flight (docs/model.md): names of earlier copies and kernels of the task, for which
	 * this one (`after`), or a wait, waits. NULL: none; a wait: see stream. */
	char **awaits; /* [await_count] */
	uint32_t await_count;
	char *graph;     /* asynchronous: the CUDA graph of which it is a node; NULL: none */
	bool async;      /* copies and kernels: the job issues it and goes on */
	bool idempotent; /* copies, kernels: may be cut off, and start again from the beginning */
};

/* Of a task. What a job goes through is counted in 16 bits, and has one step more where it waits at its end
 * for what is in flight. */
#define TASK_SEGMENTS_MAX (UINT16_MAX - 1)

/* Whether it is work for a GPU: a copy or a kernel. */
static inline bool segment_is_operation(const struct segment *s)
{
	return s->kind == SEGMENT_COPY || s->kind == SEGMENT_KERNEL;
}

/* Tasks that hand data on, from the first to the last (docs/model.md, "Chains and triggers"). */
#define COMMUNICATION_WORDS(WORD)                                                                            \
	WORD(CHAIN_IMPLICIT, "implicit") /* read at the first start, write at the finish */                  \
	WORD(CHAIN_LET, "let")           /* read at the release, write at the absolute deadline */
enum chain_communication { COMMUNICATION_WORDS(WORD_VALUE) };
WORDS(chain_communication, COMMUNICATION_WORDS)

/* The instant with which the first task stamps what it has read. */
#define SAMPLE_WORDS(WORD) WORD(CHAIN_START, "start") WORD(CHAIN_RELEASE, "release")
enum chain_sample { SAMPLE_WORDS(WORD_VALUE) };
WORDS(chain_sample, SAMPLE_WORDS)

#define CHAIN_TASKS_MAX 64 /* bits of a word (runs/chains.c) */

struct effect_chain {
	char *name;
	uint32_t *tasks; /* [task_count] indices, none twice; 1 .. CHAIN_TASKS_MAX */
	uint32_t task_count;
	enum chain_communication communication;
	enum chain_sample sample;
	int64_t reaction_ns, age_ns; /* limits, at least 1; 0: none */
};

struct warp_set;
struct program_set;

#define CORE_NOT_SAID (-1)
#define MISSES_IN_MAX 100000 /* consecutive jobs of a limit of misses */

struct task {
	char *name;
	int64_t period_ns, deadline_ns, offset_ns;
	int64_t priority; /* smaller is higher; only if taskset.priorities */
	int32_t core;     /* or CORE_NOT_SAID; only if taskset.cores */
	struct segment *segments;
	uint32_t segment_count;       /* >= 1 */
	char *process;                /* tasks with the same one share a GPU context; NULL: its own */
	int64_t gpu_priority;         /* smaller is higher; only if taskset.gpu_priorities */
	bool best_effort;             /* for policies with contexts: no guarantee is asked for its kernels */
	uint32_t misses_at_most;      /* of any misses_in consecutive jobs; */
	uint32_t misses_in;           /* 0: no such limit */
	struct release_rule *release; /* NULL: the run's rule (models/setup.h) */
};

struct taskset {
	struct arena arena; /* owns everything below */
	char *name;
	struct task *tasks;
	uint32_t task_count;
	bool priorities;     /* every task has a priority */
	bool cores;          /* tasks have cores: for platforms with several, partitioned */
	bool gpu_priorities; /* every task has a gpu_priority */
	struct profile *profiles;
	uint32_t profile_count;
	struct effect_chain *chains;
	uint32_t chain_count;
	struct warp_set *warps; /* kernels that are programs of warps (models/warps/warp_set.h); NULL: the set
				   has blocks. Tasks of such a set may have no period and deadline (0) */
	struct program_set
		*programs; /* of kernels of form program (models/programs.h); NULL: there are none */
};

void taskset_init(struct taskset *set);
void taskset_finish(struct taskset *set); /* accepts a zeroed set */

/* Ranks: rank[task] = 0 for the highest priority. Explicit priorities if the set has them, else `rate` ? rate
 * monotonic : deadline monotonic; ties by task index. */
CEGSIM_API void taskset_ranks(const struct taskset *set, bool rate, uint32_t *rank);

/* The core on which the task's CPU segments run, its jobs launch and spin, and which its releases interrupt.
 * 0 under global scheduling, where any may serve it (but for interrupts), and for tasks that need not have
 * one. */
CEGSIM_API uint32_t taskset_core(const struct taskset *set, const struct platform *platform, uint32_t task);

/* Whether it has a CPU segment, so that it must say its core. */
bool task_computes(const struct task *task);

/* The same for the GPU: by gpu_priority, ties by task index, if the set has them; else as `rank` (of all
 * tasks) says. */
CEGSIM_API void taskset_gpu_ranks(const struct taskset *set, const uint32_t *rank, uint32_t *gpu_rank);

/* The processes, numbered from 0 in the order of their first tasks: process[task] = the task's. Returns how
 * many there are. */
CEGSIM_API uint32_t taskset_processes(const struct taskset *set, uint32_t *process);

/* A task on a circle of tasks that release each other; UINT32_MAX: there is none. False: out of memory. */
MUST_CHECK bool taskset_trigger_circle(const struct taskset *set, uint32_t *task);

/* Whether a segment (a wait, or an operation with `after`) waits for that earlier one. Only for those that
 * are asynchronous does it ever wait: others are over. */
bool task_awaits(const struct taskset *set, uint32_t task, uint32_t segment, uint32_t earlier);

/* The GPU of the task's first copy or kernel; 0: it has none. *several (NULL: not asked): others are on other
 * GPUs. */
CEGSIM_API uint32_t task_gpu(const struct task *task, bool *several);

/* Kernels of the set that may be on GPUs at a time: one of each task, and its asynchronous ones. The same of
 * those that name one GPU. */
CEGSIM_API uint32_t taskset_kernels_at_once(const struct taskset *set);
CEGSIM_API uint32_t taskset_kernels_on(const struct taskset *set, uint32_t gpu);

/* The set's first kernel with a mask: true, with its task and segment. */
CEGSIM_API bool taskset_first_mask(const struct taskset *set, uint32_t *task, uint32_t *segment);

/* Whether a segment is launched with the one in front of it, as a node of the same graph. */
bool task_joins(const struct task *task, uint32_t segment);

/* The task's first segment that is asynchronous or a wait, or has an `after`; segment_count: none. */
uint32_t task_first_flight(const struct task *task);

/* How long a copy takes on the platform's GPU; false: it is given in bytes, and there is no bandwidth, or 64
 * bits are too few. */
CEGSIM_API MUST_CHECK bool taskset_copy_time(
	const struct platform *platform, const struct segment *copy, struct copy_time *time);

/* Least common multiple of the periods; false if it does not fit int64. */
CEGSIM_API MUST_CHECK bool taskset_hyperperiod(const struct taskset *set, int64_t *hyperperiod_ns);

/* Utilisations, to be shown: sums of worst-case time over period of CPU segments, of copies, of kernels (each
 * alone on all SMs), and of GPU thread-time, U_sum = sum grid*block*block_time/T (Yang & Anderson sec. IV;
 * grid kernels only). */
struct utilisation {
	double cpu, copy, gpu, threads;
};
CEGSIM_API struct utilisation taskset_utilisation(const struct taskset *set, const struct platform *platform);

/* Checks everything that a set must satisfy on a platform: 0 <= best <= worst, deadlines, kernels that fit an
 * empty SM, profiles long enough, a bandwidth where bytes are copied. Reports each defect through `report`
 * with the task's and segment's index (segment UINT32_MAX: the task itself); returns their number. Fills in
 * the lengths of copies given in bytes. */
typedef void taskset_report_fn(void *self, uint32_t task, uint32_t segment, const char *text);
size_t taskset_check(
	struct taskset *set, const struct platform *platform, taskset_report_fn *report, void *self);
/* The same for analyses alone, which stand longer times and larger grids than readers let through
 * (models/judge.h). */
size_t taskset_check_beyond(
	struct taskset *set, const struct platform *platform, taskset_report_fn *report, void *self);

#endif
