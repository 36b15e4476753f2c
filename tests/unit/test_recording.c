/* tests/unit/test_recording.c - the recording holds exactly what was given to the writer, field by field. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/test.h"
#include "tests/unit/db_sample.h"

static struct error err;
static char file[512];
static struct db_writer *w;
static struct sample ids;

static int begin(void **state)
{
	w = sample_open(file, &ids, &err);
	return w ? 0 : -1;
}

static int clean(void **state)
{
	sample_clean();
	return 0;
}

ALL_TESTS(NULL, clean);
EACH_TEST(begin, NULL);

static void begin_run(struct run_row *run)
{
	bool there;
	*run = sample_run(&ids, ids.fcfs_id, 1);
	assert_ok(writer_begin_run(w, run, &there, &err));
	assert_false(there);
}

static void end_run(const struct run_row *run)
{
	assert_ok(writer_end_run(w, run, &err));
	assert_ok(writer_finish(w, NULL, &err));
}

static void finish(void)
{
	assert_ok(writer_finish(w, NULL, &err));
}

/* ---- what things are ---- */

TEST("scenario and policy")
{
	finish();
	assert_string_equal(
		sample_rows(file, "SELECT scenario_id, kind, name, text, tool_version FROM scenario"),
		"1|scenario|sample.yaml|cegsim: 1\n|0.1.0");
	assert_string_equal(sample_rows(file, "SELECT policy_id, name, params, version FROM policy"),
		"1|fcfs|{\"unit\":\"section\"}|1\n2|rm|{\"unit\":\"section\"}|1");
}

TEST("platform")
{
	int64_t id;
	struct platform_row full = {"full", 1, 2, 3, 4, "gpu", 5, 2, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
		"[0]", 16, 17, 18, 19, 20, 21, "global", 22, 23, 24};
	assert_ok(writer_platform(w, &full, &id, &err));
	assert_int_equal(id, 2);
	finish();
	assert_string_equal(sample_rows(file, "SELECT name, cores, engines, copy_latency_ns, copy_bandwidth, "
					      "pool, sms, sms_per_tpc, threads_per_sm,"
					      " blocks_per_sm, warps_per_sm, registers_per_sm, "
					      "shared_memory_per_sm, virtual_sms_per_sm, work_queues,"
					      " pin_overhead_ns, static_uw, idle_per_sm_uw FROM platform"),
		"two-sms|1|1|8000|10000000000|sm|2|1|2048|16|-|-|-|-|32|0|1000000|200000\n"
		"full|1|2|3|4|gpu|5|2|6|7|8|9|10|11|12|13|14|15");
	assert_string_equal(
		sample_rows(file, "SELECT overhead_release_ns, core_scheduling, "
				  "timeslice_ns, context_switch_ns, context_reset_ns FROM platform "
				  "WHERE platform_id = 2"),
		"21|global|22|23|24");
}

TEST("taskset")
{
	finish();
	assert_string_equal(
		sample_rows(file,
			"SELECT name, task_count, explicit_priorities, target_utilisation_ppm, recipe,"
			" recipe_index FROM taskset"),
		"sample|2|0|500000|-|-");
	assert_string_equal(
		sample_rows(file,
			"SELECT task_id, taskset_id, task_idx, name, period_ns, deadline_ns, offset_ns,"
			" priority, release_kind, max_delay_ppm, trace_id, jitter_ns, "
			"misses_at_most, misses_in, core FROM task"),
		"1|1|0|camera|10000000|10000000|0|-|-|-|-|-|-|-|-\n"
		"2|1|1|lidar|20000000|20000000|1000000|-|-|-|-|-|-|-|-");
	assert_string_equal(
		sample_rows(file,
			"SELECT task_id, segment_idx, kind, best_ns, worst_ns, stream, stream_priority,"
			" direction, bytes, form, grid_blocks, block_threads, registers, shared_memory, "
			"overhead_ns, interleave,"
			" profile_idx, dynamic_uw FROM segment"),
		"1|0|cpu|1000000|1000000|-|-|-|-|-|-|-|-|-|-|-|-|-\n"
		"1|1|copy|500000|500000|-1|low|to_gpu|4096|-|-|-|-|-|-|-|-|-\n"
		"1|2|kernel|2000000|2000000|-1|low|-|-|grid|2|1024|32|0|-|-|-|500000\n"
		"1|3|copy|500000|500000|-1|low|to_cpu|-|-|-|-|-|-|-|-|-|-\n"
		"1|4|cpu|0|0|-|-|-|-|-|-|-|-|-|-|-|-|-\n"
		"2|0|kernel|-|-|-1|high|-|-|profile|-|-|-|-|-|-|0|-");
	assert_string_equal(
		sample_rows(file,
			"SELECT taskset_id, profile_idx, name, sms, best_ns, worst_ns, total_power_uw"
			" FROM profile"),
		"1|0|mmul|1|30000000|34000000|58000000\n1|0|mmul|2|15000000|17000000|61000000");
}

TEST("every field of a task and a segment")
{
	int64_t trace, id;
	static const int64_t releases[] = {5, 7};
	assert_ok(writer_trace(w, releases, 2, NULL, 0, &trace, &err));
	struct task_row task = {0, "x", 1, 2, 3, 4, "sporadic", 5, trace, 6, 7, 8, 9, "together", -9, 1};
	struct segment_row segment = {0, 0, "kernel", 1, 2, -2, "high", "both", 3, "work", 4, 5, 6, 7, 8,
		"{\"2\": [9, "
		"5]}",
		9, 10, "part", 11, 1};
	const struct segment_sample_row samples[] = {{0, 0, 0, 11}, {0, 0, 1, 12}};
	struct taskset_row set = {
		.name = "one",
		.explicit_priorities = 1,
		.target_utilisation_ppm = DB_NULL,
		.recipe = "{\"n\": 1}",
		.recipe_index = 7,
		.tasks = &task,
		.task_count = 1,
		.segments = &segment,
		.segment_count = 1,
		.samples = samples,
		.sample_count = 2,
	};
	assert_ok(writer_taskset(w, &set, &id, &err));
	finish();
	assert_string_equal(
		sample_rows(file, "SELECT task_id, segment_idx, sample, value_ns FROM segment_sample"),
		"3|0|0|11\n3|0|1|12");
	assert_string_equal(
		sample_rows(file,
			"SELECT name, task_count, explicit_priorities, target_utilisation_ppm, recipe,"
			" recipe_index FROM taskset WHERE taskset_id = 2"),
		"one|1|1|-|{\"n\": 1}|7");
	assert_string_equal(
		sample_rows(file,
			"SELECT task_id, task_idx, name, period_ns, deadline_ns, offset_ns, priority,"
			" release_kind, max_delay_ppm, trace_id, jitter_ns, misses_at_most, "
			"misses_in, core, process, gpu_priority, best_effort FROM task WHERE taskset_id = 2"),
		"3|0|x|1|2|3|4|sporadic|5|1|6|7|8|9|together|-9|1");
	assert_string_equal(
		sample_rows(file,
			"SELECT task_id, segment_idx, kind, best_ns, worst_ns, stream, stream_priority,"
			" direction, bytes, form, grid_blocks, block_threads, registers, shared_memory, "
			"overhead_ns, interleave,"
			" profile_idx, dynamic_uw, name, carveout, idempotent FROM segment"
			" WHERE task_id = 3"),
		"3|0|kernel|1|2|-2|high|both|3|work|4|5|6|7|8|{\"2\": [9, 5]}|9|10|part|11|1");
}

TEST("every field of chains and triggers, and their views")
{
	static const struct task_after_row afters[] = {{1, 0, 0}};
	static const struct chain_row chains[] = {{0, "see", "implicit", "release", 30 * MS, 20 * MS},
		{1, "loop", "let", "start", DB_NULL, DB_NULL}};
	static const struct chain_task_row stages[] = {{0, 0, 1}, {0, 1, 0}, {1, 0, 1}};
	static const struct chain_run_row figures[] = {
		{0, 2, 10 * MS, 11 * MS, 12 * MS, 3, 4, 5, 6 * MS, 7 * MS, 21 * MS, 8, 9},
		{1, 0, DB_NULL, DB_NULL, DB_NULL, DB_NULL, DB_NULL, 0, DB_NULL, DB_NULL, DB_NULL, DB_NULL,
			DB_NULL}};
	static const struct chain_bound_row bounds[] = {{0, 20 * MS}, {1, DB_NULL}};
	struct task_row tasks[] = {sample_tasks[0], sample_tasks[1]};
	tasks[1].release_kind = "after";
	struct taskset_row set = sample_taskset();
	set.name = "chained";
	set.tasks = tasks;
	set.afters = afters;
	set.after_count = 1;
	set.chains = chains;
	set.chain_count = 2;
	set.chain_tasks = stages;
	set.chain_task_count = 3;
	struct sample with = ids;
	bool exists;
	assert_ok(writer_taskset(w, &set, &with.taskset_id, &err));
	struct run_row run = sample_run(&with, with.rm_id, 1);
	assert_ok(writer_begin_run(w, &run, &exists, &err));
	assert_ok(writer_chain_runs(w, figures, 2, &err));
	assert_ok(writer_end_run(w, &run, &err));
	const struct analysis_row analysis = {.analysis = "chain",
		.params = "{}",
		.safety = "sound",
		.version = 1,
		.taskset_id = with.taskset_id,
		.platform_id = with.platform_id,
		.policy_id = with.rm_id,
		.verdict = "schedulable",
		.failing_task = DB_NULL,
		.wall_us = 1};
	const struct analysis_rows rows = {.chains = bounds, .chain_count = 2};
	assert_ok(writer_analysis(w, &analysis, &rows, &exists, &err));
	finish();
	assert_string_equal(sample_rows(file, "SELECT t.task_idx, t.release_kind, a.place, a.after_idx FROM "
					      "task_after a JOIN task t USING (task_id)"),
		"1|after|0|0");
	assert_string_equal(sample_rows(file, "SELECT * FROM chain"),
		"2|0|see|implicit|release|30000000|20000000\n2|1|loop|let|start|-|-");
	assert_string_equal(sample_rows(file, "SELECT * FROM chain_task"), "2|0|0|1\n2|0|1|0\n2|1|0|1");
	assert_string_equal(sample_rows(file, "SELECT * FROM chain_run"),
		"1|0|2|10000000|11000000|12000000|3|4|5|6000000|7000000|21000000|8|9\n"
		"1|1|0|-|-|-|-|-|0|-|-|-|-|-");
	assert_string_equal(
		sample_rows(file, "SELECT chain_idx, bound_ns FROM chain_bound"), "0|20000000\n1|-");
	assert_string_equal(sample_rows(file, "SELECT chain, tasks, max_age_ms, age_limit_ms, "
					      "max_reaction_ms, reaction_limit_ms, kept FROM v_chain"),
		"see|lidar > camera|12.0|30.0|21.0|20.0|0\nloop|lidar|-|-|-|-|-");
	assert_string_equal(
		sample_rows(file, "SELECT chain, observed_ms, bound_ms, tightness, holds FROM v_chain_check"),
		"see|21.0|20.0|1.05|0\nloop|-|-|-|-");
}

TEST("release traces")
{
	int64_t first, second, third;
	static const int64_t releases[] = {0, 10, 10, INT64_MAX};
	static const struct trace_duration_row durations[] = {{0, 0, 5}, {1, 2, 6}};
	assert_ok(writer_trace(w, releases, 4, durations, 2, &first, &err));
	assert_ok(writer_trace(w, releases, 3, NULL, 0, &second, &err));
	assert_ok(writer_trace(w, releases, 4, durations, 2, &third, &err));
	assert_int_equal(first, third);
	assert_int_not_equal(first, second);
	finish();
	assert_string_equal(
		sample_rows(file, "SELECT trace_id, seq, release_ns FROM trace_release WHERE trace_id = 1"),
		"1|0|0\n1|1|10\n1|2|10\n1|3|9223372036854775807");
	assert_string_equal(sample_rows(file, "SELECT * FROM trace_duration"), "1|0|0|5\n1|1|2|6");
	assert_int_equal(sample_integer(file, "SELECT count(*) FROM trace_release"), 7);
}

/* Two sets that differ only in the content of a trace are two sets; the trace's number in the file does not
 * matter. */
TEST("traces count by content")
{
	int64_t trace[2], set[2];
	char digest[2][32];
	static const int64_t releases[] = {1, 2, 3};
	for (int order = 0; order < 2; order++) {
		if (order == 1)
			assert_int_equal(begin(state), 0);
		struct task_row tasks[2] = {sample_tasks[0], sample_tasks[1]};
		struct taskset_row rows = sample_taskset();
		rows.tasks = tasks;
		for (int i = 0; i < 2; i++)
			assert_ok(writer_trace(
				w, releases, (size_t)(order == i ? 2 : 3), NULL, 0, &trace[i], &err));
		for (int i = 0; i < 2; i++) {
			tasks[0].release_kind = "trace";
			tasks[0].trace_id = trace[i];
			assert_ok(writer_taskset(w, &rows, &set[i], &err));
		}
		assert_int_not_equal(set[0], set[1]);
		finish();
		snprintf(digest[order], sizeof(digest[order]), "%s",
			sample_rows(file, "SELECT s.digest FROM taskset s JOIN task t USING (taskset_id) "
					  "WHERE (SELECT count(*) FROM trace_release r"
					  " WHERE r.trace_id = t.trace_id) = 2"));
	}
	assert_string_equal(digest[0], digest[1]);
}

/* ---- what happened ---- */

TEST("run")
{
	int64_t trace;
	bool there;
	static const int64_t releases[] = {1};
	assert_ok(writer_trace(w, releases, 1, NULL, 0, &trace, &err));
	struct run_row run = {ids.scenario_id, ids.taskset_id, ids.platform_id, ids.rm_id, 3, -4, 5, 6,
		"horizon", 7, "trace", 8, trace, "scaled", 9, "abort", "lower-first", "segments", "truncated",
		"the limit was hit", 1, 4, 10, 11, 20, 12, 13, 14, 15, 16, 18, 19, "00112233445566ff",
		.wall_us = 17};
	assert_ok(writer_begin_run(w, &run, &there, &err));
	end_run(&run);
	assert_string_equal(
		sample_rows(file,
			"SELECT run_id, scenario_id, taskset_id, platform_id, policy_id, replication, seed,"
			" set_number, horizon_ns, stop_rule, limit_ns, release_kind, max_delay_ppm, trace_id,"
			" execution, scale_ppm, on_miss, ties, record, status, reason, failing_task_id,"
			" virtual_sms_per_sm, stop_ns, window_ns, cycles, events, jobs, misses, energy_uj,"
			" energy_rest_uwns, gpu_active_ns, sm_active_ns, digest, wall_us FROM run"),
		"1|1|1|1|2|3|-4|5|6|horizon|7|trace|8|1|scaled|9|abort|lower-first|segments|truncated|the "
		"limit was hit|2|4|10|"
		"11|20|12|13|14|15|16|18|19|00112233445566ff|17");
}

TEST("jobs")
{
	struct run_row run;
	struct job_row jobs[] = {
		{
			.release_ns = 1,
			.abs_deadline_ns = 2,
			.first_start_ns = 3,
			.finish_ns = 4,
			.task = 0,
			.seq = 0,
			.outcome = job_outcome(ROW_JOB_FINISHED, false),
		},
		{
			.release_ns = 1,
			.abs_deadline_ns = 2,
			.first_start_ns = -1,
			.finish_ns = 2,
			.task = 1,
			.seq = 1,
			.outcome = job_outcome(ROW_JOB_DROPPED, true),
		},
		{
			.release_ns = 1,
			.abs_deadline_ns = 2,
			.first_start_ns = 0,
			.finish_ns = 9,
			.task = 0,
			.seq = UINT32_MAX,
			.outcome = job_outcome(ROW_JOB_ABORTED, true),
		},
		{
			.release_ns = INT64_MAX - 1,
			.abs_deadline_ns = INT64_MAX,
			.first_start_ns = 5,
			.finish_ns = -1,
			.task = 1,
			.seq = 3,
			.outcome = job_outcome(ROW_JOB_UNFINISHED, false),
		},
		{
			.release_ns = 0,
			.abs_deadline_ns = 1,
			.first_start_ns = 0,
			.finish_ns = -1,
			.task = 0,
			.seq = 4,
			.outcome = job_outcome(ROW_JOB_UNFINISHED, true),
		},
		{
			.release_ns = 0,
			.abs_deadline_ns = 1,
			.first_start_ns = 0,
			.finish_ns = 7,
			.task = 0,
			.seq = 5,
			.outcome = job_outcome(ROW_JOB_FINISHED, true),
		},
	};
	begin_run(&run);
	assert_ok(writer_jobs(w, jobs, 2, &err));
	assert_ok(writer_jobs(w, jobs, 0, &err));
	assert_ok(writer_jobs(w, jobs + 2, 4, &err));
	end_run(&run);
	assert_string_equal(
		sample_rows(file, "SELECT run_id, task_id, seq, release_ns, abs_deadline_ns, first_start_ns,"
				  " finish_ns, state, missed, response_ns FROM job"),
		"1|1|0|1|2|3|4|finished|0|3\n"
		"1|2|1|1|2|-|2|dropped|1|-\n"
		"1|1|4294967295|1|2|0|9|aborted|1|-\n"
		"1|2|3|9223372036854775806|9223372036854775807|5|-|unfinished|0|-\n"
		"1|1|4|0|1|0|-|unfinished|1|-\n"
		"1|1|5|0|1|0|7|finished|1|7");
	assert_near(sample_real(file, "SELECT response_lower_ms FROM v_job WHERE seq = 4"), 26.0, 0);
}

TEST("segment intervals")
{
	struct run_row run;
	struct segment_interval_row rows[12];
	static const char *const resources[] = {"cpu", "copy", "gpu"},
				 *const kinds[] = {"run", "spin", "boost"},
				 *const ends[] = {"done", "preempted", "aborted", "stopped"};
	char expected[1024] = "";
	begin_run(&run);
	for (uint32_t i = 0; i < 12; i++) {
		rows[i] = (struct segment_interval_row){i, i + 1, i + 2, i % 2, i, 3, i % 5, (uint16_t)i,
			(uint16_t)(65535 - i), segment_interval_code(i % 3, i / 4, i % 4)};
		snprintf(expected + strlen(expected), sizeof(expected) - strlen(expected),
			"%s1|%u|%u|%u|3|%u|%u|%u|%u|%s|%s|%s|%s", i ? "\n" : "", i % 2 + 1, i, i, 65535 - i,
			i, i + 1, i + 2,
			i % 5 == 0   ? "-"
			: i % 5 == 1 ? "1"
			: i % 5 == 2 ? "2"
			: i % 5 == 3 ? "3"
				     : "4",
			resources[i % 3], kinds[i / 4], ends[i % 4]);
	}
	assert_ok(writer_segment_intervals(w, rows, 12, &err));
	end_run(&run);
	assert_string_equal(
		sample_rows(file,
			"SELECT run_id, task_id, seq, segment_idx, part, unit, ready_ns, start_ns, end_ns,"
			" granted, resource, kind, ended FROM segment_interval"),
		expected);
}

TEST("blocks power decisions")
{
	struct run_row run;
	struct block_interval_row blocks[] = {{1, 2, 0, 3, 4, 5, 6, 7, 8, ROW_SPAN_DONE},
		{1, INT64_MAX, 1, UINT32_MAX, 4, ROW_NONE, 0, 2048, 65535, ROW_SPAN_STOPPED}};
	struct power_interval_row power = {1, 2, INT64_C(300000000000), 46, 0};
	struct decision_row decision = {2, 1, 9, INT64_MAX, 1, 2, 3, 4, 1, 0};
	struct hist_row hist = {INT64_C(5000000000), 1, 17};
	begin_run(&run);
	assert_ok(writer_block_intervals(w, blocks, 2, &err));
	assert_ok(writer_power_intervals(w, &power, 1, &err));
	assert_ok(writer_decisions(w, &decision, 1, &err));
	assert_ok(writer_hist(w, &hist, 1, &err));
	end_run(&run);
	assert_string_equal(
		sample_rows(file,
			"SELECT run_id, task_id, seq, segment_idx, block, sm, slot, threads, start_ns,"
			" end_ns, ended FROM block_interval"),
		"1|1|3|8|4|5|6|7|1|2|done\n1|2|4294967295|65535|4|-|0|2048|1|9223372036854775807|stopped");
	assert_string_equal(sample_rows(file, "SELECT * FROM power_interval"), "1|1|2|300000000000|46|0|0");
	assert_string_equal(
		sample_rows(file, "SELECT * FROM decision"), "1|2|1|2|2|4|3|9|9223372036854775807|1|0|0");
	assert_string_equal(sample_rows(file, "SELECT * FROM run_task_hist"), "1|2|17|5000000000|17|17");
}

TEST("contexts")
{
	struct run_row run;
	struct context_interval_row contexts[] = {{1, 2, 1, 0}, {2, 5, 0, 1}};
	const uint8_t code = segment_interval_code(ROW_GPU, ROW_RUN, ROW_SPAN_RESET);
	struct segment_interval_row lost = {.end_ns = 7, .task = 1, .code = code};
	struct block_interval_row block = {.end_ns = 7, .task = 1, .ended_code = ROW_SPAN_RESET};
	begin_run(&run);
	assert_ok(writer_context_intervals(w, contexts, 2, &err));
	assert_ok(writer_segment_intervals(w, &lost, 1, &err));
	assert_ok(writer_block_intervals(w, &block, 1, &err));
	end_run(&run);
	const char *both =
		"SELECT c.*, process FROM context_interval c JOIN v_context USING (process_task_id)";
	assert_string_equal(sample_rows(file, both), "1|2|1|2|0|run|lidar\n1|1|2|5|1|switch|camera");
	const char *ends = "SELECT i.kind, i.ended, b.ended FROM segment_interval i, block_interval b";
	assert_string_equal(sample_rows(file, ends), "run|reset|reset");
}

TEST("run tasks")
{
	struct run_row run;
	struct run_task_row rows[] = {
		{1, 0, 2, 4, "[0, 5]", 9, 1, 8, 10, 20, 30, 40, -50, 60, 70},
		{0, 1, DB_NULL, DB_NULL, NULL, 0, 0, 0, DB_NULL, DB_NULL, DB_NULL, DB_NULL, DB_NULL, DB_NULL,
			DB_NULL},
	};
	begin_run(&run);
	assert_ok(writer_run_tasks(w, rows, 2, &err));
	end_run(&run);
	assert_string_equal(sample_rows(file, "SELECT * FROM run_task ORDER BY task_id"),
		"1|1|1|-|-|-|0|0|0|-|-|-|-|-|-|-\n1|2|0|2|4|[0, 5]|9|1|8|10|20|30|40|-50|60|70");
}

/* More rows than one statement or transaction takes; all must be there, in their order. */
TEST("many rows")
{
	enum { MANY = 600000 };
	struct run_row run;
	struct job_row *jobs = calloc(MANY, sizeof(*jobs));
	assert_non_null(jobs);
	for (uint32_t i = 0; i < MANY; i++)
		jobs[i] = (struct job_row){
			.release_ns = i,
			.abs_deadline_ns = i + 1,
			.first_start_ns = i,
			.finish_ns = i + 2,
			.task = i % 2,
			.seq = i / 2,
		};
	begin_run(&run);
	assert_ok(writer_jobs(w, jobs, MANY, &err));
	free(jobs);
	end_run(&run);
	assert_int_equal(sample_integer(file, "SELECT count(*) FROM job"), MANY);
	assert_int_equal(sample_integer(file, "SELECT count(*) FROM job WHERE release_ns <> rowid - 1 OR "
					      "task_id <> release_ns % 2 + 1"
					      " OR seq <> release_ns / 2 OR finish_ns <> release_ns + 2"),
		0);
}

/* The tasks of a run are those of its set, wherever the ids of the set begin. */
TEST("tasks of the second set")
{
	bool there;
	int64_t id;
	struct taskset_row set = sample_taskset();
	struct job_row job = {
		.release_ns = 1, .abs_deadline_ns = 2, .first_start_ns = 3, .finish_ns = 4, .task = 1};
	struct run_task_row task = {.task = 1};
	set.name = "another";
	assert_ok(writer_taskset(w, &set, &id, &err));
	struct run_row run = sample_run(&ids, ids.fcfs_id, 1);
	run.taskset_id = id;
	run.failing_task = 0;
	assert_ok(writer_begin_run(w, &run, &there, &err));
	assert_ok(writer_jobs(w, &job, 1, &err));
	assert_ok(writer_run_tasks(w, &task, 1, &err));
	end_run(&run);
	assert_int_equal(sample_integer(file, "SELECT task_id FROM job"), 4);
	assert_int_equal(sample_integer(file, "SELECT task_id FROM run_task"), 4);
	assert_int_equal(sample_integer(file, "SELECT failing_task_id FROM run"), 3);
}

/* A row of a batch keeps nothing of the row before it. Texts of any length, NULLs and references are
 * stored. */
TEST("values of a batch")
{
	static char text[40001];
	bool there;
	memset(text, 'x', sizeof(text) - 1);
	struct task_row tasks[] = {sample_tasks[0], sample_tasks[1], sample_tasks[0]};
	struct segment_row segments[6];
	struct profile_row profiles[] = {
		{0, "", 1, INT64_MIN + 1, INT64_MAX, DB_NULL}, {0, "\xc3\xa9", 2, 0, -1, 1}};
	for (uint32_t i = 0; i < 3; i++) {
		tasks[i].task = i;
		segments[2 * i] = sample_segments[0];
		segments[2 * i + 1] = (struct segment_row){i, 1, "kernel", i, INT64_MAX - i, -1, "high", NULL,
			DB_NULL, "grid", 1, 2, 3, 4, DB_NULL, text, DB_NULL, i ? (int64_t)i : DB_NULL};
		segments[2 * i].task = i;
	}
	const struct taskset_row set = {
		"batch", 3, 0, DB_NULL, text, DB_NULL, tasks, segments, 6, profiles, 2};
	assert_ok(writer_taskset(w, &set, &ids.taskset_id, &err));
	struct run_row run = sample_run(&ids, ids.fcfs_id, 1);
	run.failing_task = 2;
	assert_ok(writer_begin_run(w, &run, &there, &err));
	assert_ok(writer_run_tasks(w,
		(const struct run_task_row[]){{2, 7, 1, 2, "[0]", 3, 0, 3, 4, 5, 6, 7, 8, 9, 10},
			{0, DB_NULL, DB_NULL, DB_NULL, NULL, 0, 0, 0, DB_NULL, DB_NULL, DB_NULL, DB_NULL,
				DB_NULL, DB_NULL, DB_NULL}},
		2, &err));
	end_run(&run);
	assert_string_equal(
		sample_rows(file, "SELECT task_id, segment_idx, kind, best_ns, worst_ns, stream,"
				  " stream_priority, form, grid_blocks, length(interleave), dynamic_uw"
				  " FROM segment WHERE task_id > 2 AND segment_idx = 1"),
		"3|1|kernel|0|9223372036854775807|-1|high|grid|1|40000|-\n"
		"4|1|kernel|1|9223372036854775806|-1|high|grid|1|40000|1\n"
		"5|1|kernel|2|9223372036854775805|-1|high|grid|1|40000|2");
	assert_int_equal(
		sample_integer(file, "SELECT count(*) FROM segment WHERE task_id > 2 AND segment_idx = 0"
				     " AND kind = 'cpu' AND coalesce(stream, stream_priority, direction,"
				     " bytes, form, grid_blocks, block_threads, interleave, dynamic_uw)"
				     " IS NULL"),
		3);
	assert_string_equal(sample_rows(file, "SELECT * FROM profile WHERE taskset_id = 2"),
		"2|0||1|-9223372036854775807|9223372036854775807|-\n2|0|\xc3\xa9|2|0|-1|1");
	assert_string_equal(sample_rows(file, "SELECT failing_task_id FROM run"), "5");
	assert_string_equal(sample_rows(file, "SELECT * FROM run_task ORDER BY task_id"),
		"1|3|-|-|-|-|0|0|0|-|-|-|-|-|-|-\n1|5|7|1|2|[0]|3|0|3|4|5|6|7|8|9|10");
}
