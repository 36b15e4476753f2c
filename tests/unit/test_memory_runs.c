/* tests/unit/test_memory_runs.c - every allocation of a run fails once: the run is not made, the caller
 * learns of it, nothing crashes or leaks. Linked with --wrap for malloc, calloc and realloc. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "models/power.h"
#include "policies/registry.h"
#include "runs/alone.h"
#include "runs/bounds/bounding.h"
#include "runs/load.h"
#include "runs/run.h"
#include "runs/store.h"
#include "tests/support/failing_memory.h"
#include "tests/support/harness.h"
#include "tests/support/test.h"
#include "tests/unit/warp_run_sets.h"

static struct maker k;
static struct run_spec spec;

/* Enough tasks and SMs that memory is allocated more than once. */
static int begin(void **state)
{
	maker_init(&k, 50);
	k.platform.sms = 300;
	k.platform.threads_per_sm = 64;
	k.platform.engines = 2;
	k.platform.static_uw = 5;
	for (int i = 0; i < 20; i++) {
		maker_task(&k, "t", 50, 50, i);
		maker_cpu(&k, 1, 1);
		maker_copy(&k, COPY_TO_GPU, 1);
		maker_grid(&k, 2000, 32, 2)->stream = i % 7 ? STREAM_OWN : STREAM_NULL;
	}
	spec = (struct run_spec){
		.platform = &k.platform, .set = &k.set, .setup = &k.setup, .record = RECORD_BLOCKS};
	return 0;
}

/* The same with kernels that can be given SMs of their own. */
static int begin_apart(void **state)
{
	begin(state);
	k.platform.work_queues = 20;
	for (uint32_t i = 0; i < k.set.task_count; i++) {
		struct segment *s = &k.set.tasks[i].segments[2];
		s->form = KERNEL_WORK;
		s->stream = STREAM_OWN;
		s->power_uw = 3;
		s->interleaves = 1;
		s->interleave = arena_new(&k.set.arena, struct interleave, 1);
		assert_non_null(s->interleave);
		s->interleave[0] = (struct interleave){2, 3, 2};
	}
	return 0;
}

static int end(void **state)
{
	maker_finish(&k);
	return 0;
}

static void every_policy(void **state)
{
	struct simulation *s;
	struct error err;
	for (const struct policy *const *p = policy_all(); *p; p++) {
		if (!(*p)->plan)
			continue;
		long n = 0;
		struct params params;
		params_default(&params, (*p)->options);
		for (const struct option *o = (*p)->options; o && o->name; o++)
			if (strcmp(o->name, "admit") == 0)
				assert_true(params_set(&params, "admit", "any", &err));
		do {
			memory_failed = false;
			err = (struct error){0};
			memory_countdown = n++;
			bool made = simulation_create(&k.platform, &k.set, &k.setup, *p, &params, &s, &err);
			memory_countdown = -1;
			assert_int_equal(made, !memory_failed);
			if (made)
				simulation_destroy(s);
			else
				assert_true(err.status == STATUS_IO && err.text[0]);
		} while (memory_failed);
		assert_true(n > 4);
	}
}

TEST_RUNS(every_policy, "every policy", .setup_func = begin, .teardown_func = end);
TEST_RUNS(every_policy, "every policy", .setup_func = begin_apart, .teardown_func = end);

/* Jobs of a triggered task that wait, and of a chain that have not ended: more and more of them. */
static int begin_chained(void **state)
{
	static uint32_t first[] = {0}, both[] = {0, 1};
	static char name[] = "chain";
	static struct release_rule after = {.kind = RELEASE_AFTER, .after = first, .after_count = 1};
	static struct effect_chain chain = {
		.name = name, .tasks = both, .task_count = 2, .communication = CHAIN_LET};
	maker_init(&k, 200000);
	maker_task(&k, "a", 10, 10, 0);
	maker_cpu(&k, 1, 1);
	maker_task(&k, "slow", 10, 10, 0)->release = &after;
	maker_cpu(&k, 100000, 100000);
	k.setup.limit_ns = 200000;
	k.set.chains = &chain;
	k.set.chain_count = 1;
	spec = (struct run_spec){.platform = &k.platform,
		.set = &k.set,
		.setup = &k.setup,
		.policy = policy_find("fifo-cke"),
		.record = RECORD_SUMMARY};
	return 0;
}

TEST("triggers and chains while they run", .setup_func = begin_chained, .teardown_func = end)
{
	bool during = false;
	for (long n = 0;; n++) {
		struct run *r;
		struct run_result result;
		struct error err = {0};
		enum run_state now = RUN_GOES_ON;
		bool exists;
		memory_failed = false;
		memory_countdown = n;
		bool begun = run_begin(&spec, NULL, &r, &exists, &err);
		bool too_early = memory_failed;
		while (begun && now == RUN_GOES_ON)
			now = run_step(r, 1000, &err);
		memory_countdown = -1;
		during |= begun && memory_failed && !too_early;
		bool over = begun && now == RUN_OVER && run_finish(r, &result, &err);
		if (over && result.status != RUN_ERROR)
			assert_false(memory_failed);
		else
			assert_true(memory_failed && (over ? result.failure : err.status) == STATUS_IO);
		if (begun)
			run_destroy(r);
		if (!memory_failed)
			break;
		assert_true(n < 1000);
	}
	assert_true(during);
}

TEST("observers", .setup_func = begin, .teardown_func = end)
{
	struct statistics statistics;
	struct power power;
	struct arena arena = {0};
	for (long n = 0;; n++) {
		memory_failed = false;
		memory_countdown = n;
		bool made = statistics_init(&statistics, &arena, 200) &&
			    power_init(&power, &arena, &k.platform, &k.set, NULL, NULL);
		memory_countdown = -1;
		assert_int_equal(made, !memory_failed);
		arena_finish(&arena);
		if (!memory_failed)
			break;
		assert_true(n < 1000);
	}
}

/* If memory is missing, a run is either not begun or ends as an error, and never as something else. */
TEST("runs", .setup_func = begin, .teardown_func = end)
{
	struct run *run;
	struct run_result result;
	struct error err;
	bool exists;
	uint32_t errors = 0;
	spec.policy = policy_find("rm");
	for (long n = 0;; n++) {
		memory_failed = false;
		memory_countdown = n;
		bool begun = run_begin(&spec, NULL, &run, &exists, &err);
		memory_countdown = -1;
		if (begun) {
			while (run_step(run, 1000, &err) == RUN_GOES_ON)
				;
			assert_true(run_finish(run, &result, &err));
			assert_int_equal(result.status, memory_failed ? RUN_ERROR : RUN_OK);
			errors += memory_failed;
			run_destroy(run);
		} else {
			assert_true(memory_failed);
		}
		if (!memory_failed)
			break;
		assert_true(n < 1000);
	}
	assert_true(errors > 0);
}

/* Runs every analysis on the plans of all policies that it is for. */
static void bounds(void **state)
{
	struct error err;
	uint32_t asked = 0;
	for (const struct policy *const *p = policy_all(); *p; p++) {
		if (!(*p)->plan)
			continue;
		struct params params;
		params_default(&params, (*p)->options);
		const struct bounding_spec b_spec = {&k.platform, &k.set, &k.setup, *p, &params};
		for (const struct analysis *const *a = analysis_all(); *a; a++) {
			struct analysis_use use = {.analysis = *a};
			params_default(&use.params, (*a)->options);
			for (long n = 0;; n++) {
				struct bounding b;
				struct bounds result;
				memory_failed = false;
				err = (struct error){0};
				memory_countdown = n;
				bool done = bounding_begin(&b, &b_spec, &err) && bounding_fits(&b, *a) &&
					    bounding_compute(&b, &use, &result, &err);
				memory_countdown = -1;
				bounding_finish(&b);
				if (memory_failed)
					assert_true(!done && err.status == STATUS_IO && err.text[0]);
				asked += done;
				if (!memory_failed)
					break;
				assert_true(n < 10000);
			}
		}
	}
	assert_true(asked >= 10);
}

TEST_RUNS(bounds, "bounds", .setup_func = begin, .teardown_func = end);
TEST_RUNS(bounds, "bounds", .setup_func = begin_apart, .teardown_func = end);

/* Bounds: all rows, or an error. */
TEST("rows of bounds", .setup_func = begin_apart, .teardown_func = end)
{
	static const char file[] = "/tmp/cegsim-test-memory-bounds.db";
	struct error err;
	struct params params;
	struct analysis_use use = {.analysis = analysis_find("stgm")};
	struct bounding b;
	struct bounds result;
	k.set.name = arena_strdup(&k.set.arena, "set");
	params_default(&params, policy_find("stgm")->options);
	params_default(&use.params, use.analysis->options);
	assert_true(params_set(&params, "admit", "any", &err));
	const struct bounding_spec b_spec = {&k.platform, &k.set, &k.setup, policy_find("stgm"), &params};
	assert_true(bounding_begin(&b, &b_spec, &err) && bounding_compute(&b, &use, &result, &err));
	assert_non_null(result.task);
	for (long n = 0;; n++) {
		struct bounding_ids ids;
		struct db_writer *w = writer_open(file, true, &err);
		assert_non_null(w);
		assert_true(store_platform(w, &k.platform, &ids.platform_id, &err) &&
			    store_taskset(w, &k.set, NULL, &ids.taskset_id, &err) &&
			    store_policy(w, b_spec.policy, &params, &ids.policy_id, &err));
		memory_failed = false;
		memory_countdown = n;
		bool stored = bounding_store(&b, &result, true, &ids, w, &err);
		memory_countdown = -1;
		writer_abandon(w, false);
		if (!memory_failed) {
			assert_true(stored && n > 2);
			break;
		}
		assert_true(n < 1000);
	}
	bounding_finish(&b);
}

/* ---- runs of warps ---- */

static struct warp_subject subject;
static struct params warp_params;
static const char warps_file[] = "/tmp/cegsim-test-memory-warps.db";

/* A short run that needs the IPC alone. */
static int begin_warps(void **state)
{
	struct error err;
	assert_true(warp_subject_init(&subject));
	subject.setup.horizon_ns = subject.setup.limit_ns = 600;
	subject.kernels[0].goal = (struct warp_goal){.kind = GOAL_SHARE, .share_ppm = 500000};
	spec = (struct run_spec){
		.platform = &subject.platform,
		.set = &subject.set,
		.setup = &subject.setup,
		.policy = policy_find("qaws"),
		.params = &warp_params,
		.record = RECORD_ISSUES,
	};
	params_default(&warp_params, spec.policy->options);
	assert_true(params_set(&warp_params, "manager", "rollover", &err));
	assert_true(params_set(&warp_params, "epoch", "100", &err));
	return 0;
}

static int end_warps(void **state)
{
	warp_subject_finish(&subject);
	return 0;
}

/* Begins, steps and ends a run; with a writer, records it. Returns whether that succeeded; an error run
 * counts as success. */
static bool run_warps_once(struct db_writer *w, struct run_result *result, struct error *err)
{
	struct run *run;
	bool exists;
	enum run_state now;
	if (!run_begin(&spec, w, &run, &exists, err))
		return false;
	while ((now = run_step(run, 1000, err)) == RUN_GOES_ON)
		;
	bool ok = now == RUN_OVER && run_finish(run, result, err);
	run_destroy(run);
	return ok;
}

TEST("warp runs", .setup_func = begin_warps, .teardown_func = end_warps)
{
	struct run_result result;
	struct error err;
	uint32_t errors = 0;
	for (long n = 0;; n++) {
		spec.alone = warp_alone_cache_create();
		assert_non_null(spec.alone);
		memory_failed = false;
		memory_countdown = n;
		bool done = run_warps_once(NULL, &result, &err);
		memory_countdown = -1;
		warp_alone_cache_destroy(spec.alone);
		if (done)
			assert_int_equal(result.status, memory_failed ? RUN_ERROR : RUN_OK);
		else
			assert_true(memory_failed && err.status == STATUS_IO);
		errors += done && memory_failed;
		if (!memory_failed)
			break;
		assert_true(n < 1000);
	}
	assert_true(errors > 3);
}

/* The set, its run and its rows: everything, or an error. */
TEST("rows of warps", .setup_func = begin_warps, .teardown_func = end_warps)
{
	static const struct scenario_row scenario = {"scenario", "a.yaml", "", "0"};
	struct run_result result;
	struct error err;
	uint32_t failures = 0;
	for (long n = 0;; n++) {
		struct db_writer *w = writer_open(warps_file, true, &err);
		assert_true(w && store_platform(w, &subject.platform, &spec.platform_id, &err) &&
			    writer_scenario(w, &scenario, &spec.scenario_id, &err));
		memory_failed = false;
		memory_countdown = n;
		bool done = store_taskset(w, &subject.set, NULL, &spec.taskset_id, &err) &&
			    run_warps_once(w, &result, &err);
		memory_countdown = -1;
		assert_int_equal(done, !memory_failed);
		assert_int_equal(
			done ? (int)result.status : (int)err.status, done ? (int)RUN_OK : (int)STATUS_IO);
		failures += !done;
		if (memory_failed) {
			writer_abandon(w, false);
			assert_true(n < 1000);
			continue;
		}
		assert_true(writer_finish(w, NULL, &err));
		break;
	}
	assert_true(failures > 6);
}

/* Loads from the file that the test before has left. */
TEST("loading warps", .setup_func = begin_warps, .teardown_func = end_warps)
{
	struct loaded_run loaded;
	struct error err;
	struct db_reader *reader = reader_open(warps_file, &err);
	assert_non_null(reader);
	for (long n = 0;; n++) {
		memory_failed = false;
		memory_countdown = n;
		bool done = load_run(reader, 1, &loaded, &err);
		memory_countdown = -1;
		assert_int_equal(done, !memory_failed);
		if (done) {
			assert_int_equal(loaded.set.warps->kernel_count, WARP_RUN_KERNELS);
			loaded_run_finish(&loaded);
			break;
		}
		assert_true(err.status == STATUS_IO && n < 1000);
	}
	reader_close(reader);
	unlink(warps_file);
}
