/* scenarios/task_names.h - the tasks of a scenario file by their names: whatever names tasks, `after`,
 * chains, CSV files, finds them here, in a time of the logarithm of the tasks, and marks whom a list has
 * named. */
#ifndef CEGSIM_SCENARIOS_TASK_NAMES_H
#define CEGSIM_SCENARIOS_TASK_NAMES_H

#include "base/name_index.h"
#include "scenarios/tables.h"

struct task_names {
	const struct task_entry *tasks; /* those of the file, which stay where they are */
	uint32_t task_count;
	struct name_index index;
	uint64_t *marked; /* a bit for each task of the file */
};

/* False: out of memory. Finish it either way. */
MUST_CHECK bool task_names_init(struct task_names *n, const struct task_entry *tasks, uint32_t count);
void task_names_finish(struct task_names *n);

/* The index of the task of that name, of several the first; UINT32_MAX: there is none. */
uint32_t task_names_find(struct task_names *n, const char *name);
/* What to say of a name that no task has, as suggestion_text(). It looks at all tasks. */
const char *task_names_hint(struct task_names *n, const char *name, char buffer[SUGGESTION_TEXT_MAX]);

/* Marks a task of the file; whether it had been. */
bool task_names_mark(struct task_names *n, uint32_t task);
void task_names_unmark(struct task_names *n, uint32_t task);

#endif
