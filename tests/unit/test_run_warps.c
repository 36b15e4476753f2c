/* tests/unit/test_run_warps.c - runs of warps from their inputs to their rows, and back from the
 * rows to a run. */
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "models/warps/simulation.h"
#include "policies/registry.h"
#include "runs/alone.h"
#include "runs/bounds/bounding.h"
#include "runs/load.h"
#include "runs/run.h"
#include "runs/store.h"
#include "tests/support/test.h"
#include "tests/unit/db_sample.h"
#include "tests/unit/warp_run_sets.h"

static struct error err;
static char file[512];
static struct db_writer *writer;
static struct warp_subject subject;
static struct run_spec spec;
static struct params params;

#define ok(call)                                                                                             \
	do {                                                                                                 \
		if (!(call))                                                                                 \
			fail_msg("%s", err.text);                                                            \
	} while (0)

static int begin(void **state)
{
	static int number;
	char name[32];
	snprintf(name, sizeof(name), "run-warps%d.db", number++);
	snprintf(file, sizeof(file), "%s", sample_path(name));
	if (!warp_subject_init(&subject))
		return -1;
	writer = writer_open(file, false, &err);
	return writer ? 0 : -1;
}

static int end(void **state)
{
	warp_subject_finish(&subject);
	return 0;
}

static int clean(void **state)
{
	sample_clean();
	return 0;
}

ALL_TESTS(NULL, clean);
EACH_TEST(begin, end);

static void option(const char *name, const char *value)
{
	if (!params_set(&params, name, value, &err))
		fail_msg("%s", err.text);
}

/* Under a policy that schedules warps, with manager rollover. */
static void stored(const char *policy, enum record_level level)
{
	const struct scenario_row scenario = {
		.kind = "scenario", .name = "test.yaml", .text = "", .tool_version = "0"};
	spec = (struct run_spec){
		.platform = &subject.platform,
		.set = &subject.set,
		.setup = &subject.setup,
		.policy = policy_find(policy),
		.params = &params,
		.record = level,
	};
	assert_non_null(spec.policy);
	params_default(&params, spec.policy->options);
	if (!spec.policy->plan) {
		option("manager", "rollover");
		option("epoch", "700");
	}
	ok(writer_scenario(writer, &scenario, &spec.scenario_id, &err));
	ok(store_platform(writer, &subject.platform, &spec.platform_id, &err));
	ok(store_taskset(writer, &subject.set, NULL, &spec.taskset_id, &err));
}

static struct run_result run_all(struct db_writer *w)
{
	struct run *run;
	struct run_result result;
	bool exists;
	ok(run_begin(&spec, w, &run, &exists, &err));
	assert_false(exists);
	enum run_state now;
	while ((now = run_step(run, 50, &err)) == RUN_GOES_ON)
		assert_true(run_progress(run) >= 0 && run_progress(run) <= 1);
	if (now != RUN_OVER)
		fail_msg("%s", err.text);
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

/* Both queries must give the same. */
static void same(const char *sql, const char *other)
{
	char text[4096];
	snprintf(text, sizeof(text), "%s", sample_rows(file, sql));
	assert_true(text[0]);
	assert_string_equal(text, sample_rows(file, other));
}

TEST("a run and its rows")
{
	stored("gto", RECORD_ISSUES);
	struct run_result r = run_all(writer);
	finished();
	assert_int_equal(r.status, RUN_OK);
	assert_string_equal(r.reason, "");
	assert_int_equal(r.outcome.end_ns, 20000);
	rows("SELECT status, cycles, stop_ns, virtual_sms_per_sm, gpu_active_ns, sm_active_ns FROM run",
		"ok|20000|20000|-|-|-");
	assert_int_equal(sample_integer(file, "SELECT events FROM run"), r.outcome.events);
	same("SELECT events FROM run", "SELECT count(*) FROM warp_issue");
	same("SELECT events, jobs, misses FROM run",
		"SELECT (SELECT sum(warp_instructions) FROM run_warp_kernel), count(*),"
		" sum(missed) FROM job");
	same("SELECT task_id, warp_instructions, thread_instructions FROM run_warp_kernel ORDER BY task_id",
		"SELECT task_id, count(*), sum(threads) FROM warp_issue GROUP BY task_id");
	same("SELECT task_id, warp_instructions, thread_instructions, swaps FROM run_warp_kernel"
	     " ORDER BY task_id",
		"SELECT task_id, sum(warp_instructions), sum(thread_instructions), sum(swaps) FROM epoch"
		" GROUP BY task_id");
	same("SELECT epoch, task_id, warp_instructions, thread_instructions, blocks FROM epoch ORDER BY 1, 2",
		"SELECT epoch, task_id, sum(warp_instructions), sum(thread_instructions), sum(blocks) FROM"
		" epoch_quota GROUP BY 1, 2");
	same("SELECT task_id, l1_hits, l2_hits, accesses FROM run_warp_kernel ORDER BY task_id",
		"SELECT task_id, sum(coalesce(served = 'l1', 0)), sum(coalesce(served = 'l2', 0)),"
		" sum(step_idx IN (SELECT step_idx FROM warp_step s WHERE s.task_id = i.task_id AND s.kind IN"
		" ('load', 'store'))) FROM warp_issue i GROUP BY task_id");
	rows("SELECT count(*), min(k), max(k) FROM (SELECT issued_cycles + empty_cycles + quota_cycles +"
	     " unit_cycles + scheduler_cycles + memory_cycles + dependence_cycles + barrier_cycles +"
	     " swap_cycles + ending_cycles AS k FROM run_sub_core)",
		"8|20000|20000");
	rows("SELECT task_id, goal_ppm IS NULL, reached IS NULL, alone_ppm IS NULL FROM"
	     " run_warp_kernel ORDER BY 1",
		"1|0|0|1\n2|1|1|1\n3|0|0|1");
	same("SELECT sm, sub_core, issued_cycles FROM run_sub_core ORDER BY 1, 2",
		"SELECT sm, sub_core, count(*) FROM warp_issue GROUP BY 1, 2");
	same("SELECT sm, sum(quota_cycles), sum(memory_cycles), sum(ending_cycles) FROM"
	     " run_sub_core GROUP BY sm",
		"SELECT sm, sum(quota_cycles), sum(memory_cycles), sum(ending_cycles) FROM"
		" epoch_sm GROUP BY sm");
	rows("SELECT count(*) > 3, count(abs_deadline_ns), max(missed) FROM job WHERE task_id <> 2", "1|0|0");
	rows("SELECT count(*), min(abs_deadline_ns - release_ns), max(abs_deadline_ns - release_ns),"
	     " min(missed) FROM job WHERE task_id = 2",
		"3|5|5|1");
	same("SELECT task_id, seq FROM job WHERE first_start_ns IS NOT NULL ORDER BY 1, 2",
		"SELECT task_id, seq FROM segment_interval WHERE resource = 'gpu' AND segment_idx ="
		" 0 ORDER BY 1, 2");
	rows("SELECT count(*) > 30, count(DISTINCT sm), count(DISTINCT ended) > 1 FROM block_interval",
		"1|2|1");
	rows("SELECT count(*) FROM power_interval", "0");
	rows("SELECT count(rank), count(sms), count(energy_uj) FROM run_task", "0|0|3");
}

/* Static power over the window, and the kernels' own energy. */
TEST("energy adds up")
{
	stored("qaws", RECORD_SUMMARY);
	struct run_result r = run_all(writer);
	finished();
	assert_true(r.energy_uwns > INT64_C(3000000) * 20000);
	same("SELECT energy_uj * 1000000000 + energy_rest_uwns - 3000000 * window_ns FROM run",
		"SELECT sum(energy_uj * 1000000000 + energy_rest_uwns) FROM run_task");
	same("SELECT task_id, energy_fj FROM run_warp_kernel ORDER BY 1",
		"SELECT task_id, energy_uj * 1000000000 + energy_rest_uwns FROM run_task ORDER BY 1");
	assert_near(sample_real(file,
			    "SELECT dynamic_j - (SELECT sum(energy_j) FROM v_warp_kernel) FROM v_energy"),
		0, 1e-18);
}

TEST("levels")
{
	uint64_t digest = 0;
	for (int level = RECORD_SUMMARY; level <= RECORD_ISSUES; level++) {
		stored("two-level", (enum record_level)level);
		spec.replication = level;
		struct run_result r = run_all(writer);
		assert_true(level == RECORD_SUMMARY || r.outcome.digest == digest);
		digest = r.outcome.digest;
	}
	assert_true(run_all((spec.replication++, NULL)).outcome.digest == digest);
	finished();
	rows("SELECT group_concat(record) FROM run", "summary,jobs,segments,blocks,issues");
	rows("SELECT count(DISTINCT digest), count(DISTINCT events), count(DISTINCT"
	     " energy_rest_uwns) FROM run",
		"1|1|1");
	rows("SELECT (SELECT group_concat(DISTINCT run_id) FROM run_task), (SELECT group_concat(DISTINCT"
	     " run_id) FROM run_task_hist), (SELECT group_concat(DISTINCT run_id) FROM run_warp_kernel),"
	     " (SELECT group_concat(DISTINCT run_id) FROM run_sub_core)",
		"1,2,3,4,5|1,2,3,4,5|1,2,3,4,5|1,2,3,4,5");
	rows("SELECT (SELECT group_concat(DISTINCT run_id) FROM job), (SELECT group_concat(DISTINCT"
	     " run_id) FROM epoch)",
		"2,3,4,5|2,3,4,5");
	rows("SELECT (SELECT group_concat(DISTINCT run_id) FROM segment_interval), (SELECT"
	     " group_concat(DISTINCT run_id) FROM epoch_sm), (SELECT group_concat(DISTINCT run_id)"
	     " FROM epoch_quota)",
		"3,4,5|3,4,5|3,4,5");
	rows("SELECT (SELECT group_concat(DISTINCT run_id) FROM block_interval), (SELECT"
	     " group_concat(DISTINCT run_id) FROM warp_issue)",
		"4,5|5");
	rows("SELECT count(DISTINCT n) FROM (SELECT count(*) AS n FROM block_interval GROUP BY run_id)", "1");
}

/* ---- the IPC alone ---- */

TEST("goals that are a share")
{
	struct warp_options options;
	int64_t alone;
	subject.kernels[0].goal = (struct warp_goal){.kind = GOAL_SHARE, .share_ppm = 500000};
	stored("lrr", RECORD_SUMMARY);
	spec.alone = warp_alone_cache_create();
	assert_non_null(spec.alone);
	ok(warp_options_read(SCHEDULE_LRR, &params, &subject.warps, &subject.platform, &options, &err));
	ok(warp_ipc_alone(&subject.platform, &subject.set, &subject.setup, &options, 0, &alone, &err));
	assert_true(alone > 0);
	struct run_result first = run_all(writer);
	assert_int_equal(warp_alone_cache_hits(spec.alone), 0);
	/* Another manager, and each of the same kernels alone, so that what the others get can be compared
	 * with it. */
	option("manager", "elastic");
	run_all(writer);
	assert_int_equal(warp_alone_cache_hits(spec.alone), WARP_RUN_KERNELS);
	struct warp_alone_cache *cache = spec.alone;
	spec.alone = NULL;
	option("manager", "rollover");
	assert_true(run_all(NULL).outcome.digest == first.outcome.digest);
	warp_alone_cache_destroy(cache);
	warp_alone_cache_destroy(NULL);
	finished();
	rows("SELECT count(*), count(alone_ppm), count(DISTINCT alone_ppm) FROM run_warp_kernel"
	     " GROUP BY task_id",
		"2|2|1\n2|2|1\n2|2|1");
	assert_int_equal(sample_integer(file,
				 "SELECT alone_ppm FROM run_warp_kernel WHERE run_id = 1 AND task_id = 1"),
		alone);
	assert_int_equal(
		sample_integer(file, "SELECT goal_ppm FROM run_warp_kernel WHERE run_id = 2 AND task_id = 1"),
		alone / 2);
}

/* Measurements are work, too: the rate and the fraction that users see go on while they are made. */
TEST("progress with goals that are a share")
{
	struct run *run;
	bool exists;
	uint64_t events = 0, silent = 0;
	double fraction = 0, measured = 0;
	subject.kernels[0].goal = (struct warp_goal){.kind = GOAL_SHARE, .share_ppm = 500000};
	stored("lrr", RECORD_SUMMARY);
	spec.alone = warp_alone_cache_create();
	for (int again = 0; again < 2; again++) {
		events = 0;
		fraction = measured = 0;
		ok(run_begin(&spec, NULL, &run, &exists, &err));
		while (run_step(run, 50, &err) == RUN_GOES_ON) {
			silent = run_events(run) > events ? 0 : silent + 1;
			assert_true(silent <= 1 + WARP_RUN_KERNELS * (uint64_t)again);
			assert_true(run_progress(run) >= fraction && run_progress(run) <= 1);
			events = run_events(run);
			fraction = run_progress(run);
			measured = run_warps(run) ? measured : fraction;
		}
		/* The second run finds all IPCs, so it has nothing behind it when it begins. */
		double all = again ? 0 : (double)WARP_RUN_KERNELS / (WARP_RUN_KERNELS + 1);
		assert_true(measured > all - 0.01 && measured < all + 0.01);
		assert_true(fraction > 0.9);
		run_destroy(run);
	}
	warp_alone_cache_destroy(spec.alone);
	spec.alone = NULL;
	writer_abandon(writer, true);
	writer = NULL;
}

/* In many small steps. */
static void measure(struct warp_alone_cache *cache, const struct warp_options *options, int64_t *ipc)
{
	struct warp_simulation *measuring = NULL;
	uint64_t events;
	do
		ok(warp_alone(cache, &subject.platform, &subject.set, &subject.setup, options, 0, &measuring,
			100, ipc, &events, &err));
	while (*ipc < 0);
	assert_null(measuring);
}

/* A measurement is made again if anything it depends on changes, and only then. */
TEST("measurements are told apart")
{
	struct warp_alone_cache *cache = warp_alone_cache_create();
	struct warp_options options;
	int64_t ipc, first;
	uint64_t hits = 0;
	assert_non_null(cache);
	stored("two-level", RECORD_SUMMARY);
	ok(warp_options_read(SCHEDULE_TWO_LEVEL, &params, &subject.warps, &subject.platform, &options, &err));
	measure(cache, &options, &first);
#define MEASURE(change, back, again)                                                                         \
	do {                                                                                                 \
		change;                                                                                      \
		measure(cache, &options, &ipc);                                                              \
		hits += (again);                                                                             \
		assert_int_equal(warp_alone_cache_hits(cache), hits);                                        \
		back;                                                                                        \
	} while (0)
	MEASURE((void)0, (void)0, 1);
	assert_int_equal(ipc, first);
	MEASURE(subject.setup.horizon_ns++, subject.setup.horizon_ns--, 0);
	MEASURE(subject.setup.seed++, subject.setup.seed--, 0);
	MEASURE(subject.steps[1].l1_hit_ppm++, subject.steps[1].l1_hit_ppm--, 0);
	MEASURE(subject.steps[0].count++, subject.steps[0].count--, 0);
	MEASURE(subject.steps[0].rounds = ROUNDS_BLOCKS, subject.steps[0].rounds = ROUNDS_OWN, 0);
	MEASURE(subject.steps[1].reuse++, subject.steps[1].reuse--, 0);
	MEASURE(subject.warps.machine.l1_bytes++, subject.warps.machine.l1_bytes--, 0);
	MEASURE(subject.warps.machine.requests++, subject.warps.machine.requests--, 0);
	MEASURE(subject.warps.machine.l2_bytes++, subject.warps.machine.l2_bytes--, 0);
	MEASURE(subject.kernels[0].blocks++, subject.kernels[0].blocks--, 0);
	MEASURE(subject.warps.machine.dram_latency++, subject.warps.machine.dram_latency--, 0);
	MEASURE(subject.warps.machine.interval[WARP_FP]++, subject.warps.machine.interval[WARP_FP]--, 0);
	MEASURE(subject.platform.sms++, subject.platform.sms--, 0);
	MEASURE(subject.platform.blocks_per_sm--, subject.platform.blocks_per_sm++, 0);
	MEASURE(options.active--, options.active++, 0);
	MEASURE(options.scheduler = SCHEDULE_GTO, options.scheduler = SCHEDULE_TWO_LEVEL, 0);
	MEASURE(options.blocks = BLOCKS_FILL, options.blocks = BLOCKS_EVEN, 0);
	MEASURE(options.manager = MANAGER_SMK, options.manager = MANAGER_ROLLOVER, 1);
	MEASURE(options.epoch++, options.epoch--, 1);
	MEASURE(subject.kernels[0].goal.ipc++, subject.kernels[0].goal.ipc--, 1);
	MEASURE(subject.kernels[1].blocks++, subject.kernels[1].blocks--, 1);
	MEASURE(subject.warps.machine.global_fj++, subject.warps.machine.global_fj--, 1);
	/* More measurements than the table has room for at first. */
	for (int i = 0; i < 200; i++)
		MEASURE(subject.setup.seed++, (void)0, i == 0);
	subject.setup.seed -= 100;
	MEASURE((void)0, (void)0, 1);
	ok(warp_ipc_alone(&subject.platform, &subject.set, &subject.setup, &options, 0, &first, &err));
	assert_int_equal(ipc, first);
	warp_alone_cache_destroy(cache);
	writer_abandon(writer, false);
}

/* ---- runs that are not ok ---- */

TEST("what does not go together")
{
	stored("rm", RECORD_BLOCKS);
	struct run_result r = run_all(writer);
	assert_int_equal(r.status, RUN_ERROR);
	assert_int_equal(r.failure, STATUS_INPUT);
	assert_non_null(strstr(r.reason, "'rm' schedules blocks"));
	stored("gto", RECORD_BLOCKS);
	subject.set.warps = NULL;
	r = run_all(writer);
	assert_int_equal(r.status, RUN_ERROR);
	assert_int_equal(r.failure, STATUS_INPUT);
	assert_non_null(strstr(r.reason, "'gto' schedules warps"));
	subject.set.warps = &subject.warps;
	subject.kernels[0].goal.kind = subject.kernels[2].goal.kind = GOAL_NONE;
	spec.replication = 1;
	r = run_all(writer);
	assert_int_equal(r.status, RUN_ERROR);
	assert_non_null(strstr(r.reason, "manager rollover"));
	finished();
	rows("SELECT status, jobs, cycles, digest FROM run", "error|-|-|-\nerror|-|-|-\nerror|-|-|-");
	rows("SELECT count(*) FROM run_warp_kernel", "0");
}

TEST("analyses refuse")
{
	struct bounding b;
	struct bounds bounds;
	struct analysis_use use = {.analysis = analysis_all()[0]};
	static const char *const policies[] = {"gto", "rm"};
	params_default(&use.params, use.analysis->options);
	for (int i = 0; i < 2; i++) {
		stored(policies[i], RECORD_SUMMARY);
		const struct bounding_spec b_spec = {
			&subject.platform, &subject.set, &subject.setup, spec.policy, &params};
		ok(bounding_begin(&b, &b_spec, &err));
		ok(bounding_compute(&b, &use, &bounds, &err));
		assert_int_equal(bounds.verdict, BOUNDS_REFUSED);
		assert_non_null(strstr(bounds.reason, "warps"));
		bounding_finish(&b);
	}
	writer_abandon(writer, false);
}

TEST("a run that is given up leaves nothing")
{
	struct run *run;
	bool exists;
	subject.kernels[0].goal = (struct warp_goal){.kind = GOAL_SHARE, .share_ppm = 500000};
	stored("oldest", RECORD_ISSUES);
	for (int steps = 0; steps < 15; steps += 5) {
		ok(run_begin(&spec, writer, &run, &exists, &err));
		for (int i = 0; i < steps; i++)
			assert_int_equal(run_step(run, 50, &err), RUN_GOES_ON);
		run_destroy(run);
	}
	run_all(writer);
	ok(run_begin(&spec, writer, &run, &exists, &err));
	assert_true(exists && !run);
	finished();
	rows("SELECT count(*), max(status) FROM run", "1|ok");
	same("SELECT events FROM run", "SELECT count(*) FROM warp_issue");
	rows("SELECT count(*) FROM run_sub_core", "8");
}

TEST("a run that is truncated")
{
	subject.kernels[0].repeat = false;
	subject.setup.stop = STOP_DRAINED;
	subject.setup.horizon_ns = 100;
	subject.setup.limit_ns = 150;
	stored("gto", RECORD_JOBS);
	struct run_result r = run_all(writer);
	finished();
	assert_int_equal(r.status, RUN_TRUNCATED);
	assert_string_equal(r.reason, "jobs were unfinished at the limit of the clock");
	rows("SELECT status, cycles, jobs, misses FROM run", "truncated|150|2|1");
}

/* ---- from the recording ---- */

/* Compares the fields `from` to `to` of a struct; there is no padding between them. */
#define assert_same_fields(a, b, from, to)                                                                   \
	assert_memory_equal(                                                                                 \
		&(a)->from, &(b)->from, (size_t)((const char *)(&(a)->to + 1) - (const char *)&(a)->from))

static void assert_same_set(const struct taskset *a, const struct taskset *b)
{
	assert_same_fields(&a->warps->machine, &b->warps->machine, clock_hz, sub_cores);
	assert_same_fields(&a->warps->machine, &b->warps->machine, latency, dram_byte_fj);
	assert_int_equal(a->warps->machine.l1_bytes, b->warps->machine.l1_bytes);
	assert_int_equal(a->warps->machine.requests, b->warps->machine.requests);
	assert_int_equal(a->warps->machine.l2_bytes, b->warps->machine.l2_bytes);
	assert_int_equal(a->warps->kernel_count, b->warps->kernel_count);
	for (uint32_t i = 0; i < a->warps->kernel_count; i++) {
		struct warp_kernel x = a->warps->kernels[i], y = b->warps->kernels[i];
		const struct task *t = &a->tasks[i], *u = &b->tasks[i];
		assert_int_equal(x.step_count, y.step_count);
		for (uint32_t s = 0; s < x.step_count; s++) {
			assert_same_fields(&x.steps[s], &y.steps[s], kind, first);
			assert_same_fields(&x.steps[s], &y.steps[s], latency, reuse);
		}
		assert_true(x.blocks == y.blocks && x.block_threads == y.block_threads &&
			    x.registers == y.registers && x.shared_memory == y.shared_memory &&
			    x.stream == y.stream && x.stream_high == y.stream_high && x.launch == y.launch &&
			    x.period == y.period && x.repeat == y.repeat);
		assert_true(x.goal.kind == y.goal.kind && x.goal.ipc == y.goal.ipc &&
			    x.goal.share_ppm == y.goal.share_ppm && x.goal.kernel_ns == y.goal.kernel_ns);
		assert_string_equal(t->name, u->name);
		assert_true(t->period_ns == u->period_ns && t->deadline_ns == u->deadline_ns &&
			    t->offset_ns == u->offset_ns);
		const struct segment *p = &t->segments[0], *q = &u->segments[0];
		assert_true(t->segment_count == 1 && u->segment_count == 1 && p->kind == q->kind &&
			    p->form == q->form && p->stream == q->stream &&
			    p->stream_high == q->stream_high && p->grid == q->grid && p->block == q->block &&
			    p->registers == q->registers && p->shared_memory == q->shared_memory &&
			    p->bytes == q->bytes && p->best_ns == q->best_ns && p->worst_ns == q->worst_ns);
	}
}

TEST("a run is repeated from its recording")
{
	struct loaded_run loaded;
	subject.kernels[1].goal = (struct warp_goal){.kind = GOAL_SHARE, .share_ppm = 900000};
	subject.steps[0].rounds = ROUNDS_BLOCKS;
	subject.steps[1].l1_hit_ppm = 0;
	subject.steps[1].reuse = 2;
	subject.warps.machine.l1_bytes = 4096;
	subject.warps.machine.requests = 7;
	subject.warps.machine.l2_bytes = 12288;
	stored("qaws", RECORD_ISSUES);
	option("budgets", "[1, 4]");
	struct run_result r = run_all(writer);
	finished();
	struct db_reader *reader = reader_open(file, &err);
	ok(reader != NULL);
	ok(load_run(reader, 1, &loaded, &err));
	assert_int_equal(loaded.record, RECORD_ISSUES);
	assert_ptr_equal(loaded.policy, policy_find("qaws"));
	assert_same_set(&subject.set, &loaded.set);
	spec = (struct run_spec){
		.platform = &loaded.platform,
		.set = &loaded.set,
		.setup = &loaded.setup,
		.policy = loaded.policy,
		.params = &loaded.params,
	};
	struct run_result again = run_all(NULL);
	assert_true(again.outcome.digest == r.outcome.digest && again.outcome.events == r.outcome.events);
	assert_true(again.energy_uwns == r.energy_uwns);
	loaded_run_finish(&loaded);
	ok(load_subject(reader, 1, 1, 1, &loaded, &err));
	assert_same_set(&subject.set, &loaded.set);
	loaded_run_finish(&loaded);
	reader_close(reader);
}

static void change(const char *sql)
{
	sqlite3 *db;
	assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
	if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	sqlite3_close(db);
}

static void refused(const char *sql, const char *text)
{
	struct loaded_run loaded;
	change(sql);
	struct db_reader *reader = reader_open(file, &err);
	ok(reader != NULL);
	assert_false(load_run(reader, 1, &loaded, &err));
	assert_int_equal(err.status, STATUS_INPUT);
	if (!strstr(err.text, text))
		fail_msg("%s", err.text);
	reader_close(reader);
}

TEST("sets that somebody spoiled")
{
	stored("gto", RECORD_SUMMARY);
	run_all(writer);
	finished();
	refused("UPDATE warp_kernel SET blocks = 0 WHERE task_id = 2",
		"run 1, table warp_kernel, task_idx 1: blocks");
	refused("UPDATE warp_kernel SET blocks = 8; UPDATE warp_unit SET latency_cycles = 0"
		" WHERE unit = 'sfu'",
		"run 1, tables warp_machine, warp_unit, platform: the latency of unit sfu");
	refused("UPDATE warp_unit SET latency_cycles = 3; UPDATE warp_step SET body = 9 WHERE kind = 'loop'",
		"body");
	refused("DELETE FROM warp_kernel WHERE task_id = 3", "damaged");
}

/* A recording of the first version, which has no warps. */
TEST("recordings of version 1")
{
	struct loaded_run loaded;
	struct sample ids;
	ok(sample_things(writer, &ids, &err) && sample_runs(writer, &ids, &err));
	finished();
	change("UPDATE policy SET params = '{}' WHERE name = 'rm'; PRAGMA user_version = 1;"
	       "DROP VIEW v_warp_kernel; DROP VIEW v_epoch; DROP VIEW v_stalls;"
	       "DROP TABLE warp_machine; DROP TABLE warp_unit; DROP TABLE warp_kernel; DROP TABLE warp_step;"
	       "DROP TABLE run_warp_kernel; DROP TABLE run_sub_core; DROP TABLE epoch; DROP TABLE epoch_sm;"
	       "DROP TABLE epoch_quota; DROP TABLE warp_issue");
	struct db_reader *reader = reader_open(file, &err);
	ok(reader != NULL);
	ok(load_run(reader, 2, &loaded, &err));
	assert_null(loaded.set.warps);
	assert_int_equal(loaded.set.task_count, 2);
	loaded_run_finish(&loaded);
	reader_close(reader);
}
