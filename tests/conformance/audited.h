/* tests/conformance/audited.h - runs that are recorded in one file, which is then audited: what the simulator
 * does and what docs/ demands, from the recording alone. */
#ifndef CEGSIM_TESTS_CONFORMANCE_AUDITED_H
#define CEGSIM_TESTS_CONFORMANCE_AUDITED_H

#include "db/audit/audit.h"
#include "runs/run.h"

#define AUDITED_RUNS_MAX 200000

struct audited {
	char file[64]; /* in a folder of its own */
	struct db_writer *writer;
	int64_t scenario_id;
	char (*names)[128]; /* of the runs, in the order of recording; they are numbered from 1 */
	uint32_t runs;
	uint32_t refused; /* of them */
	char error[512];  /* of the first run that ended in one; "": none did */
};

/* Begins a recording. False: *err. */
MUST_CHECK bool audited_begin(struct audited *a, struct error *err);
/* Simulates a run and records it; the ids of *spec are filled in here. A run that ended in an error is no
 * failure of this function; one that is recorded already is left out. */
MUST_CHECK bool audited_run(struct audited *a, struct run_spec *spec, const char *name, struct error *err);
/* A random case under a policy with its options. `stranger`: under a name that the audit does not know, so
 * that it asks what holds of any policy. */
struct subject;
MUST_CHECK bool audited_case(struct audited *a, const struct subject *subject, bool stranger, uint64_t seed,
	uint64_t index, struct error *err);
/* A set of kernels of warps under a scheduler and a manager, to the last instruction. */
struct warp_subject;
MUST_CHECK bool audited_warps(
	struct audited *a, const struct warp_subject *subject, size_t set, struct error *err);
/* Removes what is left of it, whatever came of it. */
void audited_finish(struct audited *a);
/* Ends, audits and finishes it; returns the number of findings. Fails the test if that cannot be done. With
 * `tell` each broken law is printed with its first finding and the run that it is of, and a run that ended in
 * an error fails the test, too; else the laws' names alone are printed. What each law was checked on is added
 * to *checked, unless it is NULL. */
uint64_t audited_findings(struct audited *a, bool tell, struct audit_report *checked);

#endif
