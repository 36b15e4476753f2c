/* db/runs.c - writes runs: begin, bulk rows, end, and taking a run back.
 *
 * Bulk rows are written during the run; its row in `run` is written when it ends. Rows without that row were
 * left by a writer that died; a finished file has none. What a real machine did is added behind a run's end.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "db/identity.h"
#include "db/paged.h"
#include "db/sql.h"
#include "db/writer_private.h"

/* The writer commits by itself after this many rows: it bounds the write-ahead log of a part (about 20 MB).
 */
#define ROWS_PER_COMMIT 500000
/* Rows per statement: arrays may be long, and the writer can only commit between statements. */
#define ROWS_PER_STATEMENT 65536

static bool digest_setup(struct db_writer *w, const struct run_row *run, struct error *err)
{
	struct digest digest;
	digest_init(&digest);
	row_digest(ROWS_RUN, &digest, run, row_range_of_setup());
	if (!writer_digest_trace(w, &digest, run->trace_id, err))
		return false;
	digest_text(&digest, w->setup_digest);
	return true;
}

static bool find_run(struct db_writer *w, const struct run_row *run, bool *exists, struct error *err)
{
	int64_t run_id;
	sqlite3_stmt *stmt = writer_statement(w, &w->find_run,
		"SELECT run_id FROM run WHERE taskset_id = ? AND platform_id = ? AND policy_id = ?"
		" AND replication = ? AND setup_digest = ?",
		err);
	return stmt && writer_bound(w, sqlite3_bind_int64(stmt, 1, run->taskset_id), err) &&
	       writer_bound(w, sqlite3_bind_int64(stmt, 2, run->platform_id), err) &&
	       writer_bound(w, sqlite3_bind_int64(stmt, 3, run->policy_id), err) &&
	       writer_bound(w, sqlite3_bind_int64(stmt, 4, run->replication), err) &&
	       writer_bound(w, sqlite3_bind_text(stmt, 5, w->setup_digest, -1, SQLITE_TRANSIENT), err) &&
	       sql_integer(stmt, &run_id, exists, w->part, err);
}

bool writer_first_task(struct db_writer *w, int64_t taskset_id, int64_t *task_id, struct error *err)
{
	bool found;
	sqlite3_stmt *stmt = writer_statement(
		w, &w->first_task, "SELECT task_id FROM task WHERE taskset_id = ? AND task_idx = 0", err);
	return stmt && writer_bound(w, sqlite3_bind_int64(stmt, 1, taskset_id), err) &&
	       sql_integer(stmt, task_id, &found, w->part, err);
}

bool writer_begin_run(struct db_writer *w, const struct run_row *run, bool *exists, struct error *err)
{
	assert(!w->in_run);
	if (!digest_setup(w, run, err) || !find_run(w, run, exists, err))
		return false;
	if (*exists)
		return true;
	memcpy(w->mark, w->rows, sizeof(w->mark));
	w->identity = 0;
	w->in_run = writer_first_task(w, run->taskset_id, &w->first_task_id, err);
	if (w->in_run && w->paged)
		paged_begin_run(w->paged);
	return w->in_run;
}

/* ---- rows ---- */

static bool insert_by_sqlite(
	struct db_writer *w, enum row_type_id id, const void *rows, size_t count, struct error *err)
{
	sqlite3_stmt *stmt = writer_insert_statement(w, id, err);
	if (!stmt || !writer_bound(w, sqlite3_bind_int64(stmt, 1, w->runs + 1), err))
		return false;
	const char *next = rows;
	while (count > 0) {
		size_t now = count < ROWS_PER_STATEMENT ? count : ROWS_PER_STATEMENT;
		if (!writer_insert(w, id, next, now, w->first_task_id, err))
			return false;
		next += now * row_types[id].row_size;
		count -= now;
		w->rows[id] += (int64_t)now;
		w->uncommitted += (int64_t)now;
		if (w->uncommitted >= ROWS_PER_COMMIT && !writer_commit(w, err))
			return false;
	}
	return true;
}

static bool insert_bulk(
	struct db_writer *w, enum row_type_id id, const void *rows, size_t count, struct error *err)
{
	assert(w->in_run);
	if (id <= ROWS_LAST_OF_IDENTITY)
		w->identity += identity_of_rows(id, rows, count);
	return w->paged && paged_takes(id)
		       ? paged_rows(w->paged, id, rows, count, w->runs + 1, w->first_task_id, err)
		       : insert_by_sqlite(w, id, rows, count, err);
}

bool writer_jobs(struct db_writer *w, const struct job_row *rows, size_t count, struct error *err)
{
	return insert_bulk(w, ROWS_JOB, rows, count, err);
}

bool writer_segment_intervals(
	struct db_writer *w, const struct segment_interval_row *rows, size_t count, struct error *err)
{
	return insert_bulk(w, ROWS_SEGMENT_INTERVAL, rows, count, err);
}

bool writer_block_intervals(
	struct db_writer *w, const struct block_interval_row *rows, size_t count, struct error *err)
{
	return insert_bulk(w, ROWS_BLOCK_INTERVAL, rows, count, err);
}

bool writer_context_intervals(
	struct db_writer *w, const struct context_interval_row *rows, size_t count, struct error *err)
{
	return insert_bulk(w, ROWS_CONTEXT_INTERVAL, rows, count, err);
}

bool writer_power_intervals(
	struct db_writer *w, const struct power_interval_row *rows, size_t count, struct error *err)
{
	return insert_bulk(w, ROWS_POWER_INTERVAL, rows, count, err);
}

bool writer_decisions(struct db_writer *w, const struct decision_row *rows, size_t count, struct error *err)
{
	return insert_bulk(w, ROWS_DECISION, rows, count, err);
}

bool writer_hist(struct db_writer *w, const struct hist_row *rows, size_t count, struct error *err)
{
	return insert_bulk(w, ROWS_HIST, rows, count, err);
}

bool writer_run_tasks(struct db_writer *w, const struct run_task_row *rows, size_t count, struct error *err)
{
	return insert_bulk(w, ROWS_RUN_TASK, rows, count, err);
}

bool writer_run_gpus(struct db_writer *w, const struct run_gpu_row *rows, size_t count, struct error *err)
{
	return insert_bulk(w, ROWS_RUN_GPU, rows, count, err);
}

bool writer_chain_runs(struct db_writer *w, const struct chain_run_row *rows, size_t count, struct error *err)
{
	return insert_bulk(w, ROWS_CHAIN_RUN, rows, count, err);
}

bool writer_run_warp_kernels(
	struct db_writer *w, const struct run_warp_kernel_row *rows, size_t count, struct error *err)
{
	return insert_bulk(w, ROWS_RUN_WARP_KERNEL, rows, count, err);
}

bool writer_run_sub_cores(
	struct db_writer *w, const struct run_sub_core_row *rows, size_t count, struct error *err)
{
	return insert_bulk(w, ROWS_RUN_SUB_CORE, rows, count, err);
}

bool writer_epochs(struct db_writer *w, const struct epoch_row *rows, size_t count, struct error *err)
{
	return insert_bulk(w, ROWS_EPOCH, rows, count, err);
}

bool writer_epoch_sms(struct db_writer *w, const struct epoch_sm_row *rows, size_t count, struct error *err)
{
	return insert_bulk(w, ROWS_EPOCH_SM, rows, count, err);
}

bool writer_epoch_quotas(
	struct db_writer *w, const struct epoch_quota_row *rows, size_t count, struct error *err)
{
	return insert_bulk(w, ROWS_EPOCH_QUOTA, rows, count, err);
}

bool writer_warp_issues(
	struct db_writer *w, const struct warp_issue_row *rows, size_t count, struct error *err)
{
	return insert_bulk(w, ROWS_WARP_ISSUE, rows, count, err);
}

/* ---- the end ---- */

static bool identify(
	struct db_writer *w, const struct run_row *run, char identity[DIGEST_TEXT], struct error *err)
{
	char digests[WRITER_THINGS][DIGEST_TEXT];
	const int64_t ids[WRITER_THINGS] = {
		run->scenario_id, run->taskset_id, run->platform_id, run->policy_id};
	if (!writer_things(w, ids, digests, err))
		return false;
	const char *const things[IDENTITY_OF_MAX] = {
		digests[0], digests[1], digests[2], digests[3], w->setup_digest};
	identity_of_run(things, run, w->identity, identity);
	return true;
}

bool writer_end_run(struct db_writer *w, const struct run_row *run, struct error *err)
{
	char identity[DIGEST_TEXT];
	struct run_row whole = *run;
	assert(w->in_run);
	sqlite3_stmt *stmt = writer_insert_statement(w, ROWS_RUN, err);
	whole.identity_digest = identity;
	if (!stmt || !identify(w, run, identity, err) ||
		!writer_bound(w, sqlite3_bind_int64(stmt, 1, w->runs + 1), err) ||
		!writer_bound(w, sqlite3_bind_text(stmt, 2, w->setup_digest, -1, SQLITE_TRANSIENT), err) ||
		!writer_insert(w, ROWS_RUN, &whole, 1, w->first_task_id, err) ||
		(w->paged && !paged_end_run(w->paged, err)))
		return false;
	w->runs++;
	w->in_run = false;
	return true;
}

static bool delete_since(struct db_writer *w, enum row_type_id id, struct error *err)
{
	char sql[128];
	snprintf(sql, sizeof(sql), "DELETE FROM %s WHERE rowid > %lld", row_types[id].table,
		(long long)w->mark[id]);
	w->rows[id] = w->mark[id];
	return sql_exec(w->db, sql, w->part, err);
}

bool writer_discard_run(struct db_writer *w, struct error *err)
{
	assert(w->in_run);
	w->in_run = false;
	if (w->paged)
		paged_discard_run(w->paged);
	for (enum row_type_id id = ROWS_FIRST_OF_RUN; id < ROW_TYPES; id++)
		if (w->rows[id] > w->mark[id] && !delete_since(w, id, err))
			return false;
	return true;
}

/* ---- what was measured ---- */

static bool first_task_of(struct db_writer *w, int64_t run_id, int64_t *task_id, struct error *err)
{
	bool found = false;
	sqlite3_stmt *stmt = sql_prepare(w->db,
		"SELECT t.task_id FROM run r JOIN task t ON t.taskset_id = r.taskset_id AND t.task_idx = 0"
		" WHERE r.run_id = ?1",
		w->part, err);
	bool ok = stmt && writer_bound(w, sqlite3_bind_int64(stmt, 1, run_id), err) &&
		  sql_integer(stmt, task_id, &found, w->part, err) &&
		  (found || error_set(err, STATUS_INPUT, "%s: there is no run %lld", w->file,
				    (long long)run_id));
	sqlite3_finalize(stmt);
	return ok;
}

static bool has_measured(struct db_writer *w, struct error *err)
{
	int64_t count;
	return sql_query_integer(w->db, "SELECT count(*) FROM sqlite_master WHERE name = 'measured'", &count,
		       w->file, err) &&
	       (count > 0 || error_set(err, STATUS_INPUT,
				     "%s was made before recordings had the table 'measured'; make it again",
				     w->file));
}

static bool forget_measured(struct db_writer *w, int64_t run_id, struct error *err)
{
	sqlite3_stmt *stmt = sql_prepare(w->db, "DELETE FROM measured WHERE run_id = ?1", w->part, err);
	bool ok = stmt && writer_bound(w, sqlite3_bind_int64(stmt, 1, run_id), err) &&
		  sql_run(stmt, w->part, err);
	sqlite3_finalize(stmt);
	return ok;
}

bool writer_measured(
	struct db_writer *w, int64_t run_id, const struct measured_row *rows, size_t count, struct error *err)
{
	int64_t first_task;
	assert(!w->in_run);
	if (!first_task_of(w, run_id, &first_task, err) ||
		(w->amends && (!has_measured(w, err) || !forget_measured(w, run_id, err))))
		return false;
	sqlite3_stmt *stmt = writer_insert_statement(w, ROWS_MEASURED, err);
	bool ok = stmt && writer_bound(w, sqlite3_bind_int64(stmt, 1, run_id), err);
	for (size_t done = 0, now; ok && done < count; done += now) {
		now = count - done < ROWS_PER_STATEMENT ? count - done : ROWS_PER_STATEMENT;
		ok = writer_insert(w, ROWS_MEASURED, rows + done, now, first_task, err);
	}
	return ok;
}
