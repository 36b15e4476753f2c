/* models/releases.c - see models/releases.h. */
#include "models/releases.h"

#include "base/checked.h"
#include "base/random.h"

const struct release_rule *release_rule_of(const struct run_setup *setup, const struct task *task)
{
	return task->release ? task->release : &setup->release;
}

int64_t release_first(const struct release_rule *rule, const struct task *task)
{
	if (rule->kind == RELEASE_TRACE)
		return rule->trace_count ? rule->trace_ns[0] : INT64_MAX;
	return task->offset_ns;
}

/* U{0 .. floor(max_delay * T)}, a new draw for each job. */
static int64_t extra_separation(const struct run_setup *setup, const struct release_rule *rule,
	const struct task *task, uint32_t task_index, uint32_t job)
{
	int128 most = (int128)rule->max_delay_ppm * task->period_ns / 1000000;
	const struct random_key key = {
		.seed = setup->seed,
		.set = setup->set,
		.task = task_index,
		.job = job,
		.purpose = RANDOM_SEPARATION,
	};
	return random_upto(&key, most > INT64_MAX / 2 ? INT64_MAX / 2 : (int64_t)most);
}

int64_t release_next(const struct run_setup *setup, const struct release_rule *rule, const struct task *task,
	uint32_t task_index, uint32_t job, int64_t previous_ns)
{
	if (rule->kind == RELEASE_TRACE)
		return job < rule->trace_count ? rule->trace_ns[job] : INT64_MAX;
	int64_t release;
	if (!checked_add(previous_ns, task->period_ns, &release))
		return INT64_MAX;
	if (rule->kind == RELEASE_SPORADIC && rule->max_delay_ppm > 0 &&
		!checked_add(release, extra_separation(setup, rule, task, task_index, job), &release))
		return INT64_MAX;
	return release;
}
