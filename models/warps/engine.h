/* models/warps/engine.h - the state of a simulation of warps, private to this room (docs/warps.md).
 *
 * Warps live in the pool of their kernel's blocks. A sub-core sees its warps as bits of 64-bit sets: bit p is
 * the warp at position p, positions are in the order of arrival, so the lowest bit is the oldest warp.
 * Positions that have become free are not used again before all are taken; then the sub-core closes its ranks
 * (sub_core.c). docs/engine.md says which file writes which field. */
#ifndef CEGSIM_MODELS_WARPS_ENGINE_H
#define CEGSIM_MODELS_WARPS_ENGINE_H

#include "base/arena.h"
#include "base/int128.h"
#include "models/setup.h"
#include "models/warps/calendar.h"
#include "models/warps/options.h"
#include "models/warps/quotas.h"
#include "models/warps/records.h"
#include "models/warps/simulation.h"

#define NEVER INT64_MAX
#define ALL_KERNELS UINT32_MAX
#define WARP_RING 16u /* results that can be waited for: WARP_DISTANCE_MAX, a power of two */
_Static_assert(WARP_RING == WARP_DISTANCE_MAX, "a ring slot per distance");

/* A step as the issue of an instruction needs it; the program's loops are steps, too. */
struct decoded {
	uint8_t kind; /* enum warp_step_kind */
	uint8_t unit; /* enum warp_unit; WARP_UNITS: none (barriers) */
	uint8_t threads;
	uint8_t distance, first;
	uint8_t depth; /* loops around it */
	bool drawn;    /* global access whose level is not certain */
	uint8_t level; /* enum warp_level, where it is certain */
	uint16_t end;  /* the step behind it, or behind a loop's body */
	uint16_t back; /* of the last step of a loop's body: that loop, else NO_STEP */
	uint32_t count;
	int64_t latency;   /* compute, shared */
	int64_t energy_fj; /* of a thread */
	uint32_t l1_ppm, l2_ppm;
	uint32_t bytes, coalescing_ppm;
};
#define NO_STEP UINT16_MAX

struct warp {
	int64_t result[WARP_RING]; /* when that of instruction n is there, at n mod WARP_RING;
				    * 0: it has none */
	int64_t last_result;       /* the latest of all */
	struct engine_block *block;
	uint32_t number;                /* of the next instruction */
	uint32_t left;                  /* instructions of the step, this one included */
	uint32_t accesses;              /* global ones so far */
	uint32_t round[WARP_LOOPS_MAX]; /* rounds left of the loops around, this one included */
	uint16_t step;                  /* of the next instruction */
	uint16_t from_memory;           /* bit n mod WARP_RING: that result is a global load's */
	uint8_t index;                  /* in its block */
	uint8_t threads;
	uint8_t sub_core, position;
	bool begun; /* an instruction of the step has been issued */
	bool at_barrier;
};

enum block_state { BLOCK_FREE, BLOCK_LOADING, BLOCK_RUNNING, BLOCK_SAVING, BLOCK_SWAPPED };

struct engine_block {
	struct engine_block *next; /* in the list it is in */
	struct warp *warps;
	uint32_t kernel, job, number, sm;
	uint32_t issuing; /* warps that have instructions left */
	uint32_t at_barrier;
	int64_t placed, end; /* cycles; end: of the warps that have no instruction left */
	uint64_t event;      /* its place among those that wait for an instant; 0: none */
	enum block_state state;
};

struct sub_core {
	/* Sets of positions. A warp with an instruction left is in exactly one of operand, waiting, barrier
	 * and absent; one without is in waiting and ending. */
	uint64_t present;
	uint64_t operand;   /* may be issued as far as it is concerned itself */
	uint64_t waiting;   /* until wake[] */
	uint64_t on_memory; /* of those: for a global load */
	uint64_t ending;
	uint64_t barrier;
	uint64_t opened; /* at a barrier that was opened in cycle opened_in: until the next one still there */
	int64_t opened_in;
	uint64_t absent; /* its context is not there */
	uint64_t of_kernel[WARP_KERNELS_MAX];
	uint64_t wants[WARP_UNITS + 1]; /* unit of the next instruction */
	int64_t next_wake;              /* of waiting */
	int64_t next_memory;            /* of on_memory: these are many, and not looked at before */
	int64_t idle_since;             /* cycles before it are accounted for */
	int64_t last_cycle;             /* in which it has issued */
	int64_t unit_free[WARP_UNITS];
	uint32_t busy;     /* units with an unit_free to come, or that came unseen */
	uint32_t index;    /* among all sub-cores */
	uint8_t idle_slot; /* enum warp_slot of the cycles since */
	uint8_t next_position;
	int8_t last;        /* the warp issued last, if it is still there, else -1 */
	int8_t around;      /* the position behind which round-robin goes on; -1: at the beginning */
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
	int64_t wake[WARPS_PER_SM_MAX];
	uint8_t queue[WARPS_PER_SM_MAX];
	int64_t slots_before[WARP_SLOTS]; /* at the begin of the epoch */
};

/* What a kernel has done on an SM. */
struct engine_tally {
	int64_t warp_instructions, thread_instructions, energy_fj;
};

struct sm_kernel {
	struct engine_tally total, before; /* before: at the begin of the epoch */
	uint32_t blocks;                   /* resident, those being saved not */
	uint32_t target;                   /* UINT32_MAX: none */
	uint32_t blocks_at_epoch, target_at_epoch;
	int64_t idle_sum; /* of the samples of this epoch */
};

struct engine_sm {
	struct sub_core *cores;
	struct sm_kernel kernel[WARP_KERNELS_MAX];
	struct quotas quotas;
	struct engine_block *blocks; /* on it, in order of arrival, those that are saved too */
	uint64_t arrivals;           /* warps it has taken */
	bool changed;                /* which kernels have blocks here, since quotas were looked at */
	uint32_t index;
	uint32_t swapping;                    /* blocks that are being saved or loaded */
	uint32_t threads, warps, block_count; /* taken; threads as whole warps */
	int64_t registers, shared_memory;
};

/* What blocks of a kernel take. */
struct footprint {
	uint32_t warps;
	uint32_t threads; /* whole warps */
	int64_t registers, shared_memory;
	int64_t context_bytes;
};

struct engine_kernel {
	const struct warp_kernel *spec;
	struct decoded *program;
	uint32_t steps;
	struct footprint footprint;
	struct engine_block *free_blocks;
	struct engine_block *swapped, **swapped_tail; /* first in, first out */
	uint32_t warps_per_block;
	/* Jobs: those before `job` have ended; it is the active one, if there is one. */
	bool active;
	uint32_t job;
	uint32_t released;   /* so far */
	int64_t release;     /* of the last one that was released */
	int64_t first_start; /* of the active one; -1: not yet */
	int64_t next_launch; /* NEVER: none */
	uint32_t next_block; /* first that has never been placed */
	uint32_t ended_blocks;
	int64_t launched;     /* cycle in which its first job became active; -1: not yet */
	int64_t idle_from;    /* cycle in which its last job ended; -1: none has */
	int64_t active_since; /* while it is active: it has had a job in every cycle since */
	/* Quality of service. */
	int64_t goal;        /* -1: none */
	int64_t adjusted;    /* of this epoch; -1 before the first */
	int64_t epoch_ipc;   /* of the last epoch */
	int64_t history_ipc; /* -1: none yet */
	bool was_short;      /* spart: at the epoch before */
	uint32_t swaps_before;
	struct warp_kernel_result result;
};

struct server {
	int64_t free;      /* in parts of a cycle: `bandwidth` make one */
	int64_t bandwidth; /* bytes per 1000 cycles */
};

/* A block's instant to come. */
struct instant {
	int64_t cycle;
	uint64_t order;
	struct engine_block *block;
};

struct spart {
	uint32_t *owner; /* [sms] */
	int64_t least;   /* sum of shortages since climbing began; -1: none yet */
	uint32_t epochs; /* in a row that were not below it */
	bool stopped;
};

struct warp_simulation;
struct warp_scheduler {
	/* A position of `ready`, or -1. Asked in every cycle in which something may have changed. */
	int (*pick)(struct warp_simulation *w, struct sub_core *sc, uint64_t ready, int64_t cycle);
	bool minds_stalls; /* it is asked in the cycle behind an issue even if no warp is ready */
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
	int8_t group_of[WARP_KERNELS_MAX]; /* qaws: in descending order of budget */
	int64_t group_budget[WARP_KERNELS_MAX];
	uint32_t group_count;
	bool has_quotas;

	struct calendar calendar; /* which sub-cores look around in which cycle */
	struct server server;
	struct instant *instants; /* a heap */
	uint32_t instant_count;
	uint64_t instant_order;
	int64_t now;  /* the cycle that is being, or was last, simulated */
	int64_t from; /* the first cycle that has not been */
	int64_t next_launch, next_epoch, next_sample;
	int64_t horizon, limit, end; /* cycles */
	uint32_t issuing;            /* the sub-core that is issuing; UINT32_MAX: none yet in this cycle */
	bool place;                  /* blocks may find a place */
	bool changed;                /* an SM's `changed` is set */

	/* Epochs. */
	bool epochs;    /* are wanted, or needed */
	uint32_t epoch; /* number of the current one */
	int64_t epoch_start;
	int64_t sample_step;
	uint32_t samples, samples_left;
	struct spart spart;

	struct trace trace;
	struct warp_observer observer;
	struct warp_issue *issues; /* gathered; NULL: nobody wants them */
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
