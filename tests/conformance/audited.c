/* tests/conformance/audited.c - see tests/conformance/audited.h. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "policies/registry.h"
#include "runs/run.h"
#include "runs/store.h"
#include "tests/conformance/audited.h"
#include "tests/conformance/subjects.h"

static bool record(const struct run_spec *spec, struct db_writer *w, struct error *err)
{
	struct run *run;
	struct run_result result;
	bool exists;
	if (!run_begin(spec, w, &run, &exists, err))
		return false;
	if (exists)
		return error_set(err, STATUS_INPUT, "a case is there twice");
	enum run_state state;
	while ((state = run_step(run, 10000, err)) == RUN_GOES_ON)
		;
	bool ok = state == RUN_OVER && run_finish(run, &result, err);
	run_destroy(run);
	return ok;
}

static bool record_case(const struct subject *subject, uint64_t seed, uint64_t index, int64_t scenario_id,
        struct db_writer *w, struct error *err)
{
	struct random_case c;
	struct params params;
	subjects_case(subject, seed, index, &c);
	params_default(&params, subject->policy->options);
	struct run_spec spec = {.platform = &c.platform,
	        .set = &c.set,
	        .setup = &c.setup,
	        .policy = subject->policy,
	        .params = &params,
	        .record = RECORD_BLOCKS,
	        .scenario_id = scenario_id,
	        .replication = (int64_t)index};
	bool ok = (!subject->option[0] || params_set(&params, subject->option, subject->value, err)) &&
	          store_platform(w, &c.platform, &spec.platform_id, err) &&
	          store_taskset(w, &c.set, NULL, &spec.taskset_id, err) && record(&spec, w, err);
	random_case_finish(&c);
	return ok;
}

static bool record_all(uint64_t seed, uint64_t cases, struct db_writer *w, struct error *err)
{
	static struct subject subjects[SUBJECTS_MAX];
	const struct scenario_row scenario = {
	        .kind = "scenario", .name = "cases", .text = "", .tool_version = "0"};
	size_t count = subjects_all(subjects);
	int64_t scenario_id;
	bool ok = writer_scenario(w, &scenario, &scenario_id, err);
	for (uint64_t i = 0; ok && i < cases; i++)
		for (size_t k = 0; ok && k < count; k++)
			if (policy_find(subjects[k].policy->name))
				ok = record_case(&subjects[k], seed, i, scenario_id, w, err);
	return ok;
}

bool audited_cases(uint64_t seed, uint64_t cases, struct audit_report *report, struct error *err)
{
	char folder[] = "/tmp/cegsim-audited-XXXXXX", file[sizeof folder + 16];
	*report = (struct audit_report){0};
	if (!mkdtemp(folder))
		return error_set(err, STATUS_IO, "no folder for a recording");
	snprintf(file, sizeof file, "%s/cases.db", folder);
	struct db_writer *w = writer_open(file, false, err);
	bool ok = w && record_all(seed, cases, w, err);
	if (ok)
		ok = writer_finish(w, NULL, err) && audit_file(file, AUDIT_ALL_RUNS, report, err);
	else
		writer_abandon(w, false);
	unlink(file);
	rmdir(folder);
	return ok;
}
