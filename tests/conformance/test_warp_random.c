/* tests/conformance/test_warp_random.c - random runs of warps, recorded to the last instruction: the audit
 * finds nothing.
 *
 *     test_audit_warps_random [CASES [SEED]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/audit/audit.h"
#include "policies/registry.h"
#include "runs/run.h"
#include "runs/store.h"
#include "tests/oracle/warp_random.h"
#include "tests/support/test.h"
#include "tests/unit/db_sample.h"

TEST_NUMBER(cases, 150);
TEST_NUMBER(first_seed, 5);

static void must(bool ok, const struct error *err)
{
	if (!ok)
		fail_msg("%s", err->text);
}

static void set_number(struct params *p, const char *name, int64_t value)
{
	struct error err;
	char text[32];
	snprintf(text, sizeof(text), "%lld", (long long)value);
	must(params_set(p, name, text, &err), &err);
}

static void set_text(struct params *p, const char *name, const char *text)
{
	struct error err;
	must(params_set(p, name, text, &err), &err);
}

/* The case's options, as a user would type them. */
static const struct policy *policy_of(const struct warp_case *c, struct params *p)
{
	static const char *const names[] = {"lrr", "gto", "oldest", "two-level", "qaws"};
	const struct warp_options *o = &c->options;
	const struct policy *policy = policy_find(names[o->scheduler]);
	char budgets[256] = "";
	assert_non_null(policy);
	params_default(p, policy->options);
	set_text(p, "manager", warp_manager_name(o->manager));
	set_text(p, "blocks", o->blocks == BLOCKS_FILL ? "fill" : "even");
	set_number(p, "epoch", o->epoch);
	set_number(p, "samples", o->samples);
	set_text(p, "history", o->history ? "true" : "false");
	set_text(p, "adjust", o->adjust ? "true" : "false");
	set_text(p, "swap", o->free_swaps ? "free" : "memory");
	if (o->scheduler == SCHEDULE_LRR)
		set_text(p, "rotate", o->rotate_cycle ? "cycle" : "stall");
	if (o->scheduler == SCHEDULE_TWO_LEVEL)
		set_number(p, "active", o->active);
	for (uint32_t k = 0; k < c->set.kernel_count && o->scheduler == SCHEDULE_QAWS; k++)
		snprintf(budgets + strlen(budgets), sizeof(budgets) - strlen(budgets), "%s%lld", k ? "," : "",
			(long long)o->budget[k]);
	if (o->scheduler == SCHEDULE_QAWS)
		set_text(p, "budgets", budgets);
	return policy;
}

static void make_set(struct warp_case *c, struct taskset *set)
{
	taskset_init(set);
	set->warps = &c->set;
	set->name = arena_strdup(&set->arena, "random");
	set->tasks = arena_new(&set->arena, struct task, c->set.kernel_count);
	set->task_count = c->set.kernel_count;
	assert_true(set->name && set->tasks);
	for (uint32_t k = 0; k < set->task_count; k++) {
		char name[16];
		snprintf(name, sizeof(name), "K%u", k);
		set->tasks[k].name = arena_strdup(&set->arena, name);
		assert_non_null(set->tasks[k].name);
	}
	assert_true(warp_set_tasks(set));
}

static void record(struct warp_case *c, const char *file, enum record_level level)
{
	const struct scenario_row scenario = {
		.kind = "scenario", .name = "random", .text = "", .tool_version = "0"};
	struct taskset set;
	struct params params;
	struct error err;
	struct run *run = NULL;
	struct run_result result;
	enum run_state state;
	bool exists;
	make_set(c, &set);
	struct run_spec spec = {
		.platform = &c->platform,
		.set = &set,
		.setup = &c->setup,
		.record = level,
		.policy = policy_of(c, &params),
		.params = &params,
	};
	struct db_writer *w = writer_open(file, true, &err);
	must(w && writer_scenario(w, &scenario, &spec.scenario_id, &err) &&
			store_platform(w, &c->platform, &spec.platform_id, &err) &&
			store_taskset(w, &set, NULL, &spec.taskset_id, &err) &&
			run_begin(&spec, w, &run, &exists, &err),
		&err);
	while ((state = run_step(run, 100000, &err)) == RUN_GOES_ON)
		;
	must(state == RUN_OVER && run_finish(run, &result, &err), &err);
	if (result.status == RUN_ERROR)
		fail_msg("%s", result.reason);
	run_destroy(run);
	must(writer_finish(w, NULL, &err), &err);
	taskset_finish(&set);
}

/* How many findings; says the first of each law. */
static uint64_t findings(const char *file, uint64_t index, const char *level)
{
	struct audit_report report;
	struct error err;
	must(audit_file(file, AUDIT_ALL_RUNS, &report, &err), &err);
	uint64_t found = report.findings;
	for (size_t i = 0; i < report.count; i++) {
		if (report.results[i].findings)
			print_error("seed %llu, case %llu, %s: %s: %s\n", (unsigned long long)first_seed,
				(unsigned long long)index, level, report.results[i].law,
				report.results[i].first);
	}
	audit_report_finish(&report);
	return found;
}

TEST("nothing is found")
{
	static const struct {
		enum record_level level;
		const char *name;
	} levels[] = {{RECORD_ISSUES, "issues"}, {RECORD_ISSUES, "issues"}, {RECORD_ISSUES, "issues"},
		{RECORD_BLOCKS, "blocks"}, {RECORD_SEGMENTS, "segments"}};
	struct warp_case *c = malloc(sizeof(*c));
	uint64_t found = 0;
	assert_non_null(c);
	for (uint64_t i = 0; i < cases; i++) {
		char text[256], file[512];
		size_t level = i % (sizeof(levels) / sizeof(levels[0]));
		warp_case_make(first_seed, i, c);
		if (!warp_case_is_valid(c, text, sizeof(text)))
			continue;
		snprintf(file, sizeof(file), "%s", sample_path("random.db"));
		record(c, file, levels[level].level);
		found += findings(file, i, levels[level].name) > 0;
	}
	free(c);
	sample_clean();
	assert_int_equal(found, 0);
}
