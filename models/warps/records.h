/* models/warps/records.h - what a simulation of warps tells its observers, beside jobs and blocks
 * (sim/trace.h): single instructions, epochs, and where the cycles went. Cycles, not nanoseconds;
 * docs/warps.md defines every number. */
#ifndef CEGSIM_MODELS_WARPS_RECORDS_H
#define CEGSIM_MODELS_WARPS_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where a cycle of a sub-core went, in order of precedence. */
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
	int64_t result; /* the cycle in which it is there; -1: it has none (barriers, stores) */
	uint32_t kernel, job, block;
	uint32_t number; /* of the instruction among those the warp issues, from 0 */
	uint16_t step;   /* of the program; loops count as steps */
	uint16_t sm;
	uint8_t sub_core, warp; /* warp: within its block */
	uint8_t threads;        /* active */
	uint8_t level;          /* enum warp_level */
};

/* A kernel in an epoch, on the whole GPU. Told when the epoch ends, also the last one, which the run
 * may cut short. */
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
	int64_t added; /* by the rules in between */
	int64_t warp_instructions, thread_instructions;
	uint32_t blocks, target; /* at the start; target UINT32_MAX: none */
	uint32_t idle_sum, samples;
};

struct warp_observer {
	void *self;
	bool wants_issues, wants_epochs, wants_sms;
	/* Rows in the order in which things happened; gone when the call returns. False stops the run
	 * (the observer keeps the reason). Those that are not wanted may be NULL. sms and quotas belong
	 * to wants_sms. */
	bool (*issues)(void *self, const struct warp_issue *rows, size_t count);
	bool (*epochs)(void *self, const struct warp_epoch *rows, size_t count);
	bool (*sms)(void *self, const struct warp_epoch_sm *rows, size_t count);
	bool (*quotas)(void *self, const struct warp_epoch_quota *rows, size_t count);
};

/* A kernel in a whole run. */
struct warp_kernel_result {
	int64_t warp_instructions, thread_instructions;
	int64_t cycles; /* since its first launch, to the end of the run; 0: never launched */
	int64_t ipc;    /* millionths; 0 without cycles */
	int64_t goal;   /* -1: none */
	int64_t alone;  /* IPC alone; -1: not measured */
	bool reached;   /* has a goal, and reaches it */
	int64_t accesses, l1_hits, l2_hits, dram_bytes; /* global accesses; bytes with its contexts */
	int64_t swaps;
	int64_t energy_fj;
};

#endif
