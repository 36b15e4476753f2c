/* models/releases.h - when jobs are released: periodic, sporadic, from a trace, or with jitter; and when they
 * are due. Jobs of tasks that others release (RELEASE_AFTER) have no such instants: models/triggers.c. */
#ifndef CEGSIM_MODELS_RELEASES_H
#define CEGSIM_MODELS_RELEASES_H

#include "models/setup.h"
#include "models/taskset.h"

/* Release of job 0; SIM_NEVER (INT64_MAX): the task has no jobs. */
int64_t release_first(const struct run_setup *setup, const struct release_rule *rule, const struct task *task,
	uint32_t task_index);

/* Release of job `job` >= 1, given that of the job before it: a pure function, so that waiting
 * jobs need not be stored. INT64_MAX: there is no such job. */
int64_t release_next(const struct run_setup *setup, const struct release_rule *rule, const struct task *task,
	uint32_t task_index, uint32_t job, int64_t previous_ns);

/* The absolute deadline of a job released at release_ns. It counts from the release, with jitter from the
 * nominal instant, and is below INT64_MAX. */
int64_t release_deadline(
	const struct release_rule *rule, const struct task *task, uint32_t job, int64_t release_ns);

/* The rule that holds for a task: its own, else the run's. */
const struct release_rule *release_rule_of(const struct run_setup *setup, const struct task *task);

#endif
