/* db/row_types.c - owns the correspondence between row structs and tables. */
#include "db/row_types.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define TEXT(type, field)                                                                                    \
	{                                                                                                    \
#field, FIELD_TEXT, offsetof(struct type, field)                                             \
	}
#define INTEGER(type, field)                                                                                 \
	{                                                                                                    \
#field, FIELD_INTEGER, offsetof(struct type, field)                                          \
	}

static const struct row_column scenario[] = {
	TEXT(scenario_row, kind),
	TEXT(scenario_row, name),
	TEXT(scenario_row, text),
	TEXT(scenario_row, tool_version),
	TEXT(scenario_row, overrides),
};

static const struct row_column platform[] = {
	TEXT(platform_row, name),
	INTEGER(platform_row, cores),
	INTEGER(platform_row, engines),
	INTEGER(platform_row, copy_latency_ns),
	INTEGER(platform_row, copy_bandwidth),
	TEXT(platform_row, pool),
	INTEGER(platform_row, sms),
	INTEGER(platform_row, sms_per_tpc),
	INTEGER(platform_row, threads_per_sm),
	INTEGER(platform_row, blocks_per_sm),
	INTEGER(platform_row, warps_per_sm),
	INTEGER(platform_row, registers_per_sm),
	INTEGER(platform_row, shared_memory_per_sm),
	INTEGER(platform_row, virtual_sms_per_sm),
	INTEGER(platform_row, work_queues),
	INTEGER(platform_row, pin_overhead_ns),
	INTEGER(platform_row, static_uw),
	INTEGER(platform_row, idle_per_sm_uw),
};

static const struct row_column policy[] = {
	TEXT(policy_row, name),
	TEXT(policy_row, params),
	INTEGER(policy_row, version),
};

static const struct row_column taskset[] = {
	TEXT(taskset_row, name),
	{"task_count", FIELD_INTEGER, offsetof(struct taskset_row, task_count)},
	INTEGER(taskset_row, explicit_priorities),
	INTEGER(taskset_row, target_utilisation_ppm),
	TEXT(taskset_row, recipe),
	INTEGER(taskset_row, recipe_index),
};
_Static_assert(sizeof(size_t) == sizeof(int64_t), "task_count is read as an int64_t");

static const struct row_column task[] = {
	{"task_id", FIELD_TASK, offsetof(struct task_row, task)},
	{"task_idx", FIELD_U32, offsetof(struct task_row, task)},
	TEXT(task_row, name),
	INTEGER(task_row, period_ns),
	INTEGER(task_row, deadline_ns),
	INTEGER(task_row, offset_ns),
	INTEGER(task_row, priority),
	TEXT(task_row, release_kind),
	INTEGER(task_row, max_delay_ppm),
	{"trace_id", FIELD_TRACE, offsetof(struct task_row, trace_id)},
};

static const struct row_column segment[] = {
	{"task_id", FIELD_TASK, offsetof(struct segment_row, task)},
	INTEGER(segment_row, segment_idx),
	TEXT(segment_row, kind),
	INTEGER(segment_row, best_ns),
	INTEGER(segment_row, worst_ns),
	INTEGER(segment_row, stream),
	TEXT(segment_row, stream_priority),
	TEXT(segment_row, direction),
	INTEGER(segment_row, bytes),
	TEXT(segment_row, form),
	INTEGER(segment_row, grid_blocks),
	INTEGER(segment_row, block_threads),
	INTEGER(segment_row, registers),
	INTEGER(segment_row, shared_memory),
	INTEGER(segment_row, overhead_ns),
	TEXT(segment_row, interleave),
	INTEGER(segment_row, profile_idx),
	INTEGER(segment_row, dynamic_uw),
};

static const struct row_column segment_block[] = {
	{"task_id", FIELD_TASK, offsetof(struct segment_block_row, task)},
	INTEGER(segment_block_row, segment_idx),
	INTEGER(segment_block_row, block),
	INTEGER(segment_block_row, share_ppm),
	INTEGER(segment_block_row, best_ns),
	INTEGER(segment_block_row, worst_ns),
};

static const struct row_column profile[] = {
	INTEGER(profile_row, profile_idx),
	TEXT(profile_row, name),
	INTEGER(profile_row, sms),
	INTEGER(profile_row, best_ns),
	INTEGER(profile_row, worst_ns),
	INTEGER(profile_row, total_power_uw),
};

static const struct row_column trace_duration[] = {
	INTEGER(trace_duration_row, seq),
	INTEGER(trace_duration_row, segment_idx),
	INTEGER(trace_duration_row, duration_ns),
};

static const struct row_column warp_machine[] = {
	INTEGER(warp_machine_row, clock_hz),
	INTEGER(warp_machine_row, sub_cores),
	INTEGER(warp_machine_row, shared_latency_cycles),
	INTEGER(warp_machine_row, l1_latency_cycles),
	INTEGER(warp_machine_row, l2_latency_cycles),
	INTEGER(warp_machine_row, dram_latency_cycles),
	INTEGER(warp_machine_row, dram_bytes_per_1000_cycles),
	INTEGER(warp_machine_row, shared_fj),
	INTEGER(warp_machine_row, global_fj),
	INTEGER(warp_machine_row, dram_byte_fj),
};

static const struct row_column warp_unit[] = {
	TEXT(warp_unit_row, unit),
	INTEGER(warp_unit_row, latency_cycles),
	INTEGER(warp_unit_row, interval_cycles),
	INTEGER(warp_unit_row, instruction_fj),
};

static const struct row_column warp_kernel[] = {
	{"task_id", FIELD_TASK, offsetof(struct warp_kernel_row, task)},
	INTEGER(warp_kernel_row, blocks),
	INTEGER(warp_kernel_row, block_threads),
	INTEGER(warp_kernel_row, registers),
	INTEGER(warp_kernel_row, shared_memory),
	INTEGER(warp_kernel_row, stream),
	TEXT(warp_kernel_row, stream_priority),
	INTEGER(warp_kernel_row, launch_cycle),
	INTEGER(warp_kernel_row, period_cycles),
	INTEGER(warp_kernel_row, repeat),
	TEXT(warp_kernel_row, goal_kind),
	INTEGER(warp_kernel_row, goal_ipc_ppm),
	INTEGER(warp_kernel_row, goal_share_ppm),
	INTEGER(warp_kernel_row, goal_time_ns),
};

static const struct row_column warp_step[] = {
	{"task_id", FIELD_TASK, offsetof(struct warp_step_row, task)},
	INTEGER(warp_step_row, step_idx),
	TEXT(warp_step_row, kind),
	TEXT(warp_step_row, unit),
	INTEGER(warp_step_row, count),
	INTEGER(warp_step_row, body),
	INTEGER(warp_step_row, threads),
	INTEGER(warp_step_row, distance),
	INTEGER(warp_step_row, first_distance),
	INTEGER(warp_step_row, latency_cycles),
	INTEGER(warp_step_row, l1_hit_ppm),
	INTEGER(warp_step_row, l2_hit_ppm),
	INTEGER(warp_step_row, coalescing_ppm),
	INTEGER(warp_step_row, bytes),
};

static const struct row_column analysis[] = {
	TEXT(analysis_row, analysis),
	TEXT(analysis_row, params),
	TEXT(analysis_row, safety),
	INTEGER(analysis_row, version),
	INTEGER(analysis_row, taskset_id),
	INTEGER(analysis_row, platform_id),
	INTEGER(analysis_row, policy_id),
	TEXT(analysis_row, allocation),
	TEXT(analysis_row, verdict),
	TEXT(analysis_row, reason),
	{"failing_task_id", FIELD_TASK_OR_NULL, offsetof(struct analysis_row, failing_task)},
	TEXT(analysis_row, identity_digest),
	INTEGER(analysis_row, wall_us),
};

static const struct row_column bound[] = {
	{"task_id", FIELD_TASK, offsetof(struct bound_row, task)},
	INTEGER(bound_row, rank),
	INTEGER(bound_row, bound_ns),
};

static const struct row_column bound_part[] = {
	{"task_id", FIELD_TASK, offsetof(struct bound_part_row, task)},
	TEXT(bound_part_row, part),
	{"by_task_id", FIELD_TASK_OR_NULL, offsetof(struct bound_part_row, by_task)},
	INTEGER(bound_part_row, amount_ns),
};

/* The order matters: the setup digest covers the fields up to ties (RUN_SETUP_COLUMNS). */
static const struct row_column run[] = {
	INTEGER(run_row, seed),
	INTEGER(run_row, set_number),
	INTEGER(run_row, horizon_ns),
	TEXT(run_row, stop_rule),
	INTEGER(run_row, limit_ns),
	TEXT(run_row, release_kind),
	INTEGER(run_row, max_delay_ppm),
	{"trace_id", FIELD_TRACE, offsetof(struct run_row, trace_id)},
	TEXT(run_row, execution),
	INTEGER(run_row, scale_ppm),
	TEXT(run_row, on_miss),
	TEXT(run_row, ties),
	INTEGER(run_row, scenario_id),
	INTEGER(run_row, taskset_id),
	INTEGER(run_row, platform_id),
	INTEGER(run_row, policy_id),
	INTEGER(run_row, replication),
	TEXT(run_row, record),
	TEXT(run_row, status),
	TEXT(run_row, reason),
	{"failing_task_id", FIELD_TASK_OR_NULL, offsetof(struct run_row, failing_task)},
	INTEGER(run_row, virtual_sms_per_sm),
	INTEGER(run_row, stop_ns),
	INTEGER(run_row, window_ns),
	INTEGER(run_row, cycles),
	INTEGER(run_row, events),
	INTEGER(run_row, jobs),
	INTEGER(run_row, misses),
	INTEGER(run_row, energy_uj),
	INTEGER(run_row, energy_rest_uwns),
	INTEGER(run_row, gpu_active_ns),
	INTEGER(run_row, sm_active_ns),
	TEXT(run_row, digest),
	TEXT(run_row, events_digest),
	TEXT(run_row, identity_digest),
	INTEGER(run_row, wall_us),
};

static const struct row_column run_task[] = {
	{"task_id", FIELD_TASK, offsetof(struct run_task_row, task)},
	INTEGER(run_task_row, rank),
	INTEGER(run_task_row, sms),
	INTEGER(run_task_row, virtual_sms),
	TEXT(run_task_row, sm_set),
	INTEGER(run_task_row, jobs),
	INTEGER(run_task_row, misses),
	INTEGER(run_task_row, responses),
	INTEGER(run_task_row, min_response_ns),
	INTEGER(run_task_row, mean_response_ns),
	INTEGER(run_task_row, max_response_ns),
	INTEGER(run_task_row, worst_lower_bound_ns),
	INTEGER(run_task_row, energy_uj),
	INTEGER(run_task_row, energy_rest_uwns),
};

static const struct row_column run_warp_kernel[] = {
	{"task_id", FIELD_TASK, offsetof(struct run_warp_kernel_row, task)},
	INTEGER(run_warp_kernel_row, warp_instructions),
	INTEGER(run_warp_kernel_row, thread_instructions),
	INTEGER(run_warp_kernel_row, cycles),
	INTEGER(run_warp_kernel_row, ipc_ppm),
	INTEGER(run_warp_kernel_row, goal_ppm),
	INTEGER(run_warp_kernel_row, alone_ppm),
	INTEGER(run_warp_kernel_row, reached),
	INTEGER(run_warp_kernel_row, accesses),
	INTEGER(run_warp_kernel_row, l1_hits),
	INTEGER(run_warp_kernel_row, l2_hits),
	INTEGER(run_warp_kernel_row, dram_bytes),
	INTEGER(run_warp_kernel_row, swaps),
	INTEGER(run_warp_kernel_row, energy_fj),
};

static const struct row_column run_sub_core[] = {
	{"sm", FIELD_U32, offsetof(struct run_sub_core_row, sm)},
	{"sub_core", FIELD_U32, offsetof(struct run_sub_core_row, sub_core)},
	{"issued_cycles", FIELD_INTEGER, offsetof(struct run_sub_core_row, cycles[ROW_SLOT_ISSUED])},
	{"empty_cycles", FIELD_INTEGER, offsetof(struct run_sub_core_row, cycles[ROW_SLOT_EMPTY])},
	{"quota_cycles", FIELD_INTEGER, offsetof(struct run_sub_core_row, cycles[ROW_SLOT_QUOTA])},
	{"unit_cycles", FIELD_INTEGER, offsetof(struct run_sub_core_row, cycles[ROW_SLOT_UNIT])},
	{"scheduler_cycles", FIELD_INTEGER, offsetof(struct run_sub_core_row, cycles[ROW_SLOT_SCHEDULER])},
	{"memory_cycles", FIELD_INTEGER, offsetof(struct run_sub_core_row, cycles[ROW_SLOT_MEMORY])},
	{"dependence_cycles", FIELD_INTEGER, offsetof(struct run_sub_core_row, cycles[ROW_SLOT_DEPENDENCE])},
	{"barrier_cycles", FIELD_INTEGER, offsetof(struct run_sub_core_row, cycles[ROW_SLOT_BARRIER])},
	{"swap_cycles", FIELD_INTEGER, offsetof(struct run_sub_core_row, cycles[ROW_SLOT_SWAP])},
	{"ending_cycles", FIELD_INTEGER, offsetof(struct run_sub_core_row, cycles[ROW_SLOT_ENDING])},
};

static const struct row_column epoch[] = {
	{"epoch", FIELD_U32, offsetof(struct epoch_row, epoch)},
	{"task_id", FIELD_TASK, offsetof(struct epoch_row, task)},
	INTEGER(epoch_row, start_cycle),
	INTEGER(epoch_row, end_cycle),
	INTEGER(epoch_row, warp_instructions),
	INTEGER(epoch_row, thread_instructions),
	{"adjusted_goal_ppm", FIELD_INSTANT, offsetof(struct epoch_row, adjusted_goal_ppm)},
	{"history_ipc_ppm", FIELD_INSTANT, offsetof(struct epoch_row, history_ipc_ppm)},
	{"blocks", FIELD_U32, offsetof(struct epoch_row, blocks)},
	{"swaps", FIELD_U32, offsetof(struct epoch_row, swaps)},
};

static const struct row_column epoch_sm[] = {
	{"epoch", FIELD_U32, offsetof(struct epoch_sm_row, epoch)},
	{"sm", FIELD_U32, offsetof(struct epoch_sm_row, sm)},
	{"issued_cycles", FIELD_INTEGER, offsetof(struct epoch_sm_row, cycles[ROW_SLOT_ISSUED])},
	{"empty_cycles", FIELD_INTEGER, offsetof(struct epoch_sm_row, cycles[ROW_SLOT_EMPTY])},
	{"quota_cycles", FIELD_INTEGER, offsetof(struct epoch_sm_row, cycles[ROW_SLOT_QUOTA])},
	{"unit_cycles", FIELD_INTEGER, offsetof(struct epoch_sm_row, cycles[ROW_SLOT_UNIT])},
	{"scheduler_cycles", FIELD_INTEGER, offsetof(struct epoch_sm_row, cycles[ROW_SLOT_SCHEDULER])},
	{"memory_cycles", FIELD_INTEGER, offsetof(struct epoch_sm_row, cycles[ROW_SLOT_MEMORY])},
	{"dependence_cycles", FIELD_INTEGER, offsetof(struct epoch_sm_row, cycles[ROW_SLOT_DEPENDENCE])},
	{"barrier_cycles", FIELD_INTEGER, offsetof(struct epoch_sm_row, cycles[ROW_SLOT_BARRIER])},
	{"swap_cycles", FIELD_INTEGER, offsetof(struct epoch_sm_row, cycles[ROW_SLOT_SWAP])},
	{"ending_cycles", FIELD_INTEGER, offsetof(struct epoch_sm_row, cycles[ROW_SLOT_ENDING])},
};

static const struct row_column epoch_quota[] = {
	{"epoch", FIELD_U32, offsetof(struct epoch_quota_row, epoch)},
	{"sm", FIELD_U32, offsetof(struct epoch_quota_row, sm)},
	{"task_id", FIELD_TASK, offsetof(struct epoch_quota_row, task)},
	{"quota", FIELD_INSTANT, offsetof(struct epoch_quota_row, quota)},
	INTEGER(epoch_quota_row, counter_start),
	INTEGER(epoch_quota_row, counter_end),
	INTEGER(epoch_quota_row, added),
	INTEGER(epoch_quota_row, warp_instructions),
	INTEGER(epoch_quota_row, thread_instructions),
	{"blocks", FIELD_U32, offsetof(struct epoch_quota_row, blocks)},
	{"target", FIELD_U32_OR_NONE, offsetof(struct epoch_quota_row, target)},
	{"idle_sum", FIELD_U32, offsetof(struct epoch_quota_row, idle_sum)},
	{"samples", FIELD_U32, offsetof(struct epoch_quota_row, samples)},
};

static const struct row_column warp_issue[] = {
	INTEGER(warp_issue_row, cycle),
	{"latency_cycles", FIELD_INSTANT, offsetof(struct warp_issue_row, latency_cycles)},
	{"task_id", FIELD_TASK, offsetof(struct warp_issue_row, task)},
	{"seq", FIELD_U32, offsetof(struct warp_issue_row, seq)},
	{"block", FIELD_U32, offsetof(struct warp_issue_row, block)},
	{"warp", FIELD_U8, offsetof(struct warp_issue_row, warp)},
	{"number", FIELD_U32, offsetof(struct warp_issue_row, number)},
	{"step_idx", FIELD_U16, offsetof(struct warp_issue_row, step_idx)},
	{"place", FIELD_U16, offsetof(struct warp_issue_row, place)},
	{"code", FIELD_U16, offsetof(struct warp_issue_row, code)},
};

static const struct row_column hist[] = {
	{"task_id", FIELD_TASK, offsetof(struct hist_row, task)},
	{"bucket", FIELD_U32, offsetof(struct hist_row, bucket)},
	INTEGER(hist_row, jobs),
};

static const struct row_column job[] = {
	{"task_id", FIELD_TASK, offsetof(struct job_row, task)},
	{"seq", FIELD_U32, offsetof(struct job_row, seq)},
	INTEGER(job_row, release_ns),
	INTEGER(job_row, abs_deadline_ns),
	{"first_start_ns", FIELD_INSTANT, offsetof(struct job_row, first_start_ns)},
	{"finish_ns", FIELD_INSTANT, offsetof(struct job_row, finish_ns)},
	{"outcome", FIELD_U8, offsetof(struct job_row, outcome)},
};

static const struct row_column segment_interval[] = {
	{"task_id", FIELD_TASK, offsetof(struct segment_interval_row, task)},
	{"seq", FIELD_U32, offsetof(struct segment_interval_row, seq)},
	{"segment_idx", FIELD_U16, offsetof(struct segment_interval_row, segment_idx)},
	{"part", FIELD_U32, offsetof(struct segment_interval_row, part)},
	{"code", FIELD_U8, offsetof(struct segment_interval_row, code)},
	{"unit", FIELD_U16, offsetof(struct segment_interval_row, unit)},
	INTEGER(segment_interval_row, ready_ns),
	INTEGER(segment_interval_row, start_ns),
	INTEGER(segment_interval_row, end_ns),
	{"granted", FIELD_U32_OR_ZERO, offsetof(struct segment_interval_row, granted)},
};

static const struct row_column block_interval[] = {
	{"task_id", FIELD_TASK, offsetof(struct block_interval_row, task)},
	{"seq", FIELD_U32, offsetof(struct block_interval_row, seq)},
	{"segment_idx", FIELD_U16, offsetof(struct block_interval_row, segment_idx)},
	{"block", FIELD_U32, offsetof(struct block_interval_row, block)},
	{"sm", FIELD_U32_OR_NONE, offsetof(struct block_interval_row, sm)},
	{"slot", FIELD_U32, offsetof(struct block_interval_row, slot)},
	{"threads", FIELD_U32, offsetof(struct block_interval_row, threads)},
	INTEGER(block_interval_row, start_ns),
	INTEGER(block_interval_row, end_ns),
	{"ended_code", FIELD_U8, offsetof(struct block_interval_row, ended)},
};

static const struct row_column power_interval[] = {
	INTEGER(power_interval_row, start_ns),
	INTEGER(power_interval_row, end_ns),
	INTEGER(power_interval_row, power_uw),
	{"active_sms", FIELD_U32, offsetof(struct power_interval_row, active_sms)},
	{"idle_sms", FIELD_U32, offsetof(struct power_interval_row, idle_sms)},
};

static const struct row_column decision[] = {
	INTEGER(decision_row, time_ns),
	{"task_id", FIELD_TASK, offsetof(struct decision_row, task)},
	{"seq", FIELD_U32, offsetof(struct decision_row, seq)},
	{"segment_idx", FIELD_U16, offsetof(struct decision_row, segment_idx)},
	{"sms", FIELD_U32, offsetof(struct decision_row, sms)},
	INTEGER(decision_row, kernel_end_ns),
	INTEGER(decision_row, predicted_uwns),
	{"feasible", FIELD_U8, offsetof(struct decision_row, feasible)},
	{"chosen", FIELD_U8, offsetof(struct decision_row, chosen)},
};

#define COLUMNS(array, type) array, sizeof(array) / sizeof((array)[0]), sizeof(struct type)

const struct row_type row_types[ROW_TYPES] = {
	[ROWS_SCENARIO] = {"scenario", {"digest"}, COLUMNS(scenario, scenario_row)},
	[ROWS_PLATFORM] = {"platform", {"digest"}, COLUMNS(platform, platform_row)},
	[ROWS_POLICY] = {"policy", {"digest"}, COLUMNS(policy, policy_row)},
	[ROWS_TASKSET] = {"taskset", {"digest"}, COLUMNS(taskset, taskset_row)},
	[ROWS_RELEASE_TRACE] = {"release_trace", {"digest"}, NULL, 0, 0},
	[ROWS_TASK] = {"task", {"taskset_id"}, COLUMNS(task, task_row)},
	[ROWS_SEGMENT] = {"segment", {NULL}, COLUMNS(segment, segment_row)},
	[ROWS_SEGMENT_BLOCK] = {"segment_block", {NULL}, COLUMNS(segment_block, segment_block_row)},
	[ROWS_PROFILE] = {"profile", {"taskset_id"}, COLUMNS(profile, profile_row)},
	[ROWS_TRACE_DURATION] = {"trace_duration", {"trace_id"}, COLUMNS(trace_duration, trace_duration_row)},
	[ROWS_WARP_MACHINE] = {"warp_machine", {"taskset_id"}, COLUMNS(warp_machine, warp_machine_row)},
	[ROWS_WARP_UNIT] = {"warp_unit", {"taskset_id"}, COLUMNS(warp_unit, warp_unit_row)},
	[ROWS_WARP_KERNEL] = {"warp_kernel", {NULL}, COLUMNS(warp_kernel, warp_kernel_row)},
	[ROWS_WARP_STEP] = {"warp_step", {NULL}, COLUMNS(warp_step, warp_step_row)},
	[ROWS_ANALYSIS] = {"analysis_run", {"analysis_run_id"}, COLUMNS(analysis, analysis_row)},
	[ROWS_BOUND] = {"bound", {"analysis_run_id"}, COLUMNS(bound, bound_row)},
	[ROWS_BOUND_PART] = {"bound_part", {"analysis_run_id"}, COLUMNS(bound_part, bound_part_row)},
	[ROWS_RUN] = {"run", {"run_id", "setup_digest"}, COLUMNS(run, run_row)},
	[ROWS_RUN_TASK] = {"run_task", {"run_id"}, COLUMNS(run_task, run_task_row)},
	[ROWS_RUN_WARP_KERNEL] = {"run_warp_kernel", {"run_id"},
		COLUMNS(run_warp_kernel, run_warp_kernel_row)},
	[ROWS_RUN_SUB_CORE] = {"run_sub_core", {"run_id"}, COLUMNS(run_sub_core, run_sub_core_row)},
	[ROWS_EPOCH] = {"epoch", {"run_id"}, COLUMNS(epoch, epoch_row)},
	[ROWS_EPOCH_SM] = {"epoch_sm", {"run_id"}, COLUMNS(epoch_sm, epoch_sm_row)},
	[ROWS_EPOCH_QUOTA] = {"epoch_quota", {"run_id"}, COLUMNS(epoch_quota, epoch_quota_row)},
	[ROWS_WARP_ISSUE] = {"warp_issue", {"run_id"}, COLUMNS(warp_issue, warp_issue_row)},
	[ROWS_HIST] = {"run_task_hist", {"run_id"}, COLUMNS(hist, hist_row)},
	[ROWS_JOB] = {"job", {"run_id"}, COLUMNS(job, job_row)},
	[ROWS_SEGMENT_INTERVAL] = {"segment_interval", {"run_id"},
		COLUMNS(segment_interval, segment_interval_row)},
	[ROWS_BLOCK_INTERVAL] = {"block_interval", {"run_id"}, COLUMNS(block_interval, block_interval_row)},
	[ROWS_POWER_INTERVAL] = {"power_interval", {"run_id"}, COLUMNS(power_interval, power_interval_row)},
	[ROWS_DECISION] = {"decision", {"run_id"}, COLUMNS(decision, decision_row)},
};

int row_leads(enum row_type_id id)
{
	return (row_types[id].lead[0] != NULL) + (row_types[id].lead[1] != NULL);
}

/* A statement in the making; it must fit (a programmer's table, not a user's text). */
struct sql_text {
	char *at, *end;
};

static void add(struct sql_text *sql, const char *text, int number)
{
	int length =
		snprintf(sql->at, (size_t)(sql->end - sql->at), number < 0 ? "%s" : "%s%d", text, number);
	assert(length >= 0 && length < sql->end - sql->at);
	sql->at += length;
}

/* OR FAIL: with the usual OR ABORT, SQLite would copy every page that a statement touches, to undo it alone.
 * A writer that failed gives up all that it has not committed. */
const char *row_insert_sql(enum row_type_id id, char sql[ROW_SQL_MAX])
{
	const struct row_type *type = &row_types[id];
	struct sql_text out = {sql, sql + ROW_SQL_MAX};
	int leads = row_leads(id), columns = (int)type->column_count;

	add(&out, "INSERT OR FAIL INTO ", -1);
	add(&out, type->table, -1);
	for (int i = 0; i < leads + columns; i++) {
		add(&out, i == 0 ? " (" : ", ", -1);
		add(&out, i < leads ? type->lead[i] : type->columns[i - leads].name, -1);
	}
	add(&out, ")", -1);
	for (int i = 0; i < leads + columns; i++) {
		add(&out, i == 0 ? " SELECT " : ", ", -1);
		add(&out, i < leads ? "?" : "c", i < leads ? i + 1 : i - leads);
	}
	add(&out, " FROM cegsim_rows(?", leads + 1);
	add(&out, ")", -1);
	return sql;
}

static int64_t load_integer(const void *at)
{
	int64_t value;
	memcpy(&value, at, sizeof(value));
	return value;
}

static uint32_t load_u32(const void *at)
{
	uint32_t value;
	memcpy(&value, at, sizeof(value));
	return value;
}

static const char *load_text(const void *at)
{
	const char *text;
	memcpy(&text, at, sizeof(text));
	return text;
}

const char *row_text(const struct row_column *column, const void *row)
{
	return load_text((const char *)row + column->offset);
}

int64_t row_number(const struct row_column *column, const void *row)
{
	const char *at = (const char *)row + column->offset;
	int64_t value;
	uint16_t small;
	switch (column->field) {
	case FIELD_U8:
		return *(const unsigned char *)at;
	case FIELD_U16:
		memcpy(&small, at, sizeof(small));
		return small;
	case FIELD_U32:
	case FIELD_TASK:
		return load_u32(at);
	case FIELD_U32_OR_NONE:
		return load_u32(at) == ROW_NONE ? DB_NULL : load_u32(at);
	case FIELD_U32_OR_ZERO:
		return load_u32(at) == 0 ? DB_NULL : load_u32(at);
	case FIELD_INSTANT:
		value = load_integer(at);
		return value < 0 ? DB_NULL : value;
	case FIELD_INTEGER:
	case FIELD_TASK_OR_NULL:
	case FIELD_TRACE:
	case FIELD_TEXT:
		break;
	}
	return load_integer(at);
}

void row_digest_value(const struct row_column *column, struct digest *d, const void *row)
{
	if (column->field == FIELD_TEXT)
		digest_string(d, row_text(column, row));
	else
		digest_integer(d, row_number(column, row));
}

void row_digest(enum row_type_id id, struct digest *d, const void *row, size_t columns)
{
	const struct row_type *type = &row_types[id];
	for (size_t i = 0; i < type->column_count && i < columns; i++) {
		const struct row_column *column = &type->columns[i];
		const char *at = (const char *)row + column->offset;
		if (column->field == FIELD_TEXT)
			digest_string(d, load_text(at));
		else if (column->field == FIELD_INTEGER)
			digest_integer(d, load_integer(at));
		else if (column->field == FIELD_TASK)
			digest_integer(d, load_u32(at));
	}
}
