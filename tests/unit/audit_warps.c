/* tests/unit/audit_warps.c - the scenario of the audit's tests of warps, and the changes to its
 * recordings. */
#include "tests/unit/audit_warps.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runs/run.h"
#include "runs/store.h"
#include "scenarios/scenario.h"
#include "tests/support/test.h"
#include "tests/unit/db_sample.h"

/* "loads" has a goal above what it gets, "sums" has no goal, "once" comes after it in its stream. "late" has
 * a period and a deadline, is launched while the others run, and is an application. */
static const char scenario[] =
	"cegsim: 1\n"
	"name: warps\n"
	"horizon: 3000ns\n"
	"stop: horizon\n"
	"seed: 11\n"
	"platform:\n"
	"  gpu: {sms: 5, threads_per_sm: 288, registers_per_sm: 8192, shared_memory_per_sm: 4096}\n"
	"  power: {static: 5uW}\n"
	"warp:\n"
	"  sub_cores: 2\n"
	"  memory: {bandwidth: 64, dram: 60, l2: 30, l1: 12}\n"
	"  kernels:\n"
	"    - name: loads\n"
	"      blocks: 60\n"
	"      block_threads: 60\n"
	"      registers: 16\n"
	"      shared_memory: 512\n"
	"      program:\n"
	"        - loop:\n"
	"            times: 2\n"
	"            body:\n"
	"              - load: {count: 2, l1_hit: 0.5, l2_hit: 0.5, coalescing: 0.9}\n"
	"              - compute: {unit: fp, count: 3, first: 1, distance: 2}\n"
	"              - barrier\n"
	"        - shared_load: {count: 2}\n"
	"        - store: {first: 1, threads: 20}\n"
	"      launch: 3\n"
	"      repeat: true\n"
	"      goal: {ipc: 90}\n"
	"    - name: sums\n"
	"      blocks: 12\n"
	"      block_threads: 64\n"
	"      registers: 8\n"
	"      program: [{compute: {count: 8, distance: 1, first: 1}}, {compute: {unit: sfu, count: 2}},"
	" {load: {l2_hit: 0.5}}, {compute: {first: 1}}]\n"
	"      repeat: true\n"
	"    - name: once\n"
	"      blocks: 4\n"
	"      block_threads: 96\n"
	"      launch: 20\n"
	"      stream: 1\n"
	"      program: [{compute: {count: 20}}, {shared_store: {}}]\n"
	"    - name: late\n"
	"      blocks: 3\n"
	"      block_threads: 32\n"
	"      launch: 310\n"
	"      period: 900\n"
	"      deadline: 150ns\n"
	"      stream_priority: high\n"
	"      program: [{load: {l1_hit: 1}}, {compute: {count: 30, first: 1}}]\n"
	"      then: [{blocks: 2, block_threads: 64, registers: 4, program: [{load: {l1_hit: 0.5, count: 4}},"
	" {compute: {count: 5}}]}]\n"
	"policies:\n"
	"  - {name: gto, manager: rollover, epoch: 250, samples: 10}\n"
	"  - {name: lrr}\n"
	"  - {name: lrr, rotate: cycle}\n"
	"  - {name: oldest, manager: elastic, epoch: 300}\n"
	"  - {name: two-level, active: 2, manager: naive, epoch: 250}\n"
	"  - {name: qaws, budgets: [1, 3, 3, 1]}\n"
	"  - {name: gto, manager: spart, epoch: 250}\n"
	"  - {name: lrr, manager: history, blocks: fill, epoch: 250}\n"
	"  - {name: gto, manager: rollover-time, epoch: 250, swap: free}\n"
	"  - {name: two-level, active: 2, inner: gto, manager: naive, epoch: 250}\n";

static void must(bool ok, const struct error *err)
{
	if (!ok)
		fail_msg("%s", err->text);
}

static void run_one(struct db_writer *w, const struct run_spec *spec)
{
	struct error err;
	struct run *run;
	struct run_result result;
	enum run_state state;
	bool exists;
	must(run_begin(spec, w, &run, &exists, &err), &err);
	while ((state = run_step(run, 100000, &err)) == RUN_GOES_ON)
		;
	must(state == RUN_OVER && run_finish(run, &result, &err), &err);
	assert_int_equal(result.status, RUN_OK);
	run_destroy(run);
}

const char *warps_recording(const char *level)
{
	static const char *const levels[] = {"summary", "jobs", "segments", "blocks", "issues"};
	static char file[512];
	struct scenario s;
	struct diagnostics said;
	struct error err;
	char name[64];
	uint32_t record = 0;
	while (strcmp(levels[record], level) != 0)
		record++;
	snprintf(name, sizeof(name), "warps-%s.db", level);
	snprintf(file, sizeof(file), "%s", sample_path(name));
	diagnostics_init(&said, "warps.yaml");
	if (!scenario_read_text("warps.yaml", scenario, strlen(scenario), &s, &said)) {
		diagnostics_print(&said, stderr);
		fail_msg("the scenario is wrong");
	}
	struct run_spec spec = {
		.platform = &s.platform,
		.set = &s.set,
		.setup = &s.setup,
		.record = (enum record_level)record,
	};
	const struct scenario_row row = {
		.kind = "scenario", .name = s.name, .text = s.text, .tool_version = "0"};
	struct db_writer *w = writer_open(file, true, &err);
	must(w && writer_scenario(w, &row, &spec.scenario_id, &err) &&
			store_platform(w, &s.platform, &spec.platform_id, &err) &&
			store_taskset(w, &s.set, NULL, &spec.taskset_id, &err),
		&err);
	assert_int_equal(s.policy_count, WARP_RUNS_END - 1);
	for (uint32_t i = 0; i < s.policy_count; i++) {
		spec.policy = s.policies[i].policy;
		spec.params = &s.policies[i].params;
		run_one(w, &spec);
	}
	must(writer_finish(w, NULL, &err), &err);
	scenario_finish(&s);
	diagnostics_finish(&said);
	return file;
}

void warps_recordings_end(void)
{
	sample_clean();
}

static void copy(const char *from, const char *to)
{
	FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
	char buffer[1 << 16];
	size_t size;
	assert_true(in && out);
	while ((size = fread(buffer, 1, sizeof(buffer), in)) > 0)
		assert_int_equal(fwrite(buffer, 1, size, out), size);
	fclose(in);
	assert_int_equal(fclose(out), 0);
}

static void spoil(const char *file, const char *sql, int64_t run)
{
	sqlite3 *db;
	char *text = sqlite3_mprintf("CREATE TEMP TABLE chosen AS SELECT %lld AS run;", run);
	char *message = NULL;
	assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
	int before = sqlite3_total_changes(db);
	if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
		fail_msg("%s: %s", sql, message);
	if (sqlite3_total_changes(db) == before)
		fail_msg("changes nothing: %s", sql);
	sqlite3_free(text);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

void warps_audit(const char *recording, const char *sql, int64_t run, struct audit_report *report)
{
	char file[512];
	struct error err;
	snprintf(file, sizeof(file), "%s", sample_path("spoiled.db"));
	copy(recording, file);
	if (sql)
		spoil(file, sql, run);
	must(audit_file(file, run, report, &err), &err);
}

/* Does the law find something, with `words` in the text? */
static bool found(const char *recording, const struct warp_defect *d)
{
	struct audit_report report;
	const char *first = NULL;
	warps_audit(recording, d->sql, d->run, &report);
	for (size_t i = 0; i < report.count; i++) {
		if (strcmp(report.results[i].law, d->law) == 0)
			first = report.results[i].first;
	}
	bool told = first && strstr(first, d->words);
	if (!told)
		print_error("%s (%s)\n  says: %s\n  without: %s\n", d->law, d->sql, first ? first : "nothing",
			d->words);
	audit_report_finish(&report);
	return told;
}

void assert_warp_defects_found(const char *level, const struct warp_defect *defects, size_t count)
{
	const char *recording = warps_recording(level);
	size_t missed = 0;
	for (size_t i = 0; i < count; i++)
		missed += !found(recording, &defects[i]);
	assert_int_equal(missed, 0);
}
