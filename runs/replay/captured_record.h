/* runs/replay/captured_record.h - a replayed profile as an ordinary recording: the work of a unit as the text
 * of a scenario, and what the GPU did as rows of `measured`. The scenario has everything in it that the
 * simulation of captured_run() had, so its run is the same, to the nanosecond, and can be repeated and
 * audited. */
#ifndef CEGSIM_RUNS_REPLAY_CAPTURED_RECORD_H
#define CEGSIM_RUNS_REPLAY_CAPTURED_RECORD_H

#include "base/text.h"
#include "db/rows.h"
#include "runs/replay/captured.h"

/* Appends the scenario: an operation is a task of one job. */
MUST_CHECK bool captured_scenario(const struct captured *c, const struct captured_unit *unit,
	const char *name, struct text *out, struct error *err);

/* rows[unit->count]: of task i, in the time of the run. The reason is NULL where the call is not known. */
void captured_measured(const struct captured *c, const struct captured_unit *unit, struct measured_row *rows);

#endif
