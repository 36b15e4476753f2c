/* runs/load_flights.c - reads which operations of a task set are in flight, and which segments wait for them
 * (docs/model.md, "Operations in flight"). */
#include "runs/load_private.h"

/* Columns task, segment, async, number of names. */
static bool flight_row(struct loading *l, struct db_cursor *c)
{
	struct segment *s = load_segment_of(l, c);
	if (!s)
		return false;
	s->async = cursor_integer(c, 2) != 0;
	s->awaits = arena_new(load_arena(l), char *, (size_t)cursor_integer(c, 3));
	return s->awaits || load_no_memory(l);
}

/* Columns task, segment, name. */
static bool await_row(struct loading *l, struct db_cursor *c)
{
	struct segment *s = load_segment_of(l, c);
	if (!s)
		return false;
	char *name = arena_strdup(load_arena(l), cursor_text(c, 2));
	s->awaits[s->await_count++] = name;
	return name || load_no_memory(l);
}

/* Columns task, segment, graph. */
static bool graph_row(struct loading *l, struct db_cursor *c)
{
	struct segment *s = load_segment_of(l, c);
	if (!s)
		return false;
	s->graph = arena_strdup(load_arena(l), cursor_text(c, 2));
	return s->graph || load_no_memory(l);
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
		       "SELECT task_idx, segment_idx, async, (SELECT count(*) FROM json_each(awaits)) FROM "
		       "segment JOIN task t USING (task_id) WHERE t.taskset_id = ?1 AND (async OR awaits "
		       "IS NOT NULL)",
		       taskset_id, 0, flight_row) >= 0 &&
	       load_each(l,
		       "SELECT task_idx, segment_idx, value FROM segment JOIN task t USING (task_id), "
		       "json_each(awaits) WHERE t.taskset_id = ?1 ORDER BY task_idx, segment_idx, "
		       "json_each.key",
		       taskset_id, 0, await_row) >= 0 &&
	       load_graphs(l, taskset_id);
}
