/* tests/unit/test_run.c - runs/run.c and runs/store.c: one run from its inputs to its rows. */
#include <stdio.h>
#include <string.h>

#include "models/gate.h"
#include "policies/registry.h"
#include "runs/run.h"
#include "runs/store.h"
#include "tests/support/harness.h"
#include "tests/support/test.h"
#include "tests/unit/db_sample.h"

static struct error err;
static char file[512];
static struct db_writer *writer;
static struct maker k;
static struct run_spec spec;
static struct params params;

#define ok(call)                                                                                             \
	do {                                                                                                 \
		if (!(call))                                                                                 \
			fail_msg("%s", err.text);                                                            \
	} while (0)

/* Two tasks: one misses a deadline, both use energy. */
static int begin(void **state)
{
	static int number;
	char name[32];
	snprintf(name, sizeof(name), "run%d.db", number++);
	snprintf(file, sizeof(file), "%s", sample_path(name));
	maker_init(&k, 100);
	k.set.name = arena_strdup(&k.set.arena, "set");
	k.platform.sms = 2;
	k.platform.threads_per_sm = 128;
	k.platform.static_uw = 10;
	k.platform.idle_per_sm_uw = 1;
	maker_task(&k, "a", 50, 20, 0);
	maker_cpu(&k, 5, 5);
	maker_grid(&k, 2, 128, 10)->power_uw = 3;
	maker_task(&k, "b", 100, 12, 0);
	maker_copy(&k, COPY_TO_GPU, 15);
	writer = writer_open(file, false, &err);
	return writer ? 0 : -1;
}

static int end(void **state)
{
	maker_finish(&k);
	return 0;
}

static int clean(void **state)
{
	sample_clean();
	return 0;
}

ALL_TESTS(NULL, clean);
EACH_TEST(begin, end);

static void stored(const struct policy *policy, enum record_level level)
{
	const struct scenario_row scenario = {
		.kind = "scenario", .name = "test.yaml", .text = "", .tool_version = "0"};
	int64_t ignored;
	params_default(&params, policy->options);
	spec = (struct run_spec){
		.platform = &k.platform,
		.set = &k.set,
		.setup = &k.setup,
		.policy = policy,
		.params = &params,
		.record = level,
	};
	ok(writer_scenario(writer, &scenario, &spec.scenario_id, &err));
	ok(store_platform(writer, &k.platform, &spec.platform_id, &err));
	ok(store_taskset(writer, &k.set, NULL, &spec.taskset_id, &err));
	ok(store_policy(writer, policy, &params, &ignored, &err));
}

static struct run_result run_all(struct db_writer *w)
{
	struct run *run;
	struct run_result result;
	bool exists;
	ok(run_begin(&spec, w, &run, &exists, &err));
	assert_false(exists);
	enum run_state now;
	while ((now = run_step(run, 3, &err)) == RUN_GOES_ON)
		assert_true(run_progress(run) >= 0 && run_progress(run) <= 1);
	assert_int_equal(now, RUN_OVER);
	ok(run_finish(run, &result, &err));
	run_destroy(run);
	return result;
}

static void finished(void)
{
	ok(writer_finish(writer, NULL, &err));
	writer = NULL;
}

static void rows(const char *sql, const char *should)
{
	assert_string_equal(sample_rows(file, sql), should);
}

TEST("a run and its rows")
{
	stored(policy_find("fifo-cke"), RECORD_BLOCKS);
	struct run_result r = run_all(writer);
	finished();
	assert_int_equal(r.status, RUN_OK);
	assert_string_equal(r.reason, "");
	assert_int_equal(r.failing_task, UINT32_MAX);
	assert_false(r.schedulable); /* b takes 15, deadline 12 */
	assert_int_equal(r.outcome.jobs, 3);
	assert_int_equal(r.outcome.misses, 1);
	assert_int_equal(r.outcome.end_ns, 65);
	/* 100 ns of static power, 20 ns of two SMs at 3 */
	assert_true(r.energy_uwns == 1000 + 20 * 6);
	rows("SELECT status, jobs, misses, stop_ns, window_ns, energy_uj, energy_rest_uwns FROM run",
		"ok|3|1|65|100|0|1120");
	rows("SELECT jobs, misses, min_response_ns, mean_response_ns, max_response_ns FROM run_task ORDER BY "
	     "task_id",
		"2|0|15|15|15\n1|1|15|15|15");
	rows("SELECT virtual_sms_per_sm, gpu_active_ns, sm_active_ns FROM run", "1|20|40");
	rows("SELECT energy_uj, energy_rest_uwns FROM run_task ORDER BY task_id", "0|120\n0|0");
	rows("SELECT sum(jobs) FROM run_task_hist", "3");
	rows("SELECT count(*) FROM job", "3");
	rows("SELECT count(*) FROM segment_interval", "5");
	rows("SELECT count(*) FROM block_interval", "4");
	rows("SELECT start_ns, end_ns, power_uw, active_sms, idle_sms FROM power_interval ORDER BY start_ns",
		"0|5|10|0|2\n5|15|16|2|0\n15|55|10|0|2\n55|65|16|2|0\n65|100|10|0|2");
}

TEST("without a recording")
{
	stored(policy_find("fifo-cke"), RECORD_BLOCKS);
	struct run_result with = run_all(writer);
	struct run_result without = run_all(NULL);
	finished();
	assert_true(with.outcome.digest == without.outcome.digest);
	assert_true(with.energy_uwns == without.energy_uwns);
	assert_int_equal(with.outcome.events, without.outcome.events);
}

TEST("the level changes no schedule")
{
	uint64_t digest = 0;
	for (int level = RECORD_SUMMARY; level <= RECORD_ISSUES; level++) {
		stored(policy_find("fifo-cke"), (enum record_level)level);
		spec.replication = level;
		struct run_result r = run_all(writer);
		assert_true(level == RECORD_SUMMARY || r.outcome.digest == digest);
		digest = r.outcome.digest;
	}
	finished();
	rows("SELECT count(DISTINCT digest), count(DISTINCT energy_rest_uwns), count(DISTINCT gpu_active_ns),"
	     " min(sm_active_ns), max(sm_active_ns), count(*) FROM run",
		"1|1|1|40|40|5");
	rows("SELECT count(DISTINCT energy_rest_uwns), count(energy_uj) FROM run_task GROUP BY task_id",
		"1|5\n1|5");
	rows("SELECT count(DISTINCT run_id) FROM job", "4");
}

/* If nothing draws power and no power is shown, the SMs are not followed. The energies are still known. */
TEST("a run without power")
{
	k.platform.static_uw = k.platform.idle_per_sm_uw = 0;
	k.set.tasks[0].segments[1].power_uw = 0;
	stored(policy_find("fifo-cke"), RECORD_JOBS);
	run_all(writer);
	spec.record = RECORD_SEGMENTS;
	spec.replication = 1;
	run_all(writer);
	finished();
	rows("SELECT energy_uj, energy_rest_uwns, gpu_active_ns, sm_active_ns FROM run ORDER BY run_id",
		"-|-|-|-\n-|-|20|40");
	rows("SELECT count(*), count(energy_uj), count(energy_rest_uwns) FROM run_task", "4|0|0");
	rows("SELECT energy_j, static_j, idle_sms_j, dynamic_j, gpu_active_ms IS NULL FROM v_energy ORDER BY"
	     " run_id",
		"-|-|-|-|1\n-|-|-|-|0");
	rows("SELECT count(*), count(energy_j), count(mean_power_w) FROM v_run", "2|0|0");
	rows("SELECT count(*), count(dynamic_j) FROM v_energy_task", "4|0");
}

TEST("a run that is there already")
{
	struct run *run;
	bool exists = false;
	stored(policy_find("fcfs"), RECORD_JOBS);
	run_all(writer);
	ok(run_begin(&spec, writer, &run, &exists, &err));
	assert_true(exists);
	assert_null(run);
	spec.replication = 1;
	run_all(writer);
	finished();
	rows("SELECT count(*) FROM run", "2");
}

TEST("a run that is given up leaves nothing")
{
	struct run *run;
	bool exists;
	stored(policy_find("fcfs"), RECORD_BLOCKS);
	ok(run_begin(&spec, writer, &run, &exists, &err));
	run_step(run, 5, &err);
	run_destroy(run);
	run_all(writer);
	finished();
	rows("SELECT count(*), max(status) FROM run", "1|ok");
	rows("SELECT count(*) FROM job", "3");
	run_destroy(NULL);
}

/* ---- runs that are not ok ---- */

static bool plan_refused(struct plan *plan, struct error *e)
{
	(void)e;
	plan->refused = true;
	plan->failing_task = 1;
	snprintf(plan->reason, sizeof(plan->reason), "too much");
	return true;
}

/* The policy's test refuses the set, and yet the policy runs it. */
static bool plan_doubted(struct plan *plan, struct error *e)
{
	bool made = plan_refused(plan, e);
	plan->refused = false;
	return made;
}

static bool plan_failed(struct plan *plan, struct error *e)
{
	(void)plan;
	return error_set(e, STATUS_INPUT, "options that contradict each other");
}

static bool plan_without_memory(struct plan *plan, struct error *e)
{
	(void)plan;
	return error_memory(e, "planning");
}

static void decide_nothing(struct gate *gate, void *self)
{
	(void)gate;
	(void)self;
}

static bool plan_closed(struct plan *plan, struct error *e)
{
	(void)e;
	plan->unit = GATE_SECTION;
	plan->decide = decide_nothing;
	return true;
}

static const struct policy refusing = {.name = "refusing", .summary = "", .version = 1, .plan = plan_refused};
static const struct policy doubting = {.name = "doubting", .summary = "", .version = 1, .plan = plan_doubted};
static const struct policy failing = {.name = "failing", .summary = "", .version = 1, .plan = plan_failed};
static const struct policy starved = {
	.name = "starved", .summary = "", .version = 1, .plan = plan_without_memory};
static const struct policy closed = {.name = "closed", .summary = "", .version = 1, .plan = plan_closed};

TEST("refused sets are recorded")
{
	stored(&refusing, RECORD_BLOCKS);
	struct run_result r = run_all(writer);
	finished();
	assert_int_equal(r.status, RUN_REFUSED);
	assert_int_equal(r.failing_task, 1);
	assert_false(r.schedulable);
	rows("SELECT status, reason, failing_task_id - (SELECT min(task_id) FROM task), jobs, digest,"
	     " virtual_sms_per_sm, gpu_active_ns, sm_active_ns FROM run",
		"refused|too much|1|-|-|-|-|-");
	rows("SELECT count(*) FROM run_task", "0");
}

TEST("what a test says of a set that runs is recorded")
{
	stored(&doubting, RECORD_JOBS);
	struct run_result r = run_all(writer);
	assert_int_equal(r.status, RUN_OK);
	assert_int_equal(r.failing_task, 1);
	assert_string_equal(r.reason, "too much");
	assert_true(r.schedulable == (r.outcome.misses == 0));
	k.setup.horizon_ns = k.setup.limit_ns = 10;
	stored(&doubting, RECORD_JOBS);
	r = run_all(writer);
	finished();
	assert_int_equal(r.status, RUN_TRUNCATED);
	rows("SELECT status, reason, failing_task_id - (SELECT min(task_id) FROM task), jobs > 0, digest"
	     " IS NULL FROM run",
		"ok|too much|1|1|0\ntruncated|jobs were unfinished at the limit of the clock; the policy's "
		"test: too much|1|1|0");
}

TEST("runs that cannot be made are recorded")
{
	stored(&failing, RECORD_BLOCKS);
	struct run_result r = run_all(writer);
	assert_int_equal(r.status, RUN_ERROR);
	assert_int_equal(r.failure, STATUS_INPUT);
	finished();
	rows("SELECT status, reason, failing_task_id FROM run ORDER BY run_id",
		"error|options that contradict each other|-");
}

/* Bug: a recording that was finished had a run in error, which it has not if it is made again. */
TEST("runs that memory fails for are not recorded")
{
	stored(&starved, RECORD_BLOCKS);
	struct run *run;
	struct run_result result;
	bool exists;
	assert_true(run_begin(&spec, writer, &run, &exists, &err));
	assert_int_equal(run_step(run, 1000, &err), RUN_OVER);
	assert_false(run_finish(run, &result, &err));
	assert_int_equal(err.status, STATUS_IO);
	assert_string_equal(err.text, "a run under starved: out of memory for planning");
	run_destroy(run);
	finished();
	rows("SELECT count(*) FROM run", "0");
	result = run_all(NULL);
	assert_int_equal(result.status, RUN_ERROR);
	assert_int_equal(result.failure, STATUS_IO);
}

/* Does so late, when rows of the run are in the recording already. */
static void decide_wrongly_at_last(struct gate *gate, void *self)
{
	(void)self;
	if (gate_now(gate) >= 99000)
		gate_admit(gate, 77);
	while (gate_waiting(gate) > 0)
		gate_admit_next(gate);
}

static bool plan_erring(struct plan *plan, struct error *e)
{
	(void)e;
	plan->unit = GATE_SECTION;
	plan->decide = decide_wrongly_at_last;
	return true;
}

static const struct policy erring = {.name = "erring", .summary = "", .version = 1, .plan = plan_erring};

TEST("a misdeed of decide is an error run")
{
	const char *reason = "policy 'erring' at 99000 ns admits a unit of task 77 of 2";
	k.setup.horizon_ns = 100000;
	k.setup.limit_ns = 200000;
	stored(&erring, RECORD_BLOCKS);
	struct run_result r = run_all(NULL);
	assert_int_equal(r.status, RUN_ERROR);
	assert_string_equal(r.reason, reason);
	r = run_all(writer);
	assert_int_equal(r.status, RUN_ERROR);
	assert_int_equal(r.failure, STATUS_INPUT);
	assert_string_equal(r.reason, reason);
	assert_false(r.schedulable);
	stored(policy_find("fifo-cke"), RECORD_BLOCKS);
	assert_int_equal(run_all(writer).status, RUN_OK);
	finished();
	rows("SELECT run_id, status, reason IS NULL, jobs, digest IS NULL, energy_uj FROM run"
	     " ORDER BY run_id",
		"1|error|0|-|1|-\n2|ok|1|3000|0|0");
	rows("SELECT DISTINCT run_id FROM (SELECT run_id FROM job UNION ALL SELECT run_id FROM"
	     " segment_interval UNION ALL SELECT run_id FROM block_interval UNION ALL SELECT run_id FROM"
	     " power_interval UNION ALL SELECT run_id FROM run_task)",
		"2");
	rows("SELECT count(*) FROM job", "3000");
}

TEST("a run that waits for ever is an error run")
{
	stored(&closed, RECORD_BLOCKS);
	struct run_result r = run_all(writer);
	finished();
	assert_int_equal(r.status, RUN_ERROR);
	assert_int_equal(r.failure, STATUS_INPUT);
	assert_non_null(strstr(r.reason, "policy 'closed' at "));
	assert_non_null(strstr(r.reason, "wait at the gate for ever, since "));
	assert_false(r.schedulable);
	rows("SELECT status, jobs, digest FROM run", "error|-|-");
	rows("SELECT count(*) FROM job", "0");
}

TEST("truncated runs say why")
{
	k.setup.horizon_ns = k.setup.limit_ns = 10;
	stored(policy_find("fifo-cke"), RECORD_JOBS);
	struct run_result r = run_all(writer);
	finished();
	assert_int_equal(r.status, RUN_TRUNCATED);
	assert_string_equal(r.reason, "jobs were unfinished at the limit of the clock");
	assert_false(r.schedulable);
	rows("SELECT count(*) FROM run WHERE status = 'truncated' AND jobs > 0", "1");
}

TEST("schedulable is ok without a miss")
{
	k.set.tasks[1].deadline_ns = 100;
	stored(policy_find("fifo-cke"), RECORD_SUMMARY);
	struct run_result r = run_all(writer);
	finished();
	assert_true(r.schedulable);
	assert_string_equal(run_status_name(r.status), "ok");
	rows("SELECT count(*) FROM job", "0");
	rows("SELECT jobs FROM run", "3");
}
