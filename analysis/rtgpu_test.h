/* analysis/rtgpu_test.h - the response-time test of RTGPU task by task, shared by the bounds for an
 * allocation (rtgpu.c) and the search for one (rtgpu_allocate.c).
 *
 * A task's bound depends on its own virtual SMs and on those of the tasks above it only. So the tasks are
 * taken by priority: prepare (what does not depend on the task's own virtual SMs), then try numbers of
 * virtual SMs; the last one that was accepted is what the tasks below see. */
#ifndef CEGSIM_ANALYSIS_RTGPU_TEST_H
#define CEGSIM_ANALYSIS_RTGPU_TEST_H

#include "analysis/gpu_time.h"
#include "analysis/rtgpu.h"

/* A fixed point that was found: the interference of the tasks above for a constant. It is never less for a
 * larger constant, nor for a lower task. */
struct rtgpu_interfered {
	int64_t constant, interference;
};

struct rtgpu_task {
	const struct chain *chain;
	int64_t *shortest;  /* [segments]; kernels: of the last try */
	int64_t *longest;   /* [segments] responses; the same */
	int64_t *worst;     /* [segments] execution, without interference; the same */
	uint32_t *by_worst; /* [without] copies and CPU segments, the shortest first */
	uint32_t without;   /* number of segments that are no kernels */
	uint32_t core_from,
		core_above; /* above[CHAIN_ON_CPU][core_from ...]: windows of the higher tasks on its core */
	struct window *windows;     /* [resources] */
	int64_t **lengths, **inner; /* [resources] */
	int64_t cpu, copies;        /* sums of worst */
	bool monotone;              /* the bound never grows with the task's own virtual SMs */

	/* Filled in by prepare; NO_BOUND: there is none. */
	int64_t copy_responses, cpu_responses;
	struct rtgpu_interfered **found; /* [resources], by constant */
	uint32_t *found_count;           /* [resources] */
	bool late;  /* the response of a segment is beyond the deadline, or there is none */
	bool hasty; /* searches do not go on beyond the deadline, whatever rtgpu_test.beyond says */
	/* Filled in by the last try. */
	int64_t gpu, r1, r2, response;
};

struct rtgpu_test {
	struct chains chains;
	const struct gpu_slots *slots; /* [gpus] */
	struct rtgpu_options options;
	struct rtgpu_task *task;      /* [count], the highest priority first */
	const struct window ***above; /* [resources][count] the tasks' windows, in the same order; on the CPU
				       * core by core, see struct rtgpu_task */
	struct window_piece **pieces; /* [resources][count] of these windows */
	int64_t **longest_copy;       /* [resources][count] */
	bool beyond; /* look for fixed points beyond deadlines, and for both of Theorem 5.6 */
};

/* slots[gpus]: the set must have passed gpu_slots_check on each GPU. False: out of memory. */
MUST_CHECK bool rtgpu_test_init(struct rtgpu_test *test, const struct chains *chains,
	const struct gpu_slots *slots, const struct rtgpu_options *options, struct arena *arena,
	struct error *err);

/* Checks the kernels, each on its GPU; slots, steps: [gpus]. False with the reason. */
MUST_CHECK bool rtgpu_slots(const struct platform *platform, const struct taskset *set,
	const struct chains *chains, const struct rtgpu_steps *steps, struct gpu_slots *slots,
	struct verdict *v);

/* k: place in the order of priority. All tasks above must have been prepared, tried and accepted, in this
 * order. */
void rtgpu_test_prepare(struct rtgpu_test *test, uint32_t k);

/* virtual_sms: 0 for a task without kernels. True if the bound is at most the deadline. */
MUST_CHECK bool rtgpu_test_try(struct rtgpu_test *test, uint32_t k, uint32_t virtual_sms);

/* After a try that was not accepted: sets what lower tasks see of the task all the same, from its bound if
 * that is within its period; else as if it kept its deadline (*assumed). False: it cannot, alone it takes
 * longer. */
MUST_CHECK bool rtgpu_test_go_on(struct rtgpu_test *test, uint32_t k, bool *assumed);

/* Whether the task at place h can be in the way of that at place k there. */
static inline bool rtgpu_test_meet(
	const struct rtgpu_test *test, uint32_t h, uint32_t k, enum chain_resource on)
{
	return on != CHAIN_ON_CPU || test->task[h].chain->core == test->task[k].chain->core;
}

/* What is known of the window of the task at place k. */
static inline struct window_piece *rtgpu_test_piece(
	const struct rtgpu_test *test, uint32_t k, enum chain_resource on)
{
	const struct rtgpu_task *t = &test->task[k];
	return &test->pieces[on][on == CHAIN_ON_CPU ? t->core_from + t->core_above : k];
}

/* Worst-case blocking of one copy by lower tasks (Lemma 5.3). */
int64_t rtgpu_test_blocking(const struct rtgpu_test *test, uint32_t k, enum chain_resource engine);

#endif
