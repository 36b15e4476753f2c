/* runs/provenance/provenance.h - is a recording of what its scenario says, and are its verdicts those
 * of its policies?
 *
 * Two laws that stand beside those of db/audit/, for which the simulator's own readers, generators and
 * policies are asked again: they tell what a recording is of, not whether these are right. `scenario-rows`:
 * the stored text of the scenario is read again (of a campaign: each set is generated again) and gives the
 * recorded platform, set, setups and policies. `verdict`: each policy makes its plan again, and refuses,
 * warns, ranks and gives SMs as recorded. What plug-ins that are not loaded do is not known. docs/audit.md
 * says what users see. */
#ifndef CEGSIM_RUNS_PROVENANCE_PROVENANCE_H
#define CEGSIM_RUNS_PROVENANCE_PROVENANCE_H

#include "db/audit/audit.h"

/* Like audit_law_at(), of these two. */
bool provenance_law_at(size_t i, struct audit_result *law);

/* Adds the two laws to the report of audit_file() on the same file and run. False with the error: unreadable,
 * or out of memory; the report is to be finished in either case. */
MUST_CHECK bool provenance_check(
	const char *path, int64_t run_id, struct audit_report *report, struct error *err);

#endif
