/* models/warps/engine.h - the state of a simulation of warps, private to this room (docs/warps.md).
 *
 * Warps are stored in the pool of their kernel's blocks. In a sub-core a warp is one bit of 64-bit sets: bit
 * p is the warp at position p. Positions are in the order of arrival, so the lowest bit is the oldest warp. A
 * free position is not used again until all positions have been used; then the sub-core moves its warps
 * together (sub_core.c). docs/engine.md says which file writes which field. */
#ifndef CEGSIM_MODELS_WARPS_ENGINE_H
#define CEGSIM_MODELS_WARPS_ENGINE_H

#include "base/arena.h"
#include "base/int128.h"
#include "models/programs.h"
#include "models/setup.h"
#include "models/warps/calendar.h"
#include "models/warps/options.h"
#include "models/warps/quotas.h"
#include "models/warps/records.h"
#include "models/warps/simulation.h"

#define NEVER INT64_MAX
#define NEAR_CYCLES 64u /* the bits of a word */
#define ALL_KERNELS UINT32_MAX
#define NO_KERNEL (UINT32_MAX - 1)
#define WARP_RING 16u /* results that can be waited for: WARP_DISTANCE_MAX, a power of two */
_Static_assert(WARP_RING == WARP_DISTANCE_MAX, "a ring slot per distance");

/* A step, decoded for issuing. The program's loops are steps, too. */
struct decoded {
	uint8_t kind; /* enum warp_step_kind */
	uint8_t unit; /* enum warp_unit; WARP_UNITS: none (barriers) */
	uint8_t threads;
	uint8_t distance, first;
	uint8_t depth; /* number of loops around it */
	bool drawn;    /* a global access whose level is drawn */
	uint8_t level; /* enum warp_level, where it is certain */
	uint16_t end;  /* the step behind it, or behind a loop's body */
	uint16_t back; /* of the last step in a loop's body: the index of the loop, else NO_STEP */
	uint32_t count;
	int64_t latency;   /* compute, shared */
	int64_t energy_fj; /* of a thread */
	uint32_t l1_ppm, l2_ppm;
	uint32_t bytes, coalescing_ppm;
	uint32_t reuse;
};
#define NO_STEP UINT16_MAX

struct warp {
	struct engine_block *block;
	int64_t last_result;  /* the latest cycle of all results that is known */
	uint32_t number;      /* of the next instruction */
	uint32_t left;        /* instructions left of the current step, this one included */
	uint32_t accesses;    /* number of global accesses so far */
	uint16_t step;        /* of the next instruction */
	uint16_t from_memory; /* bit n mod WARP_RING: that result is a global load's */
	uint8_t index;        /* in its block */
	uint8_t threads;
	uint8_t sub_core, position;
	uint16_t unknown; /* number of results whose cycle is not known yet */
	bool begun;       /* an instruction of the current step has been issued */
	bool at_barrier;
	uint32_t round[WARP_LOOPS_MAX]; /* rounds left of each loop around, the current round included */
	uint32_t rounds;                /* of the loop of the pool: begun so far, the first included */
	int64_t result[WARP_RING]; /* cycle in which the result of instruction n is there, at n mod WARP_RING;
				      0: it has no result; NEVER: not known yet */
};

/* What L1 and L2 had been filled with when a warp issued its last loads, at the number of the load mod
 * WARP_REUSE_MAX. */
struct loads {
	uint32_t count; /* since its block was placed */
	uint64_t filled[WARP_REUSE_MAX], l2_filled[WARP_REUSE_MAX];
};

enum block_state { BLOCK_FREE, BLOCK_LOADING, BLOCK_RUNNING, BLOCK_SAVING, BLOCK_SWAPPED };

struct engine_block {
	struct engine_block *next; /* next in its list */
	struct warp *warps;
	struct loads *loads; /* of each warp; NULL: its kernel has no load with `reuse` */
	uint32_t kernel, job, number, sm;
	uint32_t issuing; /* number of warps that have instructions left */
	uint32_t at_barrier;
	uint32_t rounds;     /* of the loop of the pool: granted to the block so far */
	int64_t placed, end; /* cycles; end: the latest end of the warps that have issued everything */
	uint64_t event;      /* its index in the heap of instants; 0: none */
	enum block_state state;
};

struct sub_core {
	/* Sets of positions. A warp with an instruction left is in exactly one of operand, waiting, barrier
	 * and absent; one without is in waiting and ending. */
	uint64_t present;
	uint64_t operand;   /* ready, as far as only the warp itself is concerned */
	uint64_t waiting;   /* until the cycle in wake[] */
	uint64_t on_memory; /* a subset of waiting: those that wait for a global load */
	uint64_t ending;
	uint64_t barrier;
	uint64_t opened; /* at a barrier that opened in cycle opened_in; they leave it in the next cycle */
	int64_t opened_in;
	uint64_t absent; /* its context has been saved, or is being loaded */
	uint64_t of_kernel[WARP_KERNELS_MAX];
	uint64_t wants[WARP_UNITS + 1]; /* unit of the next instruction */
	/* When the waiting ones wake: those of the cycles [near_from, near_from + NEAR_CYCLES) are in near[],
	 * by cycle mod NEAR_CYCLES; `far` has the others. Warps that wait no longer may still be in both. */
	uint64_t near_filled; /* bit n: near[n] means something */
	uint64_t far;
	int64_t near_from;  /* no cycle before it is in near[] */
	int64_t next_far;   /* no wake[] of far is less */
	int64_t next_wake;  /* no waiting warp wakes before it */
	int64_t idle_since; /* cycles before this one have been accounted for */
	int64_t last_cycle; /* in which it has issued */
	int64_t unit_free[WARP_UNITS];
	uint32_t busy;     /* set of units that are busy, or whose unit_free has not been checked since */
	uint32_t index;    /* among all sub-cores */
	uint8_t idle_slot; /* enum warp_slot of the cycles since idle_since */
	uint8_t next_position;
	int8_t last;        /* the warp issued last, -1: it is gone, or none was issued */
	int8_t around;      /* round-robin goes on behind this position; -1: begins at position 0 */
	int8_t last_kernel; /* -1: none yet */
	/* qaws */
	int8_t group; /* preferred; -1: none yet */
	bool group_waits;
	int64_t switches;
	/* two-level */
	uint64_t active;
	uint8_t queued;
	int64_t slots[WARP_SLOTS];
	struct warp *warp[WARPS_PER_SM_MAX];
	uint64_t key[WARPS_PER_SM_MAX]; /* of each warp */
	int64_t wake[WARPS_PER_SM_MAX]; /* the cycle; NEVER: not yet known */
	uint64_t near[NEAR_CYCLES];
	uint8_t queue[WARPS_PER_SM_MAX];
	int64_t slots_before[WARP_SLOTS]; /* at the beginning of the epoch */
};

/* What loads of an SM wait for, if that is limited (requests.h). */
struct request {
	int64_t there; /* cycle; NEVER: not known yet */
	uint32_t lines;
};
struct request_queue {
	struct request *request; /* [room], around; NULL: there is no limit */
	uint32_t room, first, count;
};
struct requests {
	struct request_queue l2, dram; /* also some that have been answered since the last look */
	uint32_t unknown;              /* the last ones of dram: their cycles are not known yet */
	int64_t lines;                 /* of all of them */
	bool full;                     /* lines have reached the limit */
};

/* What a kernel has executed on an SM. */
struct engine_tally {
	int64_t warp_instructions, thread_instructions, energy_fj;
};

struct sm_kernel {
	struct engine_tally total, before; /* before: at the beginning of the epoch */
	uint32_t blocks;                   /* resident ones, without those that are being saved */
	uint32_t target;                   /* UINT32_MAX: none */
	uint32_t blocks_at_epoch, target_at_epoch;
	int64_t idle_sum; /* sum over the samples of this epoch */
};

struct engine_sm {
	struct sub_core *cores;
	struct sm_kernel kernel[WARP_KERNELS_MAX];
	struct quotas quotas;
	struct requests requests;
	struct engine_block *blocks; /* blocks on it, also those being saved, in order of arrival */
	uint64_t arrivals;           /* warps that it has taken so far */
	uint64_t filled;             /* lines of L1 so far; counted if a kernel has a load with `reuse` */
	int64_t lasting;             /* no block here issues its last instruction before this cycle */
	bool changed; /* the set of kernels with blocks here has changed since the last look at the quotas */
	uint32_t index;
	uint32_t swapping;                    /* blocks that are being saved or loaded */
	uint32_t threads, warps, block_count; /* taken; threads as whole warps */
	int64_t registers, shared_memory;
};

/* What a block of a kernel needs. */
struct footprint {
	uint32_t warps;
	uint32_t threads; /* whole warps */
	int64_t registers, shared_memory;
	int64_t context_bytes;
};

/* The loop whose rounds the warps or blocks of a launch take from one counter. */
struct round_pool {
	enum warp_rounds rounds; /* ROUNDS_OWN: there is none */
	uint16_t loop;           /* its step; NO_STEP: there is none */
	uint32_t body;           /* instructions of a round */
	uint32_t around;         /* instructions of a warp outside of it */
	int64_t size, left;      /* rounds that a launch has to give; that the active one has left */
};

/* One of the kernels that a job runs, one after the other. */
struct engine_part {
	const struct warp_kernel *spec;
	struct decoded *program;
	uint32_t steps;
	uint32_t first_step;   /* number of steps of the parts before it */
	uint32_t instructions; /* of a warp that runs all loops as often as they say */
	struct round_pool pool;
	bool reuses; /* it has a load with `reuse` */
	struct footprint footprint;
	struct engine_block
		*free_blocks; /* of the first part with as many warps per block, for all of these */
	uint32_t pool_of;     /* that part */
	uint32_t warps_per_block;
};

struct engine_kernel {
	const struct warp_kernel *spec;
	struct engine_part part;   /* a copy of the one that the active job is at; of the first without one */
	uint32_t at;               /* which one that is */
	struct engine_part *parts; /* [warp_parts(spec)] */
	struct engine_block *swapped, **swapped_tail; /* first in, first out */
	/* Jobs: those before number `job` have ended. If `active`, `job` is the active one. */
	bool active;
	uint32_t job;
	uint32_t released;     /* so far */
	int64_t release;       /* release of the last job that was released */
	int64_t first_start;   /* of the active one; -1: not yet */
	int64_t part_ready;    /* cycle in which its part could begin */
	int64_t part_start;    /* cycle of the part's first block; -1: not yet */
	int64_t next_launch;   /* NEVER: none */
	uint32_t next_block;   /* of the part: the first block that has never been placed */
	uint32_t ended_blocks; /* of the part */
	int64_t launched;      /* cycle in which its first job became active; -1: not yet */
	int64_t idle_from;     /* cycle in which its last job ended; -1: none has */
	int64_t active_since;  /* if active: it has had a job in every cycle since this one */
	/* Quality of service. */
	int64_t goal;        /* -1: none */
	int64_t adjusted;    /* of this epoch; -1 before the first */
	int64_t epoch_ipc;   /* of the last epoch */
	int64_t history_ipc; /* -1: none yet */
	bool was_short;      /* spart: it was below its goal at the epoch before */
	uint32_t swaps_before;
	struct warp_kernel_result result;
};

struct server {
	int64_t free;      /* when it is free, in units of 1 / bandwidth of a cycle */
	int64_t bandwidth; /* bytes per 1000 cycles */
};

/* A future instant of a block. */
struct instant {
	int64_t cycle;
	uint64_t order;
	struct engine_block *block;
};

struct spart {
	uint32_t *owner; /* [sms] */
	int64_t least;   /* least sum of shortages since the climb began; -1: none yet */
	uint32_t epochs; /* epochs in a row in which the sum did not fall below `least` */
	bool stopped;
};

struct ahead_request {
	struct warp *warp;     /* a load; NULL: a store */
	int64_t bytes, there;  /* there: the cycle of its result */
	uint32_t core, number; /* number: of the instruction */
	uint32_t next;         /* the next one of the same cycle, + 1; 0: none */
};

/* SMs that run ahead: see ahead.c. Arrays for each cycle begin with that of `from`. */
struct ahead {
	bool on;
	uint32_t most;       /* cycles; 0: they never do */
	uint32_t meeting;    /* set of kernels with barriers, or with loads whose level others decide */
	bool pools;          /* a kernel has a pool of rounds */
	int64_t from, until; /* the window */
	int64_t again;       /* no window begins before this cycle */
	uint32_t shortest;   /* the SM that ended the last one */
	uint32_t words;      /* for a bit for each sub-core */
	int64_t *next;       /* [sub-cores] next cycle to simulate; NEVER: none */
	uint64_t *issued;    /* [most][words] who has issued */
	uint8_t *position;   /* [sub-cores][most] which warp */
	struct ahead_request *requests;
	uint32_t request_count;
	uint32_t *first, *last; /* [most] request, + 1; 0: none */
};

struct warp_simulation;
struct warp_scheduler {
	/* Returns a position of `ready`, or -1. Called in every cycle in which something may have changed. */
	int (*pick)(struct warp_simulation *w, struct sub_core *sc, uint64_t ready, int64_t cycle);
	bool minds_stalls; /* call pick() also in the cycle after an issue when no warp is ready */
};
extern const struct warp_scheduler warp_schedulers[WARP_SCHEDULERS];

struct warp_simulation {
	struct arena arena;
	const struct platform *platform;
	const struct taskset *set;
	const struct warp_set *warps;
	const struct warp_machine *machine;
	const struct run_setup *setup;
	struct warp_options options;
	const struct warp_scheduler *scheduler;
	uint32_t only; /* the one kernel that is launched, or ALL_KERNELS */
	uint64_t seed;

	struct engine_sm *sms;
	struct sub_core *cores; /* [sms][sub_cores] */
	uint32_t sm_count, core_count, sub_cores;
	struct engine_kernel kernels[WARP_KERNELS_MAX];
	uint32_t kernel_count;
	uint32_t goals;                    /* set of kernels with a goal */
	int8_t group_of[WARP_KERNELS_MAX]; /* qaws: the group of each kernel; groups are in descending order
					      of budget */
	int64_t group_budget[WARP_KERNELS_MAX];
	uint32_t group_count;
	bool has_quotas;
	bool reuse;         /* a kernel has a load with `reuse` */
	uint64_t l2_filled; /* lines of L2 so far; counted if one has */

	/* Where another engine places the blocks (inside.c): those that ended since it looked. NULL: launches
	 * and phase 3 are ours. */
	struct block_end *ends;
	uint32_t end_count;

	struct calendar calendar; /* which sub-cores are simulated in which cycle */
	struct ahead ahead;
	struct server server;
	struct instant *instants; /* a heap */
	uint32_t instant_count;
	uint64_t instant_order;
	int64_t now;  /* the current cycle, or the last one that was simulated */
	int64_t from; /* the first cycle that has not been simulated */
	int64_t next_launch, next_epoch, next_sample;
	int64_t horizon, limit, end; /* cycles */
	uint32_t issuing;            /* the sub-core that is issuing; UINT32_MAX: none yet in this cycle */
	uint32_t parts_over;         /* set of kernels whose part has ended in this cycle */
	bool place;                  /* blocks may fit somewhere: dispatch must try */
	bool changed;                /* some SM's `changed` is set */

	/* Epochs. */
	bool epochs;    /* an observer wants them, or the manager needs them */
	uint32_t epoch; /* number of the current one */
	int64_t epoch_start;
	int64_t open_at; /* with quotas: nobody issues before, as these are being made */
	int64_t sample_step;
	uint32_t samples, samples_left;
	struct spart spart;

	struct trace trace;
	struct warp_observer observer;
	struct warp_issue *issues; /* gathered for the observer; NULL: it does not want them */
	uint32_t issue_count;
	bool failed;
	enum simulation_state state;
	uint64_t events, digest, jobs, misses;
	uint64_t jobs_digest; /* sim/digest.h */
	bool truncated;
};

static inline int64_t ns_of(const struct warp_simulation *w, int64_t cycle)
{
	return warp_ns(w->machine, cycle);
}

static inline uint64_t bit(uint32_t position)
{
	return UINT64_C(1) << position;
}

#endif
