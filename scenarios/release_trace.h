/* scenarios/release_trace.h - release instants, and lengths of segments, from a CSV file.
 *
 * The columns are task, seq, release and, if lengths are given, segment and duration; base/csv.h reads them.
 * Numbers without a unit are in the scenario's time_unit. Each task's jobs count from 0 without a gap, and
 * their releases do not decrease. */
#ifndef CEGSIM_SCENARIOS_RELEASE_TRACE_H
#define CEGSIM_SCENARIOS_RELEASE_TRACE_H

#include "scenarios/binder.h"
#include "scenarios/tables.h"

#define TRACE_ROWS_MAX 4000000u /* and jobs */

struct trace_row;
struct release_trace {
	struct trace_row *rows; /* sorted by task, job, segment */
	uint32_t count;
};

/* Reads the file at `path` for the tasks of `d`. Errors are reported at `at`, the place where the scenario
 * names the file, each with its own file:line:col in front. False: there were errors. */
MUST_CHECK bool release_trace_read(struct release_trace *t, struct binder *b, const struct node *at,
	const char *path, const struct description *d);
void release_trace_finish(struct release_trace *t);

/* Fills in the rule of one task (by its index), from the arena. Without rows the task has no jobs. */
MUST_CHECK bool release_trace_rule(
	const struct release_trace *t, struct binder *b, uint32_t task, struct release_rule *rule);

#endif
