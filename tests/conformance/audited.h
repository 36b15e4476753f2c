/* tests/conformance/audited.h - runs recorded in one file, which is then audited. The audit sees only the
 * recording, and checks it against what docs/ demands. */
#ifndef CEGSIM_TESTS_CONFORMANCE_AUDITED_H
#define CEGSIM_TESTS_CONFORMANCE_AUDITED_H

#include "db/audit/audit.h"
#include "runs/run.h"

#define AUDITED_RUNS_MAX 200000

struct audited {
	char file[64]; /* in a folder of its own */
	struct db_writer *writer;
	int64_t scenario_id;
	char (*names)[128]; /* of the runs, in the order of recording; run numbers begin at 1 */
	uint32_t runs;
	uint32_t refused; /* runs that the policy refused */
	char error[512];  /* of the first run that ended in an error; "": none did */
};

/* Begins a recording. False: *err. */
MUST_CHECK bool audited_begin(struct audited *a, struct error *err);
/* Simulates a run and records it; fills in the ids of *spec. A run that ends in an error does not make this
 * function fail. A run that is recorded already is skipped. */
MUST_CHECK bool audited_run(struct audited *a, struct run_spec *spec, const char *name, struct error *err);
/* Makes the random case of this number that audited_case() runs; random_case_finish() frees it. */
struct subject;
struct random_case;
void audited_case_make(const struct subject *subject, uint64_t seed, uint64_t index, struct random_case *c);
/* Runs a random case under a policy with its options. `stranger`: the policy gets a name that the audit does
 * not know, so the audit only asks what holds for any policy. */
MUST_CHECK bool audited_case(struct audited *a, const struct subject *subject, bool stranger, uint64_t seed,
	uint64_t index, struct error *err);
/* Runs a set of kernels of warps under a scheduler and a manager, and records every instruction. */
struct warp_subject;
MUST_CHECK bool audited_warps(
	struct audited *a, const struct warp_subject *subject, size_t set, struct error *err);
/* What the program computes itself (v_why, v_wait_sum, v_lane_busy, v_sm_busy) against the views of these
 * names in the file: fails the test unless the rows are the same. */
struct db_reader;
void audited_views(struct db_reader *reader);
/* Removes the files and frees the memory, also after a failure. */
void audited_finish(struct audited *a);
/* Ends the recording, audits it and frees everything; returns the number of findings. Fails the test if this
 * cannot be done. With `tell`, prints each broken law with its first finding and the run that it is about; a
 * run that ended in an error then also fails the test. Without, prints only the names of broken laws. Adds to
 * *checked how often each law was checked, unless it is NULL. */
uint64_t audited_findings(struct audited *a, bool tell, struct audit_report *checked);

#endif
