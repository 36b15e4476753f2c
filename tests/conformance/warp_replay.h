/* tests/conformance/warp_replay.h - the state of a run that is gone through once more (warp_replay.c), for
 * the law of the scheduler's choice (warp_choice.c). */
#ifndef CEGSIM_TESTS_CONFORMANCE_WARP_REPLAY_H
#define CEGSIM_TESTS_CONFORMANCE_WARP_REPLAY_H

#include "tests/conformance/warp_laws.h"

#define SMS_MAX 16
#define CORES_MAX (SMS_MAX * WARP_SUB_CORES_MAX)

/* A warp on an SM. */
struct there {
	const struct warp_life *life;
	const struct warp_stay *stay;
	struct at_block *block;
	size_t next; /* of its rows; kept in *progress while it is away */
	size_t *progress;
	int64_t *barrier_until; /* at the barrier before this cycle */
	int64_t last_result;
	uint64_t age;
	uint32_t core;   /* among all */
	uint64_t index;  /* of the life */
	bool active;     /* two-level */
	uint64_t ticket; /* two-level: its place in the queue */
};

struct at_block {
	uint32_t issuing, waiting;
};

struct core {
	uint64_t last_age; /* of the warp issued last; UINT64_MAX: none yet */
	int64_t last_cycle;
	int64_t last_group;  /* its budget */
	uint64_t last_index; /* of the warp of the last row; UINT64_MAX */
	int64_t unit_free[WARP_UNITS];
	int64_t slots[WARP_SLOTS];
	int64_t group;    /* qaws: the budget of the group that is preferred; 0: none yet */
	int64_t switches; /* qaws: n */
	bool group_waits;
	uint64_t tickets;               /* two-level */
	int64_t runs[WARP_KERNELS_MAX]; /* of other groups while warps of this one were ready */
};

struct counters {
	int64_t c[WARP_KERNELS_MAX], quota[WARP_KERNELS_MAX], added[WARP_KERNELS_MAX], idle[WARP_KERNELS_MAX];
	uint32_t here, held;
};

struct replay {
	const struct warp_seen *s;
	struct there *warps[SMS_MAX]; /* by age */
	size_t count[SMS_MAX];
	struct at_block *blocks;
	size_t *progress;
	int64_t *barrier_until;
	struct core cores[CORES_MAX];
	struct counters sms[SMS_MAX];
	const struct warp_issue *row; /* the next */
	size_t rows_left, next_stay;
	uint32_t epoch;
	int64_t now;
	struct warp_breach *verdict; /* by enum warp_finding */
};

enum condition { READY, HELD, NO_UNIT, ON_MEMORY, ON_RESULT, AT_BARRIER, AWAY, ENDING, GONE };

enum condition warp_condition(const struct replay *r, const struct there *t);

/* warp_choice.c */
/* The oldest of a sub-core (of all) that is ready, of the kernels of one budget; 0: of all. NULL: none is. */
struct there *warp_oldest_ready(struct replay *r, uint32_t sm, uint32_t core, int64_t budget);
/* What the scheduler must issue in this cycle, or NULL. Once in every cycle of a sub-core: it keeps state. */
const struct there *warp_must_issue(struct replay *r, uint32_t sm, uint32_t core);
/* qaws: nobody starves. What was issued; NULL: nothing. */
void warp_count_turns(struct replay *r, uint32_t sm, uint32_t core, const struct there *picked);

#endif
