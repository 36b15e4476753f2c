/* tests/unit/test_query_warps.c - the figures of the QAWS and the QoS paper (db/queries.sql), on a hand-made
 * recording with round numbers. */
#include <stdio.h>
#include <string.h>

#include "db/queries.h"
#include "tests/support/test.h"
#include "tests/unit/db_sample.h"

#define N DB_NULL
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define KERNELS 2
#define MILLION INT64_C(1000000)

static struct error err;
static char file[512];

/* ---- the recording ---- */

/* A set of one or two kernels; the first has a goal, a share of the IPC alone in percent, or none (0). */
struct hand_set {
	const char *name, *kernel[KERNELS];
	int64_t goal_percent;
	int64_t id;
};

/* A run. IPC and IPC alone are 100, so that the goal is simple. */
struct hand_run {
	const struct hand_set *set;
	const char *policy, *params;
	int64_t ipc[KERNELS], alone[KERNELS];
	int64_t response_us[KERNELS];
	int64_t swaps;
	int64_t millijoules;
	const char *status;
	int64_t below_ppm; /* of the first kernel's IPC, which is so much lower */
};

#define ROLLOVER "{\"manager\":\"rollover\",\"history\":true,\"adjust\":true,\"swap\":\"memory\"}"
#define FIXED "{\"manager\":\"rollover\",\"history\":true,\"adjust\":false,\"swap\":\"memory\"}"
#define FREE "{\"manager\":\"rollover\",\"history\":true,\"adjust\":true,\"swap\":\"free\"}"
#define SPART "{\"manager\":\"spart\",\"history\":true,\"adjust\":true,\"swap\":\"memory\"}"
#define OTHER(manager) "{\"manager\":\"" manager "\",\"history\":true,\"adjust\":true,\"swap\":\"memory\"}"
#define SMK "{\"manager\":\"smk\"}"

enum { CUTCP_LBM, SAD_LBM, CUTCP_TPACF, HISTO_LBM, PC_PC, ALONE };

static struct hand_set sets[] = {
	[CUTCP_LBM] = {"cutcp+lbm", {"cutcp", "lbm"}, 80, 0},
	[SAD_LBM] = {"sad+lbm", {"sad", "lbm"}, 80, 0},
	[CUTCP_TPACF] = {"cutcp+tpacf", {"cutcp", "tpacf"}, 90, 0},
	[HISTO_LBM] = {"histo+lbm", {"histo", "lbm"}, 70, 0},
	[PC_PC] = {"pc+pc", {"K1-pc", "K2-pc"}, 0, 0},
	[ALONE] = {"pc", {"K1-pc", NULL}, 0, 0},
};

static const struct hand_run runs[] = {
	{&sets[CUTCP_LBM], "gto", ROLLOVER, {82, 50}, {100, 100}, {1, 1}, 4, 100, "ok"},
	{&sets[CUTCP_LBM], "gto", SPART, {88, 40}, {100, 100}, {1, 1}, 0, 128, "ok"},
	{&sets[CUTCP_LBM], "gto", FIXED, {80, 45}, {100, 100}, {1, 1}, 0, 100, "ok"},
	{&sets[CUTCP_LBM], "gto", FREE, {84, 55}, {100, 100}, {1, 1}, 6, 100, "ok"},
	{&sets[SAD_LBM], "gto", ROLLOVER, {80, 30}, {100, 100}, {1, 1}, 2, 100, "ok"},
	{&sets[SAD_LBM], "gto", SPART, {76, 50}, {100, 100}, {1, 1}, 0, 126, "ok"},
	{&sets[SAD_LBM], "gto", FIXED, {81, 20}, {100, 100}, {1, 1}, 0, 100, "ok"},
	{&sets[CUTCP_TPACF], "gto", ROLLOVER, {89, 10}, {100, 100}, {1, 1}, 0, 99, "ok"},
	{&sets[CUTCP_TPACF], "gto", SPART, {60, 40}, {100, 100}, {1, 1}, 0, 100, "ok"},
	{&sets[CUTCP_TPACF], "gto", FREE, {1, 1}, {100, 100}, {1, 1}, 0, 100, "error"},
	{&sets[HISTO_LBM], "gto", OTHER("naive"), {70, 10}, {100, 100}, {1, 1}, 0, 1, "ok", 70000},
	{&sets[HISTO_LBM], "gto", OTHER("history"), {70, 10}, {100, 100}, {1, 1}, 0, 1, "ok", 70001},
	{&sets[HISTO_LBM], "gto", OTHER("elastic"), {70, 10}, {100, 100}, {1, 1}, 0, 1, "ok", 700001},
	{&sets[PC_PC], "lrr", SMK, {1, 1}, {N, N}, {200, 200}, 0, 1, "ok"},
	{&sets[PC_PC], "gto", SMK, {1, 1}, {N, N}, {100, 220}, 0, 1, "ok"},
	{&sets[PC_PC], "qaws", "{\"budgets\":[1,2],\"manager\":\"smk\"}", {1, 1}, {N, N}, {190, 160}, 0, 1,
		"ok"},
	{&sets[PC_PC], "qaws", "{\"budgets\":[1,8],\"manager\":\"smk\"}", {1, 1}, {N, N}, {210, 150}, 0, 1,
		"ok"},
	{&sets[ALONE], "gto", SMK, {250, 0}, {N, N}, {100, 0}, 0, 1, "ok"},
};

static uint32_t kernels_of(const struct hand_set *set)
{
	return set->kernel[1] ? 2 : 1;
}

static bool write_set(struct db_writer *w, struct hand_set *set)
{
	static const struct warp_machine_row machine = {1000000000, 1, 20, 28, 190, 400, 40000, 30, 60, 150};
	struct task_row tasks[KERNELS];
	struct segment_row segments[KERNELS];
	struct warp_kernel_row kernels[KERNELS];
	for (uint32_t i = 0; i < kernels_of(set); i++) {
		bool goal = i == 0 && set->goal_percent > 0;
		tasks[i] = (struct task_row){i, set->kernel[i], N, N, 0, N, NULL, N, N, N, N, N};
		segments[i] = (struct segment_row){
			i, 0, "kernel", N, N, -1, "low", NULL, N, "warps", 4, 64, 32, 0, N, NULL, N, 0};
		kernels[i] = (struct warp_kernel_row){i, 4, 64, 32, 0, -1, "low", 0, N, 1,
			goal ? "share" : NULL, N, goal ? 10000 * set->goal_percent : N, N};
	}
	const struct taskset_row row = {
		.name = set->name,
		.target_utilisation_ppm = N,
		.recipe_index = N,
		.tasks = tasks,
		.task_count = kernels_of(set),
		.segments = segments,
		.segment_count = kernels_of(set),
		.machine = &machine,
		.kernels = kernels,
		.kernel_count = kernels_of(set),
	};
	return writer_taskset(w, &row, &set->id, &err);
}

static bool write_run(struct db_writer *w, const struct sample *ids, const struct hand_run *r)
{
	const struct policy_row policy = {r->policy, r->params, 1};
	const struct run_sub_core_row sub_core = {0, 0, {60, 5, 0, 10, 0, 15, 5, 2, 0, 3}};
	struct run_task_row tasks[KERNELS];
	struct run_warp_kernel_row kernels[KERNELS];
	int64_t policy_id;
	bool exists;
	for (uint32_t i = 0; i < kernels_of(r->set); i++) {
		int64_t goal = i == 0 && r->set->goal_percent > 0 ? r->set->goal_percent * MILLION : N;
		int64_t response = 1000 * r->response_us[i];
		int64_t ipc = r->ipc[i] * MILLION - (i == 0 ? r->below_ppm : 0);
		kernels[i] = (struct run_warp_kernel_row){i, 1000, r->ipc[i] * 100, 100, ipc, goal,
			r->alone[i] == N ? N : r->alone[i] * MILLION, goal == N ? N : ipc >= goal, 10, 0, 0,
			2000, i == 1 ? r->swaps : 0, 1};
		tasks[i] = (struct run_task_row){
			i, N, N, N, NULL, 1, 0, 1, response, response, response, response, 0, 1};
	}
	if (!writer_policy(w, &policy, &policy_id, &err))
		return false;
	struct run_row row = sample_run(ids, policy_id, 1);
	row.taskset_id = r->set->id;
	row.status = r->status;
	row.cycles = 100;
	energy_split((int128)r->millijoules * 1000 * 1000000000, &row.energy_uj, &row.energy_rest_uwns);
	return writer_begin_run(w, &row, &exists, &err) && !exists &&
	       writer_run_tasks(w, tasks, kernels_of(r->set), &err) &&
	       writer_run_warp_kernels(w, kernels, kernels_of(r->set), &err) &&
	       writer_run_sub_cores(w, &sub_core, 1, &err) && writer_end_run(w, &row, &err);
}

static int make_recording(void **state)
{
	struct sample ids;
	snprintf(file, sizeof(file), "%s", sample_path("figures.db"));
	struct db_writer *w = writer_open(file, true, &err);
	assert_non_null(w);
	assert_ok(sample_things(w, &ids, &err));
	for (size_t i = 0; i < COUNT(sets); i++)
		assert_ok(write_set(w, &sets[i]));
	for (size_t i = 0; i < COUNT(runs); i++)
		assert_ok(write_run(w, &ids, &runs[i]));
	assert_ok(writer_finish(w, NULL, &err));
	return 0;
}

static int forget_recording(void **state)
{
	sample_clean();
	return 0;
}

ALL_TESTS(make_recording, forget_recording);

/* Columns of a named query, for the rows that satisfy a condition. */
static const char *ask(const char *name, const char *columns, const char *where)
{
	struct named_query query;
	char sql[8192];
	assert_true(query_find(name, &query));
	int length = (int)query.sql_length;
	while (length > 0 && strchr("; \n", query.sql[length - 1]))
		length--;
	int written = snprintf(
		sql, sizeof(sql), "SELECT %s FROM (%.*s) WHERE %s", columns, length, query.sql, where);
	assert_true(written > 0 && (size_t)written < sizeof(sql));
	return sample_rows(file, sql);
}

/* ---- tests ---- */

TEST("kernels alone")
{
	assert_string_equal(ask("warp-kernels",
				    "kernel, policy, launches, launch_cycles, ipc, issued, unit, memory,"
				    " dependence, barrier, round(empty, 9), bandwidth",
				    "1"),
		"K1-pc|gto|1|100000.0|250.0|0.6|0.1|0.15|0.05|0.02|0.08|0.5");
}

TEST("responses under QAWS")
{
	assert_string_equal(ask("qaws-fig4",
				    "pair, policy, budgets, k1_response, k2_response, round(k2_speed_up, 6),"
				    " round(k2_sooner_percent, 6), round(mean_response, 6), both_ended",
				    "1"),
		"pc+pc|lrr|-|1.0|1.0|1.0|0.0|1.0|1.0\n"
		"pc+pc|gto|-|0.5|1.1|0.909091|-10.0|0.8|1.1\n"
		"pc+pc|qaws|[1,8]|1.05|0.75|1.333333|25.0|0.9|1.05\n"
		"mean|lrr|-|1.0|1.0|1.0|0.0|1.0|1.0\n"
		"mean|gto|-|0.5|1.1|0.909091|-10.0|0.8|1.1\n"
		"mean|qaws|-|1.05|0.75|1.333333|25.0|0.9|1.05");
}

/* The run that did not finish does not count. */
TEST("reach")
{
	assert_string_equal(ask("qos-reach", "goal_percent, manager, cases, reached, round(reach_percent, 3)",
				    "manager LIKE 'rollover%' OR manager = 'spart'"),
		"80.0|rollover|2|2|100.0\n80.0|rollover, adjust: false|2|2|100.0\n80.0|rollover, swap: "
		"free|1|1|100.0\n"
		"80.0|spart|2|1|50.0\n90.0|rollover|1|0|0.0\n90.0|spart|1|0|0.0\n"
		"all|rollover|3|2|66.667\nall|rollover, adjust: false|2|2|100.0\nall|rollover, swap: "
		"free|1|1|100.0\n"
		"all|spart|3|1|33.333");
	assert_string_equal(
		ask("qos-reach", "manager, round(within_0_1_percent, 3), round(within_1_percent, 3)",
			"goal_percent = 90"),
		"rollover|0.0|0.0\nspart|0.0|0.0");
	assert_string_equal(ask("qos-reach", "manager, reached, within_0_1_percent, within_1_percent",
				    "goal_percent = 70"),
		"elastic|0|0.0|0.0\nhistory|0|0.0|100.0\nnaive|0|100.0|100.0");
	assert_string_equal(ask("qos-reach-by-kernel", "kernel, cases, reached", "manager = 'rollover'"),
		"cutcp|2|1\nsad|1|1\nC+C|1|0\nC+M|1|1\nM+M|1|1");
}

TEST("misses")
{
	assert_string_equal(ask("qos-misses",
				    "manager, cases, reached, to_1_percent, to_5_percent, to_10_percent,"
				    " to_20_percent, further",
				    "manager = 'rollover' OR manager = 'spart'"),
		"rollover|3|2|0|1|0|0|0\nspart|3|1|0|1|0|0|1");
}

/* Of the others: (0.5 + 0.3) / 2 under rollover, 0.4 under spart, which reaches one; on that
 * 0.5 against 0.4. */
TEST("throughput")
{
	assert_string_equal(
		ask("qos-throughput",
			"goal_percent, manager, reached, round(times_alone, 6),"
			" round(more_than_spart_percent, 6), cases_of_both, round(more_on_those_percent, 6)",
			"manager = 'rollover' OR manager = 'spart'"),
		"80.0|rollover|2|0.4|0.0|1|25.0\n80.0|spart|1|0.4|0.0|1|0.0\n90.0|rollover|0|-|-|0|-\n90.0|"
		"spart|0|-|-|0|-\n"
		"all|rollover|2|0.4|0.0|1|25.0\nall|spart|1|0.4|0.0|1|0.0");
}

TEST("overshoot")
{
	assert_string_equal(ask("qos-overshoot",
				    "goal_percent, manager, kernels_with_goal, round(above_goal_percent, 6),"
				    " round(at_most_percent, 6)",
				    "goal_percent = 'all' AND (manager = 'rollover' OR manager = 'spart')"),
		"all|rollover|2|1.25|2.5\nall|spart|1|10.0|10.0");
}

/* Thread instructions a joule: 13200 / 0.1 and 12800 / 0.128 J; 11000 / 0.1 and 12600 / 0.126; 9900 / 0.099
 * and 10000 / 0.1. */
TEST("energy")
{
	assert_string_equal(ask("qos-energy",
				    "goal_percent, cases, round(more_than_spart_percent, 6), cases_of_both,"
				    " round(more_on_those_percent, 6)",
				    "manager = 'rollover'"),
		"80.0|2|21.0|1|32.0\n90.0|1|0.0|0|-\nall|3|14.0|1|32.0");
}

/* Without moving blocks 0.45 and 0.2 instead of 0.5 and 0.3; 0.2 instead of 0.3 where all are
 * memory-intensive. */
TEST("swaps")
{
	assert_string_equal(ask("qos-swaps",
				    "manager, adjust, swap, cases, round(swaps_per_run, 6), cases_of_both,"
				    " round(others_more_percent, 6), round(others_more_m_percent, 6)",
				    "manager = 'rollover'"),
		"rollover|yes|memory|3|2.0|2|0.0|0.0\nrollover|yes|free|1|6.0|1|10.0|-\nrollover|no|memory|2|"
		"0.0|2|-18.75|-33.333333");
}
