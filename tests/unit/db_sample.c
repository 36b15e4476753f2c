/* tests/unit/db_sample.c - the hand-made recording for the tests of db/. */
#include "tests/unit/db_sample.h"

#include <ftw.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/test.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define N DB_NULL

struct platform_row sample_platform(void)
{
	return (struct platform_row){
		.name = "two-sms",
		.cores = 1,
		.engines = 1,
		.copy_latency_ns = 8000,
		.copy_bandwidth = INT64_C(10000000000),
		.pool = "sm",
		.sms = 2,
		.sms_per_tpc = 1,
		.threads_per_sm = 2048,
		.blocks_per_sm = 16,
		.warps_per_sm = N,
		.registers_per_sm = N,
		.shared_memory_per_sm = N,
		.virtual_sms_per_sm = N,
		.work_queues = 32,
		.pin_overhead_ns = 0,
		.static_uw = 1000000,
		.idle_per_sm_uw = 200000,
	};
}

const struct task_row sample_tasks[2] = {
	{0, "camera", 10 * MS, 10 * MS, 0, N, NULL, N, N, N, N, N, N},
	{1, "lidar", 20 * MS, 20 * MS, 1 * MS, N, NULL, N, N, N, N, N, N},
};

const struct segment_row sample_segments[6] = {
	{0, 0, "cpu", 1 * MS, 1 * MS, N, NULL, NULL, N, NULL, N, N, N, N, N, NULL, N, N, NULL, N},
	{0, 1, "copy", MS / 2, MS / 2, -1, "low", "to_gpu", 4096, NULL, N, N, N, N, N, NULL, N, N, NULL, N},
	{0, 2, "kernel", 2 * MS, 2 * MS, -1, "low", NULL, N, "grid", 2, 1024, 32, 0, N, NULL, N, 500000, NULL,
		N},
	{0, 3, "copy", MS / 2, MS / 2, -1, "low", "to_cpu", N, NULL, N, N, N, N, N, NULL, N, N, NULL, N},
	{0, 4, "cpu", 0, 0, N, NULL, NULL, N, NULL, N, N, N, N, N, NULL, N, N, NULL, N},
	{1, 0, "kernel", N, N, -1, "high", NULL, N, "profile", N, N, N, N, N, NULL, 0, N, NULL, N},
};

const struct profile_row sample_profiles[2] = {
	{0, "mmul", 1, 30 * MS, 34 * MS, 58000000},
	{0, "mmul", 2, 15 * MS, 17 * MS, 61000000},
};

struct taskset_row sample_taskset(void)
{
	return (struct taskset_row){
		.name = "sample",
		.explicit_priorities = 0,
		.target_utilisation_ppm = 500000,
		.recipe_index = N,
		.tasks = sample_tasks,
		.task_count = COUNT(sample_tasks),
		.segments = sample_segments,
		.segment_count = COUNT(sample_segments),
		.profiles = sample_profiles,
		.profile_count = COUNT(sample_profiles),
	};
}

struct run_row sample_run(const struct sample *ids, int64_t policy_id, int64_t seed)
{
	return (struct run_row){
		.scenario_id = ids->scenario_id,
		.taskset_id = ids->taskset_id,
		.platform_id = ids->platform_id,
		.policy_id = policy_id,
		.seed = seed,
		.horizon_ns = 20 * MS,
		.stop_rule = "drained",
		.limit_ns = 200 * MS,
		.release_kind = "periodic",
		.max_delay_ppm = N,
		.trace_id = N,
		.execution = "worst",
		.scale_ppm = N,
		.on_miss = "continue",
		.ties = "task-order",
		.record = "blocks",
		.status = "ok",
		.failing_task = N,
		.virtual_sms_per_sm = 2,
		.stop_ns = 26 * MS,
		.window_ns = 26 * MS,
		.cycles = N,
		.events = 30,
		.jobs = 3,
		.misses = 1,
		.energy_uj = 41600,
		.energy_rest_uwns = 7,
		.gpu_active_ns = 24 * MS + MS / 2,
		.sm_active_ns = 26 * MS + MS / 2,
		.digest = "0123456789abcdef",
		.wall_us = 12,
	};
}

bool sample_things(struct db_writer *w, struct sample *ids, struct error *err)
{
	struct scenario_row scenario = {"scenario", "sample.yaml", "cegsim: 1\n", "0.1.0"};
	struct platform_row platform = sample_platform();
	struct taskset_row set = sample_taskset();
	struct policy_row fcfs = {"fcfs", "{\"unit\":\"section\"}", 1},
			  rm = {"rm", "{\"unit\":\"section\"}", 1};
	return writer_scenario(w, &scenario, &ids->scenario_id, err) &&
	       writer_platform(w, &platform, &ids->platform_id, err) &&
	       writer_taskset(w, &set, &ids->taskset_id, err) &&
	       writer_policy(w, &fcfs, &ids->fcfs_id, err) && writer_policy(w, &rm, &ids->rm_id, err);
}

static bool write_rows(struct db_writer *w, int64_t lidar_end, struct error *err)
{
	bool late = lidar_end > 21 * MS;
	struct job_row jobs[] = {
		{
			.release_ns = 0,
			.abs_deadline_ns = 10 * MS,
			.first_start_ns = 0,
			.finish_ns = 4 * MS,
			.task = 0,
			.seq = 0,
			.outcome = job_outcome(ROW_JOB_FINISHED, false),
		},
		{
			.release_ns = 10 * MS,
			.abs_deadline_ns = 20 * MS,
			.first_start_ns = 10 * MS,
			.finish_ns = 16 * MS,
			.task = 0,
			.seq = 1,
			.outcome = job_outcome(ROW_JOB_FINISHED, false),
		},
		{
			.release_ns = 1 * MS,
			.abs_deadline_ns = 21 * MS,
			.first_start_ns = 5 * MS,
			.finish_ns = lidar_end,
			.task = 1,
			.seq = 0,
			.outcome = job_outcome(ROW_JOB_FINISHED, late),
		},
	};
	struct segment_interval_row intervals[] = {
		{0, 0, 1 * MS, 0, 0, 0, 0, 0, 0, segment_interval_code(ROW_CPU, ROW_RUN, ROW_SPAN_DONE)},
		{1 * MS, 1 * MS, 3 * MS / 2, 0, 0, 0, 0, 1, 0,
			segment_interval_code(ROW_COPY, ROW_RUN, ROW_SPAN_DONE)},
		{3 * MS / 2, 3 * MS / 2, 7 * MS / 2, 0, 0, 0, 0, 2, 0,
			segment_interval_code(ROW_GPU, ROW_RUN, ROW_SPAN_DONE)},
		{7 * MS / 2, 7 * MS / 2, 4 * MS, 0, 0, 0, 0, 3, 0,
			segment_interval_code(ROW_COPY, ROW_RUN, ROW_SPAN_DONE)},
		{1 * MS, 5 * MS, lidar_end, 1, 0, 0, 2, 0, 0,
			segment_interval_code(ROW_GPU, ROW_RUN, ROW_SPAN_DONE)},
		{10 * MS, 10 * MS, 11 * MS, 0, 1, 0, 0, 0, 0,
			segment_interval_code(ROW_CPU, ROW_SPIN, ROW_SPAN_PREEMPTED)},
	};
	struct block_interval_row blocks[] = {
		{3 * MS / 2, 7 * MS / 2, 0, 0, 0, 0, 0, 1024, 2, ROW_SPAN_DONE},
		{3 * MS / 2, 7 * MS / 2, 0, 0, 1, 1, 0, 1024, 2, ROW_SPAN_DONE},
		{5 * MS, lidar_end, 1, 0, 0, ROW_NONE, 0, 2048, 0, ROW_SPAN_DONE},
	};
	struct power_interval_row power[] = {
		{0, 3 * MS / 2, 1000000, 0, 2},
		{3 * MS / 2, 7 * MS / 2, 2000000, 2, 0},
		{7 * MS / 2, 26 * MS, 1700000, 1, 1},
	};
	struct decision_row decisions[] = {
		{5 * MS, 5 * MS, 20 * MS, INT64_C(20400000000000), 1, 0, 2, 0, 1, 1},
		{5 * MS, 5 * MS, 30 * MS, INT64_MAX, 1, 0, 1, 0, 0, 0}};
	struct hist_row hist[] = {
		{2, 0, response_bucket(5 * MS)}, {1, 1, response_bucket(lidar_end - 1 * MS)}};
	struct run_task_row tasks[] = {
		{0, 0, N, N, NULL, 2, 0, 2, 4 * MS, 5 * MS, 6 * MS, N, 2000, 7},
		{1, 1, 2, N, "[0, 1]", 1, late, 1, lidar_end - 1 * MS, lidar_end - 1 * MS, lidar_end - 1 * MS,
			N, 9100, 0},
	};
	return writer_jobs(w, jobs, COUNT(jobs), err) &&
	       writer_segment_intervals(w, intervals, COUNT(intervals), err) &&
	       writer_block_intervals(w, blocks, COUNT(blocks), err) &&
	       writer_power_intervals(w, power, COUNT(power), err) &&
	       writer_decisions(w, decisions, COUNT(decisions), err) &&
	       writer_hist(w, hist, COUNT(hist), err) && writer_run_tasks(w, tasks, COUNT(tasks), err);
}

static bool write_measured(struct db_writer *w, struct error *err)
{
	/* The kernel of lidar began later than in the simulation. */
	const struct measured_row measured[] = {
		{.task = 0, .seq = 0, .segment_idx = 1, .start_ns = 1 * MS, .end_ns = 2 * MS, .reason = NULL},
		{1, 0, 0, 6 * MS, 27 * MS, "no_room"}};
	return writer_measured(w, 1, measured, COUNT(measured), err);
}

bool sample_runs(struct db_writer *w, const struct sample *ids, struct error *err)
{
	bool exists;
	struct run_row fcfs = sample_run(ids, ids->fcfs_id, 1), rm = sample_run(ids, ids->rm_id, 1);
	struct run_row refused = sample_run(ids, ids->fcfs_id, 2);
	rm.misses = 0;
	refused.status = "refused";
	refused.reason = "no allocation";
	refused.failing_task = 1;
	refused.stop_ns = refused.window_ns = refused.events = refused.jobs = refused.misses = N;
	refused.energy_uj = refused.energy_rest_uwns = refused.gpu_active_ns = refused.sm_active_ns = N;
	refused.virtual_sms_per_sm = N;
	refused.digest = NULL;
	return writer_begin_run(w, &fcfs, &exists, err) && !exists && write_rows(w, 26 * MS, err) &&
	       writer_end_run(w, &fcfs, err) && writer_begin_run(w, &rm, &exists, err) && !exists &&
	       write_rows(w, 20 * MS, err) && writer_end_run(w, &rm, err) &&
	       writer_begin_run(w, &refused, &exists, err) && !exists && writer_end_run(w, &refused, err) &&
	       write_measured(w, err);
}

bool sample_analyses(struct db_writer *w, const struct sample *ids, struct error *err)
{
	bool exists;
	const struct analysis_row rta = {
		.analysis = "rta",
		.params = "{\"jitter\":true}",
		.safety = "sound",
		.version = 1,
		.taskset_id = ids->taskset_id,
		.platform_id = ids->platform_id,
		.policy_id = ids->rm_id,
		.allocation = "[{\"sms\":[0]},{\"sms\":[1]}]",
		.verdict = "unschedulable",
		.reason = "task 'lidar': the bound on its response exceeds its deadline",
		.failing_task = 1,
		.wall_us = 3,
	};
	const struct bound_row bounds[] = {{0, 0, 6 * MS, NULL}, {1, 1, 30 * MS, "[0]"}};
	const struct bound_part_row parts[] = {{0, "own", DB_NULL, 2 * MS}, {0, "copy", DB_NULL, 1 * MS},
		{0, "gpu", DB_NULL, 2 * MS}, {0, "blocking", DB_NULL, 1 * MS}, {1, "gpu", DB_NULL, 20 * MS},
		{1, "interference", 0, 10 * MS}};
	struct analysis_row refused = rta;
	refused.params = "{\"jitter\":false}";
	refused.safety = "unsafe";
	refused.policy_id = ids->fcfs_id;
	refused.allocation = NULL;
	refused.verdict = "refused";
	refused.reason = "it holds for priorities";
	refused.failing_task = DB_NULL;
	const struct analysis_rows rows = {bounds, 2, parts, 6, NULL, 0}, none = {0};
	return writer_analysis(w, &rta, &rows, &exists, err) && !exists &&
	       writer_analysis(w, &refused, &none, &exists, err) && !exists;
}

bool sample_write(const char *file, struct error *err)
{
	struct sample ids;
	struct db_writer *w = writer_open(file, true, err);
	if (!w)
		return false;
	if (sample_things(w, &ids, err) && sample_runs(w, &ids, err) && sample_analyses(w, &ids, err))
		return writer_finish(w, NULL, err);
	writer_abandon(w, false);
	return false;
}

struct db_writer *sample_open(char file[512], struct sample *ids, struct error *err)
{
	static int number;
	char name[32];
	snprintf(name, sizeof(name), "sample%d.db", number++);
	snprintf(file, 512, "%s", sample_path(name));
	struct db_writer *w = writer_open(file, false, err);
	if (w && sample_things(w, ids, err))
		return w;
	writer_abandon(w, false);
	return NULL;
}

/* In memory if there is such a folder: these tests write hundreds of files. */
static char folder[64];

const char *sample_path(const char *name)
{
	static char path[512];
	if (!folder[0]) {
		bool memory = access("/dev/shm", W_OK | X_OK) == 0;
		snprintf(folder, sizeof(folder), "%s/cegsim-test-XXXXXX", memory ? "/dev/shm" : "/tmp");
		if (!mkdtemp(folder))
			abort();
	}
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
	return remove(path);
}

void sample_clean(void)
{
	if (folder[0])
		nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	folder[0] = '\0';
}

/* ---- looking into a file ---- */

static sqlite3_stmt *first_row(const char *file, const char *sql)
{
	sqlite3 *db;
	sqlite3_stmt *stmt;
	assert_int_equal(sqlite3_open_v2(file, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	int code = sqlite3_step(stmt);
	if (code != SQLITE_ROW && code != SQLITE_DONE)
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	return stmt;
}

static void close_row(sqlite3_stmt *stmt)
{
	sqlite3 *db = sqlite3_db_handle(stmt);
	sqlite3_finalize(stmt);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

int64_t sample_integer(const char *file, const char *sql)
{
	sqlite3_stmt *stmt = first_row(file, sql);
	assert_int_equal(sqlite3_column_type(stmt, 0), SQLITE_INTEGER);
	int64_t value = sqlite3_column_int64(stmt, 0);
	close_row(stmt);
	return value;
}

double sample_real(const char *file, const char *sql)
{
	sqlite3_stmt *stmt = first_row(file, sql);
	assert_int_not_equal(sqlite3_column_type(stmt, 0), SQLITE_NULL);
	double value = sqlite3_column_double(stmt, 0);
	close_row(stmt);
	return value;
}

const char *sample_rows(const char *file, const char *sql)
{
	static char text[131072];
	size_t used = 0;
	sqlite3_stmt *stmt = first_row(file, sql);
	text[0] = '\0';
	for (bool first = true; sqlite3_data_count(stmt) > 0; sqlite3_step(stmt), first = false) {
		for (int i = 0; i < sqlite3_column_count(stmt); i++) {
			const char *value = (const char *)sqlite3_column_text(stmt, i);
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s",
				i > 0   ? "|"
				: first ? ""
					: "\n",
				value ? value : "-");
			assert_true(used < sizeof(text));
		}
	}
	close_row(stmt);
	return text;
}
