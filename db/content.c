/* db/content.c - writes the inputs of runs, the "things": scenarios, platforms, policies, release traces,
 * task sets. A thing is identified by the digest of its content and written once. */
#include <stdio.h>

#include "db/packed.h"
#include "db/sql.h"
#include "db/writer_private.h"

#define LOOKUP_SQL_MAX 128

/* Looks up the id of the row with this digest. *found is false if there is none. */
static bool look_up(struct db_writer *w, enum row_type_id id, const char *digest, int64_t *row_id,
	bool *found, struct error *err)
{
	char sql[LOOKUP_SQL_MAX];
	snprintf(sql, sizeof(sql), "SELECT rowid FROM %s WHERE digest = ?", row_types[id].table);
	sqlite3_stmt *stmt = writer_statement(w, &w->lookup[id], sql, err);
	return stmt && writer_bound(w, sqlite3_bind_text(stmt, 1, digest, -1, SQLITE_TRANSIENT), err) &&
	       sql_integer(stmt, row_id, found, w->part, err);
}

/* Finds or inserts the row of a thing. */
static bool identify(struct db_writer *w, enum row_type_id id, const struct digest *digest, const void *row,
	int64_t *row_id, bool *found, struct error *err)
{
	char text[DIGEST_TEXT];
	digest_text(digest, text);
	if (!look_up(w, id, text, row_id, found, err))
		return false;
	if (*found)
		return true;
	sqlite3_stmt *stmt = writer_insert_statement(w, id, err);
	if (!stmt || !writer_bound(w, sqlite3_bind_text(stmt, 1, text, -1, SQLITE_TRANSIENT), err) ||
		!writer_insert(w, id, row, 1, 0, err))
		return false;
	*row_id = sqlite3_last_insert_rowid(w->db);
	return true;
}

static bool identify_row(
	struct db_writer *w, enum row_type_id id, const void *row, int64_t *row_id, struct error *err)
{
	bool found;
	struct digest digest;
	digest_init(&digest);
	row_digest(id, &digest, row, ROW_ALL);
	return identify(w, id, &digest, row, row_id, &found, err);
}

bool writer_scenario(
	struct db_writer *w, const struct scenario_row *row, int64_t *scenario_id, struct error *err)
{
	return identify_row(w, ROWS_SCENARIO, row, scenario_id, err);
}

bool writer_platform(
	struct db_writer *w, const struct platform_row *row, int64_t *platform_id, struct error *err)
{
	return identify_row(w, ROWS_PLATFORM, row, platform_id, err);
}

bool writer_policy(struct db_writer *w, const struct policy_row *row, int64_t *policy_id, struct error *err)
{
	return identify_row(w, ROWS_POLICY, row, policy_id, err);
}

/* ---- release traces ---- */

static bool insert_release(
	struct db_writer *w, int64_t trace_id, size_t seq, int64_t release_ns, struct error *err)
{
	sqlite3_stmt *stmt = writer_statement(w, &w->trace_release,
		"INSERT INTO trace_release (trace_id, seq, release_ns) VALUES (?, ?, ?)", err);
	return stmt && writer_bound(w, sqlite3_bind_int64(stmt, 1, trace_id), err) &&
	       writer_bound(w, sqlite3_bind_int64(stmt, 2, (int64_t)seq), err) &&
	       writer_bound(w, sqlite3_bind_int64(stmt, 3, release_ns), err) && sql_run(stmt, w->part, err);
}

/* Inserts rows; their lead column, if they have one, is the owner. */
static bool insert_all(struct db_writer *w, enum row_type_id id, int64_t owner, const void *rows,
	size_t count, int64_t first_task_id, struct error *err)
{
	sqlite3_stmt *stmt = writer_insert_statement(w, id, err);
	return stmt && (row_leads(id) == 0 || writer_bound(w, sqlite3_bind_int64(stmt, 1, owner), err)) &&
	       writer_insert(w, id, rows, count, first_task_id, err);
}

bool writer_trace(struct db_writer *w, const int64_t *release_ns, size_t release_count,
	const struct trace_duration_row *durations, size_t duration_count, int64_t *trace_id,
	struct error *err)
{
	bool found;
	struct digest digest;
	digest_init(&digest);
	digest_integer(&digest, (int64_t)release_count);
	for (size_t i = 0; i < release_count; i++)
		digest_integer(&digest, release_ns[i]);
	for (size_t i = 0; i < duration_count; i++)
		row_digest(ROWS_TRACE_DURATION, &digest, &durations[i], ROW_ALL);
	if (!identify(w, ROWS_RELEASE_TRACE, &digest, NULL, trace_id, &found, err))
		return false;
	if (found)
		return true;
	for (size_t i = 0; i < release_count; i++)
		if (!insert_release(w, *trace_id, i, release_ns[i], err))
			return false;
	return insert_all(w, ROWS_TRACE_DURATION, *trace_id, durations, duration_count, 0, err);
}

bool writer_things(struct db_writer *w, const int64_t ids[WRITER_THINGS],
	char digests[WRITER_THINGS][DIGEST_TEXT], struct error *err)
{
	sqlite3_stmt *stmt = writer_statement(w, &w->things,
		"SELECT (SELECT digest FROM scenario WHERE scenario_id = ?),"
		" (SELECT digest FROM taskset WHERE taskset_id = ?),"
		" (SELECT digest FROM platform WHERE platform_id = ?), (SELECT digest FROM policy"
		" WHERE policy_id = ?)",
		err);
	if (!stmt)
		return false;
	for (int i = 0; i < WRITER_THINGS; i++)
		if (!writer_bound(w, sqlite3_bind_int64(stmt, i + 1, ids[i]), err))
			return false;
	if (sqlite3_step(stmt) != SQLITE_ROW) {
		sql_error(err, w->db, sqlite3_errcode(w->db), w->part, "read what was run");
		sqlite3_reset(stmt);
		return false;
	}
	for (int i = 0; i < WRITER_THINGS; i++) {
		const char *text = (const char *)sqlite3_column_text(stmt, i);
		snprintf(digests[i], DIGEST_TEXT, "%s", text ? text : "");
	}
	sqlite3_reset(stmt);
	return true;
}

/* ---- task sets ---- */

/* A trace id has a meaning in this recording only, so the content of the trace is digested. */
static bool digest_trace(struct db_writer *w, struct digest *digest, int64_t trace_id, struct error *err)
{
	sqlite3_stmt *stmt = writer_statement(
		w, &w->trace_digest, "SELECT digest FROM release_trace WHERE trace_id = ?", err);
	if (!stmt || !writer_bound(w, sqlite3_bind_int64(stmt, 1, trace_id), err))
		return false;
	int code = sqlite3_step(stmt);
	const char *text = code == SQLITE_ROW ? (const char *)sqlite3_column_text(stmt, 0) : NULL;
	if (text)
		digest_string(digest, text);
	else
		sql_error(err, w->db, sqlite3_errcode(w->db), w->part, "read a release trace");
	sqlite3_reset(stmt);
	return text != NULL;
}

bool writer_digest_trace(struct db_writer *w, struct digest *digest, int64_t trace_id, struct error *err)
{
	return trace_id == DB_NULL || digest_trace(w, digest, trace_id, err);
}

static void digest_all(struct digest *digest, enum row_type_id id, const void *rows, size_t count)
{
	const char *row = rows;
	digest_integer(digest, (int64_t)count);
	for (size_t i = 0; i < count; i++, row += row_types[id].row_size)
		row_digest(id, digest, row, ROW_ALL);
}

static bool digest_taskset(
	struct db_writer *w, struct digest *digest, const struct taskset_row *set, struct error *err)
{
	digest_init(digest);
	row_digest(ROWS_TASKSET, digest, set, ROW_ALL);
	digest_all(digest, ROWS_TASK, set->tasks, set->task_count);
	digest_all(digest, ROWS_SEGMENT, set->segments, set->segment_count);
	digest_all(digest, ROWS_PROFILE, set->profiles, set->profile_count);
	if (set->block_count)
		digest_all(digest, ROWS_SEGMENT_BLOCK, set->blocks, set->block_count);
	if (set->sample_count)
		digest_all(digest, ROWS_SEGMENT_SAMPLE, set->samples, set->sample_count);
	if (set->after_count)
		digest_all(digest, ROWS_TASK_AFTER, set->afters, set->after_count);
	if (set->chain_count) {
		digest_all(digest, ROWS_CHAIN, set->chains, set->chain_count);
		digest_all(digest, ROWS_CHAIN_TASK, set->chain_tasks, set->chain_task_count);
	}
	if (set->machine) {
		row_digest(ROWS_WARP_MACHINE, digest, set->machine, ROW_ALL);
		digest_all(digest, ROWS_WARP_UNIT, set->units, set->unit_count);
		digest_all(digest, ROWS_WARP_KERNEL, set->kernels, set->kernel_count);
		digest_all(digest, ROWS_WARP_STEP, set->steps, set->step_count);
	}
	for (size_t i = 0; i < set->task_count; i++)
		if (!writer_digest_trace(w, digest, set->tasks[i].trace_id, err))
			return false;
	return true;
}

static bool insert_segments(struct db_writer *w, const struct taskset_row *row, int64_t taskset_id,
	int64_t first_task_id, struct error *err)
{
	return w->packs ? packed_insert(w, row, first_task_id, err)
			: insert_all(w, ROWS_SEGMENT, taskset_id, row->segments, row->segment_count,
				  first_task_id, err);
}

static bool insert_tasks(struct db_writer *w, const struct taskset_row *row, int64_t taskset_id,
	int64_t first_task_id, struct error *err)
{
	return insert_all(w, ROWS_TASK, taskset_id, row->tasks, row->task_count, first_task_id, err) &&
	       insert_segments(w, row, taskset_id, first_task_id, err) &&
	       insert_all(w, ROWS_SEGMENT_BLOCK, taskset_id, row->blocks, row->block_count, first_task_id,
		       err) &&
	       insert_all(w, ROWS_SEGMENT_SAMPLE, taskset_id, row->samples, row->sample_count, first_task_id,
		       err) &&
	       insert_all(w, ROWS_PROFILE, taskset_id, row->profiles, row->profile_count, first_task_id, err);
}

static bool insert_chains(struct db_writer *w, const struct taskset_row *row, int64_t taskset_id,
	int64_t first_task_id, struct error *err)
{
	return insert_all(
		       w, ROWS_TASK_AFTER, taskset_id, row->afters, row->after_count, first_task_id, err) &&
	       insert_all(w, ROWS_CHAIN, taskset_id, row->chains, row->chain_count, first_task_id, err) &&
	       insert_all(w, ROWS_CHAIN_TASK, taskset_id, row->chain_tasks, row->chain_task_count,
		       first_task_id, err);
}

static bool insert_warps(struct db_writer *w, const struct taskset_row *row, int64_t taskset_id,
	int64_t first_task_id, struct error *err)
{
	if (!row->machine)
		return true;
	return insert_all(w, ROWS_WARP_MACHINE, taskset_id, row->machine, 1, first_task_id, err) &&
	       insert_all(w, ROWS_WARP_UNIT, taskset_id, row->units, row->unit_count, first_task_id, err) &&
	       insert_all(w, ROWS_WARP_KERNEL, taskset_id, row->kernels, row->kernel_count, first_task_id,
		       err) &&
	       insert_all(w, ROWS_WARP_STEP, taskset_id, row->steps, row->step_count, first_task_id, err);
}

bool writer_taskset(
	struct db_writer *w, const struct taskset_row *row, int64_t *taskset_id, struct error *err)
{
	bool found;
	int64_t last_task;
	struct digest digest;
	if (!digest_taskset(w, &digest, row, err) ||
		!identify(w, ROWS_TASKSET, &digest, row, taskset_id, &found, err))
		return false;
	if (found)
		return true;
	sqlite3_stmt *stmt = writer_statement(w, &w->last_task, "SELECT max(task_id) FROM task", err);
	if (!stmt || !sql_integer(stmt, &last_task, NULL, w->part, err))
		return false;
	return insert_tasks(w, row, *taskset_id, last_task + 1, err) &&
	       insert_chains(w, row, *taskset_id, last_task + 1, err) &&
	       insert_warps(w, row, *taskset_id, last_task + 1, err);
}
