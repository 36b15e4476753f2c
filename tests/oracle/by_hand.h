/* tests/oracle/by_hand.h - task sets written out in a test, and checks of their schedules. Include it after
 * cmocka.h. */
#ifndef CEGSIM_TESTS_ORACLE_BY_HAND_H
#define CEGSIM_TESTS_ORACLE_BY_HAND_H

#include "tests/oracle/oracle.h"
#include "tests/support/test.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define SET(array)                                                                                           \
	{                                                                                                    \
		.tasks = (array), .task_count = (uint32_t)COUNT(array)                                       \
	}
#define TASK(period, deadline, list)                                                                         \
	{                                                                                                    \
		.period_ns = (period), .deadline_ns = (deadline), .segments = (list),                        \
		.segment_count = (uint32_t)COUNT(list)                                                       \
	}

#define CPU(t)                                                                                               \
	{                                                                                                    \
		.kind = SEGMENT_CPU, .best_ns = (t), .worst_ns = (t), .stream = STREAM_OWN                   \
	}
#define COPY(d, t)                                                                                           \
	{                                                                                                    \
		.kind = SEGMENT_COPY, .best_ns = (t), .worst_ns = (t), .stream = STREAM_OWN, .bytes = -1,    \
		.direction = (d)                                                                             \
	}
#define GRID_ON(which, high, g, b, t)                                                                        \
	{                                                                                                    \
		.kind = SEGMENT_KERNEL, .form = KERNEL_GRID, .grid = (g), .block = (b), .best_ns = (t),      \
		.worst_ns = (t), .stream = (which), .stream_high = (high)                                    \
	}
#define GRID(g, b, t) GRID_ON(STREAM_OWN, false, g, b, t)
#define WORK(best, worst)                                                                                    \
	{                                                                                                    \
		.kind = SEGMENT_KERNEL, .form = KERNEL_WORK, .best_ns = (best), .worst_ns = (worst),         \
		.stream = STREAM_OWN                                                                         \
	}

static inline struct platform gpu_pool(uint32_t threads)
{
	return (struct platform){
		.cores = 1,
		.engines = 1,
		.pool = POOL_GPU,
		.sms = 1,
		.sms_per_tpc = 1,
		.threads_per_sm = threads,
		.work_queues = 32,
	};
}

static inline struct run_setup until(int64_t horizon)
{
	return (struct run_setup){.horizon_ns = horizon, .limit_ns = 100 * horizon};
}

static inline struct oracle_result *run_label(const struct taskset *set, const struct platform *platform,
	const struct run_setup *setup, const char *label)
{
	const struct oracle_policy *policy = oracle_policy_find(label);
	assert_non_null(policy);
	return oracle_run(set, platform, setup, policy, NULL);
}

static inline const struct oracle_job *job_of(const struct oracle_result *r, uint32_t task, uint32_t seq)
{
	for (size_t i = 0; i < r->job_count; i++) {
		if (r->jobs[i].task == task && r->jobs[i].seq == seq)
			return &r->jobs[i];
	}
	fail_msg("no job %u of task %u", seq, task);
	return NULL;
}

static inline int64_t response(const struct oracle_result *r, uint32_t task, uint32_t seq)
{
	const struct oracle_job *job = job_of(r, task, seq);
	assert_int_equal(job->state, ORACLE_FINISHED);
	return job->finish - job->release;
}

static inline const struct oracle_block *block_of(
	const struct oracle_result *r, uint32_t task, uint32_t seq, uint32_t block)
{
	for (size_t i = 0; i < r->block_count; i++) {
		const struct oracle_block *b = &r->blocks[i];
		if (b->task == task && b->seq == seq && b->block == block)
			return b;
	}
	fail_msg("no block %u of job %u of task %u", block, seq, task);
	return NULL;
}

static inline void expect_blocks(const struct oracle_result *r, uint32_t task, uint32_t seq, uint32_t first,
	uint32_t last, int64_t start, int64_t end)
{
	for (uint32_t b = first; b <= last; b++) {
		assert_int_equal(block_of(r, task, seq, b)->start, start);
		assert_int_equal(block_of(r, task, seq, b)->end, end);
	}
}

static inline void expect_interval(const struct oracle_result *r, size_t i, uint32_t task,
	enum oracle_activity activity, int64_t start, int64_t end)
{
	assert_true(i < r->interval_count);
	assert_int_equal(r->intervals[i].task, task);
	assert_int_equal(r->intervals[i].activity, activity);
	assert_int_equal(r->intervals[i].start, start);
	assert_int_equal(r->intervals[i].end, end);
}

#endif
