/* analysis/mpcp.h - response times where the GPU is a mutex: one core by fixed priority, GPU sections one at
 * a time by priority, not preempted (MPCP: Patel, Baek, Kim, Rajkumar, RTAS 2018, for one core and one
 * resource).
 *
 * A whole GPU section is the critical section; it does nothing on the core. Pure functions of the tasks in
 * order of priority. */
#ifndef CEGSIM_ANALYSIS_MPCP_H
#define CEGSIM_ANALYSIS_MPCP_H

#include "analysis/sections.h"

/* How waiting for the mutex is bounded: for each request; over the whole response; or both ways, taking the
 * smaller for each section of a higher task. */
enum mpcp_method { MPCP_HYBRID, MPCP_REQUEST, MPCP_JOB };

/* How late a higher task's section may arrive: R - G of that section, or R - C of the task as in MPCP's
 * analysis. The latter counts too few sections in general (UNSAFE) and is kept for comparison. */
enum mpcp_jitter { MPCP_JITTER_SAFE, MPCP_JITTER_PAPER };

/* C + G + blocking + the sum of interference = response. */
struct mpcp_bound {
	bool analysed; /* false for the tasks below one that fails and alone takes longer than its deadline */
	int64_t claim; /* the response that lower tasks rest on */
	bool assumed;  /* the claim is the deadline, as there is no bound within the period */
	/* The least fixed point, also above the deadline (WINDOW_PATIENCE), or NO_BOUND. Above the period it
	 * says nothing, as jobs may then wait for their predecessor. */
	int64_t response;
	int64_t request;       /* the longest wait of one request, or NO_BOUND; 0: boosted, or MPCP_JOB */
	int64_t blocking;      /* sections of lower tasks */
	int64_t *interference; /* [count] of each higher task: on the core, and its sections */
};

struct mpcp_test {
	enum mpcp_method method;
	enum mpcp_jitter jitter;
	bool boosted; /* jobs spin in their sections above all priorities; else they release the core */
	const uint32_t *core;             /* [count] the tasks' cores; one for all if they are boosted */
	const struct section_task **task; /* [count], the highest priority first; each on one GPU */
	uint32_t count;
	struct mpcp_bound *bound; /* [count], filled in by mpcp_bounds */
};

/* Boosted: whether a section can begin a job before the job has surely computed. Then it is boosted as soon
 * as the job is released, and can meet another one at the mutex. mpcp_bounds does not hold for such tasks. */
bool mpcp_begins_on_gpu(const struct section_task *t);

/* Bounds of all tasks. Those below a task that is assumed to keep its deadline rest on that. False: out of
 * memory. */
MUST_CHECK bool mpcp_bounds(struct mpcp_test *test, struct arena *arena, struct error *err);

#endif
