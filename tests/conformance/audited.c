/* tests/conformance/audited.c - see tests/conformance/audited.h. */
#include "tests/conformance/audited.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "policies/registry.h"
#include "runs/run.h"
#include "runs/store.h"
#include "tests/conformance/subjects.h"

/* Runs are numbered in the order of recording, from 1. */
#define RUNS_MAX 100000
static char names[RUNS_MAX][128];
static uint32_t recorded;
static char first_error[512]; /* of a run that ended in one; "": none did */

const char *audited_error(void)
{
	return first_error[0] ? first_error : NULL;
}

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
		snprintf(names[recorded++], sizeof(names[0]), "%.100s, case %lld", label,
			(long long)spec->replication);
	if (ok && result.status == RUN_ERROR && !first_error[0])
		snprintf(first_error, sizeof(first_error), "%.120s, case %lld: %.300s", label,
			(long long)spec->replication, result.reason);
	return ok;
}

struct recording_of {
	enum audited_as as;
	uint64_t seed;
	int64_t scenario_id;
	struct db_writer *writer;
};

/* The policy itself, or one that plans and decides as it does, of a name that nobody knows. */
static const struct policy *named(const struct recording_of *r, const struct policy *policy,
	struct policy *stranger, char *name, size_t size)
{
	if (r->as == AS_THEMSELVES)
		return policy;
	snprintf(name, size, "a-stranger-%s", policy->name);
	*stranger = *policy;
	stranger->name = name;
	return stranger;
}

static bool record_case(
	const struct recording_of *r, const struct subject *subject, uint64_t index, struct error *err)
{
	struct random_case c;
	struct params params;
	struct policy stranger;
	char name[64];
	struct db_writer *w = r->writer;
	subjects_case(subject, r->seed, index, &c);
	struct run_spec spec = {
		.platform = &c.platform,
		.set = &c.set,
		.setup = &c.setup,
		.policy = named(r, subject->policy, &stranger, name, sizeof(name)),
		.params = &params,
		.record = RECORD_BLOCKS,
		.scenario_id = r->scenario_id,
		.replication = (int64_t)index,
	};
	bool ok = subjects_params(subject, &c.platform, &c.set, &params, err) &&
		  store_platform(w, &c.platform, &spec.platform_id, err) &&
		  store_taskset(w, &c.set, NULL, &spec.taskset_id, err) &&
		  record(&spec, subject->label, w, err);
	random_case_finish(&c);
	return ok;
}

static bool record_all(struct recording_of *r, uint64_t cases, struct error *err)
{
	static struct subject subjects[SUBJECTS_MAX];
	const struct scenario_row scenario = {
		.kind = "scenario", .name = "cases", .text = "", .tool_version = "0"};
	size_t count = subjects_all(subjects);
	bool ok = writer_scenario(r->writer, &scenario, &r->scenario_id, err);
	for (uint64_t i = 0; ok && i < cases; i++)
		for (size_t k = 0; ok && k < count; k++)
			if (r->as == AS_STRANGERS || policy_find(subjects[k].policy->name))
				ok = record_case(r, &subjects[k], i, err);
	return ok;
}

bool audited_cases(
	enum audited_as as, uint64_t seed, uint64_t cases, struct audit_report *report, struct error *err)
{
	char folder[] = "/tmp/cegsim-audited-XXXXXX", file[sizeof(folder) + 16];
	struct recording_of r = {.as = as, .seed = seed};
	*report = (struct audit_report){0};
	recorded = 0;
	first_error[0] = '\0';
	if (!mkdtemp(folder))
		return error_set(err, STATUS_IO, "no folder for a recording");
	snprintf(file, sizeof(file), "%s/cases.db", folder);
	struct db_writer *w = r.writer = writer_open(file, false, err);
	bool ok = w && record_all(&r, cases, err);
	if (ok)
		ok = writer_finish(w, NULL, err) && audit_file(file, AUDIT_ALL_RUNS, report, err);
	else
		writer_abandon(w, false);
	unlink(file);
	rmdir(folder);
	return ok;
}
