/* models/releases.c - see models/releases.h. */
#include "models/releases.h"

#include "base/checked.h"
#include "base/random.h"

const struct release_rule *release_rule_of(const struct run_setup *setup, const struct task *task)
{
	return task->release ? task->release : &setup->release;
}

/* U{0 .. most}, a new draw for each job. */
static int64_t draw(const struct run_setup *setup, uint32_t task_index, uint32_t job,
	enum random_purpose purpose, int64_t most)
{
	const struct random_key key = {
		.seed = setup->seed,
		.set = setup->set,
		.task = task_index,
		.job = job,
		.purpose = (uint8_t)purpose,
	};
	return random_upto(&key, most);
}

/* U{0 .. floor(max_delay * T)} */
static int64_t extra_separation(const struct run_setup *setup, const struct release_rule *rule,
	const struct task *task, uint32_t task_index, uint32_t job)
{
	int128 most = (int128)rule->max_delay_ppm * task->period_ns / 1000000;
	return draw(setup, task_index, job, RANDOM_SEPARATION,
		most > INT64_MAX / 2 ? INT64_MAX / 2 : (int64_t)most);
}

/* Where a periodic task would release the job; INT64_MAX: no such instant. */
static int64_t nominal(const struct task *task, uint32_t job)
{
	int64_t at;
	return checked_mul(task->period_ns, job, &at) && checked_add(at, task->offset_ns, &at) ? at
											       : INT64_MAX;
}

/* The jitter is at most the period (taskset_check()), so the jobs stay in order. */
static int64_t release_late(const struct run_setup *setup, const struct release_rule *rule,
	const struct task *task, uint32_t task_index, uint32_t job)
{
	int64_t at = nominal(task, job);
	return checked_add(at, draw(setup, task_index, job, RANDOM_JITTER, rule->jitter_ns), &at) ? at
												  : INT64_MAX;
}

int64_t release_first(const struct run_setup *setup, const struct release_rule *rule, const struct task *task,
	uint32_t task_index)
{
	if (rule->kind == RELEASE_TRACE)
		return rule->trace_count ? rule->trace_ns[0] : INT64_MAX;
	if (rule->kind == RELEASE_AFTER)
		return INT64_MAX;
	if (rule->kind == RELEASE_JITTER)
		return release_late(setup, rule, task, task_index, 0);
	return task->offset_ns;
}

int64_t release_next(const struct run_setup *setup, const struct release_rule *rule, const struct task *task,
	uint32_t task_index, uint32_t job, int64_t previous_ns)
{
	if (rule->kind == RELEASE_TRACE)
		return job < rule->trace_count ? rule->trace_ns[job] : INT64_MAX;
	if (rule->kind == RELEASE_AFTER)
		return INT64_MAX;
	if (rule->kind == RELEASE_JITTER)
		return release_late(setup, rule, task, task_index, job);
	int64_t release;
	if (!checked_add(previous_ns, task->period_ns, &release))
		return INT64_MAX;
	if (rule->kind == RELEASE_SPORADIC && rule->max_delay_ppm > 0 &&
		!checked_add(release, extra_separation(setup, rule, task, task_index, job), &release))
		return INT64_MAX;
	return release;
}

int64_t release_deadline(
	const struct release_rule *rule, const struct task *task, uint32_t job, int64_t release_ns)
{
	int64_t from = rule->kind == RELEASE_JITTER ? nominal(task, job) : release_ns, deadline;
	return checked_add(from, task->deadline_ns, &deadline) ? deadline : INT64_MAX - 1;
}
