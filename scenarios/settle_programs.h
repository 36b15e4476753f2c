/* scenarios/settle_programs.h - makes the programs of warps of a set of tasks from what a scenario says in
 * `programs:` and of its kernels. */
#ifndef CEGSIM_SCENARIOS_SETTLE_PROGRAMS_H
#define CEGSIM_SCENARIOS_SETTLE_PROGRAMS_H

#include "scenarios/binder.h"
#include "scenarios/scenario.h"
#include "scenarios/tables.h"

/* Fills in s->set.programs from its tasks, whose defects are told through `report`. `sound`: no task is
 * missing for its errors. False: errors were reported. */
bool settle_programs(struct binder *b, const struct node *root, const struct programs_entry *entry,
	bool sound, struct scenario *s, taskset_report_fn *report, void *self);

#endif
