/* tests/conformance/warp_laws.h - what must be true of every run of kernels of warps, whatever the scheduler
 * and the manager (docs/warps.md). A law judges a run by what its observers were told; what it needs besides
 * is worked out here a second time, without the engine. The clock is 1 GHz: a cycle is a nanosecond. */
#ifndef CEGSIM_TESTS_CONFORMANCE_WARP_LAWS_H
#define CEGSIM_TESTS_CONFORMANCE_WARP_LAWS_H

#include "tests/support/warp_runs.h"

#define WARP_NEVER INT64_MAX
#define NO_STAY SIZE_MAX

struct warp_breach {
	bool broken;
	char text[300]; /* the first breach */
};

/* Notes a breach; later ones are ignored. */
void warp_broken(struct warp_breach *v, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Instruction n of a kernel's warps. */
struct warp_instruction {
	const struct warp_step *step;
	uint16_t index;    /* of the step */
	uint32_t distance; /* of this instruction; 0: needs nothing */
};

struct warp_job {
	uint32_t kernel, number;
	int64_t release, active;  /* active: its stream takes it; NEVER: it does not */
	int64_t first_start, end; /* as the trace says; end of an unfinished one: that of the run */
	uint32_t ends;            /* records of its end */
	bool finished;
};

/* A block on an SM. */
struct warp_stay {
	uint32_t kernel, job, block, sm;
	size_t record; /* of its start */
	int64_t start, end;
	int64_t leave;   /* phase 4 of this cycle swaps it out; NEVER */
	int64_t there;   /* the cycle in which its context must be there */
	int64_t through; /* that in which it must be saved; NEVER */
	bool again;      /* it has been swapped out before */
	bool ended;      /* has a record of its end */
	enum span_end how;
	uint64_t arrival; /* warps that its SM had taken before */
};

/* A warp and its rows, in the order in which they were told. */
struct warp_life {
	uint32_t kernel, job, block, warp, threads;
	const struct warp_issue **rows;
	size_t count;
};

/* What the run cycle by cycle finds wrong, law by law. */
enum warp_finding {
	FINDING_READINESS,
	FINDING_COUNTERS,
	FINDING_WORK,
	FINDING_CHOICE,
	FINDING_SLOTS,
	FINDING_IDLE,
	FINDING_TURNS,
	WARP_FINDINGS
};

struct warp_seen {
	struct warp_scene *scene;
	struct warp_run *run;
	struct arena arena;
	struct warp_instruction *program[WARP_KERNELS_MAX];
	uint32_t length[WARP_KERNELS_MAX]; /* instructions of a warp */
	uint32_t warps[WARP_KERNELS_MAX];  /* of a block */
	struct warp_job *jobs;             /* by kernel, then number */
	uint32_t job_count, job_base[WARP_KERNELS_MAX + 1];
	struct warp_stay *stays; /* in the order of their starts */
	size_t stay_count;
	struct warp_life *lives; /* by kernel, job, block, warp */
	size_t life_count, life_base[WARP_KERNELS_MAX];
	int64_t *results;      /* [issues]: what they must be */
	int64_t *epoch_starts; /* [epochs]; the last is the run's end */
	uint32_t epochs;
	uint32_t swaps;  /* of all kernels */
	int64_t cut;     /* from this cycle on it is not known which blocks are being saved */
	char stray[300]; /* a row that belongs to nothing; "": none */
	struct warp_breach found[WARP_FINDINGS];
};

/* Puts what the run told in order; takes the run over. */
void warp_seen_arrange(struct warp_seen *s, struct warp_run *run);
void warp_seen_finish(struct warp_seen *s);
struct warp_job *warp_seen_job(const struct warp_seen *s, uint32_t kernel, uint32_t number);
struct warp_life *warp_seen_life(
	const struct warp_seen *s, uint32_t kernel, uint32_t job, uint32_t block, uint32_t warp);
/* NULL: the observers have not told. */
const struct warp_epoch *warp_seen_epoch(const struct warp_seen *s, uint32_t epoch, uint32_t kernel);
const struct warp_epoch_quota *warp_seen_quota(
	const struct warp_seen *s, uint32_t epoch, uint32_t sm, uint32_t kernel);
bool warp_seen_has_quotas(const struct warp_seen *s);
uint32_t warp_seen_goals(const struct warp_seen *s); /* set of kernels */
bool warp_seen_is_last(const struct warp_seen *s, const struct warp_issue *row);
/* Bytes of a block's context that pass the memory server. */
int64_t warp_seen_context(const struct warp_seen *s, uint32_t kernel);

/* warp_service.c: results, there and through. */
void warp_seen_serve(struct warp_seen *s);
bool warp_step_is_global(const struct warp_step *step);
int64_t warp_step_bytes(const struct warp_step *step, uint32_t threads); /* that an access to DRAM moves */

/* warp_replay.c: found. */
void warp_seen_replay(struct warp_seen *s);

/* What blocks take of an SM. */
struct warp_need {
	int64_t blocks, warps, threads, registers, shared_memory;
};
void warp_need_add(const struct warp_seen *s, uint32_t kernel, int64_t times, struct warp_need *sum);
bool warp_need_fits(const struct warp_seen *s, const struct warp_need *n);
/* The active job of a kernel that has blocks left to place in a cycle, of which the first `before` stays have
 * begun; or NULL. */
const struct warp_job *warp_seen_waiting(
	const struct warp_seen *s, uint32_t kernel, int64_t cycle, size_t before);

typedef void warp_law_fn(const struct warp_seen *s, struct warp_breach *v);
struct warp_law {
	const char *name;
	warp_law_fn *check;
};
/* Ends with a NULL name. */
extern const struct warp_law warp_laws[];
/* Name of the first law that is broken, or NULL. */
const char *warp_laws_check(const struct warp_seen *s, struct warp_breach *v);

/* warp_laws.c */
warp_law_fn warp_whole_trace, warp_one_at_a_time, warp_program_order, warp_operands, warp_results, warp_draws,
	warp_units, warp_barriers, warp_slot_sums, warp_energy, warp_counts;
/* warp_laws_blocks.c */
warp_law_fn warp_sm_limits, warp_dealing, warp_dispatch, warp_job_ends, warp_releases, warp_targets,
	warp_contexts;
/* warp_laws_adjust.c */
warp_law_fn warp_adjusting, warp_swapped, warp_exchange;
/* warp_laws_epochs.c */
warp_law_fn warp_epochs_tile, warp_epoch_counts, warp_goals, warp_quotas;
/* warp_replay.c */
warp_law_fn warp_readiness, warp_counters, warp_work_conserved, warp_choice, warp_slots, warp_idle_warps,
	warp_turns;

/* ---- warp_subjects.c: what the laws are held against ---- */

/* A scheduler and a manager with their options. */
struct warp_subject {
	char name[96];
	struct warp_options options;
};
#define WARP_SUBJECTS_MAX 160
size_t warp_subjects_all(struct warp_subject subjects[WARP_SUBJECTS_MAX]);

/* Sets of kernels: compute-, memory-, latency-bound, with barriers, ... */
extern const size_t warp_sets;
const char *warp_set_name(size_t index);
/* The scene of a set under a subject, to be finished by the caller. */
void warp_set_scene(size_t index, const struct warp_subject *subject, struct warp_scene *s);

#endif
