/* analysis/gcaps.h - response times where GPU sections preempt each other by priority, behind calls of the
 * driver (Wang et al., "GCAPS", ECRTS 2024; docs/model.md, "Calls"), on cores by fixed priority, one for each
 * task; and GPU priorities of their own by Audsley's method. Pure functions of the tasks in order of
 * priority. */
#ifndef CEGSIM_ANALYSIS_GCAPS_H
#define CEGSIM_ANALYSIS_GCAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

/* Ours, with a proof in analysis/gcaps.c; that of the paper, UNSAFE. */
enum gcaps_variant { GCAPS_SAFE, GCAPS_PAPER };

struct gcaps_task {
	int64_t cpu_ns, gpu_ns;         /* sums of worst cases: C and G */
	uint32_t sections;              /* eta; 0: the task does not use the GPU */
	int64_t period_ns, deadline_ns; /* 0 < deadline <= period */
	uint32_t core;
	/* Place at the GPU, 0 the highest; of tasks with sections no two the same. On a core the order is
	 * that of the tasks: gcaps_inversion(). */
	uint32_t gpu_rank;
	bool best_effort; /* has no bound, and is assumed to keep its deadline; at the GPU behind all others
			   */
	bool may_be_late; /* nothing is asked of its bound */
};

/* C + calls + G + blocking + the sum of interference = response. */
struct gcaps_bound {
	bool analysed; /* false behind one that fails and alone takes longer than its deadline */
	int64_t claim; /* the response that other tasks rest on */
	bool assumed;  /* the claim is the deadline, as there is no bound within the period */
	/* The least fixed point, also above the deadline (WINDOW_PATIENCE), or NO_BOUND. Above the period it
	 * says nothing, as jobs may then wait for their predecessor. */
	int64_t response;
	int64_t calls;         /* the task's own */
	int64_t blocking;      /* by calls of tasks behind it at the GPU, or on its core */
	int64_t *interference; /* [count] of each other task */
};

struct gcaps_test {
	enum gcaps_variant variant;
	bool busy;                  /* jobs spin while their operations wait or run */
	int64_t update_ns, call_ns; /* calls that change the owner, and others; both 0: there are none */
	struct gcaps_task *task;    /* [count], the highest priority first */
	uint32_t count;
	struct gcaps_bound *bound; /* [count], filled in by gcaps_bounds() */
	uint32_t *sequence;        /* [count] in which order; each rests only on tasks before it */
};

/* The first task that is behind one of lower priority of its own core at the GPU; UINT32_MAX: none is. */
uint32_t gcaps_inversion(const struct gcaps_test *test);

/* Bounds of all tasks. False: out of memory. */
MUST_CHECK bool gcaps_bounds(struct gcaps_test *test, struct arena *arena, struct error *err);

/* Whether all bounds are within the deadlines that are asked for. */
bool gcaps_accepts(const struct gcaps_test *test);

/* Audsley's method [paper, sections 5.3 and 6.4]: from the last place at the GPU to the first, each goes to
 * the task of lowest priority whose bound there is within its deadline, with deadlines for the responses of
 * others, and that has no task of lower priority of its core before it. *found: each place has a task;
 * else all gpu_rank stay. The bounds are then still to be computed: jobs that spin can delay tasks without
 * sections. False: out of memory. */
MUST_CHECK bool gcaps_assign(struct gcaps_test *test, bool *found, struct arena *arena, struct error *err);

#endif
