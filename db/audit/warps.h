/* db/audit/warps.h - the description of kernels that are programs of warps in a recording: the inside of SMs,
 * the programs, the scheduler and its manager (docs/warps.md). Times are in cycles, IPC in millionths.
 *
 * What follows from these numbers is derived here once: what a block needs of an SM, and how long a program
 * is. */
#ifndef CEGSIM_DB_AUDIT_WARPS_H
#define CEGSIM_DB_AUDIT_WARPS_H

#include "db/audit/recording.h"

#define WARP_KERNELS 8u
#define WARP_PARTS 32u /* of a kernel */
#define WARP_SUB_CORES 8u
#define WARP_LOOPS 4u
#define WARP_RESULTS 16u /* how many instructions back an operand may be */
#define WARPS_PER_SM 64
#define WARP_REQUESTS 4096 /* lines; the most that scenarios accept */
#define WARP_MILLION 1000000
#define WARP_GOAL_BOUND (INT64_C(1) << 40)

enum audit_warp_unit { UNIT_INT, UNIT_FP, UNIT_FP64, UNIT_SFU, UNIT_TENSOR, UNIT_MEMORY, WARP_UNITS };
enum step_kind {
	STEP_COMPUTE,
	STEP_LOAD,
	STEP_STORE,
	STEP_SHARED_LOAD,
	STEP_SHARED_STORE,
	STEP_BARRIER,
	STEP_LOOP
};
/* Where an access was served, as the recording numbers it. */
enum served { SERVED_NOT, SERVED_SHARED, SERVED_L1, SERVED_L2, SERVED_DRAM };

struct audit_step {
	enum step_kind kind;
	enum audit_warp_unit unit; /* the one it needs; barriers: none */
	int64_t count, body, threads, distance, first, latency;
	int64_t l1_ppm, l2_ppm, coalescing_ppm, bytes;
	int64_t reuse;                                                   /* 0: none */
	int64_t fj;                                                      /* per active thread */
	enum { OF_EACH_WARP, SHARED_BY_WARPS, SHARED_BY_BLOCKS } rounds; /* of a loop */
};

enum goal_kind { GOAL_OF_IPC, GOAL_OF_SHARE, GOAL_OF_TIME, NO_GOAL };

/* What a block takes of an SM. */
struct audit_need {
	int64_t threads, blocks, warps, registers, shared_memory;
};

/* The figures of a kernel in table run_warp_kernel. */
struct warp_figures {
	bool present;
	int64_t warp_instructions, thread_instructions, cycles, ipc, goal, alone, reached, accesses, l1_hits,
		l2_hits, dram_bytes, swaps, energy_fj;
};

/* One of the kernels that a job runs, one after the other: a segment of it. */
struct audit_part {
	int64_t blocks, block_threads;
	struct audit_step *step;    /* [steps] */
	uint32_t steps, first_step; /* first_step: number of the steps of the parts before it */
	/* Derived. */
	uint32_t warps; /* of a block */
	struct audit_need need;
	int64_t context_bytes;
	int64_t pool; /* rounds that it has to give beside the first of each warp or block */
};

struct audit_kernel {
	bool present;
	int64_t stream, launch, period; /* period 0: none */
	bool high, repeat;
	enum goal_kind goal_kind;
	int64_t goal_ipc, goal_share, goal_ns;
	struct audit_part part[WARP_PARTS];
	uint32_t parts;
	struct audit_step *step; /* [steps], of all parts */
	uint32_t steps;
	struct warp_figures figures;
	/* Derived. */
	int128 warp_instructions, thread_instructions; /* of a launch */
	int64_t goal;                                  /* IPC; 0: none, or not known */
};

enum scheduler { BY_LRR, BY_GTO, BY_OLDEST, BY_TWO_LEVEL, BY_QAWS, BY_UNKNOWN };
enum manager {
	WITH_SMK,
	WITH_NAIVE,
	WITH_HISTORY,
	WITH_ELASTIC,
	WITH_ROLLOVER,
	WITH_ROLLOVER_TIME,
	WITH_SPART,
	WITH_UNKNOWN
};

struct warp_description {
	int64_t clock_hz, bandwidth; /* bandwidth: bytes per 1000 cycles */
	uint32_t sub_cores, kernels, sms;
	int64_t latency[WARP_UNITS], interval[WARP_UNITS];
	int64_t shared, l1, l2, dram;
	int64_t l1_lines, l2_lines; /* l2_lines 0: not given */
	int64_t requests;           /* lines; 0: no limit */
	int64_t unit_fj[WARP_UNITS], shared_fj, global_fj, dram_byte_fj;
	struct audit_need room; /* of an SM */
	struct audit_kernel kernel[WARP_KERNELS];
	/* The policy. */
	enum scheduler scheduler;
	enum manager manager;
	bool rotate_cycle, inner_gto, fill, history, adjust, free_swaps;
	int64_t active, epoch, samples, budget[WARP_KERNELS];
	int64_t epoch_cost, adjust_margin_ppm;
	/* The run. */
	int64_t cycles, horizon, limit; /* cycles: as recorded; NOT_GIVEN: not recorded */
};

/* The instant at which a cycle begins; the first cycle that begins at an instant or later; the cycles in a
 * duration. */
int64_t warps_ns(const struct warp_description *d, int64_t cycle);
int64_t warps_cycle(const struct warp_description *d, int64_t ns);
int64_t warps_duration(const struct warp_description *d, int64_t ns);
/* Does every instant belong to at most one cycle? */
static inline bool warps_exact(const struct warp_description *d)
{
	return d->clock_hz <= 1000000000;
}
static inline bool has_quotas(const struct warp_description *d)
{
	return d->manager >= WITH_NAIVE && d->manager <= WITH_ROLLOVER_TIME;
}

/* The rounds of a shared loop: those that the launch has left, those that the warp's block has been given. */
struct shared_rounds {
	int64_t *left, *given;
};

/* A place in a program: at instruction `number`, in step `step`, unless the program is over. */
struct place_in_program {
	bool over;
	uint32_t step, depth;
	int64_t done, number; /* done: instructions of the current step that have been passed */
	struct {
		uint32_t step;
		int64_t round;
	} loop[WARP_LOOPS];
};
void walk_program_begin(const struct audit_part *k, struct place_in_program *at);
/* May take a round from the pool. */
void walk_program_next(
	const struct audit_part *k, struct place_in_program *at, const struct shared_rounds *shared);
/* Active threads of a warp of a block at a step. */
int64_t walk_program_threads(const struct audit_part *k, const struct audit_step *step, uint32_t warp);

/* Bytes that a global access of `threads` active threads moves to or from DRAM. */
int64_t walk_sectors_bytes(const struct audit_step *step, int64_t threads);

#endif
