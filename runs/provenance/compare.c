/* runs/provenance/compare.c - compares rows as they should be with the rows of a recording. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "policies/plugin/plugin.h"
#include "policies/registry.h"
#include "runs/provenance/checking.h"
#include "runs/store.h"
#include "scenarios/scenario.h"

/* Ids that only have a meaning inside the recording are left out. */
static bool is_compared(const struct checking *k, enum row_type_id type, size_t column)
{
	const struct row_column *c = &row_types[type].columns[column];
	return row_is_member(c) && c->field != FIELD_TRACE && !k->lacks[type][column];
}

/* Makes "SELECT columns FROM ... WHERE ...". */
static void select_rows(const struct checking *k, const struct expected *e, char *sql, size_t size)
{
	const struct row_type *type = &row_types[e->type];
	size_t used = (size_t)snprintf(sql, size, "SELECT 0");
	for (size_t i = e->columns.first; i < type->column_count && i < e->columns.end; i++) {
		const struct row_column *c = &type->columns[i];
		bool task = c->field == FIELD_TASK || c->field == FIELD_TASK_OR_NULL;
		bool owned = e->from && strcmp(c->name, "task_id") == 0; /* its task stands beside it */
		if (is_compared(k, e->type, i) && used < size)
			used += (size_t)snprintf(sql + used, size - used,
				owned  ? ", o.task_idx"
				: task ? ", (SELECT x.task_idx FROM task x WHERE x.task_id = t.%s)"
				       : ", t.%s",
				c->name);
	}
	if (used < size)
		snprintf(sql + used, size - used, " FROM %s%s WHERE %s", e->from ? e->from : type->table,
			e->from ? "" : " t", e->where);
}

static void print_value(enum value_kind kind, int64_t number, const char *text, char out[120])
{
	if (kind == VALUE_NULL)
		snprintf(out, 120, "NULL");
	else if (kind == VALUE_INTEGER)
		snprintf(out, 120, "%" PRId64, number);
	else
		snprintf(out, 120, "'%.100s'", text);
}

/* Compares the column of a row with the cursor's. */
static bool compare_value(struct checking *k, const struct expected *e, size_t row,
	const struct row_column *column, const struct db_cursor *c, int at, bool quiet, bool *same)
{
	const struct row_type *type = &row_types[e->type];
	const void *expected = (const char *)e->rows + row * type->row_size;
	bool textual = column->field == FIELD_TEXT;
	const char *text = textual ? row_text(column, expected) : NULL;
	int64_t number = textual ? 0 : row_number(column, expected);
	enum value_kind kind = textual             ? (text ? VALUE_TEXT : VALUE_NULL)
			       : number == DB_NULL ? VALUE_NULL
						   : VALUE_INTEGER;
	*same = kind == cursor_kind(c, at) &&
		(kind == VALUE_NULL ||
			(textual ? strcmp(text, cursor_text(c, at)) == 0 : number == cursor_integer(c, at)));
	if (*same || quiet)
		return true;
	char is[120], should[120];
	print_value(cursor_kind(c, at), cursor_integer(c, at), cursor_text(c, at), is);
	print_value(kind, number, text, should);
	return finding(k, k->scenario,
		"%s%s: row %zu of those with the id %" PRId64 ": %s is %s, and should be %s", k->subject,
		type->table, row, e->id, column->name, is, should);
}

static bool compare_row(struct checking *k, const struct expected *e, size_t row, const struct db_cursor *c,
	bool quiet, bool *same)
{
	const struct row_type *type = &row_types[e->type];
	int at = 1;
	*same = true;
	for (size_t i = e->columns.first; *same && i < type->column_count && i < e->columns.end; i++)
		if (is_compared(k, e->type, i) &&
			!compare_value(k, e, row, &type->columns[i], c, at++, quiet, same))
			return false;
	return true;
}

bool compare_rows(struct checking *k, const struct expected *e, bool quiet, bool *same)
{
	char sql[3000];
	bool have = true;
	size_t row = 0;
	*same = true;
	select_rows(k, e, sql, sizeof(sql));
	struct db_cursor *c = cursor_open(k->reader, sql, k->err);
	bool ok = c && cursor_bind_integer(c, 1, e->id, k->err);
	for (; ok && *same && (ok = cursor_next(c, &have, k->err)) && have && row < e->count; row++)
		ok = compare_row(k, e, row, c, quiet, same);
	if (ok && *same && (have || row < e->count)) {
		*same = false;
		ok = quiet ||
		     finding(k, k->scenario, "%s%s: there are %s rows with the id %" PRId64 " than %zu",
			     k->subject, row_types[e->type].table, have ? "more" : "fewer", e->id, e->count);
	}
	cursor_close(c);
	return ok;
}

#define OF_SET "t.taskset_id = ?1 ORDER BY "
#define OF_TASKS "o.taskset_id = ?1 ORDER BY o.task_idx"

bool compare_set(struct checking *k, int64_t taskset_id, const struct taskset *set,
	const struct set_origin *origin, bool quiet, bool *same)
{
	struct stored_set stored;
	bool ok = store_set_rows(set, origin, &stored, k->err);
	const struct taskset_row *row = &stored.row;
	const struct expected all[] = {
		{ROWS_TASKSET, row, 1, ROW_ALL, NULL, OF_SET "1", taskset_id},
		{ROWS_TASK, row->tasks, row->task_count, ROW_ALL, NULL, OF_SET "t.task_idx", taskset_id},
		{ROWS_SEGMENT, row->segments, row->segment_count, ROW_ALL,
			"task o JOIN segment t USING (task_id)", OF_TASKS ", t.segment_idx", taskset_id},
		{ROWS_PROFILE, row->profiles, row->profile_count, ROW_ALL, NULL,
			OF_SET "t.profile_idx, t.sms", taskset_id},
		{ROWS_SEGMENT_BLOCK, row->blocks, row->block_count, ROW_ALL,
			"task o JOIN segment_block t USING (task_id)", OF_TASKS ", t.segment_idx, t.block",
			taskset_id},
		{ROWS_SEGMENT_SAMPLE, row->samples, row->sample_count, ROW_ALL,
			"task o JOIN segment_sample t USING (task_id)", OF_TASKS ", t.segment_idx, t.sample",
			taskset_id},
		{ROWS_TASK_AFTER, row->afters, row->after_count, ROW_ALL,
			"task o JOIN task_after t USING (task_id)", OF_TASKS ", t.place", taskset_id},
		{ROWS_CHAIN, row->chains, row->chain_count, ROW_ALL, NULL, OF_SET "t.chain_idx", taskset_id},
		{ROWS_CHAIN_TASK, row->chain_tasks, row->chain_task_count, ROW_ALL, NULL,
			OF_SET "t.chain_idx, t.stage", taskset_id},
		{ROWS_WARP_MACHINE, row->machine, 1, ROW_ALL, NULL, OF_SET "1", taskset_id},
		{ROWS_WARP_UNIT, row->units, row->unit_count, ROW_ALL, NULL, OF_SET "t.rowid", taskset_id},
		{ROWS_WARP_KERNEL, row->kernels, row->kernel_count, ROW_ALL,
			"task o JOIN warp_kernel t USING (task_id)", OF_TASKS, taskset_id},
		{ROWS_WARP_STEP, row->steps, row->step_count, ROW_ALL,
			"task o JOIN warp_step t USING (task_id)", OF_TASKS ", t.step_idx", taskset_id},
	};
	size_t count = ok && row->machine ? sizeof(all) / sizeof(all[0]) : 9;
	*same = true;
	for (size_t i = 0; ok && *same && i < count; i++)
		if (!k->lacks_table[all[i].type])
			ok = compare_rows(k, &all[i], quiet, same);
	stored_set_finish(&stored);
	return ok;
}

bool compare_platform(
	struct checking *k, int64_t platform_id, const struct platform *platform, bool quiet, bool *same)
{
	struct platform_texts texts;
	const struct platform_row row = store_platform_row(platform, &texts);
	const struct expected e = {ROWS_PLATFORM, &row, 1, ROW_ALL, NULL, "t.platform_id = ?1", platform_id};
	bool ok = text_ok(&texts.gpus, "a platform's row", k->err) && compare_rows(k, &e, quiet, same);
	platform_texts_finish(&texts);
	return ok;
}

bool compare_setup(struct checking *k, int64_t run_id, const struct run_setup *setup, bool *same)
{
	struct run_row row = {0};
	const struct expected e = {ROWS_RUN, &row, 1, row_range_of_setup(), NULL, "t.run_id = ?1", run_id};
	return store_setup(NULL, setup, &row, k->err) && compare_rows(k, &e, false, same);
}

bool check_version(struct checking *k, int64_t run_id, const char *policy, int64_t version)
{
	const struct policy *own = policy_find(policy);
	return !k->own || !own || (version > 0 && version <= own->version) ||
	       finding(k, k->scenario,
		       "%srun %" PRId64 ": version %" PRId64 " of policy '%s'; this program has version %u",
		       k->subject, run_id, version, policy, own->version);
}

const char *needed_text(const struct db_cursor *c, int column)
{
	const char *text = cursor_text(c, column);
	return text ? text : "";
}

bool is_plugin(const char *json)
{
	return strstr(json, "\"" PLUGIN_OPTION "\":") != NULL;
}

bool is_used(const struct policy_use *uses, uint32_t count, const char *name, const char *json)
{
	char own[PARAMS_JSON_MAX];
	for (uint32_t i = 0; i < count; i++) {
		const struct policy *policy = uses[i].policy;
		bool used = policy ? strcmp(policy->name, name) == 0 &&
					     strcmp(policy_json(policy, &uses[i].params, own), json) == 0
				   : is_plugin(json);
		if (used)
			return true;
	}
	return false;
}

bool not_asked_for(struct checking *k, int64_t run_id, const char *name, const char *json)
{
	return finding(k, k->scenario, "%srun %" PRId64 ": policy '%s' with %s is not asked for", k->subject,
		run_id, name, json);
}
