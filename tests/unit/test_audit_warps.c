/* tests/unit/test_audit_warps.c - the audit of runs of warps: correct recordings pass at every level, and
 * every law finds a row that breaks it. */
#include <string.h>

#include "tests/support/test.h"
#include "tests/unit/audit_warps.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define HERE " WHERE run_id = (SELECT run FROM chosen)"
/* WHERE clause for the first row of a table for which the condition is true. */
#define FIRST(table, what) " WHERE rowid = (SELECT min(rowid) FROM " table HERE " AND " what ")"
#define LAST(table, what) " WHERE rowid = (SELECT max(rowid) FROM " table HERE " AND " what ")"
#define TASK(name) "(SELECT task_id FROM task WHERE name = '" name "')"
#define LOADS "task_id = " TASK("loads")
#define SUMS "task_id = " TASK("sums")
#define ONCE "task_id = " TASK("once")
#define LATE "task_id = " TASK("late")

static const struct warp_defect of_runs[] = {
	{"warp-run", RUN_LRR, "UPDATE run SET cycles = cycles - 1" HERE, "cycles is 2999, expected 3000"},
	{"window", RUN_LRR, "UPDATE run SET stop_ns = 2999" HERE, "S is 2.999us"},
	{"warp-goals", RUN_LRR, "UPDATE run_warp_kernel SET ipc_ppm = ipc_ppm + 1" HERE " AND " LOADS, "IPC"},
	{"warp-goals", RUN_LRR, "UPDATE run_warp_kernel SET goal_ppm = 59000000" HERE " AND " LOADS, "goal"},
	{"warp-goals", RUN_LRR, "UPDATE run_warp_kernel SET reached = 1 - reached" HERE " AND " LOADS,
		"reached"},
	{"warp-goals", RUN_LRR,
		"UPDATE run_warp_kernel SET l1_hits = accesses, l2_hits = 1" HERE " AND " LOADS,
		"do not fit"},
	{"warp-cycles", RUN_LRR,
		"UPDATE run_sub_core SET memory_cycles = memory_cycles + 1" FIRST("run_sub_core", "sm = 1"),
		"expected 3000"},
	{"warp-cycles", RUN_LRR, "DELETE FROM run_sub_core" FIRST("run_sub_core", "sm = 1"),
		"of no sub-core"},
	{"warp-cycles", RUN_LRR,
		"UPDATE run_sub_core SET issued_cycles = issued_cycles - 1, empty_cycles = empty_cycles + "
		"1" FIRST("run_sub_core", "sm = 1"),
		"but the kernels"},
	{"warp-energy", RUN_LRR, "UPDATE run SET energy_rest_uwns = energy_rest_uwns + 1" HERE,
		"static power and kernels"},
	{"warp-energy", RUN_LRR,
		"UPDATE run_task SET energy_rest_uwns = energy_rest_uwns + 1" HERE " AND " LOADS,
		"its energy"},
	{"figures", RUN_LRR, "UPDATE run SET misses = misses + 1" HERE, "misses"},
};

static const struct warp_defect of_jobs[] = {
	{"warp-launches", RUN_LRR, "DELETE FROM job" LAST("job", LATE), "job 2 is missing"},
	{"warp-launches", RUN_LRR,
		"UPDATE job SET release_ns = release_ns + 1" FIRST("job", LATE " AND seq = 1"),
		"expected 1210ns (cycle 1210)"},
	{"warp-launches", RUN_LRR,
		"INSERT INTO job (run_id, task_id, seq, release_ns, abs_deadline_ns, outcome) SELECT run_id,"
		" task_id, 1, 2999, NULL, 3 FROM job" FIRST("job", ONCE),
		"was never due"},
	{"warp-streams", RUN_LRR, "UPDATE job SET first_start_ns = 21" FIRST("job", ONCE),
		"before its stream took it"},
	{"warp-work", RUN_LRR,
		"UPDATE run_warp_kernel SET warp_instructions = warp_instructions - 1" HERE " AND " ONCE,
		"jobs finished"},
	{"warp-work", RUN_LRR, "UPDATE run_warp_kernel SET cycles = cycles + 1" HERE " AND " LATE,
		"cycles is 2691"},
	{"warp-epochs", RUN_GTO_ROLLOVER,
		"UPDATE epoch SET start_cycle = start_cycle + 1" FIRST("epoch", "epoch = 2"), "start"},
	{"warp-epochs", RUN_GTO_ROLLOVER,
		"UPDATE epoch SET end_cycle = end_cycle + 1" FIRST("epoch", "epoch = 2"), "end"},
	{"warp-epochs", RUN_GTO_ROLLOVER, "DELETE FROM epoch" FIRST("epoch", "epoch = 2"), "has no row"},
	{"warp-epochs", RUN_GTO_ROLLOVER, "UPDATE epoch SET epoch = 1" FIRST("epoch", "epoch = 2"),
		"there twice"},
	{"warp-history", RUN_GTO_ROLLOVER,
		"UPDATE epoch SET history_ipc_ppm = history_ipc_ppm + 1" FIRST("epoch", "epoch = 2"),
		"history IPC"},
	{"warp-adjusted", RUN_GTO_ROLLOVER,
		"UPDATE epoch SET adjusted_goal_ppm = adjusted_goal_ppm + 1" FIRST(
			"epoch", "epoch = 2 AND " LOADS),
		"adjusted goal"},
	{"warp-adjusted", RUN_GTO_ROLLOVER,
		"UPDATE epoch SET adjusted_goal_ppm = adjusted_goal_ppm + 1" FIRST(
			"epoch", "epoch = 2 AND " SUMS),
		"adjusted goal"},
	{"warp-adjusted", RUN_LRR, "UPDATE epoch SET adjusted_goal_ppm = 60000000" FIRST("epoch", LOADS),
		"expected NULL"},
	{"job-order", RUN_LRR, "UPDATE job SET first_start_ns = release_ns - 1" FIRST("job", LATE),
		"before its release"},
	{"job-state", RUN_LRR, "UPDATE job SET outcome = 4" FIRST("job", SUMS), "by its deadline"},
	{"deadlines", RUN_LRR, "UPDATE job SET abs_deadline_ns = 500" FIRST("job", SUMS), "expected never"},
	{"deadlines", RUN_LRR, "UPDATE job SET abs_deadline_ns = abs_deadline_ns + 1" FIRST("job", LATE),
		"expected 460ns"},
	{"task-figures", RUN_LRR,
		"UPDATE run_task SET max_response_ns = max_response_ns + 1" HERE " AND " SUMS,
		"max_response_ns"},
};

static const struct warp_defect of_segments[] = {
	{"warp-spans", RUN_LRR,
		"UPDATE segment_interval SET segment_idx = 0" FIRST("segment_interval", "segment_idx = 1"),
		"expected segment 1"},
	{"warp-spans", RUN_LRR,
		"UPDATE segment_interval SET ready_ns = ready_ns - 1" FIRST(
			"segment_interval", "segment_idx = 1"),
		"ready"},
	{"warp-spans", RUN_LRR,
		"UPDATE segment_interval SET ready_ns = ready_ns + 1" FIRST("segment_interval", LATE),
		"ready"},
	{"warp-spans", RUN_LRR,
		"UPDATE segment_interval SET end_ns = end_ns - 1" FIRST("segment_interval", SUMS), "to last"},
	{"warp-spans", RUN_LRR, "DELETE FROM segment_interval" LAST("segment_interval", SUMS),
		"has no interval"},
	{"warp-spans", RUN_LRR, "UPDATE segment_interval SET code = 50" FIRST("segment_interval", SUMS),
		"its code"},
	{"warp-epoch-sums", RUN_GTO_ROLLOVER,
		"UPDATE epoch_quota SET thread_instructions = thread_instructions + 1" FIRST(
			"epoch_quota", "epoch = 1"),
		"thread instructions"},
	{"warp-epoch-sums", RUN_GTO_ROLLOVER,
		"UPDATE epoch_sm SET empty_cycles = empty_cycles + 1" FIRST("epoch_sm", "sm = 1"), "cycles"},
	{"warp-epoch-sums", RUN_GTO_ROLLOVER,
		"UPDATE epoch_sm SET empty_cycles = empty_cycles + 1, memory_cycles = memory_cycles - "
		"1" FIRST("epoch_sm", "sm = 1"),
		"more than its sub-cores"},
	{"warp-epoch-sums", RUN_GTO_ROLLOVER,
		"UPDATE epoch SET blocks = blocks + 1" FIRST("epoch", "epoch = 1"), "blocks"},
	{"warp-quotas", RUN_GTO_ROLLOVER,
		"UPDATE epoch_quota SET quota = quota + 1" FIRST("epoch_quota", "epoch = 1"), "quota"},
	{"warp-quotas", RUN_LRR, "UPDATE epoch_quota SET quota = 1" FIRST("epoch_quota", "sm = 1"),
		"expected NULL"},
	{"warp-counters", RUN_GTO_ROLLOVER,
		"UPDATE epoch_quota SET counter_start = counter_start + 1" FIRST("epoch_quota", "epoch = 1"),
		"counter_start"},
	{"warp-counters", RUN_GTO_ROLLOVER,
		"UPDATE epoch_quota SET counter_end = counter_end + 1" FIRST("epoch_quota", "epoch = 1"),
		"counter_end"},
	{"warp-targets", RUN_LRR, "UPDATE epoch_quota SET target = target + 1" FIRST("epoch_quota", "sm = 1"),
		"target"},
	{"warp-targets", RUN_FILL_HISTORY, "UPDATE epoch_quota SET target = 3" FIRST("epoch_quota", "sm = 1"),
		"expected NULL"},
	{"warp-targets", RUN_SPART,
		"UPDATE epoch_quota SET target = 1" FIRST("epoch_quota", "sm = 1 AND target = 0"), "target"},
	{"warp-epochs", RUN_GTO_ROLLOVER, "DELETE FROM epoch_sm" FIRST("epoch_sm", "sm = 1"),
		"rows is 4, expected 5"},
	{"warp-epochs", RUN_GTO_ROLLOVER, "DELETE FROM epoch_quota" FIRST("epoch_quota", "sm = 1"),
		"is missing"},
};

static const struct warp_defect of_blocks[] = {
	{"warp-blocks", RUN_LRR,
		"UPDATE block_interval SET segment_idx = 0" FIRST("block_interval", "segment_idx = 1"),
		"at another segment"},
	{"warp-blocks", RUN_LRR, "DELETE FROM block_interval" FIRST("block_interval", LATE),
		"at another segment"},
	{"warp-blocks", RUN_LRR,
		"UPDATE block_interval SET block = 2" FIRST("block_interval", SUMS " AND block = 3"),
		"placed before"},
	{"warp-blocks", RUN_LRR, "UPDATE block_interval SET threads = 32" FIRST("block_interval", SUMS),
		"number of threads"},
	{"warp-blocks", RUN_LRR, "UPDATE job SET first_start_ns = first_start_ns + 1" FIRST("job", SUMS),
		"first start"},
	{"warp-blocks", RUN_LRR,
		"UPDATE block_interval SET end_ns = end_ns + 10" LAST("block_interval", ONCE), "not the one"},
	{"warp-blocks", RUN_LRR, "UPDATE block_interval SET ended_code = 1" FIRST("block_interval", SUMS),
		"it left"},
	{"warp-limits", RUN_LRR, "UPDATE block_interval SET sm = 0" HERE, "are in use"},
	{"warp-slots", RUN_LRR, "UPDATE block_interval SET slot = slot + 1" FIRST("block_interval", "sm = 1"),
		"slot"},
	{"warp-dispatch", RUN_LRR, "UPDATE block_interval SET sm = 1 - sm" FIRST("block_interval", SUMS),
		"expected SM 0"},
	{"warp-dispatch", RUN_LRR,
		"UPDATE block_interval SET start_ns = start_ns + 1" FIRST(
			"block_interval", SUMS " AND start_ns > 0"),
		"had to be placed"},
	{"warp-dispatch", RUN_FILL_HISTORY,
		"UPDATE block_interval SET start_ns = start_ns - 1" FIRST(
			"block_interval", LOADS " AND start_ns > 100"),
		"which it should not be"},
};

static const struct warp_defect of_issues[] = {
	{"warp-program", RUN_LRR,
		"UPDATE warp_issue SET step_idx = 0" FIRST("warp_issue", LATE " AND step_idx = 2"),
		"expected step 2"},
	{"warp-one", RUN_LRR,
		"UPDATE warp_issue SET place = 0" FIRST("warp_issue",
			"place = 1 AND cycle IN (SELECT cycle FROM warp_issue WHERE place = 0)"),
		"second one"},
	{"warp-one", RUN_LRR, "UPDATE warp_issue SET place = 2" FIRST("warp_issue", "cycle = 0"),
		"no such sub-core"},
	{"warp-program", RUN_LRR, "DELETE FROM warp_issue" FIRST("warp_issue", "number = 2"),
		"its next instruction"},
	{"warp-program", RUN_LRR,
		"UPDATE warp_issue SET step_idx = step_idx + 1" FIRST("warp_issue", "number = 2"), "step"},
	{"warp-program", RUN_LRR, "UPDATE warp_issue SET code = code - 1" FIRST("warp_issue", "number = 2"),
		"active threads"},
	{"warp-operands", RUN_LRR,
		"UPDATE warp_issue SET latency_cycles = latency_cycles + 5" FIRST(
			"warp_issue", SUMS " AND number = 0"),
		"needs the result"},
	{"warp-units", RUN_LRR_CYCLE,
		"UPDATE warp_unit SET interval_cycles = interval_cycles + 1 WHERE unit = 'memory'",
		"its unit accepts"},
	{"warp-barriers", RUN_LRR, "DELETE FROM warp_issue" FIRST("warp_issue", "step_idx = 3 AND warp = 1"),
		"a barrier that is not open"},
	{"warp-latencies", RUN_LRR,
		"UPDATE warp_issue SET latency_cycles = latency_cycles + 1" FIRST(
			"warp_issue", SUMS " AND number = 3"),
		"latency"},
	{"warp-latencies", RUN_LRR,
		"UPDATE warp_issue SET latency_cycles = 1" FIRST("warp_issue", "step_idx = 3 AND " LOADS),
		"expected NULL"},
	{"warp-hits", RUN_LRR,
		"UPDATE warp_issue SET code = (code & 63) + 128" FIRST("warp_issue", "code >> 6 = 3"),
		"served"},
	{"warp-hits", RUN_LRR, "UPDATE run SET seed = seed + 1" HERE, "served"},
	{"warp-dram", RUN_LRR,
		"UPDATE warp_issue SET latency_cycles = latency_cycles + 1" FIRST(
			"warp_issue", "code >> 6 = 4 AND latency_cycles > 0 AND cycle > 200"),
		"latency"},
	{"warp-sub-cores", RUN_LRR,
		"UPDATE warp_issue SET place = 1 - place" HERE " AND cycle IN (0, 1)  AND place IN (0, 1)",
		"was dealt to"},
	{"warp-sub-cores", RUN_LRR, "UPDATE warp_issue SET block = 59" FIRST("warp_issue", LOADS),
		"not on this SM"},
	{"warp-ends", RUN_LRR, "UPDATE block_interval SET end_ns = end_ns - 1" FIRST("block_interval", SUMS),
		"it left"},
	{"warp-ends", RUN_LRR, "UPDATE block_interval SET end_ns = end_ns + 1" FIRST("block_interval", SUMS),
		"end (ns)"},
	{"warp-swaps", RUN_GTO_ROLLOVER,
		"UPDATE block_interval SET end_ns = end_ns + 1" FIRST("block_interval", "ended_code = 1"),
		"end (ns)"},
	{"warp-choice", RUN_LRR, "DELETE FROM warp_issue" LAST("warp_issue", SUMS), "nothing is issued"},
	{"warp-choice", RUN_LRR,
		"UPDATE policy SET params = replace(params, 'stall', 'cycle') WHERE name = 'lrr'",
		"the scheduler issues"},
	{"warp-choice", RUN_LRR_CYCLE,
		"UPDATE policy SET params = replace(params, 'cycle', 'stall') WHERE name = 'lrr'",
		"the scheduler issues"},
	{"warp-choice", RUN_OLDEST_ELASTIC, "UPDATE policy SET name = 'gto' WHERE name = 'oldest'",
		"the scheduler issues"},
	{"warp-choice", RUN_GTO_ROLLOVER, "UPDATE policy SET name = 'oldest' WHERE name = 'gto'",
		"the scheduler issues"},
	{"warp-choice", RUN_TWO_LEVEL_NAIVE,
		"UPDATE policy SET params = replace(params, '\"active\":2', '\"active\":3')"
		" WHERE name = 'two-level'",
		"nothing is issued, though"},
	{"warp-choice", RUN_TWO_LEVEL_NAIVE,
		"UPDATE policy SET params = replace(params, '\"inner\":\"rr\"', '\"inner\":\"gto\"')"
		" WHERE name = 'two-level'",
		"the scheduler issues"},
	{"warp-choice", RUN_TWO_LEVEL_GREEDY,
		"UPDATE policy SET params = replace(params, '\"inner\":\"gto\"', '\"inner\":\"rr\"')"
		" WHERE name = 'two-level'",
		"the scheduler issues"},
	{"warp-choice", RUN_QAWS,
		"UPDATE policy SET params = replace(params, '[1,3,3,1]', '[1,2,2,1]') WHERE name = 'qaws'",
		"the scheduler issues"},
	{"warp-leave", RUN_GTO_ROLLOVER,
		"UPDATE epoch_quota SET quota = 1, counter_start = 1" FIRST(
			"epoch_quota", LOADS " AND epoch = 2"),
		"does not let"},
	{"warp-leave", RUN_GTO_ROLLOVER,
		"UPDATE epoch_quota SET counter_end = counter_end - 1, added = added - 1" FIRST(
			"epoch_quota", "added > 0"),
		"added"},
	{"warp-leave", RUN_GTO_ROLLOVER,
		"UPDATE policy SET params = replace(params, '\"rollover\"', '\"rollover-time\"')",
		"does not let"},
	{"warp-choice", RUN_GTO_ROLLOVER_TIME,
		"UPDATE policy SET params = replace(params, 'rollover-time', 'rollover')",
		"nothing is issued, though"},
	{"warp-reasons", RUN_LRR,
		"UPDATE run_sub_core SET memory_cycles = memory_cycles + 1, dependence_cycles ="
		" dependence_cycles - 1" FIRST("run_sub_core", "sm = 0"),
		"memory"},
	{"warp-reasons", RUN_LRR,
		"UPDATE epoch_sm SET memory_cycles = memory_cycles + 1, unit_cycles = unit_cycles - 1" FIRST(
			"epoch_sm", "sm = 0"),
		"unit is"},
	{"warp-idle", RUN_LRR,
		"UPDATE epoch_quota SET idle_sum = idle_sum + 1" FIRST("epoch_quota", "sm = 1"), "idle_sum"},
	{"warp-idle", RUN_LRR, "UPDATE epoch_quota SET samples = samples - 1" FIRST("epoch_quota", "sm = 1"),
		"samples"},
	{"warp-shifts", RUN_GTO_ROLLOVER,
		"UPDATE epoch_quota SET target = target + 1" LAST("epoch_quota", "sm = 1"), "target"},
	{"warp-shifts", RUN_SPART,
		"UPDATE epoch_quota SET target = target + 1" LAST("epoch_quota", "target > 0"), "target"},
	{"warp-sums", RUN_LRR, "UPDATE run_warp_kernel SET dram_bytes = dram_bytes + 32" HERE " AND " LOADS,
		"DRAM bytes"},
	{"warp-sums", RUN_LRR, "UPDATE run_warp_kernel SET l1_hits = l1_hits - 1" HERE " AND " LOADS,
		"L1 hits"},
	{"warp-issue-energy", RUN_LRR,
		"UPDATE run_warp_kernel SET energy_fj = energy_fj + 1" HERE " AND " LOADS, "energy"},
};

static const struct {
	const char *level;
	const struct warp_defect *defects;
	size_t count;
} tables[] = {
	{"summary", of_runs, COUNT(of_runs)},
	{"jobs", of_jobs, COUNT(of_jobs)},
	{"segments", of_segments, COUNT(of_segments)},
	{"blocks", of_blocks, COUNT(of_blocks)},
	{"issues", of_issues, COUNT(of_issues)},
};

TEST("defects of runs are found")
{
	assert_warp_defects_found("summary", of_runs, COUNT(of_runs));
}

TEST("defects of jobs are found")
{
	assert_warp_defects_found("jobs", of_jobs, COUNT(of_jobs));
}

TEST("defects of segments are found")
{
	assert_warp_defects_found("segments", of_segments, COUNT(of_segments));
}

TEST("defects of blocks are found")
{
	assert_warp_defects_found("blocks", of_blocks, COUNT(of_blocks));
}

TEST("defects of issues are found")
{
	assert_warp_defects_found("issues", of_issues, COUNT(of_issues));
}

/* A defect that is found at a level is also found at higher levels, unless these know more about it. */
TEST("defects of jobs are found in all that is recorded")
{
	assert_warp_defects_found("issues", of_segments, COUNT(of_segments) - 3);
}

static bool has_defect(const char *law)
{
	for (size_t i = 0; i < COUNT(tables); i++) {
		for (size_t k = 0; k < tables[i].count; k++) {
			if (strcmp(tables[i].defects[k].law, law) == 0)
				return true;
		}
	}
	return false;
}

/* Nothing is found. The laws of this level and of lower ones are checked; at the highest level, each law has
 * a defect that it finds. */
TEST("correct recordings pass")
{
	for (size_t i = 0; i < COUNT(tables); i++) {
		struct audit_report report;
		warps_audit(warps_recording(tables[i].level), NULL, AUDIT_ALL_RUNS, &report);
		assert_int_equal(report.runs, WARP_RUNS_END - 1);
		for (size_t k = 0; k < report.count; k++) {
			const struct audit_result *law = &report.results[k];
			bool of_warps = strncmp(law->law, "warp-", 5) == 0;
			if (law->findings)
				fail_msg("%s: %s: %s", tables[i].level, law->law, law->first);
			if (of_warps && i + 1 == COUNT(tables) &&
				(law->checked == 0 || !has_defect(law->law)))
				fail_msg("law '%s' %s", law->law,
					law->checked ? "has no defect" : "was asked nothing");
			if (!of_warps && strcmp(law->level, "blocks") == 0)
				assert_int_equal(law->checked, 0);
		}
		audit_report_finish(&report);
	}
}

static int end(void **state)
{
	warps_recordings_end();
	return 0;
}

ALL_TESTS(NULL, end);
