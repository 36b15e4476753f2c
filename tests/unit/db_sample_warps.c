/* tests/unit/db_sample_warps.c - the hand-made recording of warps for the tests of db/. */
#include "tests/unit/db_sample_warps.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define N DB_NULL

const struct task_row sample_warp_tasks[2] = {
	{0, "alpha", N, N, 0, N, NULL, N, N, N, N, N},
	{1, "beta", 100, 80, 5, N, NULL, N, N, N, N, N},
};

const struct segment_row sample_warp_segments[2] = {
	{0, 0, "kernel", N, N, -1, "low", NULL, N, "warps", 4, 64, 32, 0, N, NULL, N, 0, NULL, N},
	{1, 0, "kernel", N, N, 3, "high", NULL, N, "warps", 2, 48, 0, 1024, N, NULL, N, 0, NULL, N},
};

const struct warp_machine_row sample_warp_machine = {
	1000000000, 2, 20, 28, 190, 400, 180000, 30, 60, 150, 32768, 48, 4718592};

const struct warp_unit_row sample_warp_units[6] = {
	{"int", 4, 1, 25},
	{"fp", 4, 1, 30},
	{"fp64", 8, 4, 60},
	{"sfu", 16, 8, 60},
	{"tensor", 16, 2, 120},
	{"memory", N, 4, N},
};

const struct warp_kernel_row sample_warp_kernels[2] = {
	{0, 4, 64, 32, 0, -1, "low", 0, N, 1, "share", N, 900000, N},
	{1, 2, 48, 0, 1024, 3, "high", 5, 100, 0, "ipc", 12500000, N, N},
};

const struct warp_step_row sample_warp_steps[8] = {
	{0, 0, "loop", NULL, 10, 2, N, N, N, N, N, N, N, N, N, "blocks"},
	{0, 1, "load", NULL, 1, N, 32, 0, 0, N, 500000, 250000, 1000000, 4, 2, NULL},
	{0, 2, "compute", "fp", 3, N, 32, 1, 1, N, N, N, N, N, N, NULL},
	{0, 3, "barrier", NULL, 1, N, 32, 0, 0, N, N, N, N, N, N, NULL},
	{0, 4, "store", NULL, 1, N, 32, 0, 0, N, 0, 0, 0, 8, N, NULL},
	{1, 0, "shared_load", NULL, 2, N, 16, 0, 0, N, N, N, N, N, N, NULL},
	{1, 1, "compute", "tensor", 5, N, 32, 2, 1, 7, N, N, N, N, N, NULL},
	{1, 2, "shared_store", NULL, 1, N, 32, 1, 1, N, N, N, N, N, N, NULL},
};

struct taskset_row sample_warp_set(void)
{
	return (struct taskset_row){
		.name = "programs",
		.target_utilisation_ppm = N,
		.recipe_index = N,
		.tasks = sample_warp_tasks,
		.task_count = COUNT(sample_warp_tasks),
		.segments = sample_warp_segments,
		.segment_count = COUNT(sample_warp_segments),
		.machine = &sample_warp_machine,
		.units = sample_warp_units,
		.unit_count = COUNT(sample_warp_units),
		.kernels = sample_warp_kernels,
		.kernel_count = COUNT(sample_warp_kernels),
		.steps = sample_warp_steps,
		.step_count = COUNT(sample_warp_steps),
	};
}

static bool write_jobs(struct db_writer *w, struct error *err)
{
	const struct job_row jobs[] = {
		{
			.release_ns = 0,
			.abs_deadline_ns = N,
			.first_start_ns = 0,
			.finish_ns = 90,
			.task = 0,
			.seq = 0,
			.outcome = job_outcome(ROW_JOB_FINISHED, false),
		},
		{
			.release_ns = 5,
			.abs_deadline_ns = 85,
			.first_start_ns = 5,
			.finish_ns = 95,
			.task = 1,
			.seq = 0,
			.outcome = job_outcome(ROW_JOB_FINISHED, true),
		},
		{
			.release_ns = 90,
			.abs_deadline_ns = N,
			.first_start_ns = 91,
			.finish_ns = -1,
			.task = 0,
			.seq = 1,
			.outcome = job_outcome(ROW_JOB_UNFINISHED, false),
		},
		{
			.release_ns = 105,
			.abs_deadline_ns = 185,
			.first_start_ns = -1,
			.finish_ns = -1,
			.task = 1,
			.seq = 1,
			.outcome = job_outcome(ROW_JOB_UNFINISHED, false),
		},
	};
	const struct block_interval_row blocks[] = {
		{0, 40, 0, 0, 0, 0, 0, 64, 0, ROW_SPAN_PREEMPTED},
		{60, 90, 0, 0, 0, 0, 1, 64, 0, ROW_SPAN_DONE},
	};
	const struct run_task_row tasks[] = {
		{0, N, N, N, NULL, 2, 0, 1, 90, 90, 90, 60, 0, 4500},
		{1, N, N, N, NULL, 2, 1, 1, 90, 90, 90, 45, 0, 500},
	};
	return writer_jobs(w, jobs, COUNT(jobs), err) &&
	       writer_block_intervals(w, blocks, COUNT(blocks), err) &&
	       writer_run_tasks(w, tasks, COUNT(tasks), err);
}

static bool write_epochs(struct db_writer *w, struct error *err)
{
	const struct epoch_row epochs[] = {
		{0, 0, 0, 100, 60, 1900, 9000000, 19000000, 4, 0},
		{0, 1, 0, 100, 30, 480, 12500000, 5052631, 2, 0},
		{1, 0, 100, 150, 10, 300, 9000000, 14666666, 3, 1},
		{1, 1, 100, 150, 40, 640, 16000000, -1, 2, 0},
	};
	const struct epoch_sm_row sms[] = {
		{0, 0, {90, 10, 5, 15, 0, 60, 12, 4, 1, 3}},
		{1, 0, {50, 0, 20, 0, 0, 10, 10, 5, 5, 0}},
	};
	const struct epoch_quota_row quotas[] = {
		{0, 0, 0, 1200, 1200, -3, 0, 60, 1900, 4, 8, 12, 100},
		{1, 0, 0, -1, 0, -7, 21, 10, 300, 3, ROW_NONE, 0, 0},
	};
	return writer_epochs(w, epochs, COUNT(epochs), err) && writer_epoch_sms(w, sms, COUNT(sms), err) &&
	       writer_epoch_quotas(w, quotas, COUNT(quotas), err);
}

static bool write_rows(struct db_writer *w, struct error *err)
{
	const struct run_warp_kernel_row kernels[] = {
		{0, 70, 2200, 150, 14666666, 9000000, 10000000, 1, 20, 8, 4, 1024, 1, 4500},
		{1, 70, 1120, 145, 7724137, 12500000, N, 0, 0, 0, 0, 0, 0, 500},
	};
	const struct run_sub_core_row sub_cores[] = {
		{0, 0, {80, 5, 10, 10, 0, 30, 10, 4, 1, 0}},
		{0, 1, {60, 5, 15, 5, 0, 40, 12, 5, 5, 3}},
	};
	const struct warp_issue_row issues[] = {
		{0, 28, 0, 0, 0, 0, 1, warp_place(0, 0), warp_issue_code(32, ROW_LEVEL_L1), 0},
		{1, 400, 0, 0, 0, 0, 1, warp_place(0, 1), warp_issue_code(32, ROW_LEVEL_DRAM), 0},
		{5, 20, 1, 0, 0, 0, 0, warp_place(0, 0), warp_issue_code(16, ROW_LEVEL_SHARED), 0},
		{5, 4, 1, UINT32_MAX, 7, UINT32_MAX, 65535, warp_place(4095, 7),
			warp_issue_code(1, ROW_LEVEL_NONE), 63},
		{6, -1, 0, 0, 3, 31, 3, warp_place(0, 1), warp_issue_code(32, ROW_LEVEL_L2), 0},
	};
	return writer_run_warp_kernels(w, kernels, COUNT(kernels), err) &&
	       writer_run_sub_cores(w, sub_cores, COUNT(sub_cores), err) && write_epochs(w, err) &&
	       writer_warp_issues(w, issues, COUNT(issues), err) && write_jobs(w, err);
}

bool sample_warps(struct db_writer *w, const struct sample *ids, struct error *err)
{
	const struct policy_row gto = {"gto", "{\"manager\":\"rollover\",\"epoch\":100}", 1};
	const struct taskset_row set = sample_warp_set();
	struct sample of_warps = *ids;
	int64_t policy_id;
	bool exists;
	if (!writer_taskset(w, &set, &of_warps.taskset_id, err) || !writer_policy(w, &gto, &policy_id, err))
		return false;
	struct run_row run = sample_run(&of_warps, policy_id, 1);
	run.horizon_ns = run.stop_ns = run.window_ns = run.cycles = 150;
	run.stop_rule = "horizon";
	run.record = "issues";
	run.events = 140;
	run.jobs = 4;
	run.misses = 1;
	run.virtual_sms_per_sm = run.gpu_active_ns = run.sm_active_ns = N;
	energy_split(150 * (int128)1000000 + 5000, &run.energy_uj, &run.energy_rest_uwns);
	return writer_begin_run(w, &run, &exists, err) && !exists && write_rows(w, err) &&
	       writer_end_run(w, &run, err);
}

bool sample_warps_write(const char *file, struct error *err)
{
	struct sample ids;
	struct db_writer *w = writer_open(file, true, err);
	if (!w)
		return false;
	if (sample_things(w, &ids, err) && sample_warps(w, &ids, err))
		return writer_finish(w, NULL, err);
	writer_abandon(w, false);
	return false;
}
