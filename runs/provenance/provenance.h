/* runs/provenance/provenance.h - does a recording match its stored scenario, and its verdicts those of its
 * policies?
 *
 * There are two laws in addition to those of db/audit/. They use the simulator's own readers, generators and
 * policies: so they tell whether the recording matches its inputs, not whether this code is right.
 * `scenario-rows`: the stored text of the scenario is read again (of a campaign: each set is generated again)
 * and gives the recorded platform, set, setups and policies. `verdict`: each policy makes its plan again, and
 * refuses, warns, ranks and gives SMs as recorded. Plug-ins that are not loaded cannot be checked.
 * docs/audit.md describes the laws for users. */
#ifndef CEGSIM_RUNS_PROVENANCE_PROVENANCE_H
#define CEGSIM_RUNS_PROVENANCE_PROVENANCE_H

#include "db/audit/audit.h"

/* Like audit_law_at(), for these two laws. */
bool provenance_law_at(size_t i, struct audit_result *law);

/* Adds the two laws to the report of audit_recording() for the same reader and run. False with the error: it
 * cannot be read, or out of memory. The report must be finished either way. */
MUST_CHECK bool provenance_check(
	struct db_reader *reader, int64_t run_id, struct audit_report *report, struct error *err);

#endif
