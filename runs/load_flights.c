/* runs/load_flights.c - reads which operations of a task set are in flight, and which segments wait for them
 * (docs/model.md, "Operations in flight"). */
#include "runs/load_private.h"

/* Columns task, segment, async. */
static bool flight_row(struct loading *l, struct db_cursor *c)
{
	load_row(l, c, "segment", 2);
	struct segment *s = load_segment_of(l);
	if (s)
		s->async = load_number(l, 2, 0, 1) != 0;
	return s != NULL;
}

/* Columns task, segment, name. */
static bool await_row(struct loading *l, struct db_cursor *c)
{
	load_row(l, c, "segment", 2);
	struct segment *s = load_segment_of(l);
	if (!s || !LOAD_ROOM(l, s->awaits, s->await_count))
		return false;
	s->awaits[s->await_count++] = load_name(l, 2);
	return true;
}

/* Columns task, segment, graph. */
static bool graph_row(struct loading *l, struct db_cursor *c)
{
	load_row(l, c, "segment", 2);
	struct segment *s = load_segment_of(l);
	if (s)
		s->graph = load_name(l, 2);
	return s != NULL;
}

static bool load_graphs(struct loading *l, int64_t taskset_id)
{
	bool has;
	if (!reader_has(l->reader, "segment", "graph", &has, l->err))
		return false;
	return !has ||
	       load_each(l,
		       "SELECT task_idx, segment_idx, graph FROM segment JOIN task t USING (task_id) WHERE "
		       "t.taskset_id = ?1 AND graph IS NOT NULL",
		       taskset_id, 0, graph_row) >= 0;
}

/* Operations in flight. Recordings of some programs before have none. */
bool load_flights(struct loading *l, int64_t taskset_id)
{
	bool has;
	if (!reader_has(l->reader, "segment", "async", &has, l->err))
		return false;
	if (!has)
		return true;
	return load_each(l,
		       "SELECT task_idx, segment_idx, async FROM segment JOIN task t USING (task_id) WHERE "
		       "t.taskset_id = ?1 AND async IS NOT NULL",
		       taskset_id, 0, flight_row) >= 0 &&
	       load_each(l,
		       "SELECT task_idx, segment_idx, value AS awaits FROM segment JOIN task t USING "
		       "(task_id), json_each(awaits) WHERE t.taskset_id = ?1 ORDER BY task_idx, segment_idx, "
		       "json_each.key",
		       taskset_id, 0, await_row) >= 0 &&
	       load_graphs(l, taskset_id);
}
