/* db/audit/flights.c - reads which operations of a task set are in flight, and which segments wait for them
 * (docs/model.md, "Operations in flight"). */
#include <string.h>

#include "db/audit/recording.h"

/* Columns task_id, segment_idx. NULL, with the error: the set has no such segment. */
static struct part_of_task *segment_of(
	const struct recording *r, const struct db_cursor *q, struct error *err)
{
	struct part_of_task *s = recording_segment(r, column(q, 0), column(q, 1));
	if (!s)
		error_set(err, STATUS_INPUT, "run %lld: segments are not numbered from 0",
			(long long)r->run_id);
	return s;
}

/* Columns task_id, segment_idx, async. */
static bool load_row(struct recording *r, const struct db_cursor *q, struct error *err)
{
	struct part_of_task *s = segment_of(r, q, err);
	if (!s)
		return false;
	s->async = column(q, 2) == 1;
	s->awaits = arena_alloc(&r->arena, (size_t)column(q, 1) + 1, sizeof(*s->awaits));
	r->flights = true;
	return s->awaits || error_memory(err, "reading a recording");
}

/* Columns task_id, the segment that waits, the one for which it waits. */
static bool load_awaited(struct recording *r, const struct db_cursor *q, struct error *err)
{
	struct part_of_task *s = recording_segment(r, column(q, 0), column(q, 1));
	int64_t earlier = column(q, 2);
	if (!s || earlier < 0 || earlier >= column(q, 1) || !s->awaits)
		return error_set(err, STATUS_INPUT,
			"run %lld: a segment waits for one that is not in front of it", (long long)r->run_id);
	s->awaits[earlier] = true;
	return true;
}

/* Columns task_id, segment_idx. */
static bool load_joined(struct recording *r, const struct db_cursor *q, struct error *err)
{
	struct part_of_task *s = segment_of(r, q, err);
	if (s)
		s->joins = true;
	return s != NULL;
}

/* Nodes of a graph, but for the first in a row. */
static bool graphs_load(struct recording *r, struct db_reader *source, struct error *err)
{
	bool has;
	if (!reader_has(source, "segment", "graph", &has, err))
		return false;
	if (!has)
		return true;
	struct rows q = query_rows(source,
		"SELECT task_id, s.segment_idx FROM segment s JOIN task t USING (task_id)"
		" JOIN segment e USING (task_id) WHERE t.taskset_id = ?1 AND e.graph = s.graph"
		" AND e.segment_idx = s.segment_idx - 1",
		r->taskset_id, err);
	while (rows_next(&q))
		q.ok = load_joined(r, q.c, err);
	return rows_close(&q);
}

/* By name; a wait without names: of a stream of a GPU, or of all. A task's own stream is that of its index.
 */
#define AWAITED(same_gpu)                                                                                    \
	"SELECT task_id, s.segment_idx, e.segment_idx FROM segment s JOIN task t USING (task_id)"            \
	" JOIN segment e USING (task_id) WHERE t.taskset_id = ?1 AND e.segment_idx < s.segment_idx"          \
	" AND e.kind IN ('copy', 'kernel') AND CASE WHEN s.awaits IS NOT NULL"                               \
	" THEN e.name IN (SELECT value FROM json_each(s.awaits))"                                            \
	" ELSE s.kind = 'wait' AND (s.stream = -1 OR (" same_gpu                                             \
	" AND s.stream = CASE e.stream WHEN -1 THEN t.task_idx ELSE e.stream END)) END"

bool flights_load(struct recording *r, struct db_reader *source, struct error *err)
{
	bool has;
	if (!reader_has(source, "segment", "async", &has, err))
		return false;
	if (!has)
		return true;
	struct rows q = query_rows(source,
		"SELECT task_id, s.segment_idx, s.async FROM segment s JOIN task t USING (task_id)"
		" WHERE t.taskset_id = ?1 AND (s.async OR s.awaits IS NOT NULL OR s.kind = 'wait')",
		r->taskset_id, err);
	while (rows_next(&q))
		q.ok = load_row(r, q.c, err);
	if (!rows_close(&q))
		return false;
	if (!r->flights)
		return true;
	q = query_rows(source,
		r->gpus > 1 ? AWAITED("coalesce(s.gpu, 0) = coalesce(e.gpu, 0)") : AWAITED("true"),
		r->taskset_id, err);
	while (rows_next(&q))
		q.ok = load_awaited(r, q.c, err);
	return rows_close(&q) && graphs_load(r, source, err);
}
