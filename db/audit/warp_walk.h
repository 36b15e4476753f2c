/* db/audit/warp_walk.h - a run of warps, cycle by cycle, as its rows describe it.
 *
 * The walk follows the recording: it places blocks where their rows say, and warps issue what their rows say.
 * In each phase of a cycle it derives from this state what docs/warps.md demands, and compares. How much it
 * derives depends on the level: jobs (ends from job rows), blocks (ends from block rows), issues (ends from
 * instructions). Recordings below level issues with a clock above 1 GHz are not walked: there, several cycles
 * may have the same instant.
 *
 * It needs memory for the blocks that are on SMs or swapped out, and for one epoch's rows. */
#ifndef CEGSIM_DB_AUDIT_WARP_WALK_H
#define CEGSIM_DB_AUDIT_WARP_WALK_H

#include "db/audit/law.h"
#include "db/audit/warps.h"

#define WARP_SLOTS 10
enum slot {
	SLOT_ISSUED,
	SLOT_EMPTY,
	SLOT_QUOTA,
	SLOT_UNIT,
	SLOT_SCHEDULER,
	SLOT_MEMORY,
	SLOT_DEPENDENCE,
	SLOT_BARRIER,
	SLOT_SWAP,
	SLOT_ENDING
};

extern const char *const walk_slot_names[WARP_SLOTS];

#define NEVER INT64_MAX

/* Rows. */
struct issue_row {
	int64_t cycle, latency, seq, block, warp, number, step, place,
		code; /* latency NOT_GIVEN: no result */
	uint32_t kernel;
};

struct audit_stay { /* block_interval */
	uint32_t kernel;
	int64_t seq, part, block, sm, slot, threads, start, end, code;
	bool placed; /* the walk has put it on its SM */
};

struct audit_epoch_row {
	bool present;
	int64_t start, end, warp_instructions, thread_instructions, adjusted, history, blocks, swaps;
};

struct quota_row {
	bool present;
	int64_t quota, counter_start, counter_end, added, warp_instructions, thread_instructions, blocks,
		target, idle_sum, samples;
};

/* State. */
struct resident_block;
struct audit_warp {
	struct resident_block *block;
	uint32_t index; /* in its block */
	struct place_in_program at;
	int64_t end; /* cycle in which the warp ends, once it has issued its last instruction; else NEVER */
	struct {
		int64_t ready;  /* -1: no result */
		bool memory;    /* of a global load */
	} result[WARP_RESULTS]; /* result of instruction n at n % WARP_RESULTS */
	int64_t last_result, global_accesses;
	int64_t loads; /* from global memory since the block was placed */
	/* Lines of L1 and of L2 when load n was done, at n % WARP_RESULTS */
	int64_t filled[WARP_RESULTS], l2_filled[WARP_RESULTS];
	int64_t open; /* from this cycle on it is not at a barrier; NEVER: not known yet */
	uint32_t sub_core;
	uint64_t age;    /* 0: in no sub-core */
	bool in_active;  /* two-level */
	uint64_t queued; /* two-level: its place in the queue */
};

struct resident_block {
	uint32_t kernel, sm;
	int64_t seq, block;
	struct audit_stay stay; /* the row of its current stay on an SM */
	int64_t context_there;  /* cycle in which its context has been loaded */
	bool saving;
	int64_t saved;       /* cycle in which its context has been saved */
	int64_t ends;        /* cycle in which it ends, if known; else NEVER */
	uint32_t warps_over; /* number of warps that have issued everything */
	uint32_t at_barrier; /* number of warps that wait at the current barrier */
	int64_t rounds;      /* of a shared loop: given to it so far */
	struct resident_block *next_away;
	struct audit_warp warp[]; /* of its kernel; level issues */
};

struct audit_sub_core {
	struct audit_warp *warp[2 * WARPS_PER_SM]; /* [warps], by age */
	uint32_t warps;
	int64_t accepts[WARP_UNITS]; /* each unit accepts instructions from this cycle on */
	uint64_t last_age;           /* of the warp that issued last; 0: none */
	uint32_t last_kernel;
	int64_t last_cycle;
	/* qaws */
	int64_t preferred; /* budget of the group; 0: none */
	int64_t switches;
	bool waiting;
	uint64_t queued; /* two-level: places in the queue so far */
	int64_t slots[WARP_SLOTS], slots_of_epoch[WARP_SLOTS];
	bool rowed; /* it issued in this cycle */
};

struct on_sm {                 /* a kernel on an SM */
	uint32_t blocks;       /* number of blocks, without those that are being saved */
	int64_t target;        /* NEVER: none; 0: it may not be here */
	int64_t target_before; /* at the beginning of this epoch */
	int64_t counter, added, warp_instructions, thread_instructions, idle_sum;
	struct quota_row row, last; /* rows of this epoch and of the last one */
};

struct warp_sm {
	struct audit_need used;
	struct resident_block *block[2 * WARPS_PER_SM]; /* [blocks], in order of arrival */
	uint32_t blocks;
	uint64_t dealt; /* number of warps that it has ever taken */
	int64_t filled; /* lines of L1 so far */
	struct {
		int64_t until, lines;
	} request[WARP_REQUESTS]; /* [requests]: what loads wait for that missed L1 */
	uint32_t requests;
	int64_t on_their_way; /* lines of these */
	struct audit_sub_core sub_core[WARP_SUB_CORES];
	struct on_sm kernel[WARP_KERNELS];
	uint64_t slot[2];              /* bit per slot in use */
	int64_t row_slots[WARP_SLOTS]; /* sums of the rows of its epochs */
};

struct kernel_walk {
	struct db_cursor *jobs, *spans;
	/* Its current job. */
	bool active;
	struct job job;
	int64_t taken;       /* cycle */
	int64_t release;     /* cycle */
	int64_t first_block; /* cycle of the first placement; NEVER */
	/* The part that it is at; 0 without a job. */
	uint32_t at;
	int64_t part_ready;      /* cycle in which it could begin */
	int64_t part_first;      /* cycle of its first placement; NEVER */
	int64_t next_new, ended; /* blocks that were placed for the first time; blocks that have ended */
	uint8_t *seen;           /* bit per block */
	int64_t rounds_left;     /* of its shared loop */
	struct resident_block *away, *last_away; /* swapped-out blocks, in order */
	/* Its jobs. */
	int64_t released, taken_jobs, finished, last_end; /* last_end: -1: none */
	int64_t job_end;      /* end of the current job, if rows give it; else NEVER */
	int64_t first_active; /* NEVER */
	int64_t active_since; /* it has had a job in every cycle since this one; meaningless without a job */
	int64_t history_threads, history_warps; /* of the epochs that have ended, by their rows */
	int64_t warp_instructions, thread_instructions, accesses, l1_hits, l2_hits, dram_bytes, swaps,
		swaps_of_epoch;
	int128 energy_fj;
	int64_t warps_of_epoch, threads_of_epoch; /* counted from instructions */
	struct audit_epoch_row row, last;
};

struct hill { /* spart */
	bool stopped, was_short[WARP_KERNELS];
	int64_t least;
	uint32_t above;
};

struct walk {
	struct audit *audit;
	const struct recording *r;
	const struct warp_description *d;
	struct error *err;
	bool failed, stop;
	bool with_spans, with_blocks, with_issues;
	int64_t now, end; /* end: cycles of the run */
	struct kernel_walk kernel[WARP_KERNELS];
	struct warp_sm *sm; /* [sms] */
	int64_t l2_filled;  /* lines of L2 so far */
	uint32_t blocks_on_sms;
	/* Below level issues: if a block is present at the end, it cannot be told whether it is being swapped
	 * out. Then it is not known which blocks count. */
	bool unsure;
	struct db_cursor *issue_rows, *block_rows, *epoch_rows, *quota_rows, *sm_rows;
	bool more_issues, more_blocks, more_epochs, more_quotas, more_sms;
	struct issue_row next_issue;
	struct audit_stay next_stay;
	uint32_t next_epoch_kernel;
	int64_t next_epoch_number, next_quota_epoch, next_sm_epoch;
	struct audit_epoch_row next_epoch;
	struct audit_stay *fresh; /* rows that begin at this instant */
	size_t fresh_count, fresh_capacity;
	int64_t epoch; /* -1: none yet */
	int64_t epoch_start;
	bool epoch_now; /* a kernel without a job got one in this cycle */
	int128 server;  /* F, the instant at which the server is free, in units of 1 / bandwidth of a cycle */
	struct hill hill;
	char text[8][160];
	unsigned next_text;
};

static inline bool has_goal(const struct walk *w, uint32_t kernel)
{
	return w->d->kernel[kernel].goal_kind != NO_GOAL;
}

/* What the kernel's blocks are now. */
static inline const struct audit_part *walk_part(const struct walk *w, uint32_t kernel)
{
	return &w->d->kernel[kernel].part[w->kernel[kernel].at];
}

/* Walks through a run. False: *err. */
MUST_CHECK bool warps_walk(
	struct audit *audit, const struct recording *r, struct db_reader *source, struct error *err);

/* Reports of laws; a law that does not apply to this run reports nothing. `held`: `count` rows were
 * checked. */
void law_held(struct walk *w, enum warp_law law, uint64_t count);
void law_wrong(struct walk *w, enum warp_law law, const char *table, const char *fmt, ...) PRINTF_LIKE(4, 5);
/* Names as "kernel 'K1', job 0, block 3, warp 1, instruction 17 in cycle 210"; up to 8 are valid at a
 * time. */
const char *walk_name_block(struct walk *w, uint32_t kernel, int64_t seq, int64_t block);
const char *walk_name_warp(struct walk *w, const struct audit_warp *warp);
const char *walk_name_issue(struct walk *w, const struct issue_row *row);
static inline const char *kernel_name(const struct walk *w, uint32_t kernel)
{
	return w->r->task[kernel].name;
}
/* Compares a recorded number with the right one; NOT_GIVEN is NULL. */
bool law_equal(struct walk *w, enum warp_law law, const char *table, const char *who, const char *what,
	int64_t recorded, int64_t derived);

/* db/audit/warp_rows.c */
MUST_CHECK bool walk_open_rows(struct walk *w, struct db_reader *source);
void walk_close_rows(struct walk *w);
void walk_next_issue(struct walk *w);
void walk_rows_behind(struct walk *w); /* rows after the end of the run */
void walk_read_stays(struct walk *w);  /* into `fresh`: rows that begin at this instant */
void walk_next_sm_row(struct walk *w);
void walk_read_epoch(struct walk *w);                /* rows of the epoch that begins */
bool walk_read_job(struct walk *w, uint32_t kernel); /* the row of its next job; false: there is none */
bool walk_read_span(struct walk *w, uint32_t kernel, struct interval *row); /* the same of segment_interval */

/* db/audit/warp_jobs.c: releases, streams, spans */
void walk_end_job(struct walk *w, uint32_t kernel, int64_t cycle);
void walk_end_jobs(struct walk *w); /* those that end in this cycle */
int64_t walk_next_job_end(const struct walk *w);
void walk_launches(struct walk *w);
int64_t walk_next_launch(const struct walk *w); /* cycle of the next release; NEVER */
void walk_end_of_jobs(struct walk *w);

/* db/audit/warp_blocks.c: the blocks on SMs */
void walk_place(struct walk *w, struct audit_stay *stay);
void walk_end_blocks(struct walk *w);
void walk_swap_out(struct walk *w, uint32_t sm, uint32_t kernel, int64_t beyond);
void walk_leave_sub_cores(struct walk *w, struct resident_block *b);
void walk_stop_blocks(struct walk *w);
void walk_free_blocks(struct walk *w);
bool walk_fits(const struct audit_need *used, const struct audit_need *need, const struct audit_need *room);
struct resident_block *walk_find_block(
	struct walk *w, uint32_t sm, uint32_t kernel, int64_t seq, int64_t block);
/* Sends bytes through the memory server now. Returns the cycle in which they are through. */
int64_t walk_transfer(struct walk *w, int64_t bytes);
int64_t walk_next_block_event(const struct walk *w);
/* db/audit/warp_dispatch.c: which blocks are placed where */
void walk_first_targets(struct walk *w);
/* The kernel is at another part, perhaps one of other blocks than `before`. */
void walk_part_targets(struct walk *w, uint32_t kernel, const struct audit_need *before);
void walk_dispatch(struct walk *w);
bool walk_blocks_left(const struct walk *w, uint32_t kernel);
int64_t walk_whole_target(const struct walk *w, uint32_t kernel); /* for a kernel that has the SM to itself */
/* db/audit/warp_epochs.c */
void walk_epoch(struct walk *w);
void walk_end_epoch(struct walk *w);
void walk_top_up(struct walk *w, uint32_t index);                /* additions during an epoch */
int64_t walk_history_ipc(const struct walk *w, uint32_t kernel); /* -1: none */
/* May a kernel issue on this SM? */
bool walk_allowed(const struct walk *w, const struct warp_sm *sm, uint32_t kernel);
/* db/audit/warp_targets.c: how targets change at an epoch */
void walk_targets(struct walk *w);
/* db/audit/warp_issue.c */
void walk_end_warps(struct walk *w);
void walk_issue(struct walk *w);
/* Whether the operand of its next instruction is there. *memory: it is the result of a global load. */
bool walk_operand_there(const struct walk *w, const struct audit_warp *warp, bool *memory);
void walk_sample(struct walk *w);
enum slot walk_warp_state(const struct walk *w, const struct warp_sm *sm, const struct audit_sub_core *core,
	const struct audit_warp *warp);
/* db/audit/warp_choice.c: the warp that the scheduler issues; NULL: none. Updates the scheduler's state. */
struct audit_warp *walk_choose(struct walk *w, const struct warp_sm *sm, struct audit_sub_core *core);
/* db/audit/warp_totals.c: laws on the run as a whole that need no walk; and laws at the end of the walk */
MUST_CHECK bool walk_summary(struct walk *w, struct db_reader *source);
void walk_totals(struct walk *w);

#endif
