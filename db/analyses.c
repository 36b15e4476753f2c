/* db/analyses.c - writes the results of analyses: analysis_run, bound, bound_part, chain_bound. */
#include <assert.h>

#include "db/identity.h"
#include "db/sql.h"
#include "db/writer_private.h"

/* Finds the same analysis of the same set, whatever its result was. */
static bool find_analysis(
	struct db_writer *w, const struct analysis_row *row, int64_t *id, bool *exists, struct error *err)
{
	sqlite3_stmt *stmt = writer_statement(w, &w->find_analysis,
		"SELECT analysis_run_id FROM analysis_run WHERE taskset_id = ? AND platform_id = ? AND"
		" policy_id = ? AND analysis = ? AND params = ?",
		err);
	return stmt && writer_bound(w, sqlite3_bind_int64(stmt, 1, row->taskset_id), err) &&
	       writer_bound(w, sqlite3_bind_int64(stmt, 2, row->platform_id), err) &&
	       writer_bound(w, sqlite3_bind_int64(stmt, 3, row->policy_id), err) &&
	       writer_bound(w, sqlite3_bind_text(stmt, 4, row->analysis, -1, SQLITE_TRANSIENT), err) &&
	       writer_bound(w, sqlite3_bind_text(stmt, 5, row->params, -1, SQLITE_TRANSIENT), err) &&
	       sql_integer(stmt, id, exists, w->part, err);
}

static bool forget(struct db_writer *w, int64_t id, struct error *err)
{
	static const char *const deletions[] = {"DELETE FROM bound_part WHERE analysis_run_id = ?",
		"DELETE FROM chain_bound WHERE analysis_run_id = ?",
		"DELETE FROM bound WHERE analysis_run_id = ?",
		"DELETE FROM analysis_run WHERE analysis_run_id = ?"};
	for (size_t i = 0; i < sizeof(deletions) / sizeof(deletions[0]); i++) {
		sqlite3_stmt *stmt = writer_statement(w, &w->forget[i], deletions[i], err);
		if (!stmt || !writer_bound(w, sqlite3_bind_int64(stmt, 1, id), err) ||
			!sql_run(stmt, w->part, err))
			return false;
	}
	return true;
}

static bool insert(struct db_writer *w, enum row_type_id type, int64_t id, const void *rows, size_t count,
	int64_t first_task, struct error *err)
{
	sqlite3_stmt *stmt = writer_insert_statement(w, type, err);
	return stmt && writer_bound(w, sqlite3_bind_int64(stmt, 1, id), err) &&
	       writer_insert(w, type, rows, count, first_task, err);
}

static bool identify(struct db_writer *w, const struct analysis_row *row, uint64_t rows,
	char identity[DIGEST_TEXT], struct error *err)
{
	char digests[WRITER_THINGS][DIGEST_TEXT];
	const int64_t ids[WRITER_THINGS] = {0, row->taskset_id, row->platform_id, row->policy_id};
	if (!writer_things(w, ids, digests, err))
		return false;
	const char *const things[IDENTITY_OF_MAX] = {digests[1], digests[2], digests[3]};
	identity_of_analysis(things, row, rows, identity);
	return true;
}

bool writer_analysis(struct db_writer *w, const struct analysis_row *row, const struct analysis_rows *bounds,
	bool *exists, struct error *err)
{
	int64_t first_task, before;
	assert(!w->in_run);
	if (!find_analysis(w, row, &before, exists, err))
		return false;
	if (*exists && !w->amends)
		return true;
	if (*exists && !forget(w, before, err))
		return false;
	int64_t id = *exists ? before : w->analyses + 1;
	*exists = false;
	char identity[DIGEST_TEXT];
	struct analysis_row whole = *row;
	whole.identity_digest = identity;
	uint64_t rows = identity_of_rows(ROWS_BOUND, bounds->bounds, bounds->bound_count) +
			identity_of_rows(ROWS_BOUND_PART, bounds->parts, bounds->part_count) +
			identity_of_rows(ROWS_CHAIN_BOUND, bounds->chains, bounds->chain_count);
	if (!identify(w, row, rows, identity, err) ||
		!writer_first_task(w, row->taskset_id, &first_task, err) ||
		!insert(w, ROWS_ANALYSIS, id, &whole, 1, first_task, err) ||
		!insert(w, ROWS_BOUND, id, bounds->bounds, bounds->bound_count, first_task, err) ||
		!insert(w, ROWS_BOUND_PART, id, bounds->parts, bounds->part_count, first_task, err) ||
		!insert(w, ROWS_CHAIN_BOUND, id, bounds->chains, bounds->chain_count, first_task, err))
		return false;
	w->analyses = id > w->analyses ? id : w->analyses;
	return true;
}
