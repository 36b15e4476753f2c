/* tests/unit/test_recording_warps.c - recordings of warps: every value of every row is stored, sets with
 * different programs differ, parts of a campaign are put together, and the views and queries compute what
 * they claim. */
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "db/content_digest.h"
#include "db/merge.h"
#include "db/queries.h"
#include "tests/support/test.h"
#include "tests/unit/db_sample_warps.h"

static struct error err;
static char file[512];

static int write_sample(void **state)
{
	snprintf(file, sizeof(file), "%s", sample_path("warps.db"));
	if (sample_warps_write(file, &err))
		return 0;
	print_error("%s\n", err.text);
	return -1;
}

static int clean(void **state)
{
	sample_clean();
	return 0;
}

ALL_TESTS(write_sample, clean);

static void rows(const char *sql, const char *should)
{
	assert_string_equal(sample_rows(file, sql), should);
}

/* ---- what was asked for ---- */

TEST("the set")
{
	rows("SELECT task_id, name, period_ns, deadline_ns, offset_ns FROM task WHERE taskset_id = 2",
		"3|alpha|-|-|0\n4|beta|100|80|5");
	rows("SELECT task_id, segment_idx, kind, best_ns, worst_ns, stream, stream_priority, form,"
	     " grid_blocks, block_threads, registers, shared_memory FROM segment WHERE form = 'warps'",
		"3|0|kernel|-|-|-1|low|warps|4|64|32|0\n4|0|kernel|-|-|3|high|warps|2|48|0|1024");
	rows("SELECT * FROM warp_machine", "2|1000000000|2|20|28|190|400|180000|30|60|150|32768|48|4718592");
	rows("SELECT * FROM warp_unit",
		"2|int|4|1|25\n2|fp|4|1|30\n2|fp64|8|4|60\n2|sfu|16|8|60\n2|tensor|16|2|120\n"
		"2|memory|-|4|-");
	rows("SELECT * FROM warp_kernel", "3|4|64|32|0|-1|low|0|-|1|share|-|900000|-\n"
					  "4|2|48|0|1024|3|high|5|100|0|ipc|12500000|-|-");
	rows("SELECT * FROM warp_step", "3|0|loop|-|10|2|-|-|-|-|-|-|-|-|-|blocks|0\n"
					"3|1|load|-|1|-|32|0|0|-|500000|250000|1000000|4|2|-|0\n"
					"3|2|compute|fp|3|-|32|1|1|-|-|-|-|-|-|-|0\n"
					"3|3|barrier|-|1|-|32|0|0|-|-|-|-|-|-|-|0\n"
					"3|4|store|-|1|-|32|0|0|-|0|0|0|8|-|-|0\n"
					"4|0|shared_load|-|2|-|16|0|0|-|-|-|-|-|-|-|0\n"
					"4|1|compute|tensor|5|-|32|2|1|7|-|-|-|-|-|-|0\n"
					"4|2|shared_store|-|1|-|32|1|1|-|-|-|-|-|-|-|0");
}

/* Changes that make a set another set. */
static const struct change {
	enum { OF_MACHINE, OF_UNIT, OF_KERNEL, OF_STEP, OF_TASK } owner;
	size_t offset;
} changes[] = {
	{OF_MACHINE, offsetof(struct warp_machine_row, clock_hz)},
	{OF_MACHINE, offsetof(struct warp_machine_row, sub_cores)},
	{OF_MACHINE, offsetof(struct warp_machine_row, shared_latency_cycles)},
	{OF_MACHINE, offsetof(struct warp_machine_row, l1_latency_cycles)},
	{OF_MACHINE, offsetof(struct warp_machine_row, l2_latency_cycles)},
	{OF_MACHINE, offsetof(struct warp_machine_row, dram_latency_cycles)},
	{OF_MACHINE, offsetof(struct warp_machine_row, dram_bytes_per_1000_cycles)},
	{OF_MACHINE, offsetof(struct warp_machine_row, shared_fj)},
	{OF_MACHINE, offsetof(struct warp_machine_row, global_fj)},
	{OF_MACHINE, offsetof(struct warp_machine_row, dram_byte_fj)},
	{OF_MACHINE, offsetof(struct warp_machine_row, l1_bytes)},
	{OF_MACHINE, offsetof(struct warp_machine_row, requests)},
	{OF_MACHINE, offsetof(struct warp_machine_row, l2_bytes)},
	{OF_UNIT, offsetof(struct warp_unit_row, latency_cycles)},
	{OF_UNIT, offsetof(struct warp_unit_row, interval_cycles)},
	{OF_UNIT, offsetof(struct warp_unit_row, instruction_fj)},
	{OF_KERNEL, offsetof(struct warp_kernel_row, blocks)},
	{OF_KERNEL, offsetof(struct warp_kernel_row, block_threads)},
	{OF_KERNEL, offsetof(struct warp_kernel_row, registers)},
	{OF_KERNEL, offsetof(struct warp_kernel_row, shared_memory)},
	{OF_KERNEL, offsetof(struct warp_kernel_row, stream)},
	{OF_KERNEL, offsetof(struct warp_kernel_row, launch_cycle)},
	{OF_KERNEL, offsetof(struct warp_kernel_row, period_cycles)},
	{OF_KERNEL, offsetof(struct warp_kernel_row, repeat)},
	{OF_KERNEL, offsetof(struct warp_kernel_row, goal_ipc_ppm)},
	{OF_KERNEL, offsetof(struct warp_kernel_row, goal_share_ppm)},
	{OF_KERNEL, offsetof(struct warp_kernel_row, goal_time_ns)},
	{OF_STEP, offsetof(struct warp_step_row, count)},
	{OF_STEP, offsetof(struct warp_step_row, body)},
	{OF_STEP, offsetof(struct warp_step_row, threads)},
	{OF_STEP, offsetof(struct warp_step_row, distance)},
	{OF_STEP, offsetof(struct warp_step_row, first_distance)},
	{OF_STEP, offsetof(struct warp_step_row, latency_cycles)},
	{OF_STEP, offsetof(struct warp_step_row, l1_hit_ppm)},
	{OF_STEP, offsetof(struct warp_step_row, l2_hit_ppm)},
	{OF_STEP, offsetof(struct warp_step_row, coalescing_ppm)},
	{OF_STEP, offsetof(struct warp_step_row, bytes)},
	{OF_STEP, offsetof(struct warp_step_row, reuse)},
	{OF_STEP, offsetof(struct warp_step_row, segment_idx)},
	{OF_TASK, offsetof(struct task_row, period_ns)},
	{OF_TASK, offsetof(struct task_row, deadline_ns)},
};

static bool write_changed(struct db_writer *w, const struct change *change, int64_t *id)
{
	struct warp_machine_row machine = sample_warp_machine;
	struct warp_unit_row units[6];
	struct warp_kernel_row kernels[2];
	struct warp_step_row steps[8];
	struct task_row tasks[2];
	struct taskset_row set = sample_warp_set();
	const int64_t other = 77;
	memcpy(units, sample_warp_units, sizeof(units));
	memcpy(kernels, sample_warp_kernels, sizeof(kernels));
	memcpy(steps, sample_warp_steps, sizeof(steps));
	memcpy(tasks, sample_warp_tasks, sizeof(tasks));
	char *const owners[] = {(char *)&machine, (char *)&units[1], (char *)&kernels[1], (char *)&steps[1],
		(char *)&tasks[0]};
	if (change)
		memcpy(owners[change->owner] + change->offset, &other, sizeof(other));
	set.machine = &machine;
	set.units = units;
	set.kernels = kernels;
	set.steps = steps;
	set.tasks = tasks;
	return writer_taskset(w, &set, id, &err);
}

TEST("sets are told apart by every field")
{
	int64_t first, id;
	struct taskset_row set = sample_warp_set();
	struct db_writer *w = writer_open(sample_path("apart.db"), true, &err);
	assert_non_null(w);
	assert_ok(write_changed(w, NULL, &first));
	assert_ok(write_changed(w, NULL, &id));
	assert_int_equal(id, first);
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		assert_ok(write_changed(w, &changes[i], &id));
		if (id != first + 1 + (int64_t)i)
			fail_msg("change %zu gives set %d", i, (int)id);
	}
	set.machine = NULL;
	assert_ok(writer_taskset(w, &set, &id, &err));
	assert_int_not_equal(id, first);
	set = sample_warp_set();
	set.step_count--;
	assert_ok(writer_taskset(w, &set, &id, &err));
	assert_int_equal(id, first + 2 + (int64_t)(sizeof(changes) / sizeof(changes[0])));
	writer_abandon(w, false);
}

/* ---- what happened ---- */

TEST("the run")
{
	rows("SELECT record, status, cycles, events, jobs, misses, energy_uj, energy_rest_uwns,"
	     " virtual_sms_per_sm, gpu_active_ns FROM run",
		"issues|ok|150|140|4|1|0|150005000|-|-");
	rows("SELECT * FROM run_warp_kernel",
		"1|3|70|2200|150|14666666|9000000|10000000|1|20|8|4|1024|1|4500\n"
		"1|4|70|1120|145|7724137|12500000|-|0|0|0|0|0|0|500");
	rows("SELECT * FROM run_sub_core", "1|0|0|80|5|10|10|0|30|10|4|1|0\n1|0|1|60|5|15|5|0|40|12|5|5|3");
	rows("SELECT * FROM epoch", "1|0|3|0|100|60|1900|9000000|19000000|4|0|19000000\n"
				    "1|0|4|0|100|30|480|12500000|5052631|2|0|4800000\n"
				    "1|1|3|100|150|10|300|9000000|14666666|3|1|6000000\n"
				    "1|1|4|100|150|40|640|16000000|-|2|0|12800000");
	rows("SELECT * FROM epoch_sm", "1|0|0|90|10|5|15|0|60|12|4|1|3\n1|1|0|50|0|20|0|0|10|10|5|5|0");
	rows("SELECT * FROM epoch_quota",
		"1|0|0|3|1200|1200|-3|0|60|1900|4|8|12|100\n1|1|0|3|-|0|-7|21|10|300|3|-|0|0");
	rows("SELECT cycle, latency_cycles, result_cycle, task_id, seq, block, warp, number, step_idx, sm,"
	     " sub_core, threads, served FROM warp_issue",
		"0|28|28|3|0|0|0|0|1|0|0|32|l1\n1|400|401|3|0|0|0|0|1|0|1|32|dram\n"
		"5|20|25|4|0|0|0|0|0|0|0|16|shared\n5|4|9|4|4294967295|7|63|4294967295|65535|4095|7|1|-\n"
		"6|-|-|3|0|3|0|31|3|0|1|32|l2");
	rows("SELECT ended FROM block_interval", "preempted\ndone");
}

TEST("jobs without a deadline")
{
	rows("SELECT task, seq, deadline_ms, response_ms, lateness_ms, normalised_response, missed, state"
	     " FROM v_job ORDER BY task, seq",
		"alpha|0|-|9.0e-05|-|-|0|finished\nalpha|1|-|-|-|-|0|unfinished\n"
		"beta|0|8.5e-05|9.0e-05|1.0e-05|1.125|1|finished\nbeta|1|0.000185|-|-|-|0|unfinished");
	rows("SELECT task, relative_deadline_ms, misses, worst_normalised FROM v_task_response"
	     " ORDER BY task_id",
		"alpha|-|0|-\nbeta|8.0e-05|1|1.125");
	rows("SELECT count(*) FROM v_energy WHERE idle_sms_j = 0 AND active_sm_share IS NULL", "1");
}

TEST("types and references")
{
	sqlite3 *db;
	sqlite3_stmt *columns, *values;
	char sql[512];
	int checked = 0;
	rows("PRAGMA foreign_key_check", "");
	rows("PRAGMA integrity_check", "ok");
	assert_int_equal(sqlite3_open_v2(file, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	assert_int_equal(
		sqlite3_prepare_v2(db,
			"SELECT s.name, x.name, lower(x.type) FROM sqlite_master s,"
			" pragma_table_xinfo(s.name) x WHERE s.type = 'table' AND (s.name LIKE '%warp%'"
			" OR s.name LIKE 'epoch%' OR s.name = 'run_sub_core')",
			-1, &columns, NULL),
		SQLITE_OK);
	for (; sqlite3_step(columns) == SQLITE_ROW; checked++) {
		snprintf(sql, sizeof(sql),
			"SELECT count(*) FROM %s WHERE %s IS NOT NULL AND typeof(%s) <> '%s'",
			sqlite3_column_text(columns, 0), sqlite3_column_text(columns, 1),
			sqlite3_column_text(columns, 1), sqlite3_column_text(columns, 2));
		assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &values, NULL), SQLITE_OK);
		assert_int_equal(sqlite3_step(values), SQLITE_ROW);
		if (sqlite3_column_int(values, 0) != 0)
			fail_msg("%s", sql);
		sqlite3_finalize(values);
	}
	sqlite3_finalize(columns);
	sqlite3_close(db);
	assert_true(checked > 100);
}

/* A run that is taken back takes its rows of warps with it. */
TEST("a run can be taken back")
{
	static const char *const tables[] = {
		"run_warp_kernel", "run_sub_core", "epoch", "epoch_sm", "epoch_quota", "warp_issue"};
	struct sample ids;
	bool exists;
	snprintf(file, sizeof(file), "%s", sample_path("back.db"));
	struct db_writer *w = writer_open(file, true, &err);
	assert_ok(w != NULL && sample_things(w, &ids, &err) && sample_warps(w, &ids, &err));
	const struct run_row run = sample_run(&ids, ids.fcfs_id, 1);
	const struct epoch_row epoch = {9, 0, 0, 0, 0, 0, 0, 0, 0, 0};
	const struct epoch_sm_row sm = {9, 0, {0}};
	const struct epoch_quota_row quota = {9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
	const struct warp_issue_row issue = {.cycle = 9};
	const struct run_sub_core_row sub_core = {.sm = 9};
	const struct run_warp_kernel_row kernel = {.task = 1};
	assert_ok(writer_begin_run(w, &run, &exists, &err) && writer_epochs(w, &epoch, 1, &err) &&
		  writer_epoch_sms(w, &sm, 1, &err) && writer_epoch_quotas(w, &quota, 1, &err) &&
		  writer_warp_issues(w, &issue, 1, &err) && writer_run_sub_cores(w, &sub_core, 1, &err) &&
		  writer_run_warp_kernels(w, &kernel, 1, &err) && writer_discard_run(w, &err));
	assert_ok(writer_finish(w, NULL, &err));
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		char sql[128];
		snprintf(sql, sizeof(sql), "SELECT count(*) > 0, max(run_id) FROM %s", tables[i]);
		rows(sql, "1|1");
	}
	write_sample(state);
}

/* ---- views and queries ---- */

TEST("views")
{
	rows("SELECT run_id, policy, manager, taskset, kernel, jobs, misses, responses, mean_ms, cycles, ipc,"
	     " alone_ipc, times_alone, goal_kind, goal_ipc, times_goal, reached, l1_hit_ratio,"
	     " round(l2_hit_ratio, 6), swaps FROM v_warp_kernel ORDER BY task_id",
		"1|gto|rollover|programs|alpha|2|0|1|9.0e-05|150|14.666666|10.0|1.4666666|"
		"share|9.0|1.62962955555556|1|0.4|0.333333|1\n"
		"1|gto|rollover|programs|beta|2|1|1|9.0e-05|145|7.724137|-|-|ipc|12.5|0.61793096|0|-|-|0");
	rows("SELECT epoch, kernel, ipc, goal_ipc, adjusted_goal_ipc, history_ipc, reached, reached_so_far"
	     " FROM v_epoch ORDER BY epoch, task_id",
		"0|alpha|19.0|9.0|9.0|19.0|1|1\n0|beta|4.8|12.5|12.5|5.052631|0|0\n"
		"1|alpha|6.0|9.0|9.0|14.666666|0|1\n1|beta|12.8|12.5|16.0|-|1|-");
	rows("SELECT place, reason, cycles FROM v_stalls ORDER BY place",
		"0|issued|140\n1|empty|10\n2|quota|25\n3|unit|15\n4|scheduler|0\n5|memory|70\n"
		"6|dependence|22\n"
		"7|barrier|9\n8|swap|6\n9|ending|3");
	assert_near(sample_real(file, "SELECT sum(share) FROM v_stalls"), 1.0, 1e-12);
	assert_near(
		sample_real(file, "SELECT share FROM v_stalls WHERE reason = 'memory'"), 70.0 / 300, 1e-12);
}

/* Rows of a named query with its defaults, its first `columns` columns. */
static const char *ask(const char *name, int columns)
{
	static char text[4096];
	struct named_query query;
	size_t used = 0;
	bool row;
	struct db_reader *r = reader_open(file, &err);
	assert_non_null(r);
	assert_true(query_find(name, &query));
	struct db_cursor *c = cursor_open_bytes(r, query.sql, query.sql_length, &err);
	assert_ok(c != NULL);
	for (int p = 1; p <= cursor_parameters(c); p++)
		for (size_t i = 0; i < query.param_count; i++)
			if (*query.params[i].fallback &&
				strcmp(cursor_parameter_name(c, p) + 1, query.params[i].name) == 0) {
				int value;
				assert_int_equal(sscanf(query.params[i].fallback, "%d", &value), 1);
				assert_ok(cursor_bind_integer(c, p, value, &err));
			}
	text[0] = '\0';
	for (bool first = true; cursor_next(c, &row, &err) && row; first = false)
		for (int i = 0; i < columns; i++)
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s",
				i > 0   ? "|"
				: first ? ""
					: "\n",
				cursor_text(c, i) ? cursor_text(c, i) : "-");
	cursor_close(c);
	reader_close(r);
	return text;
}

TEST("queries")
{
	assert_string_equal(ask("issues", 12),
		"0|0|alpha|0|0|0|0|load|-|32|l1|28\n5|4|beta|0|0|0|0|shared_load|-|16|shared|25");
	assert_string_equal(ask("epochs", 5),
		"0|0|100|alpha|19.0\n0|0|100|beta|4.8\n1|100|150|alpha|6.0\n1|100|150|beta|12.8");
	assert_string_equal(ask("warps", 8), "2|alpha|1|gto|rollover|ok|2|1\n2|beta|1|gto|rollover|ok|2|1");
	assert_string_equal(ask("stalls", 3), "1|gto|rollover");
	/* Queries about jobs work although there is no deadline. */
	assert_string_equal(ask("misses", 4), "1|gto|beta|0");
	assert_string_equal(ask("first-miss", 4), "1|gto|beta|0");
	assert_string_equal(ask("compare", 2), "2|programs");
	assert_string_equal(ask("response", 3), "1|gto|alpha\n1|gto|beta");
}

/* ---- parts of a campaign ---- */

static void write_part(const char *name, int64_t first_unit, int units)
{
	const struct scenario_row scenario = {"campaign", "c.yaml", "cegsim: 1\n", "0.1.0"};
	const struct platform_row platform = sample_platform();
	const struct policy_row gto = {"gto", "{}", 1};
	struct sample ids;
	bool exists;
	struct db_writer *w = writer_open(name, true, &err);
	assert_non_null(w);
	assert_ok(writer_scenario(w, &scenario, &ids.scenario_id, &err) &&
		  writer_platform(w, &platform, &ids.platform_id, &err) &&
		  writer_policy(w, &gto, &ids.rm_id, &err));
	struct db_units *u = units_open(w, &err);
	assert_non_null(u);
	for (int64_t unit = first_unit; unit < first_unit + units; unit++) {
		/* Every other set has blocks instead of warps. */
		struct taskset_row set = unit % 2 ? sample_taskset() : sample_warp_set();
		set.recipe = "{}";
		set.recipe_index = unit;
		assert_ok(writer_taskset(w, &set, &ids.taskset_id, &err));
		struct run_row run = sample_run(&ids, ids.rm_id, unit);
		const struct warp_issue_row issue = {.cycle = unit, .task = 1};
		const struct run_warp_kernel_row kernel = {.task = 1, .cycles = unit};
		const struct epoch_row epoch = {.task = 1, .start_cycle = unit};
		const struct epoch_sm_row sm = {.epoch = (uint32_t)unit};
		const struct epoch_quota_row quota = {.epoch = (uint32_t)unit, .task = 1};
		const struct run_sub_core_row sub_core = {.sm = (uint32_t)unit};
		assert_ok(writer_begin_run(w, &run, &exists, &err) && !exists);
		if (unit % 2 == 0)
			assert_ok(writer_warp_issues(w, &issue, 1, &err) &&
				  writer_run_warp_kernels(w, &kernel, 1, &err) &&
				  writer_epochs(w, &epoch, 1, &err) && writer_epoch_sms(w, &sm, 1, &err) &&
				  writer_epoch_quotas(w, &quota, 1, &err) &&
				  writer_run_sub_cores(w, &sub_core, 1, &err));
		assert_ok(writer_end_run(w, &run, &err) && units_mark(u, unit, 1, &err));
	}
	units_close(u);
	assert_ok(writer_finish(w, NULL, &err));
}

static void digest_of(const char *name, struct content_digest *digest)
{
	struct db_reader *r = reader_open(name, &err);
	assert_non_null(r);
	assert_ok(content_digest(r, digest, &err));
	reader_close(r);
}

TEST("parts are put together")
{
	static char whole[512], names[3][512], merged[512];
	static const int64_t first[] = {3, 0, 6};
	struct merge_part parts[3] = {0};
	struct content_digest x, y, z;
	bool cut;
	snprintf(whole, sizeof(whole), "%s", sample_path("whole.db"));
	snprintf(merged, sizeof(merged), "%s", sample_path("merged.db"));
	write_part(whole, 0, 9);
	for (int i = 0; i < 3; i++) {
		snprintf(names[i], sizeof(names[i]), "%s",
			sample_path(i == 0   ? "a.db"
				    : i == 1 ? "b.db"
					     : "c.db"));
		write_part(names[i], first[i], 3);
		assert_ok(part_read(names[i], true, &parts[i], &err));
	}
	struct db_writer *w = writer_open(merged, true, &err);
	assert_non_null(w);
	assert_ok(merge_parts(w, parts, 3, NULL, NULL, &cut, &err) && writer_finish(w, NULL, &err));
	digest_of(whole, &x);
	digest_of(merged, &y);
	digest_of(names[0], &z);
	assert_string_equal(x.text, y.text);
	assert_int_equal(x.rows, y.rows);
	assert_string_not_equal(x.text, z.text);
	snprintf(file, sizeof(file), "%s", merged);
	rows("PRAGMA foreign_key_check", "");
	rows("SELECT i.cycle, t.taskset_id, r.set_number, s.recipe_index FROM warp_issue i JOIN task t"
	     " USING (task_id) JOIN run r USING (run_id) JOIN taskset s ON s.taskset_id = r.taskset_id"
	     " ORDER BY i.rowid",
		"0|1|0|0\n2|3|0|2\n4|5|0|4\n6|7|0|6\n8|9|0|8");
	rows("SELECT count(*), count(DISTINCT taskset_id) FROM warp_unit", "30|5");
	rows("SELECT group_concat(taskset_id) FROM warp_machine", "1,3,5,7,9");
	for (int i = 0; i < 3; i++)
		part_finish(&parts[i]);
	write_sample(state);
}

/* If one row of one table is missing, or one value differs, the content digest is another. */
TEST("the content digest sees every table")
{
	static const char *const statements[] = {"UPDATE warp_machine SET clock_hz = 5",
		"UPDATE warp_unit SET interval_cycles = 9 WHERE unit = 'fp'",
		"UPDATE warp_kernel SET repeat = 0 WHERE task_id = 3",
		"UPDATE warp_step SET bytes = 5 WHERE bytes = 4", "UPDATE run_warp_kernel SET swaps = 7",
		"UPDATE run_sub_core SET swap_cycles = 7 WHERE sub_core = 1", "UPDATE epoch SET swaps = 9",
		"UPDATE epoch_sm SET issued_cycles = 1 WHERE epoch = 1", "UPDATE epoch_quota SET task_id = 4",
		"UPDATE warp_issue SET code = 31 WHERE cycle = 6", "DELETE FROM warp_issue WHERE cycle = 6",
		"UPDATE run SET cycles = 1"};
	struct content_digest before, after;
	char name[512];
	digest_of(file, &before);
	snprintf(name, sizeof(name), "%s", sample_path("other.db"));
	for (size_t i = 0; i < sizeof(statements) / sizeof(statements[0]); i++) {
		sqlite3 *db;
		assert_ok(sample_warps_write(name, &err));
		digest_of(name, &after);
		assert_string_equal(before.text, after.text);
		assert_int_equal(sqlite3_open(name, &db), SQLITE_OK);
		assert_int_equal(sqlite3_exec(db, statements[i], NULL, NULL, NULL), SQLITE_OK);
		assert_true(sqlite3_changes(db) > 0);
		sqlite3_close(db);
		digest_of(name, &after);
		if (strcmp(before.text, after.text) == 0)
			fail_msg("%s changes nothing", statements[i]);
	}
}
