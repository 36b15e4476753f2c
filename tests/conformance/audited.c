/* tests/conformance/audited.c - see tests/conformance/audited.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "policies/registry.h"
#include "runs/run.h"
#include "runs/store.h"
#include "tests/conformance/audited.h"
#include "tests/conformance/subjects.h"

/* Runs are numbered in the order of recording, from 1. */
#define RUNS_MAX 100000
static char names[RUNS_MAX][128];
static uint32_t recorded;

const char *audited_name(const char *finding)
{
	unsigned long run = 0;
	const char *at = strstr(finding, "run ");
	if (at)
		run = strtoul(at + 4, NULL, 10);
	return run > 0 && run <= recorded ? names[run - 1] : "?";
}

static bool record(const struct run_spec *spec, const char *label, struct db_writer *w, struct error *err)
{
	struct run *run;
	struct run_result result;
	bool exists;
	if (!run_begin(spec, w, &run, &exists, err))
		return false;
	if (exists)
		return true; /* on one SM, say, two allocations are the same */
	enum run_state state;
	while ((state = run_step(run, 10000, err)) == RUN_GOES_ON)
		;
	bool ok = state == RUN_OVER && run_finish(run, &result, err);
	run_destroy(run);
	if (recorded < RUNS_MAX)
		snprintf(names[recorded++], sizeof names[0], "%.100s, case %lld", label,
		        (long long)spec->replication);
	return ok && (result.status != RUN_ERROR || error_set(err, STATUS_INPUT, "%s", result.reason));
}

static bool record_case(const struct subject *subject, uint64_t seed, uint64_t index, int64_t scenario_id,
        struct db_writer *w, struct error *err)
{
	struct random_case c;
	struct params params;
	subjects_case(subject, seed, index, &c);
	struct run_spec spec = {.platform = &c.platform,
	        .set = &c.set,
	        .setup = &c.setup,
	        .policy = subject->policy,
	        .params = &params,
	        .record = RECORD_BLOCKS,
	        .scenario_id = scenario_id,
	        .replication = (int64_t)index};
	bool ok = subjects_params(subject, &c.platform, &c.set, &params, err) &&
	          store_platform(w, &c.platform, &spec.platform_id, err) &&
	          store_taskset(w, &c.set, NULL, &spec.taskset_id, err) &&
	          record(&spec, subject->label, w, err);
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
	recorded = 0;
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
