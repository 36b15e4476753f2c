/* tests/conformance/audited.h - random cases under policies, recorded and audited. */
#ifndef CEGSIM_TESTS_CONFORMANCE_AUDITED_H
#define CEGSIM_TESTS_CONFORMANCE_AUDITED_H

#include "db/audit/audit.h"

enum audited_as {
	AS_THEMSELVES, /* the registered ones: the audit knows what they promise */
	AS_STRANGERS,  /* all subjects, under names that the audit does not know: it asks what holds of any
			  policy */
};

/* Runs `cases` cases under every policy and every choice of its options, records them block by block in a
 * file that is gone afterwards, and audits it. False: *err. The report is the caller's to finish. */
MUST_CHECK bool audited_cases(
	enum audited_as as, uint64_t seed, uint64_t cases, struct audit_report *report, struct error *err);
/* Which of those runs was the first that ended in an error, and why; NULL: none did. */
const char *audited_error(void);
/* Which case under which subject the run is that a finding of the last report names ("run 7, ..."). */
const char *audited_name(const char *finding);

#endif
