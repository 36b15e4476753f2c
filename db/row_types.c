/* db/row_types.c - the columns of all tables as data, made from the lists of db/columns.h. */
#include "db/row_types.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "db/words.h"

#define COLUMNS(list) list(COLUMN, MEMBER, WORD)
#define COLUMNS_AND_CYCLES(list) list(COLUMN, MEMBER, CYCLES)
#define BULK_COLUMNS(list) list(COLUMN, MEMBER, MEMBER, MEMBER, MEMBER)
#define COLUMN(kind, column, declaration, unit, text)                                                        \
	{#column, FIELD_##kind, 0, declaration, NULL, unit, text},
#define MEMBER(kind, member, declaration, unit, text)                                                        \
	{#member SUFFIX_##kind, FIELD_##kind, offsetof(ROW, member), declaration, NULL, unit, text},
#define CYCLES(slot, column, declaration, unit, text)                                                        \
	{#column, FIELD_INTEGER, offsetof(ROW, cycles[ROW_SLOT_##slot]), declaration, NULL, unit, text},
#define WORD(words, member, declaration, unit, text)                                                         \
	{#member, FIELD_TEXT, offsetof(ROW, member), declaration, words_##words, unit, text},

/* The difference between the name of the column and that of the member. */
#define SUFFIX_TEXT
#define SUFFIX_INTEGER
#define SUFFIX_SIZE
#define SUFFIX_INSTANT
#define SUFFIX_U8
#define SUFFIX_U16
#define SUFFIX_U32
#define SUFFIX_U32_OR_NONE
#define SUFFIX_U32_OR_ZERO
#define SUFFIX_TASK "_id"
#define SUFFIX_TASK_OR_NULL "_id"
#define SUFFIX_TRACE

_Static_assert(offsetof(struct task_row, task) == 0, "task_idx has no member of its own");
_Static_assert(sizeof(size_t) == sizeof(int64_t), "a size is read as an int64_t");

static const struct row_column meta[] = {COLUMNS(META_COLUMNS)};
static const struct row_column column_doc[] = {COLUMNS(COLUMN_DOC_COLUMNS)};
#define ROW struct scenario_row
static const struct row_column scenario[] = {COLUMNS(SCENARIO_COLUMNS)};
#undef ROW
#define ROW struct platform_row
static const struct row_column platform[] = {COLUMNS(PLATFORM_COLUMNS)};
#undef ROW
#define ROW struct taskset_row
static const struct row_column taskset[] = {COLUMNS(TASKSET_COLUMNS)};
#undef ROW
static const struct row_column release_trace[] = {COLUMNS(RELEASE_TRACE_COLUMNS)};
static const struct row_column trace_release[] = {COLUMNS(TRACE_RELEASE_COLUMNS)};
#define ROW struct trace_duration_row
static const struct row_column trace_duration[] = {COLUMNS(TRACE_DURATION_COLUMNS)};
#undef ROW
static const struct row_column failed_unit[] = {COLUMNS(FAILED_UNIT_COLUMNS)};
static const struct row_column stretch[] = {COLUMNS(STRETCH_COLUMNS)};
static const struct row_column stretch_end[] = {COLUMNS(STRETCH_END_COLUMNS)};
#define ROW struct question_row
static const struct row_column question[] = {COLUMNS(QUESTION_COLUMNS)};
#undef ROW
#define ROW struct grid_point_row
static const struct row_column grid_point[] = {COLUMNS(GRID_POINT_COLUMNS)};
#undef ROW
#define ROW struct verdict_row
static const struct row_column verdict[] = {COLUMNS(VERDICT_COLUMNS)};
#undef ROW
static const struct row_column tally[] = {COLUMNS(TALLY_COLUMNS)};
#define ROW struct task_row
static const struct row_column task[] = {COLUMNS(TASK_COLUMNS)};
#undef ROW
#define ROW struct segment_row
static const struct row_column segment[] = {COLUMNS(SEGMENT_COLUMNS)};
static const struct row_column segment_shape[] = {COLUMNS(SEGMENT_SHAPE_COLUMNS)};
#undef ROW
#define ROW struct task_segments_row
static const struct row_column task_segments[] = {COLUMNS(TASK_SEGMENTS_COLUMNS)};
#undef ROW
#define ROW struct segment_block_row
static const struct row_column segment_block[] = {COLUMNS(SEGMENT_BLOCK_COLUMNS)};
#undef ROW
#define ROW struct segment_sample_row
static const struct row_column segment_sample[] = {COLUMNS(SEGMENT_SAMPLE_COLUMNS)};
#undef ROW
#define ROW struct profile_row
static const struct row_column profile[] = {COLUMNS(PROFILE_COLUMNS)};
#undef ROW
#define ROW struct task_after_row
static const struct row_column task_after[] = {COLUMNS(TASK_AFTER_COLUMNS)};
#undef ROW
#define ROW struct chain_row
static const struct row_column chain[] = {COLUMNS(CHAIN_COLUMNS)};
#undef ROW
#define ROW struct chain_task_row
static const struct row_column chain_task[] = {COLUMNS(CHAIN_TASK_COLUMNS)};
#undef ROW
#define ROW struct chain_run_row
static const struct row_column chain_run[] = {COLUMNS(CHAIN_RUN_COLUMNS)};
#undef ROW
#define ROW struct run_gpu_row
static const struct row_column run_gpu[] = {COLUMNS(RUN_GPU_COLUMNS)};
#undef ROW
#define ROW struct chain_bound_row
static const struct row_column chain_bound[] = {COLUMNS(CHAIN_BOUND_COLUMNS)};
#undef ROW
#define ROW struct warp_machine_row
static const struct row_column warp_machine[] = {COLUMNS(WARP_MACHINE_COLUMNS)};
#undef ROW
#define ROW struct warp_unit_row
static const struct row_column warp_unit[] = {COLUMNS(WARP_UNIT_COLUMNS)};
#undef ROW
#define ROW struct warp_kernel_row
static const struct row_column warp_kernel[] = {COLUMNS(WARP_KERNEL_COLUMNS)};
#undef ROW
#define ROW struct warp_step_row
static const struct row_column warp_step[] = {COLUMNS(WARP_STEP_COLUMNS)};
#undef ROW
#define ROW struct policy_row
static const struct row_column policy[] = {COLUMNS(POLICY_COLUMNS)};
#undef ROW
#define ROW struct run_row
static const struct row_column run[] = {COLUMNS(RUN_COLUMNS)};
#undef ROW
#define ROW struct run_task_row
static const struct row_column run_task[] = {COLUMNS(RUN_TASK_COLUMNS)};
#undef ROW
#define ROW struct run_warp_kernel_row
static const struct row_column run_warp_kernel[] = {COLUMNS(RUN_WARP_KERNEL_COLUMNS)};
#undef ROW
#define ROW struct hist_row
static const struct row_column run_task_hist[] = {BULK_COLUMNS(RUN_TASK_HIST_COLUMNS)};
#undef ROW
#define ROW struct job_row
static const struct row_column job[] = {BULK_COLUMNS(JOB_COLUMNS)};
#undef ROW
#define ROW struct segment_interval_row
static const struct row_column segment_interval[] = {BULK_COLUMNS(SEGMENT_INTERVAL_COLUMNS)};
#undef ROW
#define ROW struct block_interval_row
static const struct row_column block_interval[] = {BULK_COLUMNS(BLOCK_INTERVAL_COLUMNS)};
#undef ROW
#define ROW struct context_interval_row
static const struct row_column context_interval[] = {BULK_COLUMNS(CONTEXT_INTERVAL_COLUMNS)};
#undef ROW
#define ROW struct power_interval_row
static const struct row_column power_interval[] = {BULK_COLUMNS(POWER_INTERVAL_COLUMNS)};
#undef ROW
#define ROW struct decision_row
static const struct row_column decision[] = {BULK_COLUMNS(DECISION_COLUMNS)};
#undef ROW
#define ROW struct measured_row
static const struct row_column measured[] = {COLUMNS(MEASURED_COLUMNS)};
#undef ROW
#define ROW struct run_sub_core_row
static const struct row_column run_sub_core[] = {COLUMNS_AND_CYCLES(RUN_SUB_CORE_COLUMNS)};
#undef ROW
#define ROW struct epoch_row
static const struct row_column epoch[] = {COLUMNS(EPOCH_COLUMNS)};
#undef ROW
#define ROW struct epoch_sm_row
static const struct row_column epoch_sm[] = {COLUMNS_AND_CYCLES(EPOCH_SM_COLUMNS)};
#undef ROW
#define ROW struct epoch_quota_row
static const struct row_column epoch_quota[] = {COLUMNS(EPOCH_QUOTA_COLUMNS)};
#undef ROW
#define ROW struct warp_issue_row
static const struct row_column warp_issue[] = {BULK_COLUMNS(WARP_ISSUE_COLUMNS)};
#undef ROW
#define ROW struct analysis_row
static const struct row_column analysis_run[] = {COLUMNS(ANALYSIS_RUN_COLUMNS)};
#undef ROW
#define ROW struct bound_row
static const struct row_column bound[] = {COLUMNS(BOUND_COLUMNS)};
#undef ROW
#define ROW struct bound_part_row
static const struct row_column bound_part[] = {COLUMNS(BOUND_PART_COLUMNS)};
#undef ROW

/* clang-format off */
#define TABLES(TABLE) \
	TABLE(META, meta, 0, NULL) \
	TABLE(COLUMN_DOC, column_doc, 0, "PRIMARY KEY (tbl, col)") \
	TABLE(SCENARIO, scenario, sizeof(struct scenario_row), NULL) \
	TABLE(PLATFORM, platform, sizeof(struct platform_row), NULL) \
	TABLE(TASKSET, taskset, sizeof(struct taskset_row), NULL) \
	TABLE(RELEASE_TRACE, release_trace, 0, NULL) \
	TABLE(TRACE_RELEASE, trace_release, 0, "PRIMARY KEY (trace_id, seq)") \
	TABLE(TRACE_DURATION, trace_duration, sizeof(struct trace_duration_row), \
		"PRIMARY KEY (trace_id, seq, segment_idx)") \
	TABLE(FAILED_UNIT, failed_unit, 0, NULL) \
	TABLE(STRETCH, stretch, 0, NULL) \
	TABLE(STRETCH_END, stretch_end, 0, "PRIMARY KEY (stretch_id, tbl)") \
	TABLE(QUESTION, question, sizeof(struct question_row), NULL) \
	TABLE(GRID_POINT, grid_point, sizeof(struct grid_point_row), NULL) \
	TABLE(VERDICT, verdict, sizeof(struct verdict_row), NULL) \
	TABLE(TALLY, tally, 0, NULL) \
	TABLE(TASK, task, sizeof(struct task_row), "UNIQUE (taskset_id, task_idx)") \
	TABLE(SEGMENT, segment, sizeof(struct segment_row), "PRIMARY KEY (task_id, segment_idx)") \
	TABLE(SEGMENT_SHAPE, segment_shape, sizeof(struct segment_row), NULL) \
	TABLE(TASK_SEGMENTS, task_segments, sizeof(struct task_segments_row), NULL) \
	TABLE(SEGMENT_BLOCK, segment_block, sizeof(struct segment_block_row), \
		"PRIMARY KEY (task_id, segment_idx, block)") \
	TABLE(SEGMENT_SAMPLE, segment_sample, sizeof(struct segment_sample_row), \
		"PRIMARY KEY (task_id, segment_idx, sample)") \
	TABLE(PROFILE, profile, sizeof(struct profile_row), "PRIMARY KEY (taskset_id, profile_idx, sms)") \
	TABLE(TASK_AFTER, task_after, sizeof(struct task_after_row), "PRIMARY KEY (task_id, place)") \
	TABLE(CHAIN, chain, sizeof(struct chain_row), "PRIMARY KEY (taskset_id, chain_idx)") \
	TABLE(CHAIN_TASK, chain_task, sizeof(struct chain_task_row), \
		"PRIMARY KEY (taskset_id, chain_idx, stage)") \
	TABLE(WARP_MACHINE, warp_machine, sizeof(struct warp_machine_row), NULL) \
	TABLE(WARP_UNIT, warp_unit, sizeof(struct warp_unit_row), "PRIMARY KEY (taskset_id, unit)") \
	TABLE(WARP_KERNEL, warp_kernel, sizeof(struct warp_kernel_row), NULL) \
	TABLE(WARP_STEP, warp_step, sizeof(struct warp_step_row), "PRIMARY KEY (task_id, step_idx)") \
	TABLE(POLICY, policy, sizeof(struct policy_row), NULL) \
	TABLE(RUN, run, sizeof(struct run_row), \
		"UNIQUE (taskset_id, platform_id, policy_id, replication, setup_digest)") \
	TABLE(RUN_TASK, run_task, sizeof(struct run_task_row), "PRIMARY KEY (run_id, task_id)") \
	TABLE(RUN_WARP_KERNEL, run_warp_kernel, sizeof(struct run_warp_kernel_row), \
		"PRIMARY KEY (run_id, task_id)") \
	TABLE(CHAIN_RUN, chain_run, sizeof(struct chain_run_row), "PRIMARY KEY (run_id, chain_idx)") \
	TABLE(RUN_GPU, run_gpu, sizeof(struct run_gpu_row), "PRIMARY KEY (run_id, gpu)") \
	TABLE(HIST, run_task_hist, sizeof(struct hist_row), NULL) \
	TABLE(JOB, job, sizeof(struct job_row), NULL) \
	TABLE(SEGMENT_INTERVAL, segment_interval, sizeof(struct segment_interval_row), NULL) \
	TABLE(BLOCK_INTERVAL, block_interval, sizeof(struct block_interval_row), NULL) \
	TABLE(CONTEXT_INTERVAL, context_interval, sizeof(struct context_interval_row), NULL) \
	TABLE(POWER_INTERVAL, power_interval, sizeof(struct power_interval_row), NULL) \
	TABLE(DECISION, decision, sizeof(struct decision_row), NULL) \
	TABLE(MEASURED, measured, sizeof(struct measured_row), NULL) \
	TABLE(RUN_SUB_CORE, run_sub_core, sizeof(struct run_sub_core_row), NULL) \
	TABLE(EPOCH, epoch, sizeof(struct epoch_row), NULL) \
	TABLE(EPOCH_SM, epoch_sm, sizeof(struct epoch_sm_row), NULL) \
	TABLE(EPOCH_QUOTA, epoch_quota, sizeof(struct epoch_quota_row), NULL) \
	TABLE(WARP_ISSUE, warp_issue, sizeof(struct warp_issue_row), NULL) \
	TABLE(ANALYSIS, analysis_run, sizeof(struct analysis_row), \
		"UNIQUE (taskset_id, platform_id, policy_id, analysis, params)") \
	TABLE(BOUND, bound, sizeof(struct bound_row), "PRIMARY KEY (analysis_run_id, task_id)") \
	TABLE(BOUND_PART, bound_part, sizeof(struct bound_part_row), NULL) \
	TABLE(CHAIN_BOUND, chain_bound, sizeof(struct chain_bound_row), \
		"PRIMARY KEY (analysis_run_id, chain_idx)")
/* clang-format on */

#define TYPE(id, columns, size, constraint)                                                                  \
	[ROWS_##id] = {#columns, columns, sizeof(columns) / sizeof((columns)[0]), size, constraint},
const struct row_type row_types[ROW_TYPES] = {TABLES(TYPE)};

#define ID(id, ...) ROWS_##id,
const enum row_type_id row_tables[ROW_TYPES] = {TABLES(ID)};
/* clang-format off */
#define FITS(id, columns, ...) \
	_Static_assert(sizeof(columns) / sizeof((columns)[0]) <= ROW_COLUMNS_MAX, "columns of " #columns);
/* clang-format on */
TABLES(FITS)

#define ONE(...) +1
_Static_assert(TABLES(ONE) == ROW_TYPES, "every table is in the list");

int row_leads(enum row_type_id id)
{
	const struct row_type *type = &row_types[id];
	int leads = 0;
	for (size_t i = 0; i < type->column_count; i++)
		leads += type->columns[i].field == FIELD_LEAD;
	return leads;
}

static size_t find_column(const struct row_type *type, const char *name)
{
	size_t i = 0;
	while (strcmp(type->columns[i].name, name) != 0)
		i++;
	return i;
}

struct row_range row_range(enum row_type_id id, const char *first, const char *last)
{
	const struct row_type *type = &row_types[id];
	return (struct row_range){find_column(type, first), find_column(type, last) + 1};
}

struct row_range row_range_of_setup(void)
{
	return row_range(ROWS_RUN, "seed", "ties");
}

enum row_type_id row_type_named(const char *table)
{
	int id = 0;
	while (strcmp(row_types[id].table, table) != 0)
		id++;
	return (enum row_type_id)id;
}

bool row_holds_task(const char *table, const char *column)
{
	for (int t = 0; t < ROW_TYPES; t++) {
		const struct row_type *type = &row_types[t];
		for (size_t i = 0; strcmp(type->table, table) == 0 && i < type->column_count; i++)
			if (strcmp(type->columns[i].name, column) == 0)
				return type->columns[i].field == FIELD_TASK ||
				       type->columns[i].field == FIELD_TASK_OR_NULL;
	}
	return false;
}

/* A statement while it is made. It must fit: tables come from the program, not from users. */
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

/* OR FAIL, because with the default, OR ABORT, SQLite would copy every page that a statement changes, only to
 * undo this statement. A writer that failed drops all that is not committed anyway. */
const char *row_insert_sql(enum row_type_id id, char sql[ROW_SQL_MAX])
{
	const struct row_type *type = &row_types[id];
	struct sql_text out = {sql, sql + ROW_SQL_MAX};
	int leads = 0;

	add(&out, "INSERT OR FAIL INTO ", -1);
	add(&out, type->table, -1);
	for (size_t i = 0, n = 0; i < type->column_count; i++) {
		const struct row_column *column = &type->columns[i];
		if (!row_is_member(column) && column->field != FIELD_LEAD)
			continue;
		add(&out, n++ == 0 ? " (" : ", ", -1);
		add(&out, column->name, -1);
	}
	add(&out, ")", -1);
	for (size_t i = 0, n = 0; i < type->column_count; i++) {
		const struct row_column *column = &type->columns[i];
		bool lead = column->field == FIELD_LEAD;
		if (!row_is_member(column) && !lead)
			continue;
		add(&out, n++ == 0 ? " SELECT " : ", ", -1);
		add(&out, lead ? "?" : "c", lead ? ++leads : (int)i);
	}
	add(&out, " FROM cegsim_rows(?", leads + 1);
	add(&out, ")", -1);
	return sql;
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
	case FIELD_TASK_INDEX:
		return row_load_u32(at);
	case FIELD_U32_OR_NONE:
		return row_load_u32(at) == ROW_NONE ? DB_NULL : row_load_u32(at);
	case FIELD_U32_OR_ZERO:
		return row_load_u32(at) == 0 ? DB_NULL : row_load_u32(at);
	case FIELD_INSTANT:
		value = row_load_integer(at);
		return value < 0 ? DB_NULL : value;
	default:
		break;
	}
	return row_load_integer(at);
}

void row_digest_value(const struct row_column *column, struct digest *d, const void *row)
{
	if (column->field == FIELD_TEXT)
		digest_string(d, row_text(column, row));
	else
		digest_integer(d, row_number(column, row));
}

void row_digest(enum row_type_id id, struct digest *d, const void *row, struct row_range range)
{
	const struct row_type *type = &row_types[id];
	for (size_t i = range.first; i < type->column_count && i < range.end; i++) {
		const struct row_column *column = &type->columns[i];
		if (row_is_member(column) && column->field != FIELD_TASK_INDEX &&
			column->field != FIELD_TRACE)
			row_digest_value(column, d, row);
	}
}
