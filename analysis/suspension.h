/* analysis/suspension.h - response times of tasks that suspend themselves at any time and in any pattern
 * (dynamic self-suspension): preemptive fixed priority on one core, a job of task i computes for at most C_i
 * and is suspended for at most S_i in all. Suspensions do not compete for anything. */
#ifndef CEGSIM_ANALYSIS_SUSPENSION_H
#define CEGSIM_ANALYSIS_SUSPENSION_H

#include "analysis/ratio.h"
#include "base/arena.h"
#include "base/error.h"

enum suspension_method {
	SUSPENSION_BLETSAS,   /* jitter R - C (Bletsas et al., "Errata", LITES 2018) */
	SUSPENSION_OBLIVIOUS, /* as if it computed throughout */
	SUSPENSION_BLOCKING,  /* min(C, S) once (Liu, "Real-Time Systems", 2000) */
	SUSPENSION_UNIFYING,  /* Chen, Nelissen, Huang, ECRTS 2016, Theorem 1 */
	SUSPENSION_JITTER,    /* jitter S: UNSAFE, what the errata correct, kept to show that it is */
};

struct suspension_task {
	int64_t cpu, suspension; /* C, S; C + S < INT64_MAX / 2 */
	int64_t period, deadline;
	int64_t response; /* its bound, once it is computed; or its deadline, if it is assumed to keep it */
};

/* For up to so many higher tasks all vectors of the unifying framework are tried; for more only the two that
 * the paper names: no task, and the tasks that suspend no longer than they compute. */
#define SUSPENSION_VECTORS_TASKS 10u

struct suspension_test {
	enum suspension_method method;
	bool by_deadline;             /* D in place of R in the jitter of higher tasks */
	struct suspension_task *task; /* [count], the highest priority first */
	uint32_t count;
	/* Set by suspension_init. */
	int64_t *fixed, *jitter, *demand; /* [count] of a higher task */
	struct ratio *loads;
	bool room; /* the tasks above the current one leave some time of the core */
};

/* task, count, method and by_deadline are set. False: out of memory. */
MUST_CHECK bool suspension_init(struct suspension_test *test, struct arena *arena, struct error *err);

/* The bound of task k, which is also stored in its `response`: the least fixed point, also beyond the
 * deadline, or NO_BOUND (analysis/window.h, WINDOW_PATIENCE). All higher tasks must have theirs, at most
 * their periods, or be assumed in time (suspension_go_on). interference[h]: the part of higher task h; the
 * parts and C + S add up to the bound. */
int64_t suspension_response(struct suspension_test *test, uint32_t k, int64_t *interference);

/* After the bound of task k: the tasks below may be bounded, too. *assumed: only as if k kept its deadline
 * from here on, since it has no bound within its period. (The oblivious method counts releases, and assumes
 * nothing.) False: it cannot keep it, alone it takes longer. */
MUST_CHECK bool suspension_go_on(struct suspension_test *test, uint32_t k, bool *assumed);

#endif
