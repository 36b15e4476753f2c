/* runs/load.h - reads a recorded run back into the structs of the models: the inverse of runs/store.h. So a
 * run can be repeated from its recording alone. */
#ifndef CEGSIM_RUNS_LOAD_H
#define CEGSIM_RUNS_LOAD_H

#include "db/reader.h"
#include "db/rows.h"
#include "models/params.h"
#include "models/platform.h"
#include "models/policy.h"
#include "models/setup.h"
#include "models/taskset.h"

struct loaded_run {
	int64_t run_id, replication;
	int64_t events, stop_ns; /* of the run; -1: none were recorded */
	struct platform platform;
	struct taskset set; /* its arena owns the traces, too */
	struct run_setup setup;
	const struct policy *policy;
	struct params params;
	int64_t policy_version; /* as recorded; policy->version is that of this program */
	char plugin[17];        /* digest of the policy's plug-in; "": it has none */
	enum record_level record;
	char status[16];
	char digest[17];       /* "": none was recorded */
	bool digest_of_events; /* it is the digest of events alone, as in recordings before version 3 */
};

/* False: *err, such as a policy that this program does not have, or whose plug-in is not loaded; then
 * loaded_run_finish() is not needed. */
MUST_CHECK bool load_run(struct db_reader *reader, int64_t run_id, struct loaded_run *run, struct error *err);
/* Reads a task set of a recording on one of its platforms, with one of its policies (policy_id 0: none),
 * whether run or not. The setup is a default one, and run_id is 0. */
MUST_CHECK bool load_subject(struct db_reader *reader, int64_t taskset_id, int64_t platform_id,
	int64_t policy_id, struct loaded_run *run, struct error *err);
void loaded_run_finish(struct loaded_run *run); /* accepts a zeroed one */

#endif
