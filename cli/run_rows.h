/* cli/run_rows.h - what `cegsim run` prints of one task of a run: its row, and whether its limit of misses
 * ({at_most: m, in: k}) was broken. */
#ifndef CEGSIM_CLI_RUN_ROWS_H
#define CEGSIM_CLI_RUN_ROWS_H

#include "cli/table/table.h"
#include "models/taskset.h"
#include "models/warps/simulation.h"
#include "runs/statistics.h"

/* From the task's name on. */
void row_of_task(struct table *t, const struct task *task, const struct task_statistics *s);
void row_of_kernel(struct table *t, const struct task *task, const struct task_statistics *s,
	const struct warp_kernel_result *k);

/* Whether a task has missed more than its limit allows, or at all if it has none. */
bool miss_limit_broken(const struct task *task, const struct task_statistics *s);
/* Prints a line for each limit of the run that was broken; `who`: scenario and policy. */
void miss_limits_print(const char *who, const struct taskset *set, const struct task_statistics *tasks);

#endif
