/* report/page/levels.c - adds up a run's intervals by report/detail.h, and writes them into view_detail. */
#include "report/page/levels.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/list.h"
#include "report/detail.h"
#include "report/lanes.h"

#define ROWS_PER_LOOK 65536

/* In order of start, so that overlapping intervals can be joined. */
static const char segments_sql[] = "SELECT code, unit, task_id, start_ns, end_ns, gpu FROM segment_interval"
				   " WHERE run_id = ?1 ORDER BY start_ns, rowid";
/* What is in a stream that has a lane is added there, too. */
static const char streams_sql[] =
	"SELECT CASE s.stream WHEN -1 THEN t.task_idx ELSE s.stream END, i.task_id, i.start_ns, i.end_ns,"
	" i.gpu FROM segment_interval i JOIN task t USING (task_id)"
	" JOIN segment s ON s.task_id = i.task_id AND s.segment_idx = i.segment_idx"
	" WHERE i.run_id = ?1 AND i.code & 3 <> 0 AND i.code & 12 = 0 ORDER BY i.start_ns, i.rowid";
static const char blocks_sql[] = "SELECT sm, task_id, start_ns, end_ns, threads, gpu FROM block_interval"
				 " WHERE run_id = ?1 ORDER BY rowid";
static const char end_sql[] =
	"SELECT max((SELECT coalesce(max(end_ns), 0) FROM segment_interval WHERE run_id = ?1),"
	" (SELECT coalesce(max(end_ns), 0) FROM block_interval WHERE run_id = ?1))";
static const char tasks_sql[] = "SELECT task_id, task_idx FROM task WHERE taskset_id = ?1 ORDER BY task_id";

struct page_levels {
	const struct levels_ask *ask;
	struct lanes lanes;
	struct detail detail;
	struct detail_plan plan;
	int64_t first_task;
	size_t *task_idx; /* by task_id - first_task */
	size_t tasks;
	int64_t last_end; /* end of the last block read */
	bool in_order;
};

static bool write_lanes(const struct page_levels *l, struct error *err)
{
	for (size_t i = 0; i < l->lanes.count; i++) {
		const struct lane *lane = &l->lanes.lane[i];
		const struct extract_lane row = {
			.run_id = l->ask->run_id,
			.lane = (int64_t)i,
			.kind = lane_kind_name(lane->kind),
			.name = lane->name,
			.unit = lane->unit,
			.capacity = lane->capacity,
		};
		if (!extract_lane(l->ask->extract, &row, err))
			return false;
	}
	return true;
}

static bool bad_tasks(struct error *err)
{
	return error_set(err, STATUS_INPUT, "the tasks of a set are not as cegsim numbers them");
}

static bool add_task(struct page_levels *l, int64_t task_id, int64_t task_idx, struct error *err)
{
	if (l->tasks == 0)
		l->first_task = task_id;
	if (task_id != l->first_task + (int64_t)l->tasks || task_idx < 0 || task_idx >= DETAIL_TASKS_MAX)
		return bad_tasks(err);
	size_t *grown = list_room(l->task_idx, l->tasks, sizeof(*grown), "listing tasks", err);
	if (!grown)
		return false;
	l->task_idx = grown;
	l->task_idx[l->tasks++] = (size_t)task_idx;
	return true;
}

static bool read_tasks(struct page_levels *l, struct error *err)
{
	bool row = true;
	struct db_cursor *c = cursor_open(l->ask->reader, tasks_sql, err);
	bool ok = c && cursor_bind_integer(c, 1, l->ask->taskset_id, err);
	while (ok && row) {
		ok = cursor_next(c, &row, err);
		if (ok && row)
			ok = add_task(l, cursor_integer(c, 0), cursor_integer(c, 1), err);
	}
	cursor_close(c);
	for (size_t i = 0; ok && i < l->tasks; i++)
		ok = l->task_idx[i] < l->tasks || bad_tasks(err);
	return ok;
}

/* Reads the end of the last interval, and makes the plan. */
static bool make_plan(struct page_levels *l, struct error *err)
{
	bool row;
	if (l->ask->intervals <= DETAIL_FEW || l->lanes.count == 0)
		return true;
	struct db_cursor *c = cursor_open(l->ask->reader, end_sql, err);
	bool ok = c && cursor_bind_integer(c, 1, l->ask->run_id, err) && cursor_next(c, &row, err);
	if (ok)
		l->plan = detail_plan(l->ask->intervals, cursor_integer(c, 0));
	cursor_close(c);
	return ok;
}

/* ---- rows ---- */

static bool find_task(const struct page_levels *l, int64_t task_id, size_t *task, struct error *err)
{
	if (task_id < l->first_task || task_id - l->first_task >= (int64_t)l->tasks)
		return bad_tasks(err);
	*task = l->task_idx[task_id - l->first_task];
	return true;
}

static bool add_segment(struct page_levels *l, const struct db_cursor *c, struct error *err)
{
	size_t task = 0, lane = lanes_of_segment(
				 &l->lanes, cursor_integer(c, 5), cursor_integer(c, 0), cursor_integer(c, 1));
	return lane == LANE_NONE ||
	       (find_task(l, cursor_integer(c, 2), &task, err) &&
		       detail_join(&l->detail, lane, task, cursor_integer(c, 3), cursor_integer(c, 4), err));
}

static bool add_in_stream(struct page_levels *l, const struct db_cursor *c, struct error *err)
{
	size_t task = 0, lane = lanes_of_stream(&l->lanes, cursor_integer(c, 4), cursor_integer(c, 0));
	return lane == LANE_NONE ||
	       (find_task(l, cursor_integer(c, 1), &task, err) &&
		       detail_join(&l->detail, lane, task, cursor_integer(c, 2), cursor_integer(c, 3), err));
}

static bool add_block(struct page_levels *l, const struct db_cursor *c, struct error *err)
{
	int64_t sm = cursor_kind(c, 0) == VALUE_NULL ? -1 : cursor_integer(c, 0), end = cursor_integer(c, 3);
	size_t task = 0, lane = lanes_of_block(&l->lanes, cursor_integer(c, 5), sm);
	l->in_order = l->in_order && end >= l->last_end;
	l->last_end = end;
	return lane == LANE_NONE || (find_task(l, cursor_integer(c, 1), &task, err) &&
					    detail_add(&l->detail, lane, task, cursor_integer(c, 2), end,
						    cursor_integer(c, 4), err));
}

static bool add_rows(struct page_levels *l, const char *sql,
	bool (*add)(struct page_levels *, const struct db_cursor *, struct error *), struct error *err)
{
	bool row = true;
	struct db_cursor *c = cursor_open(l->ask->reader, sql, err);
	bool ok = c && cursor_bind_integer(c, 1, l->ask->run_id, err);
	for (uint64_t n = 1; ok && row; n++) {
		ok = cursor_next(c, &row, err) && (!row || add(l, c, err));
		if (ok && n % ROWS_PER_LOOK == 0 && !l->ask->goes_on(l->ask->self))
			ok = error_set(err, STATUS_INTERRUPTED, "interrupted");
	}
	cursor_close(c);
	return ok;
}

/* ---- results ---- */

static void put(uint8_t **to, const uint16_t *from, size_t count)
{
	for (size_t i = 0; i < count; i++, *to += 2) {
		(*to)[0] = (uint8_t)from[i];
		(*to)[1] = (uint8_t)(from[i] >> 8);
	}
}

static bool write_entries(const struct page_levels *l, size_t lane, unsigned level,
	const struct detail_entries *e, struct error *err)
{
	size_t factor = detail_factor(&l->plan, level);
	size_t size = 3 * sizeof(uint16_t) * e->count;
	uint8_t *data = malloc(size + 1), *at = data;
	if (!data)
		return error_memory(err, "writing a level of detail");
	put(&at, e->bin, e->count);
	put(&at, e->task, e->count);
	put(&at, e->share, e->count);
	const struct extract_detail row = {
		.run_id = l->ask->run_id,
		.lane = (int64_t)lane,
		.level = level,
		.bin_ns = l->plan.bin_ns * (int64_t)factor,
		.entries = (int64_t)e->count,
		.data = data,
		.size = size,
	};
	bool ok = extract_detail(l->ask->extract, &row, err);
	free(data);
	return ok;
}

static bool write_levels(struct page_levels *l, struct error *err)
{
	struct detail_entries entries = {0};
	bool ok = true;
	for (size_t lane = 0; ok && lane < l->lanes.count; lane++)
		for (unsigned level = 0; ok && level < l->plan.levels; level++)
			ok = detail_entries(&l->detail, lane, detail_factor(&l->plan, level),
				     l->lanes.lane[lane].capacity, &entries, err) &&
			     write_entries(l, lane, level, &entries, err);
	detail_entries_finish(&entries);
	return ok;
}

static bool write_all(struct page_levels *l, struct error *err)
{
	if (!lanes_read(l->ask->reader, l->ask->run_id, &l->lanes, err) || !write_lanes(l, err) ||
		!make_plan(l, err))
		return false;
	if (l->plan.levels == 0)
		return true;
	if (!read_tasks(l, err))
		return false;
	if (l->tasks == 0)
		return bad_tasks(err);
	if (!detail_begin(&l->detail, l->lanes.count, l->tasks, l->plan.bins, l->plan.bin_ns, err))
		return false;
	l->in_order = true;
	return add_rows(l, segments_sql, add_segment, err) &&
	       (l->lanes.streams == 0 || add_rows(l, streams_sql, add_in_stream, err)) &&
	       add_rows(l, blocks_sql, add_block, err) && write_levels(l, err);
}

bool levels_write(const struct levels_ask *ask, bool *blocks_in_order, struct error *err)
{
	struct page_levels l = {.ask = ask};
	bool ok = write_all(&l, err);
	*blocks_in_order = l.in_order;
	detail_finish(&l.detail);
	lanes_finish(&l.lanes);
	free(l.task_idx);
	return ok;
}
