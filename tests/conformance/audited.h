/* tests/conformance/audited.h - random cases under the registered policies, recorded and audited. */
#ifndef CEGSIM_TESTS_CONFORMANCE_AUDITED_H
#define CEGSIM_TESTS_CONFORMANCE_AUDITED_H

#include "audit/audit.h"

/* Runs `cases` cases under every registered policy and every choice of its options, records them block by
 * block in a file that is gone afterwards, and audits it. False: *err. The report is the caller's to finish.
 */
MUST_CHECK bool audited_cases(uint64_t seed, uint64_t cases, struct audit_report *report, struct error *err);
/* Which case under which subject the run is that a finding of the last report names ("run 7, ..."). */
const char *audited_name(const char *finding);

#endif
