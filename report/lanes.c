/* report/lanes.c - owns which lanes a schedule has and in which order; names are those of v_gantt (db/views.sql). */
#include "report/lanes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char run_sql[] =
	"SELECT r.record, p.engines, p.sms, p.pool = 'gpu', p.threads_per_sm, EXISTS (SELECT 1 FROM segment s"
	" JOIN task t USING (task_id) WHERE t.taskset_id = r.taskset_id AND s.form = 'warps')"
	" FROM run r JOIN platform p USING (platform_id) WHERE r.run_id = ?1";

static const char copies_sql[] =
	"SELECT DISTINCT unit FROM segment_interval WHERE run_id = ?1 AND code & 3 = 1 ORDER BY unit";

static const char pool_sql[] = "SELECT sm IS NULL FROM block_interval WHERE run_id = ?1 LIMIT 1";

/* Who ends at an instant goes before who starts. */
static const char resident_sql[] =
	"SELECT max(resident) FROM (SELECT sum(change) OVER (PARTITION BY sm ORDER BY at_ns, change"
	" ROWS UNBOUNDED PRECEDING) AS resident FROM ("
	"SELECT sm, start_ns AS at_ns, threads AS change FROM block_interval WHERE run_id = ?1 UNION ALL "
	"SELECT sm, end_ns, -threads FROM block_interval WHERE run_id = ?1))";

struct platform {
	int64_t engines, sms;     /* engines 0: unlimited */
	int64_t threads_per_sm;   /* 0: not given */
	bool segments, blocks, pool, warps;
};

const char *lane_kind_name(enum lane_kind kind)
{
	static const char *const names[] = {
		[LANE_CPU] = "cpu", [LANE_COPY] = "copy", [LANE_GPU] = "gpu", [LANE_SM] = "sm", [LANE_POOL] = "pool"};
	return names[kind];
}

/* The first column of the first row; `otherwise` without a row, or with NULL. */
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

static bool read_platform(struct db_reader *r, int64_t run_id, struct platform *p, struct error *err)
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
		p->engines = cursor_integer(c, 1);
		p->sms = cursor_integer(c, 2);
		p->pool = cursor_integer(c, 3);
		p->threads_per_sm = cursor_integer(c, 4);
		p->warps = cursor_integer(c, 5);
	}
	cursor_close(c);
	if (!ok || !p->blocks)
		return ok;
	ok = ask(r, pool_sql, run_id, p->pool, &pool, err);
	p->pool = pool;
	return ok;
}

/* NULL: *err. */
static struct lane *add(struct lanes *l, enum lane_kind kind, int64_t unit, int64_t capacity, struct error *err)
{
	if ((l->count & (l->count - 1)) == 0) { /* full at every power of two */
		struct lane *grown = realloc(l->lane, (l->count ? 2 * l->count : 1) * sizeof(*grown));
		if (!grown) {
			error_memory(err, "listing the lanes of a run");
			return NULL;
		}
		l->lane = grown;
	}
	struct lane *lane = &l->lane[l->count++];
	*lane = (struct lane){.kind = kind, .unit = unit, .capacity = capacity};
	return lane;
}

static bool add_single(struct lanes *l, enum lane_kind kind, const char *name, int64_t capacity, size_t *place,
	struct error *err)
{
	*place = l->count;
	struct lane *lane = add(l, kind, 0, capacity, err);
	if (lane)
		snprintf(lane->name, sizeof(lane->name), "%s", name);
	return lane;
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

static bool add_copies(struct lanes *l, struct db_reader *r, int64_t run_id, int64_t engines, struct error *err)
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

static bool add_sms(struct lanes *l, struct db_reader *r, int64_t run_id, const struct platform *p, struct error *err)
{
	int64_t capacity = p->threads_per_sm * (p->pool ? p->sms : 1);
	if (capacity == 0 && !ask(r, resident_sql, run_id, 1, &capacity, err))
		return false;
	if (capacity < 1)
		capacity = 1;
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
	struct platform p = {0};
	*l = (struct lanes){.cpu = LANE_NONE, .gpu = LANE_NONE, .pool = LANE_NONE};
	bool ok = read_platform(r, run_id, &p, err);
	if (ok && p.segments && !p.warps)
		ok = add_single(l, LANE_CPU, "CPU", 1, &l->cpu, err) && add_copies(l, r, run_id, p.engines, err);
	if (ok && p.segments && p.sms > 0)
		ok = add_single(l, LANE_GPU, "GPU", 1, &l->gpu, err);
	if (ok && p.blocks && p.sms > 0)
		ok = add_sms(l, r, run_id, &p, err);
	if (!ok)
		lanes_finish(l);
	return ok;
}

void lanes_finish(struct lanes *l)
{
	free(l->lane);
	*l = (struct lanes){.cpu = LANE_NONE, .gpu = LANE_NONE, .pool = LANE_NONE};
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
		return l->cpu;
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
