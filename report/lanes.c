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
	"SELECT r.record, p.cores, EXISTS (SELECT 1 FROM segment s"
	" JOIN task t USING (task_id) WHERE t.taskset_id = r.taskset_id AND s.form = 'warps')"
	" FROM run r JOIN platform p USING (platform_id) WHERE r.run_id = ?1";

static const char copies_sql[] =
	"SELECT DISTINCT gpu << 16 | unit FROM segment_interval WHERE run_id = ?1 AND code & 3 = 1"
	" ORDER BY 1";

#define UNITS_MAX 65536 /* cores, copy engines or SMs: more than any platform has */

/* Copy engines, SMs, whether threads are pooled, threads of an SM: of each GPU. */
static const char gpus_sql[] =
	"SELECT engines, sms, pool = 'gpu', threads_per_sm FROM run JOIN v_gpu USING (platform_id) "
	"WHERE run_id = ?1 ORDER BY gpu";

/* Streams of operations in flight. */
static const char streams_sql[] =
	"SELECT DISTINCT coalesce(s.gpu, 0), CASE s.stream WHEN -1 THEN t.task_idx ELSE s.stream END"
	" FROM run r JOIN task t USING (taskset_id) JOIN segment s USING (task_id)"
	" WHERE r.run_id = ?1 AND s.async ORDER BY 1, 2";

static const char pool_sql[] = "SELECT sm IS NULL FROM block_interval WHERE run_id = ?1 LIMIT 1";

/* Blocks in falling order of their ends: that is the reverse of their order in a recording, so they need no
 * sorting. */
static const char blocks_sql[] =
	"SELECT sm, start_ns, end_ns, threads, gpu FROM block_interval WHERE run_id = ?1"
	" ORDER BY rowid DESC";
static const char sorted_blocks_sql[] =
	"SELECT sm, start_ns, end_ns, threads, gpu FROM block_interval WHERE run_id = ?1"
	" ORDER BY end_ns DESC";

struct lanes_gpu {
	int64_t engines, sms;   /* engines 0: unlimited */
	int64_t threads_per_sm; /* 0: not given */
	bool pool;
};

struct lanes_platform {
	int64_t cores;
	bool segments, blocks, warps;
	struct lanes_gpu gpu[GPUS_MOST];
	size_t gpus;
};

const char *lane_kind_name(enum lane_kind kind)
{
	static const char *const names[] = {
		[LANE_CPU] = "cpu",
		[LANE_COPY] = "copy",
		[LANE_GPU] = "gpu",
		[LANE_STREAM] = "stream",
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

static bool read_gpus(struct db_reader *r, int64_t run_id, struct lanes_platform *p, struct error *err)
{
	bool row = true;
	struct db_cursor *c = cursor_open(r, gpus_sql, err);
	bool ok = c && cursor_bind_integer(c, 1, run_id, err);
	while (ok && row && p->gpus < GPUS_MOST) {
		ok = cursor_next(c, &row, err);
		if (ok && row)
			p->gpu[p->gpus++] = (struct lanes_gpu){cursor_integer(c, 0), cursor_integer(c, 1),
				cursor_integer(c, 3), cursor_integer(c, 2)};
	}
	cursor_close(c);
	return ok;
}

/* In a file that others have changed there may be anything. */
static bool check_units(int64_t run_id, const struct lanes_platform *p, struct error *err)
{
	bool ok = p->cores <= UNITS_MAX;
	for (size_t g = 0; g < p->gpus; g++)
		ok = ok && p->gpu[g].engines <= UNITS_MAX && p->gpu[g].sms <= UNITS_MAX;
	return ok ||
	       error_set(err, STATUS_INPUT,
		       "run %" PRId64 ": the recording is damaged: no platform has so many units", run_id);
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
		p->warps = cursor_integer(c, 2);
	}
	cursor_close(c);
	ok = ok && read_gpus(r, run_id, p, err) && check_units(run_id, p, err);
	if (!ok || !p->blocks || p->gpus != 1)
		return ok;
	ok = ask(r, pool_sql, run_id, p->gpu[0].pool, &pool, err);
	p->gpu[0].pool = pool;
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

static bool add_single(struct lanes *l, enum lane_kind kind, const char *name, int64_t unit, int64_t capacity,
	size_t *place, struct error *err)
{
	*place = l->count;
	struct lane *lane = add(l, kind, unit, capacity, err);
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
		return add_single(l, LANE_CPU, "CPU", 0, 1, &only, err);
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
	return rows == 0 || add_single(l, LANE_CONTEXT, "context", 0, 1, &l->context, err);
}

/* "", or of several "GPU 1 ". */
static const char *prefix(const struct lanes *l, size_t gpu, char text[LANE_NAME])
{
	text[0] = '\0';
	if (l->gpus > 1)
		snprintf(text, LANE_NAME, "GPU %zu ", gpu);
	return text;
}

static bool add_copy(struct lanes *l, int64_t unit, struct error *err)
{
	char gpu[LANE_NAME];
	struct lane *lane = add(l, LANE_COPY, unit, 1, err);
	if (!lane)
		return false;
	snprintf(lane->name, sizeof(lane->name), "%.12scopy %" PRId64,
		prefix(l, (size_t)(unit >> LANE_GPU_SHIFT), gpu), unit & ((1 << LANE_GPU_SHIFT) - 1));
	l->copies++;
	return true;
}

/* Where engines are unlimited, those that occur. */
static bool add_occurring(struct lanes *l, struct db_reader *r, int64_t run_id, size_t gpu, struct error *err)
{
	bool row = true;
	struct db_cursor *c = cursor_open(r, copies_sql, err);
	bool ok = c && cursor_bind_integer(c, 1, run_id, err);
	while (ok && row) {
		ok = cursor_next(c, &row, err);
		if (ok && row && cursor_integer(c, 0) >> LANE_GPU_SHIFT == (int64_t)gpu)
			ok = add_copy(l, cursor_integer(c, 0), err);
	}
	cursor_close(c);
	return ok;
}

static bool add_copies(struct lanes *l, struct db_reader *r, int64_t run_id, const struct lanes_platform *p,
	struct error *err)
{
	bool ok = true;
	l->first_copy = l->count;
	for (size_t g = 0; ok && g < p->gpus; g++) {
		for (int64_t i = 0; ok && i < p->gpu[g].engines; i++)
			ok = add_copy(l, (int64_t)g << LANE_GPU_SHIFT | i, err);
		if (ok && p->gpu[g].engines == 0)
			ok = add_occurring(l, r, run_id, g, err);
	}
	return ok;
}

static bool add_gpus(struct lanes *l, const struct lanes_platform *p, struct error *err)
{
	for (size_t g = 0; g < p->gpus; g++) {
		char name[LANE_NAME];
		size_t place;
		snprintf(name, sizeof(name), p->gpus > 1 ? "GPU %zu" : "GPU", g);
		if (!add_single(l, LANE_GPU, name, (int64_t)g, 1, &place, err))
			return false;
		l->gpu = g == 0 ? place : l->gpu;
	}
	return true;
}

static bool add_stream(struct lanes *l, int64_t gpu, int64_t stream, struct error *err)
{
	char before[LANE_NAME];
	struct lane *lane = add(l, LANE_STREAM, gpu << LANE_STREAM_SHIFT | (stream + 2), 1, err);
	if (!lane)
		return false;
	prefix(l, (size_t)gpu, before);
	if (stream < 0)
		snprintf(lane->name, sizeof(lane->name), "%.12sNULL stream", before);
	else
		snprintf(lane->name, sizeof(lane->name), "%.12sstream %u", before,
			(unsigned)(stream & UINT32_MAX));
	l->streams++;
	return true;
}

/* If operations are in flight. Older recordings lack the column. */
static bool add_streams(struct lanes *l, struct db_reader *r, int64_t run_id, struct error *err)
{
	bool has, row = true;
	l->first_stream = l->count;
	if (!reader_has(r, "segment", "async", &has, err))
		return false;
	if (!has)
		return true;
	struct db_cursor *c = cursor_open(r, streams_sql, err);
	bool ok = c && cursor_bind_integer(c, 1, run_id, err);
	while (ok && row) {
		ok = cursor_next(c, &row, err);
		if (ok && row)
			ok = add_stream(l, cursor_integer(c, 0), cursor_integer(c, 1), err);
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
	size_t sms, gpu;   /* of that GPU */
	int64_t last_end, most;
	bool in_order;
};

static bool add_resident(struct residents *r, const struct db_cursor *c, struct error *err)
{
	size_t sm = cursor_kind(c, 0) == VALUE_NULL ? 0 : (size_t)cursor_integer(c, 0);
	int64_t start = cursor_integer(c, 1), end = cursor_integer(c, 2), threads = cursor_integer(c, 3);
	r->in_order = r->in_order && end <= r->last_end;
	r->last_end = end;
	if (!r->in_order || start >= end || sm >= r->sms || (size_t)cursor_integer(c, 4) != r->gpu)
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
static bool sweep_blocks(struct db_reader *reader, int64_t run_id, const char *sql, size_t gpu, size_t sms,
	int64_t *most, bool *in_order, struct error *err)
{
	bool row = true;
	struct residents r = {
		.threads = calloc(sms, sizeof(*r.threads)),
		.sms = sms,
		.gpu = gpu,
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

static bool most_threads(struct db_reader *r, int64_t run_id, size_t gpu, const struct lanes_gpu *p,
	int64_t *most, struct error *err)
{
	bool in_order;
	size_t sms = p->pool ? 1 : (size_t)p->sms;
	return sweep_blocks(r, run_id, blocks_sql, gpu, sms, most, &in_order, err) &&
	       (in_order || sweep_blocks(r, run_id, sorted_blocks_sql, gpu, sms, most, &in_order, err));
}

static bool add_sms(struct lanes *l, struct db_reader *r, int64_t run_id, size_t gpu,
	const struct lanes_gpu *p, struct error *err)
{
	char before[LANE_NAME], name[LANE_NAME];
	int64_t capacity = p->threads_per_sm * (p->pool ? p->sms : 1);
	if (capacity < 1 && !most_threads(r, run_id, gpu, p, &capacity, err))
		return false;
	prefix(l, gpu, before);
	snprintf(name, sizeof(name), "%.12spool", before);
	if (p->pool) {
		bool ok = add_single(l, LANE_POOL, name, (int64_t)gpu, capacity, &l->of_gpu[gpu].pool, err);
		l->pool = l->pool == LANE_NONE ? l->of_gpu[gpu].pool : l->pool;
		return ok;
	}
	l->of_gpu[gpu].first_sm = l->count;
	l->first_sm = l->sms == 0 ? l->count : l->first_sm;
	for (int64_t i = 0; i < p->sms; i++, l->sms++, l->of_gpu[gpu].sms++) {
		struct lane *lane = add(l, LANE_SM, (int64_t)gpu << LANE_GPU_SHIFT | i, capacity, err);
		if (!lane)
			return false;
		snprintf(lane->name, sizeof(lane->name), "%.12sSM %03u", before, (unsigned)(i & UINT16_MAX));
	}
	return true;
}

/* Pools of threads come behind the SMs, so that these stand together. */
static bool add_all_sms(struct lanes *l, struct db_reader *r, int64_t run_id, const struct lanes_platform *p,
	struct error *err)
{
	bool ok = true;
	for (int pools = 0; pools < 2; pools++)
		for (size_t g = 0; ok && g < p->gpus; g++)
			if (p->gpu[g].pool == pools)
				ok = add_sms(l, r, run_id, g, &p->gpu[g], err);
	return ok;
}

bool lanes_read(struct db_reader *r, int64_t run_id, struct lanes *l, struct error *err)
{
	struct lanes_platform p = {0};
	*l = (struct lanes){.gpu = LANE_NONE, .pool = LANE_NONE, .context = LANE_NONE};
	bool ok = read_platform(r, run_id, &p, err);
	l->gpus = p.gpus;
	for (size_t g = 0; g < GPUS_MOST; g++)
		l->of_gpu[g].pool = LANE_NONE;
	if (ok && p.segments && !p.warps)
		ok = add_cores(l, p.cores, err) && add_copies(l, r, run_id, &p, err);
	if (ok && p.segments && p.gpu[0].sms > 0)
		ok = add_gpus(l, &p, err) && add_streams(l, r, run_id, err);
	if (ok && p.blocks && p.gpu[0].sms > 0)
		ok = add_all_sms(l, r, run_id, &p, err);
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

size_t lanes_of_segment(const struct lanes *l, int64_t gpu, int64_t code, int64_t unit)
{
	if (gpu < 0 || (size_t)gpu >= l->gpus)
		return LANE_NONE;
	switch (code & 3) {
	case 0:
		return unit >= 0 && (size_t)unit < l->cores ? l->first_core + (size_t)unit : LANE_NONE;
	case 1:
		return find_copy(l, gpu << LANE_GPU_SHIFT | unit);
	default:
		return l->gpu == LANE_NONE ? LANE_NONE : l->gpu + (size_t)gpu;
	}
}

size_t lanes_of_stream(const struct lanes *l, int64_t gpu, int64_t stream)
{
	for (size_t i = l->first_stream; i < l->first_stream + l->streams; i++)
		if (l->lane[i].unit == (gpu << LANE_STREAM_SHIFT | (stream + 2)))
			return i;
	return LANE_NONE;
}

size_t lanes_of_block(const struct lanes *l, int64_t gpu, int64_t sm)
{
	if (gpu < 0 || (size_t)gpu >= l->gpus)
		return LANE_NONE;
	if (sm < 0)
		return l->of_gpu[gpu].pool;
	return (size_t)sm < l->of_gpu[gpu].sms ? l->of_gpu[gpu].first_sm + (size_t)sm : LANE_NONE;
}
