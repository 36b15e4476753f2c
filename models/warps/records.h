/* models/warps/records.h - what a simulation of warps tells its observers in addition to jobs and blocks
 * (sim/trace.h): single instructions, epochs, and what the cycles were used for. Times are in cycles, not
 * nanoseconds; docs/warps.md defines every number. */
#ifndef CEGSIM_MODELS_WARPS_RECORDS_H
#define CEGSIM_MODELS_WARPS_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a cycle of a sub-core was used for; the first that applies. */
enum warp_slot {
	SLOT_ISSUED,
	SLOT_EMPTY,
	SLOT_QUOTA,
	SLOT_UNIT,
	SLOT_SCHEDULER,
	SLOT_MEMORY,
	SLOT_DEPENDENCE,
	SLOT_BARRIER,
	SLOT_SWAP,
	SLOT_ENDING,
	WARP_SLOTS
};

/* Where an access was served. */
enum warp_level { LEVEL_NONE, LEVEL_SHARED, LEVEL_L1, LEVEL_L2, LEVEL_DRAM };

struct warp_issue {
	int64_t cycle;
	int64_t result; /* the cycle in which the result is there; -1: no result (barriers, stores) */
	uint32_t kernel, job, block;
	uint32_t number; /* number of the instruction among those of its warp, from 0 */
	uint16_t step;   /* of the program; loops count as steps */
	uint16_t sm;
	uint8_t sub_core, warp; /* warp: within its block */
	uint8_t threads;        /* active */
	uint8_t level;          /* enum warp_level */
};

/* A kernel in an epoch, on the whole GPU. Reported when the epoch ends; the end of the run may cut the last
 * one short. */
struct warp_epoch {
	uint32_t epoch, kernel;
	int64_t start, end;
	int64_t warp_instructions, thread_instructions;
	int64_t adjusted_goal; /* A; -1: the manager has none */
	int64_t history_ipc;   /* at the end of the epoch; -1: no history */
	uint32_t blocks;       /* T at its start */
	uint32_t swaps;        /* blocks swapped out in it */
};

/* The sub-cores of an SM in an epoch. */
struct warp_epoch_sm {
	uint32_t epoch, sm;
	int64_t cycles[WARP_SLOTS]; /* of all its sub-cores */
};

/* A kernel on an SM in an epoch. */
struct warp_epoch_quota {
	uint32_t epoch, sm, kernel;
	int64_t quota;         /* -1: the manager has none */
	int64_t counter_start; /* C once the epoch has begun */
	int64_t counter_end;
	int64_t added; /* added by the manager's rules during the epoch */
	int64_t warp_instructions, thread_instructions;
	uint32_t blocks, target; /* at the start; target UINT32_MAX: none */
	uint32_t idle_sum, samples;
};

struct warp_observer {
	void *self;
	bool wants_issues, wants_epochs, wants_sms;
	/* Rows in the order of time; they are valid only during the call. False stops the run (the observer
	 * keeps the reason). Functions that are not wanted may be NULL. sms and quotas are only called with
	 * wants_sms. */
	bool (*issues)(void *self, const struct warp_issue *rows, size_t count);
	bool (*epochs)(void *self, const struct warp_epoch *rows, size_t count);
	bool (*sms)(void *self, const struct warp_epoch_sm *rows, size_t count);
	bool (*quotas)(void *self, const struct warp_epoch_quota *rows, size_t count);
};

/* A kernel in a whole run. */
struct warp_kernel_result {
	int64_t warp_instructions, thread_instructions;
	int64_t cycles; /* from its first launch to the end of the run; 0: never launched */
	int64_t ipc;    /* millionths; 0 without cycles */
	int64_t goal;   /* -1: none */
	int64_t alone;  /* IPC alone; -1: not measured */
	bool reached;   /* has a goal, and reaches it */
	int64_t accesses, l1_hits, l2_hits, dram_bytes; /* global accesses; bytes with its contexts */
	int64_t swaps;
	int64_t energy_fj;
};

#endif
