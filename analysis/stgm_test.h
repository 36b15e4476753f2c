/* analysis/stgm_test.h - the busy-waiting response-time test of STGM task by task, shared by the bounds for
 * an allocation (stgm.c) and the search for one (stgm_allocate.c). Tasks by place in the order of
 * priority, the highest first. */
#ifndef CEGSIM_ANALYSIS_STGM_TEST_H
#define CEGSIM_ANALYSIS_STGM_TEST_H

#include "analysis/sm_sets.h"
#include "analysis/stgm.h"

struct stgm_task {
	const struct chain *chain;
	int64_t cpu, copies; /* sums of worst cases */
	int64_t kernels;     /* the same on its SMs; NO_BOUND: no time there */
	int64_t *longest;    /* [segments] the same, each */
	bool coreless;       /* it has no CPU segment that surely takes time */
};

struct stgm_state {
	const struct platform *platform;
	const struct taskset *set;
	struct stgm_options options;
	struct chains chains;
	uint32_t virtual_sms;
	struct stgm_task *task;    /* [count] */
	uint32_t *sms;             /* [count] */
	int64_t *section, *period; /* [count] for stgm_place */
	struct sm_sets sets;
};

/* False: out of memory. */
MUST_CHECK bool stgm_state_init(struct stgm_state *s, const struct platform *platform,
	const struct taskset *set, const uint32_t *rank, const struct stgm_options *options,
	struct arena *arena, struct error *err);

/* Checks for what no allocation can mend: kernels without a time on SMs of their own. False with the
 * reason. */
MUST_CHECK bool stgm_state_check(const struct stgm_state *s, struct verdict *v);

/* Sum of the task's kernels on so many SMs, or NO_BOUND. */
int64_t stgm_kernels(const struct stgm_state *s, uint32_t k, uint32_t sms);
/* Gives task k so many SMs. */
void stgm_give(struct stgm_state *s, uint32_t k, uint32_t sms);
/* Chooses the SMs for the numbers given so far; exclusive sets must fit the GPU. */
void stgm_place(struct stgm_state *s);

/* On so many SMs: the whole task alone, E_i(s_i), and its GPU sections, G_i(s_i); or NO_BOUND. */
int64_t stgm_whole(const struct stgm_state *s, uint32_t k, int64_t kernels);
int64_t stgm_sections(const struct stgm_state *s, uint32_t k, int64_t kernels);

/* The bound of a task: least fixed point, NO_BOUND if it is above the deadline, unless `beyond`
 * (as window_fixed_point). *blocking and interference[count] by task index may be NULL. */
int64_t stgm_response(
	const struct stgm_state *s, uint32_t k, bool beyond, int64_t *blocking, int64_t *interference);

#endif
