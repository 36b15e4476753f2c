/* report/trace/contexts.c - the track of the process that has the GPU, if processes share it. A process has
 * the name of its first task. */
#include "report/trace/private.h"

enum { COLUMN_TASK, COLUMN_CODE, COLUMN_START, COLUMN_END };

static const char rows_sql[] = "SELECT process_task_id, code, start_ns, end_ns FROM context_interval"
			       " WHERE run_id = ?1 AND" TRACE_TOUCHES("start_ns", "end_ns") " ORDER BY rowid";

static bool put_row(
	struct trace_export *t, struct trace_lanes *lanes, const struct db_cursor *c, struct error *err)
{
	bool switches = cursor_integer(c, COLUMN_CODE) != 0;
	struct trace_slice s = {
		.task = trace_find_task(t, cursor_integer(c, COLUMN_TASK), err),
		.start = cursor_integer(c, COLUMN_START),
		.end = cursor_integer(c, COLUMN_END),
		.category = switches ? CATEGORY_SWITCH : CATEGORY_CONTEXT,
		.kind = switches ? NAME_TO_CONTEXT : NAME_CONTEXT,
	};
	const struct trace_track like = {.parent = t->root, .name = "GPU context", .rank = t->next_rank};
	if (!s.task || (lanes->count == 0 && !trace_lane(t, lanes, 0, &like, err)))
		return false;
	return trace_put(t, &lanes->lanes[0], &s, "context_interval", err) && trace_flush(t, err);
}

bool trace_contexts(struct trace_export *t, struct error *err)
{
	bool has, row = true;
	struct trace_lanes lanes = {0};
	if (!reader_has(t->reader, "context_interval", NULL, &has, err))
		return false;
	if (!has)
		return true;
	struct db_cursor *c = trace_query(t, rows_sql, err);
	bool ok = c != NULL;
	while (ok && row)
		ok = cursor_next(c, &row, err) && (!row || put_row(t, &lanes, c, err));
	cursor_close(c);
	t->next_rank += lanes.count;
	trace_lanes_finish(&lanes);
	return ok;
}
