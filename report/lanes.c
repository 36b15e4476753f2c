/* report/lanes.c - chooses the lanes of a schedule and their order; their names are those of v_gantt
 * (db/views.sql). */
#include "report/lanes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/list.h"

static const char run_sql[] =
	"SELECT r.record, p.cores, p.engines, p.sms, p.pool = 'gpu', p.threads_per_sm,"
	" EXISTS (SELECT 1 FROM segment s"
	" JOIN task t USING (task_id) WHERE t.taskset_id = r.taskset_id AND s.form = 'warps')"
	" FROM run r JOIN platform p USING (platform_id) WHERE r.run_id = ?1";

static const char copies_sql[] =
	"SELECT DISTINCT unit FROM segment_interval WHERE run_id = ?1 AND code & 3 = 1 ORDER BY unit";

static const char pool_sql[] = "SELECT sm IS NULL FROM block_interval WHERE run_id = ?1 LIMIT 1";

/* Blocks in falling order of their ends: that is the reverse of their order in a recording, so they need no
 * sorting. */
static const char blocks_sql[] = "SELECT sm, start_ns, end_ns, threads FROM block_interval WHERE run_id = ?1"
				 " ORDER BY rowid DESC";
static const char sorted_blocks_sql[] =
	"SELECT sm, start_ns, end_ns, threads FROM block_interval WHERE run_id = ?1"
	" ORDER BY end_ns DESC";

struct lanes_platform {
	int64_t cores, engines, sms; /* engines 0: unlimited */
	int64_t threads_per_sm;      /* 0: not given */
	bool segments, blocks, pool, warps;
};

const char *lane_kind_name(enum lane_kind kind)
{
	static const char *const names[] = {
		[LANE_CPU] = "cpu",
		[LANE_COPY] = "copy",
		[LANE_GPU] = "gpu",
		[LANE_SM] = "sm",
		[LANE_POOL] = "pool",
		[LANE_CONTEXT] = "context",
	};
	return names[kind];
}

/* The first column of the first row; `otherwise` if there is no row, or it is NULL. */
static bool ask(struct db_reader *r, const char *sql, int64_t run_id, int64_t otherwise, int64_t *value,
	struct error *err)
{
	bool row;
	struct db_cursor *c = cursor_open(r, sql, err);
	bool ok = c && cursor_bind_integer(c, 1, run_id, err) && cursor_next(c, &row, err);
	if (ok)
		*value = row && cursor_kind(c, 0) != VALUE_NULL ? cursor_integer(c, 0) : otherwise;
	cursor_close(c);
	return ok;
}

static bool read_platform(struct db_reader *r, int64_t run_id, struct lanes_platform *p, struct error *err)
{
	bool row;
	int64_t pool;
	struct db_cursor *c = cursor_open(r, run_sql, err);
	bool ok = c && cursor_bind_integer(c, 1, run_id, err) && cursor_next(c, &row, err);
	if (ok && !row)
		ok = error_set(err, STATUS_INPUT, "the recording has no run %" PRId64, run_id);
	if (ok) {
		const char *record = cursor_text(c, 0);
		p->blocks = record && (strcmp(record, "blocks") == 0 || strcmp(record, "issues") == 0);
		p->segments = p->blocks || (record && strcmp(record, "segments") == 0);
		p->cores = cursor_integer(c, 1);
		p->engines = cursor_integer(c, 2);
		p->sms = cursor_integer(c, 3);
		p->pool = cursor_integer(c, 4);
		p->threads_per_sm = cursor_integer(c, 5);
		p->warps = cursor_integer(c, 6);
	}
	cursor_close(c);
	if (!ok || !p->blocks)
		return ok;
	ok = ask(r, pool_sql, run_id, p->pool, &pool, err);
	p->pool = pool;
	return ok;
}

/* NULL: *err. */
static struct lane *add(
	struct lanes *l, enum lane_kind kind, int64_t unit, int64_t capacity, struct error *err)
{
	struct lane *grown = list_room(l->lane, l->count, sizeof(*grown), "listing the lanes of a run", err);
	if (!grown)
		return NULL;
	l->lane = grown;
	struct lane *lane = &l->lane[l->count++];
	*lane = (struct lane){.kind = kind, .unit = unit, .capacity = capacity};
	return lane;
}

static bool add_single(struct lanes *l, enum lane_kind kind, const char *name, int64_t capacity,
	size_t *place, struct error *err)
{
	*place = l->count;
	struct lane *lane = add(l, kind, 0, capacity, err);
	if (lane)
		snprintf(lane->name, sizeof(lane->name), "%s", name);
	return lane;
}

/* The only one has no number. */
static bool add_cores(struct lanes *l, int64_t cores, struct error *err)
{
	size_t only;
	l->first_core = l->count;
	l->cores = cores > 1 ? (size_t)cores : 1;
	if (l->cores == 1)
		return add_single(l, LANE_CPU, "CPU", 1, &only, err);
	for (int64_t i = 0; i < cores; i++) {
		struct lane *lane = add(l, LANE_CPU, i, 1, err);
		if (!lane)
			return false;
		snprintf(lane->name, sizeof(lane->name), "CPU %" PRId64, i);
	}
	return true;
}

/* If processes share the GPU. Older recordings lack the table. */
static bool add_context(struct lanes *l, struct db_reader *r, int64_t run_id, struct error *err)
{
	bool has;
	int64_t rows;
	if (!reader_has(r, "context_interval", NULL, &has, err))
		return false;
	if (!has)
		return true;
	if (!ask(r, "SELECT 1 FROM context_interval WHERE run_id = ?1 LIMIT 1", run_id, 0, &rows, err))
		return false;
	return rows == 0 || add_single(l, LANE_CONTEXT, "context", 1, &l->context, err);
}

static bool add_copy(struct lanes *l, int64_t unit, struct error *err)
{
	struct lane *lane = add(l, LANE_COPY, unit, 1, err);
	if (!lane)
		return false;
	snprintf(lane->name, sizeof(lane->name), "copy %" PRId64, unit);
	l->copies++;
	return true;
}

static bool add_copies(
	struct lanes *l, struct db_reader *r, int64_t run_id, int64_t engines, struct error *err)
{
	bool row = true;
	l->first_copy = l->count;
	for (int64_t i = 0; i < engines; i++)
		if (!add_copy(l, i, err))
			return false;
	if (engines > 0)
		return true;
	struct db_cursor *c = cursor_open(r, copies_sql, err);
	bool ok = c && cursor_bind_integer(c, 1, run_id, err);
	while (ok && row) {
		ok = cursor_next(c, &row, err);
		if (ok && row)
			ok = add_copy(l, cursor_integer(c, 0), err);
	}
	cursor_close(c);
	return ok;
}

/* ---- the greatest number of threads ---- */

/* Goes back in time. The blocks that are resident when a block ends are those that end then or later and have
 * begun before. */
struct residents {
	struct heap begin; /* the resident ones; key: -start; value: SM (or 0) and threads */
	int64_t *threads;  /* by SM */
	size_t sms;
	int64_t last_end, most;
	bool in_order;
};

static bool add_resident(struct residents *r, const struct db_cursor *c, struct error *err)
{
	size_t sm = cursor_kind(c, 0) == VALUE_NULL ? 0 : (size_t)cursor_integer(c, 0);
	int64_t start = cursor_integer(c, 1), end = cursor_integer(c, 2), threads = cursor_integer(c, 3);
	r->in_order = r->in_order && end <= r->last_end;
	r->last_end = end;
	if (!r->in_order || start >= end || sm >= r->sms)
		return true;
	while (r->begin.count > 0 && -r->begin.entries[0].key >= end) {
		uint64_t gone = heap_pop(&r->begin).value;
		r->threads[gone >> 32] -= (int64_t)(gone & UINT32_MAX);
	}
	r->threads[sm] += threads;
	if (r->threads[sm] > r->most)
		r->most = r->threads[sm];
	return heap_push(&r->begin, -start, (uint64_t)sm << 32 | (uint32_t)threads, err);
}

/* *in_order: the rows came in falling order of end_ns; else *most is not known. */
static bool sweep_blocks(struct db_reader *reader, int64_t run_id, const char *sql, size_t sms, int64_t *most,
	bool *in_order, struct error *err)
{
	bool row = true;
	struct residents r = {
		.threads = calloc(sms, sizeof(*r.threads)),
		.sms = sms,
		.last_end = INT64_MAX,
		.most = 1,
		.in_order = true,
	};
	if (!r.threads)
		return error_memory(err, "listing the lanes of a run");
	struct db_cursor *c = cursor_open(reader, sql, err);
	bool ok = c && cursor_bind_integer(c, 1, run_id, err);
	while (ok && row && r.in_order)
		ok = cursor_next(c, &row, err) && (!row || add_resident(&r, c, err));
	cursor_close(c);
	heap_finish(&r.begin);
	free(r.threads);
	*most = r.most;
	*in_order = r.in_order;
	return ok;
}

static bool most_threads(
	struct db_reader *r, int64_t run_id, const struct lanes_platform *p, int64_t *most, struct error *err)
{
	bool in_order;
	size_t sms = p->pool ? 1 : (size_t)p->sms;
	return sweep_blocks(r, run_id, blocks_sql, sms, most, &in_order, err) &&
	       (in_order || sweep_blocks(r, run_id, sorted_blocks_sql, sms, most, &in_order, err));
}

static bool add_sms(struct lanes *l, struct db_reader *r, int64_t run_id, const struct lanes_platform *p,
	struct error *err)
{
	int64_t capacity = p->threads_per_sm * (p->pool ? p->sms : 1);
	if (capacity < 1 && !most_threads(r, run_id, p, &capacity, err))
		return false;
	if (p->pool)
		return add_single(l, LANE_POOL, "pool", capacity, &l->pool, err);
	l->first_sm = l->count;
	for (int64_t i = 0; i < p->sms; i++, l->sms++) {
		struct lane *lane = add(l, LANE_SM, i, capacity, err);
		if (!lane)
			return false;
		snprintf(lane->name, sizeof(lane->name), "SM %03" PRId64, i);
	}
	return true;
}

bool lanes_read(struct db_reader *r, int64_t run_id, struct lanes *l, struct error *err)
{
	struct lanes_platform p = {0};
	*l = (struct lanes){.gpu = LANE_NONE, .pool = LANE_NONE, .context = LANE_NONE};
	bool ok = read_platform(r, run_id, &p, err);
	if (ok && p.segments && !p.warps)
		ok = add_cores(l, p.cores, err) && add_copies(l, r, run_id, p.engines, err);
	if (ok && p.segments && p.sms > 0)
		ok = add_single(l, LANE_GPU, "GPU", 1, &l->gpu, err);
	if (ok && p.blocks && p.sms > 0)
		ok = add_sms(l, r, run_id, &p, err);
	if (ok && p.segments)
		ok = add_context(l, r, run_id, err);
	if (!ok)
		lanes_finish(l);
	return ok;
}

void lanes_finish(struct lanes *l)
{
	free(l->lane);
	*l = (struct lanes){.gpu = LANE_NONE, .pool = LANE_NONE, .context = LANE_NONE};
}

static size_t find_copy(const struct lanes *l, int64_t unit)
{
	if (unit >= 0 && (size_t)unit < l->copies && l->lane[l->first_copy + (size_t)unit].unit == unit)
		return l->first_copy + (size_t)unit;
	for (size_t i = l->first_copy; i < l->first_copy + l->copies; i++)
		if (l->lane[i].unit == unit)
			return i;
	return LANE_NONE;
}

size_t lanes_of_segment(const struct lanes *l, int64_t code, int64_t unit)
{
	switch (code & 3) {
	case 0:
		return unit >= 0 && (size_t)unit < l->cores ? l->first_core + (size_t)unit : LANE_NONE;
	case 1:
		return find_copy(l, unit);
	default:
		return l->gpu;
	}
}

size_t lanes_of_block(const struct lanes *l, int64_t sm)
{
	if (sm < 0)
		return l->pool;
	return (size_t)sm < l->sms ? l->first_sm + (size_t)sm : LANE_NONE;
}
